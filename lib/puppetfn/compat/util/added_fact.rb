# frozen_string_literal: true

module Puppetfn
  module Facter
    # A fact that code has added, with its resolutions.
    #
    # @api private
    class AddedFact
      # @return [Symbol]
      attr_reader :name

      # @param name [Symbol]
      def initialize(name)
        @name = name
        @resolutions = []
      end

      # @yield to define a resolution, as its method
      # @return [void]
      def add(options, &block)
        remove_instance_variable(:@value) if defined?(@value)
        resolution = Resolution.new(options)
        resolution.instance_eval(&block) if block
        @resolutions << resolution
      end

      # @return [Object, nil] value of the suitable resolution with the greatest weight that has one
      def value
        return @value if defined?(@value)

        suitable = @resolutions.select(&:suitable?).sort_by.with_index { |resolution, at| [-resolution.weight, at] }
        @value = suitable.lazy.map(&:value).find { |value| !value.nil? }
      end

      # One way to find the value of a fact.
      class Resolution
        # @param options [Hash] `:weight` and `:value`
        def initialize(options)
          @weight = options[:weight]
          @value = options[:value]
          @confines = []
        end

        # @return [Integer] the given weight, otherwise the number of confines
        def weight
          @weight || @confines.size
        end

        # @return [void]
        def has_weight(weight)
          @weight = weight
        end

        # Restricts the resolution to systems with matching facts.
        #
        # @return [void]
        def confine(facts = nil, &block)
          @confines << block if block && !facts.respond_to?(:each_pair)
          facts.each_pair { |name, wanted| @confines << -> { matches?(Facter.value(name), wanted) } } if facts.respond_to?(:each_pair)
        end

        # @return [void]
        def setcode(command = nil, &block)
          @code = command ? -> { Core::Execution.execute(command.to_s) } : block
        end

        # @return [void]
        def timeout=(_seconds); end

        # @return [Boolean]
        def suitable?
          @confines.all?(&:call)
        end

        # @return [Object, nil]
        def value
          @value.nil? ? @code&.call : @value
        end

        private

        def matches?(value, wanted)
          Array(wanted).any? { |one| one.is_a?(String) || one.is_a?(Symbol) ? one.to_s.casecmp?(value.to_s) : one === value }
        end
      end
    end

    # Programs that facts run.
    module Core
      module Execution
        # A program that fails.
        class ExecutionFailure < StandardError; end

        module_function

        # @param command [String]
        # @return [String] the output, without the line break at its end
        def execute(command, _options = {})
          Puppet::Util::Execution.execute(command, failonfail: false, combine: false).to_s.chomp
        end

        # (see execute)
        def exec(command)
          execute(command)
        end

        # @param name [String]
        # @return [String, nil]
        def which(name)
          Puppet::Util.which(name)
        end
      end
    end

    # The older names.
    module Util
      module Resolution
        # (see Core::Execution.execute)
        def self.exec(command)
          Core::Execution.execute(command)
        end

        # (see Core::Execution.which)
        def self.which(name)
          Core::Execution.which(name)
        end
      end
    end
  end
end
