# frozen_string_literal: true

require_relative "../texts"
require_relative "../values"
require_relative "../world"

module Differential
  module Findings
    # Values of types, several of each.
    class Samples
      # What the code of modules is given where it says nothing of types.
      ANYTHING = ["sample", 8080, ["sample"], true, {"sample" => {}}].freeze
      # What no data has.
      UNUSUAL = /\A(?:proc|lambda|Object|StandardError|Comparable|String\b|Time|Rational|:|::URI|\(|nil)|\.each/

      # What World asks for.
      Side = Struct.new(:scope) do
        def type(text)
          ::Puppet::Pops::Types::TypeParser.singleton.parse(text)
        end

        def sensitive_class
          ::Puppet::Pops::Types::PSensitiveType::Sensitive
        end
      end

      # @return [Samples] those of all runs
      def self.shared
        @shared ||= new
      end

      def initialize
        @world = World.new(Side.new)
        @values = Values.new(@world)
        @found = {}
      end

      # @param type [Puppet::Pops::Types::PAnyType, nil]
      # @param number [Integer] which of them
      # @return [Object] one of the type; what stands in for it if none is found
      def of(type, number)
        values = @found[type.to_s] ||= values(type)
        values[number % values.size]
      end

      private

      def values(type)
        return ANYTHING if type.nil? || type.instance_of?(::Puppet::Pops::Types::PAnyType)

        codes = @values.good(type).grep_v(UNUSUAL)
        texts = TEXTS.select { |text| type.instance?(text) }
        found = codes.first(6).map { |code| @world.evaluate(code) } + texts.first(3)
        found.empty? ? ANYTHING : found
      end
    end
  end
end
