# frozen_string_literal: true

require "stringio"
require_relative "../../support/function_api"
require_relative "../../support/module_tree"

RSpec.describe "Function API: arguments that do not match" do
  include_context "with functions"
  include ModuleTree

  def error_of
    yield
  rescue ArgumentError => e
    e
  end

  min = proc do
    dispatch :min do
      param "Numeric", :a
      param "Numeric", :b
    end
    dispatch :min_s do
      param "String", :s1
      param "String", :s2
    end
    def min(a, b) = [a, b].min
    def min_s(a, b) = min(a.downcase, b.downcase)
  end

  it "are an error that shows the alternatives" do
    error = error_of { call(define("min", &min), 1, 2, 3) }

    expect(error.explain).to eq(<<~TEXT.chomp)
      function 'min' called with mis-matched arguments
      expected one of:
        min(Numeric a, Numeric b) - arg count {2}
        min(String s1, String s2) - arg count {2}
      actual:
        min(Integer, Integer, Integer) - arg count {3}
    TEXT
  end

  it "keep Puppet's message and class" do
    error = error_of { call(define("min", &min), 1, "b") }

    expect(error.class).to be(ArgumentError)
    expect(error.message).to eq(<<~TEXT.chomp)
      The function 'min' was called with arguments it does not accept. It expects one of:
        (Numeric a, Numeric b)
          rejected: parameter 'b' expects a Numeric value, got String
        (String s1, String s2)
          rejected: parameter 's1' expects a String value, got Integer
    TEXT
  end

  it "show optionality with ?, and {0,} for a parameter that accepts 0 or more values" do
    function = define("myfunc") do
      def myfunc(a, b, c = 10, *d) = [a, b, c, d]
    end

    expect(error_of { call(function, 1) }.explain).to eq(<<~TEXT.chomp)
      function 'myfunc' called with mis-matched arguments
        expected:
          myfunc(Any a, Any b, Any c?, Any d{0,}) - arg count {2,}
        actual:
          myfunc(Integer) - arg count {1}
    TEXT
  end

  it "show blocks, and the block that was given" do
    function = define("f") do
      dispatch :f do
        required_repeated_param "Integer", :a
        optional_block_param "Callable[1, 1]", :b
      end
      def f(*) = nil
    end

    expect(error_of { call(function, 1, &->(_, _) {}) }.explain).to eq(<<~TEXT.chomp)
      function 'f' called with mis-matched arguments
        expected:
          f(Integer a{1,}, Callable[1, 1] b?) - arg count {1,}
        actual:
          f(Integer, Callable[Any, Any, 2, 2]) - arg count {1}
    TEXT
  end

  it "leave out what only words mismatches" do
    function = define("f") do
      dispatch(:f) { param "Integer", :a }
      argument_mismatch(:no) { param "Float", :a }
      def f(_) = nil
      def no(_) = "wants a whole number"
    end

    expect(error_of { call(function, "a") }.explain).not_to include("Float")
    error = error_of { call(function, 1.5) }
    expect(error.message).to eq("'f' wants a whole number")
    expect(error.explain).to be_nil
  end

  it "are explained for built-in functions, too" do
    expect(error_of { runtime.call_function("reverse_each") }.explain).to end_with("actual:\n  reverse_each() - arg count {0}")
  end

  it "are those of the function that was called, also deep within another" do
    function = define("outer") do
      def outer(inner) = inner.call(nil)
    end
    inner = make(define("inner") { def inner(a) = a })

    expect { call(function, inner) }.to raise_error(ArgumentError) { |error|
      expect(error.explain).to include("inner(Any a) - arg count {1}")
    }
  end

  it "can be marshalled, as RSpec does between processes" do
    error = Marshal.load(Marshal.dump(error_of { call(define("min", &min)) }))

    expect(error.explain).to include("min(Numeric a, Numeric b) - arg count {2}")
  end

  it "are shown as the table by the command line, after the message" do
    with_modules({"m/lib/puppet/functions/m/twice.rb" => <<~RUBY}) do |root|
      Puppet::Functions.create_function(:"m::twice") do
        dispatch(:twice) { param "Integer", :number }
        def twice(number) = number * 2
      end
    RUBY
      out, err = StringIO.new, StringIO.new
      code = Puppetfn::CLI.run(["call", "--modulepath", root, "m::twice", "a"], out: out, err: err)

      expect([code, out.string]).to eq([1, ""])
      expect(err.string).to eq(<<~TEXT)
        error: 'm::twice' parameter 'number' expects an Integer value, got String

        function 'm::twice' called with mis-matched arguments
          expected:
            m::twice(Integer number) - arg count {1}
          actual:
            m::twice(String) - arg count {1}
      TEXT
    end
  end
end
