# frozen_string_literal: true

module Vectors
  module Cty
    # Values of cty's as the cases write them.
    module Codec
      BYTES = Puppetfn::Cty.type("bytes")

      # A value from its JSON, which tells its type.
      def self.value(json)
        value_of(Puppetfn::Cty.type(json.fetch("type")), json)
      end

      def self.value_of(type, json)
        value =
          if json["null"] then Puppetfn::Cty.null(type)
          elsif json["unknown"] then Puppetfn::Cty.unknown(type)
          else known(type, json["value"], json["prec"] || 512)
          end
        value.mark(*json["marks"])
      end

      # An element: in full, or its bare value.
      def self.element(type, json)
        value_of(type, json.is_a?(Hash) ? json : {"value" => json})
      end

      def self.known(type, json, precision)
        case type.kind
        when :number then Puppetfn::Cty.number(json, precision: precision)
        when :list, :set then elements(type, json.map { |item| element(type.element_type, item) })
        when :map then elements(type, json.transform_values { |item| element(type.element_type, item) })
        when :tuple
          Puppetfn::Cty.value(json.zip(type.element_types).map { |item, of| element(of, item) })
        when :object then Puppetfn::Cty.value(attributes(type.attribute_types, json))
        when :capsule then Puppetfn::Cty.value(Puppetfn::Binary.from_binary_string([json].pack("H*")))
        else Puppetfn::Cty.value(json)
        end
      end

      # The elements of a collection are of its type already.
      def self.elements(type, parts)
        Puppetfn::Cty.value(parts, type)
      end

      # The names of the attributes of the type are normalized.
      def self.attributes(types, json)
        json.to_h { |name, item| [name, element(types.fetch(name.unicode_normalize(:nfc)), item)] }
      end
      private_class_method :value_of, :element, :known, :elements, :attributes
    end
  end
end
