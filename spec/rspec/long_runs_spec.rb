# frozen_string_literal: true

require "fileutils"
require "json"
require "open3"
require "rbconfig"
require "tmpdir"
require_relative "../support/module_tree"

# What makes long runs of `puppetfn test` short.
RSpec.describe "puppetfn test" do
  root = File.expand_path("../..", __dir__)
  command = [RbConfig.ruby, File.join(root, "exe", "puppetfn"), "test"]

  around { |example| Dir.mktmpdir { |directory| Dir.chdir(directory) { example.run } } }

  define_method(:run) do |*arguments|
    Open3.capture3({"XDG_CACHE_HOME" => File.join(Dir.pwd, "cache")}, *command, *arguments)
  end

  # Runs code that has the library loaded.
  define_method(:ruby) do |code|
    File.write("script.rb", %(require "puppetfn/rspec/command"\ninclude Puppetfn::RSpec\n#{code}))
    output, error, status = Open3.capture3(RbConfig.ruby, "-I", File.join(root, "lib"), "script.rb")
    expect([error, status.exitstatus]).to eq(["", 0])
    output
  end

  def kept = JSON.parse(File.read(Dir.glob("cache/puppetfn/test/*.json").fetch(0)))

  describe "with several processes" do
    before do
      FileUtils.mkdir_p("spec/functions")
      File.write("metadata.json", ModuleTree.metadata("a-tea"))
      {"upcase" => 3, "downcase" => 1}.each do |name, count|
        examples = Array.new(count) { |index| "it { is_expected.to run.with_params('#{"a" * index}') }" }
        File.write("spec/functions/#{name}_spec.rb", "describe '#{name}', type: :puppet_function do\n#{examples.join("\n")}\nend\n")
      end
    end

    it "keeps how long an example of each group took, for the next run" do
      2.times do
        output, _, status = run("--parallel", "2")
        expect([output[/\d+ examples, .*/], status.exitstatus]).to eq(["4 examples, 0 failures", 0])
        expect(kept).to match("./spec/functions/upcase_spec.rb[1]" => be > 0, "./spec/functions/downcase_spec.rb[1]" => be > 0)
      end
    end

    it "forgets files that are gone, and what cannot be read" do
      run("--parallel", "2")
      File.delete("spec/functions/upcase_spec.rb")
      File.write("spec/functions/size_spec.rb", "describe('size', type: :puppet_function) { it { is_expected.to run.with_params([1]).and_return(1) } }")
      run("--parallel", "2")
      expect(kept.keys).to contain_exactly("./spec/functions/downcase_spec.rb[1]", "./spec/functions/size_spec.rb[1]")

      File.write(Dir.glob("cache/puppetfn/test/*.json").fetch(0), "[1")
      run("--parallel", "2")
      expect(kept.size).to eq(2)
    end

    it "says when that cannot be kept" do
      File.write("cache", "")
      output, error, status = run("--parallel", "2")
      expect([output[/\d+ examples, .*/], status.exitstatus]).to eq(["4 examples, 0 failures", 0])
      expect(error).to match(/^puppetfn test: cannot save the times of the examples: .*cache/)
    end
  end

  it "says how much time each kind of work took, of all processes" do
    FileUtils.mkdir_p(["spec/classes", "spec/functions", "manifests"])
    File.write("metadata.json", ModuleTree.metadata("a-tea"))
    File.write("manifests/init.pp", "class tea { notify { 'hot': } }\n")
    File.write("spec/classes/tea_spec.rb", "describe('tea', type: :class) { it { is_expected.to contain_notify('hot') } }\n")
    File.write("spec/functions/upcase_spec.rb", "describe('upcase', type: :puppet_function) { it { is_expected.to run.with_params('a') } }\n")

    [[], ["--parallel", "2"]].each do |processes|
      output, error, status = run("--profile", "1", *processes)
      expect([output[/\d+ examples, .*/], status.exitstatus]).to eq(["2 examples, 0 failures", 0])
      expect(output).to include("Top 1 slowest examples")
      works = error.scan(/^puppetfn test: +[\d.]+ s +(\d+)%  (.+)$/)
      expect(works.map(&:last)).to include("starting", "compiling", "conversion of catalogs", "RSpec and the code of specs", "reading spec files")
      expect(works.last.last).to eq("garbage collection, which is part of these")
      expect(works[0..-2].sum { |share, _| Integer(share) }).to be_between(90, 110)
    end
    expect(run.at(1)).not_to include("kind of work")
  end

  it "finds the examples that another one fails after" do
    FileUtils.mkdir_p("spec/functions")
    File.write("metadata.json", ModuleTree.metadata("a-tea"))
    %w[a b c d].each { |name| File.write("spec/functions/#{name}_spec.rb", <<~RUBY) }
      describe "upcase", type: :puppet_function do
        it("#{name}") { #{{"b" => "$seen = true", "d" => "raise if $seen"}[name]}; is_expected.to run.with_params("a").and_return("A") }
      end
    RUBY
    output, error, status = run("--bisect", "--order", "defined")
    # RSpec quotes ids where the variable SHELL names no shell that it knows.
    expect(output.delete("'")).to include("  rspec ./spec/functions/b_spec.rb[1:1] ./spec/functions/d_spec.rb[1:1] --order defined\n")
    expect([error, status.exitstatus]).to eq(["", 0])
  end

  it "prints RSpec's version" do
    expect(run("--version").first).to start_with("RSpec 3.")
  end

  it "asks examples of type aliases for what they say of the node, also where the type does not need it" do
    FileUtils.mkdir_p(["spec/type_aliases", "types"])
    File.write("metadata.json", ModuleTree.metadata("a-tea"))
    File.write("types/cup.pp", "type Tea::Cup = Integer[1, 9]\n")
    File.write("spec/type_aliases/cup_spec.rb", <<~RUBY)
      describe "Tea::Cup" do
        it { is_expected.to allow_values(1, 9) }
        it { is_expected.not_to allow_values(0, "1", [1]) }
        it { is_expected.not_to allow_values(0, 1) }

        ["fail", "1"].each do |facts|
          context "with facts that are \#{facts}" do
            let(:facts) { eval(facts) }

            it { is_expected.to allow_value(1) }
            it { is_expected.not_to allow_value(0) }
          end
        end

        context "with a check of its own" do
          subject { ->(value) { raise Puppet::Error, "odd" if value.odd? } }

          it { is_expected.to allow_value(2) }
          it { is_expected.not_to allow_value(1) }
        end
      end
    RUBY
    output, error, = run("--order", "defined")
    expect(output.lines.first).to eq("...FFFF..\n")
    expect(error).to include("./spec/type_aliases/cup_spec.rb:4: `not_to allow_value` passes as one of the values is not of the type, though 1 is\n")
    expect(output).to include("let(:facts) has to give a Hash, not 1")
  end

  it "expects groups to take as long as the last time, or as others with as many examples" do
    expect(ruby(<<~RUBY)).to eq("[2.0, 3.0, 1.0]\n[7.5, 6.0, 9.0]\n[5.0, 6.0, 9.0]\n")
      groups = [2, 3, 1].map { |count| ::RSpec.describe("a group") { count.times { it {} } } }
      jobs = groups.map { |group| Job.new(group, nil, 1) }
      times = Times.new("times.json")
      p times.expected(groups)
      # The two examples of the other are taken to be like these.
      times.note(jobs[2], 9)
      times.note(jobs[1], 6)
      times.save
      p Times.new("times.json").expected(groups)
      times.note(jobs[0], 5)
      p times.expected(groups)
      exit!(0)
    RUBY
  end

  describe "with several processes and a long group" do
    before do
      FileUtils.mkdir_p("spec/unit")
      File.write("metadata.json", ModuleTree.metadata("a-tea"))
    end

    def write_group(hooks: "")
      File.write("spec/unit/pots_spec.rb", <<~RUBY)
        RSpec.describe "pots" do
          #{hooks}
          it("is small") { File.write("own.pids", "\#{Process.pid}\n", mode: "a") }
          4.times do |index|
            context "pot \#{index}" do
              3.times { |cup| it("cup \#{cup}") { sleep 0.01; File.write("nested.pids", "\#{Process.pid}\n", mode: "a"); raise "cold" if index == 2 } }
            end
          end
        end
      RUBY
    end

    def processes = File.readlines("nested.pids").uniq.size

    it "divides the group, and prints the output of one process" do
      write_group
      one, two = [[], ["--parallel", "2"]].map do |arguments|
        output, error, status = run("--order", "defined", "--format", "documentation", *arguments)
        expect([error, status.exitstatus]).to eq(["", 1])
        output.sub(/^Finished in .*/, "")
      end
      expect(two).to eq(one)
      expect(one).to include("13 examples, 3 failures")
      # One of them ran the examples of the first run alone.
      expect([processes, File.readlines("own.pids").size]).to eq([3, 2])
    end

    it "leaves a group whole that has hooks for all of its examples" do
      write_group(hooks: "before(:context) { @pot = 1 }")
      run("--parallel", "2")
      expect(processes).to eq(1)
    end

    it "reports the examples of a process that has ended as failed" do
      write_group(hooks: %(after { |example| exit!(1) if example.full_description == "pots pot 0 cup 1" }))
      output, = run("--parallel", "2", "--order", "defined", "--format", "documentation")
      expect(output).to include("the process that ran this example has ended before it was done")
      expect(output[/\d+ examples/]).to eq("13 examples")
      expect(output.scan(/^pots$/).size).to eq(1)
    end
  end

  it "collects garbage seldom where catalogs are made" do
    expect(ruby(<<~RUBY)).to eq("[true, false]\n")
      Heap.make_room
      before = GC.count
      150_000.times { Object.new }
      p [GC.count - before <= 1, GC.enable]
      exit!(0)
    RUBY
  end

  it "collects garbage once the process is large", if: File.readable?("/proc/self/statm") do
    expect(ruby(<<~RUBY)).to eq("[true, true, false, false]\n")
      Heap.let_grow
      before = GC.count
      400_000.times { Object.new }
      Heap::INTERVAL.times { Heap.check }
      small = GC.count == before
      all = Array.new(5_000_000) { Object.new }
      disabled = GC.disable
      Heap::INTERVAL.times { Heap.check }
      p [small, disabled, GC.disable, GC.enable && all.empty?]
      exit!(0)
    RUBY
  end

  it "keeps the last catalogs, and nothing of those before" do
    %w[manifests templates spec/classes lib/puppet/parser/functions].each { |path| FileUtils.mkdir_p(path) }
    File.write("metadata.json", ModuleTree.metadata("a-tea"))
    File.write("manifests/init.pp", "class tea($leaves) { notify { template('tea/brew.erb'): } }")
    # Ruby remembers which method of which object a call of this kind has found.
    File.write("templates/brew.erb", "<%= scope.function_brew([@leaves.to_s]) %>")
    File.write("lib/puppet/parser/functions/brew.rb", <<~RUBY)
      Puppet::Parser::Functions.newfunction(:brew, type: :rvalue) { |args| args.first + " leaves" }
    RUBY
    File.write("spec/classes/tea_spec.rb", <<~RUBY)
      describe "tea" do
        80.times do |leaves|
          context "with \#{leaves} leaves" do
            let(:params) { {leaves: leaves} }
            it { is_expected.to contain_notify("\#{leaves} leaves") }
          end
        end

        context "afterwards" do
          it "has forgotten most" do
            GC.start
            expect(ObjectSpace.each_object(Puppetfn::RSpec::ExampleCatalog).count).to be_between(10, 20)
            expect(ObjectSpace.each_object(Puppetfn::RSpec::ExampleRuntime).count).to be_between(10, 30)
          end
        end
      end
    RUBY
    expect(run("--order", "defined").first).to include("81 examples, 0 failures")
  end
end
