# frozen_string_literal: true

module Puppetfn
  module Puppet
    module Parser
      class Resource < Puppet::Resource
        # A parameter and its source. Writes to parameters of declared resources go to the catalog at once.
        class Param
          # @return [Symbol]
          attr_reader :name
          # @return [Object]
          attr_reader :value
          # @return [Scope::Source, nil] the source that set it
          attr_reader :source
          # @return [Boolean, nil] whether it adds to the value before
          attr_reader :add
          # @return [String, nil]
          attr_reader :file
          # @return [Integer, nil]
          attr_reader :line

          # Returns the parameter of a declared resource.
          #
          # @api private
          def self.lent(resource, name, value)
            new(name: name, value: value, file: resource.file, line: resource.line).tap { |param| param.belong_to(resource) }
          end

          # @return [Param] a copy with another value
          def self.from_param(param, value)
            param.dup.tap { |copy| copy.value = value }
          end

          # @param name [String, Symbol]
          # @raise [ResourceError] without a name
          def initialize(name: nil, value: nil, source: nil, line: nil, file: nil, add: nil)
            raise ResourceError, "'name' is a required option for Puppet::Parser::Resource::Param" unless name

            @value, @source, @line, @file, @add = value, source, line, file, add
            @name = name.to_sym
          end

          # @param value [Object]
          def value=(value)
            @value = value
            @owner&.parameter_changed(self, :value)
          end

          %i[source add file line].each do |attribute|
            define_method(:"#{attribute}=") do |value|
              Kernel.instance_method(:instance_variable_set).bind_call(self, :"@#{attribute}", value)
              @owner&.parameter_changed(self, attribute)
            end
          end

          # @param name [String, Symbol]
          # @raise [UnavailableError] if the parameter is one of a declared resource
          def name=(name)
            raise UnavailableError, "Renaming a parameter of a resource" if @owner

            @name = name
          end

          # (see Object#instance_variable_set)
          def instance_variable_set(name, value)
            setter = :"#{name.to_s.delete_prefix("@")}="
            respond_to?(setter) ? public_send(setter, value) : super
          end

          # @return [Integer, nil]
          def line_to_i
            line ? Integer(line) : nil
          end

          # @return [String]
          def to_s
            "#{name} => #{value}"
          end

          # @api private
          # @param resource [Resource] the declared resource that it is a parameter of
          # @return [void]
          def belong_to(resource)
            @owner = resource unless frozen?
          end

          # Takes the value in the catalog.
          #
          # @api private
          def show(value)
            @value = value
          end

          # @api private
          # @return [Array] as of Evaluator#change_resource
          def to_change
            file = self.file
            [name.name, value, file&.to_s, line && Integer(line), !source.nil?, add ? true : false]
          end

          private

          def initialize_copy(original)
            super
            @owner = nil
          end
        end
      end
    end
  end
end
