# frozen_string_literal: true

# The names of Puppet that functions use.
RSpec.describe "Puppet's names" do
  let(:runtime) { Puppetfn::Runtime.new(environment: "environments/staging") }

  describe "what is not there" do
    it "is said to be so for a constant" do
      expect { Puppet::Util::Ldap }
        .to raise_error(Puppetfn::UnavailableError, /\APuppet::Util::Ldap is not available: .* without Puppet/)
    end

    it "is said to be so for a method" do
      expect { Puppet.initialize_facts }.to raise_error(Puppetfn::UnavailableError, /\APuppet\.initialize_facts is/)
    end

    it "raises a NoMethodError for a method that Puppet does not have either" do
      expect { Puppet::Parser::Functions.none }
        .to raise_error(NoMethodError, "undefined method `none' for Puppet::Parser::Functions:Module")
      expect { Puppet::Parser::Functions.reset }
        .to raise_error(Puppetfn::UnavailableError, /\APuppet::Parser::Functions\.reset is not available/)
      expect { Puppet::Util.safe_path("/a") }.to raise_error(NoMethodError)
    end

    it "can be asked about" do
      expect([defined?(Puppet::Util::Ldap), Puppet.respond_to?(:initialize_facts)]).to eq([nil, false])
    end

    it "is said to be so for commands" do
      expect { Puppet::Util::Execution.execute(%w[rm -rf /]) }
        .to raise_error(Puppetfn::UnavailableError, /Puppet::Util::Execution.execute \(of "rm -rf \/"\) is not available/)
    end
  end

  it "include Puppet's version" do
    expect(Puppet.version).to eq("8.11.0")
  end

  describe "settings" do
    it "are those of Puppet 8 and of the runtime" do
      expect(runtime.activate { [Puppet[:strict], Puppet.settings[:environment]] }).to eq([:error, "production"])
    end

    it "can be assigned" do
      runtime.activate { Puppet[:vardir] = "/var/lib" }

      expect(runtime.activate { Puppet[:vardir] }).to eq("/var/lib")
    end

    it "name a directory that exists where functions keep files" do
      expect(File.directory?(runtime.activate { Puppet[:vardir] })).to be(true)
    end

    it "need a runtime" do
      expect { Puppet[:strict] }.to raise_error(Puppetfn::UnavailableError, /while a Puppetfn::Runtime calls/)
    end
  end

  describe "Puppet.lookup" do
    it "finds what belongs to the runtime at work" do
      found = runtime.activate { %i[global_scope current_environment pal_compiler].map { |name| Puppet.lookup(name) } }

      expect(found).to eq([runtime.scope, runtime.environment, runtime.compiler])
    end

    it "takes the block's answer, and else says that there is none" do
      expect(Puppet.lookup(:global_scope) { :none }).to eq(:none)
      expect { Puppet.lookup(:nothing) }
        .to raise_error(Puppet::Context::UndefinedBindingError, "Unable to lookup 'nothing'")
    end
  end

  it "include features, absent where nothing is known of them" do
    expect([Puppet.features.posix?, Puppet.features.zlib?, Puppet.features.json?, Puppet.features.flux_capacitor?])
      .to eq([true, true, false, false])
    # The module augeas_core adds it, whether or not the library of that name is installed.
    expect(Puppet.features.augeas?).to be(false)
  end

  it "include requests to end the run, which specs expect of providers" do
    application = Puppet::Application
    expect([application.clear?, application.controlled_run { 1 }]).to eq([true, 1])
    application.stop!
    expect([application.stop_requested?, application.interrupted?, application.controlled_run { 1 }]).to eq([true, true, nil])
    application.restart!
    expect([application.restart_requested?, application.stop_requested?]).to eq([true, false])
  ensure
    application.clear!
  end

  it "include no applications" do
    expect { Puppet::Application::Agent }.to raise_error(Puppetfn::UnavailableError, /\APuppet::Application::Agent is/)
    expect { Puppet::Application.find(:agent) }.to raise_error(Puppetfn::UnavailableError, /\APuppet::Application\.find is/)
  end

  it "include values that are made when the catalog is applied" do
    secret = Puppet::Pops::Types::PSensitiveType::Sensitive.new("s3cret")
    expect([1, secret].map { |value| Puppet::Pops::Evaluator::DeferredValue.new(proc { value }).resolve }).to eq([1, "s3cret"])
  end

  # The answers are those of Puppet 8.11.
  it "include the comparison of versions" do
    answers = {
      %w[1.10 1.9] => 1, %w[1.0 1.0.0] => -1, %w[1.0-1 1.0.1] => -1, %w[1.a 1.B] => -1, %w[1.05 1.4] => -1,
      %w[1.2 1.2] => 0, %w[1.0.a 1.0.1] => 1, %w[2 10] => -1, ["", "1"] => -1
    }

    expect(answers.to_h { |pair, _| [pair, Puppet::Util::Package.versioncmp(*pair)] }).to eq(answers)
    expect(Puppet::Util::Package.versioncmp("1.0", "1.0.0", true)).to eq(0)
  end

  it "include questions about paths" do
    expect(["/x", "x", "C:/x"].map { |path| Puppet::Util.absolute_path?(path, :posix) }).to eq([true, false, false])
    expect(["C:\\x", "//host/share", "/x"].map { |path| Puppet::Util.absolute_path?(path, :windows) }).to eq([true, true, false])
  end

  it "include random numbers that depend on a seed" do
    expect([Puppet::Util.deterministic_rand(7, 100), Puppet::Util.deterministic_rand_int(7, 100)])
      .to eq([Random.new(7).rand(100).to_s, Random.new(7).rand(100)])
  end

  it "include references to resources" do
    references = [["File[/x]", nil], [nil, "apache::vhost[a[b]]"], %w[file /x], %w[class apache::mod], ["Class", ""]]

    expect(references.map { |reference| Puppet::Resource.type_and_title(*reference) }).to eq([
      ["File", "/x"], ["Apache::Vhost", "a[b]"], ["File", "/x"], ["Class", "Apache::Mod"], ["Class", :main]
    ])
    expect { Puppet::Resource.type_and_title("File", nil) }
      .to raise_error(ArgumentError, 'No title provided and "File" is not a valid resource reference')
  end

  it "include resources as data" do
    resource = Puppet::Resource.new("apache::vhost", "www", parameters: {"Port" => 80})

    expect([resource.to_s, resource[:port], resource.to_hash]).to eq(["Apache::Vhost[www]", 80, {name: "www", port: 80}])
    expect(resource).to eq(Puppet::Resource.new("Apache::Vhost[www]", nil, parameters: {port: 80}))
    expect(resource).not_to eq(Puppet::Resource.new("Apache::Vhost[www]"))
  end

  it "let functions require the files of Puppet that they stand for" do
    expect(%w[puppet/util puppet/util/package puppet/error puppet/functions].map { |file| require file }).to all(be(false))
  end

  describe "iterators" do
    let(:iterable) { Puppet::Pops::Types::Iterable }

    it "go over arrays, hashes, strings, numbers and ranges" do
      elements = [[1, 2], {"a" => 1}, "ab", 3, 2..4, "a".."c"].map { |object| iterable.on(object).to_a }

      expect(elements).to eq([[1, 2], [["a", 1]], %w[a b], [0, 1, 2], [2, 3, 4], %w[a b c]])
    end

    it "refuse what has no elements" do
      expect([1.5, -1, nil, Object.new, 3..1].map { |object| iterable.on(object) }).to all(be_nil)
      expect { iterable.asserted_iterable("caller", 1.5) }
        .to raise_error(ArgumentError, "String(): wrong argument type (Float; is not Iterable.")
    end

    it "tell hashes from the rest, and give elements one by one" do
      hash = iterable.on({"a" => 1})

      expect([hash.hash_style?, iterable.on([1]).hash_style?, hash.next]).to eq([true, false, ["a", 1]])
      expect { hash.next }.to raise_error(StopIteration)
    end

    it "step, and go backwards" do
      expect([iterable.on([1, 2, 3, 4, 5]).step(2).to_a, iterable.on([1, 2, 3]).reverse_each.to_a]).to eq([[1, 3, 5], [3, 2, 1]])
    end
  end

  describe "data" do
    def data(value, **options) = runtime.activate { Puppet::Pops::Serialization::ToDataConverter.convert(value, options) }

    it "keeps what is data" do
      value = {"a" => [1, 2.5, nil, true, "x"]}

      expect(data(value)).to eq(value)
    end

    it "names the type of what is not, when it may" do
      expect(data([:default, :x, /a/, Puppetfn::Sensitive.new("s"), {1 => 2}, "\xff".b], rich_data: true)).to eq([
        {"__ptype" => "Default"}, {"__ptype" => "Symbol", "__pvalue" => "x"}, {"__ptype" => "Regexp", "__pvalue" => "a"},
        {"__ptype" => "Sensitive", "__pvalue" => "s"}, {"__ptype" => "Hash", "__pvalue" => [1, 2]},
        {"__ptype" => "Binary", "__pvalue" => "/w=="}
      ])
    end

    it "refers to what it has written already, itself included" do
      list = [1]
      endless = []
      endless << endless

      expect(data({"a" => list, "b" => list})).to eq("a" => [1], "b" => {"__ptype" => "LocalRef", "__pvalue" => "$['a']"})
      expect(data(endless)).to eq([{"__ptype" => "LocalRef", "__pvalue" => "$"}])
      expect { data(endless, local_reference: false) }.to raise_error(Puppet::PreformattedError, /Endless recursion/)
    end

    it "warns where it has to make do with text" do
      expect(data({1 => :x})).to eq("1" => "x")
      expect(runtime.logs.map(&:last)).to eq([
        " contains a hash with an Integer key. It will be converted to the String '1'",
        "['1'] contains a Symbol value. It will be converted to the String 'x'"
      ])
    end
  end
end
