# frozen_string_literal: true

require_relative "../support/drop_in"

# What puppetfn may compile in Puppet's place, and what it must leave alone.
RSpec.describe "The drop-in's catalogs, compared with real Puppet's", :differential do
  # A program that compiles catalogs, with all that it prints.
  def program(text)
    off, on = %w[off on].map { |mode| DropIn.run(mode, "-e", <<~RUBY + text) }
      require "puppet"
      require "puppet/test/test_helper"
      require "timeout"
      require "tmpdir"
      directory = Dir.mktmpdir
      at_exit { FileUtils.rm_rf(directory) }
      Puppet.initialize_settings(["--vardir", "\#{directory}/var", "--confdir", "\#{directory}/conf"])
      Puppet::Util::Log.close_all
      LOGS = []
      Puppet::Util::Log.newdestination(Puppet::Test::LogCollector.new(LOGS))
      ENVIRONMENT = Puppet::Node::Environment.create(:production, [])
      def function(name, **options, &body)
        Puppet::Parser::Functions.newfunction(name, environment: ENVIRONMENT, **options, &body)
      end
      def compile(code, compiler = Puppet::Parser::Compiler)
        Puppet[:code] = code
        node = Puppet::Node.new("web", environment: ENVIRONMENT, facts: Puppet::Node::Facts.new("web", {}))
        Puppet.override(current_environment: ENVIRONMENT) { compiler.compile(node).resources.map(&:to_s).last }
      rescue Puppet::Error => e
        e.message
      end
    RUBY
    expect(on.output).to eq(off.output)
    [off.output, on.report["catalog"].values_at("taken", "declined")]
  end

  it "are the same, whatever code and functions reach for, with the same messages" do
    runs = DropIn.runs(File.join(DropIn::DIRECTORY, "reaching_in.rb"))

    expect(runs).to be_the_same_in_all_modes
    expect(runs["off"].output.lines.grep(/^\S/).size).to eq(50)
    expect(runs["on"].report["catalog"]["taken"]).to eq(12)
    expect(runs["on"].report["catalog"]["declined"]).to eq(
      "Puppet::Parser::Resource#delete" => 1, "Puppet::Parser::Resource#virtual=" => 1, "Puppet::Parser::Resource#file=" => 1,
      "Puppet::Parser::Resource#scope" => 1, "Puppet::Parser::Resource#evaluated?" => 1, "Puppet::Resource::Catalog#add_resource" => 1,
      "Puppet::Parser::Compiler#add_resource with another scope" => 1, "a resource with a line, but no file" => 1,
      "Puppet::Parser::Compiler#evaluate_classes" => 1, "Puppet::Parser::Scope#setvar" => 1, "the variable $1" => 1,
      "Puppet::Parser::Scope#lookupdefaults" => 1, "an error: Puppetfn::Puppet::PreformattedError" => 5,
      "a change of a frozen object" => 5,
      "Puppet::Resource::TypeCollection#add" => 1, "Puppet::Resource::Type#set_arguments" => 1,
      "the function m::f, which has effects" => 4, "a change of a setting" => 1, "the function m::f, which asks what is frozen" => 2, "a template that has effects" => 1,
      "a warning about code" => 2, "the log level debug" => 1,
      "a value of the class Symbol" => 1, "a class parameter of the node that is no data" => 1, "a node parameter that is no data" => 1,
      "the node parameter facts" => 1, "facts that are no data" => 1
    )
  end

  it "are Puppet's where a setting, another evaluator or another compiler has a say" do
    output, (taken, declined) = program(<<~RUBY)
      class Other < Puppet::Parser::Compiler; end
      puts compile("notify { 'a': }"), compile("notify { 'other': }", Other)
      Puppet[:tasks] = true
      puts compile("'tasks'")
      Puppet[:tasks] = false
      Puppet[:profile] = true
      puts compile("notify { 'profile': }")
      Puppet[:profile] = false
      other = Class.new(Puppet::Pops::Evaluator::EvaluatorImpl) { def eval_ArithmeticExpression(*) = 42 }
      Puppet::Pops::Parser::EvaluatingParser.class_variable_set(:@@evaluator, other.new)
      puts compile("notify { String(1 + 1): }")
    RUBY

    expect(output.lines.map(&:chomp)).to eq(%w[Notify[a] Notify[other] Class[main] Notify[profile] Notify[42]])
    expect([taken, declined]).to eq([1, {"the setting tasks" => 1, "the setting profile" => 1, "another evaluator" => 1}])
  end

  it "see code as it was when it was first read, as long as Puppet keeps the environment" do
    output, (taken, declined) = program(<<~'RUBY')
      def write(name, text)
        path = "#{DIRECTORY}/modules/m/#{name}"
        FileUtils.mkdir_p(File.dirname(path))
        File.write(path, text)
      end
      def catalog(environment)
        node = Puppet::Node.new("web", environment: environment, facts: Puppet::Node::Facts.new("web", {}))
        Puppet.override(current_environment: environment) { Puppet::Parser::Compiler.compile(node).resources.map(&:to_s).grep(/Notify/).join(" ") }
      end
      DIRECTORY = directory
      Puppet[:code] = "include m"
      environments = Array.new(2) { Puppet::Node::Environment.create(:production, ["#{directory}/modules"]) }
      %w[old new].each do |word|
        write("manifests/init.pp", "class m { notify { '#{word} class': } notify { m::f(): } notify { epp('m/t.epp'): } }")
        write("functions/f.pp", "function m::f() { '#{word} function' }")
        write("templates/t.epp", "#{word} template")
        puts catalog(environments.first)
      end
      puts catalog(environments.last)
    RUBY

    expect(output.lines.map(&:chomp)).to eq(
      ["Notify[old class] Notify[old function] Notify[old template]", "Notify[old class] Notify[old function] Notify[new template]",
       "Notify[new class] Notify[new function] Notify[new template]"]
    )
    expect([taken, declined]).to eq([3, {}])
  end

  it "end when a timeout or another thread ends them, with the messages until then" do
    output, = program(<<~'RUBY')
      function(:wait, type: :rvalue) { |_| $waiting = true; sleep }
      puts((Timeout.timeout(0.5) { compile("notice('before') wait()") } rescue $!.class))
      $waiting = false
      thread = Thread.new { compile("notice('before the end') wait()") }
      sleep 0.01 until $waiting
      thread.kill.join
      $waiting = false
      thread = Thread.new do
        compile("notice('before an interrupt') wait()")
      rescue Interrupt => e
        e.class
      end
      sleep 0.01 until $waiting
      thread.raise(Interrupt)
      puts thread.value, LOGS.map(&:to_s), compile("notify { 'after': }")
    RUBY

    expect(output.lines.map(&:chomp)).to eq(["Timeout::Error", "Interrupt", "before", "before the end", "before an interrupt", "Notify[after]"])
  end

  it "forget the warnings of a catalog that fails, and none that other threads have given meanwhile" do
    output, = program(<<~'RUBY')
      $turn = Queue.new
      function(:other_warns, type: :statement) do |_|
        Puppet.warn_once("kind", "mine", "mine")
        Thread.new { Puppet.warn_once("kind", "other", "of another thread") }.join unless $unique_warnings.key?("other")
      end
      2.times { puts compile("other_warns() fail('no')") }
      puts LOGS.select { |log| log.level == :warning }.map(&:to_s).sort, $unique_warnings.keys.sort
    RUBY

    expect(output.scan(/^(?:mine|of another thread|other)$/)).to contain_exactly("mine", "of another thread", "mine", "other")
  end

  it "leave what Puppet has read of the manifest as it is, with its messages" do
    output, (_, declined) = program(<<~'RUBY')
      Puppet[:strict] = :warning
      2.times { puts compile("notify { 'a': message => { k => 1, k => 2 } } fail('no')") }
      puts LOGS.map(&:to_s)
    RUBY

    expect(output.scan("The key 'k' is declared more than once").size).to eq(1)
    expect(declined.values.sum).to eq(2)
  end
end
