# frozen_string_literal: true

require "json"

module Vectors
  # The recorded form of instances of resources and of their relationship graph, of puppetfn's and of real Puppet's.
  module Instances
    NODE = "vm.example.com"
    # Puppet's `vardir`.
    VARIABLES = "/var/opt/puppetfn-vectors"
    # Stands for the directory that a case is run in.
    DIRECTORY = "<DIRECTORY>"
    # Attributes that resources have though the code does not mention them.
    IMPLICIT = %i[provider loglevel].freeze
    private_constant :IMPLICIT

    class << self
      # @param instances [Array<Puppet::Type>]
      # @return [Hash{String=>Hash}] the values of each instance by its reference
      def resources(instances)
        instances.sort_by(&:ref).to_h { |resource| [resource.ref, values(resource)] }
      end

      # @param cycles [Array<Array<Puppet::Type>>]
      def graph(edges, cycles)
        edges = edges.map { |edge| [edge.source.ref, edge.target.ref, edge.event.to_s, edge.callback.to_s] }
        {"edges" => edges.sort, "cycles" => cycles.map { |cycle| cycle.map(&:ref).sort }.sort}
      end

      # @return [Hash] the outcome of a case without places of this machine
      def hidden(outcome, modules)
        JSON.parse(JSON.generate(outcome).gsub(modules, "<MODULES>").gsub(VARIABLES, "<VARDIR>").gsub("\"#{Dir.pwd}/", "\"#{DIRECTORY}/"))
      end

      private

      def values(resource)
        explicit = resource.to_hash.select { |name, _| !IMPLICIT.include?(name) || resource.original_parameters.key?(name) }
        explicit.sort.to_h { |name, value| [name.name, plain(value)] }
      end

      def plain(value)
        case value
        when Symbol then {"symbol" => value.name}
        when Hash then {"hash" => value.map { |pair| pair.map { |part| plain(part) } }}
        when Array then value.map { |element| plain(element) }
        when Puppet::Resource then {"ref" => value.ref}
        when String then value.dup.force_encoding(Encoding::UTF_8)
        when Numeric, true, false, nil then value
        else {"object" => value.class.name, "text" => value.to_s}
        end
      end
    end
  end
end
