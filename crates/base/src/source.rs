//! Positions in source texts.

/// A part of a source text: byte offsets, the end exclusive.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Span {
    /// Offset of the start.
    pub start: u32,
    /// Offset of the end.
    pub end: u32,
}

impl Span {
    /// Returns the span from `start` up to `end`.
    pub fn new(start: u32, end: u32) -> Self {
        Self { start, end }
    }

    /// Returns the empty span at an offset.
    pub fn at(offset: u32) -> Self {
        Self { start: offset, end: offset }
    }

    /// Returns where a part of a text is that was borrowed from it.
    pub fn of_part(text: &str, part: &str) -> Option<Self> {
        let start = (part.as_ptr() as usize).checked_sub(text.as_ptr() as usize)?;
        let end = start.checked_add(part.len())?;
        // Another text may happen to follow this one in memory.
        (end <= text.len()).then(|| Self::new(start as u32, end as u32))
    }

    /// Returns the span from an offset to the end of its line, without the white space there.
    pub fn rest_of_line(text: &str, offset: u32) -> Self {
        let rest = text.get(offset as usize..).unwrap_or_default();
        let line = rest.lines().next().unwrap_or_default().trim_end();
        Self { start: offset, end: offset + line.len() as u32 }
    }

    /// Returns true if an offset is within the span or at its end.
    pub fn touches(self, offset: u32) -> bool {
        (self.start..=self.end).contains(&offset)
    }

    /// Returns the length in bytes.
    pub fn length(self) -> u32 {
        self.end.saturating_sub(self.start)
    }

    /// Returns the smallest span that has both.
    #[must_use]
    pub fn to(self, other: Self) -> Self {
        Self { start: self.start.min(other.start), end: self.end.max(other.end) }
    }

    /// Returns the span without the white space at its end.
    #[must_use]
    pub fn trimmed(self, text: &str) -> Self {
        let length = self.text(text).trim_end().len() as u32;
        Self { end: if self.length() == 0 { self.end } else { self.start + length }, ..self }
    }

    /// Returns the part of `text` that the span covers; an empty text if the span lies outside.
    pub fn text(self, text: &str) -> &str {
        text.get(self.start as usize..self.end as usize).unwrap_or_default()
    }
}

/// The starts of the lines of a text, to convert byte offsets to lines and columns.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LineIndex {
    starts: Vec<u32>,
}

impl LineIndex {
    /// Finds the lines of a text of less than 4 GB.
    pub fn new(text: &str) -> Self {
        let after_newlines = text.match_indices('\n').map(|(at, _)| at as u32 + 1);
        Self { starts: std::iter::once(0).chain(after_newlines).collect() }
    }

    /// Returns the offset of the start of each line.
    pub fn starts(&self) -> &[u32] {
        &self.starts
    }

    /// Returns the line of an offset, from 1.
    pub fn line(&self, offset: u32) -> u32 {
        self.starts.partition_point(|&start| start <= offset) as u32
    }

    /// Returns the line and the column of an offset in the text. Both count from 1, columns in characters.
    pub fn position(&self, text: &str, offset: u32) -> (u32, u32) {
        let line = self.starts.partition_point(|&start| start <= offset);
        let start = self.starts.get(line.saturating_sub(1)).copied().unwrap_or(0);
        let before = Span::new(start, offset).text(text);
        (line as u32, before.chars().count() as u32 + 1)
    }

    /// Returns the lines that a span is in, as a whole and without the last line break.
    pub fn whole(&self, text: &str, span: Span) -> Span {
        let line = |offset| self.starts.partition_point(|&start| start <= offset);
        let start = self.starts.get(line(span.start).saturating_sub(1)).copied().unwrap_or(0);
        let end = self.starts.get(line(span.end)).map_or(text.len() as u32, |next| next - 1);
        Span::new(start, end.max(span.end))
    }

    /// Returns the offset of a line and a column in the text, or of its end, if it does not reach as far.
    pub fn offset(&self, text: &str, line: u32, column: u32) -> u32 {
        let start = (line as usize).checked_sub(1).and_then(|line| self.starts.get(line)).copied();
        let start = start.map_or(text.len(), |start| start as usize);
        let mut rest = text.get(start..).unwrap_or_default().char_indices();
        let within = rest.nth((column as usize).saturating_sub(1)).map(|(at, _)| at);
        within.map_or(text.len(), |at| start + at) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_count_characters() {
        let text = "é\nab é x\n";
        let index = LineIndex::new(text);
        assert_eq!(index.position(text, 0), (1, 1));
        assert_eq!([0, 2, 3, 10].map(|offset| index.line(offset)), [1, 1, 2, 2]);
        assert_eq!(index.position(text, 2), (1, 2));
        assert_eq!(index.position(text, 3), (2, 1));
        assert_eq!(index.position(text, text.find('x').unwrap() as u32), (2, 6));
        assert_eq!(index.position(text, text.len() as u32), (3, 1));
        assert_eq!(index.whole(text, Span::new(4, 5)).text(text), "ab é x");
        assert_eq!(index.whole(text, Span::new(1, 4)).text(text), "é\nab é x");
        assert_eq!(index.offset(text, 2, 6) as usize, text.find('x').unwrap());
        assert_eq!(index.offset(text, 1, 2), 2);
        assert_eq!(
            (index.offset(text, 3, 1), index.offset(text, 9, 1)),
            (text.len() as u32, text.len() as u32)
        );
    }
}
