# frozen_string_literal: true

require "timeout"
require_relative "confine"
require_relative "execution"

module Puppetfn
  module RSpec
    module Facter
      # The common part of all ways to find the value of a fact: conditions, a weight, and a time in which they have to end.
      #
      # @api private
      module Resolvable
        # @return [Array<Confine>]
        attr_reader :confines

        # @return [String, Symbol, nil]
        attr_accessor :name

        # @return [Util::Fact]
        attr_reader :fact

        # @return [Numeric, nil] in seconds
        attr_accessor :timeout

        # @param name [String, Symbol, nil]
        # @param fact [Util::Fact]
        def initialize(name, fact)
          @name = name
          @fact = fact
          @confines = []
        end

        # @param options [Hash{Symbol=>Object}] as of {Facter.add}
        # @return [void]
        # @raise [ArgumentError] for other options
        def take(options)
          options.each do |option, value|
            unless self.class::OPTIONS.include?(option)
              raise ArgumentError, "Invalid #{resolution_type == :simple ? "resolution" : "aggregate"} options #{[option]}"
            end

            instance_variable_set(:"@#{option}", value)
          end
        end

        # Restricts the resolution to facts with these values, or to values that the block accepts.
        #
        # @param facts [Hash{String, Symbol=>Object}, String, Symbol, nil] values, or the fact that the block gets
        # @yieldparam value [Object] the value of the fact, if there is one
        # @return [void]
        def confine(facts = nil, &block)
          if facts.is_a?(Hash)
            facts.each { |name, values| @confines << Confine.new(name, [*values]) }
          elsif block
            @confines << Confine.new(facts, &block)
          end
        end

        # @param weight [Integer]
        # @return [self]
        def has_weight(weight)
          @weight = weight
          self
        end

        # @return [Integer] the number of conditions, if nothing was said
        def weight
          @weight || @confines.size
        end

        # @return [Boolean]
        def suitable?
          @confines.all?(&:true?)
        end

        # @yield when facts are flushed
        # @return [void]
        def on_flush(&block)
          @on_flush = block
        end

        # @return [void]
        def flush
          @on_flush&.call
        end

        # @return [Object, nil] nil if it cannot be found, which is logged
        # @raise [ResolveCustomFactError] when the code raised an error
        def value
          Normalization.normalize(Timeout.timeout(@timeout || 0) { resolve_value })
        rescue Timeout::Error => e
          failed(e, "Timed out after #{@timeout} seconds while resolving #{itself_named}")
        rescue Normalization::Error => e
          failed(e, "Fact resolution #{itself_named} resolved to an invalid value: #{e.message}")
        rescue StandardError => e
          failed(e, "Error while resolving custom fact #{itself_named}: #{e.message}")
          raise ResolveCustomFactError, e.message
        end

        private

        def failed(error, message)
          Facter.log_exception(error, message)
          nil
        end

        def itself_named
          "fact='#{fact.name}', resolution='#{name || "<anonymous>"}'"
        end
      end

      module Util
        # A way to find the value of a fact: code, or a command.
        class Resolution
          include Resolvable
          extend Core::Execution

          # The options of {Facter.add} for it.
          #
          # @api private
          OPTIONS = %i[value timeout weight fact_type file is_env].freeze
          public_class_method :which, :exec, :with_env

          # @return [Symbol]
          def resolution_type
            :simple
          end

          # @param command [String, nil] whose output is the value, if there is any
          # @yieldreturn [Object, nil] the value
          # @return [self]
          def setcode(command = nil, &block)
            raise ArgumentError, "You must pass either code or a block" unless command || block

            @code = command ? -> { output_of(command) } : block
            self
          end

          private

          def output_of(command)
            output = Core::Execution.execute(command, on_fail: nil)
            output unless output.to_s.empty?
          end

          def resolve_value
            @value.nil? ? @code&.call : @value
          end
        end
      end
    end
  end
end
