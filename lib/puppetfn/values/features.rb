# frozen_string_literal: true

module Puppetfn
  class Type
    # @api private
    # @return [Runtime, nil] what makes objects of a type that is defined by its features
    attr_accessor :runtime

    # @api private
    # @param arguments [Array<Hash>]
    # @yieldparam object [PuppetObject] can be set until the block ends
    # @return [PuppetObject]
    # @raise [UnavailableError] when no runtime is at work, and the type was not got from one
    def make_object(arguments, &block)
      with_evaluator("new") { |evaluator| evaluator.call("new", [self, *PuppetObject.with_names(arguments)], block) }
    end

    # Makes an object of what {PuppetObject#to_json} gives.
    #
    # @param text [String]
    # @return [PuppetObject]
    # @raise [Puppet::Error] when it is not JSON of such an object, or the type does not accept it
    def from_json(text)
      with_evaluator("from_json") { |evaluator| evaluator.object_of_json(to_s, text) }
    end

    # Makes an object of what {PuppetObject#to_xmi} gives.
    #
    # @param text [String]
    # @return [PuppetObject]
    # @raise [Puppet::Error] when it is not XMI of such an object, or the type does not accept it
    def from_xmi(text)
      with_evaluator("from_xmi") { |evaluator| evaluator.object_of_xmi(to_s, text) }
    end

    private

    def with_evaluator(purpose)
      maker = runtime || Runtime.current!("#{purpose} of #{name}")
      maker.activate { yield maker.evaluator }
    end
  end

  # Objects of types that are defined by their features have these for methods, unless Ruby has one of the name;
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
    #   @return [Hash{String=>Object}] the features that are set, as they are read, without those that are transient:
    #     what the object can be made of. Objects that it contains are hashes, too, and what it refers to is named by its
    #     place, `"//@roles.0"`. Of other objects, all attributes.
    #   @raise [Puppet::Error] when it refers to an object that it does not contain

    # @!method to_json(*)
    #   @return [String] what {#to_h} gives, as JSON

    # @!method to_xmi
    #   @return [String] an object of a type that is defined by its features, with those that it contains, as XMI
    #   @raise [Puppet::Error] when it refers to an object that it does not contain, or is of another type

    # Reads a feature, or an attribute.
    #
    # @param name [String, Symbol]
    # @return [Object]
    # @raise [ArgumentError] when there is none of this name
    def [](name)
      call_member(name.to_s)
    end

    # Sets a feature, in the block of `Type#new`. What is wrong with the value is said when the block has ended.
    #
    # @param name [String, Symbol]
    # @param value [Object]
    # @raise [Puppetfn::Error] when the object is complete
    def []=(name, value)
      set_feature(name.to_s, PuppetObject.with_names(value))
    end

    # @param name [String, Symbol]
    # @return [Boolean] whether a feature is set
    # @raise [ArgumentError] when there is none of this name
    def set?(name)
      feature_set?(name.to_s)
    end

    # @return [String]
    def inspect
      "#<#{self}>"
    end
    private :feature_set?, :set_feature
  end
end
