# frozen_string_literal: true

# Asks the drop-in the same questions while the garbage collector runs at each allocation, while it also moves objects,
# and after it has moved them, and prints what is answered otherwise than in peace.

require_relative "../settings"
require_relative "../side/puppet"
require_relative "model_text"

MANIFEST = <<~'PUPPET'
  class one::two(String $a, Array[Integer] $b = [1, 2], *$rest) inherits one {
    $x = { 'k' => "s${a}t${b[0]}", 2 => 1.5, c => undef }
    if $a =~ /^x/ and !($b in [1]) { notice("$a") } elsif true { include other } else { $y = -$b[0] }
    unless $x['k'] == default { file { ['/a', "/b/$a"]: ensure => file, * => $x; default: mode => '0644' } }
    case $a { 'x', /y/: { $z = 0x1F } default: { fail("no ${a.upcase}") } }
    $s = $a ? { 'a' => 1, default => 017 }
    $b.each |$i, Integer $v = 1| { notice($i + $v * 2) }
    File { mode => '0600' }
    File['/a'] { owner => root }
    Package <| title == 'x' or tag != y |> { ensure => present }
    @user { 'u': } -> Service <<| |>> ~> Exec['e']
  }
  define one::three($n) { realize(User['u']) }
  function one::four(Any $v) >> String { "${v}" }
  type One::Five = Variant[String[1], Struct[{a => Integer}]]
  node 'a.b', /c/ { one::three { 'd': n => 1 } }
PUPPET

TYPES = [
  "Array[Integer[1, 2], 1, 3]", "Hash[String[1, 20], Array[Float[0.5]]]", "Tuple[Sensitive, Enum, Pattern, NotUndef, Variant]",
  "Struct[{a => Tuple[Enum[b, 'the second name of all', true], Type], Optional[b] => Optional[Integer], c => NotUndef[d]}]",
  "Variant[Pattern[/^a/], Pattern[/b/, /c/], Regexp[/d/], Boolean[true], Type[Integer]]", "Array[0, 0]", "Hash[0, 0]",
  "Callable[[String, 1, 2, Callable[Integer]], Float]", "Iterable[Sensitive[String]]", "Collection[1, 2]",
  "Timestamp['2000-01-01', '2030-01-01']", "Array[Puppet::LookupKey]", "Tuple[Runtime, Data]"
].freeze

# What is also asked while objects move at each allocation, which takes a tenth of a second each time.
SMALL_TYPE = "Tuple[Enum[b, 'the second name of all'], Array]"
SMALL_MANIFEST = "$a = [b]"

VALUE = {
  "a" => [1, 2.5, nil, true, "text", /x/, :default], "b" => {"c" => [], 3 => {}}, "d" => ["one string that is long", 2**40]
}.freeze

# A loader that does something when it is asked, and then finds nothing.
class BusyLoader < Puppet::Pops::Loader::Loader
  def initialize(&work)
    super("busy", Puppet.lookup(:current_environment))
    @work = work
  end

  def load_typed(_)
    @work.call
    nil
  end

  def parent = nil
end

# The questions, by the pieces that answer them. What they need is made new each time.
class Questions
  def initialize(side)
    @side = side
    @parser = Puppet::Pops::Types::TypeParser.singleton
    @calculator = Puppet::Pops::Types::TypeCalculator.singleton
    @describer = Puppet::Pops::Types::TypeMismatchDescriber.singleton
    @code = Puppet::Pops::Parser::Parser.new
    @round = 0
  end

  # @return [Hash{String=>Proc}]
  def all(peaceful: false)
    @round += 1
    {**dispatch, **types, **inference, **mismatch, **type_parser(TYPES), **moving(peaceful), **code(MANIFEST), **known}
  end

  def small
    @round += 1
    instance = make do
      dispatch(:pair) { param "Integer", :a; param "Enum[b, c]", :b }
      define_method(:pair) { |*both| both }
    end
    {"a small call" => -> { instance.call(@side.scope, 1, "b") }, **type_parser([SMALL_TYPE]), **code(SMALL_MANIFEST),
     "a small type" => -> { @calculator.infer_set(["text", 1.5]) }, **known}
  end

  private

  # A new object for a type.
  def type(text)
    @parser.parse("#{" " * @round}#{text}", @side.loader)
  end

  def choice
    make do
      dispatch(:integers) { param "Integer", :a; optional_param "Enum[b, c]", :b; optional_block_param }
      dispatch(:hash) { param "Hash[String, Any]", :a; repeated_param "Variant[String, Float]", :b; return_type "Array[Any]" }
      dispatch(:scoped) { scope_param; param "Sensitive[String]", :a; block_param "Callable[String]", :block }
      dispatch(:wrong) { param "Boolean", :a; return_type "Struct[{a => Integer}]" }
      dispatch(:growing) { param "Regexp", :a; return_type "Tuple[Regexp, Enum[grown]]" }
      define_method(:integers) { |a, b = nil, &block| [a, b, block&.call(a.to_s)] }
      define_method(:hash) { |a, *b| [a.keys, *b] }
      define_method(:scoped) { |scope, a, &block| [scope.class, block.call(a.unwrap)] }
      define_method(:wrong) { |a| {"a" => a} }
      # Adds a dispatch to its own function, and calls that, before it returns.
      define_method(:growing) do |a|
        dispatcher = self.class.dispatcher
        dispatcher.add(dispatcher.dispatchers.first)
        call(nil, 1)
        # Collects what this call came by, unless it holds on to it, and uses its memory for something else.
        GC.start
        Array.new(200) { |size| "x" * (size * 16) }
        [a, "grown"]
      end
      private :integers
    end
  end

  def make(&body)
    Puppet::Functions.create_function("f", Puppet::Functions::InternalFunction, &body).new(nil, @side.loader)
  end

  def dispatch
    instance = choice
    secret = Puppet::Pops::Types::PSensitiveType::Sensitive.new("s")
    call = ->(*args, &block) { -> { instance.call(@side.scope, *args, &block) } }
    {
      "a call" => call.(1), "a call with a block" => call.(1, "b") { |x| [x] }, "a call of the second" => call.(VALUE, "x", 1.5),
      "a call with a scope" => call.(secret) { |x| "#{x}!" }, "a call that returns another" => call.(true),
      "a call that grows" => call.(/x/), "a call that does not match" => call.(VALUE, 1, [2]),
      "a call from code" => -> { @side.evaluate("with([1, 2]) |Array $a| { $a.map |$x| { next($x + 1) } }") }
    }
  end

  def types
    type, other = [2, 3].map { |at| type(TYPES.fetch(at)) }
    hash, callable = type("Hash[String, Variant[Array[Any], Hash[Scalar, Any]]]"), type("Callable[Integer, Callable[1, 1]]")
    block = proc { |x| x }
    {"instance" => -> { hash.instance?(VALUE) }, "no instance" => -> { type.instance?([1]) },
     "assignable" => -> { [type.assignable?(other), hash.assignable?(hash)] },
     "callable" => -> { callable.callable_with?([1], block) }}
  end

  def inference
    type, other = type("Array[Integer[1, 2]]"), type("Array[Integer[4, 5]]")
    {"infer" => -> { @calculator.infer(VALUE) }, "infer_set" => -> { @calculator.infer_set(VALUE) },
     "generalize" => -> { @calculator.generalize(type) }, "common_type" => -> { @calculator.common_type(type, other) }}
  end

  def mismatch
    type, other = type("Struct[{a => Tuple[Integer, String[5]]}]"), type("Struct[{a => Tuple[String, String[1, 2]], b => Undef}]")
    signatures, tuple = choice.class.signatures, type("Tuple[Float, Hash[Integer, Enum[x, y]]]")
    {"describe_mismatch" => -> { @describer.describe_mismatch("it", type, other) },
     "describe_signatures" => -> { @describer.describe_signatures("f", signatures, tuple) }}
  end

  def type_parser(texts)
    texts.to_h do |text|
      first = "#{text}#{" " * @round}"
      [text, -> { @parser.parse(first, @side.loader) }]
    end
  end

  # Types with a parameter between others that a loader is asked for, which moves all objects.
  def moving(peaceful)
    loader = BusyLoader.new { move_all unless peaceful }
    others = (1..20).map { |number| "Array[String[#{number}]]" }.join(", ")
    names = %w[Tuple Variant Callable].to_h { |name| [name, "#{name}[#{others}, Nowhere, Enum[a, b]]#{" " * @round}"] }
    names.transform_values { |text| -> { @parser.parse(text, loader) } }
  end

  def code(text)
    {text.lines.first => -> { @code.parse_string(text).model }}
  end

  # What was found before.
  def known
    @known ||= {type: type(TYPES.fetch(3)), function: choice, values: [{"a" => [["b", nil]], "c" => 1}, {"c" => "d"}]}
    type, function, values = @known.values
    {"a type that is known" => -> { @parser.parse(SMALL_TYPE) },
     "a check that is known" => -> { values.map { |value| type.instance?(value) } },
     "a function that is known" => -> { function.call(@side.scope, {}) }}
  end
end

# How often questions were left to Puppet.
def declined
  Puppetfn::DropIn.counts.values.sum { |piece| piece[:declined].values.sum }
end

# What is answered, with the collector as it is told; nothing else is done while it is at work.
def answers(questions, stress)
  questions.transform_values do |question|
    before = declined
    answer = ask(question, stress)
    "#{text(answer)}, #{declined - before} left to Puppet"
  end
end

def ask(question, stress)
  GC.stress = stress
  question.call
rescue ArgumentError, Puppet::Error => e
  e
ensure
  GC.stress = false
end

def text(answer)
  case answer
  when Puppet::Pops::Model::PopsObject then ModelText.of(answer)
  when Puppet::Pops::Types::PAnyType then answer.to_s
  else answer.inspect
  end
end

def compare(way, expected, answers)
  answers.each do |name, answer|
    puts "#{name.chomp}, #{way}: #{answer}; in peace: #{expected.fetch(name)}" unless answer == expected.fetch(name)
  end
end

# Moves what may move.
def move_all
  GC.verify_compaction_references(toward: :empty)
end

# Collects only what is new, which is what nothing may hold yet.
COLLECT_NEW = 1

Differential::Side::Puppet.boot(modulepath: []) do |side|
  questions = Questions.new(side)
  expected = answers({**questions.small, **questions.all(peaceful: true)}, false)
  compare("with the collector at work", expected, answers(questions.all, COLLECT_NEW))
  move_all
  compare("after objects moved", expected, answers({**questions.small, **questions.all}, false))
  GC.auto_compact = true
  compare("with objects moving", expected, answers(questions.small, true))
  puts "#{expected.size} questions"
end
