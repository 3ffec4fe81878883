# frozen_string_literal: true

require "open3"
require "rbconfig"

# What the extension holds survives garbage collection at any moment, and nothing else is kept.
RSpec.describe "garbage collection" do
  def under_stress
    GC.stress = true
    yield
  ensure
    GC.stress = false
  end

  let(:function) do
    Puppet::Functions.create_function(:stressed) do
      dispatch :pair do
        param "Hash[String, Variant[Integer, Array[String]]]", :hash
        optional_param "Sensitive[String]", :secret
        optional_block_param "Callable[Integer]", :block
        return_type "String"
      end
      dispatch :words do
        repeated_param "String[1]", :words
      end

      def pair(hash, secret = nil)
        "#{hash.size}#{secret&.unwrap}#{yield 1 if block_given?}"
      end

      def words(*words)
        words.join(" ")
      end
    end
  end

  it "leaves objects of types with features intact under stress" do
    runtime = Puppetfn::Runtime.new
    runtime.evaluate_string("type Host { attr name, String { min => 1 } attr ports, Integer { max => unbound } }")
    type = runtime.type("Host")
    made = under_stress do
      Array.new(3) do |round|
        host = type.new(name: "h#{round}", ports: [round]) { |draft| draft[:ports] += [round + 1] }
        [host.name, host["ports"], type.from_json(host.to_json) == host]
      end
    end

    expect(made).to eq([["h0", [0, 1], true], ["h1", [1, 2], true], ["h2", [2, 3], true]])
  end

  it "leaves graphs and what they connect intact under stress, and while memory is compacted" do
    graph = Puppetfn::Digraph.new
    under_stress { 20.times { |number| graph.connect(+"s#{number}", +"t#{number}", [+"label #{number}"]) } }
    GC.compact if GC.respond_to?(:compact)
    under_stress do
      graph.edges.each { |source, target, _labels| graph.connect(source, target, [source + target]) }
      graph.redirect(graph.vertices.grep(/s/).map { |vertex| [vertex, vertex, +"last of #{vertex}"] })
    end

    expect(graph.edges).to eq(Array.new(20) { |n| ["last of s#{n}", "t#{n}", ["label #{n}", "s#{n}t#{n}"]] })
  end

  it "leaves calls, mismatches and types intact under stress" do
    instance = function.new(nil, nil)
    hash = {"a" => 1, "b" => ["c"]}
    secret = Puppetfn::Sensitive.new("s")
    text = "Struct[{a => Integer}]"
    # Only our own work is done under stress: RSpec's would take half a minute.
    rounds = under_stress do
      Array.new(3) do
        [
          instance.call(nil, hash, secret) { |n| n + 1 },
          instance.call(nil, "x", "y"),
          begin
            instance.call(nil, {"a" => :b})
          rescue ArgumentError => e
            e.message
          end,
          Puppetfn::Type.parse(text).instance?("a" => 1),
          Puppetfn::Type.infer_set([1, {"a" => /x/i}]).to_s
        ]
      end
    end
    expect(rounds).to all(
      match([
        "2s2", "x y", /entry 'a'/, true,
        "Tuple[Integer[1, 1], Struct[{'a' => Regexp[/(?i-mx:x)/]}]]"
      ])
    )
  end

  it "makes functions under stress" do
    under_stress { expect(function.new(nil, nil).call(nil, "a")).to eq("a") }
  end

  it "passes objects through built-in functions under stress" do
    runtime = Puppetfn::Runtime.new
    object = Object.new
    under_stress do
      expect(runtime.call_function("with", object, 1) { |o, n| [o, n] }).to eq([object, 1])
    end
  end

  it "makes values of cty's, and calls functions with them, under stress" do
    cty = Puppetfn::Cty
    types = cty.type(["object", {"a" => %w[set string]}])
    first = cty::Function.new(
      name: "first", params: [{name: "x", type: "dynamic"}], type: ->((x)) { x.type }, impl: ->((x), _) { x }
    )
    made = under_stress do
      [cty.value({a: ["x", "y"]}, types).to_ruby, first.call([2**70, {b: 1.5}]).to_ruby, cty.call("keys", {c: 1}).to_a]
    end
    expect(made).to eq([{"a" => Set["x", "y"]}, [2**70, {"b" => 1.5}], [cty.value("c")]])
  end

  it "keeps what it holds through compaction" do
    instance = function.new(nil, nil)
    3.times do
      GC.compact
      expect(instance.call(nil, {"a" => 1}) { |n| n }).to eq("11")
      expect(instance.call(nil, "x")).to eq("x")
    end
  end

  # In a process of its own: all that may move does, whoever holds it.
  it "finds all classes where compaction has put them" do
    skip "there is no compaction here" unless GC.respond_to?(:verify_compaction_references)

    output, status = Open3.capture2e(RbConfig.ruby, "-I", File.expand_path("../../lib", __dir__), "-r", "puppetfn", "-e", <<~'RUBY')
      code = <<~PUPPET
        [Timespan(1), Timestamp(0), SemVer('1.0.0'), SemVerRange('>=1.0.0'), Binary('YQ=='), Sensitive('a'), URI('http://a'),
          Point(1), Deferred('f', []), Hash[String, Integer], /a/, default, [1].map |$x| { "${x}" }, type([1])]
      PUPPET
      shown = ->(runtime) { runtime.evaluate_string(code).map { |value| [value.class, value] }.inspect.gsub(/0x\h+/, "") }
      made = -> { Puppetfn::Runtime.new.tap { |runtime| runtime.evaluate_string("type Point = Object[{attributes => {x => Integer}}]") } }
      runtime = made.call
      before = shown.call(runtime)
      GC.verify_compaction_references(toward: :empty)
      print [runtime, made.call].map { |each| shown.call(each) == before }
    RUBY
    expect([status.success?, output]).to eq([true, "[true, true]"])
  end

  it "allocates no Ruby object for a call that matches" do
    instance = function.new(nil, nil)
    hash = {"a" => 1, "b" => ["c"]}
    secret = Puppetfn::Sensitive.new("s")
    type = Puppetfn::Type.parse("Hash[String, Variant[Integer, Array[String]]]")
    allocated = lambda do |&work|
      work.call
      before = GC.stat(:total_allocated_objects)
      100.times { work.call }
      GC.stat(:total_allocated_objects) - before
    end
    expect(allocated.call { type.instance?(hash) }).to be < 10
    # The method itself makes a few strings for its result.
    direct = allocated.call { instance.pair(hash, secret) }
    expect(allocated.call { instance.call(nil, hash, secret) }).to be < direct + 10
  end

  it "lets go of objects that crossed the border" do
    runtime = Puppetfn::Runtime.new
    made = Class.new
    1_000.times { runtime.call_function("with", made.new) { |o| o.class } }
    GC.start
    runtime.call_function("with", 1) { |n| n }
    GC.start
    expect(ObjectSpace.each_object(made).count).to be < 100
  end

  it "keeps memory flat while functions and types are made" do
    rss = -> { GC.start; File.read("/proc/self/statm").split[1].to_i * 4096 }
    work = lambda do
      function_class = Puppet::Functions.create_function(:flat) do
        dispatch(:flat) { param "Hash[String, Array[Integer]]", :a }
        def flat(a) = a
      end
      instance = function_class.new(nil, nil)
      instance.call(nil, {"a" => [1]})
      instance.call(nil, 1) rescue nil
      Puppetfn::Type.parse("Struct[{a => Integer, b => Optional[String]}]")
    end
    500.times { work.call }
    before = rss.call
    3_000.times { work.call }
    expect(rss.call - before).to be < 24 * 1024 * 1024
  end
end
