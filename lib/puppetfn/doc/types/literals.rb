# frozen_string_literal: true

class Puppetfn::Doc
  module Types
    # The values of literals.
    #
    # @api private
    module Literals
      private

      # @yieldparam node [Array] what is in the literal
      # @yieldreturn [Object] its value
      # @return [Object]
      def literal_value(node, &inner)
        case node
        in [:symbol_literal, *] then literal(node).to_sym
        in [:dyna_symbol, *] then text_value(node, &inner).then { |text| text.is_a?(String) ? text.to_sym : text }
        in [:string_literal | :string_concat, *] then text_value(node, &inner)
        in [:@int, text, _] then Integer(text)
        in [:@float, text, _] then Float(text)
        in [:unary, :-@, operand] then inner.call(operand).then { |value| value.is_a?(Numeric) ? -value : UNKNOWN }
        in [:array, items] then array_value(items || [], &inner)
        in [:hash, nil] then {}
        in [:hash, [:assoclist_from_args, pairs]] then hash_value(pairs, &inner)
        in [:bare_assoc_hash, pairs] then hash_value(pairs, &inner)
        in [:regexp_literal, parts, [_, closing, _]] then regexp_value(parts, closing)
        else UNKNOWN
        end
      end

      def text_value(node)
        known = literal(node)
        return known if known

        parts = contents(node)&.map do |part|
          case part
          in [:@tstring_content, content, _, quote] then unescape(content, quote)
          in [:string_embexpr, [only], *] then yield(only)
          else UNKNOWN
          end
        end
        parts&.all? { |part| part.is_a?(String) || part.is_a?(Symbol) } ? parts.join : UNKNOWN
      end

      def array_value(items, &inner)
        if items.first == :args_add_star
          _, before, splat, *after = items
          spread = inner.call(splat)
          return array_value(before, &inner) + (spread.is_a?(Array) ? spread : [UNKNOWN]) + array_value(after, &inner)
        end
        items.map do |item|
          case item
          in [:@tstring_content, text, _, /\A%i/i] then text.to_sym
          in [:@tstring_content, text, *] then text
          else inner.call(item)
          end
        end
      end

      def hash_value(pairs)
        pairs.each_with_object({}) do |pair, hash|
          case pair
          in [:assoc_new, [:@label, name, _], value] then hash[name.delete_suffix(":").to_sym] = value && yield(value)
          in [:assoc_new, key, value] then hash[yield(key)] = yield(value)
          else hash[UNKNOWN] = UNKNOWN
          end
        end
      end

      def regexp_value(parts, closing)
        return UNKNOWN unless parts.all? { |part| part.first == :@tstring_content }

        flags = {"i" => Regexp::IGNORECASE, "m" => Regexp::MULTILINE, "x" => Regexp::EXTENDED}
        Regexp.new(parts.map { |part| part[1] }.join, flags.sum { |flag, bit| closing.include?(flag) ? bit : 0 })
      rescue RegexpError
        UNKNOWN
      end
    end
  end
end
