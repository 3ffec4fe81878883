//! Layout: the changes that the formatter would make.

use super::super::finding::Fix;
use super::super::rule::Rule;
use super::Style;
use puppetfn_base::source::Span;
use puppetfn_fmt::{LayoutChange, LayoutChangeKind};

/// The rules about the changes that the formatter makes.
const RULES: [Rule; 12] = [
    Rule::TrailingWhitespace,
    Rule::HardTabs,
    Rule::Indentation,
    Rule::BlankLines,
    Rule::LineBreaks,
    Rule::ArrowAlignment,
    Rule::Spacing,
    Rule::Columns,
    Rule::TrailingComma,
    Rule::DoubleQuotedStrings,
    Rule::ArrowOnRightOperandLine,
    Rule::TrailingNewline,
];

pub(super) fn check(style: &mut Style<'_, '_>) {
    if !RULES.into_iter().any(|rule| style.selection().has(rule)) {
        return;
    }
    let breaks_lines = style.selection().has(Rule::LineBreaks);
    let (layout, limits) = (style.selection().layout(), style.world.limits());
    let found = match style.tree.error() {
        None => layout.changes_of(style.program, style.tree.mode(), &style.lexemes, limits),
        // A byte order mark is an error, and a change.
        Some(_) => layout.changes(style.text, limits),
    };
    for LayoutChange { kind, range, text } in found.unwrap_or_default() {
        // The formatter puts the closing bracket on a line of its own, where the comma belongs.
        let is_added_comma = kind == LayoutChangeKind::Comma && !text.is_empty();
        if is_added_comma && !breaks_lines && !ends_line(style.text, range.end) {
            continue;
        }
        let (rule, message) = described(kind, &text);
        let span = Span::new(range.start as u32, range.end as u32);
        style.report_with(rule, span, message, Some(Fix { span, text }));
    }
}

/// Returns true if only blanks or a comment are left on the line.
fn ends_line(text: &str, offset: usize) -> bool {
    let rest = text.get(offset..).unwrap_or_default().trim_start_matches([' ', '\t']);
    rest.is_empty() || rest.starts_with(['\n', '\r', '#'])
}

/// Returns the rule that reports a change, and its message.
fn described(kind: LayoutChangeKind, text: &str) -> (Rule, &'static str) {
    match kind {
        LayoutChangeKind::TrailingSpace => {
            (Rule::TrailingWhitespace, "There is white space at the end of the line")
        }
        LayoutChangeKind::Tab => (Rule::HardTabs, "There is a tab"),
        LayoutChangeKind::Indentation => {
            (Rule::Indentation, "The line is not indented as far as its block is")
        }
        LayoutChangeKind::BlankLines => (Rule::BlankLines, "There are more empty lines than one"),
        LayoutChangeKind::LineBreak if text.contains('\n') => (Rule::LineBreaks, "A line break is missing"),
        LayoutChangeKind::LineBreak => (Rule::LineBreaks, "The line is broken where it need not be"),
        LayoutChangeKind::ArrowAlignment => {
            (Rule::ArrowAlignment, "The arrow is not aligned with the others")
        }
        LayoutChangeKind::Space => (Rule::Spacing, "There is too much space here, or too little"),
        LayoutChangeKind::Columns => (Rule::Columns, "Space puts this in a column"),
        LayoutChangeKind::Comma if text.is_empty() => {
            (Rule::TrailingComma, "The separator separates nothing")
        }
        LayoutChangeKind::Comma => (Rule::TrailingComma, "The last element has no comma"),
        LayoutChangeKind::Quotes => {
            (Rule::DoubleQuotedStrings, "The string has double quotes and no variables")
        }
        LayoutChangeKind::ChainArrow => {
            (Rule::ArrowOnRightOperandLine, "The arrow is not on the line of its right operand")
        }
        LayoutChangeKind::FinalNewline => {
            (Rule::TrailingNewline, "The text does not end with one line break")
        }
    }
}
