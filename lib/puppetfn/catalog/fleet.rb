# frozen_string_literal: true

require "json"

module Puppetfn
  # The catalogs of many nodes: they are compiled in processes of their own, and compared.
  #
  # @example The effect of a change
  #   require "puppetfn"
  #
  #   report = Puppetfn::Fleet.diff("spec/control_repository", "spec/control_repository",
  #                                 nodes: "spec/control_repository/facts", environment_name: "production",
  #                                 enc: "spec/control_repository/scripts/classifier.sh")
  #   report["summary"]  # => {"nodes" => 2, "changed" => 0, "unchanged" => 2, "failed" => 0}
  #
  # Takes the options of `puppetfn compile` and `puppetfn diff` as symbols: `facts_for: "facts/{}.yaml"`, `resume: true`,
  # `ignore: ["File[/tmp/*]"]`.
  module Fleet
    # The options that say where nodes are.
    SOURCE = %i[facts_for named_by_facts].freeze
    # The options about processes and earlier work.
    BATCH = %i[jobs shard resume].freeze
    # The options about the two sides of a comparison.
    SIDES = %i[repository only_tracked cache compile_all jobs].freeze
    # The options of the comparison.
    DIFFERENCES = %i[
      ignore ignore_file ignore_attr ignore_tags filters include_tags no_classes no_ordering no_containment no_data_types
    ].freeze
    # The options of the comparison that are lists.
    LISTS = %i[ignore ignore_file ignore_attr ignore_tags filters].freeze
    private_constant :SOURCE, :BATCH, :SIDES, :DIFFERENCES, :LISTS

    class << self
      # Compiles the catalogs of nodes into a directory. Nodes that have none are no error: the result says why.
      #
      # @param nodes [String] a directory with a file of facts for each node, an export of PuppetDB, or a list of names
      # @param out [String] the directory
      # @param options [Hash{Symbol => Object}] `environment`, `modulepath`, `enc`, `classes`, `facts_for`, `jobs`, `shard`,
      #   `resume` and so on
      # @return [Hash{String => Object}, nil] the result of {merge}; nil where `shard` is given, as other shards may be missing
      # @raise [ArgumentError] when an argument is wrong
      # @raise [Puppetfn::Error] when nothing can be compiled
      def compile(nodes:, out:, **options)
        source, rest = take(options, SOURCE)
        batch, rest = take(rest, BATCH)
        nodes = source.merge(source: nodes.to_s)
        Nodes.compile_nodes(JSON.generate(**batch, configuration: Configuration.of(rest), nodes: nodes, out: out.to_s))
        merge(out) unless batch[:shard]
      end

      # Merges the results of the shards that compiled into a directory.
      #
      # @param directory [String]
      # @return [Hash{String => Object}] `nodes`, `compiled`, `failed`, `resources`, `warnings`, `seconds`, `slowest`, `profile` and
      #   `problems`
      # @raise [ArgumentError] when the directory is none that {compile} made
      # @raise [Puppetfn::Error] when a part is missing or was stopped
      def merge(directory)
        JSON.parse(Nodes.merge(directory.to_s))
      end

      # Compares the catalogs of nodes.
      #
      # @param old [String] a reference of git, the directory of an environment, one that {compile} made, or a catalog
      # @param new [String] the new state, in the same forms
      # @param options [Hash{Symbol => Object}] `nodes`, `repository`, `cache`, `ignore`, `ignore_file`, `ignore_attr`,
      #   `filters`, the options of {compile} and so on
      # @return [Hash{String => Object}] the report: `summary`, `groups`, `unchanged` and `failed`
      # @raise [ArgumentError] when there is no such option
      # @raise [Puppetfn::Error] when an argument is wrong, or nothing can be compared
      def diff(old, new, nodes: nil, no_ignore_tags: false, **options)
        source, rest = take(options, SOURCE)
        sides, rest = take(rest, SIDES)
        differences, rest = take(rest, DIFFERENCES)
        LISTS.each { |name| differences[name] = Array(differences[name]).map(&:to_s) if differences.key?(name) }
        differences[:ignore_tags] = [] if no_ignore_tags
        source[:source] = nodes.to_s if nodes
        JSON.parse(Nodes.compare(JSON.generate(
          **sides, old: old.to_s, new: new.to_s, differences: differences, configuration: Configuration.of(rest),
                   nodes: (source if nodes)
        )))
      end

      private

      # Returns the options of these names that are set, and the others.
      def take(options, names)
        options.compact.partition { |name, _| names.include?(name) }.map(&:to_h)
      end
    end
  end
end
