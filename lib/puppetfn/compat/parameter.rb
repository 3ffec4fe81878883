# frozen_string_literal: true

module Puppetfn
  module Puppet
    # An attribute of a resource: the class is its definition in the type, an instance its value in a resource.
    class Parameter
      include Util
      include Util::Errors
      include Util::Logging
      include Translation

      autoload :Boolean, File.join(__dir__, "parameter", "boolean")
      autoload :PackageOptions, File.join(__dir__, "parameter", "package_options")
      autoload :Path, File.join(__dir__, "parameter", "path")
      autoload :Value, File.join(__dir__, "parameter", "value_collection")
      autoload :ValueCollection, File.join(__dir__, "parameter", "value_collection")

      # Methods of the block of `newparam`.
      module Definition
        # @return [Symbol]
        attr_reader :name

        # @return [Array<Symbol>, nil] the features that a provider must have for the parameter to be managed
        attr_reader :required_features

        # @return [ValueCollection]
        attr_reader :value_collection

        # @return [Boolean, nil] whether all types have the parameter
        attr_accessor :metaparam

        # Begins with no values.
        def initvars
          @value_collection = ValueCollection.new
        end

        # Documents the parameter.
        def desc(text)
          @doc = text
        end

        # @return [String] the text of {desc}, the accepted values and the required features
        def doc
          parts = [Util::Docs.scrub(@doc || "")]
          parts << value_collection.doc unless value_collection.doc.empty?
          parts << "Requires features #{required_features.join(" ")}." if required_features
          parts.join("\n\n")
        end

        # Sets the default value of the parameter.
        #
        # @yield in the parameter, for a value that depends on the resource
        # @raise [DevError] when there is neither a value nor a block
        def defaultto(value = nil, &block)
          raise DevError, "Either a default value or block must be provided" if value.nil? && block.nil?

          block ? define_method(:default, &block) : define_method(:default) { value }
          @constant_default = value unless block
        end

        # @api private
        # @return [Object, nil] the default value, if it is the same for all resources
        def constant_default
          owner = instance_method(:default).owner
          owner.equal?(self) ? @constant_default : (owner.constant_default if owner.respond_to?(:constant_default))
        end

        # Removes the default that the parameter has inherited.
        def nodefault
          undef_method(:default) if public_method_defined?(:default)
        end

        # Sets whether the value must not be shown.
        def sensitive(value = nil, &block)
          block ? define_method(:is_sensitive, &block) : define_method(:is_sensitive) { value }
        end

        # @yieldparam value [Object]
        # @yieldreturn [Object] the munged value
        def munge(&block)
          define_method(:unsafe_munge, &block)
        end

        # @yieldparam value [Object] munged
        # @yieldreturn [Object] the value to show
        def unmunge(&block)
          define_method(:unsafe_unmunge, &block)
        end

        # @yieldparam value [Object] the block raises an ArgumentError if it is wrong
        def validate(&block)
          define_method(:unsafe_validate, &block)
        end

        # Declares that the result of its blocks depends only on the value.
        #
        # @api private
        # @param values [Array<Symbol>] the values that this applies to; all if none are given
        def pure(*values)
          @declared_pure = true
          @pure_values = values unless values.empty?
        end

        # @api private
        # @return [Boolean] whether the outcome of a value depends on nothing but the value
        def pure?
          hook_owners.all? { |owner| owner.is_a?(Definition) && owner.declared_pure }
        end

        # @api private
        # @return [Boolean] whether nothing that is done about values is the parameter's own
        def plain?
          (hook_owners - [Parameter, Property]).empty?
        end

        # @api private
        # @return [Boolean] whether the outcome of a value is shown unchanged
        def shown_as_is?
          (%i[value should unmunge unsafe_unmunge].filter_map { |name| instance_method(name).owner if method_defined?(name) } -
            [Parameter, Property]).empty? && !(respond_to?(:array_matching) && array_matching == :all)
        end

        # @api private
        # @return [Boolean, nil] whether {#pure} was said of the methods of this very class
        attr_reader :declared_pure

        # @api private
        # @return [Array<Symbol>, nil] the values of which it was said, if it was not said of all
        attr_reader :pure_values

        # Makes the parameter one that names resources.
        def isnamevar
          @isnamevar = true
          @required = true
          Parameter.revise
        end

        # @return [Boolean, nil]
        def isnamevar?
          @isnamevar
        end

        # Makes the parameter mandatory.
        def isrequired
          @required = true
        end

        # @return [Boolean, nil]
        def required?
          @required
        end

        def required_features=(*names)
          @required_features = names.flatten.map { |name| name.to_s.downcase.intern }
        end

        def newvalues(*names)
          value_collection.newvalues(*names)
        end

        def aliasvalue(name, other)
          value_collection.aliasvalue(name, other)
        end

        # @return [String] a value as messages show it, arrays and hashes within others on lines of their own
        def format_value_for_display(value)
          case value
          when nil, :undef then ""
          when ::Regexp then value.source
          when Pops::Types::PSensitiveType::Sensitive then value.to_s
          else Pops::Types::TypeFactory.string.new(value, displayed(value))
          end
        end

        private

        def displayed(value)
          case value
          when ::Array, ::Hash then {Pops::Types::PCollectionType::DEFAULT => "%#p"}
          when ::Float then "%f"
          else "%p"
          end
        end

        def hook_owners
          return @hook_owners if @hooks_revision == Parameter.revision

          @hooks_revision = Parameter.revision
          @hook_owners = HOOKS.filter_map { |name| instance_method(name).owner if method_defined?(name) }
        end

        def method_added(name)
          super
          @constant_default = nil if name == :default
          Parameter.revise
        end
      end

      # Hooks that validate, convert and set a value.
      HOOKS = %i[value= should= validate munge unsafe_validate unsafe_munge validate_features_per_value].freeze
      private_constant :HOOKS

      @revision = 0

      class << self
        # @api private
        # @return [Integer] number of definitions so far, which invalidates caches
        attr_reader :revision

        # Invalidates everything that was derived from the declarations of parameters.
        #
        # @api private
        # @return [void]
        def revise
          Parameter.instance_eval { @revision += 1 }
        end
      end

      extend Util
      extend Util::Docs
      extend Util::Logging
      extend Translation
      extend Definition
      pure

      # @return [Type]
      attr_accessor :resource

      attr_accessor :parent

      # @return [Boolean, nil] whether the value must not be shown
      attr_accessor :sensitive

      # @param resource [Type]
      # @raise [DevError] when there is none
      def initialize(resource: nil, value: nil, should: nil)
        raise DevError, "No resource set for #{self.class.name}" unless resource

        @resource = resource
        self.value = value if value
        self.should = should if should
      end

      # @return [Symbol]
      def name
        self.class.name
      end

      # @return [Boolean, nil]
      def required?
        self.class.required?
      end

      # @return [Boolean, nil]
      def isnamevar?
        self.class.isnamevar?
      end

      # @return [Boolean, nil]
      def metaparam?
        self.class.metaparam
      end

      # @return [Integer, nil]
      def line
        resource.line
      end

      # @return [String, nil]
      def file
        resource.file
      end

      # @return [Provider, nil]
      def provider
        @resource.provider
      end

      # @return [Object, nil]
      def value
        unmunge(@value) unless @value.nil?
      end

      # @raise [Puppet::Error] when it is wrong
      def value=(value)
        validate(value)
        @value = munge(value)
      end

      # @raise [Puppet::Error] when a value is wrong
      def validate(value)
        return if deferred?(value)

        unsafe_validate(value)
      rescue ArgumentError => e
        fail(Puppet::Error, e.to_s, e)
      rescue Puppet::Error, TypeError
        raise
      rescue StandardError => e
        raise DevError, "Validate method failed for class #{name}: #{e}", e.backtrace
      end

      # Takes a value whose outcome is already known.
      #
      # @api private
      def take(_value, outcome)
        @value = outcome
      end

      # @api private
      # @return [Object] the value after munging
      def outcome
        @value
      end

      # @return [Object] the munged value
      def munge(value)
        return value if deferred?(value)

        unsafe_munge(value)
      rescue Puppet::Error
        raise
      rescue StandardError => e
        raise DevError, "Munging failed for value #{value.inspect} in class #{name}: #{e}", e.backtrace
      end

      # @return [Object] a munged value as it is shown
      def unmunge(value)
        value.is_a?(Pops::Evaluator::DeferredValue) ? value : unsafe_unmunge(value)
      end

      # The default validation, which {Definition#validate} replaces.
      def unsafe_validate(value)
        self.class.value_collection.validate(value)
      end

      # The default munging, which {Definition#munge} replaces.
      def unsafe_munge(value)
        self.class.value_collection.munge(value)
      end

      # The default unmunging, which {Definition#unmunge} replaces.
      def unsafe_unmunge(value)
        value
      end

      # @return [String] the path in the catalog
      def path
        @path ||= "/#{pathbuilder.join("/")}"
      end

      # @api private
      def pathbuilder
        [*@resource&.pathbuilder, name]
      end

      # @return [Boolean]
      def noop
        @noop || resource.noop || Puppet[:noop] || false
      end

      # @return [Array<String>]
      def tags
        @tags ||= [*(@resource.tags if @resource.respond_to?(:tags)), name.to_s]
      end

      def log(message)
        send_log(resource[:loglevel], message)
      end

      def remove
        @resource = nil
      end

      # Fills a text with values, which are not shown if they are sensitive.
      def format(text, *args)
        text % args.map { |arg| @sensitive ? "[redacted]" : arg.to_s }
      end

      # @return [String]
      def to_s
        name.to_s
      end

      # @return [String] without its value, which may be sensitive
      def inspect
        "#<#{self.class} of #{resource}>"
      end

      private

      # A value that is made when the catalog is applied can only be checked then.
      def deferred?(value)
        value.is_a?(Pops::Evaluator::DeferredValue)
      end
    end
  end
end
