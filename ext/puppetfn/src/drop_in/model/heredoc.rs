//! Heredocs. Puppet parses their texts without the margins, and then moves all nodes that it found there.

use puppetfn::syntax::ast::{ExprKind, Heredoc};

use super::classes::ModelClass;
use super::{Builder, ModelNode, ModelPlace, ModelResult, VALUE};
use crate::ruby::decline::Reason;
use crate::ruby::raw::InstanceVariable;

variables! {
    SYNTAX = c"@syntax";
    TEXT_EXPR = c"@text_expr";
}

/// Positions in the text of a heredoc: in the whole text, and as seen by Puppet's parser, alone and without margins.
pub(super) struct Sublocator {
    start: u32,
    /// There is at least one.
    lines: Vec<HeredocLine>,
}

#[derive(Clone, Copy, Default)]
struct HeredocLine {
    /// Offset of its start in the whole text.
    start: u32,
    /// Length of its margin, in bytes.
    margin: u32,
    /// Offset of its start as Puppet's parser sees it.
    inner: u32,
    /// Number of margin characters on this line and the lines before.
    removed: u32,
}

impl Sublocator {
    fn new(text: &str, place: ModelPlace, margin: &str) -> Self {
        let content = text.get(place.offset as usize..place.end as usize).unwrap_or_default();
        let mut next = HeredocLine { start: place.offset, ..HeredocLine::default() };
        let mut lines = Vec::new();
        for line in content.split('\n') {
            let has_margin = line.starts_with(margin);
            next.margin = if has_margin { length(margin.len()) } else { 0 };
            next.removed += if has_margin { length(margin.chars().count()) } else { 0 };
            lines.push(next);
            let whole = length(line.len() + 1);
            next.start = next.start.saturating_add(whole);
            next.inner = next.inner.saturating_add(whole - next.margin);
        }
        Self { start: place.offset, lines }
    }

    /// Maps an offset in the whole text to the offset that Puppet's parser sees. All of a margin maps to the start of its line.
    fn inner(&self, at: u32) -> u32 {
        let line = self.last_line(|line| line.start <= at);
        line.inner.saturating_add(at.saturating_sub(line.start.saturating_add(line.margin)))
    }

    /// Maps an offset that Puppet's parser sees to the offset in the whole text.
    fn whole(&self, inner: u32) -> u32 {
        let line = self.seen_line(inner);
        line.start.saturating_add(line.margin).saturating_add(inner - line.inner)
    }

    /// Returns the line that Puppet's parser sees something on.
    fn seen_line(&self, inner: u32) -> HeredocLine {
        self.last_line(|line| line.inner <= inner)
    }

    fn last_line(&self, is_before: impl Fn(&HeredocLine) -> bool) -> HeredocLine {
        let behind = self.lines.partition_point(is_before);
        self.lines.get(behind.saturating_sub(1)).copied().unwrap_or_default()
    }

    /// Returns the place that Puppet reports for a place its parser saw: it adds the margins before the place, except
    /// at the start of the text. It adds as many bytes as the margins have characters.
    fn moved(&self, seen: ModelPlace) -> ModelPlace {
        let (first, last) = (self.seen_line(seen.offset).removed, self.seen_line(seen.end).removed);
        let margins = if seen.offset == 0 { 0 } else { first };
        let offset = seen.offset.saturating_add(self.start).saturating_add(margins);
        let length = seen.end.saturating_sub(seen.offset).saturating_add(last.saturating_sub(first));
        ModelPlace::new(offset, offset.saturating_add(length))
    }
}

/// No text is too long for this.
fn length(bytes: usize) -> u32 {
    u32::try_from(bytes).unwrap_or(u32::MAX)
}

impl<'s> Builder<'_, 's> {
    pub(super) fn heredoc(&mut self, heredoc: &Heredoc<'s>, place: ModelPlace) -> ModelResult<ModelNode> {
        let span = heredoc.text.span;
        let backslashes = span.text(self.text).bytes().rev().take_while(|byte| *byte == b'\\').count();
        // Puppet's lexer trips over heredocs in heredocs, and over a last backslash that escapes nothing.
        if self.heredoc.is_some() || backslashes % 2 == 1 {
            return Err(Reason::Syntax);
        }
        self.heredoc = Some(Sublocator::new(self.text, span.into(), heredoc.margin));
        let text = if span.start == span.end && !self.is_at(span.end, "\n") && !self.is_at(span.end, "\r\n") {
            // There is no line, not even one whose break is removed: no lines, joined.
            let value = self.ascii("")?;
            self.node(ModelClass::LiteralString, span.into(), &[(&VALUE, value)])?
        } else if let ExprKind::String(text) = &heredoc.text.kind {
            self.joined_literal(text, span.into())?
        } else {
            self.expr(&heredoc.text)?
        };
        self.heredoc = None;
        let syntax = self.string(heredoc.syntax.unwrap_or_default())?;
        self.node(ModelClass::HeredocExpression, place, &[(&SYNTAX, syntax), (&TEXT_EXPR, text.into())])
    }

    /// Returns the place that Puppet reports for a place in the whole text.
    pub(super) fn located(&self, place: ModelPlace) -> ModelPlace {
        match &self.heredoc {
            None => place,
            Some(heredoc) => {
                heredoc.moved(ModelPlace::new(heredoc.inner(place.offset), heredoc.inner(place.end)))
            }
        }
    }

    /// Returns a place of the same length with another start. Puppet sets the start, and then computes the end from the
    /// place's length.
    pub(super) fn moved_to(&self, place: ModelPlace, offset: u32) -> ModelPlace {
        match &self.heredoc {
            None => ModelPlace::new(offset, offset.saturating_add(place.end.saturating_sub(place.offset))),
            Some(heredoc) => {
                let length = heredoc.inner(place.end).saturating_sub(heredoc.inner(place.offset));
                ModelPlace::new(offset, heredoc.whole(heredoc.inner(offset).saturating_add(length)))
            }
        }
    }
}
