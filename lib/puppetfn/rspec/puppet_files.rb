# frozen_string_literal: true

module Puppetfn
  module RSpec
    # Where specs, their helpers and files of facts `require` files of Puppet, the stand-ins are loaded already: files of
    # a Puppet that happens to be installed are not loaded. Files of modules are.
    #
    # @api private
    module PuppetFiles
      @extensions = {}

      private

      def require(feature)
        return super unless feature.is_a?(String)
        return false if PuppetFiles.loaded_extension?(feature)
        return super.tap { |loaded| PuppetFiles.note_loaded(feature) unless loaded } unless feature.start_with?("puppet/")

        loaded = PuppetFiles.none_of_modules?(feature) ? PuppetFiles.require_of_puppet(feature) : PuppetFiles.require_type(feature)
        loaded.nil? ? super : loaded
      end

      # Returns true if a feature is an extension that is loaded. At each `require "stringio"`, Ruby looks for a file `stringio.rb` in the
      # whole load path, and REXML requires it for every document.
      #
      # @param feature [String]
      # @return [Boolean]
      def self.loaded_extension?(feature) # rubocop:disable Lint/IneffectiveAccessModifier
        path = @extensions[feature]
        !path.nil? && @load_path == $LOAD_PATH && $LOADED_FEATURES.include?(path)
      end

      # @param feature [String] a loaded feature
      # @return [void]
      def self.note_loaded(feature) # rubocop:disable Lint/IneffectiveAccessModifier
        @load_path, @extensions = $LOAD_PATH.dup, {} unless @load_path == $LOAD_PATH
        return if @extensions.key?(feature)

        name = "/#{feature}.so"
        @extensions[feature] = $LOADED_FEATURES.find { |path| path.end_with?(name) }
      end

      # Takes Puppet's own type from the types of examples: functions of a runtime have different ones.
      #
      # @param feature [String]
      # @return [false, nil] (see Sandbox#require_of_puppet)
      # @raise [LoadError] (see Sandbox#require_of_puppet)
      def self.require_of_puppet(feature) # rubocop:disable Lint/IneffectiveAccessModifier
        runtime = Runtime.current
        own = runtime.resource_types.require_own(feature) if feature.start_with?("puppet/type/")
        own.nil? ? runtime.sandbox.require_of_puppet(feature) : own
      end

      # Takes the resource type or provider that the autoloader finds, so that there is one of each name.
      #
      # @param feature [String]
      # @return [false, nil] nil for other files, and for types that no module on the modulepath has
      def self.require_type(feature) # rubocop:disable Lint/IneffectiveAccessModifier
        kind, type, provider = feature.delete_suffix(".rb").split("/").drop(1)
        types = Runtime.current&.resource_types if type && %w[type provider].include?(kind)
        return unless types&.type(type)

        types.load_provider(type, provider) if kind == "provider" && provider
        false
      end

      # @param feature [String]
      # @return [Boolean]
      def self.none_of_modules?(feature) # rubocop:disable Lint/IneffectiveAccessModifier
        kind, = $LOAD_PATH.resolve_feature_path(feature)
        kind.nil? || Compat.of_installed_puppet?(feature)
      end
    end

    # It comes after the refinement by which files of modules find each other.
    ::Kernel.prepend(PuppetFiles)
  end
end
