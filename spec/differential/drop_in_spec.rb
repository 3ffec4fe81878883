# frozen_string_literal: true

require "json"
require "open3"
require "tmpdir"
require_relative "../../vectors/ruby/recorded"
require_relative "../support/drop_in"

# The same programs, with real Puppet alone, with the drop-in, and with both compared at each step.
RSpec.describe "The drop-in, compared with real Puppet alone", :differential do
  it "says the same of values and types" do
    runs = DropIn.runs(File.join(DropIn::DIRECTORY, "types.rb"))

    expect(runs).to be_the_same_in_all_modes
    expect(runs["off"].output.lines.size).to be > 12_000
    expect([runs["off"].taken, runs["on"].taken > 10_000]).to eq([0, true])
  end

  it "makes the same models of code" do
    runs = DropIn.runs(File.join(DropIn::DIRECTORY, "models.rb"))

    expect(runs).to be_the_same_in_all_modes
    parser = runs["on"].report["parser"]
    expect(parser["taken"]).to be > 9_000
    expect(parser["declined"]["an expression of another kind"]).to be < 60
  end

  it "gives the same catalogs" do
    expect(DropIn.runs(File.join(Differential::DIRECTORY, "catalog_side", "puppet.rb"), "written")).to be_the_same_in_all_modes
  end

  it "gives the same catalogs of real classes" do
    runs = DropIn.runs(File.join(DropIn::DIRECTORY, "catalogs.rb"))

    # Some classes of Debian 12's modules are errors with Puppet 8, or call what Ruby 3.2 has no more.
    made = runs["off"].output.lines.grep(/^[\w: ]+: \{"tags":/).size
    expect(made).to Differential.puppet7? ? eq(12) : be > 8
    expect(runs).to be_the_same_in_all_modes
    # Code that Puppet warns about is left to Puppet.
    catalogs = runs["on"].report["catalog"]
    warned = catalogs["declined"].fetch("a warning about code", 0)
    expect(catalogs).to include("state" => "on", "taken" => made - warned)
    expect(warned).to be < 2
    expect(catalogs["declined"].values.sum).to eq(12 - made + warned)
  end

  it "calls the functions that Puppet has loaded, with its values, scopes and resources" do
    runs = DropIn.runs(File.join(DropIn::DIRECTORY, "loaded_functions.rb"))

    expect(runs["off"].output.lines.size).to be > 25
    expect(runs).to be_the_same_in_all_modes
    expect(runs["on"].report["catalog"]).to include("taken" => 1, "declined" => {})
  end

  it "leaves catalogs to Puppet that fail, or whose compiler is not Puppet's own" do
    program = <<~'RUBY'
      require "puppet"
      require "tmpdir"
      Dir.mktmpdir do |directory|
        Puppet.initialize_settings(["--vardir", "#{directory}/var", "--confdir", "#{directory}/conf"])
        Puppet::Util::Log.close_all
        environment = Puppet::Node::Environment.create(:production, [])
        compile = lambda do |code|
          Puppet[:code] = code
          node = Puppet::Node.new("web", environment: environment, facts: Puppet::Node::Facts.new("web", {}))
          Puppet.override(current_environment: environment) { puts Puppet::Parser::Compiler.compile(node).resources.last.then { |last| [last, last.virtual, last.exported].join(" ") } }
        rescue Puppet::Error => e
          puts e.message
        end
        compile.call("notify { 'a': }")
        compile.call("notify { 'b': } fail('no')")
        compile.call("node 'web' {} node 'web' {}")
        compile.call("@@notify { 'exported': } realize(Notify['exported'])")
        def environment.externalize_path(path) = "outside"
        compile.call("notify { 'of a mocked environment': }")
        environment.singleton_class.remove_method(:externalize_path)
        # Mocks of methods that are replaced already are prepended.
        mock = Module.new { define_method(:new) { |*arguments, **options| super(*arguments, **options) } }
        Puppet::Parser::Compiler.singleton_class.prepend(mock)
        compile.call("notify { 'of a mocked compiler': }")
        mock.remove_method(:new)
        Puppet::Parser::Scope.class_eval { def to_s = "Scope" }
        compile.call("notify { 'c': }")
      end
    RUBY
    off, on = %w[off on].map { |mode| DropIn.run(mode, "-e", program) }

    expect(on.output).to eq(off.output)
    expect(on.output.lines).to match(
      ["Notify[a] false false\n", /no .*on node web/, /Node 'web' is already defined/, "Notify[exported] false true\n",
       /environment\] false/, /compiler\] false/, /Notify\[c\]/]
    )
    expect(on.report["catalog"]).to include(
      "taken" => 2,
      "declined" => {"an error: Puppetfn::Puppet::PreformattedError" => 1, "an error while the main manifest was read: Puppet::ParseError" => 1,
                     "methods of one object of the class Puppet::Node::Environment" => 1, "another method Puppet::Parser::Compiler.new" => 1,
                     "another method Puppet::Parser::Scope#to_s" => 1}
    )
  end

  # Built-in functions, those of modules, type aliases, methods of values.
  describe "calls" do
    before(:all) do
      @runs = Dir.mktmpdir("drop_in") do |dir|
        calls = File.join(dir, "calls.json")
        Differential.execute("generate.rb", calls) { |log| raise log }
        codes = JSON.parse(File.read(calls)).values.flat_map(&:values).flatten.uniq
        File.write(calls, codes.map { |code| "#{JSON.generate(code)}\n" }.join)
        DropIn::MODES.to_h do |mode|
          outcomes = File.join(dir, mode)
          run = DropIn.run(mode, File.join(Differential::DIRECTORY, "runner.rb"), "puppet", calls, outcomes)
          [mode, run.tap { run.output = File.read(outcomes, encoding: "UTF-8") }]
        end
      end
    end

    it "are answered the same" do
      expect(@runs["off"].output.lines.size).to be > 40_000
      expect(@runs).to be_the_same_in_all_modes
    end

    it "are mostly answered without Puppet" do
      pieces = @runs["on"].report.slice("dispatch", "types", "type_parser", "mismatch")

      pieces.each { |name, piece| expect([name, piece["taken"] > piece["declined"].values.sum / 2]).to eq([name, true]) }
    end
  end

  # Functions in Ruby, and all that their authors can say and ask.
  describe "the recorded cases of the function API" do
    before(:all) do
      @directory = File.expand_path("../vectors/api", __dir__)
      @runs = DropIn.runs(File.join(DropIn::DIRECTORY, "api.rb"), @directory)
    end

    it "end the same, and as they are recorded" do
      recorded = Vectors::Recorded.files([@directory]).flat_map(&:cases)

      expect(recorded.size).to be > 500
      # Recorded with Ruby 3.1. Since 3.2, Ruby has a name for a parameter that takes the rest and was given none.
      expected = recorded.map { |each| each.data.slice("id", "result", "error", "logs") }
      expected.each { |each| each["result"] &&= each["result"].sub('["a", ""]', '["a", "*"]') if each["id"] == "default-signature-anonymous-rest" } if RUBY_VERSION >= "3.2"
      expect(@runs["off"].output.lines.map { |line| JSON.parse(line) }).to eq(expected)
      expect(@runs).to be_the_same_in_all_modes
    end

    it "are mostly answered without Puppet" do
      pieces = @runs["on"].report.slice("dispatch", "types", "type_parser", "mismatch")

      pieces.each { |name, piece| expect([name, piece["taken"] > piece["declined"].values.sum * 4]).to eq([name, true]) }
    end
  end

  describe "switches" do
    def states(mode, program = 'require "puppet"')
      run = DropIn.run(mode, "-e", program)
      [run.report.except("differences").transform_values { |piece| piece["state"] }, run.errors]
    end

    it "are all on" do
      expect(["", "on", "on,types"].map { |mode| states(mode).first.values.tally }).to all(eq("on" => 7))
    end

    it "leave Puppet alone" do
      expect(states("off")).to eq([%w[dispatch types inference mismatch type_parser parser catalog].to_h { |name| [name, "off"] }, ""])
    end

    it "name pieces" do
      expect(states("types,dispatch").first.select { |_, state| state == "on" }.keys).to eq(%w[dispatch types])
    end

    it "compare pieces" do
      expect(states("shadow,types").first.values.tally).to eq("shadow" => 1, "off" => 6)
    end

    it "say which words they know" do
      states, errors = states("types,typos")

      expect(states["types"]).to eq("on")
      expect(errors).to eq("puppetfn: PUPPETFN has unknown words: typos; there are off, shadow and the pieces dispatch, types, " \
                           "inference, mismatch, type_parser, parser, catalog.\n")
    end

    it "wait where Puppet is not used" do
      expect(states("on", "1").first.values.uniq).to eq(["waiting"])
    end
  end

  describe "another version of Puppet" do
    program = <<~RUBY
      require "puppet/version"
      module Puppet
        def self.version = "99.1.0"
      end
      require "puppet"
    RUBY

    it "is told of once, and works as far as its methods are known" do
      run = DropIn.run("", "-e", program)

      expect(run.errors).to eq("puppetfn: Puppet 99.1.0 was not tested; all pieces are on, as its " \
                               "methods are known.\n")
    end

    it "goes on without the pieces whose methods are others" do
      run = DropIn.run("", "-e", <<~RUBY)
        other = Module.new { def of(name) = name.include?("TypeParser") ? "other" : super }
        Puppetfn::DropIn::Fingerprint.singleton_class.prepend(other)
        #{program}
      RUBY

      expect(run.errors.lines.last).to include("these pieces are off: type_parser (Types::TypeParser#parse has an unknown implementation")
    end
  end

  it "does nothing where no native extension loads" do
    program = <<~RUBY
      Object.send(:remove_const, :RUBY_ENGINE)
      RUBY_ENGINE = "jruby"
      require "puppetfn/puppet"
      p Puppetfn::Puppet.report, defined?(Puppetfn::DropIn::Compiled)
    RUBY
    output, errors, = Open3.capture3(*Differential::RUBY, "-I", DropIn::LIBRARY, "-e", program)

    expect(output).to eq("{}\nnil\n")
    expect(errors).to eq("puppetfn: not used, as native extensions do not load in jruby.\n")
  end
end
