# frozen_string_literal: true

require_relative "provider/confine"

module Puppetfn
  module Puppet
    # Implements the resources of a type on one platform. Here a provider only answers questions about its abilities:
    # whether it is suitable, and which features it has.
    class Provider
      include Util
      include Util::Errors
      include Util::Logging
      include Translation
      include Comparable

      autoload :Exec, File.join(__dir__, "provider", "exec")
      autoload :Package, File.join(__dir__, "provider", "package")
      autoload :ParsedFile, File.join(__dir__, "provider", "parsed_file")

      # Programs that a provider runs without declaring them.
      module Programs
        # @!method execute(command, options = {})
        #   @return [Util::Execution::ProcessOutput]
        # @!method execpipe(command, failonfail = true)
        #   @return [Object]
        %i[execute execpipe].each do |name|
          define_method(name) { |*arguments, &block| Util::Execution.public_send(name, *arguments, &block) }
        end
      end

      include Programs
      extend Programs

      # Methods of the block of `provide`.
      module Definition
        # @return [Symbol]
        attr_accessor :name

        # @return [Class<Type>]
        attr_accessor :resource_type

        # @return [Array<Hash>]
        attr_reader :defaults

        attr_writer :doc, :source

        def initvars
          @defaults = []
          @notdefaults = []
          @commands = {}
        end

        # Documents the provider.
        def desc(text)
          @doc = text
        end

        # @return [String]
        def doc
          Util::Docs.scrub(@doc || "")
        end

        # @return [Symbol] the source of resources; providers with the same source list the same ones
        def source
          @source ||= name
        end

        # Makes the provider the default where facts have some values.
        def defaultfor(facts)
          @defaults << facts
        end

        # Keeps the provider from being the default where facts have some values.
        def notdefaultfor(facts)
          @notdefaults << facts
        end

        # @return [Boolean]
        def default?
          !default_match.nil?
        end

        # @return [Hash, nil] the criteria that make the provider the default
        def default_match
          find_default(@defaults) unless find_default(@notdefaults)
        end

        # @return [Integer] rank among several defaults: the greatest is taken
        def specificity
          ((default_match&.length || 0) * 100) + ancestors.count { |ancestor| ancestor.is_a?(Class) }
        end

        # Names programs that the provider needs, each a method.
        def commands(programs)
          programs.each { |name, path| has_command(name, path) }
        end

        # Names programs that the provider can use.
        def optional_commands(programs)
          programs.each { |name, path| has_command(name, path) { is_optional } }
        end

        # Names a program, as a method that runs it.
        #
        # @yield in a {CommandDefinition}
        def has_command(name, path, &block)
          definition = CommandDefinition.new
          definition.instance_eval(&block) if block
          confine(exists: path, for_binary: true) unless definition.optional?
          @commands[name.intern] = path
          options = {failonfail: true, combine: true, custom_environment: definition.variables}.compact
          run = lambda do |*arguments|
            program = Util.which(path) or raise MissingCommand, "Command #{name} is missing"
            Util::Execution.execute([program, *arguments], options)
          end
          define_singleton_method(name) { |*arguments| run.call(*arguments) } unless singleton_class.method_defined?(name)
          define_method(name) { |*arguments| self.class.public_send(name, *arguments) } unless method_defined?(name)
        end

        # @return [String, nil] the path of a program
        # @raise [DevError] when none has the name
        def command(name)
          program = @commands&.[](name.intern) || (superclass.command(name) if superclass.respond_to?(:command))
          raise DevError, "No command #{name} defined for provider #{self.name}" unless program

          Util.which(program)
        end

        # @return [Boolean] whether the provider declares a feature
        def declared_feature?(name)
          @declared_features&.include?(name) || false
        end

        # @param parameter [Symbol, Class<Parameter>]
        # @return [Boolean] whether it has the features that a parameter needs
        # @raise [DevError] when there is no such parameter
        def supports_parameter?(parameter)
          unless parameter.is_a?(Class)
            name = parameter
            parameter = resource_type.attrclass(name)
            raise DevError, "'#{name}' is not a valid parameter for #{resource_type.name}" unless parameter
          end
          parameter.required_features.nil? || satisfies?(*parameter.required_features)
        end

        # Defines accessors for the attributes of the type, on the values that `instances` found.
        def mk_resource_methods
          (resource_type.validproperties + resource_type.parameters).uniq.each do |attribute|
            next if attribute == :name

            define_method(attribute) { @property_hash[attribute].nil? ? :absent : @property_hash[attribute] }
            define_method("#{attribute}=") { |value| @property_hash[attribute] = value }
          end
        end

        # @raise [DevError] always: providers that can list resources define this
        def instances
          raise DevError, "To support listing resources of this type the '#{name}' provider needs to implement an 'instances' " \
                          "class method returning the current set of resources."
        end

        private

        def find_default(candidates)
          candidates.find do |conditions|
            conditions.all? do |key, values|
              key == :feature ? Puppet.features.public_send("#{values}?") : fact_among?(key, values)
            end
          end
        end

        def fact_among?(fact, values)
          known = Facter.value(fact).to_s.downcase
          !known.empty? && Array(values).any? do |value|
            value.is_a?(Regexp) ? value.match?(known) : known == value.to_s.downcase
          end
        end
      end

      # Methods of the block of {Definition#has_command}.
      class CommandDefinition
        # Makes the provider suitable even without the program.
        def is_optional
          @optional = true
        end

        # @return [Boolean, nil]
        def optional?
          @optional
        end

        # @return [Hash{Symbol, String=>String}, nil] the variables that {#environment} set
        attr_reader :variables

        # Variables that the program is run with.
        def environment(variables)
          (@variables ||= {}).merge!(variables)
        end
      end

      extend Util
      extend Util::Docs
      extend Util::Logging
      extend Translation
      extend Confiner
      extend Definition
      initvars

      # @return [Type]
      attr_accessor :resource

      # @param resource [Type, Hash, nil] a resource, or its attributes as `instances` found them
      def initialize(resource = nil)
        @resource = resource unless resource.is_a?(Hash)
        @property_hash = resource.is_a?(Hash) ? resource : {}
      end

      # @return [String]
      # @raise [DevError] when it is of no resource
      def name
        @property_hash[:name] || resource&.name ||
          raise(DevError, "No resource and no name in property hash in #{self.class.name} instance")
      end

      # @return [Object]
      def get(name)
        @property_hash[name.intern] || :absent
      end

      def set(values)
        values.each { |name, value| @property_hash[name.intern] = value }
      end

      def command(name)
        self.class.command(name)
      end

      def clear
        @resource = nil
      end

      def <=>(other)
        self.class.name <=> other.class.name if other.is_a?(Provider)
      end

      # @return [String]
      def to_s
        "#{@resource}(provider=#{self.class.name})"
      end
      alias inspect to_s
    end
  end
end
