# frozen_string_literal: true

require_relative "../support/module_tree"

RSpec.describe Puppetfn::Runtime do
  include ModuleTree

  files = {
    "mod/lib/puppet/functions/mod/twice.rb" => <<~RUBY,
      Puppet::Functions.create_function(:'mod::twice') do
        dispatch(:number) { param 'Mod::Small', :n; optional_block_param }
        dispatch(:text) { param 'String', :s; return_type 'String' }
        def number(n) = block_given? ? yield(n * 2) : n * 2
        def text(s) = s * 2
      end
    RUBY
    "mod/lib/puppet/functions/mod/both.rb" => <<~RUBY,
      Puppet::Functions.create_function(:'mod::both') do
        def both(a) = [call_function('mod::twice', a), closure_scope['mode'], Puppet.notice('both')]
      end
    RUBY
    "mod/types/small.pp" => "type Mod::Small = Integer[0, 9]",
    "mod/templates/x.erb" => "x",
    "mod/metadata.json" => ModuleTree.metadata("me-mod", version: "1.2.3"),
    "Not-A-Module/lib/puppet/functions/g.rb" => ""
  }

  around { |example| with_runtime(files, variables: {"mode" => "strict"}) { |runtime| @runtime = runtime; example.run } }

  attr_reader :runtime

  it "calls a function, with a block as its lambda" do
    expect([runtime.call_function("mod::twice", 4), runtime.call_function(:"mod::twice", 4) { |n| n + 1 },
      runtime.call_function("mod::twice", "a")]).to eq([8, 9, "aa"])
  end

  it "says what arguments a function accepts" do
    expect { runtime.call_function("mod::twice", 12) }.to raise_error(ArgumentError, <<~TEXT.chomp)
      The function 'mod::twice' was called with arguments it does not accept. It expects one of:
        (Mod::Small = Integer[0, 9] n, Callable block?)
          rejected: parameter 'n' expects a Mod::Small = Integer[0, 9] value, got Integer[12, 12]
        (String s)
          rejected: parameter 's' expects a String value, got Integer
    TEXT
  end

  it "gives functions its other functions, its scope and its logs" do
    expect(runtime.call_function("mod::both", 3).map(&:to_s)).to eq(%w[6 strict both])
    expect(runtime.logs).to eq([[:notice, "both"]])
  end

  it "is at work for the length of a call" do
    expect { runtime.call_function("mod::twice", nil) }.to raise_error(ArgumentError)
    expect(described_class.current).to be_nil
    expect(runtime.activate { described_class.current }).to be(runtime)
  end

  it "lists functions, all or some" do
    expect(runtime.list_functions(/\Amod::/)).to eq(%w[mod::both mod::twice])
    expect(runtime.list_functions).to include("mod::both", "notice")
  end

  it "tells how a function can be called" do
    signature = runtime.function_signature("mod::twice")

    expect([[4], ["a"], [12], []].map { |args| signature.callable_with?(args) }).to eq([true, true, false, false])
    expect([[4], ["a"]].map { |args| signature.callable_with?(args, proc {}) }).to eq([true, false])
    expect(signature.callables.map(&:to_s)).to eq(["Callable[Mod::Small, Optional[Callable]]", "Callable[[String], String]"])
    expect(signature.to_s.lines.map(&:chomp)).to all(start_with("mod::twice(")).and have_attributes(size: 2)
    expect(runtime.function_signature("mod::nope")).to be_nil
  end

  it "knows the types of its modules" do
    expect(runtime.type("Array[Mod::Small]").instance?([1, 20])).to be(false)
    expect([runtime.infer([1]), runtime.infer_set([1]), runtime.common_type(runtime.infer(1), runtime.infer(3))].map(&:to_s))
      .to eq(["Array[Integer[1, 1], 1, 1]", "Tuple[Integer[1, 1]]", "Integer[1, 3]"])
  end

  it "finds what classes of Ruby have in common" do
    shown = [[Object.new, $stdin], [Class.new.new, 1], [BasicObject.new, ""]].map do |one, other|
      runtime.common_type(runtime.infer(one), runtime.infer(other)).to_s
    end
    expect(shown).to eq(["Runtime[ruby, 'Object']", "Any", "Any"])
  end

  it "refuses a modulepath without an end" do
    expect { described_class.new(modulepath: Enumerator.new { |all| loop { all << "/" } }) }.to raise_error(TypeError)
  end

  it "refuses names of functions that are no texts", :misuse do
    expect { runtime.call_function([1]) }
      .to raise_error(TypeError, "the name of a function: expected a String or a Symbol, got an object of Array")
    expect(runtime.call_function(:upcase, "a")).to eq("A")
    expect { runtime.define_function([1]) { nil } }.to raise_error(TypeError, /expected a String or a Symbol, got an object of Array/)
    lying = "size".dup.tap { |name| name.define_singleton_method(:to_s) { [] } }
    expect(runtime.call_function(lying, "abc")).to eq(3)
    expect { runtime.call_function(lying.clone << "s") }.to raise_error(ArgumentError, "Unknown function 'sizes'")
  end

  it "has modules with paths, files and metadata" do
    found = runtime.environment.module("mod")

    expect(runtime.environment.modules.map(&:name)).to eq(["mod"])
    expect([found.path, found.template("x.erb"), found.template("y.erb"), found.version])
      .to eq([File.join(runtime.environment.modulepath.first, "mod"), File.join(found.path, "templates/x.erb"), nil, "1.2.3"])
    expect(["nope", "../mod", "Not-A-Module"].map { |name| runtime.environment.module(name) }).to all(be_nil)
    expect(runtime.activate { Puppet::Module.find("mod").path }).to eq(found.path)
    expect(Puppet::Parser::Files.find_template("mod/x.erb", runtime.environment)).to eq(File.join(found.path, "templates/x.erb"))
  end

  it "keeps a cache for each function that asks for one" do
    function = Puppet::Functions.create_function("f", Puppet::Functions::InternalFunction) do
      dispatch(:f) { cache_param }
      def f(cache) = cache.retrieve(self)[:n] = cache.retrieve(self).fetch(:n, 0) + 1
    end
    first, second = Array.new(2) { function.new(runtime.scope, runtime.loader) }

    expect([first, first, second].map { |f| f.call(runtime.scope) }).to eq([1, 2, 1])
  end

  it "says that scripts have no compiler that makes a catalog" do
    runtime = described_class.new(node: nil)
    function = Puppet::Functions.create_function("f", Puppet::Functions::InternalFunction) do
      dispatch(:f) { compiler_param }
      def f(compiler) = compiler
    end

    expect { runtime.activate { function.new(runtime.scope, runtime.loader).call(runtime.scope) } }
      .to raise_error(Puppet::Context::UndefinedBindingError, "Unable to lookup 'pal_catalog_compiler'")
  end
end
