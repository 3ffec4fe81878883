# frozen_string_literal: true

require "puppetfn/rspec"

module Puppetfn
  module RSpec
    # Libraries that are used where they are installed.
    #
    # @api private
    module Installed
      # Requires a file that a shim has the name of.
      #
      # @param name [String]
      # @param gem_name [String] the gem that has the file
      # @return [Boolean] whether the file exists
      def self.require(name, gem_name = name)
        path = find(name) || (find(name) if activate(gem_name))
        return false unless path

        Kernel.require(path)
        true
      end

      def self.find(name)
        ($LOAD_PATH - [SHIMS]).map { |directory| File.join(directory, "#{name}.rb") }.find { |path| File.file?(path) }
      end

      def self.activate(name)
        gem(name)
        true
      rescue Gem::LoadError
        false
      end
      private_class_method :find, :activate
    end
  end
end
