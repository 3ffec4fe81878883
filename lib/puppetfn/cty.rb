# frozen_string_literal: true

require "json"
require "set"
require_relative "errors"

module Puppetfn
  define_cty # The part of the extension.

  # The values, types and functions of cty, the type system of HashiCorp's languages, as go-cty 1.12.1 has them.
  #
  #     Puppetfn::Cty.call("join", "-", ["a", "b"]).to_ruby      # => "a-b"
  #     Puppetfn::Cty.call("upper", Puppetfn::Cty.unknown("string"))
  #     # => #<Puppetfn::Cty::Value unknown "string">
  module Cty
    # Raised when a value cannot be converted or used in an operation, and when a function fails.
    class Error < StandardError
      include Puppetfn::Error
    end

    # A type.
    class Type
      # @return [String] the JSON in which cty serializes it, also as a part of other JSON
      def to_json(*) = to_s
    end

    module_function

    # Returns the type of an expression as cty serializes types, in Ruby: `"string"`, `["list", "string"]`,
    # `["object", {"name" => "string", "age" => "number"}, ["age"]]`, where the last part names optional attributes.
    # Types can be parts of it.
    #
    # @param expression [Type, String, Symbol, Array]
    # @return [Type]
    # @raise [Error] when that is not a type
    def type(expression)
      expression.is_a?(Type) ? expression : Type.parse(JSON.generate(expression))
    rescue JSON::JSONError => e
      raise Error, "#{expression.class} is no type of cty's: #{e.message}"
    end

    # Calls a function of the standard library. Arguments that are not values of cty's yet are made such, of the type of
    # their parameters where they can be converted to it: an Array becomes a list or a set.
    #
    # @param name [String, Symbol] one of `functions`
    # @param args [Array<Object>]
    # @return [Value]
    # @raise [FunctionSpec::ArgumentError] when an argument is not accepted
    # @raise [ArgumentError] when there is no such function, or it takes another number of arguments
    # @raise [Error] when the function fails
    def call(name, *args)
      function(name).call(*args)
    end
  end
end
