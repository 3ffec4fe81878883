# frozen_string_literal: true

require_relative "../support/module_tree"

RSpec.describe Puppetfn::LegacyFunctions do
  include ModuleTree

  let(:runtime) { Puppetfn::Runtime.new }

  def define(name, options = {type: :rvalue}, &body)
    runtime.activate { Puppet::Parser::Functions.newfunction(name, options, &body) }
  end

  def legacy(name, body, options = ":type => :rvalue")
    {"mod/lib/puppet/parser/functions/#{name}.rb" => <<~RUBY}
      module Puppet::Parser::Functions
        newfunction(:#{name}, #{options}) do |args|
          #{body}
        end
      end
    RUBY
  end

  def modern(name, body)
    {"mod/lib/puppet/functions/mod/#{name}.rb" => <<~RUBY}
      Puppet::Functions.create_function(:'mod::#{name}') do
        def #{name}(*args)
          #{body}
        end
      end
    RUBY
  end

  describe "a function" do
    it "runs as a method of the scope" do
      define(:f) { |args| [self.class, lookupvar("x"), self["x"], args] }
      runtime.scope["x"] = 1

      expect(runtime.scope.function_f(["a"])).to eq([Puppet::Parser::Scope, 1, 1, ["a"]])
    end

    it "may return early" do
      define(:f) { |args| return "early" if args.empty? }

      expect(runtime.scope.function_f([])).to eq("early")
    end

    it "has a result only if it says so" do
      define(:f, {}) { |args| args }
      define(:g, {"type" => :rvalue}) { |args| args }

      expect([runtime.scope.function_f([1]), runtime.scope.function_g([1])]).to eq([nil, nil])
    end

    it "takes an array" do
      define(:f) { |args| args }

      expect { runtime.scope.function_f("a") }.to raise_error(ArgumentError, /\Acustom functions must be called with a single array/)
    end

    it "is missing where there is none of its name" do
      expect { runtime.scope.function_nothing([]) }.to raise_error(NoMethodError, /undefined method `function_nothing'/)
      expect { runtime.scope.nothing }.to raise_error(NoMethodError, /undefined method `nothing'/)
    end

    it "can log and fail as methods of the scope" do
      define(:f) do |args|
        warning(args)
        fail("no #{args.first}")
      end

      expect { runtime.scope.function_f(%w[a b]) }.to raise_error(Puppet::Error, "no a")
      expect(runtime.logs).to eq([[:warning, "a b"]])
    end

    it "is at work in its runtime, whoever calls it" do
      define(:f) do |_|
        Puppet.notice("here")
        Puppet.lookup(:current_environment)
      end

      expect(runtime.scope.function_f([])).to eq(runtime.environment)
      expect(runtime.logs).to eq([[:notice, "here"]])
    end
  end

  describe "a call by name" do
    it "counts the arguments in the words of the 3.x API" do
      define(:f, type: :rvalue, arity: 2) { |args| args }
      define(:g, type: :rvalue, arity: -2) { |args| args }

      expect(runtime.call_function("f", 1, 2)).to eq([1, 2])
      expect { runtime.call_function("f", 1) }.to raise_error(ArgumentError, "f(): Wrong number of arguments given (1 for 2)")
      expect { runtime.call_function("g") }
        .to raise_error(ArgumentError, "g(): Wrong number of arguments given (0 for minimum 1)")
    end

    it "shows what can be called" do
      define(:f, type: :rvalue, arity: 2) { |args| args }
      define(:g) { |args| args }

      expect(runtime.function_signature("f").to_s).to eq("f(Any p0, Any p1)")
      expect(runtime.function_signature("g").to_s).to eq("g(Any p0*)")
      expect([[1], [1, 2]].map { |args| runtime.function_signature("f").callable_with?(args) }).to eq([false, true])
    end

    it "may come from a built-in function" do
      define(:f) { |args| [to_s, args] }

      expect(runtime.call_function("call", "f", 1, nil)).to eq(["Scope(Class[main])", [1, ""]])
      expect { runtime.call_function("call", "nothing") }.to raise_error(ArgumentError, "Unknown function 'nothing'")
    end

    it "sees a function that was defined again" do
      define(:f) { |_| 1 }
      first = runtime.call_function("f")
      define(:f, type: :rvalue, arity: 1) { |_| 2 }

      expect([first, runtime.call_function("f", 0), runtime.function_signature("f").to_s]).to eq([1, 2, "f(Any p0)"])
      expect(runtime.logs).to eq([[:warning, "Overwriting previous definition for function f"]])
    end
  end

  describe "arguments" do
    before { define(:f) { |args| args } }

    def mapped(*args) = runtime.call_function("f", *args)

    it "are undef only within others" do
      define(:shown) { |args| args.inspect }

      expect(runtime.call_function("shown", nil, :undef, [nil, :undef, [nil]], {"a" => nil, nil => 1}, :default))
        .to eq('["", "", [nil, nil, [nil]], {"a"=>nil, nil=>1}, :default]')
    end

    it "are strings where Puppet 3 has no such values" do
      values = [/a.b/i, Puppetfn::SemVer.parse("1.2.3"), Puppetfn::SemVerRange.parse(">=1.0.0"),
                Puppetfn::Timespan.parse("1-02:03:04"), Puppetfn::Timestamp.parse("2020-01-01"),
                Puppetfn::Binary.from_string("bytes")]

      expect(mapped(*values)).to eq(["/a.b/i", "1.2.3", ">=1.0.0", *values.drop(3).map(&:to_s)])
      expect(mapped([/a/], {/b/ => /c/})).to eq([["/a/"], {"/b/" => "/c/"}])
    end

    it "are references where they are types of the catalog" do
      expect(mapped(runtime.type("File['/x']"), runtime.type("Class['a::b']")).map(&:to_s)).to eq(["File[/x]", "Class[A::B]"])
      expect(mapped(runtime.type("File['/x']"))).to eq([Puppet::Resource.new("File", "/x")])
      expect { mapped(runtime.type("CatalogEntry")) }.to raise_error(ArgumentError, /represents neither a PClassType/)
    end

    it "stay what they are otherwise" do
      values = [1, 1.5, true, runtime.type("Integer"), Puppet::Pops::Types::PSensitiveType::Sensitive.new("x"), proc {}]

      expect(mapped(*values)).to eq(values)
    end

    it "are strings that may be changed" do
      define(:change) { |args| args.flatten.each { |text| text << "!" } }

      expect(runtime.call_function("change", "a", ["b"])).to eq(["a!", "b!"])
    end

    it "are integers of 64 bits, and no iterators" do
      iterator = Puppet::Pops::Types::Iterable.on([1])

      expect { mapped(2**63) }
        .to raise_error(Puppet::Error, "Use of a Ruby Integer outside of Puppet Integer max range, got '0x8000000000000000'")
      expect { mapped([-2**63 - 1]) }.to raise_error(Puppet::Error, /Integer min range/)
      expect { mapped(iterator) }.to raise_error(Puppet::Error, "Use of an Iterator is not supported here")
    end

    it "of functions that Puppet has in the 4.x API, too, come with a warning" do
      runtime.compile('class c { } inline_template("<% scope.function_include([%q(c)]) %>")', "site.pp")
      warning = "Calling function_include via the Scope class is deprecated. Use Scope#call_function instead"
      expect(runtime.logs.map(&:last)).to include(a_string_starting_with(warning))
    end

    it "come without the warning where the call fails" do
      expect { runtime.compile('inline_template("<% scope.function_include([%q(d)]) %>")', "site.pp") }.to raise_error(Puppet::Error)
      expect(runtime.logs.map(&:first)).to eq([:err])
    end

    it "are mapped for calls by name alone" do
      expect(runtime.scope.function_f([nil, /a/])).to eq([nil, /a/])
    end
  end

  describe "the file of a function" do
    it "is found and loaded, once" do
      with_runtime(legacy("f", "$loaded_legacy = $loaded_legacy.to_i + 1")) do |runtime|
        expect([runtime.call_function("f"), runtime.call_function("F"), runtime.list_functions("f")]).to eq([1, 2, ["f"]])
        expect(runtime.function_signature("f").name).to eq("f")
      end
    end

    it "comes after one of the 4.x API" do
      files = {"mod/lib/puppet/functions/f.rb" => "Puppet::Functions.create_function(:f) { def f; '4x'; end }"}

      with_runtime({**legacy("f", "'3x'"), **files}) do |runtime|
        expect([runtime.call_function("f"), runtime.scope.function_f([])]).to eq(%w[4x 3x])
      end
    end

    it "is loaded when another function calls the method" do
      files = {**legacy("f", "[function_g([1]), send(:function_g, [2])]"), **legacy("g", "args.first + 1"),
               **modern("h", "call_function('f')"), **modern("i", "closure_scope.call_function('g', [4])")}

      with_runtime(files) do |runtime|
        expect([runtime.call_function("f"), runtime.call_function("mod::h"), runtime.call_function("mod::i")])
          .to eq([[2, 3], [2, 3], 5])
      end
    end

    it "may be found by a name in which case counts" do
      with_runtime(legacy("mixedCase", "args")) do |runtime|
        expect(runtime.call_function("mixedCase", 1)).to eq([1])
        expect { runtime.call_function("mixedcase", 1) }.to raise_error(ArgumentError, "Unknown function 'mixedcase'")
      end
    end

    it "may require others of the module" do
      files = {"mod/lib/puppet_x/mod/legacy_helper.rb" => "module PuppetX; LEGACY_HELPER = 7; end",
               "mod/lib/puppet/parser/functions/f.rb" =>
                 "require 'puppet_x/mod/legacy_helper'\n" \
                 "Puppet::Parser::Functions.newfunction(:f, :type => :rvalue) { |_| PuppetX::LEGACY_HELPER }"}

      with_runtime(files) { |runtime| expect(runtime.call_function("f")).to eq(7) }
    end

    def loading(source)
      with_runtime({"mod/lib/puppet/parser/functions/f.rb" => source}) do |runtime, root|
        yield runtime, "#{root}/mod/lib/puppet/parser/functions/f.rb"
      end
    end

    it "must call newfunction" do
      ["", "x = 'newfunction(:f)'", "# newfunction(:f)"].each do |source|
        loading(source) do |runtime, path|
          expect { runtime.call_function("f") }.to raise_error(ArgumentError,
            "The code loaded from #{path} does not seem to be a Puppet 3x API function - no 'newfunction' call.")
        end
      end
    end

    it "must end with that" do
      loading("Puppet::Parser::Functions.newfunction(:f) { |_| }\n1") do |runtime, path|
        expect { runtime.call_function("f") }.to raise_error(ArgumentError,
          "Illegal legacy function definition! The code loaded from #{path} did not return the result of calling " \
          "'newfunction'. Got 'Integer'")
      end
    end

    it "must define the function of its name" do
      loading("Puppet::Parser::Functions.newfunction(:g, :type => :rvalue) { |_| 'g' }") do |runtime, path|
        expect { runtime.call_function("f") }.to raise_error(ArgumentError,
          "The code loaded from #{path} produced mis-matched name, expected 'function_f', got 'function_g'")
        expect(runtime.call_function("g")).to eq("g")
      end
    end

    it "must not define methods" do
      source = "module Puppet::Parser::Functions\n  def self.helper; end\n  newfunction(:f) { |_| }\nend"

      loading(source) do |runtime, path|
        expect { runtime.call_function("f") }.to raise_error(SecurityError,
          "Illegal method definition of method 'helper' in source #{path} on line 11 in legacy function. " \
          "See https://puppet.com/docs/puppet/latest/functions_refactor_legacy.html for more information")
      end
    end

    it "is named with the line of a syntax error" do
      loading("\nPuppet::Parser::Functions.newfunction(:f) { |_| (") do |runtime, path|
        expect { runtime.call_function("f") }.to raise_error(SyntaxError, /\A#{Regexp.escape(path)}:2: /)
      end
    end

    it "is named in the error of a function that asks for it" do
      loading("raise 'broken'") do |runtime|
        expect { runtime.scope.function_f([]) }
          .to raise_error(Puppet::Error, "Could not autoload puppet/parser/functions/f: broken")
        expect(runtime.logs).to eq([[:err, "Could not autoload puppet/parser/functions/f: broken"]])
      end
    end
  end

  describe "environments" do
    def with_two
      with_runtime(legacy("f", "['one', function_g([])]").merge(legacy("g", "1"))) do |one|
        with_runtime(legacy("f", "['two', function_g([])]").merge(legacy("g", "2"))) { |two| yield one, two }
      end
    end

    it "do not see each other's functions" do
      with_two do |one, two|
        expect([one, two, one].map { |runtime| runtime.call_function("f") }).to eq([["one", 1], ["two", 2], ["one", 1]])
        one.activate { Puppet::Parser::Functions.newfunction(:only_one, type: :rvalue) { |_| 1 } }
        expect(one.call_function("only_one")).to eq(1)
        expect { two.call_function("only_one") }.to raise_error(ArgumentError, "Unknown function 'only_one'")
      end
    end

    it "keep them apart for threads" do
      with_two do |one, two|
        threads = Array.new(4) do |index|
          runtime = [one, two][index % 2]
          Thread.new { Array.new(50) { runtime.call_function("f") }.uniq }
        end

        expect(threads.map(&:value)).to eq([[["one", 1]], [["two", 2]]] * 2)
      end
    end
  end

  it "is dropped with its runtime" do
    count = lambda do
      GC.start
      ObjectSpace.each_object(described_class).count
    end
    before = count.call
    with_modules(legacy("f", "args")) do |root|
      50.times { Puppetfn::Runtime.new(modulepath: [root]).call_function("f", 1) }
    end

    expect(count.call - before).to be < 10
  end

  describe Puppet::Parser::Functions do
    around { |example| runtime.activate { example.run } }

    def functions = Puppet::Parser::Functions

    it "answers what is known of a function" do
      define(:f, type: :rvalue, arity: 2) { |args| args }
      define(:g, {}) { |args| args }

      expect([functions.function("f"), functions.function(:g), functions.function(:h)]).to eq(["function_f", "function_g", false])
      expect(%i[f g h].map { |name| functions.rvalue?(name) }).to eq([true, false, false])
      expect(%i[f g h].map { |name| functions.arity(name) }).to eq([2, -1, -1])
      expect(functions.environment_module.get_function_info(:g)).to eq(arity: -1, type: :statement, name: "function_g")
    end

    it "knows Puppet's own" do
      expect([functions.function(:sprintf), functions.rvalue?(:sprintf), functions.arity(:sprintf)])
        .to eq(["function_sprintf", true, -2])
    end

    it "shows the documents of all" do
      define(:g, {}) { |args| args }
      define(:f, type: :rvalue, doc: "One\n    two\n      three  ") { |args| args }

      expect(functions.functiondocs).to eq(<<~TEXT)
        f
        -
        One
        two
          three

        - *Type*: rvalue

        g
        -
        Undocumented.


        - *Type*: statement

      TEXT
    end

    it "needs a runtime" do
      error = Thread.new { functions.newfunction(:f) { |_| } }.tap { |thread| thread.report_on_exception = false }

      expect { error.value }.to raise_error(Puppetfn::UnavailableError, /\APuppet::Parser::Functions\.newfunction is not/)
    end

    it "loads by hand, and says that this is deprecated" do
      with_runtime(legacy("f", "1")) do |runtime|
        runtime.activate do
          autoloader = functions.autoloader
          answers = [autoloader.loaded?(:f), autoloader.load(:f), autoloader.loaded?(:f), autoloader.load(:g)]

          expect(answers).to eq([false, true, true, false])
          expect(runtime.logs.map(&:last).first.lines(chomp: true)).to eq([
            "The method 'Puppet::Parser::Functions.autoloader#loaded?(\"f\")' is deprecated in favor of using " \
            "'Scope#call_function'.",
            "   (file & line not available)"
          ])
        end
      end
    end

    it "loads all by hand" do
      with_runtime({**legacy("f", "1"), **legacy("camelCase", "1")}) do |runtime|
        runtime.activate { functions.autoloader.loadall }

        expect(runtime.legacy_functions.all_function_info.keys).to contain_exactly(:f, :camelCase)
      end
    end
  end

  describe "Puppet's own functions" do
    it "are methods of the scope as well" do
      runtime.scope.function_notice(%w[a b])

      expect(runtime.logs).to eq([[:notice, "a b"]])
    end

    it "say where they are now" do
      expect { runtime.scope.function_map([[1], 2]) }
        .to raise_error(Puppet::ParseError, "map() can only be called using the 4.x function API. See Scope#call_function")
    end

    it "can be functions of a module" do
      with_runtime(legacy("dig", "'mine'")) { |runtime| expect(runtime.scope.function_dig([])).to eq("mine") }
    end
  end
end
