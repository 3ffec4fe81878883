# frozen_string_literal: true

module Puppetfn
  # Methods of `Puppet` itself.
  module Puppet
    extend Util::Logging

    # The names that {Puppet.lookup} finds inside of {Pal}.
    PAL_COMPILERS = %i[pal_compiler pal_script_compiler pal_catalog_compiler].freeze
    PAL_CONTEXT = %i[pal_env pal_facts pal_variables pal_current_node].freeze
    private_constant :PAL_COMPILERS, :PAL_CONTEXT

    class << self
      # @return [String] the version of the release that is emulated
      def version
        Target.current.version
      end

      # Names the version and the implementation of a release by constants, `PUPPETVERSION` and `IMPLEMENTATION`.
      #
      # @api private
      # @param target [Target]
      # @return [void]
      def name_release(target)
        {VERSION: target.version, PUPPETVERSION: target.version, IMPLEMENTATION: target.implementation}.each do |name, value|
          remove_const(name) if const_defined?(name, false)
          const_set(name, value) if value
        end
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

      # @return [Services] the client of HTTP and Facter
      def runtime
        @services ||= Services.new
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

      private

      # `implementation` is a method of releases that have a name for it.
      def respond_to_missing?(name, include_private = false)
        name == :implementation ? Target.current.has?(:implementation_name) : super
      end

      def method_missing(name, *arguments)
        return super unless name == :implementation && arguments.empty? && respond_to_missing?(name)

        Target.current.implementation
      end
    end
    name_release(Target.default)
  end
end
