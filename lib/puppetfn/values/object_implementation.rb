# frozen_string_literal: true

module Puppetfn
  # The implementation of the objects of a type that a module defines in Ruby: a block for their class, or a class.
  #
  # @api private
  class ObjectImplementation
    # All that are in use. The garbage collector cannot see the user of one, a type of the core, and the class
    # of the objects leads to the loader: so each lives as long as its loader.
    KNOWN = ObjectSpace::WeakMap.new
    private_constant :KNOWN

    # @param id [Integer]
    # @return [ObjectImplementation]
    # @raise [Error] when the runtime is gone that has it
    def self.find(id)
      KNOWN[id] or raise OperationError, "the runtime is gone that has defined the type"
    end

    # Returns the `new` of a class of objects, by which their methods make others: `self.class.new(1, 2)`. Objects lead to
    # their class, so it has an id and a name only: a runtime whose variables have objects could not be freed otherwise.
    #
    # @param id [Integer] of the implementation
    # @param type_name [String]
    # @return [Proc] takes the values of the attributes in order
    def self.constructor(id, type_name)
      ->(*values) { ObjectImplementation.find(id).make(Runtime.current!("#{type_name}.new").type(type_name), values, false) }
    end

    # @return [Integer] the key for {.find}
    alias id object_id

    # @param definition [Puppet::DataTypes::Definition]
    # @param loader [Loader] knows the implementations of other types
    def initialize(definition, loader)
      @name = definition.name
      @block = definition.implementation
      @class = definition.implementation_class
      @loader = loader
      @classes = {}
      # The methods of the block lead to the definition, and it would lead from there to the loader.
      definition.implementation = nil
      KNOWN[id] = self
    end

    # @return [Boolean] whether objects are made of hashes
    def takes_hash?
      @class.nil? || @class.respond_to?(:from_asserted_hash)
    end

    # @param type_name [String]
    # @return [Boolean] whether the type is the one that is defined
    def of?(type_name)
      type_name.casecmp?(@name)
    end

    # Makes the objects of the class instances of the type.
    #
    # @param type [Type]
    # @return [void]
    def define(type)
      PuppetObject.implement(type, @class) if @class
    end

    # Makes an object.
    #
    # @param type [Type] the type, or one that inherits from it
    # @param arguments [Array<Object>] the values of the attributes, or a hash with them
    # @param of_hash [Boolean] whether they are a hash
    # @return [Object]
    def make(type, arguments, of_hash)
      return make_of_class(arguments, of_hash) if @class && of?(type.name)

      object = class_for(type).make(type, of_hash ? arguments.first : arguments)
      object.attribute_values.each { |name, value| object.instance_variable_set(:"@#{name}", value) }
      object.__send__(:initialize, *(of_hash ? object.attribute_values.values : arguments))
      object
    end

    # @param type [Type]
    # @return [Class<PuppetObject>] the class of its objects
    def class_for(type)
      return PuppetObject if @class

      @classes[type.name] ||= begin
        klass = of?(type.name) ? Class.new(class_of_parent(type), &@block) : Class.new(class_for(type.parent))
        klass.define_singleton_method(:new, &self.class.constructor(id, type.name))
        klass
      end
    end

    private

    def class_of_parent(type)
      parent = type.parent
      parent = parent.resolved_type if parent.respond_to?(:resolved_type)
      implementation = parent && @loader.implementation(parent.name)
      implementation ? implementation.class_for(parent) : PuppetObject
    end

    def make_of_class(arguments, of_hash)
      if of_hash then @class.from_asserted_hash(*arguments)
      elsif @class.respond_to?(:from_asserted_args) then @class.from_asserted_args(*arguments)
      else @class.new(*arguments)
      end
    end
  end
end
