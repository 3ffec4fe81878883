//! Statements in a text that arrives line by line.

use puppetfn_base::error::SyntaxDetail;
use puppetfn_base::limits::Limits;
use puppetfn_syntax::{LexemeKind, Mode, lexemes, parse};

/// The parser's verdict on a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Verdict {
    /// The text has no statements: it is blank, or has only comments.
    Empty,
    /// The text can be evaluated.
    Complete,
    /// The text ends too early.
    Unfinished,
    /// The text is not Puppet code, whatever follows.
    Wrong,
}

/// A text that grows line by line until it is complete.
///
/// The parser reads short texts at each line. In long ones, the lexer counts brackets, and the parser reads the text only where they balance
/// or where it has doubled, so that a class of thousands of lines takes time in proportion to its length.
#[derive(Debug, Default)]
pub(crate) struct GrowingText {
    text: String,
    /// The offset of the first line whose brackets are not counted: a string, heredoc or comment that begins in it has no end yet.
    counted: usize,
    /// The number of open brackets at that offset.
    depth: usize,
    /// Whether there is more than comments before that offset.
    has_code: bool,
    /// The length of the text that the parser has read.
    parsed: usize,
}

/// The maximum length of a text that the parser reads at each line, in bytes.
const SHORT: usize = 4_096;

impl GrowingText {
    /// Adds a line without its end, and returns the verdict on the text.
    pub fn push(&mut self, line: &str, limits: &Limits) -> Verdict {
        let may_count = self.counted == self.text.len() || self.may_end_lexeme(line);
        self.text.push_str(line);
        self.text.push('\n');
        let is_counted = may_count && self.count();
        if is_counted && !self.has_code {
            return Verdict::Empty;
        }
        let is_balanced = is_counted && self.depth == 0;
        if is_balanced || self.text.len() <= SHORT || self.text.len() >= self.parsed.saturating_mul(2) {
            self.parsed = self.text.len();
            return verdict(&self.text, limits);
        }
        Verdict::Unfinished
    }

    /// Returns the text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Takes the text.
    pub fn take(&mut self) -> String {
        std::mem::take(self).text
    }

    /// Returns true unless a line is certainly inside of the string, heredoc or comment that has no end yet.
    fn may_end_lexeme(&self, line: &str) -> bool {
        let beginning =
            self.text.get(self.counted..).and_then(|rest| rest.lines().next()).unwrap_or_default();
        if beginning.contains("@(") {
            let tag = line.trim_start_matches([' ', '\t', '|', '-']).trim_end();
            return !tag.is_empty() && beginning.contains(tag);
        }
        line.contains(['\'', '"']) || line.contains("*/")
    }

    /// Counts the brackets of the lines that are not counted yet. Returns false if their last lexeme has no end.
    fn count(&mut self) -> bool {
        let rest = self.text.get(self.counted..).unwrap_or_default();
        let (mut depth, mut has_code) = (self.depth, self.has_code);
        for lexeme in lexemes(rest, Mode::default()) {
            let Ok(lexeme) = lexeme else { return false };
            let word = lexeme.span.text(rest);
            if lexeme.kind == LexemeKind::Interpolation && !word.ends_with('"') {
                return false;
            }
            if lexeme.kind == LexemeKind::Sign && word.ends_with(['(', '[', '{']) {
                depth = depth.saturating_add(1);
            } else if lexeme.kind == LexemeKind::Sign && word.starts_with([')', ']', '}']) {
                depth = depth.saturating_sub(1);
            }
            has_code |= !lexeme.kind.is_comment();
        }
        (self.counted, self.depth, self.has_code) = (self.text.len(), depth, has_code);
        true
    }
}

/// Returns the parser's verdict on a text.
fn verdict(text: &str, limits: &Limits) -> Verdict {
    match parse(text, limits) {
        Ok(program) if program.statements.is_empty() => Verdict::Empty,
        Ok(_) => Verdict::Complete,
        Err(error) if error.details() == Some(&SyntaxDetail::Unfinished) => Verdict::Unfinished,
        Err(_) => Verdict::Wrong,
    }
}

/// Signs that cannot begin a statement.
const CONTINUING_SIGNS: [&str; 7] = ["->", "~>", "<-", "<~", ".", "?", "=>"];

/// Returns true if a line can only go on with the statement before it: it begins with an operator, `else` or `elsif`.
pub(crate) fn continues(line: &str) -> bool {
    let Some(Ok(first)) = lexemes(line, Mode::default()).next() else { return false };
    let word = first.span.text(line);
    match first.kind {
        LexemeKind::Keyword => matches!(word, "else" | "elsif"),
        LexemeKind::Operator | LexemeKind::Sign => {
            CONTINUING_SIGNS.contains(&word) || (first.kind == LexemeKind::Operator && word != "!")
        }
        LexemeKind::Name
        | LexemeKind::Variable
        | LexemeKind::Number
        | LexemeKind::Text
        | LexemeKind::Interpolation
        | LexemeKind::Heredoc
        | LexemeKind::Regexp
        | LexemeKind::Comment
        | LexemeKind::BlockComment => false,
    }
}

/// Returns true if a line is a command of the console, and not code: a colon and a letter.
pub(crate) fn is_command(line: &str) -> bool {
    let mut characters = line.trim_start().chars();
    characters.next() == Some(':') && characters.next().is_some_and(char::is_alphabetic)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn verdict_of(text: &str) -> Verdict {
        verdict(text, &Limits::DEFAULT)
    }

    #[test]
    fn texts_that_end_too_early_are_unfinished() {
        for text in [
            "class a {",
            "$x = [1,",
            "$x =",
            "notice(",
            "'a",
            "\"a ${",
            "\"a ${b",
            "/* a",
            "$x = @(END)",
            "$x = @(END)\n a\n",
            "file { '/a':",
            "if true { 1 } else {",
            "$x ?",
            "[1].map |$x|",
        ] {
            assert_eq!(verdict_of(text), Verdict::Unfinished, "{text}");
        }
    }

    #[test]
    fn errors_are_not_unfinished() {
        for text in ["class a }", "$x = )", "file { '/a': ensure => }", "1 2 )"] {
            assert_eq!(verdict_of(text), Verdict::Wrong, "{text}");
        }
        assert_eq!(verdict_of("# a\n\n"), Verdict::Empty);
        assert_eq!(verdict_of("$x = @(END)\n a\n| END"), Verdict::Complete);
    }

    /// Returns the verdict on a text that arrives line by line inside of `open`, and the number of times that the parser has read it.
    fn growing(open: &str, text: &str) -> (Verdict, usize) {
        let mut growing = GrowingText::default();
        let (mut state, mut reads) = (Verdict::Empty, 0);
        for line in open.lines().chain(text.lines()) {
            let before = growing.parsed;
            state = growing.push(line, &Limits::DEFAULT);
            reads += usize::from(growing.parsed != before);
        }
        (state, reads)
    }

    /// A comment that is too long for the parser to read the text at each line.
    fn long() -> String {
        format!("# {}\n", "x".repeat(SHORT))
    }

    #[test]
    fn long_texts_end_where_their_brackets_balance() {
        let open = long() + "class a {";
        for text in [
            "$x = [1,\n2]\n}",
            "$x = 'a\n}\n'\n}",
            "$x = \"a ${[\n1].map |$y| {\n \"}\"\n}}\n\"\n}",
            "$x = @(END)\n }\n | END\n}",
            "$x = [@(A), @(\"B\"/L)]\n }\nA\n { ${1 +\n1}\n - B\n}",
            "/* }\n }\n*/\n}",
            "# }\n}",
            "file { '/a': mode => $x ? { 1 => '2',\n default => '3' } }\n}",
            "$x = $y /\n2\n $z / 3\n}",
            "[1].each |$x| {\n  notice(\"${x['a']} }\")\n}\n}",
        ] {
            let lines: Vec<&str> = text.lines().collect();
            for count in 1..lines.len() {
                assert_eq!(
                    growing(&open, &lines[..count].join("\n")).0,
                    Verdict::Unfinished,
                    "{text}: {count}"
                );
            }
            assert_eq!(growing(&open, text).0, Verdict::Complete, "{text}");
        }
        assert_eq!(growing(&open, ")\n}").0, Verdict::Wrong);
        assert_eq!(growing(&long(), &long()), (Verdict::Empty, 0));
    }

    #[test]
    fn the_parser_reads_long_texts_seldom() {
        let members = "  file { '/etc/a': ensure => 'file', content => \"${x}\\n\" }\n".repeat(4_000);
        let (state, reads) = growing("class a {", &format!("{members}}}"));
        assert_eq!(state, Verdict::Complete);
        assert!(reads < 120, "{reads}");
        let heredoc = format!("$x = @(END)\n{}| END", "it's } not ' the end\n".repeat(4_000));
        let (state, reads) = growing("", &heredoc);
        assert_eq!(state, Verdict::Complete);
        assert!(reads < 250, "{reads}");
    }

    #[test]
    fn operators_continue_a_statement() {
        for line in ["-> File['/a']", " .notice", "else { }", "? { default => 1 }", "+ 1", "=~ /a/"] {
            assert!(continues(line), "{line}");
        }
        for line in
            [":ls", "| END", "elsewhere()", "[1].notice", "{ }", "!true", "@file { '/a': }", "# a", "", "$x"]
        {
            assert!(!continues(line), "{line}");
        }
    }

    #[test]
    fn commands_begin_with_a_colon() {
        assert!(is_command(":help") && is_command("  :q"));
        assert!(!is_command("::a()") && !is_command(": a") && !is_command(""));
    }
}
