# frozen_string_literal: true

module Puppetfn
  module Puppet
    # A module: a directory on the modulepath.
    class Module
      # What modules can be called.
      NAME = /\A[a-z][a-z0-9_]*\z/

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

      # @param name [String, nil]
      # @return [String, nil] the path of a file below `files`, when it exists
      def file(name = nil)
        existing("files", name)
      end

      # @param name [String, nil]
      # @return [String, nil] the path of a file below `templates`, when it exists
      def template(name = nil)
        existing("templates", name)
      end

      # @return [Hash] what metadata.json says, empty when there is none
      def metadata
        @metadata ||= (file = existing("metadata.json")) ? read_json(file) : {}
      end

      # @return [String, nil]
      def version
        metadata["version"]
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
