//! Positions in the protocol's encodings.

use std::sync::Arc;

use lsp_types::{Position, Range, TextDocumentContentChangeEvent};
use puppetfn_base::source::{LineIndex, Span};

/// The unit in which columns are counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Encoding {
    Utf8,
    Utf16,
}

impl Encoding {
    fn length(self, c: char) -> usize {
        match self {
            Self::Utf8 => c.len_utf8(),
            Self::Utf16 => c.len_utf16(),
        }
    }
}

/// A text and the positions in it.
pub(crate) struct Positions {
    text: Arc<str>,
    lines: LineIndex,
    encoding: Encoding,
}

impl Positions {
    pub fn new(text: Arc<str>, encoding: Encoding) -> Self {
        let lines = LineIndex::new(&text);
        Self { text, lines, encoding }
    }

    /// Returns the offset of a position; a position after the end of its line means that end.
    pub fn offset(&self, position: Position) -> u32 {
        let starts = self.lines.starts();
        let Some(&start) = starts.get(position.line as usize) else { return self.text.len() as u32 };
        let next = starts.get(position.line as usize + 1);
        let line = Span::new(start, next.copied().unwrap_or(self.text.len() as u32)).text(&self.text);
        let line = line.strip_suffix("\r\n").or_else(|| line.strip_suffix('\n')).unwrap_or(line);
        let mut column = 0;
        let mut chars = line.char_indices();
        // A position within a character means its start.
        let found = chars.find(|(_, c)| {
            column += self.encoding.length(*c);
            column > position.character as usize
        });
        start + found.map_or(line.len(), |(at, _)| at) as u32
    }

    /// Returns the position of an offset.
    pub fn position(&self, offset: u32) -> Position {
        let offset = offset.min(self.text.len() as u32);
        let line = self.lines.starts().partition_point(|&start| start <= offset).saturating_sub(1);
        let start = self.lines.starts().get(line).copied().unwrap_or(0);
        let before = Span::new(start, offset).text(&self.text);
        let column: usize = before.chars().map(|c| self.encoding.length(c)).sum();
        Position::new(line as u32, column as u32)
    }

    pub fn range(&self, span: Span) -> Range {
        Range::new(self.position(span.start), self.position(span.end))
    }

    pub fn span(&self, range: Range) -> Span {
        let (start, end) = (self.offset(range.start), self.offset(range.end));
        Span::new(start.min(end), end.max(start))
    }

    /// Returns the parts of a span on each of its lines.
    pub fn by_line(&self, span: Span) -> Vec<Span> {
        let text = span.text(&self.text);
        let mut start = span.start;
        let parts = text.split_inclusive('\n').map(|line| {
            let part = Span::new(start, start + line.trim_end_matches(['\n', '\r']).len() as u32);
            start += line.len() as u32;
            part
        });
        parts.filter(|part| part.start < part.end).collect()
    }

    /// Returns the length of a span in the unit of columns.
    pub fn length(&self, span: Span) -> u32 {
        span.text(&self.text).chars().map(|c| self.encoding.length(c) as u32).sum()
    }
}

/// Returns a text after successive changes.
pub(crate) fn changed(
    text: &str,
    changes: Vec<TextDocumentContentChangeEvent>,
    encoding: Encoding,
) -> String {
    let mut text = text.to_owned();
    for change in changes {
        match change.range {
            None => text = change.text,
            Some(range) => {
                let span = Positions::new(text.as_str().into(), encoding).span(range);
                text.replace_range(span.start as usize..span.end as usize, &change.text);
            }
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use proptest::prelude::{Strategy, prop_assert_eq, proptest};

    use super::*;

    #[test]
    fn columns_are_counted_as_negotiated() {
        let text = "é😀x\r\nab\n";
        for (encoding, column) in [(Encoding::Utf8, 6), (Encoding::Utf16, 3)] {
            let positions = Positions::new(text.into(), encoding);
            assert_eq!(positions.position(6), Position::new(0, column));
            assert_eq!(positions.offset(Position::new(0, column)), 6);
            assert_eq!(positions.offset(Position::new(0, 99)), 7);
            assert_eq!(positions.offset(Position::new(1, 1)), 10);
            assert_eq!(positions.offset(Position::new(9, 0)), text.len() as u32);
        }
        let utf16 = Positions::new(text.into(), Encoding::Utf16);
        assert_eq!(utf16.offset(Position::new(0, 2)), 2);
    }

    #[test]
    fn every_offset_has_one_position() {
        let text = "a\n\né😀\r\nx";
        for encoding in [Encoding::Utf8, Encoding::Utf16] {
            let positions = Positions::new(text.into(), encoding);
            for (offset, c) in text.char_indices().filter(|(_, c)| !matches!(c, '\n' | '\r')) {
                assert_eq!(positions.offset(positions.position(offset as u32)), offset as u32, "{c:?}");
            }
        }
    }

    #[test]
    fn changes_build_on_each_other() {
        let change = |start: (u32, u32), end: (u32, u32), text: &str| TextDocumentContentChangeEvent {
            range: Some(Range::new(Position::new(start.0, start.1), Position::new(end.0, end.1))),
            range_length: None,
            text: text.into(),
        };
        let changes =
            vec![change((0, 1), (0, 1), "😀"), change((0, 3), (1, 0), "x"), change((0, 0), (0, 1), "")];
        assert_eq!(changed("a\nb", changes, Encoding::Utf16), "😀xb");
    }

    /// Returns the offset of a position by counting characters.
    fn counted(text: &str, position: Position, encoding: Encoding) -> usize {
        let (mut line, mut column) = (0, 0);
        for (at, c) in text.char_indices() {
            let is_end = text[at..].starts_with('\n') || text[at..].starts_with("\r\n");
            if line == position.line && (is_end || column + encoding.length(c) as u32 > position.character) {
                return at;
            }
            column += encoding.length(c) as u32;
            if c == '\n' {
                (line, column) = (line + 1, 0);
            }
        }
        text.len()
    }

    fn part() -> impl Strategy<Value = String> {
        proptest::collection::vec(
            proptest::sample::select(vec!["a", "é", "😀", "\n", "\r\n", " ", "\r"]),
            0..9,
        )
        .prop_map(|parts| parts.concat())
    }

    proptest! {
        #[test]
        fn changes_are_those_of_counting(
            text in part(),
            changes in proptest::collection::vec((0_u32..5, 0_u32..9, 0_u32..5, 0_u32..9, part()), 0..5),
            encoding in proptest::sample::select(vec![Encoding::Utf8, Encoding::Utf16]),
        ) {
            let mut expected = text.clone();
            let mut events = Vec::new();
            for (line, column, last, end, text) in changes {
                let (from, to) = (Position::new(line, column), Position::new(last, end));
                let (start, end) = (counted(&expected, from, encoding), counted(&expected, to, encoding));
                expected.replace_range(start.min(end)..end.max(start), &text);
                let range = Some(Range::new(from, to));
                events.push(TextDocumentContentChangeEvent { range, range_length: None, text });
            }
            prop_assert_eq!(changed(&text, events, encoding), expected);
        }
    }
}
