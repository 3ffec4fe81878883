# frozen_string_literal: true

require "tsort"
require_relative "resolution"

module Puppetfn
  module RSpec
    module Facter
      module Core
        # A way to find the value of a fact in several steps, chunks, whose results are put together.
        class Aggregate
          include Resolvable
          include TSort

          # Raised where chunks need each other, or a chunk that does not exist.
          class DependencyError < StandardError; end

          # The options of {Facter.add} for it.
          #
          # @api private
          OPTIONS = %i[timeout weight fact_type].freeze
          # A chunk, and the names of the chunks whose results it gets.
          Chunk = Struct.new(:required, :block)
          private_constant :Chunk

          # @return [Symbol]
          def resolution_type
            :aggregate
          end

          # @param name [Symbol]
          # @option options [Symbol, Array<Symbol>] :require the chunks whose results the block gets
          # @yieldreturn [Object] the result of the chunk
          # @return [self]
          def chunk(name, options = {}, &block)
            raise ArgumentError, "#{self.class.name}#chunk requires a block" unless block
            raise ArgumentError, "#{self.class.name}#expected chunk name to be a Symbol" unless name.is_a?(Symbol)

            others = options.keys - [:require]
            raise ArgumentError, "Unexpected options passed to #{self.class.name}#chunk: #{others.inspect}" if others.any?

            (@chunks ||= {})[name] = Chunk.new([*options[:require]], block)
            self
          end

          # Without this, hashes are merged and arrays appended to each other.
          #
          # @yieldparam results [Hash{Symbol=>Object}]
          # @yieldreturn [Object] the value
          # @return [self]
          def aggregate(&block)
            raise ArgumentError, "#{self.class.name}#aggregate requires a block" unless block

            @aggregate = block
            self
          end

          private

          def resolve_value
            results = tsort.each_with_object({}) do |name, known|
              chunk = @chunks[name]
              known[name] = frozen_copy(chunk.block.call(*chunk.required.map { |other| known[other] }))
            end
            @aggregate ? @aggregate.call(results) : results.values.reduce { |all, result| merge(all, result, "") }
          rescue TSort::Cyclic => e
            raise DependencyError, "Could not order chunks; found the following dependency cycles: #{e.message}"
          end

          def tsort_each_node(&block)
            (@chunks || {}).each_key(&block)
          end

          def tsort_each_child(name, &block)
            @chunks.fetch(name) { raise DependencyError, "Cannot sort elements; cannot depend on missing elements #{[name]}" }
              .required.each(&block)
          end

          # Chunks must not change the values that other chunks get.
          def frozen_copy(value)
            case value
            when String then value.dup.freeze
            when Array then value.map { |element| frozen_copy(element) }.freeze
            when Hash then value.to_h { |key, element| [frozen_copy(key), frozen_copy(element)] }.freeze
            else value
            end
          end

          def merge(left, right, place)
            if left.is_a?(Hash) && right.is_a?(Hash)
              left.merge(right) { |key, one, other| merge(one, other, "#{place}[#{key.inspect}]") }
            elsif left.is_a?(Array) && right.is_a?(Array) then left + right
            elsif left.nil? || right.nil? then left.nil? ? right : left
            else
              raise ArgumentError, "Could not deep merge all chunks (Original error: Cannot merge #{left.inspect}:#{left.class} and " \
                "#{right.inspect}:#{right.class}#{" at root#{place}" unless place.empty?}), ensure that chunks return either an " \
                "Array or Hash or override the aggregate block"
            end
          end
        end
      end
    end
  end
end
