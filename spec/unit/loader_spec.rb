# frozen_string_literal: true

require_relative "../support/module_tree"

# What code of a module sees, and what a runtime can be strict about.
RSpec.describe Puppetfn::Loader do
  include ModuleTree

  def function(name, body)
    "Puppet::Functions.create_function(:'#{name}') { def #{name.split("::").last}(*args) = #{body} }"
  end

  def metadata(*dependencies)
    ModuleTree.metadata("me-m", dependencies: dependencies.map { |name| {"name" => name} })
  end

  # The function f is in two modules, and m calls it.
  tree = {
    "a/lib/puppet/functions/f.rb" => "Puppet::Functions.create_function(:f) { def f = 'a' }",
    "b/lib/puppet/functions/f.rb" => "Puppet::Functions.create_function(:f) { def f = 'b' }",
    "a/functions/g.pp" => "function a::g() { 'a' }",
    "m/functions/pp.pp" => "function m::pp() { f() }",
    "m/functions/g.pp" => "function m::g() { a::g() }",
    "m/lib/puppet/functions/m/rb.rb" => "Puppet::Functions.create_function(:'m::rb') { def rb = call_function('f') }",
    "m/lib/puppet/functions/m/g_rb.rb" => "Puppet::Functions.create_function(:'m::g_rb') { def g_rb = call_function('a::g') }"
  }.freeze

  it "finds a name without a namespace rather in the dependencies of the module, in either language" do
    with_runtime(tree.merge("m/metadata.json" => metadata("me/b"))) do |runtime|
      expect(%w[m::pp m::rb].map { |name| runtime.call_function(name) }).to eq(%w[b b])
      expect(runtime.call_function("f")).to eq("a")
      expect(runtime.call_function("m::g")).to eq("a")
    end
    with_runtime(tree) { |runtime| expect(%w[m::pp m::rb].map { |name| runtime.call_function(name) }).to eq(%w[a a]) }
  end

  it "reads dependencies as modules name them" do
    {metadata("me-b") => "b", metadata("me/ghost", "me/b") => "b", "{}" => "a", "[]" => "a"}.each do |text, found|
      with_runtime(tree.merge("m/metadata.json" => text)) do |runtime|
        expect(runtime.call_function("m::pp")).to eq(found), text
      end
    end
  end

  it "gives each function the loader of its module" do
    with_runtime(tree) do |runtime|
      names = %w[m::rb f].map { |name| runtime.loader.load(:function, name).loader.loader_name }
      expect([*names, runtime.loader.loader_name]).to eq(["m private", "a private", "environment private"])
    end
  end

  it "makes one function of a file, whoever asks for it" do
    with_runtime(tree) do |runtime|
      from = ->(mod) { runtime.loader.for_module(mod).load(:function, "f") }
      expect(from["m"]).to equal(from[nil])
    end
  end

  describe "strict_dependencies" do
    undeclared = "The function 'a::g' is in the module 'a', which is not a dependency of the module 'm': " \
                 "add it to the dependencies in its metadata.json"

    it "refuses functions of modules that are not declared" do
      with_runtime(tree.merge("m/metadata.json" => metadata("me/b")), strict_dependencies: true) do |runtime|
        expect { runtime.call_function("m::g") }.to raise_error(Puppet::PreformattedError, /#{undeclared} \(file: /)
        expect { runtime.call_function("m::g_rb") }.to raise_error(ArgumentError, undeclared)
        expect(runtime.call_function("a::g")).to eq("a")
        expect(runtime.call_function("m::pp")).to eq("b")
      end
    end

    it "accepts those that are, and all for a module that declares nothing" do
      with_runtime(tree.merge("m/metadata.json" => metadata("me/a")), strict_dependencies: true) do |runtime|
        expect(%w[m::g m::g_rb m::pp].map { |name| runtime.call_function(name) }).to eq(%w[a a a])
      end
      with_runtime(tree, strict_dependencies: true) { |runtime| expect(runtime.call_function("m::g")).to eq("a") }
    end
  end

  describe "strict_names" do
    def define(name)
      with_runtime({"m/functions/f.pp" => "function m::f() { 'module' }"}, strict_names: true) do |runtime|
        runtime.evaluate_string("function #{name}() { 'manifest' } #{name}()")
      end
    end

    it "lets manifests define names of the environment and names without a namespace, and replace those of modules" do
      expect(%w[environment::f f m::f].map { |name| define(name) }).to all(eq("manifest"))
    end

    it "refuses to replace Puppet's own functions, and other namespaces" do
      expect { define("abs") }.to raise_error(
        Puppet::ParseError,
        "The function 'abs' is one of Puppet's own, which no manifest can replace (strict_names) (line: 1, column: 1)"
      )
      expect { define("m::g") }.to raise_error(Puppet::ParseError, /'m::g' replaces no function of a module/)
    end
  end

  it "says which functions need each other to be loaded" do
    load = ->(name, other) { "closure = loader_injected_arg.load(:function, '#{other}')\n#{function(name, "1")}" }
    files = {"m/lib/puppet/functions/m/f.rb" => load["m::f", "m::g"], "m/lib/puppet/functions/m/g.rb" => load["m::g", "m::f"]}
    with_runtime(files) do |runtime, root|
      places = %w[f g].map { |name| "'m::#{name}' (#{root}/m/lib/puppet/functions/m/#{name}.rb)" }.join(" loads ")
      message = "The function 'm::f' is needed to load itself: #{places} loads 'm::f'"
      2.times { expect { runtime.call_function("m::f") }.to raise_error(ArgumentError, message) }
    end
  end
end
