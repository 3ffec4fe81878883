# frozen_string_literal: true

module Differential
  # Programs in the Puppet language, drawn at random: expressions whose types fit, and now and then one whose
  # type does not. The same number always gives the same program.
  class Programs
    # How deep expressions nest.
    DEPTH = 4
    # One of so many expressions is of any type.
    MISFITS = 60

    INTEGERS = %w[0 1 2 3 7 -1 -4 10 42 255 0x1F 017].freeze
    FLOATS = %w[0.0 1.5 -2.25 1e3 0.1 100.0 3.7].freeze
    STRINGS = ["''", "'a'", "'abc'", "'B'", "'Hello world'", "'a,b,,c'", "'10'", "'0x1F'", "' x '", "'é€'", "\"a\\tb\"", "'a.b.c'"].freeze
    PATTERNS = %w[/a/ /[bc]+/ /(?i:B)/ /^\w+$/ /(l+)(o)?/ /\d+/ /\s/].freeze
    KEYS = %w['a' 'b' 'c' 1 2].freeze
    TYPES = ["Integer", "Integer[1]", "Integer[-3, 10]", "Float", "Numeric", "String", "String[1]", "String[2, 5]", "Boolean", "Array", "Array[Integer]",
             "Array[String, 1]", "Hash", "Hash[String, Integer]", "Data", "Scalar", "Any", "Undef", "Enum['a', 'abc']", "Pattern[/b/]", "Optional[Integer]",
             "Variant[Integer, String]", "NotUndef", "Collection", "Tuple[Integer, String]", "Struct[{'a' => Integer, Optional['b'] => Any}]", "Iterable[Integer]",
             "Type[Integer]", "Callable", "Sensitive[String]", "Regexp", "Default"].freeze

    # @param number [Integer] of the program
    def self.of(number)
      new(number).program
    end

    def initialize(number)
      @number = number
      @random = Random.new(number)
      @variables = Hash.new { |hash, type| hash[type] = [] }
      @count = 0
      @is_defined = false
    end

    # A function, and statements that may call it. Their variables are those of a lambda, so that programs
    # do not meet each other's.
    def program
      parameters = [%i[integer Integer x], %i[string String y]]
      function = scoped do
        parameters.each { |type, _, name| @variables[type] << "$#{name}" }
        "function program#{@number}(Integer $x, String $y = 'y') >> Integer { #{body(DEPTH - 2, :integer)} }"
      end
      @is_defined = true
      "#{function}\nwith() || {\n#{body(DEPTH)}\n}"
    end

    private

    def pick(list)
      list[@random.rand(list.size)]
    end

    def one_of(number)
      @random.rand(number).zero?
    end

    # Variables that are assigned within are not seen outside.
    def scoped
      outer = @variables.transform_values(&:dup)
      outer.default_proc = @variables.default_proc
      yield
    ensure
      @variables = outer
    end

    def body(depth, type = any_type)
      scoped do
        statements = Array.new(@random.rand(0..3)) { statement(depth) }
        [*statements, of(type, depth)].join("\n")
      end
    end

    def statement(depth)
      return "notice(#{of(any_type, depth)})" if one_of(4)
      return "if #{of(:boolean, depth)} { #{scoped { statement(depth - 1) }} }" if depth > 1 && one_of(5)

      type = any_type
      value = of(type, depth)
      name = "$v#{@count += 1}"
      @variables[type] << name
      "#{name} = #{value}"
    end

    def any_type
      pick(%i[integer integer float string string boolean integers strings hash type])
    end

    # An expression of a type.
    def of(type, depth)
      type = any_type if one_of(MISFITS)
      known = @variables[type]
      return pick(known) if known.any? && one_of(depth <= 0 ? 2 : 4)
      return send(:"#{type}_literal") if depth <= 0

      one_of(5) ? choice(type, depth - 1) : send(type, depth - 1)
    end

    def choice(type, depth)
      case @random.rand(4)
      when 0 then "if #{of(:boolean, depth)} { #{of(type, depth)} } else { #{of(type, depth)} }".then { |code| "(with() || { #{code} })" }
      when 1
        "(with() || { case #{of(:string, depth)} { #{pick(STRINGS)}, #{pick(PATTERNS)}: { #{of(type, depth)} } #{pick(TYPES)}: { #{of(type, depth)} } " \
        "default: { #{of(type, depth)} } } })"
      when 2 then "(#{of(:integer, depth)} ? { #{pick(INTEGERS)} => #{of(type, depth)}, #{pick(TYPES)} => #{of(type, depth)}, default => #{of(type, depth)} })"
      else "[#{of(type, depth)}, #{of(type, depth)}][#{pick(%w[0 1 -1])}]"
      end
    end

    # The code with the parameters of a lambda as variables.
    def lambda(parameters, type, depth)
      names = parameters.map { "$p#{@count += 1}" }
      scoped do
        parameters.zip(names) { |parameter, name| @variables[parameter] << name }
        "|#{names.join(", ")}| { #{of(type, depth)} }"
      end
    end

    def integer_literal = pick(INTEGERS)
    def float_literal = pick(FLOATS)
    def string_literal = pick(STRINGS)
    def boolean_literal = pick(%w[true false])
    def integers_literal = "[#{Array.new(@random.rand(0..4)) { pick(INTEGERS) }.join(", ")}]"
    def strings_literal = "[#{Array.new(@random.rand(0..3)) { pick(STRINGS) }.join(", ")}]"
    def hash_literal = "{ #{KEYS.sample(@random.rand(0..3), random: @random).map { |key| "#{key} => #{pick(INTEGERS)}" }.join(", ")} }"
    def type_literal = pick(TYPES)

    def integer(depth)
      case @random.rand(12)
      when 0, 1 then "(#{of(:integer, depth)} #{pick(%w[+ - *])} #{of(:integer, depth)})"
      # Without parentheses, what follows a lambda could be a regular expression.
      when 2 then "((#{of(:integer, depth)}) #{pick(%w[/ % << >>])} #{pick(%w[1 2 3 5])})"
      when 3 then "size(#{of(pick(%i[string integers strings hash]), depth)})"
      when 4 then "(#{of(:integers, depth)}.reduce(#{of(:integer, depth)}) #{lambda(%i[integer integer], :integer, depth)})"
      when 5 then "program#{@number}(#{of(:integer, depth)}, #{of(:string, depth)})" if @is_defined
      when 6 then "abs(#{of(:integer, depth)})"
      when 7 then "#{pick(%w[max min])}(#{of(:integer, depth)}, #{of(:integer, depth)})"
      when 8 then "Integer(#{of(pick(%i[integer float]), depth)})"
      when 9 then "(#{of(:hash, depth)}[#{pick(KEYS)}].lest || { #{of(:integer, depth)} })"
      when 10 then "(-#{of(:integer, depth)})"
      end || "compare(#{of(:integer, depth)}, #{of(:integer, depth)})"
    end

    def float(depth)
      case @random.rand(4)
      when 0, 1 then "((#{of(:float, depth)}) #{pick(%w[+ - * /])} #{of(pick(%i[float integer]), depth)})"
      when 2 then "Float(#{of(pick(%i[integer float]), depth)})"
      else "#{pick(%w[abs floor ceiling round])}(#{of(:float, depth)})"
      end
    end

    def string(depth)
      case @random.rand(11)
      when 0, 1 then "\"#{pick(%w[a x: é])}${(#{of(any_type, depth)})}#{pick(["", "-", " b"])}\""
      when 2 then "#{pick(%w[upcase downcase capitalize strip camelcase chomp chop lstrip])}(#{of(:string, depth)})"
      when 3 then "join(#{of(pick(%i[strings integers]), depth)}, #{pick(["','", "''", "'-'"])})"
      when 4 then "String(#{of(any_type, depth)})"
      when 5 then "sprintf(#{pick(["'%05d'", "'%x'", "'%+d'", "'%s'", "'%-6d|'"])}, #{of(:integer, depth)})"
      when 6 then "regsubst(#{of(:string, depth)}, #{pick(PATTERNS)}, #{pick(["'<\\0>'", "''", "'x'"])}, 'G')"
      when 7 then "(#{of(:string, depth)}[#{pick(%w[0 1 -2])}, #{pick(%w[1 2 -1])}])"
      when 8 then "String(#{of(:integer, depth)}, #{pick(%w['%d' '%x' '%#o' '%5d' '%p'])})"
      when 9 then "#{of(:string, depth)}.match(#{pick(PATTERNS)}).then |$m| { $m[0] }.lest || { 'none' }"
      else "type(#{of(any_type, depth)}, 'generalized').then |$t| { \"${t}\" }"
      end
    end

    def boolean(depth)
      case @random.rand(10)
      when 0, 1 then "(#{of(:integer, depth)} #{pick(%w[< > <= >= == !=])} #{of(pick(%i[integer integer float]), depth)})"
      when 2 then "(#{of(:string, depth)} #{pick(%w[== != < > in])} #{of(:string, depth)})"
      when 3 then "(#{of(any_type, depth)} #{pick(%w[=~ !~])} #{pick(TYPES)})"
      when 4 then "(#{of(:string, depth)} =~ #{pick(PATTERNS)})"
      when 5 then "(#{of(:boolean, depth)} #{pick(%w[and or])} #{of(:boolean, depth)})"
      when 6 then "!#{of(:boolean, depth)}"
      when 7 then "(#{of(:integer, depth)} in #{of(:integers, depth)})"
      when 8 then "#{pick(%w[any all])}(#{of(:integers, depth)}) #{lambda(%i[integer], :boolean, depth)}"
      else "(#{of(pick(%i[integers strings hash type]), depth)} == #{of(pick(%i[integers strings hash type]), depth)})"
      end
    end

    def integers(depth)
      case @random.rand(11)
      when 0 then "[#{of(:integer, depth)}, #{of(:integer, depth)}]"
      when 1 then "#{of(:integers, depth)}.map #{lambda(%i[integer], :integer, depth)}"
      when 2 then "#{of(:integers, depth)}.filter #{lambda(%i[integer], :boolean, depth)}"
      when 3 then "(#{of(:integers, depth)} #{pick(%w[+ - <<])} #{of(pick(%i[integers integer]), depth)})"
      when 4 then "#{pick(%w[sort unique flatten])}(#{of(:integers, depth)})"
      when 5 then "Integer[1, #{pick(%w[1 3 5])}].map #{lambda(%i[integer], :integer, depth)}"
      when 6 then "values(#{of(:hash, depth)})"
      when 7 then "[*#{of(:integers, depth)}, #{of(:integer, depth)}]"
      when 8 then "(#{of(:integers, depth)}[#{pick(%w[0 1 -2])}, #{pick(%w[1 2 -1])}])"
      when 9 then "flatten(#{of(:integers, depth)}.slice(#{pick(%w[1 2 3])}))"
      else "#{of(:integers, depth)}.#{pick(["reverse_each", "step(2)"])}.map #{lambda(%i[integer], :integer, depth)}"
      end
    end

    def strings(depth)
      case @random.rand(6)
      when 0 then "[#{of(:string, depth)}, #{of(:string, depth)}]"
      when 1 then "#{of(:integers, depth)}.map #{lambda(%i[integer], :string, depth)}"
      when 2 then "split(#{of(:string, depth)}, #{pick(["','", "/[.,]/", "' '", "''"])})"
      when 3 then "(#{of(:strings, depth)} + #{of(pick(%i[strings string]), depth)})"
      when 4 then "sort(#{of(:strings, depth)})"
      else "#{of(:hash, depth)}.map |$k, $v| { \"${k}=${v}\" }"
      end
    end

    def hash(depth)
      case @random.rand(6)
      when 0 then "{ #{pick(KEYS)} => #{of(:integer, depth)}, 'x' => #{of(:integer, depth)} }"
      when 1 then "(#{of(:hash, depth)} + #{of(:hash, depth)})"
      when 2 then "(#{of(:hash, depth)} - #{pick(["'a'", "['a', 1]"])})"
      when 3 then "#{of(:hash, depth)}.filter |$k, $v| { #{of(:boolean, depth)} }"
      when 4 then "Hash(#{of(:integers, depth)}.map #{lambda(%i[integer], :integer, depth)}.map |$i, $x| { [$i, $x] })"
      else "#{of(:integers, depth)}.group_by #{lambda(%i[integer], :integer, depth)}.map |$k, $v| { [$k, size($v)] }.then |$x| { Hash($x) }"
      end
    end

    def type(depth)
      case @random.rand(5)
      when 0 then "type(#{of(any_type, depth)})"
      when 1 then "#{pick(%w[Array Optional Type NotUndef Iterable])}[#{of(:type, depth)}]"
      when 2 then "Variant[#{of(:type, depth)}, #{of(:type, depth)}]"
      when 3 then "Tuple[#{of(:type, depth)}, #{of(:type, depth)}, #{pick(%w[0 1 2])}, #{pick(%w[2 3 default])}]"
      else "Hash[#{pick(%w[String Integer Scalar])}, #{of(:type, depth)}]"
      end
    end
  end
end
