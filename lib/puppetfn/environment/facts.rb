# frozen_string_literal: true

module Puppetfn
  # Facts as variables have them: data that no function may change, under names that are Strings.
  #
  # @api private
  module Facts
    # Variables of a Hash of facts, its hash code at that time, and its replacement for nil.
    Known = Struct.new(:code, :missing, :variables)
    # Names that only the compiler sets, and names of match variables.
    RESERVED = %w[facts server_facts].freeze
    NUMERIC = /\A[0-9]+\z/
    # The number of cached fact sets; when it is exceeded, all are dropped.
    MOST = 32
    private_constant :Known, :RESERVED, :NUMERIC, :MOST

    @known = {}.compare_by_identity
    @lock = Mutex.new

    class << self
      # Returns the variables of the facts of a node, which many runtimes may be given: the same Hash is only
      # converted again if it has changed.
      #
      # @param facts [Hash]
      # @param missing [String, nil] replacement for nil; Puppet uses empty strings
      # @return [Variables] `facts`, frozen with all that is in it, and one for each fact
      def variables(facts, missing: "")
        known = @lock.synchronize { @known[facts] }
        # Recursive values, and values that share their parts many times over, have no end.
        Variables.new.set("facts", facts) unless known
        code = facts.hash
        return known.variables.copy if known && [known.code, known.missing] == [code, missing]

        variables = Variables.new
        variables.set_facts(convert(facts, missing))
        @lock.synchronize do
          @known.clear if @known.size >= MOST
          @known[facts] = Known.new(code, missing, variables.copy)
        end
        variables
      end

      # Refuses facts that have the names of variables of the compiler.
      #
      # @param facts [Hash]
      # @return [void]
      # @raise [Puppet::ParseError]
      def check_names(facts)
        facts.each_key do |name|
          name = name.to_s
          raise Puppet::ParseError, "Attempt to assign to a reserved variable name: '#{name}'" if RESERVED.include?(name)
          raise Puppet::ParseError, "Cannot assign to a numeric match result variable '$#{name}'" if NUMERIC.match?(name)
        end
      end

      # @param value [Object]
      # @param missing [String, nil] replacement for nil
      # @return [Object] frozen, with all that is in it
      def convert(value, missing = nil)
        case value
        when Hash
          value.to_h { |key, element| [key.is_a?(Symbol) ? key.name : convert(key, missing), convert(element, missing)] }.freeze
        when Array then value.map { |element| convert(element, missing) }.freeze
        when String then value.frozen? ? value : value.dup.freeze
        when nil then missing
        when Numeric, true, false then value
        # As Puppet converts facts that have no other form.
        else value.to_s.freeze
        end
      end
    end
  end
end
