# frozen_string_literal: true

module Puppetfn
  module Puppet
    # What functions use of the part of Puppet that reads manifests.
    module Parser
      extend StandIn

      Scope = Puppetfn::Scope

      # The files of modules, by a name that starts with the module's.
      module Files
        module_function

        # @param file [String] an absolute path, or `module/path` for a template of a module
        # @param environment [Environment]
        # @return [String, nil] the path of the template, when it exists
        def find_template(file, environment)
          find(file, environment, :template)
        end

        # @param file [String] an absolute path, or `module/path` for a file of a module
        # @param environment [Environment]
        # @return [String, nil] the path of the file, when it exists
        def find_file(file, environment)
          find(file, environment, :file)
        end

        def find(file, environment, kind)
          return (file if File.exist?(file)) if Util.absolute_path?(file)

          name, _, rest = file.partition("/")
          environment.module(name)&.public_send(kind, rest)
        end
        private_class_method :find
      end
    end
  end
end
