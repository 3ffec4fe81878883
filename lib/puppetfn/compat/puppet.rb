# frozen_string_literal: true

module Puppetfn
  # Methods of `Puppet` itself.
  module Puppet
    extend Util::Logging

    # The version of Puppet that is emulated.
    VERSION = PUPPET_VERSION

    # The same, under the name that Puppet has for it.
    PUPPETVERSION = VERSION

    # The names that {Puppet.lookup} finds inside of {Pal}.
    PAL_COMPILERS = %i[pal_compiler pal_script_compiler pal_catalog_compiler].freeze
    PAL_CONTEXT = %i[pal_env pal_facts pal_variables pal_current_node].freeze
    private_constant :PAL_COMPILERS, :PAL_CONTEXT

    class << self
      # @return [String]
      def version
        VERSION
      end

      # @param name [Symbol]
      # @return [Object] a setting
      def [](name)
        settings[name]
      end

      # Assigns a setting, for the runtime at work.
      def []=(name, value)
        settings[name] = value
      end

      # Does nothing: settings have their values from the start.
      #
      # @return [void]
      def initialize_settings(*) = nil

      # @return [Settings] of the runtime at work
      def settings
        Runtime.surroundings!("Puppet.settings").settings
      end

      # @return [Features]
      def features
        @features ||= Features.new
      end

      # @return [Boolean] whether messages of level debug are wanted
      def debug?
        Util::Log.level == :debug
      end

      # Returns the binding of a name in the runtime at work.
      #
      # @param name [Symbol]
      # @yield computes the value, if the name is not bound
      # @return [Object]
      # @raise [Context::UndefinedBindingError]
      def lookup(name)
        runtime = Runtime.current
        bindings = Context.bindings.reverse_each.find { |one| one.key?(name) }
        return bindings[name] if bindings

        case name
        when :global_scope then return runtime.scope if runtime
        when :current_environment, :root_environment then return runtime.environment if runtime
        when :rich_data then return true if runtime
        when :environments then return Context::KnownEnvironment.new(runtime.environment) if runtime
        when :loaders then return runtime.compiler.loaders if runtime
        when *PAL_COMPILERS
          compiler = runtime&.pal_compiler(name)
          return compiler if compiler
        when *PAL_CONTEXT
          return Pal::Context.current!.public_send(Pal::Context::NAMES.fetch(name)) if Runtime.process && Pal::Context.current
        end
        return yield if block_given?

        raise Context::UndefinedBindingError, "Unable to lookup '#{name}'"
      end

      # Makes names known to {lookup} for the length of a block.
      #
      # @param bindings [Hash{Symbol=>Object}]
      # @return [Object] the block's result
      def override(bindings, _description = "")
        depth = Context.bindings.size
        Context.bindings.push(bindings)
        yield
      ensure
        Context.bindings.slice!(depth..) if depth
      end

      # Makes names known to {lookup}, until {pop_context}.
      #
      # @param overrides [Hash{Symbol=>Object}]
      # @return [void]
      def push_context(overrides, _description = "")
        Context.bindings.push(overrides)
        nil
      end

      # @return [void]
      # @raise [Context::StackUnderflow] when nothing was pushed
      def pop_context
        raise Context::StackUnderflow, "Attempted to pop, but already at root of the context stack." unless Context.bindings.pop
      end

      # @return [RunMode] a command's run mode
      def run_mode
        @run_mode ||= Util::RunMode.new(:user)
      end
    end
  end
end
