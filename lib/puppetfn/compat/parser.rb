# frozen_string_literal: true

module Puppetfn
  module Puppet
    # The part of Puppet that reads manifests, as far as functions use it.
    module Parser
      extend StandIn

      Compiler = Puppetfn::Compiler

      # The files of modules, by a name that starts with the module's.
      module Files
        module_function

        # @param file [String] an absolute path, or `module/path` for a template of a module
        # @param environment [Environment]
        # @return [String, nil] the path of the template, when it exists; an absolute one as it is
        def find_template(file, environment)
          find(file, environment, :template)
        end

        # @param file [String] an absolute path, or `module/path` for a file of a module
        # @param environment [Environment]
        # @return [String, nil] the path of the file, when it exists; an absolute one as it is
        def find_file(file, environment)
          find(file, environment, :file)
        end

        # @param path [String]
        # @return [Array(String, String), nil] the module and the rest of a path that is not absolute
        def split_file_path(path)
          path.split("/", 2) unless path == "" || Util.absolute_path?(path)
        end

        def find(file, environment, kind)
          return file if Util.absolute_path?(file)

          name, rest = split_file_path(file)
          environment.module(name)&.public_send(kind, rest) if rest
        end
        private_class_method :find
      end
    end
  end
end
