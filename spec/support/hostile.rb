# frozen_string_literal: true

require "fileutils"
require "io/wait"
require "json"
require "tmpdir"

# Programs and files drawn at random that are to take all the time or memory there is, or to end the process.
module Hostile
  # How long one may take, in seconds.
  PATIENCE = 10
  # How large its address space may be, in bytes.
  MEMORY = 1 << 30
  # An endless loop is nothing that only time could end.
  LIMITS = {fuel: 3_000_000}.freeze

  # One of them.
  #
  # @!attribute number [Integer] what it was drawn with
  # @!attribute code [String] in the Puppet language
  # @!attribute files [Hash{String=>String, Symbol, Array}] what is in the environment: texts, `:fifo`, or `[:link, target]`
  Program = Struct.new(:number, :code, :files) do
    def to_s
      shown = files.map { |path, content| "#{path}: #{content.to_s[0, 200]}" }
      ["number #{number}", code.size > 1_000 ? "#{code[0, 1_000]}..." : code, *shown].join("\n")
    end
  end

  # Draws programs.
  class Draw
    STARTS = [
      "'a'", "'é'", "''", "\"\\u{1F600}\\n\"", "[1]", "[]", "[[]]", "{'a' => 1}", "{}", "{1 => [2]}", "1", "-1", "9223372036854775807",
      "-9223372036854775808", "0.0", "1e308", "Integer[1, 9223372036854775807]", "Integer[-9223372036854775808, 9223372036854775807]",
      "Enum['a', 'b']", "/(a*)*b/", "/a/", "default", "undef", "String", "Array[Array[String]]", "Sensitive('x')", "SemVer('1.0.0')",
      "Timestamp(0)", "Timespan(1)", "Binary('YQ==')", "Deferred('f', [])", "Integer[1, 1000000].reverse_each", "type([1, 'a'])"
    ].freeze
    # What makes more of a value, `$x`.
    STEPS = [
      "[$x, $x]", "[$x] + [$x]", "\"${x}${x}\"", "{'a' => $x, 'b' => $x}", "{$x => $x}", "$x + $x", "$x << $x", "$x * 2", "[$x] * 2",
      "sprintf('%s%s', $x, $x)", "flatten([$x, $x])", "String($x)", "Array($x)", "Tuple[$x, $x]", "Variant[$x, Array[$x]]", "Array[$x]",
      "Struct[{'a' => $x}]", "type($x)", "Sensitive($x)", "regsubst(\"${x}\", '.', 'aaaa', 'G')", "split(\"${x}\", '')",
      "[$x].map |$y| { [$y, $x] }", "with($x) |$y| { [$y, $y] }", "[$x, [$x]].reverse_each", "join([$x, $x], ',')",
      "$x.then |$y| { [$y, $x] }", "Callable[$x, $x]", "Hash([[1, $x], [2, $x]])", "inline_epp('<%= $a %><%= $a %>', {'a' => $x})"
    ].freeze
    # What takes a value apart, or uses it up.
    ENDS = [
      "$x", "\"${x}\"", "$x.length", "size($x)", "flatten([$x]).length", "unique([$x, $x])", "$x == $x", "[$x] == [$x, 1]", "$x =~ Data",
      "$x in $x", "sort([$x])", "$x.each |$y| { notice($y) }", "$x.map |$y| { $y }", "$x.filter |$y| { true }.length", "type($x, generalized)",
      "String($x, '%p')", "String($x, '%#A')", "sprintf('%1000000000s', $x)", "sprintf(\"%${x}d\", 1)", "Integer($x)", "Array($x, true)",
      "String($x) =~ /((a|a)*)*$/", "\"${x}\" =~ Pattern[/(a+)+$/]", "regsubst(\"${x}\", '(x+x+)+y', '')", "scanf(\"${x}\", '%s%s')",
      "compare(\"${x}\", 'a')", "$x.reduce |$a, $b| { [$a, $b] }", "$x.reduce('') |$a, $b| { \"${a}${b}${a}\" }", "slice($x, 2)",
      "slice($x, 9223372036854775807)", "$x.step(9223372036854775807).each |$y| { $y }", "Integer[1, 9223372036854775807].map |$y| { $x }",
      "$x[0, 9223372036854775807]", "$x[-9223372036854775808]", "notify { [\"${x}\"]: }", "notify { 'a': message => $x }", "dig($x, 1, 2, 3)",
      "$x ? { $x => 1, default => 2 }", "case $x { $x: { 1 } default: { 2 } }", "fail($x)", "Timestamp($x)", "Timespan($x)", "SemVer(\"${x}\")",
      "Regexp(\"(${x})*\")", "Binary(\"${x}\", '%s')", "Enum[\"${x}\"]", "URI(\"http://${x}\")", "tree_each([$x, $x]).map |$y| { 1 }",
      "$x.convert_to(Array)", "assert_type(String, $x)", "Init[Integer, $x]", "new(Hash, $x)", "shellquote($x)", "fqdn_rand($x)", "digest(\"${x}\")",
      "inline_epp(\"<%= 1 -%>${x}\")", "match([\"${x}\"], /(.*)*x/)", "versioncmp(\"${x}\", \"${x}.1\")", "lookup(\"${x}\", Any, 'deep', 1)",
      "Integer[0, $x].map |$y| { $y }", "range(1, $x)", "$x / 0", "$x % 0", "1 << $x", "$x ** 2", "break()", "return($x)", "abs($x)"
    ].freeze
    # Texts that repeat something many times, with %s where the rest goes.
    NESTS = [
      ["(", ")"], ["[", "]"], ["{'a' => ", "}"], ["-", ""], ["!", ""], ["\"${", "}\""], ["if true { ", " }"], ["[1].each |$i| { ", " }"],
      ["1 + ", ""], ["Array[", "]"], ["Optional[", "]"], ["$a ? { default => ", " }"], ["with() || { ", " }"], ["case 1 { default: { ", " } }"]
    ].freeze
    DEFINITIONS = [
      "function f($x) { f($x) } f(%s)", "function f($x) { f([$x, $x]) } f(%s)", "function f($x) { g($x) } function g($x) { f($x) } f(%s)",
      "function f($x) { $x.each |$y| { f([$y, $y]) } } f([%s])", "type T = Variant[String, Array[T]] %s =~ T", "type T = T %s =~ T",
      "type A = Array[B] type B = Array[A] %s =~ A", "type O = Object[{attributes => {a => O}}] O(%s)", "type T = Hash[T, T] %s =~ T",
      "define d($x) { d { \"${title}a\": x => [$x, $x] } } d { 'a': x => %s }", "class a { include a } include a $y = %s",
      "class a { include b } class b { include a } include a $y = %s", "class a inherits b { } class b inherits a { } include a $y = %s",
      "define d($x) { notify { \"${x}\": } } d { 'a': x => %s }", "Integer[1, 1000000].each |$i| { notify { \"${i}\": message => %s } }",
      "Notify <| title == %s |> notify { 'a': }", "$l = |$x| { $l } %s", "function f(*$x) { f(*$x, *$x) } f(%s)", "$f = %s $g = [$f, $f] $h = [$g, $g]",
      "notify { 'a': require => Notify['b'] } notify { 'b': require => Notify['a'] } $y = %s"
    ].freeze
    private_constant :STARTS, :STEPS, :ENDS, :NESTS, :DEFINITIONS

    # @param number [Integer] the program is the same for the same number
    # @return [Program]
    def self.program(number)
      new(number).program
    end

    def initialize(number)
      @number = number
      @random = Random.new(number)
    end

    def program
      code, files = @random.rand < 0.7 ? [code_of_one, {}] : Files.new(@random).draw
      Program.new(@number, code, files)
    end

    private

    def code_of_one
      case @random.rand(10)
      when 0 then nested
      when 1 then one(DEFINITIONS).sub("%s") { one(STARTS) }
      when 2 then garbled(grown)
      else grown
      end
    end

    # A value of which more is made again and again, and what is done with it.
    def grown
      repeats = [3, 20, 60, 1_000].sample(random: @random)
      more = @random.rand < 0.5 ? one(STEPS) : "with(#{one(STEPS)}) |$x| { #{one(STEPS)} }"
      "$v = Integer[1, #{repeats}].reduce(#{one(STARTS)}) |$x, $n| { #{more} }\nwith($v) |$x| { #{one(ENDS)} }"
    end

    def nested
      opening, closing = one(NESTS)
      depth = [100, 1_000, 100_000].sample(random: @random)
      (opening * depth) + one(STARTS) + (closing * (@random.rand < 0.8 ? depth : @random.rand(depth)))
    end

    # Bytes of it are lost, doubled or exchanged.
    def garbled(text)
      @random.rand(1..8).times do
        at = @random.rand(text.size)
        text = text[0...at] + one(["", text[at] * 3, "\0", "\u{FEFF}", "\"", "${", "}", "@(", "\\", "\n", "(" * 50, text]) + text[at + 1..].to_s
      end
      text
    end

    def one(of)
      of.sample(random: @random)
    end
  end

  # Draws the files of an environment, and code that has them read.
  class Files
    LAUGHS = (1..9).reduce(+"a0: &a0 [x]\n") { |text, n| text << "a#{n}: &a#{n} [#{(["*a#{n - 1}"] * 10).join(", ")}]\n" }.freeze
    private_constant :LAUGHS
    # Where hostile content may be, and the code that reads it.
    PLACES = {
      "data/common.yaml" => "lookup('a9', default_value => 1)", "hiera.yaml" => "lookup('k', default_value => 1)",
      "modules/m/data/common.yaml" => "lookup('m::k', default_value => 1)", "modules/m/metadata.json" => "m::f(1)",
      "modules/m/functions/f.pp" => "m::f(1)", "modules/m/lib/puppet/functions/m/r.rb" => "m::r(1)", "modules/m/types/t.pp" => "1 =~ M::T",
      "modules/m/manifests/init.pp" => "include m", "modules/m/templates/t.epp" => "epp('m/t.epp')", "modules/m/files/t" => "file('m/t')",
      "modules/m/templates/t.erb" => "notify { 'a': message => template('m/t.erb') }", "modules/m/manifests/d.pp" => "m::d { 'a': }",
      "data/a.json" => "lookup('a', default_value => 1)", "modules/m/lib/puppet/datatypes/o.rb" => "O(1)"
    }.freeze
    HIERA = "version: 5\nhierarchy:\n  - {name: all, paths: [common.yaml]}\n  - {name: json, path: a.json, data_hash: json_data}\n" \
            "  - {name: globs, globs: ['**/*', '/dev/*', '/proc/self/fd/*']}\n"
    private_constant :PLACES, :HIERA

    def initialize(random)
      @random = random
    end

    # @return [Array(String, Hash)] the code and the files
    def draw
      place, code = PLACES.to_a.sample(random: @random)
      files = {"hiera.yaml" => HIERA, place => content}
      files["modules/m/manifests/init.pp"] ||= "class m { }"
      [code, files]
    end

    private

    def content
      depth = [500, 100_000].sample(random: @random)
      [
        :fifo, [:link, "."], [:link, "../../.."], [:link, "/dev/zero"], [:link, "/proc/self/mem"], LAUGHS, "[" * depth, "{\"a\":" * depth,
        "a: " * depth, "- " * depth, "\0" * 100, "\xFF\xFE\xFD".b, "a: !ruby/object:Object {}", "a: &a [*a]", "a: *missing", "%TAG ! x\n---\n",
        "{\"a\": 1e999999999}", "a: 1#{"0" * 100_000}", "\"#{"\\u0000" * 10_000}\"", "function m::f($x) { m::f([$x, $x]) }",
        "function m::f($x) { #{"[" * depth}1#{"]" * depth} }", "class m { include m }", "type M::T = Variant[M::T, Array[M::T]]",
        "type M::T = Pattern[/((a*)*)*b/]", "class m($a = m::f(1)) { #{"notify { 'a': } " * 3} }", "<% 1000000.times do %>xxxxxxxxxx<% end %>",
        "<%= @x.y.z %>", "<%- Integer[1, 9000000].each |$i| { -%>xxxxxxxxxxxxxx<%- } -%>", "define m::d() { m::d { \"${title}a\": } }",
        "Puppet::Functions.create_function(:'m::r') do\n  def r(x) = [x] * 100_000_000\nend\n",
        "Puppet::Functions.create_function(:'m::r') do\n  def r(x) = call_function('m::r', [x, x])\nend\n",
        "Puppet::Functions.create_function(:'m::r') do\n  def r(x) = (a = []) << a\nend\n",
        "Puppet::Functions.create_function(:'m::r') do\n  def r(x) = raise(Exception.new('x' * 1_000))\nend\n",
        "Puppet::Functions.create_function(:'m::r') do\n  def r(x) = 2**100_000\nend\n", "x" * 1_000_000, "k: \"%{lookup('k')}\"\nm::k: \"%{alias('m::k')}\""
      ].sample(random: @random)
    end
  end

  # Runs programs, each in a process of its own.
  class Run
    # What a program ended with.
    #
    # @!attribute how [String] what came of it
    # @!attribute good [Boolean] whether that is an answer or a clear error
    # @!attribute seconds [Float]
    Outcome = Struct.new(:program, :how, :good, :seconds)

    # @return [Outcome]
    def self.outcome(program)
      Dir.mktmpdir do |directory|
        started = Process.clock_gettime(Process::CLOCK_MONOTONIC)
        how, good = new(program, directory).outcome
        Outcome.new(program, how, good, Process.clock_gettime(Process::CLOCK_MONOTONIC) - started)
      end
    end

    def initialize(program, directory)
      @program = program
      @directory = directory
    end

    def outcome
      reader, writer = IO.pipe(binmode: true)
      process = fork { child(reader, writer) }
      writer.close
      return ended(reader.read, Process.wait2(process).last) if reader.wait_readable(PATIENCE)

      Process.kill(:KILL, process)
      Process.wait(process)
      ["no answer within #{PATIENCE} seconds", false]
    ensure
      reader.close
    end

    private

    def ended(said, status)
      return ["the process ended: #{status}", false] unless status.success? && !said.empty?

      said = said.force_encoding(Encoding::UTF_8)
      [said, said.start_with?("answer", "error")]
    end

    def child(reader, writer)
      reader.close
      [$stdout, $stderr].each { |stream| stream.reopen(File::NULL) }
      Process.setrlimit(:AS, MEMORY)
      writer.write(said)
      writer.close
      exit!(true)
    ensure
      # Nothing of what is done at the end of a process.
      exit!(false)
    end

    def said
      write_files
      Puppetfn.limits = LIMITS
      runtime = Puppetfn::Runtime.new(environment: @directory, modulepath: [File.join(@directory, "modules")].select { |path| Dir.exist?(path) })
      catalog = @program.code.match?(/notify|class |define |include|m::d/)
      catalog ? runtime.compile(@program.code) : runtime.evaluate_string(@program.code)
      "answer"
    rescue Puppet::Error, Puppetfn::Error, ArgumentError, TypeError, Exception => e # rubocop:disable Lint/RescueException
      clear?(e) ? "error: #{e.class}: #{e.message[0, 300].scrub}" : "raised #{e.class}: #{e.message[0, 300].scrub}"
    end

    # What neither Puppet nor a function says of its own accord is no clear error.
    def clear?(error)
      return true if error.instance_of?(Exception)

      case error
      when NoMemoryError, SystemStackError, NoMethodError, NameError, SystemExit, SignalException then false
      else !error.message.empty?
      end
    end

    def write_files
      @program.files.each do |path, content|
        path = File.join(@directory, path)
        FileUtils.mkdir_p(File.dirname(path))
        case content
        when :fifo then File.mkfifo(path)
        when Array then File.symlink(content.last, path)
        else File.binwrite(path, content)
        end
      end
    end
  end
end
