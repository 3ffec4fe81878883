# frozen_string_literal: true

require_relative "../support/module_tree"

# Symbols, times, paths and other Ruby objects in code. All answers are Puppet 8.11's.
RSpec.describe "Ruby objects in code" do
  include ModuleTree

  files = {
    "own/lib/puppet/functions/own/object.rb" => <<~RUBY,
      require 'pathname'
      require 'set'
      Puppet::Functions.create_function(:'own::object') do
        pair = Struct.new(:x)
        text_fails = Class.new { def to_s = raise('no text') }
        entries = Class.new(Hash)
        list = Class.new(Array)
        define_method(:object) do |name|
          {
            'symbol' => :abc, 'symbols' => [:x, :y, 1], 'hash' => {a: 1, 'b' => :c, 3 => [:d]}, 'nested' => {a: {b: [:c]}},
            'path' => Pathname.new('/x/y'), 'time' => Time.at(0).utc, 'ratio' => Rational(1, 2), 'range' => (1..3), 'set' => Set.new([1]),
            'failing' => text_fails.new, 'within' => {'deep' => [Pathname.new('/q')]}, 'resources' => {title: {message: :hi}},
            'entries' => entries.new.merge!('a' => 1), 'list' => list.new([1, 2]),
            'class' => Object, 'module' => Kernel, 'unnamed' => Class.new, 'classes' => {Object => [Kernel]}
          }.fetch(name)
        end
      end
    RUBY
    "own/lib/puppet/functions/own/shown.rb" => <<~RUBY,
      Puppet::Functions.create_function(:'own::shown') { def shown(value) = value.inspect }
    RUBY
    "own/lib/puppet/parser/functions/own_shown.rb" => <<~RUBY
      Puppet::Parser::Functions.newfunction(:own_shown, type: :rvalue) { |arguments| arguments.map(&:inspect).join(' ') }
    RUBY
  }.freeze

  # Variables with each object, for the code after them.
  objects = %w[symbol symbols hash nested path time ratio range set failing within resources entries list class module
               unnamed classes]
  prelude = objects.map { |name| "$#{name} = own::object('#{name}')" }.join(" ")

  define_method(:with_code) do |code, strict: :error, &block|
    with_runtime(files, node: "web1", strict: strict) { |runtime| block.call(runtime, "#{prelude}\n#{code}") }
  end

  def noticed(expressions)
    with_code("notice(#{expressions})") do |runtime, code|
      runtime.compile(code)
      runtime.logs.map { |_, message| message }.join("\n")
    end
  end

  def failing(text) = raise_error(Puppet::Error, text)

  describe "as texts" do
    {
      '"${symbol}", "${symbols}", "${hash}"' => "abc [x, y, 1] {a => 1, b => c, 3 => [d]}",
      "$symbol, $nested, $path, $time, $ratio, $range, $set" =>
        "abc {a => {b => [c]}} /x/y 1970-01-01 00:00:00 UTC 1/2 1..3 #<Set: {1}>",
      "join($symbols, '-'), join([$path, [$symbol]], ',')" => "x-y-1 /x/y,abc",
      "sprintf('%s %s %s', $symbol, $symbols, $path), sprintf('%p', $symbol)" => "abc [:x, :y, 1] /x/y :abc",
      "String($symbol), String($symbol, '%p'), String($symbol, '%q'), String($symbols)" => "abc 'abc' :abc ['x', 'y', 1]",
      "inline_epp('<%= $symbol %> <%= $hash %>')" => "abc {a => 1, b => c, 3 => [d]}",
      "inline_template('<%= @symbol %> <%= @hash.inspect %>')" => "abc {:a=>1, \"b\"=>:c, 3=>[:d]}",
      "own::shown($hash), own_shown($symbol, $symbols)" => "{:a=>1, \"b\"=>:c, 3=>[:d]} :abc [:x, :y, 1]"
    }.each do |expressions, text|
      it("#{expressions} are #{text}") { expect(noticed(expressions)).to eq(text) }
    end

    it "is an error where `to_s` raises one" do
      expect { noticed('"x${failing}"') }.to failing(/\AEvaluation Error: Error while evaluating .*, no text \(/)
    end
  end

  describe "in operations" do
    {
      "$symbol == $symbol, $symbol == 'abc', 'abc' == $symbol, $hash == $hash" => "true false false true",
      "$symbol in [$symbol], $symbol in 'abc', $symbol in $hash, own::object('path') in [$path]" => "true false false true",
      "$path == own::object('path'), $time == own::object('time'), $symbol < $symbols[0]" => "true true true",
      "$hash['a'], $hash['b'], $hash[$hash.keys[0]], dig($nested, $nested.keys[0])" => " c 1 {b => [c]}",
      "[$symbol] + $symbols, $symbols - [$symbols[0]], $hash - $hash.keys, $hash + {a => 2}" =>
        "[abc, x, y, 1] [y, 1] {} {a => 1, b => c, 3 => [d], a => 2}",
      "[$symbol, 'abc', $symbol].unique, $symbol ? { 'abc' => 1, default => 2 }, {$symbol => 1}[$symbol]" => "[abc, abc] 2 1",
      "$hash.map |$k, $v| { \"${k}=${v}\" }" => "[a=1, b=c, 3=[d]]",
      "$range.map |$x| { $x + 1 }" => "[2, 3, 4]",
      "$symbol =~ String, $symbol =~ Data, $symbol =~ Any, type($symbol), type($path)" =>
        "false false true Runtime[ruby, 'Symbol'] Runtime[ruby, 'Pathname']"
    }.each do |expressions, text|
      it("#{expressions} are #{text}") { expect(noticed(expressions)).to eq(text) }
    end

    {
      "'a' + $symbol" => "The value 'a' cannot be converted to Numeric.",
      "$symbol < 'a'" => "Comparison of: Object < String, is not possible. Caused by 'Symbol not comparable to non Symbol'.",
      "$symbol[0]" => "Operator '[]' is not applicable to an Object.",
      "upcase($symbol)" => "'upcase' parameter 'arg' expects a value of type Numeric, String, Array, or Hash, got Runtime",
      "'abc' ? { $symbol => 1 }" => "Error while evaluating "
    }.each do |expression, text|
      it("#{expression} is refused") { expect { noticed(expression) }.to failing(/#{Regexp.escape(text)}/) }
    end
  end

  describe "that are classes or modules" do
    {
      '"${class}", [$class, $module], $classes, $module' => "Object [Object, Kernel] {Object => [Kernel]} Kernel",
      "String($class), String($class, '%p'), String($class, '%#s'), String($classes), sprintf('%s %p', $class, $class)" =>
        "Object Object \"Object\" {Object => [Kernel]} Object Object",
      "join([$class, 'a'], '-'), inline_epp('<%= $class %>'), convert_to($class, String)" => "Object-a Object Object",
      "type($class), type($unnamed), type($classes)" =>
        "Type[Runtime[ruby, 'Object']] Type[Runtime[ruby, undef]] " \
        "Hash[Type[Runtime[ruby, 'Object']], Tuple[Type[Runtime[ruby, 'Kernel']]], 1, 1]",
      "$class == $class, $class == $module, $class == Runtime[ruby, 'Object'], Runtime[ruby, 'Object'] == $class" =>
        "true false false false",
      "$class =~ Type, $class =~ Type[Runtime[ruby, 'Object']], $class =~ Runtime, $class =~ Data, $class =~ RichData" =>
        "true true false false true",
      "$class in [$class], 'Object' in [$class], $classes[$class], [$class, $module] - [$class]" => "true false [Kernel] [Kernel]",
      "$class ? { Type => 1, default => 2 }, $class ? { $class => 1, default => 2 }" => "1 1",
      "own::shown($class), own_shown($class, $classes)" => "Object Object {Object=>[Kernel]}"
    }.each do |expressions, text|
      it("#{expressions} are #{text}") { expect(noticed(expressions)).to eq(text) }
    end

    {
      "$class['x']" => "Operator '[]' is not applicable to an Object.",
      "$class < $class" => "Comparison of: Object < Object, is not possible.",
      "$class + 1" => "The value 'Object' cannot be converted to Numeric.",
      "upcase($class)" => "'upcase' parameter 'arg' expects a value of type Numeric, String, Array, or Hash, got Type[Runtime]",
      "String($class, '%d')" => "Illegal format 'd' specified for value of Type type - expected one of the characters 'sp'"
    }.each do |expression, text|
      it("#{expression} is refused") { expect { noticed(expression) }.to failing(/#{Regexp.escape(text)}/) }
    end
  end

  describe "of classes that descend from Array and Hash" do
    {
      "$entries, $list, $entries['a'], $list[0], $list[1, 1]" => "{a => 1} [1, 2] 1 1 [2]",
      "$entries == {'a' => 1}, [1, 2] == $list, 'a' in $entries, 1 in $list" => "true true true true",
      "$list + [3], $entries + {'b' => 2}, [0] + $list, {'z' => 1} + $entries, $list << 4, $list - [1]" =>
        "[1, 2, 3] {a => 1, b => 2} [0, 1, 2] {z => 1, a => 1} [1, 2, 4] [2]",
      "$entries =~ Hash, $list =~ Array, $list =~ Iterable, $list =~ Any" => "false false true true"
    }.each do |expressions, text|
      it("#{expressions} are #{text}") { expect(noticed(expressions)).to eq(text) }
    end

    it "are arrays and hashes as parameters" do
      with_code("class q(Hash $x, Array[Integer] $y) {} class { 'q': x => $entries, y => $list }") do |runtime, code|
        expect(runtime.compile(code).to_data_hash["resources"].last["parameters"]).to eq("x" => {"a" => 1}, "y" => [1, 2])
      end
    end
  end

  describe "in catalogs" do
    define_method(:resources) do |code, **options|
      with_code(code, **options) do |runtime, whole|
        notifies = runtime.compile(whole).to_data_hash["resources"].select { |found| found["type"] == "Notify" }
        notifies.to_h { |found| [found["title"], found.fetch("parameters", {})["message"]] }
      end
    end

    {
      'notify { "t ${symbol}": message => $symbol }' => {"t abc" => "abc"},
      "notify { 'n': message => $hash }" => {"n" => {"__ptype" => "Hash", "__pvalue" => ["a", 1, "b", "c", 3, ["d"]]}},
      "notify { 'n': * => own::object('resources')[own::object('resources').keys[0]] }" => {"n" => "hi"},
      "create_resources(notify, $resources)" => {"title" => "hi"}
    }.each do |code, expected|
      it("#{code} has #{expected}") { expect(resources(code)).to eq(expected) }
    end

    it "are refused if they are no data, and are texts with a warning where `strict` is less than `error`" do
      {
        "notify { 'n': message => $path }" => ["Notify[n]['message'] contains a Pathname value. It will be converted to the String '/x/y'", "/x/y"],
        "notify { 'n': message => $within }" =>
          ["Notify[n]['message']['deep'][0] contains a Pathname value. It will be converted to the String '/q'", {"deep" => ["/q"]}]
      }.each do |code, (message, data)|
        expect { resources(code) }.to failing(/\AEvaluation Error: #{Regexp.escape(message)} \(.*line: 2\)\z/)
        %i[warning off].each { |strict| expect(resources(code, strict: strict)).to eq("n" => data) }
      end
    end

    it "cannot be titles" do
      expect { resources("notify { $symbol: }") }
        .to failing(/Illegal title type at index 0\. Expected String, got Runtime\[ruby, 'Symbol'\]/)
    end
  end

  it "are arguments of built-in functions that Ruby calls" do
    runtime = Puppetfn::Runtime.new
    expect(runtime.call_function("join", [:a, :b], "-")).to eq("a-b")
    expect(runtime.call_function("sprintf", "%s %s", :a, {b: :c})).to eq("a {:b=>:c}")
    expect(runtime.call_function("dig", {a: {b: 1}}, :a, :b)).to eq(1)
    expect(runtime.call_function("new", Puppetfn::Type.parse("String"), :sym)).to eq("sym")
    expect(runtime.call_function("unique", [:a, :a, "a"])).to eq([:a, "a"])
    expect(runtime.call_function("keys", {a: 1})).to eq([:a])
  end
end
