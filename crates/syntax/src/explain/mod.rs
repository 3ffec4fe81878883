//! Explains why a text is rejected, and suggests corrections.
//!
//! Puppet reports the token that does not fit. The mistake is usually before it, so the tokens up to there are read
//! again and examined. Nothing here runs until a diagnostic is to be explained.

mod meant;
mod outline;

use self::outline::TokenOutline;
use super::Mode;
use puppetfn_base::diagnostic::Diagnostic;
use puppetfn_base::source::Span;

/// Explanation of a diagnostic: a more precise span, labels and a suggestion.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DiagnosticExplanation {
    /// The primary span.
    pub span: Span,
    /// Secondary spans with their labels.
    pub labels: Vec<(Span, String)>,
    /// The suggested correction.
    pub help: Option<String>,
}

/// Explains a diagnostic of a text.
///
/// ```
/// use puppetfn::limits::Limits;
/// use puppetfn::syntax::{Mode, check, explain};
///
/// let text = "if $a = 1 { }";
/// let found = check(text, Mode::default(), None, &Limits::DEFAULT);
/// let help = found.first().and_then(|first| explain(text, Mode::default(), first).help);
/// assert_eq!(help.as_deref(), Some("`==` compares; `=` assigns"));
/// ```
pub fn explain(text: &str, mode: Mode, found: &Diagnostic) -> DiagnosticExplanation {
    let span = at(text, found.span.start);
    if found.code != "SYNTAX_ERROR" {
        let help = meant::allowed(found.code, span.text(text));
        return DiagnosticExplanation { span, labels: Vec::new(), help };
    }
    let outline = TokenOutline::new(text, mode, found.span.start);
    let mut explanation = DiagnosticExplanation { span, labels: Vec::new(), help: None };
    meant::written(&outline, found, &mut explanation);
    explanation
}

/// Returns the word or sign at an offset; empty at the end.
fn at(text: &str, offset: u32) -> Span {
    let rest = text.get(offset as usize..).unwrap_or_default();
    let name = |c: char| c.is_alphanumeric() || matches!(c, '_' | ':');
    let length = match rest.chars().next() {
        None | Some('\n' | '\r') => 0,
        Some('$') => 1 + rest.get(1..).map_or(0, |rest| word(rest, name)),
        Some(c) if name(c) && c != ':' => word(rest, name),
        Some('\'' | '"') => 1,
        Some(c) if c.is_ascii_punctuation() => sign(rest).map_or(1, str::len),
        Some(c) => c.len_utf8(),
    };
    Span::new(offset, offset + length as u32)
}

/// Returns the length of a word. A colon at its end is not part of it.
fn word(text: &str, is_part: impl Fn(char) -> bool) -> usize {
    let word = text.find(|c| !is_part(c)).map_or(text, |end| text.get(..end).unwrap_or_default());
    word.trim_end_matches(':').len()
}

/// Returns the sign of more than one character that a text starts with.
fn sign(text: &str) -> Option<&'static str> {
    const SIGNS: [&str; 21] = [
        "<<|", "|>>", "=>", "==", "=~", "!=", "!~", "+=", "+>", "-=", "->", "~>", "<<", "<=", "<|", "<-",
        "<~", ">>", ">=", "|>", "@@",
    ];
    SIGNS.into_iter().find(|sign| text.starts_with(sign))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_variable_in_a_string_that_is_not_closed_is_no_bracket() {
        let text = "\"\u{feff}$x";
        let found =
            Diagnostic::error("SYNTAX_ERROR", "Unclosed quote after 'x' followed by '<eof>'", Span::at(6));
        assert_eq!(explain(text, Mode::default(), &found).labels, []);
    }

    #[test]
    fn words_and_signs_are_taken_whole() {
        let at = |text: &'static str| at(text, 0).text(text);
        assert_eq!(at("$a::b[1]"), "$a::b");
        assert_eq!(at("file: x"), "file");
        assert_eq!(at("=> 1"), "=>");
        assert_eq!(at("'a b'"), "'");
        assert_eq!(at("}\n"), "}");
        assert_eq!(at("é"), "é");
        assert_eq!(at("\n"), "");
    }
}
