# frozen_string_literal: true

# Compares the speed of real Puppet with and without the drop-in, side by side:
#
#     script/bench drop-in [--check]
#
# What counts is the time of the processor: the clock on the wall says more about what else runs.

require "open3"
require "rbconfig"

module Bench
  # The drop-in, in processes of their own.
  module DropIn
    LIBRARY = File.expand_path("../../lib", __dir__)
    CATALOGS = File.expand_path("../../spec/differential/drop_in/catalogs.rb", __dir__)
    ROUNDS = 3
    LAYOUT = "%-46s %12s %12s %8s  %s\n"

    # What is measured in a process, and how many times faster it has to be.
    CASES = {
      "dispatch to the first of four signatures" => 6, "dispatch to the second of four signatures" => 6,
      "instance? of a Hash of 100 entries" => 15,
      "a mismatch, one signature" => 15, "a mismatch, four signatures" => 15,
      "three types, parsed for the first time" => 20, "three types, parsed before" => 20,
      "infer of a Hash of 100 entries" => nil,
      "all manifests of the modules, parsed" => 10
    }.freeze

    # A catalog must not take longer; what varies from run to run does not count.
    CATALOGS_AT_MOST = 1.03

    class << self
      # @return [Boolean] whether something is slower than it has to be
      def main
        printf(LAYOUT, "", "Puppet", "with puppetfn", "ratio", "")
        missed = CASES.map { |name, faster| row(name, faster) } << catalogs
        missed.any?
      end

      # One process: prints the seconds of each case.
      def work(name)
        require "puppet"
        require "tmpdir"
        Dir.mktmpdir do |dir|
          ::Puppet.initialize_settings(["--vardir", dir, "--confdir", dir])
          environment = ::Puppet::Node::Environment.create(:bench, [])
          ::Puppet.push_context(current_environment: environment, loaders: ::Puppet::Pops::Loaders.new(environment))
          puts seconds(name)
        end
      end

      private

      def row(name, faster)
        times = %w[off on].map { |mode| Array.new(ROUNDS) { Float(process(mode, __FILE__, "work", name)) }.min }
        ratio = times[0] / times[1]
        verdict = "#{faster}x faster: #{ratio >= faster ? "ok" : "MISSED"}" if faster
        printf(LAYOUT, name, *times.map { |time| Bench.duration(time) }, "#{ratio.round(1)}x", verdict)
        faster && ratio < faster
      end

      def catalogs
        # One after the other in turns: how fast the machine is changes within minutes.
        times = Array.new(ROUNDS) { %w[off on].map { |mode| Float(process(mode, CATALOGS, ROUNDS.to_s)) } }
        times = times.transpose.map(&:min)
        share = 1 - times[1] / times[0]
        verdict = times[1] <= times[0] * CATALOGS_AT_MOST ? "ok" : "MISSED"
        printf(LAYOUT, "catalogs of twelve real classes", *times.map { |time| Bench.duration(time) },
               "#{(times[0] / times[1]).round(2)}x", "never slower, saves #{(share * 100).round} %: #{verdict}")
        verdict == "MISSED"
      end

      def process(mode, *arguments)
        environment = {"PUPPETFN" => mode, "RUBYOPT" => "-I#{LIBRARY} -rpuppetfn/puppet"}
        output, errors, status = Open3.capture3(environment, RbConfig.ruby, *arguments)
        status.success? ? output : raise("#{arguments.join(" ")}: #{errors}")
      end

      # How long one repetition takes, of as many as take a while.
      def seconds(name)
        return parse_all if name == CASES.keys.last

        run = Cases::ALL.find { |c| c.name == name }.setup.call(PuppetSide)
        n = 1
        n *= 2 until cpu { run.call(n) } > 0.05
        Array.new(5) { cpu { run.call(n) } }.min / n
      end

      # The cases measure themselves by the clock; here the processor is asked.
      def cpu
        start = Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID)
        yield
        Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID) - start
      end

      def parse_all
        files = MODULEPATH.flat_map { |directory| Dir.glob("#{directory}/*/manifests/**/*.pp") }
        texts = files.map { |file| [File.read(file, encoding: "UTF-8"), file] }
        parser = ::Puppet::Pops::Parser::Parser.new
        GC.start
        cpu { texts.each { |text, file| parser.parse_string(text, file).model } }
      end
    end
  end
end

require_relative "duration"
require_relative "side"
require_relative "cases"

if ARGV.first == "work"
  Bench::DropIn.work(ARGV.fetch(1))
else
  missed = Bench::DropIn.main
  exit(1) if ARGV.include?("--check") && missed
end
