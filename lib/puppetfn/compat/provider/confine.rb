# frozen_string_literal: true

module Puppetfn
  module Puppet
    # What has to be true for a provider to be suitable.
    class Confine
      TESTS = {
        true: ->(value) { Confine.value(value) ? true : false },
        false: ->(value) { !Confine.value(value) },
        feature: ->(value) { Puppet.features.public_send("#{value}?") },
        any: ->(value) { value ? true : false }
      }.freeze
      private_constant :TESTS

      # @param given [Object, #call]
      # @return [Object] what it is, or gives
      def self.value(given)
        given.respond_to?(:call) ? given.call : given
      end

      # @param test [Symbol] what is asked, or the name of a fact or setting
      # @param values [Array<Object>]
      # @param binary [Boolean] whether what has to exist is a program
      def initialize(test, values, binary)
        @test = test.to_sym
        @values = values
        @binary = binary
      end

      # @return [Boolean]
      def valid?
        case @test
        when :exists then @values.all? { |path| exists?(path) }
        when :any then @values.any?
        when *TESTS.keys then @values.all?(&TESTS.fetch(@test))
        else fact_or_setting?
        end
      end

      private

      def exists?(path)
        return true if Runtime.current&.suits_providers?

        return !Util.which(path).nil? if @binary

        path.is_a?(String) && File.exist?(path)
      end

      def fact_or_setting?
        settings = Runtime.current&.settings
        known = settings&.include?(@test) ? settings[@test].to_s.downcase : Facter.value(@test).to_s.downcase
        @values.any? { |value| value.is_a?(Regexp) ? value.match?(known) : value.to_s.downcase == known }
      end
    end

    # What can be confined.
    module Confiner
      # @param conditions [Hash] by what they are about: `exists`, `true`, `false`, `feature`, a fact
      def confine(conditions)
        binary = conditions[:for_binary]
        conditions.each do |test, values|
          confines << Confine.new(test, values.is_a?(Array) ? values : [values], binary) unless test == :for_binary
        end
      end

      # @return [Boolean] whether all conditions are true
      def suitable?
        confines.all?(&:valid?)
      end

      private

      def confines
        @confines ||= []
      end
    end
  end
end
