# frozen_string_literal: true

class Border
  # Ruby values drawn at random: those that Puppet has, those that it has not, and those that lie.
  class Values
    # What values raise on purpose.
    Own = Class.new(StandardError)

    Pair = Struct.new(:left, :right)
    Text = Class.new(String) do
      def to_s = raise(Own, "no text")
      def hash = raise(Own, "no hash")
    end
    List = Class.new(Array) do
      def each = raise(Own, "no each")
      def size = -1
      def length = 1 << 70
      def [](*) = raise(Own, "no element")
    end
    Table = Class.new(Hash) do
      def each_pair = raise(Own, "no pairs")
      def [](*) = self
      def size = "many"
    end
    # Answers any question with itself.
    Yes = Class.new(BasicObject) do
      def method_missing(*) = self
      def respond_to_missing?(*) = true
    end
    # Raises whatever it is asked.
    No = Class.new do
      %i[to_s inspect hash == eql? to_str to_ary to_hash to_a to_proc to_sym to_int class is_a? kind_of? respond_to? <=> each call].each do |name|
        define_method(name) { |*| ::Kernel.raise(Own, "no #{name}") }
      end
    end
    # Converts itself into what it should not.
    Odd = Struct.new(:answer) do
      %i[to_s inspect to_str to_ary to_hash to_proc to_sym to_int to_i to_path hash].each { |name| define_method(name) { answer } }
    end
    private_constant :Pair, :Text, :List, :Table, :Yes, :No, :Odd

    SCALARS = [
      nil, true, false, 0, 1, -1, 2**62, -(2**62), 2**63 - 1, -(2**63), 2**64, -(2**200), 0.0, -0.0, 1.5, 1e308, Float::NAN, Float::INFINITY,
      -Float::INFINITY, Float::MIN, 3r, 2i, BigDecimal("1.5"), BigDecimal("NaN"), :a, :default, :undef, :"", "\xff".b.to_sym, "", "a", "é", "\u{1F600}", "a\0b",
      "\xff\xfe", "\xE9".dup.force_encoding("ISO-8859-1"), "a".encode("UTF-16LE"), "\x82\xA0".dup.force_encoding("Shift_JIS"), "\xff".b,
      "a".dup.force_encoding("UTF-7"), "x" * 100_000, "1" * 1_000, "%s%d%p", "Integer", "Integer[", "$x", "${x}", "(a+)+$", "/a/", "1.2.3", "%{facts.a}",
      /a/, /a/i, /(?<n>a)/mx, /\xff/n, /é/, Regexp.new("a".dup.force_encoding("US-ASCII")), 1..2, 1.., (..1), ("a".."z"), 0.0...1.0,
      Time.at(0), Time.at(2**40, 999_999_999, :nsec), DateTime.new(2020), Date.new(-5000), Object, Class, Module, Kernel, Integer, String, Class.new,
      Module.new, $stdin, Encoding::UTF_8, Process.clock_gettime(Process::CLOCK_MONOTONIC), Comparable, ENV, ARGF, binding, method(:puts),
      Kernel.instance_method(:puts), Random.new(1), Mutex.new, Thread.current, ObjectSpace::WeakMap.new, GC, TOPLEVEL_BINDING, Marshal, $LOADED_FEATURES
    ].freeze

    # @return [Array<String>] what was drawn so far, in words
    attr_reader :drawn

    def initialize(random)
      @random = random
      @drawn = []
    end

    # @return [Object] a value
    def draw
      value, words = one(3)
      @drawn << words
      value
    end

    private

    def one(depth)
      return scalar if depth.zero? || @random.rand < 0.55

      @random.rand < 0.6 ? collection(depth - 1) : special(depth - 1)
    end

    def scalar
      index = @random.rand(SCALARS.size)
      value = SCALARS[index]
      [value.frozen? || !value.is_a?(String) ? value : value.dup, "scalar #{index}"]
    end

    def collection(depth)
      values = Array.new(@random.rand(4)) { one(depth) }
      words = values.map(&:last).join(", ")
      values = values.map(&:first)
      case @random.rand(6)
      when 0..2 then [values, "[#{words}]"]
      when 3, 4 then [hash_of(values), "{#{words}}"]
      else [Set.new(values.grep_v(No).grep(Comparable)), "set of #{words}"]
      end
    end

    def hash_of(values)
      keys = ["a", 1, :b, nil, 2.5, [1], values.first].first(values.size)
      keys.zip(values).each_with_object({}) { |(key, value), hash| hash[key] = value }
    rescue Own, NoMethodError
      {"a" => values.last}
    end

    def special(depth)
      value, words = one(depth)
      index = @random.rand(makers(nil).size)
      [makers(value)[index].call, "special #{index} of #{words}"]
    end

    def makers(value)
      [
        -> { [].tap { |array| array << array } }, -> { {}.tap { |hash| hash["a"] = hash } }, -> { 500.times.reduce(value) { |inner, _| [inner] } },
        -> { 40.times.reduce(value) { |inner, _| [inner, inner] } }, -> { 100_000.times.reduce(1) { |inner, _| [inner] } }, -> { Pair.new(value, 1) },
        -> { Text.new("a") }, -> { List.new([value, 1]) }, -> { Table.new.merge!("a" => value) }, -> { Yes.new }, -> { No.new }, -> { Odd.new(value) },
        -> { Odd.new([1]) }, -> { proc { |*| value } }, -> { lambda { |_a, b: 1| [value, b] } }, -> { :upcase.to_proc }, -> { [value].each },
        -> { Enumerator.new { |yielder| loop { yielder << 1 } } }, -> { (1..Float::INFINITY).lazy.map { value } }, -> { Hash.new { |hash, key| hash[key] = value } },
        -> { {}.compare_by_identity.merge!("a" => value) }, -> { OpenStruct.new(a: value) }, -> { Own.new("x") }, -> { Pathname.new("/nope") },
        -> { Puppetfn::Type.infer(1) }, -> { Puppetfn::Binary.new("YQ==") }, -> { Puppetfn::Unknown.new("Integer") },
        -> { Puppet::Pops::Types::PSensitiveType::Sensitive.new(value) }, -> { Class.new.tap { |made| made.singleton_class.undef_method(:name) } }, -> { ["a", value].freeze },
        -> { "a".dup.tap { |text| text.define_singleton_method(:to_s) { value } } }, -> { [value].tap { |array| array.singleton_class.undef_method(:each) } },
        -> { Object.new.tap { |object| object.singleton_class.undef_method(:inspect) } }, -> { Fiber.new { value } }, -> { Comparable.clone },
        -> { IO.pipe.first.tap(&:close) }, -> { Thread.new { value }.tap(&:join) }, -> { StringIO.new("a") }, -> { Dir.new("/") }
      ]
    end
    # rubocop:enable Metrics/AbcSize
  end
end
