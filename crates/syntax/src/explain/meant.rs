//! Suggests corrections of rejected code.
#![allow(clippy::wildcard_enum_match_arm, reason = "few tokens reveal the intended code")]

use super::DiagnosticExplanation;
use super::outline::{Closing, OpenBracket, TokenOutline};
use crate::ast::BinaryOp;
use crate::token::{Keyword, Token, TokenKind};
use puppetfn_base::diagnostic::Diagnostic;
use puppetfn_base::source::Span;

/// Explains a syntax error.
pub(super) fn written(
    outline: &TokenOutline<'_>,
    found: &Diagnostic,
    explanation: &mut DiagnosticExplanation,
) {
    if found.message.starts_with("Unclosed quote") {
        unclosed_quote(outline, explanation);
        return;
    }
    let Some(token) = &outline.token else { return };
    match token.kind {
        TokenKind::End => unclosed_bracket(outline, explanation),
        TokenKind::RightBrace | TokenKind::RightParen | TokenKind::RightBracket => {
            wrong_bracket(outline, token, explanation);
        }
        _ => explanation.help = help(outline, token),
    }
    if explanation.help.is_none() {
        misspelled_elsif(outline, explanation);
    }
    if explanation.help.is_none() {
        missing_comma(outline, token, explanation);
    }
    if explanation.help.is_none() && explanation.labels.is_empty() {
        long_string(outline, explanation);
    }
}

/// Suggests a correction for code that parses but is not allowed.
pub(super) fn allowed(code: &str, word: &str) -> Option<String> {
    Some(match code {
        "ILLEGAL_ASSIGNMENT" if is_bare(word) => format!("a variable starts with a dollar sign: `${word}`"),
        "RESOURCE_WITHOUT_TITLE" => {
            format!("a resource has a title in front of its attributes: `{word} {{ 'title': ... }}`")
        }
        "IDEM_EXPRESSION_NOT_LAST" if word == "==" => "`=` assigns; `==` only compares".to_owned(),
        "UNRECOGNIZED_ESCAPE" => "write `\\\\` for a backslash, or use single quotes".to_owned(),
        _ => return None,
    })
}

/// Returns a suggestion for one token, judged by the tokens beside it.
fn help(outline: &TokenOutline<'_>, token: &Token<'_>) -> Option<String> {
    let last = outline.last();
    let last_kind = last.map(|last| &last.kind);
    let text = token.span.text(outline.text);
    let is_adjacent = |before: Option<&Token<'_>>, token: &Token<'_>| {
        before.is_some_and(|before| before.span.end == token.span.start)
    };
    if let (TokenKind::Keyword(Keyword::If), Some(TokenKind::Keyword(Keyword::Else))) =
        (&token.kind, last_kind)
    {
        return Some("write `elsif`".to_owned());
    }
    match (&token.kind, last_kind) {
        (TokenKind::Keyword(Keyword::Elsif), Some(TokenKind::RightBrace)) => {
            Some("`unless` has no `elsif`, and `else` comes last".to_owned())
        }
        (
            TokenKind::Operator(BinaryOp::Assign),
            Some(TokenKind::Operator(BinaryOp::Equal | BinaryOp::NotEqual)),
        ) if is_adjacent(last, token) => Some("Puppet compares with `==` and `!=`".to_owned()),
        (TokenKind::Operator(BinaryOp::Assign), _) => equals_sign(outline),
        (TokenKind::FatArrow, Some(TokenKind::Variable(_))) => {
            Some("`=` assigns; `=>` is for the entries of hashes and the attributes of resources".to_owned())
        }
        (TokenKind::Colon, Some(TokenKind::Name(_) | TokenKind::String(_)))
            if innermost(outline) == Some(Closing::Brace) =>
        {
            Some("a hash has `=>` between a key and its value".to_owned())
        }
        (
            TokenKind::Name(name),
            Some(TokenKind::LeftParen | TokenKind::Pipe | TokenKind::Comma | TokenKind::Reference(_)),
        ) if is_parameter(outline) => Some(format!("a parameter starts with a dollar sign: `${name}`")),
        (TokenKind::Pipe, Some(TokenKind::Pipe)) if is_adjacent(last, token) => Some(operator("||", "or")),
        (TokenKind::Pipe, _) if is_followed_by(outline, token, "|") => Some(operator("||", "or")),
        (TokenKind::Other, _) if text == "&" => Some(operator("&&", "and")),
        _ => None,
    }
}

fn operator(wrong: &str, right: &str) -> String {
    format!("write `{right}` for `{wrong}`")
}

/// Suggests `elsif` for the keywords of other languages, which Puppet reads as a function's name and rejects later.
fn misspelled_elsif(outline: &TokenOutline<'_>, explanation: &mut DiagnosticExplanation) {
    let tokens: Vec<_> = outline.before.iter().chain(&outline.token).collect();
    let misspelled = tokens.windows(2).rev().find_map(|pair| match pair {
        [brace, word] if brace.kind == TokenKind::RightBrace => {
            matches!(word.kind, TokenKind::Name("elseif" | "elif" | "elsfi")).then_some(word)
        }
        _ => None,
    });
    if let Some(word) = misspelled {
        explanation.labels.push((word.span, "this is no keyword".to_owned()));
        explanation.help = Some(format!("write `elsif` for `{}`", word.span.text(outline.text)));
    }
}

/// Returns true if a word is a name without a dollar sign.
fn is_bare(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_lowercase())
}

fn innermost(outline: &TokenOutline<'_>) -> Option<Closing> {
    outline.open.last().map(|open| open.closing)
}

fn is_followed_by(outline: &TokenOutline<'_>, token: &Token<'_>, text: &str) -> bool {
    outline.text.get(token.span.end as usize..).is_some_and(|rest| rest.starts_with(text))
}

/// Suggests a replacement for a `=` where nothing can be assigned.
fn equals_sign(outline: &TokenOutline<'_>) -> Option<String> {
    let compares = "`==` compares; `=` assigns".to_owned();
    match (outline.head(), innermost(outline)) {
        (Some(Keyword::If | Keyword::Elsif | Keyword::Unless | Keyword::Case), _) => Some(compares),
        (_, Some(Closing::Brace)) => {
            Some("`=>` stands between a name and its value; `=` assigns to variables".to_owned())
        }
        (_, Some(Closing::Paren | Closing::Bracket)) => Some(compares),
        _ => None,
    }
}

/// Returns true if the error is among the parameters of something.
fn is_parameter(outline: &TokenOutline<'_>) -> bool {
    let is_head =
        matches!(outline.head(), Some(Keyword::Class | Keyword::Define | Keyword::Function | Keyword::Plan));
    let pipes = outline.before.iter().filter(|token| token.kind == TokenKind::Pipe).count();
    is_head && innermost(outline) == Some(Closing::Paren) || pipes % 2 == 1
}

/// Shows where the bracket that is not closed was opened.
fn unclosed_bracket(outline: &TokenOutline<'_>, explanation: &mut DiagnosticExplanation) {
    if let Some(open) = outline.suspect.or_else(|| outline.open.last().copied()) {
        not_closed(outline, open, explanation);
    }
}

fn not_closed(outline: &TokenOutline<'_>, open: OpenBracket, explanation: &mut DiagnosticExplanation) {
    let up_to = outline.text.get(..open.span.end as usize).unwrap_or_default();
    if open.closing == Closing::String && !up_to.ends_with("${") {
        // A `$name`, which nothing closes.
        return;
    }
    let closing = open.closing.sign();
    let (span, sign) = match open.closing {
        // The token is the text up to the code.
        Closing::String => (Span::new(open.span.end.saturating_sub(2), open.span.end), "${"),
        Closing::Brace | Closing::Paren | Closing::Bracket => (open.span, open.span.text(outline.text)),
    };
    explanation.labels.push((span, format!("this `{sign}` is not closed")));
    explanation.help = Some(format!("add `{closing}` where it ends"));
}

/// Explains a closing bracket that closes nothing, or not the innermost one.
fn wrong_bracket(outline: &TokenOutline<'_>, token: &Token<'_>, explanation: &mut DiagnosticExplanation) {
    let sign = token.span.text(outline.text);
    match outline.open.last() {
        None => match outline.suspect {
            Some(suspect) => not_closed(outline, suspect, explanation),
            None => explanation.help = Some(format!("nothing is open here that `{sign}` could close")),
        },
        Some(open) if open.closing.sign() != sign => not_closed(outline, *open, explanation),
        Some(_) => {}
    }
}

/// Explains two items in a list without a comma between them, or a list that should have ended before.
fn missing_comma(outline: &TokenOutline<'_>, token: &Token<'_>, explanation: &mut DiagnosticExplanation) {
    let (Some(last), Some(open)) = (outline.last(), outline.open.last()) else { return };
    let is_list = match open.closing {
        Closing::Paren | Closing::Bracket => true,
        Closing::Brace => {
            matches!(
                outline.next.as_ref().map(|next| &next.kind),
                Some(TokenKind::FatArrow | TokenKind::PlusArrow)
            )
        }
        Closing::String => false,
    };
    if !is_list {
        return;
    }
    if outline.starts_line(token.span) && outline.indentation(token.span) <= outline.indentation(open.span) {
        not_closed(outline, *open, explanation);
    } else if ends_item(&last.kind) && starts_item(&token.kind) {
        let end = last.span.end;
        let shown = Span::new(end.saturating_sub(1).max(last.span.start), end);
        explanation.labels.push((shown, "a comma is missing behind this".to_owned()));
        explanation.help = Some("put a comma between the two".to_owned());
    }
}

fn ends_item(token: &TokenKind<'_>) -> bool {
    match token {
        TokenKind::RightBrace | TokenKind::RightBracket | TokenKind::RightParen | TokenKind::StringEnd(_) => {
            true
        }
        other => starts_item(other) && !matches!(other, TokenKind::StringStart(_)),
    }
}

fn starts_item(token: &TokenKind<'_>) -> bool {
    token.is_value()
        || matches!(token, TokenKind::StringStart(_) | TokenKind::Keyword(Keyword::Undef | Keyword::Default))
}

/// Shows the quote that is not closed: it follows the tokens read so far.
fn unclosed_quote(outline: &TokenOutline<'_>, explanation: &mut DiagnosticExplanation) {
    let from = outline.last().map_or(0, |last| last.span.end as usize);
    let rest = outline.text.get(from..).unwrap_or_default();
    if let Some(quote) = rest.find(['\'', '"']).map(|at| (from + at) as u32) {
        explanation.span = Span::new(quote, quote + 1);
        explanation.help = Some("close the quote".to_owned());
    }
    if let Some(open) = outline.open.last().filter(|open| open.closing == Closing::String) {
        not_closed(outline, *open, explanation);
    } else {
        long_string(outline, explanation);
    }
}

/// Explains a string of several lines before the error: its end was probably meant to start another one.
fn long_string(outline: &TokenOutline<'_>, explanation: &mut DiagnosticExplanation) {
    let is_long = |token: &&Token<'_>| {
        let is_string = matches!(token.kind, TokenKind::String(_) | TokenKind::StringStart(_));
        let text = token.span.text(outline.text);
        is_string && text.starts_with(['\'', '"']) && text.contains('\n')
    };
    if let Some(string) = outline.before.iter().rev().take(NEAR).find(is_long) {
        let start = Span::new(string.span.start, string.span.start + 1);
        explanation.labels.push((start, "the string from here has several lines".to_owned()));
        explanation.help = Some("look for a quote that is missing".to_owned());
    }
}

/// Number of tokens before an error that are searched for its cause.
const NEAR: usize = 5;
