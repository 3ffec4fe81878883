# frozen_string_literal: true

require_relative "../support/module_tree"

# Scopes that functions give another way to look up variables. All answers are Puppet 8.11's; code with variables is refused.
RSpec.describe "A scope with a method lookupvar of its own" do
  include ModuleTree

  files = {
    "own/lib/puppet/functions/own/redefine.rb" => <<~RUBY,
      Puppet::Functions.create_function(:'own::redefine', Puppet::Functions::InternalFunction) do
        dispatch(:redefine) { scope_param }
        def redefine(scope)
          def scope.lookupvar(name, options = {}) = name == 'magic' ? 'MAGIC' : super
          [scope.lookupvar('magic'), scope['magic'], scope.include?('magic'), scope['environment']]
        end
      end
    RUBY
    "own/functions/variable.pp" => "function own::variable($x) { $x }",
    "own/functions/constant.pp" => "function own::constant() { 2 }"
  }.freeze

  define_method(:noticed) do |code|
    with_runtime(files, node: "web1") do |runtime|
      runtime.compile(code)
      runtime.logs.map { |_, message| message }
    end
  end

  define_method(:template) { |ruby| "notice(inline_template('<%= #{ruby} %>'))" }

  it "finds variables with it in Ruby, also the second time, and sets others" do
    expect(noticed("$x = 1 notice(own::redefine()) notice(own::redefine()) #{template('scope["x"]')}"))
      .to eq(["[MAGIC, MAGIC, true, production]"] * 2 + ["1"])
  end

  it "is asked by the scopes within it" do
    within = template('[scope["magic"], scope["title"], scope.lookupvar("environment")].join(" ")')
    expect(noticed("own::redefine() class k { #{within} } class l inherits k { #{within} } define d { #{within} } include l d { 'x': }"))
      .to eq(["MAGIC k production", "MAGIC l production", "MAGIC x production"])
  end

  it "is not asked by scopes around it" do
    expect(noticed("class k { own::redefine() } include k #{template('(scope["magic"] rescue "none")')}")).to eq(["none"])
  end

  it "goes with code that has no variables" do
    expect(noticed("own::redefine() notice(own::constant(), inline_epp('<%= 1 %>'))")).to eq(["2 1"])
  end

  {
    "$x = 1 own::redefine() notice($x)" => /The method lookupvar of one scope/,
    "own::redefine() notice(own::variable(1))" => /redefined the method lookupvar of one scope/,
    "own::redefine() notice(inline_epp('<%= $environment %>'))" => /redefined the method lookupvar of one scope/,
    "own::redefine() notice(getvar('environment'))" => /redefined the method lookupvar of one scope/
  }.each do |code, message|
    it("is refused for `#{code}`") { expect { noticed(code) }.to raise_error(message) }
  end
end
