# frozen_string_literal: true

# Texts of heredocs and templates, put together of parts that are each of them unusual in some way. Most are right.
class DropInTexts
  CODES = [
    "$a", "${a}", "${ a }", "${a[1]}", "${a.b}", "${$a['b'].c |$x| { $x }}", "${1}", "${a\n  [1]}", "${[1,\n    2]}",
    "${if $a { 1 } elsif $b {\n    2\n  } else { 3 }}", "${unless $a {\n 1 }}", "${\n    # c\n    $a + 1 }", "${/* c */ $a }",
    "${\"é ${b}\n    c\"}", "${'x\n    y'}", "${f(1,\n    2) |$x| { $x; 1 }}", "${a ? {\n    1 => 2,\n    default => 3 }}",
    "${case $a {\n    1: { 2 }\n    default: {}\n  }}", "${$a =~ /x\n    y/}", "${@x { a:\n    b => c }}", "${class x { }}",
    "${x => 1}", "${({\n    a => 1 })}", "${(function f() {\n    1\n  })}", "${$x = 3}", "${a\n  }", "${1.5.x}", "${type.x}", "$::a::b$c",
    "${::a}", "$", "$$a", "$ a", "${a", "${@(I)}\n    in $a\n    | I\n", "${@(\"I\")}\n      in $a ${b\n     }\n    | I\n",
    "${@(\"I\"/)}\n      1\n     2\n    3\n  | - I\n", "${f(@(I), @(J))}\n  i\n I\n  j\n  | J\n"
  ].freeze
  TEXTS = [
    "", "a", "bc", " d", "\n", "\n  e", "\n    f", "é\u3000", "  b", "    c", "\t", "\n", "\n    ", "\n  ", "\n\n", "\r\n    ", "\n      ", "\\", "\\\\ ", "\\n", "\\t\\s", "\\$a",
    "\\${a}", "\\u00e9", "\\u{1F600}", "\\\n    ", "\\\r\n    ", "\"", "'", "}", "{", "|", "<%", "%>", "#", "\u{1F600} "
  ].freeze
  TAGS = ["E", "\"E\"", " E ", "\" E \"", "E:json", "E: json ", "\"E\":pp", "E/", "\"E\"/", "\"E\"/$", "E/n", "\"E\"/tL", "\"E\"/u$",
          "\"E\":json/trnsuL$", "É", "\"a b\"", "\"E\" :x2/s "].freeze
  ENDS = ["", "| ", "|- ", "- ", "    | ", "    |-", "  | - ", "    ", "\t| ", "  \u3000| ", "     - ", "      |"].freeze
  AROUND = ["%s", "$x = %s", "[%s, 1]", "notice(%s)", "notice %s", "\"a${%s}b\"", "%s.f |$x| { $x }", "{a => %s}", "file { 'a': content => %s }",
            "  if true { %s }", "'é' /* c */ %s # c"].freeze
  TAGGED = ["$a", " $a ", "$a.b", "\n$a\n", "{ 1; 2 }", "{ $a }", "{ a => 1 }", "{}", "'%%>'", "f($a) |$x| {", "}", "if $a {", "} else {",
            "$x = 1", "notice", "notice $a", " # c\n", "1 2", "function g() { 1 }", "case $a { 1: {", "}}", "[1,\n 2]", "", " ", "a { b => 1 }",
            "@(E)", "\"${a}\n\"", "5 %%> 2", "|", "'"].freeze
  OPENINGS = %w[<% <%- <%= <%=].freeze
  CLOSINGS = ["%>", "-%>", " %>", " -%>"].freeze
  BETWEEN = ["", " ", "a", "é\n", "\n", "  \t", "\r\n", "  \n  b", "<%%", "%%>", "<%# c %>", "<%#- c -%>\n", " <%#-%>", "<%# %%> %> \n", "%>", "-%>\n",
             "E\n", "\u{1F600}  \n", "<", "<%#%>x%>"].freeze
  STARTS = ["", "", "", "<% | | %>", "<%- | $a, Integer $b = 1 | -%>\n", "<%-| *$a |-%>", "  <%- |$a| %>", "<%|String $a,|%>\n", "<%# c -%>\n<%- |$a| -%>\n"].freeze

  CHANGES = ["", "}", "{", "\"", "'", "(", ")", "=>", "$x", "${", "<%", "%>", "-", "|", "@(E)", "@(\"E\"/)", "\n", "\r\n", "\\", "é", "\u3000", "E", " ",
             "#", "/*", "*/", ";", ",", "[", "]", ".", "if ", "1", "\0", "\ufeff"].freeze

  def initialize(seed)
    @random = Random.new(seed)
  end

  # @return [String] code with one or more heredocs
  def heredoc
    count = [1, 1, 1, 2, 3].sample(random: @random)
    tags = Array.new(count) { pick(TAGS) }
    uses = tags.map { |tag| format(pick(AROUND), "@(#{tag})") }
    bodies = tags.map { |tag| "#{lines}#{pick(ENDS)}#{tag[/\A[^:\/]+/].strip.delete_prefix('"').delete_suffix('"').strip}" }
    line = pick(["\n", "\n", "\r\n"])
    "#{pick(["", "\n", "$e = 'é'\n"])}#{uses.join(pick([" ", " ", ", "]))}#{line}#{bodies.join("\n")}#{pick(["", "\n", "\r\n", "\n$z + 1\n"])}"
  end

  # @return [String] a template
  def template
    tags = Array.new(@random.rand(4)) { "#{pick(OPENINGS)}#{pick(TAGGED)}#{pick(CLOSINGS)}#{text(BETWEEN)}" }
    "#{pick(STARTS)}#{text(BETWEEN)}#{tags.join}"
  end

  # @return [String] a text in which something else stands at one place
  def changed(text)
    text.dup.tap { |copy| copy[@random.rand(copy.size + 1), @random.rand(3)] = pick(CHANGES) }
  end

  private

  def pick(list)
    list.sample(random: @random)
  end

  def lines
    pick([true, true, true, true, false]) ? "#{content}\n" : ""
  end

  def content
    indent = pick(["", "", "    ", "  ", "      "])
    Array.new(@random.rand(5)) { pick([CODES, TEXTS]).sample(random: @random) }.unshift(indent).join.gsub("\n", pick(["\n", "\n", "\n", "\r\n", "\n#{indent}"]))
  end

  def text(list)
    Array.new(@random.rand(3)) { pick(list) }.join
  end
end
