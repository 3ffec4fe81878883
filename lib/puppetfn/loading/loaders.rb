# frozen_string_literal: true

module Puppetfn
  # The loaders of a compiler: one that sees everything, under the names that Puppet has for several.
  Loaders = Struct.new(:private_environment_loader) do
    alias_method :public_environment_loader, :private_environment_loader
    alias_method :puppet_system_loader, :private_environment_loader
    alias_method :static_loader, :private_environment_loader

    # @return [Loaders] the current runtime's loaders
    def self.loaders
      Runtime.current!("Puppet::Pops::Loaders.loaders").compiler.loaders
    end

    # (see #find_loader)
    def self.find_loader(module_name)
      loaders.find_loader(module_name)
    end

    # @param module_name [String, nil]
    # @return [Loader] the module's loader; without a name the environment's
    # @raise [Puppet::ParseError] when there is no such module
    def find_loader(module_name)
      return private_environment_loader if module_name.nil? || module_name == ""
      unless private_environment_loader.environment.module(module_name)
        raise Puppet::ParseError, "Internal Error: did not find public loader for module: '#{module_name}'"
      end

      private_environment_loader.for_module(module_name)
    end

    # @return [Loader, nil] the module's loader
    def public_loader_for_module(module_name)
      find_loader(module_name) if private_environment_loader.environment.module(module_name)
    end
    alias_method :private_loader_for_module, :public_loader_for_module
  end
end
