# frozen_string_literal: true

require_relative "resolution"

module Puppetfn
  module RSpec
    module Facter
      module Util
        # A custom fact: ways to find its value, of which the weightiest that suits the system and has a value counts.
        class Fact
          # @return [Symbol]
          attr_reader :name

          # @param name [String]
          def initialize(name)
            @name = name.to_sym
            @resolutions = []
          end

          # @param options [Hash{Symbol=>Object}] as of {Facter.add}
          # @return [Resolution, Core::Aggregate, nil] nil if the block raised an error, which is logged
          def add(options = {}, &block)
            define_resolution(options[:name], options, &block)
          end

          # @param name [String, Symbol, nil] an existing resolution of this name is evaluated again
          # @param options (see add)
          # @return (see add)
          def define_resolution(name, options = {}, &block)
            type = options.fetch(:type, :simple)
            resolution = resolution(name) || make(name, type)
            unless resolution.resolution_type == type
              raise ArgumentError, "Cannot return resolution #{name} with type #{type}; already defined as #{resolution.resolution_type}"
            end

            resolution.take(options.except(:type, :name, :ldapname))
            resolution.instance_eval(&block) if block
            resolution
          rescue StandardError => e
            Facter.log_exception(e, "Unable to add resolve #{name.inspect} for fact #{self.name}: #{e.message}")
            nil
          end

          # @param name [String, Symbol, nil]
          # @return [Resolution, Core::Aggregate, nil]
          def resolution(name)
            @resolutions.find { |resolution| resolution.name == name } unless name.nil?
          end

          # @param core [Object, nil] the value of the fact without this one
          # @param weight [Integer] the weight of this other value
          # @return [Object, nil]
          # @raise [RuntimeError] when the value depends on itself
          def value(core = Facter.core_value(name), weight = 0)
            found, found_weight = find
            core.nil? || (!found.nil? && found_weight > weight) ? found : core
          end

          # Has the value be found again.
          #
          # @return [void]
          def flush
            @resolutions.each(&:flush)
            @found = nil
          end

          private

          def make(name, type)
            made = case type
            when :simple then Resolution.new(name, self)
            when :aggregate then Core::Aggregate.new(name, self)
            else raise ArgumentError, "Expected resolution type to be one of (:simple, :aggregate) but was #{type}"
            end
            @resolutions << made
            made
          end

          # Returns a value that is not nil, and the weight of the resolution that has it.
          def find
            return @found if @found
            raise "Caught recursion on #{name}" if @searching

            @searching = true
            begin
              found = first_value(@resolutions.select(&:suitable?).sort_by.with_index { |one, index| [-one.weight, index] })
              @found = found if found
            ensure
              @searching = false
            end
          end

          def first_value(resolutions)
            resolutions.each do |resolution|
              value = resolution.value
              return [value, resolution.weight] unless value.nil?
            end
            nil
          rescue ResolveCustomFactError
            nil
          end
        end
      end
    end
  end
end
