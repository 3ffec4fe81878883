# frozen_string_literal: true

require "json"
require "open3"

module Puppetfn
  # The catalogs of many nodes: they are compiled in processes of their own, and compared.
  #
  # @example What a change does
  #   require "puppetfn"
  #
  #   report = Puppetfn::Fleet.diff("spec/control_repository", "spec/control_repository",
  #                                 nodes: "spec/control_repository/facts", environment_name: "production",
  #                                 enc: "spec/control_repository/scripts/classifier.sh")
  #   report["summary"]  # => {"nodes" => 2, "changed" => 0, "unchanged" => 2, "failed" => 0}
  #
  # Options are those of `puppetfn compile` and `puppetfn diff`, as symbols: `facts_for: "facts/{}.yaml"`, `resume: true`,
  # `ignore: ["File[/tmp/*]"]`.
  module Fleet
    # The exit code of wrong arguments, but for `diff`: that ends with it where catalogs differ, and prints how.
    USAGE = 2
    private_constant :USAGE

    class << self
      # Compiles the catalogs of nodes into a directory. Nodes that have none are no error: the result says why.
      #
      # @param nodes [String] a directory with a file of facts for each node, an export of PuppetDB, or a list of names
      # @param out [String] the directory
      # @param options [Hash{Symbol => Object}] `environment`, `modulepath`, `enc`, `classes`, `facts_for`, `jobs`, `shard`,
      #   `resume` and so on
      # @return [Hash{String => Object}, nil] what {merge} returns; nil where `shard` is given, as other parts may be missing
      # @raise [ArgumentError] when an argument is wrong
      # @raise [Puppetfn::Error] when nothing can be compiled
      def compile(nodes:, out:, **options)
        run("compile", "--nodes", nodes.to_s, "--out", out.to_s, *words(options))
        merge(out) unless options[:shard]
      end

      # Puts together what parts have compiled into a directory.
      #
      # @param directory [String]
      # @return [Hash{String => Object}] `nodes`, `compiled`, `failed`, `resources`, `warnings`, `seconds`, `slowest`, `profile` and
      #   `problems`
      # @raise [ArgumentError] when the directory is none that {compile} made
      # @raise [Puppetfn::Error] when a part is missing or was stopped
      def merge(directory)
        JSON.parse(run("fleet", "merge", "--json", directory.to_s))
      end

      # Compares the catalogs of nodes.
      #
      # @param old [String] a reference of git, the directory of an environment, one that {compile} made, or a catalog
      # @param new [String] the same, of what is or will be
      # @param options [Hash{Symbol => Object}] `nodes`, `repository`, `cache`, `ignore`, `ignore_file`, `ignore_attr`, `filters`,
      #   those of {compile} and so on
      # @return [Hash{String => Object}] the report: `summary`, `groups`, `unchanged` and `failed`
      # @raise [Puppetfn::Error] when an argument is wrong, or nothing can be compared
      def diff(old, new, **options)
        JSON.parse(run("diff", old.to_s, new.to_s, "--format", "json", *words(options)))
      end

      private

      # Returns what the command prints. That it prints something means that it could do what was asked.
      def run(*arguments)
        printed, complaints, status = Open3.capture3(*CLI.command, *arguments)
        return printed unless printed.empty? && !status.success?

        message = complaints.lines.grep(/^error: /).join.delete_prefix("error: ").chomp
        message = complaints.chomp if message.empty?
        raise status.exitstatus == USAGE ? ArgumentError : Error, message
      end

      def words(options)
        options.flat_map do |name, value|
          option = "--#{name.to_s.tr("_", "-")}"
          case value
          when nil, false then []
          when true then [option]
          when Array then value.map { |one| "#{option}=#{one}" }
          else ["#{option}=#{value}"]
          end
        end
      end
    end
  end
end
