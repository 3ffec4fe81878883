# frozen_string_literal: true

module Puppetfn
  # An object of an Object type. Its attributes and functions are methods of it.
  #
  # @example
  #   runtime = Puppetfn::Runtime.new
  #   runtime.create("Error", "it broke", "kind").msg  # => "it broke"
  #
  # The features of an object whose type is defined by them are methods, too, unless Ruby has one of the name;
  # `object["name"]` reads any.
  #
  # @example
  #   runtime = Puppetfn::Runtime.new
  #   runtime.evaluate_string("type User { attr name, String attr groups, String { max => unbound } }")
  #   user = runtime.type("User").new(name: "ann") { |user| user[:groups] += ["wheel"] }
  #   user.name   # => "ann"
  #   user.to_h   # => {"name" => "ann", "groups" => ["wheel"]}
  class PuppetObject
    # Returns the names in hashes as strings, which are symbols in Ruby.
    #
    # @api private
    # @param value [Object]
    # @return [Object]
    def self.with_names(value)
      case value
      when Hash then value.to_h { |key, element| [key.is_a?(Symbol) ? key.name : key, with_names(element)] }
      when Array then value.map { |element| with_names(element) }
      else value
      end
    end

    # @!method to_h
    #   @return [Hash{String=>Object}] the features that are set, as they are read, without transient ones: the object
    #     can be created from this Hash. Objects that it contains are hashes, too, and references to objects are their places,
    #     `"//@roles.0"`. Of other objects, all attributes.
    #   @raise [Puppet::Error] when it refers to an object that it does not contain

    # @!method to_json(*)
    #   @return [String] the Hash of {#to_h} as JSON

    # @!method to_xmi
    #   @return [String] an object of a type that is defined by its features, with the objects that it contains, as XMI
    #   @raise [Puppet::Error] when it refers to an object that it does not contain, or is of another type

    # Reads a feature, or an attribute.
    #
    # @param name [String, Symbol]
    # @return [Object]
    # @raise [ArgumentError] when the name does not exist
    def [](name)
      call_member(name.to_s)
    end

    # Sets a feature, in the block of `Type#new`. Problems of the value are raised when the block has ended.
    #
    # @param name [String, Symbol]
    # @param value [Object]
    # @raise [Puppetfn::Error] when the object is complete
    def []=(name, value)
      set_feature(name.to_s, PuppetObject.with_names(value))
    end

    # @param name [String, Symbol]
    # @return [Boolean] whether a feature is set
    # @raise [ArgumentError] when the name does not exist
    def set?(name)
      feature_set?(name.to_s)
    end

    # @return [String]
    def inspect
      "#<#{self}>"
    end

    # @api private
    def respond_to_missing?(name, include_private = false)
      member?(name.to_s) || super
    end

    # @api private
    def initialize(*)
      # An implementation may have its own. The attributes have their values already.
    end
    private :initialize, :feature_set?, :set_feature

    # @api private
    def method_missing(name, *arguments, &block)
      return call_member(name.to_s, *arguments, &block) if member?(name.to_s)

      invocation?(name, arguments) ? Puppet::Pops::Lookup::Invocation.of_context(self) : super
    end

    private

    # A lookup context has one more method, which code of the Puppet language does not see.
    def invocation?(name, arguments)
      name == :invocation && arguments.empty? && member?("cached_file_data")
    end
  end
end
