# frozen_string_literal: true

module Puppetfn
  module RSpec
    module Facter
      # The facts of an example: facts of its node, of this machine, and custom facts.
      #
      # @api private
      class Collection
        # The weight that the facts of a node have.
        WEIGHT_OF_NODE = 999
        # Placeholder for a missing value, as opposed to nil.
        MISSING = Object.new.freeze
        private_constant :WEIGHT_OF_NODE, :MISSING

        # @return [Boolean] whether only facts of a node count, and custom facts that are requested by name
        attr_writer :of_node

        # @param facts [Hash{String=>Object}, nil] facts of a node
        def initialize(facts = nil)
          @facts = facts || {}
          @of_node = !facts.nil?
          @custom = {}
        end

        # @return [Files]
        def files
          @files ||= Files.new
        end

        # @param name [String, Symbol]
        # @return [Util::Fact] a custom fact
        def define(name)
          name = name.to_s.downcase
          @custom[name] ||= Util::Fact.new(name)
        end

        # @return [void]
        def flush
          @custom.each_value(&:flush)
          nil
        end

        # @return [Hash{String=>Object}]
        def to_hash
          files.load_all unless @of_node
          names = @of_node ? @facts.keys : @facts.keys | Machine.names
          (names | @custom.keys).to_h { |name| [name, value_of(name)] }.compact
        end

        # Looks for a fact in the file of its name, then among known facts, and at last in all files.
        #
        # @param path [String]
        # @return [ResolvedFact, nil]
        def resolve(path)
          files.load(path) unless @facts.key?(path)
          value = dig(path)
          if MISSING.equal?(value) && !@of_node
            files.load_all
            value = dig(path)
          end
          ResolvedFact.new(path, value) unless MISSING.equal?(value)
        end

        # @param path [String]
        # @return [Object, nil] the value without custom facts
        def core_value(path)
          @facts.key?(path) ? copy(@facts[path]) : (Machine.value(path) unless @of_node)
        end

        private

        # Returns the value at a path: in the fact whose name has most of it.
        def dig(path)
          parts = path.split(".")
          parts.size.downto(1) do |size|
            name = parts.first(size).join(".")
            next unless @custom.key?(name) || core?(name)

            value = parts.drop(size).reduce(value_of(name)) { |structure, part| element(structure, part) }
            return value unless MISSING.equal?(value)
          end
          MISSING
        end

        def element(structure, part)
          case structure
          when Hash then structure.fetch(part, MISSING)
          when Array then part.match?(/\A\d+\z/) ? structure.fetch(part.to_i, MISSING) : MISSING
          else MISSING
          end
        end

        def value_of(name)
          fact = @custom[name] or return core_value(name)

          fact.value(core_value(name), @facts.key?(name) ? WEIGHT_OF_NODE : 0)
        end

        def core?(name)
          @facts.key?(name) || (!@of_node && Machine.fact?(name))
        end

        # Hashes and arrays are there for nobody else.
        def copy(value)
          case value
          when Hash then value.transform_values { |element| copy(element) }
          when Array then value.map { |element| copy(element) }
          else value
          end
        end
      end
    end
  end
end
