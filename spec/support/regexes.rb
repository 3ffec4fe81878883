# frozen_string_literal: true

require "timeout"

# Regular expressions drawn at random, and what they match, here and in Ruby.
class Regexes
  # How long Ruby may take for a text, in seconds.
  PATIENCE = 1
  # How long texts are: short, for the sake of backtracking.
  LENGTH = 10
  ATOMS = [
    "a", "b", "é", "ß", "A", "1", "_", " ", "\n", ".", "\\w", "\\W", "\\d", "\\D", "\\s", "\\S", "\\h", "\\H", "\\R", "\\n", "\\t", "\\e",
    "\\x61", "\\u00e9", "\\u{61 62}", "\\141", "\\.", "\\-", "\\/", "/", "-", ",", "]", "}", "{", "{1", "\\p{Alpha}", "\\p{^Digit}", "\\P{Lower}",
    "[[:alpha:]]", "[^[:space:]]", "[[:^upper:]b]", "[ab]", "[^a]", "[a-c]", "[a-cé]", "[a&&[^b]]", "[[a-z]&&[^aeiou]]", "[\\w-]", "[-a]",
    "[\\]\\[]", "[\\d_]", "[^\\W]", "[\\h]", "[a-]", "[&]", "[\\b]", "\\cA", "\\C-a", "\\X", "\\X"
  ].freeze
  ANCHORS = ["^", "$", "\\A", "\\z", "\\Z", "\\b", "\\B", "\\G", "(?i)", "(?x)", "(?m)", "(?-i)", "\\K"].freeze
  QUANTIFIERS = ["*", "+", "?", "*?", "+?", "??", "*+", "++", "?+", "{2}", "{1,2}", "{,2}", "{1,}", "{1,2}?", "{2}?", "{0}", "{2}+", "{,}"].freeze
  GROUPS = ["(", "(", "(", "(?:", "(?=", "(?!", "(?<=", "(?<!", "(?>", "(?i:", "(?m:", "(?x:", "(?mi-x:", "(?<n>", "(?'m'", "(?#"].freeze
  REFERENCES = ["\\1", "\\2", "\\k<n>", "\\k<1>", "\\k<-1>", "\\g<n>", "\\0", "\\8"].freeze
  LETTERS = ["a", "b", "c", "A", "B", "é", "É", "ß", "s", "1", "٣", "_", "-", ",", " ", "\n", "\t", "\r\n", "/", "]", "}", "\u{1F600}", "e\u0301"].freeze
  # Parts of grapheme clusters, in texts for expressions that match these: line breaks, marks, prefixes and spacing marks of Indic
  # scripts, parts and syllables of Hangul, flags, pictures with modifiers and joiners, controls.
  CLUSTER_PARTS = [
    "a", "b", "\r\n", "\r", "\n", "\u0301", "\u0345", "\u0600", "\u{110BD}", "\u0903", "\u0E33", "\u1100", "\uA960", "\u1161", "\u11A8",
    "\uAC00", "\uAC01", "\u{1F1E6}", "\u{1F1E7}", "\u{1F468}", "\u{1F3FB}", "\u200D", "\uFE0F", "\u2764", "\u00A9", "\u200B", "\u200C", "\u00AD",
    "\u{E0020}", "\u{E0001}", "\t", "\u0915", "\u094D", "\u0D4E", "\u03B9"
  ].freeze
  # What Ruby says of expressions that puppetfn takes: see docs/compatibility.md.
  LENIENT = /look-behind|never ending recursion/
  private_constant :PATIENCE, :LENIENT, :LENGTH, :ATOMS, :ANCHORS, :QUANTIFIERS, :GROUPS, :REFERENCES, :LETTERS

  # @!attribute compared [Integer] how many regular expressions there were
  # @!attribute valid [Integer] how many of them Ruby takes
  # @!attribute matched [Integer] how often one matched a text
  # @!attribute declined [Integer] how many puppetfn refused for a limit
  # @!attribute different [Array<Difference>]
  Outcome = Struct.new(:compared, :valid, :matched, :declined, :different)

  # @!attribute number [Integer] what the regular expression was drawn with
  # @!attribute source [String] its text
  # @!attribute text [String] what it was matched with
  # @!attribute expected what Ruby says
  # @!attribute given what puppetfn says
  Difference = Struct.new(:number, :source, :text, :expected, :given) do
    def to_s
      "number #{number}: #{source.inspect} with #{text.inspect}\n  Ruby:     #{expected.inspect}\n  puppetfn: #{given.inspect}"
    end
  end

  # @param seconds [Numeric] how long to go on
  # @param seed [Integer] the number of the first
  # @param count [Integer, nil] at most how many
  # @return [Outcome]
  def self.run(seconds:, seed: 1, count: nil)
    new.run(Process.clock_gettime(Process::CLOCK_MONOTONIC) + seconds, seed, count)
  end

  def initialize
    @runtime = Puppetfn::Runtime.new
    @outcome = Outcome.new(0, 0, 0, 0, [])
  end

  def run(ends, seed, count)
    verbose, $VERBOSE = $VERBOSE, nil
    (seed..).each_with_index do |number, index|
      break if index == count || Process.clock_gettime(Process::CLOCK_MONOTONIC) > ends

      compare(number)
    end
    @outcome
  ensure
    $VERBOSE = verbose
  end

  private

  def compare(number)
    @random = Random.new(number)
    source = expression(3)
    # Ruby's ways with other cases in classes are its own: see docs/compatibility.md.
    source = source.delete("ſé").gsub(/\\P\{Lower\}|\[\[:\^upper:\]b\]/, "b") if source.match?(/\(\?m?i/)
    regexp = begin
      Regexp.new(source)
    rescue RegexpError => e
      return if e.message.match?(LENIENT)
    end
    @outcome.compared += 1
    @outcome.valid += 1 if regexp
    letters = source.include?("\\X") ? CLUSTER_PARTS : LETTERS
    # Whether joiners belong to words is different: see docs/compatibility.md.
    letters -= ["\u200C", "\u200D"] if source.match?(/\\b/i)
    texts = regexp ? Array.new(6) { text(letters) } : ["a"]
    # One difference of an expression is enough.
    texts.find { |text| compare_match(number, source, regexp, text) }
  end

  def compare_match(number, source, regexp, text)
    expected = expected_of(regexp, text)
    return false unless expected

    given = begin
      @runtime.call_function("match", text, source).to_a
    rescue Puppetfn::LimitError
      @outcome.declined += 1
      return false
    rescue Puppet::Error, RegexpError, ArgumentError => e
      return false if e.message.include?("not supported")

      "invalid"
    end
    @outcome.matched += 1 if expected.is_a?(Array) && expected.any?
    return false if given == expected

    @outcome.different << Difference.new(number, source, text, expected, given)
  end

  # Returns nothing where Ruby does not end, or has a match that ends before it begins.
  def expected_of(regexp, text)
    regexp ? Timeout.timeout(PATIENCE) { regexp.match(text).to_a } : "invalid"
  rescue RegexpError => e
    # Some are only refused when they are used.
    "invalid" unless e.message.match?(LENIENT)
  rescue ArgumentError, Timeout::Error
    nil
  end

  def text(letters)
    Array.new(@random.rand(LENGTH)) { one(letters) }.join
  end

  def expression(depth)
    branches = Array.new(@random.rand < 0.2 ? 2 : 1) { Array.new(@random.rand(1..3)) { piece(depth) }.join }
    branches.join("|")
  end

  def piece(depth)
    drawn = @random.rand
    return one(ANCHORS) if drawn < 0.1
    return one(REFERENCES) if drawn < 0.13

    atom = depth.positive? && drawn < 0.4 ? "#{one(GROUPS)}#{expression(depth - 1)})" : one(ATOMS)
    @random.rand < 0.3 && !atom.start_with?("(?#") ? atom + one(QUANTIFIERS) : atom
  end

  def one(of)
    of.sample(random: @random)
  end
end
