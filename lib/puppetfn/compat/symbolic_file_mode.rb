# frozen_string_literal: true

module Puppetfn
  module Puppet
    module Util
      # Modes of files as `chmod` has them: `u=rw,go+r`.
      module SymbolicFileMode
        OCTAL = /\A0?[0-7]{1,4}\z/
        CLAUSES = /\A[ugoa]*[-=+][-=+rstwxXugo]*(?:,[ugoa]*[-=+][-=+rstwxXugo]*)*\z/
        BITS = {"r" => 4, "w" => 2, "x" => 1}.freeze
        # Bits of the special digit, by the class of users.
        SPECIAL = {"t" => {"u" => 1, "g" => 1, "o" => 1}, "s" => {"u" => 4, "g" => 2, "o" => 1}}.freeze
        # Shifts of the digits of a mode, in bits: the special one, and the digits for user, group and others.
        SHIFTS = {"s" => 9, "u" => 6, "g" => 3, "o" => 0}.freeze
        private_constant :OCTAL, :CLAUSES, :BITS, :SPECIAL, :SHIFTS

        # @param value [String, Integer]
        # @return [Boolean] whether it is a mode
        def valid_symbolic_mode?(value)
          [OCTAL, CLAUSES].any? { |pattern| pattern.match?(normalize_symbolic_mode(value).to_s) }
        end

        # @param value [String]
        # @return [String] with four digits, if it is a number
        def display_mode(value)
          value.match?(OCTAL) ? value.rjust(4, "0") : value
        end

        # @param value [String, Integer, nil]
        # @return [String, nil] a number in octal digits, without zeros in front
        def normalize_symbolic_mode(value)
          case value
          when Numeric then value.to_s(8)
          when OCTAL then value.to_i(8).to_s(8)
          else value
          end
        end

        # Changes a mode.
        #
        # @param modification [String]
        # @param to_mode [Integer] the mode before
        # @param is_a_directory [Boolean]
        # @return [Integer]
        # @raise [Puppet::Error] when it is not a mode
        def symbolic_mode_to_int(modification, to_mode = 0, is_a_directory = false)
          raise Puppet::Error, "An empty mode string is illegal" if modification.nil? || modification.empty?
          return modification.to_i(8) if modification.match?(/\A[0-7]+\z/)
          raise Puppet::Error, "Numeric modes must be in octal, not decimal!" if modification.match?(/\A\d+\z/)
          raise "non-numeric current mode (#{to_mode.inspect})" unless to_mode.is_a?(Numeric)

          executable = is_a_directory || to_mode & 0o111 != 0
          digits = SHIFTS.transform_values { |shift| (to_mode >> shift) & 7 }
          modification.split(/\s*,\s*/).each do |clause|
            apply_clause(clause, digits, executable)
          rescue Puppet::Error => e
            place = " at #{clause.inspect}" unless clause == modification
            raise Puppet::Error, "#{e.message}#{place} in symbolic mode #{modification.inspect}"
          end
          digits.sum { |digit, bits| bits << SHIFTS.fetch(digit) }
        end

        private

        def apply_clause(clause, digits, executable)
          who, actions = /\A([ugoa]*)([-+=].*)\z/.match(clause)&.captures
          raise Puppet::Error, "Missing action" unless actions

          before = digits.dup
          (who.empty? ? "a" : who).gsub("a", "ugo").chars.uniq.each do |digit|
            digits[digit] = digit_after(actions, digit, before, digits, executable)
          end
        end

        def digit_after(actions, digit, before, digits, executable)
          sign = nil
          actions.each_char.inject(before[digit]) do |bits, action|
            case action
            when "-", "+", "="
              sign = action
              action == "=" ? 0 : bits
            when "s", "t"
              digits["s"] = changed(digits["s"], SPECIAL.dig(action, digit), sign)
              bits
            else changed(bits, bits_of(action, sign, before, executable), sign)
            end
          end
        end

        def bits_of(action, sign, before, executable)
          raise Puppet::Error, "X only works with the '+' operator" if action == "X" && sign != "+"

          if action == "X" then executable ? 1 : 0
          else before.except("s")[action] || BITS[action] || raise(Puppet::Error, "Unknown operation")
          end
        end

        def changed(bits, others, sign)
          sign == "-" ? bits & ~others : bits | others
        end
      end
    end
  end
end
