# frozen_string_literal: true

module Puppetfn
  # The base of the errors that are about puppetfn itself.
  #
  # Errors of functions and type checks are raised as the class that Puppet uses for them:
  # `ArgumentError` for arguments that do not match, `Puppet::ParseError`, and so on.
  class Error < StandardError; end

  # A defect in puppetfn: something that no input should be able to cause.
  class InternalError < Error; end

  # An input is larger or deeper than puppetfn handles.
  class LimitError < Error; end

  # A Ruby object cannot be a Puppet value.
  class ValueError < Error; end

  # A function has something injected that is not bound in its runtime.
  class BindingError < Error
    # @param type [Type]
    # @param key [String, nil]
    def initialize(type, key)
      arguments = [type.to_s, *(key unless key.to_s.empty?)].map(&:inspect).join(", ")
      with_key = " with the key '#{key}'" unless key.to_s.empty?
      super("Nothing is bound to the type #{type}#{with_key}: bind it with runtime.bind(#{arguments}) { value }")
    end
  end

  # Code of a module asked for an action that its runtime refuses.
  class RefusedError < Error
    # @param code [String] the refused code, and its kind
    # @return [RefusedError] the error of a runtime that runs no Ruby
    def self.ruby(code)
      new("#{code} is in Ruby, which this runtime does not run (--no-ruby, Puppetfn::Runtime.new(ruby: false))")
    end
  end

  class FunctionSpec
    # An argument is not one that a function accepts.
    class ArgumentError < ::ArgumentError
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
  class UnavailableError < Error
    # @param part [String] the missing part of Puppet
    # @param advice [String] the remedy
    def initialize(part, advice = "Run this function inside Puppet to use it.")
      super("#{part} is not available: this function runs in puppetfn, without Puppet. #{advice}")
    end
  end
end
