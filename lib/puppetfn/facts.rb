# frozen_string_literal: true

module Puppetfn
  # Facts as variables have them: data that no function may change, under names that are Strings.
  #
  # @api private
  module Facts
    # What became of a Hash, and the hash code that it had then.
    Known = Struct.new(:code, :variables)
    # Of how many that is kept; when there are more, all are forgotten.
    MOST = 32
    private_constant :Known, :MOST

    @known = {}.compare_by_identity
    @lock = Mutex.new

    class << self
      # Returns the variables of the facts of a node, which many runtimes may be given: the same Hash is only
      # converted again if it has changed.
      #
      # @param facts [Hash]
      # @return [Variables] `facts`, frozen with all that is in it, and one for each fact
      def variables(facts)
        known = @lock.synchronize { @known[facts] }
        # What contains itself, or shares its parts many times over, has no end.
        Variables.new.set("facts", facts) unless known
        code = facts.hash
        return known.variables.copy if known&.code == code

        variables = Variables.new
        variables.set_facts(convert(facts))
        @lock.synchronize do
          @known.clear if @known.size >= MOST
          @known[facts] = Known.new(code, variables.copy)
        end
        variables
      end

      # @param value [Object]
      # @return [Object] frozen, with all that is in it
      def convert(value)
        case value
        when Hash then value.to_h { |key, element| [key.is_a?(Symbol) ? key.name : convert(key), convert(element)] }.freeze
        when Array then value.map { |element| convert(element) }.freeze
        when String then value.frozen? ? value : value.dup.freeze
        when Numeric, true, false, nil then value
        # As Puppet makes of what facts have no other form for.
        else value.to_s.freeze
        end
      end
    end
  end
end
