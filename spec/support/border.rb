# frozen_string_literal: true

require "bigdecimal"
require "date"
require "io/wait"
require "ostruct"
require "pathname"
require "set"
require "stringio"

require_relative "border/values"

# Uses of the gem with Ruby values drawn at random. Each must end in an answer or in a clear error, whatever the values are.
class Border
  # How many uses share a process.
  BATCH = 200
  # How long one may take, in seconds.
  PATIENCE = 60
  LIMITS = {fuel: 100_000}.freeze
  # What these do is to wait, to write, to end the process or to ask it for all it has.
  PASSED_OVER = %w[generate exit].freeze
  TYPES = [
    "Any", "Data", "RichData", "Integer[0, 10]", "String[1]", "Array[Integer]", "Hash[String, Array[Data]]", "Struct[{a => Integer}]",
    "Tuple[Integer, String]", "Variant[Integer, Undef]", "Enum['a', 'b']", "Pattern[/a/]", "Callable[Integer]", "Sensitive[String]", "Runtime",
    "Runtime['ruby', 'Symbol']", "Optional[Type[Integer]]", "Iterable", "Binary", "Timestamp", "Timespan", "SemVer", "Float", "Numeric", "Boolean",
    "Init[Integer]", "NotUndef", "ScalarData", "URI", "Object[{attributes => {a => Integer}}]", "Iterator[Integer]", "Collection[1, 2]"
  ].freeze
  private_constant :BATCH, :PATIENCE, :LIMITS, :PASSED_OVER, :TYPES

  # What came of it.
  #
  # @!attribute uses [Integer]
  # @!attribute answers [Integer]
  # @!attribute errors [Integer]
  # @!attribute wrong [Array<String>]
  Outcome = Struct.new(:uses, :answers, :errors, :wrong)

  # @param seconds [Numeric] how long to go on
  # @param seed [Integer] the number of the first use
  # @param stress [Boolean] whether garbage is collected at each allocation
  # @return [Outcome]
  def self.run(seconds:, seed: 1, stress: false)
    ends = Process.clock_gettime(Process::CLOCK_MONOTONIC) + seconds
    outcome = Outcome.new(0, 0, 0, [])
    (seed..).step(BATCH) do |number|
      return outcome if Process.clock_gettime(Process::CLOCK_MONOTONIC) > ends || outcome.wrong.size > 20

      new(number, stress).batch(outcome)
    end
  end

  def initialize(number, stress)
    @number = number
    @stress = stress
  end

  # Uses the gem in a process of its own, as that may end.
  def batch(outcome)
    reader, writer = IO.pipe
    process = fork { child(reader, writer) }
    writer.close
    last = nil
    while (line = next_line(reader))
      last = Marshal.load(line.unpack1("m"))
      tell(last, outcome)
    end
    Process.kill(:KILL, process) if last != :done
    status = Process.wait2(process).last
    outcome.wrong << "after #{last.inspect}: #{status}" unless last == :done || last.is_a?(Array) && last.first == :wrong
  ensure
    reader.close
  end

  private

  def next_line(reader)
    reader.gets if reader.wait_readable(PATIENCE)
  end

  def tell(said, outcome)
    case said
    in :answer then outcome.answers += 1
    in :error then outcome.errors += 1
    in [:wrong, what] then outcome.wrong << what
    in [:use, _] then outcome.uses += 1
    in :done then nil
    end
  end

  def child(reader, writer)
    reader.close
    [$stdout, $stderr].each { |stream| stream.reopen(File::NULL) }
    say = ->(what) { writer.write([Marshal.dump(what)].pack("m0"), "\n") }
    Puppetfn.limits = LIMITS
    @runtime = Puppetfn::Runtime.new
    (@number...@number + BATCH).each { |number| use(number, say) }
    say.call(:done)
  rescue Exception => e # rubocop:disable Lint/RescueException
    say.call([:wrong, "drawing raised #{e.class}: #{e.message}\n#{e.backtrace.first(5).join("\n")}"])
  ensure
    # Nothing of what is done at the end of a process.
    exit!(true)
  end

  def use(number, say)
    @random = Random.new(number)
    @values = Values.new(@random)
    name, work = draw
    say.call([:use, "number #{number}: #{name}"])
    GC.stress = @stress
    say.call(ended(number, name, &work))
  end

  def ended(number, name)
    yield
    GC.stress = false
    :answer
  rescue Exception => e # rubocop:disable Lint/RescueException
    GC.stress = false
    clear?(e) ? :error : [:wrong, "number #{number}: #{name} raised #{e.class}: #{e.message.to_s[0, 300]}\n#{e.backtrace&.first(5)&.join("\n")}"]
  end

  # What the values themselves raise is passed on. Errors of Ruby's about a method that is missing, and whatever ends a
  # process, are nobody's wish.
  def clear?(error)
    return true if error.is_a?(Values::Own) || error.is_a?(Puppet::Error) || error.is_a?(Puppetfn::LimitError)

    case error
    when Puppetfn::InternalError, NoMemoryError, SystemStackError, NameError, SystemExit, SignalException, LocalJumpError then false
    else error.is_a?(StandardError) && error.message.is_a?(String) && !error.message.empty?
    end
  end

  # Returns what is done, in words, and a block that does it.
  def draw
    case @random.rand(100)
    when 0...45 then call
    when 45...60 then of_type
    when 60...70 then create
    when 70...78 then variable
    when 78...84 then block
    else plain
    end
  end

  def functions
    @functions ||= @runtime.list_functions.map { |entry| entry.respond_to?(:name) ? entry.name : entry.to_s } - PASSED_OVER
  end

  def call
    name, arguments = functions.sample(random: @random), values(@random.rand(4))
    kind = @random.rand(3)
    work = case kind
           when 0 then -> { @runtime.call_function(name, *arguments) }
           when 1 then -> { @runtime.call_function(name, *arguments) { |*given| given.last } }
           else
             other = @values.draw
             -> { @runtime.call_function(name, *arguments) { other } }
           end
    ["#{name} with #{@values.drawn.join(", ")}", work]
  end

  def of_type
    type, value = TYPES.sample(random: @random), @values.draw
    method = %i[instance? === assignable? callable_with? assert describe_mismatch].sample(random: @random)
    ["#{type}.#{method} of #{@values.drawn.last}", -> { @runtime.type(type).public_send(method, *([value] * @runtime.type(type).method(method).arity.abs)) }]
  end

  def create
    type, arguments = TYPES.sample(random: @random), values(@random.rand(3))
    ["new #{type} of #{@values.drawn.join(", ")}", -> { @runtime.type(type).new(*arguments) }]
  end

  def variable
    value = @values.draw
    code = ["$x", "\"${x}\"", "$x =~ Data", "[$x, $x] == [$x]", "$x[0]", "$x['a']", "$x.each |$y| { $y }", "type($x)", "notice($x)", "$x + $x",
            "{$x => 1}", "$x ? { /a/ => 1, default => 2 }", "$x in [$x]", "String($x)", "sprintf('%p', $x)", "$x.length"].sample(random: @random)
    ["#{code} of #{@values.drawn.last}", -> { @runtime.evaluate_string(code, variables: {"x" => value}) }]
  end

  # A function whose block changes what it goes over, throws, or comes back.
  def block
    array, hash = values(4), {"a" => @values.draw, "b" => 2}
    work = [
      -> { @runtime.call_function("map", array) { |x| array.clear << x } },
      -> { @runtime.call_function("each", hash) { |k, v| hash.delete("b"); [k, v] } },
      -> { @runtime.call_function("each", array) { |x| array << x if array.size < 100 } },
      -> { @runtime.call_function("filter", array) { |_| array.replace([1]) } },
      -> { @runtime.call_function("reduce", array) { |memo, x| array.pop; [memo, x] } },
      -> { catch(:out) { @runtime.call_function("map", array) { |x| throw(:out, x) } } },
      -> { [1].each { |_| @runtime.call_function("map", array) { |x| break x } } },
      -> { @runtime.call_function("sort", array) { |a, b| array.shift; a.__id__ <=> b.__id__ } },
      -> { @runtime.call_function("map", array) { |x| @runtime.call_function("map", [x]) { |y| @runtime.call_function("type", y) } } },
      -> { Fiber.new { @runtime.call_function("map", array) { |x| Fiber.yield(x) } }.resume },
      -> { @runtime.call_function("with", *array) { |*all| Thread.new { @runtime.call_function("size", all) }.value } },
      -> { Enumerator.new { |y| @runtime.call_function("each", array) { |x| y << x } }.next }
    ].sample(random: @random)
    ["block #{work.source_location.last} over #{@values.drawn.join(", ")}", work]
  end

  def plain
    value, other = values(2)
    work = [
      -> { @runtime.infer(value) }, -> { @runtime.infer_set(value) }, -> { Puppetfn::Type.infer(value).to_s }, -> { @runtime.type(value) },
      -> { Puppetfn::Type.parse(value) }, -> { @runtime.evaluate_string(value) }, -> { @runtime.evaluate_string("$a", variables: value) },
      -> { @runtime.call_function(value, other) }, -> { Puppetfn::Runtime.new(facts: value) }, -> { Puppetfn::Runtime.new(modulepath: value) },
      -> { Puppetfn.limits = value }, -> { @runtime.lookup(value) }, -> { @runtime.lookup("a", other) }, -> { @runtime.bind(value, other) },
      -> { @runtime.parse_string(value) }, -> { @runtime.validate_string(value) }, -> { @runtime.compile(value) },
      -> { @runtime.compile("notify { 'a': message => $x }", variables: {"x" => value}) }, -> { @runtime.function_signature(value) },
      -> { @runtime.create(value, other) }, -> { @runtime.common_type(value, other) }, -> { Puppetfn::Unknown.new(value) },
      -> { Puppetfn::Binary.new(value) }, -> { @runtime.type("Binary").from_json(value) }, -> { @runtime.type("Integer") == value },
      -> { @runtime.type("Integer").assignable?(value) }, -> { @runtime.type("Integer").eql?(value) },
      -> { @runtime.define_function(value) { other } }, -> { @runtime.evaluate_file(value) }, -> { @runtime.reload(value) },
      -> { @runtime.allow?(value) }, -> { @runtime.import_model(value) }, -> { @runtime.type("Array").new(value, other) }
    ]
    index = @random.rand(work.size)
    ["plain #{index} with #{@values.drawn.join(", ")}", work[index]]
  end

  def values(count)
    Array.new(count) { @values.draw }
  end
end
