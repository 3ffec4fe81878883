//! The length of lines, and empty ones.

use super::super::rule::Rule;
use super::{Style, replaced};
use puppetfn_base::source::Span;
use puppetfn_syntax::{Lexeme, LexemeKind};

pub(super) fn check(style: &mut Style<'_, '_>) {
    lengths(style);
    padding(style);
}

fn lengths(style: &mut Style<'_, '_>) {
    for (rule, width) in [(Rule::LineLength, 140), (Rule::LineLength80, 80)] {
        if !style.selection().has(rule) {
            continue;
        }
        let mut start = 0;
        for line in style.text.split_inclusive('\n') {
            let content = line.trim_end_matches(['\n', '\r']);
            let end = content.char_indices().nth(width).map(|(end, _)| end);
            // These cannot be broken.
            let is_whole = content.contains("://") || content.contains("template(");
            if let Some(end) = end.filter(|_| !is_whole) {
                let span = Span::new(start + end as u32, start + content.len() as u32);
                style.report(rule, span, format!("The line has more than {width} characters"));
            }
            start += line.len() as u32;
        }
    }
}

/// Reports empty lines at the start or end of blocks, hashes and arrays.
fn padding(style: &mut Style<'_, '_>) {
    if !style.selection().has(Rule::PaddedBlocks) {
        return;
    }
    let pairs = style.lexemes.windows(2);
    let padded: Vec<Span> = pairs.filter_map(|pair| empty_lines(style.text, pair)).collect();
    for span in padded {
        let message = "An empty line begins or ends a block";
        style.report_with(Rule::PaddedBlocks, span, message, replaced(span, ""));
    }
}

/// Returns the empty lines between two tokens of which one is a bracket around the other.
fn empty_lines(text: &str, pair: &[Lexeme]) -> Option<Span> {
    let [before, next] = pair else { return None };
    let is_sign = |lexeme: &Lexeme, signs: [&str; 2]| {
        lexeme.kind == LexemeKind::Sign && signs.contains(&lexeme.span.text(text))
    };
    if next.breaks < 2 || !is_sign(before, ["{", "["]) && !is_sign(next, ["}", "]"]) {
        return None;
    }
    let between = Span::new(before.span.end, next.span.start);
    // The text of a heredoc may be there.
    let space = Some(between.text(text)).filter(|space| space.trim().is_empty())?;
    let offset = |line_end: usize| between.start + line_end as u32 + 1;
    Some(Span::new(offset(space.find('\n')?), offset(space.rfind('\n')?)))
}
