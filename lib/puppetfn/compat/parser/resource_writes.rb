# frozen_string_literal: true

module Puppetfn
  module Puppet
    module Parser
      class Resource < Puppet::Resource
        # Writes of functions to resources. They go to the catalog at once, if the resource is declared; an unsupported one
        # is an error.
        module Writes
          # Attributes that Puppet does not look at after a function has set them.
          IGNORED = %i[override translated strict validate_parameters collector_id].freeze
          # Attributes of declared resources, and methods, that a catalog made by puppetfn has no place for.
          REFUSED = %i[source= scope= kind= resource_type= environment= catalog= evaluate add_edge_to_stage set_tags].freeze
          # Instance variables of Puppet's resources whose state puppetfn keeps elsewhere.
          VARIABLES = %i[@type @title @parameters @sensitive_parameters @exported @virtual @scope @file @line @rstype @kind @tags
                         @source @catalog @evaluated @finished @evaluation_finished @environment].freeze
          private_constant :IGNORED, :REFUSED, :VARIABLES

          IGNORED.each { |name| attr_accessor name }

          REFUSED.each do |name|
            define_method(name) do |*values|
              raise UnavailableError, "Puppet::Parser::Resource##{name}" if @runtime || !name.end_with?("=")

              super(*values)
            end
          end

          # @param value [Boolean] whether it is only declared, to be collected or realized
          def virtual=(value)
            @runtime ? change(:virtual, value ? true : false) : @virtual = value
          end

          # @param value [Boolean] whether it is declared for other nodes; then it is virtual, too
          def exported=(value)
            return change(:exported, value ? true : false) if @runtime # rubocop:disable Lint/ReturnInVoidContext

            @virtual = true if value
            @exported = value
          end

          # @param value [Boolean] whether its definition counts as evaluated
          def evaluated=(value)
            @runtime ? change(:evaluated, value ? true : false) : @evaluated = value
          end

          # @param value [String, nil] the file of its declaration
          def file=(value)
            @runtime ? change(:file, value&.to_s) : @file = value
          end

          # @param value [Integer, nil] the line of its declaration
          def line=(value)
            @runtime ? change(:line, value && Integer(value)) : @line = value
          end

          # @param names [Array<Symbol>] the parameters whose values must not be shown
          def sensitive_parameters=(names)
            @runtime ? change(:sensitive, names.map(&:to_s)) : @sensitive_parameters = names
          end

          # @param names [Array<String>, String, nil] the new tags, which replace the present ones
          def tags=(names)
            @tags = nil
            change(:tags, []) if @runtime
            tag(*(names.is_a?(String) ? names.strip.split(/\s*,\s*/) : names)) unless names.nil?
          end

          # Adds the tags of something else.
          def merge_tags_from(other)
            tag(*other.tags.to_a)
          end

          # Sets a parameter, whatever value it had before.
          #
          # @param name [String, Symbol, Param]
          # @param value [Object]
          # @return [void]
          def set_parameter(name, value = nil)
            given = name.is_a?(Param) ? name : Param.new(name: name.respond_to?(:value) ? name.name : name, value: value)
            if given.name == :tag
              tag(*given.value)
            end
            parameters[given.name] = given
            @runtime.settle_loans(false) if @runtime
          end
          alias []= set_parameter

          # Takes a parameter away.
          #
          # @param name [Symbol]
          # @return [Param, nil]
          def delete(name)
            parameters.delete(name).tap { @runtime&.settle_loans(false) }
          end

          # Changes the resource by the rules for code.
          #
          # @param other [Resource] holds the parameters to change
          # @raise [Puppet::Error] when the code may not change it
          def merge(other)
            raise UnavailableError, "Puppet::Parser::Resource#merge of a resource that is not declared" unless @runtime

            @runtime.compiler.add_override(other)
          end

          # Finishes the resource, as the compiler does after all code. Later changes are finished here; in Puppet they are not.
          #
          # @param do_validate [Boolean] whether names of parameters are checked
          # @return [void]
          # @raise [Puppet::ParseError] when the type does not have a parameter
          def finish(do_validate = true)
            return if @finished

            @finished = true
            finish_evaluation
            unwrap_parameters
            validate_names if do_validate && builtin_type?
          end

          # Adds the tags of the class or resource that the resource is declared in.
          #
          # @return [void]
          def finish_evaluation
            return if @evaluation_finished

            @evaluation_finished = true
            container = scope.resource
            merge_tags_from(container) unless container.nil? || container.equal?(self)
          end

          # @return [Boolean, nil] whether {#finish} was called
          def finished?
            @finished
          end

          # (see Object#instance_variable_set)
          def instance_variable_set(name, value)
            return super unless @runtime && VARIABLES.include?(name.to_sym)

            setter = :"#{name.to_s.delete_prefix("@")}="
            raise UnavailableError, "The instance variable #{name} of a Puppet::Parser::Resource" unless respond_to?(setter)

            public_send(setter, value)
          end

          # (see Object#instance_variable_get)
          def instance_variable_get(name)
            return super unless @runtime && VARIABLES.include?(name.to_sym)

            reader = {"@virtual" => :virtual?, "@exported" => :exported?}.fetch(name.to_s, name.to_s.delete_prefix("@"))
            respond_to?(reader) ? public_send(reader) : super
          end

          # Writes a change of a parameter that was lent.
          #
          # @api private
          # @param parameter [Param]
          # @param attribute [Symbol]
          # @return [void]
          def parameter_changed(parameter, attribute)
            if attribute == :value
              change(:value, [parameter.name.name, parameter.value])
            else
              change(:parameter, parameter.to_change)
            end
            @runtime.loans.outdate
          end

          def unwrap_parameters
            hidden = parameters.values.select { |parameter| parameter.value.is_a?(Sensitive) }
            return if hidden.empty?

            hidden.each { |parameter| parameter.value = parameter.value.unwrap }
            self.sensitive_parameters = sensitive_parameters | hidden.map(&:name)
          end
          private :unwrap_parameters

          def validate_names
            parameters.each_key { |name| validate_parameter(name) }
          rescue Puppet::Error => e
            raise Puppet::ParseError.new("#{e.message} on #{self}", file, line, e)
          end
          private :validate_names

          # Writes a change to the catalog.
          #
          # @api private
          # @param kind [Symbol] as of Evaluator#change_resource
          # @param value [Object]
          # @return [void]
          def change(kind, value)
            @runtime.evaluator.change_resource(@type, evaluator_title, kind, value)
          end
        end
      end
    end
  end
end
