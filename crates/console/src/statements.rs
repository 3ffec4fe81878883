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

/// Returns the parser's verdict on a text.
pub(crate) fn verdict(text: &str, limits: &Limits) -> Verdict {
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
