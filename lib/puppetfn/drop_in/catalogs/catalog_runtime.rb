# frozen_string_literal: true

module Puppetfn
  module DropIn
    module Catalogs
      # Evaluates the code of a catalog inside Puppet: functions in Ruby and resource types are Puppet's.
      class CatalogRuntime < Runtime
        # The facts about a resource type that catalogs need.
        class ResourceType
          # The instance variable in which a type caches them, as long as the type exists.
          KNOWN = :@__puppetfn_resource_type
          private_constant :KNOWN

          # @param type [Class<::Puppet::Type>]
          # @return [ResourceType] the same until the type gets other attributes
          def self.of(type)
            known = type.instance_variable_get(KNOWN)
            known&.current? ? known : type.instance_variable_set(KNOWN, new(type))
          end

          # @return [Class<::Puppet::Type>]
          attr_reader :type

          # @return [Array] as of {Puppet::Type.outline}
          attr_reader :outline

          # @param type [Class<::Puppet::Type>]
          def initialize(type)
            @type = type
            @counts = counts
            keys = type.key_attributes
            @outline = [type.allattrs.map(&:name), keys.map(&:name), type.isomorphic? ? true : false, simple_title?(keys)].freeze
          end

          # @return [Boolean] whether the type has got no attributes since
          def current?
            @counts == counts
          end

          # @param title [String]
          # @return [Hash{Symbol=>Object}] the parameters from the title
          def parse_title(title)
            ::Puppet::Resource.new(@type.name, title).send(:parse_title)
          end

          private

          def counts
            [@type.instance_variable_get(:@parameters)&.size, @type.properties.size, ::Puppet::Type.class_variable_get(:@@metaparams).size]
          end

          # Whether the title as it is is the value of the one key attribute.
          def simple_title?(keys)
            keys.one? && @type.method(:title_patterns).owner == ::Puppet::Type.singleton_class
          end
        end

        # Puppet logs these messages at once. Warnings that are given once are counted by Puppet.
        class CatalogLogs < Logs
          # Issues that are found during evaluation. Puppet finds all others when it reads the code, and only then.
          FOUND_LATE = %i[NUMERIC_COERCION RT_NO_STORECONFIGS RT_NO_STORECONFIGS_EXPORT UNKNOWN_VARIABLE].freeze
          # A warning about a file of data, which Puppet gives when it reads the file.
          NO_HASH = /\A(.+): file does not contain a valid yaml hash\z/m
          private_constant :FOUND_LATE, :NO_HASH

          # @param compilation [Compilation]
          # @param known_files [KnownFiles]
          def initialize(compilation, known_files)
            super()
            @compilation, @known_files = compilation, known_files
            self.level = ::Puppet::Util::Log.level
            destinations << self
          end

          # Sends a message to Puppet.
          #
          # @param message [Message]
          # @return [void]
          # @raise [Declined] if it is unknown whether Puppet has read the code already
          def <<(message)
            issue = message.issue || {}
            unless issue.empty? || FOUND_LATE.include?(issue[:issue_code])
              return if @known_files.manifest?(issue[:file])

              @compilation.decline("a warning about code")
            end
            text = Messages.of_version(message.message)
            path = text[NO_HASH, 1] if message.level == :warning
            when_read(path) { ::Puppet::Util::Log.create(level: message.level, source: message.source || "Puppet", message: text, **issue) }
          end

          # (see Logs#given)
          def given(_kind)
            $unique_warnings ||= {} # rubocop:disable Style/GlobalVars
          end

          private

          # Runs a block unless Puppet has the data of the file already. It keeps them as long as the environment.
          def when_read(path)
            return yield unless path && File.file?(path)

            context = ::Puppet::Pops::Lookup::EnvironmentContext.adapt(@compilation.environment)
            context.cached_file_data(path) do
              yield
              Messages.current&.when_dropped { context.instance_variable_get(:@file_data_cache).delete(path) }
              {}
            end
          end
        end

        # Deviations of which the log takes care.
        LOGGED_ONCE = ["data in YAML that is not a hash"].freeze
        private_constant :LOGGED_ONCE

        # @param compilation [Compilation]
        # @param known_files [KnownFiles]
        # @param options [Hash] see {Runtime#initialize}
        def initialize(compilation, known_files, **options)
          @compilation, @known_files = compilation, known_files
          @types = {}
          super(**options)
          @logs = CatalogLogs.new(compilation, known_files)
        end

        # (see Runtime#resource_type)
        def resource_type(name)
          name = name.to_s.downcase.to_sym
          @types.fetch(name) do
            @compilation.decline("a definition named like the type #{name}") if definition_in_the_way?(name)

            type = ::Puppet::Type.type(name)
            @types[name] = type && ResourceType.of(type)
          end
        end

        # (see Runtime#type_outline)
        def type_outline(name)
          resource_type(name)&.outline
        end

        # (see Runtime#render_erb)
        def render_erb(scope, template, path)
          @compilation.decline("a template that has effects") if Template.effects?(template)
          @compilation.effect_guard.expect_harmless_methods(Template.called(template))

          lent = @compilation.lend_scope(scope)
          wrapper = ::Puppet::Parser::TemplateWrapper.new(lent)
          wrapper.file = path if path
          # Puppet's wrapper makes an instance variable of each variable of the scope: here the variables in the
          # template are enough.
          scope.lend(Template.variables(template)) do |variables|
            lent.showing(variables) { path ? wrapper.result : wrapper.result(template) }
          end
        end

        # Declines an answer that deviates from the installed Puppet.
        #
        # @param deviation [String] the case
        # @param since [Integer, nil] the first major version of Puppet with the same answer
        # @param feature [String, nil] the feature of Puppet with the same answer
        # @return [void]
        # @raise [Declined] if the Puppet at hand answers otherwise
        def deviate(deviation, since, feature)
          same = feature ? ::Puppet.features.public_send(:"#{feature}?") : since && ::Puppet.version.to_i >= since
          @compilation.decline(deviation) unless same || LOGGED_ONCE.include?(deviation)
        end

        # Is told of a key of data that a function looks up.
        #
        # @param key [String]
        # @return [void]
        # @raise [Declined] if it is one of a module with a data_provider
        def looks_up(key)
          expect_no_data_provider(key) unless @known_files.data_providers.empty?
        end

        # @param name [String] of a class or a key
        # @return [void]
        # @raise [Declined] if it is one of a module with a data_provider, which Puppet warns of when it looks into its data
        def expect_no_data_provider(name)
          mod = name.delete_prefix("::")[/\A\w+/]
          @compilation.decline("the data_provider of the module #{mod}") if @known_files.data_providers.include?(mod)
        end

        # Finds exported resources of other nodes for a collector, where Puppet does.
        #
        # @param type [String]
        # @param condition [Array, nil] in PuppetDB's AST query language
        # @return [Array<Array(String, String, Hash)>] the node, the title and the parameters of each
        def find_exports(type, condition)
          @compilation.find_exports(type, condition)
        end

        # @return [Catalog] as it is now
        def catalog_so_far
          compiler.catalog
        end

        # A function in Ruby.
        #
        # @param name [String]
        # @param module_name [String, nil] the module whose code asks
        # @return [LoadedFunction, nil]
        def puppets_function(name, module_name)
          @compilation.function(name, module_name)
        end

        private

        # Puppet fails when it first loads a type whose name a definition has. The type would be there when it begins again.
        def definition_in_the_way?(name)
          !::Puppet::Type.instance_variable_get(:@types)&.key?(name) && !@compilation.environment.known_resource_types.definition(name.to_s).nil?
        end

        def make_loader(hiera_config:, **options)
          @known_files.loader(hiera_config) { super(hiera_config: nil, **options) }.tap { |loader| loader.extend(PuppetsFunctions) }
        end
      end

      # Finds functions in Ruby where Puppet does.
      module PuppetsFunctions
        # (see Loader#load_in_ruby)
        def load_in_ruby(name, module_name = nil)
          name = name.to_s
          built_in(name) || runtime.puppets_function(name, module_name)
        end
      end
    end
  end
end
