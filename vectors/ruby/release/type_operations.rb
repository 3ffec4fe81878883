# frozen_string_literal: true

module Release
  # Answers the cases of spec/vectors/types with the type system of the Puppet or OpenVox in the load path. The members of each operation
  # are in spec/vectors/types/README.md.
  class TypeOperations
    Types = Puppet::Pops::Types
    private_constant :Types

    # @param compiler [Puppet::Pal::ScriptCompiler] one that has evaluated the prelude
    def initialize(compiler)
      @compiler = compiler
      @loader = Puppet.lookup(:loaders).private_environment_loader
      @calculator = Types::TypeCalculator.singleton
    end

    # @param recorded [Hash{String=>Object}] a case
    # @return [Object] its outcome, of JSON
    def answer(recorded)
      @recorded = recorded
      send(:"answer_#{recorded["op"]}")
    end

    private

    def answer_parse
      text = @recorded["type"]
      [type(text).to_s, attempt { value(text).to_s }]
    end

    def answer_assignable = type(@recorded["to"]).assignable?(type(@recorded["from"]))

    def answer_assignable_row
      to = type(@recorded["to"])
      @recorded["from"].map { |from| attempt { to.assignable?(type(from)) } }
    end

    def answer_instance = type(@recorded["type"]).instance?(value(@recorded["value"]))

    def answer_instance_row
      type = type(@recorded["type"])
      @recorded["values"].map { |text| attempt { type.instance?(value(text)) } }
    end

    def answer_infer
      return lambda_of(@recorded["lambda"]).type.to_s if @recorded.key?("lambda")

      value = value(@recorded["value"])
      [@calculator.infer_set(value), @calculator.infer(value), @calculator.infer(value).generalize].map(&:to_s)
    end

    def answer_common = @calculator.common_type(type(@recorded["a"]), type(@recorded["b"])).to_s

    def answer_generalize = type(@recorded["type"]).generalize.to_s

    def answer_normalize = type(@recorded["type"]).normalize.to_s

    def answer_callable
      arguments = @recorded["args"].map { |text| value(text) }
      block = lambda_of(@recorded["block"]) if @recorded["block"]
      type(@recorded["type"]).callable_with?(arguments, block)
    end

    def answer_callable_args = type(@recorded["type"]).callable?(type(@recorded["args_type"]))

    def answer_mismatch
      Types::TypeAsserter.assert_instance_of(@recorded["name"], type(@recorded["expected"]), value(@recorded["value"])).then { nil }
    end

    def answer_mismatch_type
      Types::TypeAsserter.assert_assignable(@recorded["name"], type(@recorded["expected"]), type(@recorded["actual"])).then { nil }
    end

    def answer_new
      made = @compiler.evaluate_string("#{@recorded["type"]}.new(#{@recorded["args"].join(", ")})")
      [made.to_s, @calculator.infer_set(made).to_s]
    end

    def answer_format = @compiler.evaluate_string("String.new(#{@recorded["value"]}, #{@recorded["format"]})")

    def type(text) = Types::TypeParser.singleton.parse(text, @loader)

    def value(text) = @compiler.evaluate_string(text)

    # A lambda is seen by a function that it is passed to.
    def lambda_of(text)
      seen = nil
      function = Puppet::Functions.create_function(:seen) do
        dispatch(:seen) { block_param }
        define_method(:seen) { |&block| seen = block.closure }
      end
      @loader.set_entry(Puppet::Pops::Loader::TypedName.new(:function, "seen"), function.new(nil, @loader))
      value("seen() #{text}")
      seen
    end

    # One of several answers in a case.
    def attempt
      yield
    rescue StandardError, SystemStackError => e
      "#{e.class}: #{e.message}"
    end
  end
end
