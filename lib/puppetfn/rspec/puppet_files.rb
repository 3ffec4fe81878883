# frozen_string_literal: true

module Puppetfn
  module RSpec
    # Where specs, their helpers and files of facts `require` files of Puppet, what stands for them is there already: files of
    # a Puppet that happens to be installed are not loaded. Those of modules are.
    #
    # @api private
    module PuppetFiles
      private

      def require(feature)
        return super unless feature.is_a?(String) && feature.start_with?("puppet/") && PuppetFiles.none_of_modules?(feature)

        loaded = Runtime.current.sandbox.require_of_puppet(feature)
        loaded.nil? ? super : loaded
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
