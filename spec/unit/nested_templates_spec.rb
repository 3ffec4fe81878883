# frozen_string_literal: true

require_relative "../support/module_tree"

# The expected answers are Puppet 8.11's.
RSpec.describe "Templates that call functions" do
  include ModuleTree

  modules = {
    "m/templates/called.erb" => "<%= scope.call_function('template', ['m/inner.erb']) -%>",
    "m/templates/sent.erb" => "<%= scope.function_template(['m/inner.erb']) -%>",
    "m/templates/getvar.erb" => "<%= scope.call_function('getvar', ['item']) %> <%= scope.call_function('defined', ['$item']) %> " \
                                "<%= scope.call_function('defined', ['$nosuch']) -%>",
    "m/templates/epp.erb" => "<%= scope.call_function('inline_epp', ['<' + '%= $item ' + '%' + '>']) -%>",
    "m/templates/inner.erb" => "<%= @item.inspect %> <%= scope['item'].inspect %> <%= @outer.inspect %> <%= scope['1'].inspect %>",
  }

  def notices(modules, code)
    with_runtime(modules, node: "web.example.com") do |runtime|
      runtime.compile(code)
      return runtime.logs.to_a.map(&:last)
    end
  end

  %w[called sent].each do |name|
    it "show the variables of the lambda around to the inner template: #{name}" do
      body = "$outer = 1 ['x'].each |$item| { if 'ab' =~ /(b)/ { notice(template('m/#{name}.erb')) } }"
      expected = ['"x" "x" 1 "b"']
      expect(notices(modules, body)).to eq(expected)
      expect(notices(modules, "define d() { #{body} } d { 'a': }")).to eq(expected)
      expect(notices(modules, "class c { #{body} } include c")).to eq(expected)
    end
  end

  it "show them to functions that look variables up by name" do
    code = "define d() { ['x'].each |$item| { notice(template('m/getvar.erb')) } } d { 'a': }"
    expect(notices(modules, code)).to eq(["x true false"])
  end

  it "show them to templates in EPP" do
    code = "define d() { ['x'].each |$item| { notice(template('m/epp.erb')) } } d { 'a': }"
    expect(notices(modules, code)).to eq(["x"])
  end

  it "do not show them to functions in the Puppet language" do
    others = {"m/templates/t.erb" => "<%= scope.call_function('sees', []) -%>"}
    code = "function sees() { defined('$item') } ['x'].each |$item| { notice(template('m/t.erb')) }"
    expect(notices(others, code)).to eq(["false"])
  end
end
