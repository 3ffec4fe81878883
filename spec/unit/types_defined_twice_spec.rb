# frozen_string_literal: true

# Loading a native resource type fails if a manifest defines a type of the same name. All answers are Puppet 8.11's.
RSpec.describe "A defined type named like a type written in Ruby" do
  define_method(:compiled) do |code|
    runtime = Puppetfn::Runtime.new
    runtime.compile(code, "/site.pp")
    :compiled
  rescue Puppet::Error => e
    [e.message, runtime.logs.find { |level, _| level == :err }&.last]
  end

  define_method(:redefined) do |type|
    "Could not autoload puppet/type/#{type}: Attempt to redefine entity " \
      "'http://puppet.com/2016.1/runtime/type/#{type}'. Originally set at file:///site.pp?line=1&pos=1."
  end

  [
    "define notify() { } notify { 'a': }",
    "define notify() { } @notify { 'a': }",
    "define notify() { } create_resources(notify, {'a' => {}})",
    "define notify() { } notice(defined('notify'))",
    "define file() { } file { '/a': }"
  ].each do |code|
    it "fails where the type is needed: #{code}" do
      type = code[/\w+(?=\(\))/]
      expect(compiled(code)).to match([a_string_including(redefined(type)), redefined(type)])
    end
  end

  it "can be defined, and is the type where that of Ruby is loaded already" do
    ["define notify() { }", "define notify() { } file { '/a': }", "define stage() { } stage { 'a': }"].each do |code|
      expect(compiled(code)).to eq(:compiled)
    end
  end
end
