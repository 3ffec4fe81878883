# frozen_string_literal: true

# Measures whole runs of specs, with rspec-puppet on real Puppet and with `puppetfn test`, and compares the verdicts.
#
#     script/bench --specs [--check]
#
# The specs are of the functions and type aliases of Debian's stdlib, each with some values. Of several runs of
# `puppetfn test` the fastest counts; rspec-puppet runs once, for it takes minutes.

require "fileutils"
require "json"
require "open3"
require "rbconfig"
require "tmpdir"
require_relative "../../lib/puppetfn"

module SpecBench
  STDLIB = "/usr/share/puppet/modules/stdlib"
  PUPPETFN = [RbConfig.ruby, File.expand_path("../../exe/puppetfn", __dir__), "test"].freeze
  RSPEC_PUPPET = [RbConfig.ruby, "-S", "rspec", "-I", File.join(__dir__, "specs")].freeze
  ROUNDS = 3

  VALUES = [
    "", "present", "/a/b", "C:\\a", "http://a.b/c", "10.0.0.1", "fe80::1", "a.example.com", "0644", "aGVsbG8=",
    0, 80, 70_000, -1, 1.5, true, nil, [], ["/a"], {}, {"a" => 1}
  ].freeze
  CALLS = {
    "stdlib::extname" => [["a.b"], ["a"], [".b"], [1]], "stdlib::ensure" => [[true], [false], ["x"]],
    "stdlib::start_with" => [["ab", "a"], ["ab", "b"], ["ab", %w[x a]], [1]], "strip" => [[" a "], [["a "]], [1]],
    "stdlib::end_with" => [["ab", "b"], ["ab", "a"], [1]], "stdlib::to_json" => [[{"a" => [1]}], ["x"]],
    "stdlib::shell_escape" => [["a b"], [1]], "stdlib::to_yaml" => [[{"a" => [1]}], ["x"]],
    "str2bool" => [["yes"], ["no"], ["x"], [true]], "bool2num" => [[true], ["no"], ["x"]],
    "stdlib::ip_in_range" => [["10.1.1.1", "10.1.1.0/24"], ["10.1.2.1", "10.1.1.0/24"], [1]],
    "delete_undef_values" => [[[1, nil]], [{"a" => nil}], [1]], "range" => [[1, 9], ["a", "e"], [1, 9, 2], []],
    "merge" => [[{"a" => 1}, {"b" => 2}], [{}, 1], [{}]], "intersection" => [[[1, 2], [2]], [1, []]],
    "stdlib::crc32" => [["a"], []], "union" => [[[1], [2]], []], "stdlib::sha256" => [["a"], []]
  }.freeze

  class << self
    # @return [Boolean] whether a row missed what it has to reach
    def main
      Dir.mktmpdir("puppetfn-specs-") do |root|
        make_module(root)
        missed = [row(root, "type_aliases", "type aliases", 60), row(root, "functions", "functions", 8), cold(root)]
        missed.any?
      end
    end

    private

    def make_module(root)
      modules = File.join(root, "spec", "fixtures", "modules")
      FileUtils.mkdir_p([modules, File.join(root, "spec", "functions"), File.join(root, "spec", "type_aliases")])
      File.symlink(STDLIB, File.join(modules, "stdlib"))
      File.write(File.join(root, "metadata.json"), JSON.generate("name" => "bench-specs", "dependencies" => []))
      File.write(File.join(root, "spec", "spec_helper.rb"), 'require "puppetlabs_spec_helper/module_spec_helper"')
      write(root, "type_aliases", alias_groups)
      write(root, "functions", function_groups(CALLS))
      FileUtils.mkdir_p(File.join(root, "spec", "one", "spec", "functions"))
      write(File.join(root, "spec", "one"), "functions", function_groups(CALLS.first(1).to_h))
    end

    def write(root, kind, groups)
      File.write(File.join(root, "spec", kind, "all_spec.rb"), "require \"spec_helper\"\n#{groups.join("\n")}")
    end

    def alias_groups
      runtime = Puppetfn::Runtime.new(modulepath: [File.dirname(STDLIB)])
      runtime.loader.type_names.grep(/\Astdlib::/i).filter_map do |name|
        # The file of one is empty.
        type = runtime.loader.load(:type, name) rescue next # rubocop:disable Style/RescueModifier
        examples = VALUES.map do |value|
          "  it { is_expected.#{type.instance?(value) ? "to" : "not_to"} allow_value(#{value.inspect}) }"
        end
        "describe #{type.name.inspect} do\n#{examples.join("\n")}\nend"
      end
    end

    # Each list of arguments several times, as specs have it for several operating systems.
    def function_groups(calls)
      calls.map do |name, lists|
        examples = (lists * 8).map { |list| "  it { is_expected.to run.with_params(#{list.map(&:inspect).join(", ")}) }" }
        "describe #{name.inspect} do\n#{examples.join("\n")}\nend"
      end
    end

    def row(root, kind, title, bar)
      path = File.join("spec", kind)
      puppet, expected = run(root, RSPEC_PUPPET, path)
      puppetfn, given = Array.new(ROUNDS) { run(root, PUPPETFN, path) }.min_by(&:first)
      differing = expected.reject { |id, verdict| given[id] == verdict }
      ratio = puppet / puppetfn
      puts format("%<title>-30s %<count>5d examples %<puppet>8.2f s %<puppetfn>8.2f s %<ratio>7.1fx  %<verdict>s",
        title: "specs of #{title}", count: given.size, puppet: puppet, puppetfn: puppetfn, ratio: ratio,
        verdict: "#{bar}x faster: #{ratio >= bar ? "ok" : "MISSED"}; #{differing.size} verdicts differ")
      differing.each { |id, verdict| puts "  #{id}: #{verdict}, here #{given[id]}" }
      ratio < bar || differing.any?
    end

    def cold(root)
      seconds = Array.new(ROUNDS) { run(root, PUPPETFN, File.join("spec", "one", "spec", "functions")).first }.min
      puts format("one small file %33s %8.2f s", "", seconds)
      false
    end

    def run(root, command, path)
      output = File.join(root, "verdicts.json")
      start = Process.clock_gettime(Process::CLOCK_MONOTONIC)
      text, status = Open3.capture2e(*command, path, "-f", "json", "-o", output, chdir: root)
      abort("#{command.join(" ")} #{path} failed:\n#{text}") unless File.file?(output) && [0, 1].include?(status.exitstatus)
      seconds = Process.clock_gettime(Process::CLOCK_MONOTONIC) - start
      [seconds, JSON.parse(File.read(output)).fetch("examples").to_h { |example| [example["id"], example["status"]] }]
    ensure
      FileUtils.rm_f(output)
    end
  end
end

missed = SpecBench.main
exit(1) if ARGV.include?("--check") && missed
