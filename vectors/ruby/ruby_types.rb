# frozen_string_literal: true

require "fileutils"
require "json"
require "tmpdir"
require_relative "core"
require_relative "extension"

module Vectors
  # Runs the cases about values once more on Ruby's values, through the Ruby API;
  # spec/vectors/types/README.md describes them. Cases with values that Ruby does not have pass.
  class RubyTypes
    OPS = %w[instance instance_row infer callable mismatch new].freeze
    # The fields that hold expressions.
    EXPRESSIONS = %w[value values args].freeze
    private_constant :OPS, :EXPRESSIONS

    def self.failures(directory, cases)
      Extension.load
      Dir.mktmpdir("puppetfn-vectors-") { |modulepath| new(directory, modulepath, cases).failures }
    end

    def initialize(directory, modulepath, cases)
      write_types(File.join(directory, "prelude.pp"), modulepath)
      @runtime = Puppetfn::Runtime.new(modulepath: [modulepath])
      @cases = cases.map { |recorded| recorded.data if OPS.include?(recorded.data["op"]) && !recorded.data["error_internal"] }
      @codes = Core.ruby_codes(directory, @cases.compact.flat_map { |data| data.values_at(*EXPRESSIONS) }.flatten.compact.uniq)
      @types = Hash.new { |types, text| types[text] = @runtime.parse_type(text) }
    end

    def failures
      @cases.map do |data|
        failure = data && failure(data)
        failure && "in Ruby: #{failure}"
      end
    end

    private

    def failure(data)
      catch(:not_in_ruby) { __send__(data["op"], data) }
    rescue StandardError => e
      "#{e.class}: #{e.message}"
    end

    # The types of the prelude, one a line, as the files of modules.
    def write_types(prelude, modulepath)
      File.foreach(prelude, encoding: "UTF-8") do |line|
        mod, name = line[/\Atype ([\w:]+) =/, 1]&.downcase&.split("::", 2)
        next unless name

        path = File.join(modulepath, mod, "types", "#{name}.pp")
        FileUtils.mkdir_p(File.dirname(path))
        File.write(path, line)
      end
    end

    def instance(data)
      compare(data, data["result"]) { type(data["type"]).instance?(value(data["value"])) }
    end

    def instance_row(data)
      type = type(data["type"])
      wrong = data["values"].zip(data["result"].chars).filter_map do |expression, expected|
        next if expected == "E" || !@codes[expression]

        actual = type.instance?(value(expression)) ? "1" : "0"
        "#{expression}: expected #{expected}, got #{actual}" if actual != expected
      end
      "#{wrong.size} of #{data["values"].size} differ:\n#{wrong.join("\n")}" if wrong.any?
    end

    def infer(data)
      throw :not_in_ruby unless data.key?("value")

      compare(data, data.values_at("string", "reduced", "generalized")) do
        value = value(data["value"])
        reduced = @runtime.infer(value)
        [@runtime.infer_set(value), reduced, reduced.generalize].map(&:to_s)
      end
    end

    def callable(data)
      # The type of a Ruby block does not tell the types of its parameters.
      throw :not_in_ruby if data.key?("block")

      compare(data, data["result"]) { type(data["type"]).callable_with?(values(data)) }
    end

    def mismatch(data)
      compare(data, data["message"]) do
        type(data["expected"]).assert(data["name"], value(data["value"]))
        nil
      rescue Puppetfn::Puppet::Pops::Types::TypeAssertionError => e
        e.message
      end
    end

    def new(data)
      literal = data["form"] == "literal"
      compare(data, literal ? data["result_type"] : data.values_at("value", "result_type")) do
        made = @runtime.call_function("new", type(data["type"]), *values(data))
        t = @runtime.infer_set(made).to_s
        literal ? t : [@runtime.call_function("new", type("String"), made, "%p"), t]
      end
    end

    # What is wrong with the answer of the block, if anything.
    def compare(data, result)
      actual = begin
        {"result" => yield}
      rescue StandardError => e
        {"error" => e.message}
      end
      expected = data.key?("error") ? {"error" => data["error"]} : {"result" => result}
      "expected #{JSON.generate(expected)}\ngot      #{JSON.generate(actual)}" if actual != expected
    end

    def values(data)
      data["args"].map { |expression| value(expression) }
    end

    # The value of a Puppet expression.
    def value(expression)
      code = @codes[expression] or throw :not_in_ruby
      instance_eval(code)
    end

    # What the code of a value is made of, besides literals.

    def type(text)
      @types[text]
    end

    def create(type, text)
      @runtime.call_function("new", type, text)
    end

    def sensitive(value)
      Puppetfn::Sensitive.new(value)
    end
  end
end
