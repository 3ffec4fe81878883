# frozen_string_literal: true

require_relative "literal"
require_relative "deferred"
require_relative "example_catalog"
require_relative "exports"

module Puppetfn
  module RSpec
    # Groups that describe the catalog of a node.
    module CatalogExampleGroup
      include ManifestMatchers
      include Support

      # Mocks of an example are ignored, as in rspec-puppet: it may get the catalog of another example with the same facts and
      # parameters that does not mock the same.
      @cache = Recent.new(16)

      class << self
        # @return [Recent] the catalogs of the last examples
        attr_reader :cache
      end

      # @return [Proc] compiles the catalog
      def subject
        -> { catalogue }
      end

      # @return [ExampleCatalog]
      # @raise [Puppet::Error] when it does not compile
      def catalogue
        @catalogue ||= load_catalogue(described_kind)
      end

      # @return [Proc] compiles the catalog of exported resources only
      def exported_resources
        -> { load_catalogue(described_kind, true) }
      end

      # Compiles the catalog, unless one of the last examples had the same code, node, facts and data.
      #
      # @param type [:class, :define, :host]
      # @param exported [Boolean] whether exported resources are wanted, and nothing else
      # @return [ExampleCatalog]
      # @raise [Puppet::Error] when it does not compile
      def load_catalogue(type, exported = false, _options = {})
        # Messages name its lines: rspec-puppet has a line for manifests even if there are none.
        manifests = Settings.manifests(self).map { |file| RegularFile.read(file) }.join("\n")
        code = [manifests, code_of(:pre_condition), test_manifest(type), code_of(:post_condition)].compact.join("\n")
        node = node_of_example
        others = Exports.given(self)
        data = puppetdb_data if Settings.given?(self, :puppetdb_data)
        inputs = [code, exported, others, data, *node.identity, *Settings.of_data(self), *CodeCoverage.scope_of(self)]
        catalog = CatalogExampleGroup.cache.fetch(inputs) do
          Heap.make_room
          ExampleCatalog.new(ExampleRuntime.current.compile_for(node, code, others && Exports.new(self, others)), exported)
        end
        catalog.runtime.pretend
        type == :define ? Coverage.add_filter(class_name, title) : Coverage.add_filter(type.to_s, class_name)
        Coverage.add_from_catalog(catalog, (class_name.split("::").first unless type == :host))
        catalog
      end

      # Returns the code that declares the described class, defined type or node.
      #
      # @param type [:class, :define, :host]
      # @return [String, nil]
      def test_manifest(type, _options = {})
        case type
        when :class then given_params.empty? ? "include #{class_name}" : "class { '#{class_name}': #{written_params} }"
        when :define then "#{class_name} { #{written_title}: #{written_params} }"
        end
      end

      private

      def given_params
        (Settings.given?(self, :params) && params) || {}
      end

      def written_params
        given_params.map { |name, value| "#{name} => #{Literal.new(value)}" }.join(", ")
      end

      def written_title
        return "[#{title.map { |one| quoted(one) }.join(", ")}]" if title.is_a?(Array)

        quoted(title)
      end

      def quoted(title)
        title.include?("'") ? title.inspect : "'#{title}'"
      end

      def default_nodename
        Puppet[:certname]
      end
    end

    # Groups that describe a class.
    module ClassExampleGroup
      include CatalogExampleGroup

      private

      def described_kind
        :class
      end
    end

    # Groups that describe a defined type.
    module DefineExampleGroup
      include CatalogExampleGroup

      private

      def described_kind
        :define
      end
    end

    # Groups that describe a node, which has the name of the group.
    module HostExampleGroup
      include CatalogExampleGroup

      private

      def described_kind
        :host
      end

      def default_nodename
        class_name
      end
    end
  end
end
