# frozen_string_literal: true

module Puppetfn
  module RSpec
    # The exported resources that other nodes have in an example: `let(:exported_resources)`.
    #
    # @api private
    class Exports
      # The node that exports where the example names none.
      EXPORTER = "exporter.example.com"
      private_constant :EXPORTER

      # Returns the value of `let(:exported_resources)`, if there is one. Without a `let`, the method is a subject; a subject of this name
      # compiles the catalog, which asks again.
      #
      # @param example [CatalogExampleGroup]
      # @return [String, Array, Hash, nil]
      def self.given(example)
        return if example.method(:exported_resources).owner.equal?(CatalogExampleGroup)

        value = once_at_a_time(example) { example.exported_resources }
        value if value.is_a?(String) || value.is_a?(Array) || value.is_a?(Hash)
      end

      # Yields, except within a call for the same example.
      def self.once_at_a_time(example)
        return if example.instance_variable_defined?(:@__puppetfn_asks_for_exports)

        begin
          example.instance_variable_set(:@__puppetfn_asks_for_exports, true)
          yield
        ensure
          example.remove_instance_variable(:@__puppetfn_asks_for_exports)
        end
      end
      private_class_method :once_at_a_time

      # @param example [CatalogExampleGroup]
      # @param given [String, Array<Hash>, Hash{String=>String, Array<Hash>}] code of a node in the Puppet language, or resources as in
      #   PuppetDB's answers; for several nodes, by their names
      def initialize(example, given)
        @example = example
        @given = given.is_a?(Hash) ? given : {EXPORTER => given}
      end

      # @return [Array<Hash>] the resources as PuppetDB has them
      # @raise [Puppet::Error] if the code of a node does not compile
      def resources
        @given.flat_map do |node, exports|
          exports.is_a?(String) ? compile(node.to_s, exports) : exports.map { |resource| named(resource, node.to_s) }
        end
      end

      private

      # The node has the facts of the example but for its name.
      def compile(name, code)
        node = Node.new(@example, name, @example.environment.to_s, renamed: true)
        ExampleRuntime.current.for_another_node.compile_for(node, code).exports
      end

      def named(resource, node)
        raise TypeError, "let(:exported_resources) has to give Hashes, not #{resource.inspect}" unless resource.is_a?(Hash)

        {"certname" => node}.merge(resource.transform_keys(&:to_s))
      end
    end
  end
end
