# frozen_string_literal: true

module Puppetfn
  module DropIn
    module Catalogs
      # The cached files of an environment, kept exactly as long as Puppet keeps its own cache of them.
      class KnownFiles < ::Puppet::Pops::Adaptable::Adapter
        # The methods of modules that rspec-puppet replaces, and by which it names the files to use instead.
        MANIFESTS = :match_manifests
        HIERA_CONFIG = :hiera_conf_file
        # Its file that does so.
        REPLACEMENTS = "rspec-puppet/monkey_patches.rb"
        # Placeholder for the configuration of an environment that is only in memory.
        NO_DIRECTORY = Object.new.freeze
        private_constant :NO_DIRECTORY, :MANIFESTS, :HIERA_CONFIG, :REPLACEMENTS

        class << self
          # Returns the cached files of an environment, whose main manifest Puppet has read.
          #
          # @param environment [::Puppet::Node::Environment]
          # @return [KnownFiles]
          def of(environment)
            adapt(environment.known_resource_types) { |known| known.environment = environment }
          end

          # Returns the name of a replaced method of modules, unless rspec-puppet has replaced it.
          #
          # @param directory [String] the directory of Puppet's own files
          # @return [String, nil]
          def changed_method(directory)
            name = [MANIFESTS, HIERA_CONFIG].find { |method| !file_of(method).start_with?(directory) && !replaced?(method) }
            name && "Puppet::Module##{name}"
          end

          # Returns whether rspec-puppet has replaced a method of modules.
          #
          # @param method [Symbol]
          # @return [Boolean]
          def replaced?(method)
            file_of(method).end_with?(REPLACEMENTS)
          end

          private

          def file_of(method)
            ::Puppet::Module.instance_method(method).source_location.first
          end
        end

        # @param value [::Puppet::Node::Environment]
        attr_writer :environment

        # Returns a loader that shares the caches of all loaders of the environment.
        #
        # @param hiera_config [String, nil] the `hiera.yaml` of the global layer of data
        # @yieldreturn [Loader] the first one
        # @return [Loader]
        def loader(hiera_config)
          @loader ||= yield.tap do |loader|
            loader.settle
            loader.spare_init if KnownFiles.replaced?(MANIFESTS)
          end
          @loader.twin(@environment.name.to_s, hiera_config && File.expand_path(hiera_config), module_hiera_configs)
        end

        # Returns where the `hiera.yaml` of the environment would be.
        #
        # @return [String, nil] nil if the environment has no directory
        def directory
          @configuration ||= (@environment.configuration if @environment.respond_to?(:configuration)) || NO_DIRECTORY
          @configuration.path_to_env if @configuration.respond_to?(:path_to_env)
        end

        # Returns the main manifest.
        #
        # @return [Array<Array(String, String)>] the text and the path of each file, in the order of their names
        def manifests
          @manifests ||= manifest_files.map { |file| [RegularFile.read(file).freeze, file] }
        end

        # @return [Boolean] whether the environment names a provider of data, which is deprecated
        def data_provider?
          directory && @configuration.respond_to?(:environment_data_provider) && !@configuration.environment_data_provider.nil?
        end

        # @return [Array<String>] the modules that name a provider of data, which is deprecated
        def data_providers
          @data_providers ||= @environment.modules.filter_map { |mod| mod.name if data_provider_in?(mod) }
        end

        # @param file [String, nil]
        # @return [Boolean] whether it is a file of the main manifest, which Puppet has read
        def manifest?(file)
          manifests.any? { |_, path| path == file }
        end

        # Whether Puppet has read all of the main manifest. After an error in it, a kept environment goes on without its code.
        #
        # @return [Boolean]
        def read_whole?
          @read_whole = main_code? || main_texts.all? { |text| text.strip.empty? } if @read_whole.nil?
          @read_whole
        end

        private

        def main_code?
          main = @environment.known_resource_types.hostclass("")
          main && !main.code.nil?
        end

        def main_texts
          code = ::Puppet[:code]
          code == "" ? manifests.map(&:first) : [code]
        end

        def data_provider_in?(mod)
          file = mod.metadata_file
          file && File.file?(file) && RegularFile.read(file).scrub.match?(/"data_provider"\s*:\s*"/)
        end

        def module_hiera_configs
          return {} unless KnownFiles.replaced?(HIERA_CONFIG)

          @environment.modules.to_h { |mod| [mod.name, mod.hiera_conf_file&.to_s] }
        end

        def manifest_files
          manifest = @environment.manifest
          return [] if manifest == ::Puppet::Node::Environment::NO_MANIFEST

          files = File.directory?(manifest) ? Dir.glob("**/*.pp", base: manifest).sort.map { |file| File.join(manifest, file) } : [manifest]
          files.select { |file| File.file?(file) }
        end
      end
    end
  end
end
