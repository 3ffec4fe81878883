# frozen_string_literal: true

module Puppetfn
  module Puppet
    module Pops
      module Types
        # Makes types from Ruby.
        module TypeFactory
          extend StandIn

          RUBY_CLASSES = {
            Integer => "Integer", Float => "Float", Numeric => "Numeric", String => "String",
            TrueClass => "Boolean[true]", FalseClass => "Boolean[false]", NilClass => "Undef",
            Regexp => "Regexp", Array => "Array[Any]", Hash => "Hash[Any, Any]"
          }.freeze
          private_constant :RUBY_CLASSES

          class << self
            # Returns a type by its name and the parameters between its brackets in the Puppet language.
            #
            # @param name [String]
            # @param parameters [Array<Type, Integer, Float, String, Regexp, Boolean, Symbol, Hash>]
            # @return [Type]
            def build(name, *parameters)
              parameters = parameters.map { |parameter| literal(parameter) }
              text = parameters.empty? ? name : "#{name}[#{parameters.join(", ")}]"
              Puppetfn::Type.parse(text, Runtime.current&.loader)
            end

            {
              any: "Any", array_of_any: "Array", array_of_data: "Array[Data]", binary: "Binary", catalog_entry: "CatalogEntry",
              data: "Data", default: "Default", deferred: "Deferred", float: "Float", hash_of_any: "Hash",
              hash_of_data: "Hash[String, Data]", integer: "Integer", numeric: "Numeric", rich_data: "RichData",
              scalar: "Scalar", scalar_data: "ScalarData", undef: "Undef", all_callables: "Callable"
            }.each do |method, text|
              define_method(method) { build(text) }
            end

            {
              collection: "Collection", init: "Init", iterable: "Iterable", iterator: "Iterator", not_undef: "NotUndef",
              sem_ver: "SemVer", sensitive: "Sensitive", timespan: "Timespan", timestamp: "Timestamp", type_type: "Type"
            }.each do |method, name|
              define_method(method) { |*parameters| build(name, *parameters.compact) }
            end

            # @param type_name [String, nil] of a resource type
            # @param title [String, nil]
            # @return [Type]
            def resource(type_name = nil, title = nil)
              return build("Resource") unless type_name

              name = type_name.to_s.split("::").map(&:capitalize).join("::")
              title ? build(name, title) : build(name)
            end

            # @param class_name [String, nil]
            # @return [Type]
            def host_class(class_name = nil)
              class_name ? build("Class", class_name.delete_prefix("::")) : build("Class")
            end

            # @return [Type]
            def uri
              build("URI")
            end

            # @return [Type]
            def sem_ver_range
              build("SemVerRange")
            end

            # @param type_string [String]
            # @return [Type]
            def type_reference(type_string = nil)
              type_string ? build("TypeReference", type_string) : build("TypeReference")
            end

            # @return [Boolean] whether a value can be a bound of a range
            def is_range_parameter?(value)
              value.is_a?(Integer) || value == "default" || value == :default
            end

            # @return [Type]
            def range(from = nil, to = nil)
              build("Integer", *bounds(from, to))
            end

            # @return [Type]
            def float_range(from = nil, to = nil)
              build("Float", *bounds(from, to).map { |bound| bound == :default ? bound : Float(bound) })
            end

            # @param size_or_value [Type, String, nil]
            # @return [Type]
            def string(size_or_value = nil)
              case size_or_value
              when nil then build("String")
              when String then build("Enum", size_or_value)
              else build("String", *limits(size_or_value))
              end
            end

            # @return [Type]
            def optional(type = nil)
              type.nil? ? build("Optional") : build("Optional", type.is_a?(String) ? type : type_of(type))
            end

            # @param values [Array<String>] and last, whether letter case is ignored
            # @return [Type]
            def enum(*values)
              build("Enum", *values)
            end

            # @return [Type]
            def variant(*types)
              types = types.map { |type| type_of(type) }.uniq
              types.size == 1 ? types.first : build("Variant", *types)
            end

            # @return [Type]
            def boolean(value = nil)
              build("Boolean", *value)
            end

            # @return [Type]
            def regexp(pattern = nil)
              build("Regexp", *(pattern.is_a?(String) ? Regexp.new(pattern) : pattern))
            end

            # @return [Type]
            def pattern(*expressions)
              build("Pattern", *expressions)
            end

            # @return [Type]
            def array_of(element, size = nil)
              build("Array", type_of(element), *limits(size))
            end

            # @return [Type]
            def hash_of(value, key = scalar, size = nil)
              hash_kv(type_of(key), type_of(value), size)
            end

            # @return [Type]
            def hash_kv(key, value, size = nil)
              build("Hash", key, value, *limits(size))
            end

            # @return [Type]
            def tuple(types = [], size = nil)
              build("Tuple", *types.map { |type| type_of(type) }, *limits(size))
            end

            # @return [Type]
            def struct(members = {})
              build("Struct", members.transform_values { |type| type_of(type) })
            end

            # @return [Type]
            def callable(*parameters)
              build("Callable", *parameters.map { |p| p.is_a?(Array) ? p : callable_parameter(p) })
            end

            # @param parameters [Type, nil] a Tuple
            # @return [Type]
            def callable_of(parameters = nil, block = nil, returns = nil)
              list = [*parameters&.types, *limits(parameters&.size_type), *block]
              returns ? build("Callable", list, returns) : build("Callable", *list)
            end

            # @return [Type] of the objects of a Ruby class, given itself, by an object or by its name
            def type_of(object)
              case object
              when Puppetfn::Type then object
              when ::Module then RUBY_CLASSES.key?(object) ? build(RUBY_CLASSES[object]) : ruby_type(object.name)
              when String then ruby_type(object)
              else Puppetfn::Type.infer(object).generalize
              end
            end

            # @return [Type] as {type_of}, but of the object's class where one is given
            def ruby(object)
              object.is_a?(Class) ? type_of(object) : ruby_type(object.class.name)
            end

            # @return [Type]
            def ruby_type(class_name = nil)
              class_name ? runtime("ruby", class_name) : build("Runtime")
            end

            # @return [Type]
            def runtime(runtime = nil, name = nil)
              build("Runtime", *runtime&.to_s, *name)
            end

            private

            def bounds(from, to)
              [from, to].map { |bound| bound.nil? || bound == "default" ? :default : bound }
            end

            # A size is an Integer type.
            def limits(size)
              size.is_a?(PIntegerType) ? bounds(size.from, size.to) : Array(size)
            end

            def callable_parameter(parameter)
              parameter.is_a?(Integer) || parameter.to_s == "default" ? parameter : type_of(parameter)
            end

            def literal(parameter)
              case parameter
              # `to_s` would show the resolved type, too.
              when PTypeAliasType then parameter.name
              when Puppetfn::Type, Numeric, true, false then parameter.to_s
              when :default, "default" then "default"
              when nil then "undef"
              when Regexp then "/#{parameter.source}/"
              when String then "'#{parameter.gsub(/[\\']/) { |c| "\\#{c}" }}'"
              when Array then "[#{parameter.map { |p| literal(p) }.join(", ")}]"
              when Hash then "{#{parameter.map { |k, v| "#{literal(k)} => #{literal(v)}" }.join(", ")}}"
              else raise ArgumentError, "#{parameter.inspect} cannot be a parameter of a type"
              end
            end
          end
        end
      end
    end
  end
end
