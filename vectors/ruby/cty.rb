# frozen_string_literal: true

require "json"
require_relative "extension"

module Vectors
  # Runs the cases of cty's functions as Ruby calls them; spec/vectors/cty/README.md describes them.
  module Cty
    QUESTIONS = %w[call return_type_for_values return_type].freeze
    private_constant :QUESTIONS

    def self.failures(_directory, cases)
      Extension.load
      require_relative "cty/codec"
      require_relative "cty/described_function"
      cases.map { |recorded| failure(recorded.data) }
    end

    def self.failure(data)
      function = function(data)
      return redescribed(function, data) if data.key?("result")

      args = data.fetch("args").map { |value| Codec.value(value) }
      types = args.map(&:type)
      QUESTIONS.filter_map do |question|
        expected = data.fetch(question)
        actual = outcome { function.public_send(question, *(question == "return_type" ? types : args)) }
        "#{question}: expected #{JSON.generate(expected)}\ngot      #{actual.inspect}" unless same?(expected, actual)
      end.first
    end

    def self.function(data)
      return DescribedFunction.make(data["spec"]) if data.key?("spec")
      return Puppetfn::Cty.conversion(data["to"]) if data.key?("to")

      Puppetfn::Cty.function(data.fetch("function"))
    end

    # What a block returns, or the error that it raises.
    def self.outcome
      yield
    rescue StandardError => e
      e
    end

    def self.same?(expected, actual)
      return failed_so?(expected.fetch("error"), actual) if expected.key?("error")

      case actual
      when Puppetfn::Cty::Type then actual == Puppetfn::Cty.type(expected["ok"])
      when Puppetfn::Cty::Value then same_value?(Codec.value(expected["ok"]), actual)
      else false
      end
    end

    # Capsules are equal only to themselves, what is in them may be too.
    def self.same_value?(expected, actual)
      return expected == actual unless expected.type == Codec::BYTES && actual.type == Codec::BYTES && actual.known?

      expected.marks == actual.marks && expected.unmark.first.to_ruby == actual.unmark.first.to_ruby
    end

    def self.failed_so?(expected, actual)
      return false unless actual.is_a?(StandardError)
      return true if expected["kind"] == "panic"

      index = actual.index if actual.is_a?(Puppetfn::FunctionSpec::ArgumentError)
      [index, actual.message] == [expected["arg"], expected["message"]]
    end

    def self.redescribed(function, data)
      actual = outcome { function.with_descriptions("new function", data["descriptions"]) }
      expected = data["result"]
      shown = described(actual) unless actual.is_a?(StandardError)
      right = shown ? expected["ok"] == shown : expected.key?("error")
      "expected #{JSON.generate(expected)}\ngot      #{(shown || actual).inspect}" unless right
    end

    def self.described(function)
      {
        "description" => function.description,
        "params" => function.params.map { |param| param[:description] },
        "var_param" => function.var_param&.fetch(:description)
      }
    end
    private_class_method :failure, :function, :outcome, :same?, :same_value?, :failed_so?, :redescribed, :described
  end
end
