# frozen_string_literal: true

module Puppetfn
  module Puppet
    # A module: a directory on the modulepath.
    class Module
      # Valid names of modules.
      NAME = /\A[a-z][a-z0-9_]*\z/
      # The kinds of files of a module, with their directories.
      FILETYPES = {
        "manifests" => "manifests", "files" => "files", "templates" => "templates", "plugins" => "lib",
        "pluginfacts" => "facts.d", "locales" => "locales", "scripts" => "scripts"
      }.freeze

      # @param modname [String] the name, or one with the name of the author before it
      # @param _environment [String, Symbol, Environment, nil] there is one for each runtime
      # @return [Module, nil] the module that the runtime at work finds under a name
      def self.find(modname, _environment = nil)
        Runtime.current!("Puppet::Module.find").environment.module(modname.to_s)
      end

      # @return [String]
      attr_reader :name

      # @return [String] the directory
      attr_reader :path

      # @return [Environment]
      attr_reader :environment

      # @param name [String]
      # @param path [String]
      # @param environment [Environment]
      def initialize(name, path, environment)
        @name = name
        @path = path
        @environment = environment
      end

      FILETYPES.each do |type, directory|
        # The directory, the path of a file below it when it exists, and whether there is such a directory.
        define_method(type) { File.join(@path, directory) }
        define_method(type.delete_suffix("s")) { |name = nil| existing(directory, name) }
        define_method("#{type}?") { !existing(directory).nil? }
      end

      # @param name [String, nil]
      # @return [String, nil] the path of a file below `tasks` when it exists
      def task_file(name = nil)
        existing("tasks", name)
      end

      # @return [String]
      def plugin_directory
        plugins
      end

      # @return [Array<String>] the files with Puppet code below `manifests`
      def all_manifests
        Dir.glob(File.join(manifests, "**", "*.pp"))
      end

      # @return [String]
      def metadata_file
        File.join(@path, "metadata.json")
      end

      # @return [Boolean] whether the module has a metadata.json with content
      def has_metadata?
        !metadata.empty?
      rescue ::JSON::ParserError
        false
      end

      # @return [Hash] the content of metadata.json, empty when there is none
      def metadata
        @metadata ||= (file = existing("metadata.json")) ? read_json(file) : {}
      end

      %w[version author license summary description project_page source].each do |field|
        # A field of metadata.json, nil when it is not there.
        define_method(field) { metadata[field] }
      end

      # @return [String, nil] the name of the module on the Forge: `author/name`
      def forge_name
        metadata["name"]&.tr("-", "/")
      end

      # @return [Array<Hash>]
      def dependencies
        metadata["dependencies"] || []
      end

      # @return [String]
      def to_s
        "Module #{name}(#{path})"
      end

      private

      def existing(*parts)
        path = File.join(@path, *parts.compact)
        path if File.exist?(path)
      end

      def read_json(file)
        require "json"
        ::JSON.parse(RegularFile.read(file))
      end
    end
  end
end
