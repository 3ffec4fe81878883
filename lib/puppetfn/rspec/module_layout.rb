# frozen_string_literal: true

module Puppetfn
  module RSpec
    # The common part of the spec helpers of Puppet's and Vox Pupuli's modules: where things are in a module.
    #
    # @api private
    module ModuleLayout
      # Methods that the helpers add to every example.
      module AsRoot
        # @return [true]
        def root?
          true
        end
      end

      # @param configuration [::RSpec::Core::Configuration]
      # @return [void]
      def self.configure(configuration)
        spec = File.join(Dir.pwd, "spec")
        modules = File.join(spec, "fixtures", "modules")
        configuration.environmentpath = spec
        configuration.module_path = [modules, ENV.fetch("MODULEPATH", nil)].compact.join(File::PATH_SEPARATOR)
        configuration.strict_variables = ENV["STRICT_VARIABLES"] != "no"
        ::Puppet.features.extend(AsRoot)
        $LOAD_PATH.concat(Dir.glob(File.join(modules, "*", "spec", "lib")) - $LOAD_PATH)
      end
    end
  end
end
