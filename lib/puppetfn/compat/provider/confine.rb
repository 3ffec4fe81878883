# frozen_string_literal: true

module Puppetfn
  module Puppet
    # A condition for the suitability of a provider. See Puppet's `confine.rb` and `confine/`.
    class Confine
      include Util

      class << self
        # @return [Symbol] the subject of the class's conditions, such as `exists`
        def name
          super.split("::").last.downcase.to_sym
        end

        # @param name [Symbol]
        # @return [Class<Confine>, nil] nil for facts and settings
        def test(name)
          {exists: Exists, true: True, false: False, any: Any, feature: Feature, variable: Variable}[name.to_sym]
        end
      end

      # @return [Array<Object>]
      attr_reader :values

      # @return [Boolean, nil] whether the files are programs
      attr_accessor :for_binary
      alias for_binary? for_binary

      # @return [String] the provider, for messages
      attr_accessor :label

      # @param values [Object, Array<Object>]
      def initialize(values)
        @values = values.is_a?(Array) ? values : [values]
      end

      # @return [Array<Boolean>] the outcome for each value
      def result
        values.map { |value| pass?(value) }
      end

      # @return [Boolean]
      def valid?
        values.each do |value|
          next if pass?(value)

          Puppet.debug { "#{label}: #{message(value)}" }
          return false
        end
        true
      end

      # Does nothing, as in Puppet.
      #
      # @return [void]
      def reset; end

      # @return [String]
      def message(_value) = ""

      # Confines that count the values that pass.
      module Counted
        def summarize(confines) = confines.sum(&:summary)
      end

      # Values that may be computed; one that passes is not computed again.
      module Boolean
        # @return [Array<Object>]
        def values
          return @values unless @values.length == 1 && @values.first.respond_to?(:call)
          return @cached_value if @cached_value

          computed = [@values.first.call ? true : false]
          @cached_value = computed if computed.first == passing_value
          computed
        end

        # @return [Integer]
        def summary = result.count(passing_value)
      end

      # Values that have to be true.
      class True < Confine
        include Boolean
        extend Counted

        def passing_value = true
        def pass?(value) = value ? true : false
        def message(_value) = "false value when expecting true"
      end

      # Values that have to be false.
      class False < Confine
        include Boolean
        extend Counted

        def passing_value = false
        def pass?(value) = !value
        def message(_value) = "true value when expecting false"
      end

      # Values of which one has to be true.
      class Any < Confine
        extend Counted

        def pass?(value) = value ? true : false
        def message(value) = "0 confines (of #{value.length}) were true"
        def summary = result.count(true)

        def valid?
          passed = values.any? { |value| pass?(value) }
          Puppet.debug { "#{label}: #{message(values)}" } unless passed
          passed
        end
      end

      # Files or programs that have to be there.
      class Exists < Confine
        def self.summarize(confines) = confines.flat_map(&:summary)

        def pass?(value)
          return true if Runtime.current&.suits_providers?

          value && (for_binary? ? which(value) : FileSystem.exist?(value))
        end

        def message(value) = "file #{value} does not exist"
        def summary = values.reject { |value| pass?(value) }
      end

      # Features of Puppet that have to be there.
      class Feature < Confine
        def self.summarize(confines) = confines.flat_map(&:values).uniq.reject { |value| confines[0].pass?(value) }

        def pass?(value) = Puppet.features.public_send("#{value}?")
        def message(value) = "feature #{value} is missing"
      end

      # Values that a setting or a fact has to have one of.
      class Variable < Confine
        # @return [Symbol]
        attr_accessor :name

        def self.summarize(confines)
          confines.reject(&:valid?).each_with_object(Hash.new { |all, name| all[name] = [] }) { |one, all| all[one.name] += one.values }
        end

        def initialize(values)
          super
          @values = @values.map { |value| value.is_a?(Regexp) ? value : value.to_s.downcase }
        end

        # @return [String]
        def facter_value = Facter.value(name).to_s.downcase

        def pass?(value) = value.is_a?(Regexp) ? value.match?(known) : known == value.to_s.downcase
        def valid? = values.any? { |value| pass?(value) }
        def message(_value) = "facter value '#{known}' for '#{name}' not in required list '#{values.join(",")}'"

        private

        def known
          settings = Runtime.current&.settings
          settings&.include?(name) ? settings[name].to_s.downcase : facter_value
        end
      end
    end

    # The conditions of a provider.
    class ConfineCollection
      # @return [String] the provider, for messages
      attr_reader :label

      # @param label [String]
      def initialize(label)
        @label = label
        @confines = []
      end

      # @param conditions [Hash{Symbol, String=>Object}] values by subject: `exists`, `true`, `false`, `any`, `feature`, a setting or fact
      def confine(conditions)
        binary = conditions.include?(:for_binary)
        conditions.each do |name, values|
          next if name == :for_binary

          test = Confine.test(name)
          confine = (test || Confine::Variable).new(values)
          confine.name = name unless test
          confine.for_binary = true if binary
          confine.label = label
          @confines << confine
        end
      end

      # @return [Hash{Symbol=>Object}] the unmet conditions by subject
      def summary
        found = @confines.group_by(&:class).to_h { |kind, all| [kind, kind.summarize(all)] }
        found.reject { |_, value| value.eql?(0) || (value.respond_to?(:empty?) && value.empty?) }.transform_keys(&:name)
      end

      # @return [Boolean] whether all conditions are true
      def valid?
        @confines.all?(&:valid?)
      end
    end

    # Classes with conditions: providers.
    module Confiner
      # @param conditions (see ConfineCollection#confine)
      def confine(conditions)
        confine_collection.confine(conditions)
      end

      # @return [ConfineCollection]
      def confine_collection
        @confine_collection ||= ConfineCollection.new(to_s)
      end

      # @param short [Boolean]
      # @return [Boolean, Hash] whether all conditions are met; if not `short`, the unmet conditions by subject
      def suitable?(short = true)
        short ? confine_collection.valid? : confine_collection.summary
      end
    end
  end
end
