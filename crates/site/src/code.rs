//! Highlighted code. Puppet code is tokenized by this project's lexer.
#![allow(clippy::wildcard_enum_match_arm, reason = "few lexemes matter here")]

use maud::{Markup, html};

use super::names::{NameUse, PageLinks};
use puppetfn_base::source::Span;
use puppetfn_syntax::{Lexeme, LexemeKind, Mode, lexemes};

/// A highlighted part of a text.
struct MarkedPart {
    span: Span,
    class: &'static str,
    href: Option<String>,
}

/// Returns Puppet code with highlighting and linked names. The text after a lexical error is left as it is.
pub(crate) fn puppet(text: &str, links: &PageLinks<'_>) -> Markup {
    let mode = Mode { tasks: true, ..Mode::default() };
    let found: Vec<Lexeme> = lexemes(text, mode).map_while(Result::ok).collect();
    let mut parts = Vec::new();
    for (at, lexeme) in found.iter().enumerate() {
        let word_at = |place: Option<usize>| {
            place.and_then(|place| found.get(place)).map(|found| found.span.text(text))
        };
        let next = word_at(at.checked_add(1));
        let before = word_at(at.checked_sub(1));
        let word = lexeme.span.text(text);
        let href = match lexeme.kind {
            LexemeKind::Name => use_of(word, before, next).and_then(|used| links.to(word, used)),
            LexemeKind::Text if is_class(before, word_at(at.checked_sub(2)), next) => {
                links.to(word.trim_matches(['\'', '"']), NameUse::Class)
            }
            _ => None,
        };
        let class = class_of(lexeme.kind, word, next).or(href.is_some().then_some("f"));
        parts.extend(class.map(|class| MarkedPart { span: lexeme.span, class, href }));
        parts.extend(lexeme.below.map(|span| MarkedPart { span, class: "s", href: None }));
    }
    parts.sort_by_key(|part| part.span.start);
    marked(text, &parts)
}

/// Returns the class of a lexeme, if it has one.
fn class_of(kind: LexemeKind, word: &str, next: Option<&str>) -> Option<&'static str> {
    match kind {
        LexemeKind::Keyword => Some("k"),
        LexemeKind::Variable => Some("v"),
        LexemeKind::Number => Some("n"),
        LexemeKind::Text | LexemeKind::Interpolation | LexemeKind::Heredoc => Some("s"),
        LexemeKind::Regexp => Some("r"),
        LexemeKind::Comment | LexemeKind::BlockComment => Some("c"),
        LexemeKind::Operator if matches!(word, "and" | "or" | "in") => Some("k"),
        LexemeKind::Name if is_type(word) => Some("t"),
        LexemeKind::Name if matches!(next, Some("(" | "{")) => Some("f"),
        LexemeKind::Name if matches!(word, "true" | "false" | "undef" | "default") => Some("k"),
        LexemeKind::Name if word.contains("::") => Some("f"),
        LexemeKind::Name | LexemeKind::Operator | LexemeKind::Sign => None,
    }
}

fn is_type(word: &str) -> bool {
    word.trim_start_matches(':').starts_with(|c: char| c.is_ascii_uppercase())
}

/// Returns the use of a name, by the neighbouring tokens.
fn use_of(word: &str, before: Option<&str>, next: Option<&str>) -> Option<NameUse> {
    match (before, next) {
        _ if is_type(word) => Some(NameUse::Any),
        (Some("include" | "contain" | "require" | "inherits" | "class"), _) => Some(NameUse::Class),
        (Some("."), _) | (_, Some("(")) => Some(NameUse::Call),
        // An attribute, not a resource.
        (_, Some("=>")) => None,
        (_, Some("{")) => Some(NameUse::Resource),
        _ => word.contains("::").then_some(NameUse::Any),
    }
}

/// Returns true if a string is the name of a class: `class { 'a':` or `include 'a'`.
fn is_class(before: Option<&str>, second: Option<&str>, next: Option<&str>) -> bool {
    match before {
        Some("{") => second == Some("class") && next == Some(":"),
        Some(word) => matches!(word, "include" | "contain" | "require"),
        None => false,
    }
}

fn marked(text: &str, parts: &[MarkedPart]) -> Markup {
    let mut pieces: Vec<(&str, Option<&MarkedPart>)> = Vec::new();
    let mut end = 0;
    for part in parts.iter().filter(|part| part.span.start < part.span.end) {
        // A heredoc's text may contain lexemes that were already output.
        if part.span.start >= end {
            pieces.push((Span::new(end, part.span.start).text(text), None));
            pieces.push((part.span.text(text), Some(part)));
            end = part.span.end;
        }
    }
    pieces.push((text.get(end as usize..).unwrap_or_default(), None));
    html! {
        @for (text, part) in pieces {
            @match part {
                None => (text),
                Some(MarkedPart { class, href: Some(href), .. }) => a class=(class) href=(href) { (text) },
                Some(MarkedPart { class, .. }) => span class=(class) { (text) },
            }
        }
    }
}

/// Returns a Ruby text with its comments highlighted.
pub(crate) fn ruby(text: &str) -> Markup {
    html! {
        @for line in text.split_inclusive('\n') {
            @if line.trim_start().starts_with('#') { span.c { (line) } } @else { (line) }
        }
    }
}

/// The language of a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum CodeLanguage {
    Puppet,
    Ruby,
    Other,
}

impl CodeLanguage {
    /// Returns the language of a file.
    pub fn of_file(file: &str) -> Self {
        match file.rsplit_once('.').map(|(_, extension)| extension) {
            Some("pp") => Self::Puppet,
            Some("rb") => Self::Ruby,
            _ => Self::Other,
        }
    }

    /// Returns a text with highlighting.
    pub fn mark(self, text: &str, links: &PageLinks<'_>) -> Markup {
        match self {
            Self::Puppet => puppet(text, links),
            Self::Ruby => ruby(text),
            Self::Other => html! { (text) },
        }
    }
}

/// Returns a block of code that can be scrolled with the keyboard.
pub(crate) fn block(code: &Markup) -> Markup {
    html! { pre tabindex="0" { code { (code) } } }
}

/// Returns a text with line numbers.
pub(crate) fn numbered(code: &Markup, lines: usize, first: u32) -> Markup {
    let numbers: Vec<String> = (first..).take(lines).map(|number| number.to_string()).collect();
    html! {
        div.numbered {
            pre.numbers aria-hidden="true" { (numbers.join("\n")) }
            (block(code))
        }
    }
}

/// The maximum length of a line of code.
const LINE: usize = 80;

/// Returns a signature with each parameter on a line of its own, where one line would be too long.
pub(crate) fn folded(signature: &str) -> String {
    let Some((name, rest)) = signature.split_once('(').filter(|_| signature.chars().count() > LINE) else {
        return signature.to_owned();
    };
    let mut lines = format!("{name}(\n  ");
    let (mut depth, mut quote) = (0u32, None);
    for (at, c) in rest.char_indices() {
        let is_last = at.saturating_add(1) == rest.len();
        match (quote, c) {
            (Some(end), _) if c == end => quote = None,
            (Some(_), _) => {}
            (None, '\'' | '"') => quote = Some(c),
            (None, '[' | '(' | '{') => depth = depth.saturating_add(1),
            (None, ')') if is_last => {
                lines.push_str("\n)");
                return lines;
            }
            (None, ']' | ')' | '}') => depth = depth.saturating_sub(1),
            (None, ',') if depth == 0 => {
                lines.push_str(",\n ");
                continue;
            }
            (None, _) => {}
        }
        lines.push(c);
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::super::names::PageNames;
    use super::*;

    fn shown(text: &str) -> String {
        puppet(text, &PageLinks { names: &PageNames::of(&[]), from: "index.html", own: &[] }).into_string()
    }

    #[test]
    fn parts_of_code_are_marked() {
        assert_eq!(
            shown("$a = f('<') # &"),
            r#"<span class="v">$a</span> = <span class="f">f</span>(<span class="s">'&lt;'</span>) <span class="c"># &amp;</span>"#
        );
        assert_eq!(
            shown("$a = @(E)\n <x>\n E\nif"),
            "<span class=\"v\">$a</span> = <span class=\"s\">@(E)</span>\n<span class=\"s\"> &lt;x&gt;\n E\n</span><span class=\"k\">if</span>"
        );
        assert_eq!(shown("if '<"), "<span class=\"k\">if</span> '&lt;");
    }

    #[test]
    fn long_signatures_have_a_line_for_each_parameter() {
        assert_eq!(folded("f(Any $a, Any $b)"), "f(Any $a, Any $b)");
        let long = format!("f(Enum['a,', \")\"] $a, Struct[{{a => {}}}] $b)", "x".repeat(80));
        assert_eq!(
            folded(&long),
            format!("f(\n  Enum['a,', \")\"] $a,\n  Struct[{{a => {}}}] $b\n)", "x".repeat(80))
        );
    }
}
