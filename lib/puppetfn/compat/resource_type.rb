# frozen_string_literal: true

module Puppetfn
  module Puppet
    class Resource
      # A class, a node definition or a defined type, as functions see it.
      class Type
        # @return [Symbol] `:hostclass`, `:node` or `:definition`
        attr_reader :type

        # @return [String]
        attr_reader :name

        # @return [String]
        attr_reader :module_name

        # @param type [Symbol]
        # @param name [String]
        # @param module_name [String]
        # @param runtime [Runtime, nil] knows where it is defined
        # @api private
        def initialize(type, name, module_name, runtime = nil)
          @type = type
          @name = name
          @module_name = module_name
          @runtime = runtime
        end

        # @return [String]
        def namespace
          type == :definition ? name.rpartition("::").first : name
        end

        # @return [String, nil] the file of its definition
        def file
          details[0]
        end

        # @return [Integer, nil] the line of its definition
        def line
          details[1]
        end

        # @return [Hash{String=>nil}] the parameters by name; their default values are not evaluated
        def arguments
          details[2].to_h { |parameter| [parameter, nil] }
        end

        # @param param [String, Symbol]
        # @return [Boolean] whether resources of it can have a parameter
        def valid_parameter?(param)
          param = param.to_s
          param == "name" || arguments.key?(param) || Puppet::Type.metaparam?(param)
        end

        # @return [String] of its module, below `manifests`
        def to_s
          name
        end

        def ==(other)
          other.is_a?(Type) && type == other.type && name == other.name
        end
        alias eql? ==

        # @return [Integer]
        def hash
          [type, name].hash
        end

        # @return [String]
        def inspect
          "#<Puppet::Resource::Type #{type} #{name.inspect}>"
        end

        private

        def details
          @details ||= @runtime&.evaluator&.definition(type.name, name) || [nil, nil, []]
        end
      end

      # The classes and defined types of an environment.
      class TypeCollection
        # @return [Environment]
        attr_reader :environment

        # @param environment [Environment]
        # @param runtime [Runtime]
        # @api private
        def initialize(environment, runtime)
          @environment = environment
          @runtime = runtime
        end

        # @param name [String]
        # @return [Type, nil] the class of this name
        def hostclass(name)
          known(:hostclass, name)
        end
        alias find_hostclass hostclass

        # @param name [String]
        # @return [Type, nil] the defined type of this name
        def definition(name)
          known(:definition, name)
        end
        alias find_definition definition

        private

        def known(type, name)
          name = name.to_s.downcase.delete_prefix("::")
          Type.new(type, name, @runtime.module_of(name), @runtime) if @runtime.evaluator.definition(type.name, name)
        end
      end
    end
  end
end
