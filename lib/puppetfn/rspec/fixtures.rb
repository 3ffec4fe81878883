# frozen_string_literal: true

module Puppetfn
  module RSpec
    # The modules in spec/fixtures/modules: the tested one, and its dependencies.
    #
    # @api private
    class Fixtures
      # @param root [String] the directory of the module
      def initialize(root = Dir.pwd)
        @root = root
      end

      # Links the local modules of `.fixtures.yml`, and the module itself, as far as they are not there yet.
      #
      # @return [void]
      def link
        links.each do |name, target|
          path = File.join(directory, name)
          next if File.exist?(path)

          require "fileutils"
          FileUtils.mkdir_p(directory)
          File.unlink(path) if File.symlink?(path)
          link_to(File.expand_path(target, @root), path)
        end
      end

      # @return [Array<String>] the names of the modules in `.fixtures.yml` that come from elsewhere
      def required
        %w[repositories forge_modules].flat_map { |kind| of_kind(kind).keys }
      end

      # @return [Array<String>] the names of required modules that are not installed
      def missing
        required.reject { |name| File.exist?(File.join(directory, name)) }
      end

      # @return [String] the directory of the modules
      def directory
        File.join(@root, "spec", "fixtures", "modules")
      end

      # @return [String, nil] the name of the module, as its `metadata.json` has it
      def module_name
        path = File.join(@root, "metadata.json")
        return unless File.exist?(path)

        require "json"
        JSON.parse(RegularFile.read(path))["name"]&.split(%r{[-/]})&.last
      rescue JSON::ParserError => e
        raise OperationError, "#{path} is not JSON: #{e.message}"
      end

      private

      # Another process may have made the link.
      def link_to(target, path)
        File.symlink(target, path)
      rescue Errno::EEXIST
        raise unless File.symlink?(path)
      end

      # Where links lead to, by their names.
      def links
        own = (name = module_name) ? {name => @root} : {}
        own.merge(of_kind("symlinks").transform_values { |entry| entry.is_a?(Hash) ? entry["target"] || entry["repo"] : entry })
          .select { |_, target| target }
      end

      def of_kind(kind)
        entries = configuration[kind]
        entries.is_a?(Hash) ? entries : {}
      end

      def configuration
        @configuration ||= begin
          path = ENV["FIXTURES_YML"] || [".fixtures.yml", ".fixtures.yaml"].find { |name| File.exist?(File.join(@root, name)) }
          path ? read(File.expand_path(path, @root)) : {}
        end
      end

      def read(path)
        require "yaml"
        text = RegularFile.read(path).gsub('#{source_dir}', @root)
        content = YAML.safe_load(text, permitted_classes: [Symbol], aliases: true)
        (content.is_a?(Hash) && content["fixtures"]) || {}
      end
    end

    # The methods that spec helpers call to set up fixtures.
    module Setup
      # @return [void]
      def self.safe_setup_directories(_module_name = nil, _verbose = true)
        Fixtures.new.link
      end
    end
  end
end
