# frozen_string_literal: true

module Puppetfn
  # A class of Ruby's whose exceptions `raise` extends with {Error}.
  #
  # It is outside the module that uses it: where an object is extended with a module that has constants, Ruby 3.1 empties
  # its cache of all constants.
  ExtendedError = Struct.new(:type) do
    def exception(*message) = type.new(*message).extend(Error)
  end
  private_constant :ExtendedError

  # In every error that puppetfn raises: `rescue Puppetfn::Error` takes them all.
  #
  # Errors of code, functions and type checks keep the class that Puppet raises, {Puppet::Error} and its subclasses or an
  # `ArgumentError`; errors of puppetfn itself are {OperationError}s. Exceptions of functions in Ruby that pass through
  # {Runtime#call_function} unchanged are not puppetfn's.
  #
  # @example
  #   runtime = Puppetfn::Runtime.new
  #   begin
  #     runtime.call_function("upcase")
  #   rescue Puppetfn::Error => e
  #     [e.class, e.message]
  #   end  # => [ArgumentError, "'upcase' expects 1 argument, got none"]
  module Error
    include Explained

    # Returns the argument of `raise` for an error whose class is one of Ruby's: `raise Error[ArgumentError], "..."`. Only
    # the exception is extended, as the class is not puppetfn's.
    #
    # @api private
    # @param type [Class<Exception>]
    # @return [#exception]
    def self.[](type)
      ExtendedError.new(type)
    end
  end

  # The base of the errors that are about puppetfn itself, such as a file that it cannot read.
  class OperationError < StandardError
    include Error
  end

  # In each error for a function that does not exist: an `ArgumentError` of {Runtime#call_function}, a {Puppet::Error} of code,
  # as in Puppet.
  #
  # @example
  #   begin
  #     Puppetfn::Runtime.new.call_function("upcas", "a")
  #   rescue Puppetfn::UnknownFunctionError => e
  #     [e.class, e.name, e.candidates]
  #   end  # => [ArgumentError, "upcas", ["upcase"]]
  module UnknownFunctionError
    include Error

    # @return [String] the name of the function
    attr_reader :name
  end

  # A defect in puppetfn: something that no input should be able to cause.
  class InternalError < OperationError; end

  # An input is larger or deeper than puppetfn handles.
  class LimitError < OperationError; end

  # A Ruby object cannot be a Puppet value.
  class ValueError < OperationError; end

  # A function has something injected that is not bound in its runtime.
  class BindingError < OperationError
    # @param type [Type]
    # @param key [String, nil]
    def initialize(type, key)
      arguments = [type.to_s, *(key unless key.to_s.empty?)].map(&:inspect).join(", ")
      with_key = " with the key '#{key}'" unless key.to_s.empty?
      super("Nothing is bound to the type #{type}#{with_key}: bind it with runtime.bind(#{arguments}) { value }")
    end
  end

  # Code of a module asked for an action that its runtime refuses.
  class RefusedError < OperationError
    # @param code [String] the refused code, and its kind
    # @return [RefusedError] the error of a runtime that runs no Ruby
    def self.ruby(code)
      new("#{code} is in Ruby, which this runtime does not run (--no-ruby, Puppetfn::Runtime.new(ruby: false))")
    end
  end

  class FunctionSpec
    # An argument is not one that a function accepts.
    class ArgumentError < ::ArgumentError
      include Error

      # @return [Integer] which one, from 0
      attr_reader :index

      # @param message [String]
      # @param index [Integer]
      def initialize(message, index)
        super(message)
        @index = index
      end
    end
  end

  # A function asks for a part of Puppet that does not exist without Puppet, such as the catalog.
  class UnavailableError < OperationError
    # @param part [String] the missing part of Puppet
    # @param advice [String] the remedy
    def initialize(part, advice = "Run this function inside Puppet to use it.")
      super("#{part} is not available: this function runs in puppetfn, without Puppet. #{advice}")
    end
  end
end
