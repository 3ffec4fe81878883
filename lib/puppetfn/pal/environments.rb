# frozen_string_literal: true

module Puppetfn
  module Puppet
    module Pal
      # The directories of environments.
      #
      # @api private
      module Environments
        # A directory, and the settings in its configuration.
        Found = Struct.new(:directory, :modulepath, :manifest, keyword_init: true)

        # A setting in a file of Puppet's configuration.
        SETTING = /^[ \t]*(?<name>\w+)[ \t]*=[ \t]*(?<value>[^#\n]*?)[ \t]*(?:#.*)?$/
        private_constant :SETTING

        class << self
          # Returns a directory that is named. Its configuration is ignored, as in Puppet.
          #
          # @raise [ArgumentError] when it does not exist
          def at(directory)
            raise Puppetfn::Error[ArgumentError], "The environment directory '#{directory}' does not exist" unless File.exist?(directory)

            Found.new(directory: directory, modulepath: [File.expand_path("modules", directory)])
          end

          # Returns the first directory of a name on a path.
          #
          # @raise [ArgumentError] when there is none
          def find(name, envpath)
            Arguments.non_empty_string(envpath, "envpath")
            directory = envpath.split(File::PATH_SEPARATOR).map { |path| File.expand_path(name, path) }.find { |path| File.directory?(path) }
            unless directory
              raise Puppetfn::Error[ArgumentError], "No directory found for the environment '#{name}' on the path '#{envpath}'"
            end

            configured(directory)
          end

          private

          def configured(directory)
            settings = settings_of(File.join(directory, "environment.conf"))
            path = settings.fetch("modulepath", "modules").split(File::PATH_SEPARATOR)
            # Directories with a $ refer to the settings of an installation.
            path = path.reject { |part| part.empty? || part.start_with?("$") }
            manifest = File.expand_path(settings.fetch("manifest", "manifests"), directory)
            manifest = nil unless settings.key?("manifest") || File.exist?(manifest)
            Found.new(directory: directory, modulepath: path.map { |part| File.expand_path(part, directory) }, manifest: manifest)
          end

          def settings_of(file)
            return {} unless File.file?(file)

            RegularFile.read(file).scan(SETTING).to_h
          end
        end
      end
    end
  end
end
