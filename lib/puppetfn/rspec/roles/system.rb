# frozen_string_literal: true

module Puppetfn
  module RSpec
    class Roles
      # A system that classes are compiled for: a name and the facts; the certname and trusted data if they are known.
      #
      # @api private
      System = Struct.new(:name, :facts, :node, :trusted, :external, keyword_init: true)

      # Reads the facts of systems.
      #
      # @api private
      class System
        # Names of files with facts.
        FILES = /\.(?:json|ya?ml|facts)\z/
        # Facts whose names are variables of the compiler.
        OF_COMPILER = %w[environment trusted].freeze
        private_constant :FILES, :OF_COMPILER

        class << self
          # @param paths [Array<String>] files, and directories of files
          # @return [Array<System>] named as the files are
          # @raise [UsageError] if there are no facts
          def at(paths)
            paths.flat_map { |path| files(path) }.map { |file| read(file) }
          end

          # @param path [String]
          # @return [Array<String>] the file, or the files with facts in the directory
          # @raise [UsageError] if there are none
          def files(path)
            return [path] if File.file?(path)
            raise UsageError, "there are no facts at #{path}: there is no such file or directory" unless File.directory?(path)

            found = Dir.children(path).grep(FILES).sort.map { |name| File.join(path, name) }.select { |file| File.file?(file) }
            found.empty? ? raise(UsageError, "there are no facts in #{path}: expected files .json, .yaml or .facts") : found
          end

          # @param file [String] in any format in which facts are exported
          # @return [System]
          # @raise [UsageError] if the file cannot be read
          def read(file)
            found = ControlRepository.read_facts(file)
            # Factsets of onceover need no name.
            values = found[:node] ? found[:values] : found[:values].fetch("values", found[:values])
            trusted = found[:trusted] || found[:values]["trusted"] || values["trusted"] || {}
            of(File.basename(file).sub(FILES, ""), values, found[:node], trusted, found[:values]["trusted_external"])
          rescue ArgumentError => e
            raise UsageError, e.message
          end

          # Returns the systems in `metadata.json`, with the facts of `on_supported_os`.
          #
          # @return [Array<System>]
          # @raise [UsageError] if it is wrong
          def supported
            require "rspec-puppet-facts"
            Object.new.extend(RspecPuppetFacts).on_supported_os.map do |name, facts|
              of(name, facts.transform_keys(&:to_s), nil, {}, nil)
            end
          rescue ArgumentError, JSON::ParserError => e
            raise UsageError, "metadata.json: #{e.message}"
          end

          private

          # The certificate's extensions are in `extensions`, or all there is, as in factsets of onceover.
          def of(name, values, node, trusted, external)
            node = trusted["certname"] || node || values.dig("networking", "fqdn") || values["fqdn"]
            new(name: name, facts: values.except(*OF_COMPILER), node: node, trusted: trusted.fetch("extensions", trusted),
              external: external || trusted.fetch("external", {}))
          end
        end
      end
    end
  end
end
