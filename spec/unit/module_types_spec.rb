# frozen_string_literal: true

require_relative "../support/module_tree"

# Types of modules that are no aliases: sets of types, and types that are defined in Ruby.
RSpec.describe "types of modules" do
  include ModuleTree

  set = <<~PUPPET
    type M = TypeSet[{
      pcore_version => '1.0.0', version => '1.0.0',
      types => { Port => Integer[0, 65535], Ports => Array[Port], Host => { attributes => { name => String[1], port => M::Port } } }
    }]
  PUPPET

  it "are those of the set of types that has the name of the module" do
    with_runtime({"m/types/init_typeset.pp" => set, "m/types/other.pp" => "type M::Other = M::Ports"}) do |runtime|
      expect(runtime.type("M").to_s).to start_with("TypeSet")
      expect([80, -1].map { |port| runtime.type("M::Port").instance?(port) }).to eq([true, false])
      expect(runtime.type("M::Other").instance?([1, 2])).to be(true)
      expect(runtime.evaluate_string("M::Host('a', 80).port")).to eq(80)
      expect { expect(runtime.type("M::Nothing").to_s).to eq("TypeReference['M::Nothing']") }.to output(/unknown type 'M::Nothing'/).to_stderr
      expect(runtime.loader.type_names).to eq(%w[M M::Other])
    end
  end

  it "are not those of a file that defines something else" do
    with_runtime({"m/types/init_typeset.pp" => "type M = Integer"}) do |runtime|
      expect { runtime.type("M") }.to raise_error(ArgumentError, %r{\AThe code loaded from .*/m/types/init_typeset.pp does not define the TypeSet 'M'\z})
    end
  end

  it "are not those of a file that has something else" do
    files = {
      "function m::f() { 1 }" => /the type 'm::f' - no type alias or type definition found\./, "class m::f { }" => /no type alias or type definition found/,
      "type M::F = Integer function m::f() { 1 }" => /must contain only the type 'm::f' - it has additional definitions\./,
      "function m::other() { 1 }" => %r{\AUnacceptable location\. The name 'm::other' is unacceptable in file '.*/f\.pp' \(file: .*/f\.pp, line: 1, column: 1\)\z},
      "$x = 1" => /\AThis '=' expression is unacceptable as a top level construct in this location \(file: .*line: 1, column: 4\)\z/
    }
    files.each do |text, message|
      with_runtime({"m/types/f.pp" => text}) { |runtime| expect { runtime.evaluate_string("M::F") }.to raise_error(Puppet::ParseError, message) }
    end
  end

  it "have each key of a Hash once, unless that is a matter of taste" do
    files = {"m/types/f.pp" => "type M::F = Struct[{Optional['a'] => String, Optional['a'] => Integer}]"}
    with_runtime(files) do |runtime|
      expect { runtime.type("M::F") }
        .to raise_error(Puppet::ParseError, %r{\AThe key '\["a"\]' is declared more than once \(file: .*/m/types/f.pp, line: 1, column: 60\)\z})
    end
    with_runtime(files, strict: :warning) { |runtime| expect(runtime.type("M::F").to_s).to eq("M::F = Struct[{Optional['a'] => Integer}]") }
  end

  it "are hidden by defined types of their names, but not by classes" do
    files = {"m/types/f.pp" => "type M::F = Integer", "m/manifests/f.pp" => "define m::f() { }",
             "m/types/g.pp" => "type M::G = Integer", "m/manifests/g.pp" => "class m::g { }"}
    with_runtime(files) do |runtime|
      expect(runtime.evaluate_string("[1 =~ M::F, M::F == Resource['m::f'], 1 =~ M::G]")).to eq([false, true, true])
      expect { runtime.evaluate_string("function f(M::F $x) { } f(1)") }.to raise_error(/expects a Resource value, got Integer/)
    end
  end

  it "begin with no byte order mark; the error does not say where it is" do
    {"\xEF\xBB\xBF" => "UTF-8 Byte Order mark at beginning of input: [EF BB BF]", "\xFE\xFF" => "UTF-16 Byte Order mark at beginning of input: [FE FF]"}.each do |mark, problem|
      text = "#{mark.b}type M::F = Integer"
      message = "Evaluation Error: Error while evaluating a Type-Name, Illegal #{problem} - remove these from the puppet source (line: 1, column: 1)"
      with_runtime({"m/types/f.pp" => text}) { |runtime| expect { runtime.evaluate_string("M::F") }.to raise_error(Puppet::PreformattedError, message) }
    end
  end

  article = <<~'RUBY'
    Puppet::DataTypes.create_type("M::Article") do
      interface <<-PUPPET
        attributes => { name => String[1], price => { type => Integer, value => 1 } }
      PUPPET
    end
  RUBY

  it "can be defined in Ruby, and used by other types and from code" do
    files = {"m/lib/puppet/datatypes/m/article.rb" => article, "m/types/shelf.pp" => "type M::Shelf = Array[M::Article]"}
    with_runtime(files) do |runtime|
      expect(runtime.create("M::Article", "pen").price).to eq(1)
      expect(runtime.evaluate_string("[M::Article('pen', 2)] =~ M::Shelf")).to be(true)
      expect(runtime.evaluate_string("M::Article('pen', 2).name")).to eq("pen")
      expect(runtime.loader.type_names).to eq(%w[M::Article M::Shelf])
    end
  end

  it "say what is wrong with a file in Ruby" do
    {
      "1" => /\AThe code loaded from .* does not seem to be a Puppet 5x API data type - no create_type call\.\z/,
      "Puppet::DataTypes.create_type('M::Article') { }; 1" => /\AData Type Load Error for type 'M::Article': a data type must have an interface\z/,
      "Puppet::DataTypes.create_type('M::Article') { interface '' }; 1" => /did not produce a data type when evaluated. Got 'Integer'\z/,
      "Puppet::DataTypes.create_type('M::Other') { interface '' }" => /produced mis-matched name, expected 'm::article', got M::Other\z/,
      "Puppet::DataTypes.create_type('M::Article') { interface ''; interface '' }" => /a data type can only have one interface\z/
    }.each do |source, message|
      with_runtime({"m/lib/puppet/datatypes/m/article.rb" => source}) do |runtime|
        2.times { expect { runtime.type("M::Article") }.to raise_error(ArgumentError, message) }
      end
    end
  end

  describe "with an implementation" do
    files = {
      "m/lib/puppet/datatypes/m/article.rb" => <<~'RUBY',
        Puppet::DataTypes.create_type("M::Article") do
          interface <<-PUPPET
            attributes => {
              name => String[1], price => { type => Integer, value => 1 }, twice => { type => Integer, kind => derived }
            },
            functions => {
              plus => Callable[[Integer], Integer], fails => Callable[[], Integer], wrong => Callable[[], Integer],
              missing => Callable[[], Any], named => Callable[[0, 0, Callable[1, 1]], Any], count => Callable[[], Integer]
            }
          PUPPET

          implementation do
            def plus(number) = @price + number
            def twice = price * 2
            def fails = raise(ArgumentError, "it failed")
            def wrong = "text"
            def named = yield(@name)
            def count = @count = (@count || 0) + 1
            def hidden = "hidden #{name}"
          end
        end
      RUBY
      "m/types/pen.pp" => "type M::Pen = Object[{parent => M::Article, attributes => { color => String }}]",
      "m/lib/puppet/functions/m/ask.rb" => <<~RUBY,
        Puppet::Functions.create_function(:"m::ask") do
          dispatch(:ask) { param "M::Article", :x }
          dispatch(:greet) { param "M::User", :x }
          def ask(x) = [x.name, x.plus(1), x.hidden, x.count, x.count]
          def greet(x) = [x.class.name, x.greet("you")]
        end
      RUBY
      "m/lib/puppet_x/m/user.rb" => <<~'RUBY',
        module PuppetX
          module M
            class User
              attr_reader :name, :email
              def initialize(name, email = "none")
                raise ArgumentError, "no such name" if name == "bad"

                @name = name
                @email = email
              end
              def greet(whom) = "#{name} greets #{whom}"
            end
          end
        end
      RUBY
      "m/lib/puppet/datatypes/m/user.rb" => <<~'RUBY',
        Puppet::DataTypes.create_type("M::User") do
          interface <<-PUPPET
            attributes => { name => String, email => { type => String, value => "none" } },
            functions => { greet => Callable[[String], String] }
          PUPPET
          load_file "puppet_x/m/user"
          implementation_class PuppetX::M::User
        end
      RUBY
      "m/lib/puppet/functions/m/user.rb" => <<~RUBY
        Puppet::Functions.create_function(:"m::user") do
          dispatch(:user) { param "String", :name; return_type "M::User" }
          def user(name) = PuppetX::M::User.new(name)
        end
      RUBY
    }.freeze

    around { |example| with_runtime(files) { |runtime| @runtime = runtime and example.run } }

    def evaluate(code) = @runtime.evaluate_string(code)

    failing = ->(message) { raise_error(Puppet::Error, /\AEvaluation Error: Error while evaluating a (Method call|Function Call), #{Regexp.escape(message)} \(/) }

    it "answers the methods of a block, from code" do
      expect(evaluate("M::Article('pen', 5).plus(3)")).to eq(8)
      expect(evaluate("M::Article({name => 'pen'}).twice")).to eq(2)
      expect(evaluate("M::Article('pen').named |$x| { \"a ${x}\" }")).to eq("a pen")
      expect(evaluate("[M::Article('pen') == M::Article('pen'), M::Article('pen') =~ M::Article]")).to eq([true, true])
      expect(evaluate("\"${M::Article('pen')}\"")).to eq("M::Article({'name' => 'pen'})")
    end

    it "says in Puppet's words what is wrong" do
      {
        "M::Article('pen').fails" => "it failed",
        "M::Article('pen').wrong" => "value returned from function 'wrong' has wrong type, expects an Integer value, got String",
        "M::Article('pen').missing" => "no method is implemented for function M::Article[missing]",
        "M::Article('pen').plus('a')" => "'function M::Article[plus]' parameter '' expects an Integer value, got String",
        "M::Article()" => "'new_M::Article' expects between 1 and 2 arguments, got none",
        "M::User('bad')" => "no such name",
        "M::User({name => 'joe'})" => "'new_M::User' parameter 'name' expects a String value, got Struct"
      }.each { |code, message| expect { evaluate(code) }.to instance_exec(message, &failing) }
      expect { evaluate("M::Article('pen').hidden") }.to raise_error(Puppet::Error, /Unknown function: 'hidden'/)
    end

    it "is one object, for code and functions in Ruby" do
      expect(evaluate("m::ask(M::Article('pen'))")).to eq(["pen", 2, "hidden pen", 1, 2])
      expect(evaluate("$a = M::Article('pen'); [m::ask($a)[4], $a.count]")).to eq([2, 3])
      expect(@runtime.create("M::Article", "pen").hidden).to eq("hidden pen")
    end

    it "is inherited" do
      expect(evaluate("[M::Pen('pen', 'red').plus(1), M::Pen('pen', 'red').color]")).to eq([2, "red"])
    end

    it "can be a class, whose objects are of the type wherever they are made" do
      expect(evaluate("M::User('joe').greet('ann')")).to eq("joe greets ann")
      expect(evaluate("[M::User('joe').email, M::User('joe', 'x').email]")).to eq(%w[none x])
      expect(evaluate("m::user('joe').greet('ann')")).to eq("joe greets ann")
      expect(evaluate("m::ask(M::User('joe'))")).to eq(["PuppetX::M::User", "joe greets you"])
      expect(evaluate("m::user('joe') =~ M::User")).to be(true)
    end

    it "is not used once its runtime is gone" do
      type = with_runtime(files) { |runtime| runtime.type("M::Article") }
      stub_const("Puppetfn::ObjectImplementation::KNOWN", {})

      expect { type.new("pen") }.to raise_error(Puppetfn::Error, "the runtime is gone that has defined the type")
    end
  end
end
