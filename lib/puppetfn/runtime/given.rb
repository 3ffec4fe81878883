# frozen_string_literal: true

module Puppetfn
  class Runtime
    # Checks of the arguments that a runtime is made with.
    #
    # @api private
    module Given
      module_function

      # A directory that is not there would only show as functions and types that are not found.
      #
      # @param given [Array<String>, String, nil]
      # @return [Array<String>]
      # @raise [ArgumentError] when one is not there
      # @raise [TypeError] when one is no path
      def modulepath(given)
        directories = given.nil? || Array === given ? given.to_a : [given]
        directories.each do |directory|
          next if File.directory?(directory)

          raise Error[ArgumentError], "modulepath: #{directory} #{File.exist?(directory) ? "is not a directory" : "does not exist"}"
        end
      end

      # @param given [Hash{Symbol=>Object}] by their names
      # @return [void]
      # @raise [ArgumentError] when one is no Hash
      def check_hashes(**given)
        given.each do |name, value|
          raise Error[ArgumentError], "#{name}: expected a Hash, got #{described(value)}" unless Hash === value
        end
      end

      # @param name [Object] the name of a node
      # @return [void]
      # @raise [ArgumentError] when it is neither a String nor nil
      def check_node(name)
        return if name.nil? || String === name

        advice = "; write node: #{name.name.inspect}" if Symbol === name
        raise Error[ArgumentError], "node: expected a String, got #{described(name)}#{advice}"
      end

      # @param classes [Array, Hash] of a node classifier, with their parameters if it is a Hash
      # @return [Array<Array(String, Hash)>] the classes with their parameters
      # @raise [ArgumentError] when a name is a Symbol
      def classes(classes)
        pairs = classes.is_a?(Hash) ? classes.map { |name, given| [name, given || {}] } : classes.map { |name| [name, {}] }
        symbol = pairs.flat_map { |name, given| [name, *(given.keys if given.is_a?(Hash))] }.grep(Symbol).first
        return pairs unless symbol

        raise Error[ArgumentError], "classes: expected Strings as names, got Symbol #{symbol.inspect}; write #{symbol.name.inspect}"
      end

      # @param value [Object] anything, deep or endless though it may be
      # @return [String]
      def described(value)
        name = Kernel.instance_method(:class).bind_call(value).name
        case value
        when String, Symbol, Numeric, nil, true, false then "#{name} #{value.inspect}"
        else "an object of #{name || "a class without a name"}"
        end
      end
    end
    private_constant :Given
  end
end
