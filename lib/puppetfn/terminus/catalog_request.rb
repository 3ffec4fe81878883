# frozen_string_literal: true

require "json"

module Puppetfn
  module Terminus
    # The JSON of a request for a catalog: the node, with all inputs of its catalog besides code and data.
    #
    # @api private
    class CatalogRequest
      # The node has values that JSON cannot express, so that only Puppet's own compiler can use them.
      class Inexpressible < StandardError; end

      # Deeper values could overflow Ruby's stack.
      MAX_DEPTH = 200
      # The key of a value's type in Puppet's own JSON. Facts with it are plain hashes to Puppet.
      RICH_KEY = "__ptype"
      private_constant :MAX_DEPTH, :RICH_KEY

      # @param node [Puppet::Node]
      # @param options [Hash{Symbol=>Object}] of the request for the catalog
      def initialize(node, options)
        @node = node
        @options = options
      end

      # @return [String]
      # @raise [Inexpressible]
      def to_json(*)
        JSON.generate(to_h, max_nesting: 0)
      rescue JSON::GeneratorError, EncodingError => e
        raise Inexpressible, e.message
      end

      private

      def to_h
        {
          "node" => checked(@node.name, "name"), "environment" => @node.environment.name.to_s,
          "facts" => @node.facts && checked(@node.facts.values, "facts"), "trusted" => checked(@node.trusted_data, "trusted"),
          "server_facts" => checked(@node.server_facts, "server_facts"), "classes" => checked(@node.classes || {}, "classes"),
          "parameters" => parameters, "code_id" => @options[:code_id], "transaction_uuid" => @options[:transaction_uuid],
          # Puppet's compiler has them, too: caches of catalogs store them, and the terminus filters.
          "with_exports" => true
        }
      end

      # As in puppet/parser/compiler.rb, `set_node_parameters`: names become strings, and symbols, which are values of its own only.
      def parameters
        (@node.parameters || {}).each_with_object({}) do |(name, value), all|
          value = value.to_s if value.is_a?(Symbol)
          all[name.to_s] = checked(value, name)
        end
      end

      def checked(value, name, depth = 0)
        raise Inexpressible, "#{name} is nested too deeply" if depth > MAX_DEPTH

        case value
        when Hash
          value.each_key { |key| check_key(key, name) }
          value.each_value { |element| checked(element, name, depth + 1) }
        when Array
          value.each { |element| checked(element, name, depth + 1) }
        when String
          check_text(value, name)
        when Float
          raise Inexpressible, "#{name} has the number #{value}" unless value.finite?
        when Integer, true, false, nil
          # JSON has these.
        else
          raise Inexpressible, "#{name} has a #{value.class}"
        end
        value
      end

      def check_key(key, name)
        raise Inexpressible, "#{name} has a key that is a #{key.class}" unless key.is_a?(String)
        raise Inexpressible, "#{name} has a key #{RICH_KEY}" if key == RICH_KEY

        check_text(key, name)
      end

      def check_text(text, name)
        raise Inexpressible, "#{name} has a text that is not UTF-8" unless unicode?(text)
      end

      def unicode?(text)
        text.valid_encoding? && (text.encoding == Encoding::UTF_8 || text.ascii_only?)
      end
    end
  end
end
