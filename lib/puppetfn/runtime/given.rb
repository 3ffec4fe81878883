# frozen_string_literal: true

module Puppetfn
  class Runtime
    # What is wrong with the arguments that a runtime is made with.
    #
    # @api private
    module Given
      module_function

      # A directory that is not there would only show as functions and types that are not found.
      #
      # @param directories [Array<String>]
      # @return [void]
      # @raise [ArgumentError] when one is not there
      def check_modulepath(directories)
        directories.each do |directory|
          next if File.directory?(directory)

          raise ArgumentError, "modulepath: #{directory} #{File.exist?(directory) ? "is not a directory" : "does not exist"}"
        end
      end

      # @param given [Hash{Symbol=>Object}] by their names
      # @return [void]
      # @raise [ArgumentError] when one is no Hash
      def check_hashes(**given)
        given.each do |name, value|
          raise ArgumentError, "#{name}: expected a Hash, got #{value.class} #{value.inspect}" unless value.is_a?(Hash)
        end
      end
    end
    private_constant :Given
  end
end
