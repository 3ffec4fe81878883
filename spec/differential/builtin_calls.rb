# frozen_string_literal: true

require_relative "module_calls"

module Differential
  # Makes calls of Puppet's built-in functions: from their signatures, and for those that look into
  # strings with combinations of what they look for. Needs real Puppet.
  class BuiltinCalls
    TEXTS = ["", "a", "abcabc", "a1b22c", "héllo wörld", "one, two;three ", "a\nb\r\nc\n", "  \t padded \n", "x.y.z", "日本語", "aAbB"].map(&:inspect).freeze
    PATTERNS = ["", "b", "[bc]", "(b)(c)?", "\\d+", "\\s*[,;]\\s*", "^", "$", "l+", "(?<n>[a-z])", ".", "(", "x*", "\\b", "本"].map(&:inspect).freeze
    REPLACEMENTS = ["", "X", "<\\0>", "<\\1|\\2>", "\\\\", "\\k<n>", "\\k<m>", "\\`-\\'", "\\", "\\9&", "é"].map(&:inspect).freeze
    FLAGS = ["", "G", "I", "GIM", "E", "GE"].map(&:inspect).freeze

    VERSIONS = ["", "1", "1.0", "1.00", "1.0.0", "1.10", "1.9", "01", "1.0-1", "1.0-", "-", "1.0~rc1", "1.0a", "1.0B", "2:1.0", "1..2", "1.0\n0.0", "ä",
                "12345678901234567890123", "12345678901234567890124"].map(&:inspect).freeze

    DIRECTIVES = %w[%d %5d %-5d| %05d %+d %x %#X %o %b %08.3f %e %G %a %s %10s %-6s| %.2s %c %p %i %u %% %1$s %*d %<a>d %{a} %y %].map(&:inspect).freeze
    FORMATTED = ["0", "42", "-255", "1.5", "-1e20", "\"7\"", "\"0x1F\"", "\"abc\"", "\"\"", "nil", "true", "[1, nil]", "{\"a\" => 5}", "/r/i", "type(\"Integer\")",
                 "sensitive(\"s\")", ":default"].freeze

    SHELL = ["", "a", "a b", "it's", "$HOME", "`x`", "\"q\"", "'\"$", "a\nb", "é", "é'\"", "--opt=1", "!", "a\\b"].map(&:inspect).freeze

    SORTED = ["[3, 1, 2]", "[1, 2.5, -1, 2]", "%w[b A a é]", "[[2], [1, 5], [1]]", "[1, \"a\"]", "[nil, 1]", "[nil, nil]", "[true, false]", "[:default, :default]",
              "[1, nil]", "[\"a\", 1, 2.5]", "[{}, {}]", "[{}, 1]", "[[1], [\"a\"]]", "[]", "(1..9).to_a.reverse", "%w[10 9 2 1]", "[0.0, -0.0, 0]"].freeze

    PATHS = ["", "a", "a.'b.c'.1.d", "a. \"b.c\" .0", "5", "0.1.0", "-1", "a..b", ".", "a.", "'a", "a.x.y", "0.x", "+1", ":0", "a.b'c'"].map(&:inspect).freeze

    # What the functions that can be called again and again with the same answer are tried with, but
    # for what comes from their signatures.
    COMBINED = {
      "split" => [TEXTS, PATTERNS + PATTERNS.map { |pattern| "Regexp.new(#{pattern})" }],
      "match" => [TEXTS, PATTERNS],
      "versioncmp" => [VERSIONS, VERSIONS, [nil, "true"]],
      "compare" => [["1", "1.5", "\"a\"", "\"B\"", "\"_\""], ["2", "1.5", "\"A\"", "\"é\"", "nil"], [nil, "true", "false"]],
      "sprintf" => [DIRECTIVES, FORMATTED],
      "shellquote" => [SHELL, SHELL],
      "md5" => [TEXTS], "sha1" => [TEXTS], "sha256" => [TEXTS], "digest" => [TEXTS],
      "fqdn_rand" => [%w[1 2 10 100 3600 5000000000 "7" 0 -1 2.9 "x" nil], [nil, "nil", "1", "\"seed\"", "[1, [\"a\"]]"], [nil, "true", "false", "\"\""]],
      "sort" => [SORTED], "max" => [SORTED], "min" => [SORTED],
      "flatten" => [["[[1, [2, [3]]], {}]", "[]", "nil", "{\"a\" => [1]}"], [nil, "[[4]]", "5"]],
      "get" => [["{\"a\" => {\"b.c\" => [1, {\"d\" => 2}]}, 5 => \"x\"}", "[[1, [2]], 3]", "nil", "\"s\""],
                PATHS, [nil, "\"none\""]],
      "abs" => [%w[-5 5.5 -0.0 "-5" "-5.5" "5_0" "1e3" "" " 5" "-5x" "5\n6" "x\n7" "1.5.2"]],
      "ceiling" => [%w[-1.5 1.2 "1.2" "0x1F" "0b1" "1_0.5" ".5" "5." " 3.2\n" "x" "" "1e2" "-"]],
      "floor" => [%w[-1.5 1.8 "1.8" "0x1F" "-.5" "1__0" "nan" "1e-2"]],
      "round" => [%w[-1.5 -0.5 0.5 1.49 2.5 0 7 9007199254740993 0.49999999999999994]]
    }.freeze

    # Values that the two sides treat differently on purpose: symbols, ranges, classes and numbers beyond
    # 64 bits. And numbers that take long to iterate over.
    LEFT_OUT = /:undef|\(1\.\.3\)|\("a"\.\."c"\)|e300|Float::|[(, ](?:String|Comparable|9223372036854775807|-9223372036854775808|65536|4789)\b/
    private_constant :LEFT_OUT

    # How many of the combinations are called.
    COUNT = 220

    def initialize(world, random)
      @random = random
      @of_signatures = ModuleCalls.new(world, random, Differential.builtin_files)
    end

    # @param function_class [Class, nil] of a function of the 4.x API
    def of(name, function_class)
      calls = function_class ? @of_signatures.of(name, function_class) : of_pool(name)
      (calls.reject { |call| LEFT_OUT.match?(call) } + combined(name) + replaced(name)).uniq
    end

    private

    # Arguments of all kinds, for a function that has no signature.
    def of_pool(name)
      one = POOL.map { |value| [value] }
      several = Array.new(60) { POOL.sample(@random.rand(0..3), random: @random) }
      (one + several).map { |list| call(name, list) }
    end

    def combined(name)
      lists = COMBINED.fetch(name, [])
      return [] if lists.empty?

      all = lists.first.product(*lists.drop(1))
      all.sample(COUNT, random: @random).map { |list| call(name, list.compact) }
    end

    def replaced(name)
      return [] unless name == "regsubst"

      all = TEXTS.product(PATTERNS, REPLACEMENTS, FLAGS).sample(2 * COUNT, random: @random)
      all.map { |list| call(name, list) } +
        all.first(COUNT).map { |text, pattern, to, _| call(name, [text, "Regexp.new(#{pattern})", to, '"G"']) }
    end

    def call(name, list)
      "call(#{[name.inspect, *list].join(", ")})"
    end
  end
end
