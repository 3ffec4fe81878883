//! Comments that are not written with `#`.

use super::super::finding::Fix;
use super::super::rule::Rule;
use super::{Style, replaced};
use puppetfn_base::source::Span;
use puppetfn_syntax::LexemeKind;

pub(super) fn check(style: &mut Style<'_, '_>) {
    let comments: Vec<Span> = style
        .lexemes
        .iter()
        .filter(|lexeme| lexeme.kind == LexemeKind::BlockComment)
        .map(|lexeme| lexeme.span)
        .collect();
    for span in comments {
        let fix = as_line_comments(style.text, span);
        style.report_with(Rule::StarComments, span, "The comment is not written with `#`", fix);
    }
}

/// Returns the change that writes a comment with `#`, if there is nothing else on its lines.
fn as_line_comments(text: &str, span: Span) -> Option<Fix> {
    let before = text.get(..span.start as usize)?.rsplit('\n').next()?;
    let behind = text.get(span.end as usize..)?.split('\n').next()?;
    let content = span.text(text).strip_prefix("/*")?.strip_suffix("*/")?;
    if !before.trim().is_empty() || !behind.trim().is_empty() {
        return None;
    }
    let mut lines: Vec<&str> =
        content.lines().map(|line| line.trim().trim_start_matches('*').trim_start()).collect();
    if lines.first().is_some_and(|first| first.is_empty()) && lines.len() > 1 {
        lines.remove(0);
    }
    if lines.last().is_some_and(|last| last.is_empty()) && lines.len() > 1 {
        lines.pop();
    }
    let lines: Vec<String> = lines.iter().map(|line| format!("# {line}").trim_end().to_owned()).collect();
    replaced(span, lines.join(&format!("\n{before}")))
}
