# frozen_string_literal: true

# Measures how long it takes to write the REFERENCE.md of a module, in comparison with Puppet Strings, if it is installed.
#
#     script/bench documents [--check] [DIRECTORY]
#
# Both are asked for it in a process that has loaded them, once before the clock runs; it counts processor time. With --check,
# the exit status is 1 if the ratio is missed.

require "open3"
require "rbconfig"

module Bench
  # Writing the documentation of a module.
  module Documents
    FASTER = 3
    ROUNDS = 5
    DIRECTORY = "/usr/share/puppet/modules/stdlib"
    LIBRARY = File.expand_path("../../lib", __dir__)
    TIMED = <<~RUBY
      times = #{ROUNDS}.times.map do
        start = Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID)
        write.call
        Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID) - start
      end
      $stdout = STDOUT
      print times.min
    RUBY
    OURS = <<~RUBY
      require "puppetfn"
      write = -> { Puppetfn::Doc.read(Dir.pwd, strings_quirks: true).to_markdown }
      write.call
    RUBY
    # It is silenced, as it tells how much is documented.
    THEIRS = <<~RUBY
      require "stringio"
      require "tmpdir"
      require "puppet-strings"
      require "puppet-strings/markdown"
      file = File.join(Dir.mktmpdir, "REFERENCE.md")
      options = {markdown: true, path: file, yard_args: ["--no-save", "--no-cache", "--quiet", "--no-stats"]}
      write = lambda do
        YARD::Registry.clear if defined?(YARD::Registry)
        PuppetStrings.generate(PuppetStrings::DEFAULT_SEARCH_PATTERNS, options)
      end
      $stdout = StringIO.new
      write.call
    RUBY

    def self.seconds(program, directory, *options)
      output, status = Open3.capture2(RbConfig.ruby, *options, "-e", program + TIMED, chdir: directory, err: File::NULL)
      Float(output) if status.success?
    end

    def self.run(arguments)
      is_checked = arguments.delete("--check")
      directory = arguments.first || DIRECTORY
      ours = seconds(OURS, directory, "-I", LIBRARY) || abort("puppetfn failed")
      theirs = seconds(THEIRS, directory, "-r", "puppet")
      return puts(format("REFERENCE.md of %s: %.3f s; no Puppet Strings to compare with", directory, ours)) unless theirs

      puts(format("REFERENCE.md of %s: %.3f s, Puppet Strings %.3f s: %.1f times as fast", directory, ours, theirs, theirs / ours))
      exit(1) if is_checked && theirs / ours < FASTER
    end
  end
end

Bench::Documents.run(ARGV)
