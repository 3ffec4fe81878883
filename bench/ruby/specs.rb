# frozen_string_literal: true

# Measures whole runs of specs, with rspec-puppet on real Puppet and with `puppetfn test`, and compares the verdicts.
#
#     script/bench --specs [--check]
#
# The specs are of the functions and type aliases of Debian's stdlib, each with some values; stdlib's own are not in the
# package, but have as many examples of functions. Processor time counts. Of several runs of `puppetfn test` the fastest
# counts; rspec-puppet runs once, for it takes minutes.

require "fileutils"
require "json"
require "open3"
require "rbconfig"
require "tmpdir"
require_relative "../../lib/puppetfn"
require_relative "function_specs"

module SpecBench
  STDLIB = "/usr/share/puppet/modules/stdlib"
  PUPPETFN = [RbConfig.ruby, File.expand_path("../../exe/puppetfn", __dir__), "test"].freeze
  RSPEC_PUPPET = [RbConfig.ruby, "-S", "rspec", "-I", File.join(__dir__, "specs")].freeze
  ROUNDS = 3

  VALUES = [
    "", "present", "/a/b", "C:\\a", "http://a.b/c", "10.0.0.1", "fe80::1", "a.example.com", "0644", "aGVsbG8=",
    0, 80, 70_000, -1, 1.5, true, nil, [], ["/a"], {}, {"a" => 1}
  ].freeze

  class << self
    # @return [Boolean] whether a row missed what it has to reach
    def main
      Dir.mktmpdir("puppetfn-specs-") do |root|
        make_module(root)
        missed = [row(root, "type_aliases", "type aliases", 60), row(root, "functions", "functions", 15), cold(root)]
        missed.any?
      end
    end

    private

    def make_module(root)
      modules = File.join(root, "spec", "fixtures", "modules")
      FileUtils.mkdir_p([modules, File.join(root, "spec", "functions"), File.join(root, "spec", "type_aliases")])
      File.symlink(STDLIB, File.join(modules, "stdlib"))
      File.write(File.join(root, "metadata.json"), JSON.generate("name" => "bench-specs", "dependencies" => []))
      File.write(File.join(root, "spec", "spec_helper.rb"), FunctionSpecs::HELPER)
      File.write(File.join(root, "spec", "type_aliases", "all_spec.rb"), "require \"spec_helper\"\n#{alias_groups.join("\n")}")
      FunctionSpecs.new(File.dirname(STDLIB), "stdlib").to_h
        .each { |file, code| File.write(File.join(root, "spec", "functions", file), code) }
    end

    def alias_groups
      runtime = Puppetfn::Runtime.new(modulepath: [File.dirname(STDLIB)])
      runtime.loader.type_names.grep(/\Astdlib::/i).filter_map do |name|
        # The file of one is empty.
        type = runtime.loader.load(:type, name) rescue next
        examples = VALUES.map do |value|
          "  it { is_expected.#{type.instance?(value) ? "to" : "not_to"} allow_value(#{value.inspect}) }"
        end
        "describe #{type.name.inspect} do\n#{examples.join("\n")}\nend"
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

    # One small file is mostly the start of the libraries.
    def cold(root)
      path = File.join("spec", "functions", "union_spec.rb")
      puppet, = run(root, RSPEC_PUPPET, path)
      puppetfn = Array.new(ROUNDS) { run(root, PUPPETFN, path).first }.min
      puts format("one small file %33s s %8.2f s %7.1fx", format("%.2f", puppet), puppetfn, puppet / puppetfn)
      false
    end

    def run(root, command, path)
      output = File.join(root, "verdicts.json")
      before = Process.times
      text, status = Open3.capture2e(*command, path, "-f", "json", "-o", output, chdir: root)
      abort("#{command.join(" ")} #{path} failed:\n#{text}") unless File.file?(output) && [0, 1].include?(status.exitstatus)
      after = Process.times
      seconds = after.cutime + after.cstime - before.cutime - before.cstime
      [seconds, JSON.parse(File.read(output)).fetch("examples").to_h { |example| [example["id"], example["status"]] }]
    ensure
      FileUtils.rm_f(output)
    end
  end
end

missed = SpecBench.main
exit(1) if ARGV.include?("--check") && missed
