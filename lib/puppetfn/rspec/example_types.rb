# frozen_string_literal: true

module Puppetfn
  module RSpec
    # The resource types in the modules of examples. They are about the system that the facts are of, and so they
    # ask nothing of the machine that the examples run on.
    #
    # @api private
    class ExampleTypes < ResourceTypes
      # The constants that types define. They stay, as in Puppet: specs name them, and would otherwise find a constant of an outer
      # namespace, such as `Puppet::Util::Package`.
      class LastingNames < SharedNames
        class << self
          # @return [LastingNames, nil] the defined constants
          attr_accessor :present
        end

        private

        def put_down
          @held = true
          place unless LastingNames.present.equal?(self)
        end

        def pick_up
          @constants = NAMESPACES.each_key.to_h do |namespace|
            names = namespace.constants(false) - @others.fetch(namespace)
            [namespace, names.to_h { |name| [name, namespace.const_get(name, false)] }]
          end
        ensure
          @held = false
        end

        def place
          LastingNames.present&.withdraw
          LastingNames.present = self
          @others = NAMESPACES.to_h { |namespace, everybodys| [namespace, everybodys | namespace.constants(false)] }
          @constants.each do |namespace, constants|
            constants.each { |name, value| namespace.const_set(name, value) unless namespace.const_defined?(name, false) }
          end
        end

        protected

        def withdraw
          @constants.each do |namespace, constants|
            constants.each_key { |name| namespace.send(:remove_const, name) if namespace.const_defined?(name, false) }
          end
        end
      end

      # The sandbox of the files. Their `require` gives them the same files as the `require` of specs.
      class Files < Sandbox
        # Specs and files of modules that specs require add to one `PuppetX`, whichever way a file is required.
        #
        # @param environment [Environment]
        def initialize(environment)
          super
          top = Object.const_defined?(:PuppetX, false) ? ::PuppetX : Object.const_set(:PuppetX, ::Module.new)
          const_set(:PuppetX, top)
        end

        # Leaves helpers that are required by a path to Ruby, like helpers on the load path.
        #
        # @param feature [String] as `require` takes it
        # @return [Boolean, nil] (see Sandbox#require_of_modules)
        def require_of_modules(feature)
          super unless helper?(feature)
        end

        # @param feature [String] as `require_relative` takes it
        # @param location [Thread::Backtrace::Location] the place of the call
        # @return [Boolean, nil] (see Sandbox#require_beside)
        def require_beside(feature, location)
          path = File.expand_path(feature, File.dirname(location.absolute_path || location.path))
          helper?(path) ? ::Kernel.require(path) : super
        end

        # @return [ExampleTypes]
        def resource_types
          @resource_types ||= ExampleTypes.new(self)
        end

        private

        # True for the path of a file that is neither a type nor a provider.
        def helper?(path)
          path = path.to_s
          path.start_with?("/") && !path.match?(%r{/lib/puppet/(?:type|provider)/})
        end

        def real_libraries
          []
        end

        # Modules do not change during a run. Types ask for features that no module has in each example.
        def remains_missing?(_feature)
          true
        end

        # As in Puppet, specs see the top-level constants of the files.
        def name_constants
          super
          constants(false).each { |name| Object.const_set(name, const_get(name, false)) unless Object.const_defined?(name, false) }
        end
      end

      class << self
        # @return [Hash{Symbol=>Hash{Symbol=>Class<Puppet::Provider>}}] providers that helpers of specs have defined between examples, by the
        #   name of the type. They replace the providers of files in all modulepaths, as Puppet has loaded those before.
        def replacements
          @replacements ||= {}
        end
      end

      # @param sandbox [Sandbox] evaluates the files
      def initialize(sandbox)
        super
        @names = LastingNames.new
      end

      # Makes the current facts decide the default providers.
      #
      # @return [void]
      def choose_providers_anew
        each { |type| type.defaultprovider = nil }
      end

      # @param type [Class<Puppet::Type>]
      # @param provider [Class<Puppet::Provider>]
      # @return [void]
      def provided(type, provider)
        return if @evaluating || !Runtime.current.equal?(ExampleRuntime.between_examples)

        (ExampleTypes.replacements[type.name] ||= {})[provider.name] = provider
      end

      # @param type [Symbol, String]
      # @param name [Symbol, String]
      def load_provider(type, name)
        super unless ExampleTypes.replacements.dig(type.to_sym, name.to_sym)
      end

      private

      # The new providers come last, as a provider that is defined again does.
      def replace_providers(type)
        ExampleTypes.replacements.fetch(type.name).each do |name, provider|
          type.provider_hash.delete(name)
          type.provider_hash[name] = provider
        end
      end

      # Files define providers, too. As with rspec-puppet, they are loaded on the platform of this machine: they may need its
      # libraries, such as `win32/registry`.
      def require_file(feature)
        evaluating { Consts.without_stubs { super } }
      end

      def load_own(name)
        evaluating { super }
      end

      def evaluating
        outer, @evaluating = @evaluating, true
        yield
      ensure
        @evaluating = outer
      end

      # Lists the directories of types and providers once: modules do not change during a run.
      def libraries_with(directory)
        (@libraries_with ||= {})[directory] ||= super
      end

      def load(name)
        super.tap do |type|
          case name
          # Paths and users belong to another system.
          when :file then type.paramclass(:path).munge { |value| value }
          when :exec then type.paramclass(:user).validate { |_value| nil }
          end
          replace_providers(type) if type && ExampleTypes.replacements.key?(name)
        end
      end
    end
  end
end
