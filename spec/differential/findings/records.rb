# frozen_string_literal: true

require_relative "../../../vectors/ruby/catalog"
require_relative "../../../vectors/ruby/recorded"
require_relative "compilation"

module Differential
  module Findings
    # Catalogs that real Puppet has made: recorded cases, which are compiled again to see what is evaluated for them.
    class Records
      # @return [String] where their modules are
      attr_reader :modules

      # @param directory [String] see spec/vectors/catalogs/README.md
      def initialize(directory)
        @world = Vectors::Catalog::World.new(directory)
        @modules = @world.modules
        @cases = Vectors::Recorded.files([directory]).flat_map(&:cases).select { |recorded| recorded.data.dig("expected", "catalog") }
      end

      def size
        @cases.size
      end

      # The names that older modules know facts by.
      LEGACY = {
        "osfamily" => %w[os family], "operatingsystem" => %w[os name], "operatingsystemrelease" => %w[os release full],
        "operatingsystemmajrelease" => %w[os release major], "architecture" => %w[os architecture], "lsbdistcodename" => %w[os distro codename],
        "fqdn" => %w[networking fqdn], "hostname" => %w[networking hostname], "domain" => %w[networking domain],
        "ipaddress" => %w[networking ip], "processorcount" => %w[processors count]
      }.freeze

      # @return [Array<Hash>] the facts of two nodes, under all names
      def facts
        all = @cases.map { |recorded| recorded.data["facts"] }.uniq.map { |digest| @world.facts("facts" => digest) }
        %w[Debian RedHat].map do |family|
          facts = all.select { |one| one.dig("os", "family") == family }.max_by { |one| one.fetch("networking", {}).size + one.size }
          LEGACY.transform_values { |keys| facts.dig(*keys) || "sample" }.merge(facts)
        end
      end

      # Writes the manifests of the cases to files, named by their numbers.
      def write(directory)
        @cases.each_with_index { |recorded, number| File.write(File.join(directory, "#{number}.pp"), @world.text(recorded.data["code"])) }
      end

      # Finds what is an error to the checker, and was evaluated for a catalog all the same.
      # @param findings [Array<Hash>] in the modules
      # @param own [Hash{Integer=>Array<Hash>}] in the manifest of a case
      # @yieldparam finding [Hash]
      # @yieldparam id [String] of the case
      # @return [Integer] how many cases were compiled
      def evaluated(findings, own, &block)
        places = findings.to_h { |finding| [finding, Path.at(finding)] }
        chosen = @cases.each_with_index.select { |recorded, number| own.key?(number) || places.values.any? { |path| may_reach?(recorded, path) } }
        chosen.each do |recorded, number|
          found = own.fetch(number, [])
          observation = compile(recorded, places, found, number)
          (places.to_a + found.map { |finding| [finding, Path.at(finding)] }).each do |finding, path|
            block.call(finding, recorded.id) if path.target && observation.visited?(path.target, finding["file"])
          end
        end
        chosen.size
      end

      private

      # A class is in the catalog if it was evaluated, and so are resources of a defined type. Of others nothing is known.
      def may_reach?(recorded, path)
        catalog = recorded.data["expected"]["catalog"]
        case path.definition
        when Path::Model::HostClassDefinition then catalog["classes"].include?(path.definition.name)
        when Path::Model::ResourceTypeDefinition
          type = path.definition.name.split("::").map(&:capitalize).join("::")
          catalog["resources"].any? { |resource| resource["type"] == type }
        else !path.expressions.first.locator.file.include?("/examples/")
        end
      end

      def compile(recorded, places, found, number)
        data = recorded.data
        settings(data)
        manifest = found.empty? ? nil : found.first["file"]
        ::Puppet[:code] = manifest ? "" : @world.text(data["code"])
        environment = ::Puppet::Node::Environment.create(data["environment"].to_sym, [@modules], manifest || ::Puppet::Node::Environment::NO_MANIFEST)
        node = Compilation.node(environment, @world.facts(data), name: data["node"], variables: data["variables"])
        node.trusted_data = data["trusted"]
        observation = Observation.new((places.keys + found).map { |finding| finding["file"] }.uniq)
        Compilation.compile(observation, environment, node)
        raise "#{recorded.id} (#{number}): #{observation.errors.map(&:message).join}" if observation.errors.any?

        observation
      end

      def settings(data)
        ::Puppet[:strict] = data["strict"].to_sym
        ::Puppet[:strict_variables] = data["strict_variables"]
        data["settings"].each { |name, value| ::Puppet[name.to_sym] = value }
      end
    end
  end
end
