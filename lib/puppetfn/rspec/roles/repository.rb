# frozen_string_literal: true

module Puppetfn
  module RSpec
    class Roles
      # A control repository: its modules, their classes and its data.
      #
      # @api private
      class Repository
        # A class: its name, and the file and line of its definition.
        Definition = Struct.new(:name, :file, :line) do
          # @return [String]
          def location = "#{file}:#{line}"
        end

        # The directory in which onceover installs the modules of the `Puppetfile`.
        DEPLOYED = ".onceover/etc/puppetlabs/code/environments/production/modules"
        # A module in a `Puppetfile`.
        MODULE = %r{^\s*mod\s*\(?\s*["'](?:[^"'/]+[/-])?([^"'/]+)["']}
        private_constant :DEPLOYED, :MODULE

        # @param settings [Hash{Symbol=>Object}] as {ControlRepository.roles} returns them
        # @param directory [String]
        def initialize(settings, directory = Dir.pwd)
          @directory = settings.fetch(:environment, directory)
          @settings = settings
        end

        # @return [Array<String>] the directories with modules
        def modulepath
          @modulepath ||= [*own_modulepath, File.join(@directory, DEPLOYED)].select { |path| File.directory?(path) }
        end

        # @return [String, nil] the `hiera.yaml` for specs, or else the environment's
        def hiera_config
          %w[spec/hiera.yaml hiera.yaml].map { |name| path(name) }.find { |file| File.file?(file) }
        end

        # @param name [String]
        # @return [String]
        def path(name)
          File.expand_path(name, @directory)
        end

        # @yieldparam name [String]
        # @yieldreturn [Boolean] whether to select the class
        # @return [Array<Definition>] classes of the modules, sorted by name
        def classes(&wanted)
          files = manifests.select { |name, _| wanted.call(name) }
          files.filter_map { |name, file| definition(name, file) }.sort_by(&:name)
        end

        # @return [Array<String>] modules of the `Puppetfile` that are not there
        def missing_modules
          listed_modules.reject { |name| modulepath.any? { |directory| File.directory?(File.join(directory, name)) } }
        end

        # @return [Array<String>] the directories with modules below the working directory that the `Puppetfile` installs nothing into
        def own_directories
          modulepath.select { |path| path.start_with?("#{Dir.pwd}/") && listed_modules.none? { |name| File.directory?(File.join(path, name)) } }
            .map { |path| shown(path) }
        end

        private

        def listed_modules
          file = path("Puppetfile")
          @listed_modules ||= File.file?(file) ? RegularFile.read(file).scan(MODULE).flatten.uniq : []
        end

        def own_modulepath
          @settings[:modulepath] || Environment.new(@directory, nil, name: "production").modulepath
        end

        # The files of all manifests, by the names that their classes have to have.
        def manifests
          modulepath.flat_map { |directory| Dir.children(directory).sort.map { |name| File.join(directory, name) } }
            .uniq { |path| File.basename(path) }
            .flat_map { |path| Dir.glob("manifests/**/*.pp", base: path).map { |file| [class_name(path, file), File.join(path, file)] } }
        end

        def class_name(path, file)
          parts = file.delete_prefix("manifests/").delete_suffix(".pp").split("/")
          [File.basename(path), *(parts unless parts == ["init"])].join("::")
        end

        # A file that cannot be parsed is taken to define its class, which then fails to compile.
        def definition(name, file)
          found = Doc.read(file).to_h["puppet_classes"].find { |documented| documented["name"] == name }
          found && Definition.new(name, shown(file), found["line"])
        rescue Puppet::ParseError
          Definition.new(name, shown(file), 1)
        end

        # Relative to the working directory, if it is below.
        def shown(file)
          file.delete_prefix("#{Dir.pwd}/")
        end
      end
    end
  end
end
