# frozen_string_literal: true

module Differential
  # Where a call is evaluated. A call is a line of Ruby, the same for both sides, and these public
  # methods are its vocabulary:
  #
  #     call("stdlib::ip_in_range", "10.1.2.3", "10.0.0.0/8")
  #     call(function("param 'Integer', :x", "param 'String', :x; block_param"), "a") { |x| x }
  class World
    FIXTURES = File.expand_path("fixtures", __dir__)

    def initialize(side)
      @side = side
      @functions = {}
    end

    # The value of a line of Ruby.
    def evaluate(code)
      instance_eval(code, "call", 1)
    end

    # Calls a function of a module by its name, or one made by #function or #returning.
    def call(function, *args, &block)
      return @side.call_function(function, *args, &block) if function.is_a?(String)

      function.call(nil, *args, &block)
    end

    # Like #call, for a function that stops with an error where deprecations are errors.
    def call_deprecated(function, *args, &block)
      @side.strict = :warning
      call(function, *args, &block)
    ensure
      @side.strict = :error
    end

    # Calls a function of the 3.x API as such functions call each other: as a method of the scope.
    def legacy(name, *args)
      @side.scope.public_send(:"function_#{name}", args)
    end

    # A function with a signature per body; it returns the number of the one that matched, and its
    # arguments. A body is what stands inside `dispatch`.
    def function(*bodies)
      @functions[bodies] ||= made do
        bodies.each_with_index do |body, index|
          dispatch(:"choice#{index}") { instance_eval(body) }
          define_method(:"choice#{index}") { |*args| [index, *args] }
        end
      end
    end

    # A function that returns its argument and promises the type.
    def returning(type)
      @functions[type] ||= made do
        dispatch :itself do
          param "Any", :value
          return_type type
        end
        define_method(:itself) { |value| value }
      end
    end

    # Evaluates code in the Puppet language.
    def program(code)
      @side.evaluate(code)
    end

    def type(string)
      @side.type(string)
    end

    # Whether the value is an instance of the type.
    def instance(type, value)
      self.type(type).instance?(value)
    end

    # Asserts that the value is an instance of the type, and returns it.
    def assertion(type, value)
      ::Puppet::Pops::Types::TypeAsserter.assert_instance_of("the value", self.type(type), value)
    end

    # The texts of the type: its name, and what it stands for in several forms.
    def shown(name)
      type = type(name)
      resolved = type.resolved_type
      [type, resolved, resolved.normalize, resolved.generalize].map(&:to_s) << type.to_alias_expanded_s
    end

    # For each of the other types, whether it is assignable.
    def assignable_from(name, others)
      type = type(name)
      others.map { |other| type.assignable?(type(other)) ? "1" : "0" }.join
    end

    # The closest type that both belong to.
    def common(one, other)
      ::Puppet::Pops::Types::TypeCalculator.singleton.common_type(type(one), type(other))
    end

    def sensitive(value)
      @side.sensitive_class.new(value)
    end

    def fixture(name)
      File.join(FIXTURES, name)
    end

    def signatures(name)
      @side.signatures(name)
    end

    def callables(name)
      @side.callables(name)
    end

    private

    def made(&body)
      ::Puppet::Functions.create_function("f", &body).new(nil, nil)
    end
  end
end
