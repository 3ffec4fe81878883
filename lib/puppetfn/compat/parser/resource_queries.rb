# frozen_string_literal: true

module Puppetfn
  module Puppet
    module Parser
      class Resource
        # Questions about a declared resource, with the answers of Puppet's `Puppet::Parser::Resource` and `Puppet::Resource`.
        module Queries
          # @return [Boolean] see {Resource#virtual?}
          def virtual
            virtual?
          end

          # @return [Boolean] see {Resource#exported?}
          def exported
            exported?
          end

          # @return [Puppet::Resource::Type] the definition whose code declares the resource; a script has only the top level
          def source
            @source || scope.find_global_scope.source
          end

          # @return [Boolean] whether the code of a class or defined type has run; types written in Ruby have none
          def evaluated?
            class? && scope.variables.key?("#{title.to_s.downcase}::title")
          end

          # @return [Boolean] whether no two resources of the type can have the same name
          def isomorphic?
            !builtin_type? || resource_type.isomorphic?
          end

          # @return [Array<Symbol>] names of the parameters that were given
          def keys
            parameters.keys
          end

          # @param name [String, Symbol]
          # @return [Boolean] whether a parameter was given
          def has_key?(name)
            parameters.key?(name.to_sym)
          end

          # @param parameter [String, Symbol]
          # @return [Boolean]
          def include?(parameter)
            has_key?(parameter) # rubocop:disable Style/PreferredHashMethods
          end

          # @param name [String, Symbol]
          # @return [Boolean] whether resources of the type can have a parameter
          def valid_parameter?(name)
            definition = resource_type || defined_type
            definition.respond_to?(:validattr?) ? definition.validattr?(name) : definition&.valid_parameter?(name) || false
          end

          # @param name [String, Symbol]
          # @return [void]
          # @raise [Puppet::ParseError] unless resources of the type can have the parameter
          def validate_parameter(name)
            raise Puppet::ParseError.new("no parameter named '#{name}'", file, line) unless valid_parameter?(name)
          end

          # @return [true] a type that does not exist is an error
          def strict?
            true
          end

          # @return [nil] no resource knows its column
          def pos
            nil
          end

          # @return [false] the resource is no override of another one
          def override?
            false
          end

          # @return [String] the kind of its type, as catalogs have it
          def kind
            return super unless @runtime
            return "class" if class?

            builtin_type? ? "compilable_type" : "definition"
          end

          # @return [Puppet::Resource] a copy that belongs to no catalog, with the values from its title
          def copy_as_resource
            return dup unless @runtime

            @runtime.activate do
              Puppet::Resource.described([type, title, plain_parameters, file, line, virtual?, exported?, sensitive_parameters, tags.to_a,
                                          false, kind]).named
            end
          end

          # @return [Hash{String=>Object}] the resource as catalogs have it
          def to_data_hash
            data = {"type" => type, "title" => title.to_s, "tags" => tags}
            data["file"] = file if file
            data["line"] = line if line
            data["exported"] = exported?
            data["kind"] = kind
            converter = Pops::Serialization::ToDataConverter
            given = plain_parameters.to_h { |name, value| [name.name, converter.convert(value, rich_data: true)] }
            given.empty? ? data : data.merge("parameters" => given)
          end

          # @return [String] JSON
          def to_json(*arguments)
            require "json"
            to_data_hash.to_json(*arguments)
          end

          private

          def plain_parameters
            values.compact
          end

          def defined_type
            types = scope.environment.known_resource_types
            class? ? types.hostclass(title.to_s) : types.definition(type)
          end
        end

        include Queries
      end
    end
  end
end
