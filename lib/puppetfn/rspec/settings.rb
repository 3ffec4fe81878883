# frozen_string_literal: true

module Puppetfn
  module RSpec
    # The settings of spec helpers in `RSpec.configure`, with rspec-puppet's defaults.
    #
    # Settings that have nothing to do with Puppet code are accepted and ignored.
    #
    # @api private
    module Settings
      # A path without a file.
      NOWHERE = File::NULL

      DEFAULTS = {
        enable_pathname_stubbing: false, environmentpath: NOWHERE, module_path: nil, manifest_dir: nil, manifest: nil,
        template_dir: nil, config: nil, confdir: NOWHERE, default_facts: {}, default_node_params: {},
        default_trusted_facts: {}, default_trusted_external_data: {}, facter_implementation: :facter,
        hiera_config: NOWHERE, parser: "current", trusted_node_data: false, trusted_server_facts: false,
        ordering: "title-hash", stringify_facts: true, strict_variables: false, setup_fixtures: true,
        derive_node_facts_from_nodename: true, adapter: nil, platform: :posix, vendormoduledir: NOWHERE,
        basemodulepath: NOWHERE, disable_module_hiera: false, fixture_hiera_configs: {}, use_fixture_spec_hiera: false,
        fallback_to_default_hiera: true
      }.freeze

      class << self
        # @param configuration [::RSpec::Core::Configuration]
        # @return [void]
        def add_to(configuration)
          DEFAULTS.each { |name, value| configuration.add_setting(name, default: value.is_a?(Hash) ? value.dup : value) }
        end

        # Returns true if an example group has a `let` or a method of a name. RSpec's answer to `respond_to?` takes longer, and
        # so does Ruby's for missing methods, which examples have in common.
        #
        # @param example [Object] the example
        # @param name [Symbol]
        # @return [Boolean]
        def given?(example, name)
          known = (@given ||= {}.compare_by_identity)[example.class] ||= {}
          known.fetch(name) { known[name] = example.class.method_defined?(name) }
        end

        # Returns a setting, which an example group may have a `let` for.
        #
        # @param example [Object] the example
        # @param name [Symbol]
        # @return [Object]
        def of(example, name)
          given?(example, name) ? example.public_send(name) : ::RSpec.configuration.public_send(name)
        end

        # Returns which data a catalog depends on.
        #
        # @param example [Object]
        # @return [Array<Object>]
        def of_data(example)
          names = %i[disable_module_hiera use_fixture_spec_hiera fixture_hiera_configs fallback_to_default_hiera]
          [of(example, :hiera_config), modulepath(example), *names.map { |name| ::RSpec.configuration.public_send(name) }]
        end

        # Returns the directories with the modules.
        #
        # @param example [Object]
        # @return [Array<String>]
        def modulepath(example)
          given = of(example, :module_path)
          return given.to_s.split(Platform::PATH_SEPARATOR) if given

          environmentpath = of(example, :environmentpath)
          [environmentpath == NOWHERE ? "spec" : environmentpath, "fixtures", "modules"].then { |parts| [File.join(parts)] }
        end

        # Returns where a module's own resources are declared.
        #
        # @param mod [String]
        # @return [Array<String>]
        def coverage_directories(mod)
          directories = modulepath(nil).map { |path| File.join(File.expand_path(path), mod, "manifests") }
          [*directories, *::RSpec.configuration.manifest]
        end

        # Returns the paths of modules' `hiera.yaml`, as far as settings define them.
        #
        # @param environment [Environment]
        # @return [Hash{String=>String, nil}] by module; nil for modules without data
        def module_hiera_configs(environment)
          configuration = ::RSpec.configuration
          return environment.modules.to_h { |mod| [mod.name, nil] } if configuration.disable_module_hiera

          in_specs = configuration.use_fixture_spec_hiera ? hiera_configs_in_specs(environment.modules) : {}
          in_specs.compact! if configuration.fallback_to_default_hiera
          in_specs.merge(fixture_hiera_configs(environment))
        end

        # Returns the code that is evaluated before any other.
        #
        # @param example [Object]
        # @return [Array<String>] files
        def manifests(example)
          path = of(example, :manifest) || File.join(of(example, :environmentpath), "fixtures", "manifests")
          return [path].select { |file| FileTest.file?(file) } unless FileTest.directory?(path)

          manifests_in(path).map { |name| File.join(path, name) }
        end

        private

        # Returns their names. The directory is read again when something was added to it, or removed.
        def manifests_in(directory)
          changed = File.mtime(directory)
          read, names = (@manifests ||= {})[directory = File.expand_path(directory)]
          return names if read == changed

          names = Dir.children(directory).select { |name| name.end_with?(".pp") && !name.start_with?(".") }.sort
          @manifests[directory] = [changed, names]
          names
        end

        # The configurations that modules have for their specs, without configurations for other modules.
        def hiera_configs_in_specs(modules)
          modules.to_h do |mod|
            found = Dir.glob("spec/**/hiera.yaml", base: mod.path).sort
              .find { |path| !path.start_with?("spec/fixtures/modules/", "spec/fixtures/work-dir/") }
            [mod.name, found && File.join(mod.path, found)]
          end
        end

        def fixture_hiera_configs(environment)
          ::RSpec.configuration.fixture_hiera_configs.to_h do |name, path|
            [name, path && File.absolute_path(path, environment.module(name)&.path)]
          end
        end
      end
    end

    Settings.add_to(::RSpec.configuration)
  end
end
