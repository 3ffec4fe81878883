# frozen_string_literal: true

require_relative "../support/module_tree"

RSpec.describe "Puppet::Pops::PuppetStack.stacktrace" do
  include ModuleTree

  files = {
    "m/lib/puppet/functions/m/st.rb" => <<~'RUBY',
      Puppet::Functions.create_function(:'m::st') do
        def st = Puppet::Pops::PuppetStack.stacktrace.map { |file, line| "#{File.basename(file)}:#{line}" }.join(" ")
      end
    RUBY
    "m/lib/puppet/functions/m/wrap.rb" => <<~RUBY
      Puppet::Functions.create_function(:'m::wrap') do
        dispatch(:wrap) { block_param }
        def wrap = yield
      end
    RUBY
  }.freeze

  {
    "notice(m::st())" => "site.pp:1 site.pp:0",
    "notice(m::wrap() || {\n m::st() })" => "site.pp:2 site.pp:1 site.pp:0",
    "m::wrap() || {\n m::wrap() || {\n notice(m::st()) } }" => "site.pp:3 site.pp:2 site.pp:1 site.pp:0",
    "function f() {\n m::st() }\n notice(f())" => "site.pp:2 site.pp:3 site.pp:0",
    "function f($n) {\n if $n > 0 { f($n - 1) } else { m::st() } }\n notice(f(2))" => "site.pp:2 site.pp:2 site.pp:2 site.pp:3 site.pp:0",
    "[1].each |$x| {\n notice(m::st()) }" => "site.pp:2 site.pp:1 site.pp:0",
    "notice([1, 2].reduce |$a, $b| {\n m::st() })" => "site.pp:2 site.pp:1 site.pp:0",
    "function f() {\n include a }\n class a {\n notice(m::st()) }\n f()" => "site.pp:4 site.pp:2 site.pp:5 site.pp:0",
    "inline_epp('<% notice(m::st()) %>')" => "inlined-epp-text:1 site.pp:1 site.pp:0",
    "class a {\n notice(m::st()) }\n m::wrap() || {\n include a }" => "site.pp:2 site.pp:4 site.pp:3 site.pp:0",
    "define d() {\n notice(m::st()) }\n d { 'x': }" => "site.pp:2"
  }.each do |code, stack|
    it "is #{stack} in #{code.delete("\n")}" do
      with_runtime(files, node: "web") do |runtime|
        runtime.compile(code, "site.pp")
        expect(runtime.logs.to_a).to eq([[:notice, stack]])
      end
    end
  end
end
