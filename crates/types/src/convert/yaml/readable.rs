//! Texts that libyaml reads and its port in Rust panics at: tags that a comma ends, as in `[!, 1]`, and block scalars in
//! a last line that no line break ends.

use std::borrow::Cow;

use libyaml_safer::{Encoding, Mark, Scanner, Token, TokenData};

/// The characters that begin another line.
const BREAKS: [char; 5] = ['\r', '\n', '\u{85}', '\u{2028}', '\u{2029}'];

/// The line break that is added at the end of a text. In a block scalar, no other line break is kept as it is, so this one
/// can be recognized.
const END: char = '\u{2028}';

/// A text that the parser reads as libyaml does the original: a space follows each tag that a comma ends, and a line break
/// the last line.
pub(super) struct ReadableText<'t> {
    text: Cow<'t, str>,
    /// The sorted positions of the added spaces.
    spaces: Vec<usize>,
    /// Whether the original has no line break at its end.
    is_ended: bool,
}

/// A comma that may end a tag.
struct CommaCandidate {
    /// The start of the potential tag, or an earlier position.
    start: usize,
    comma: usize,
}

impl<'t> ReadableText<'t> {
    pub fn new(text: &'t str) -> Self {
        let is_ended = !text.is_empty() && !text.ends_with(BREAKS);
        let text: Cow<'t, str> = if is_ended { format!("{text}{END}").into() } else { text.into() };
        let candidates = candidates(&text);
        if candidates.is_empty() {
            return Self { text, spaces: Vec::new(), is_ended };
        }
        // Only the scanner can tell whether a comma is in a string or a comment. Extra spaces within these make no
        // difference to it.
        let (tags, known) = tags(&with_spaces(&text, candidates.iter(), ColonHandling::Blank).0);
        let is_tag = |(before, candidate): &(usize, &CommaCandidate)| {
            let [start, comma] = [candidate.start, candidate.comma].map(|at| at.saturating_add(*before));
            let tags_before = |at: usize| tags.partition_point(|tag| *tag < at);
            comma > known || tags_before(start) < tags_before(comma)
        };
        let real = (0..).zip(&candidates).filter(is_tag).map(|(_, candidate)| candidate);
        let (text, spaces) = with_spaces(&text, real, ColonHandling::Kept);
        Self { text: text.into(), spaces, is_ended }
    }

    pub fn as_bytes(&self) -> &[u8] {
        self.text.as_bytes()
    }

    /// Returns a scalar that ends at a position, as in the original.
    pub fn scalar(&self, mut value: String, end: Mark) -> String {
        let is_last = || usize::try_from(end.index).is_ok_and(|end| end >= self.text.len());
        if self.is_ended && value.ends_with(END) && is_last() {
            value.pop();
        }
        value
    }

    /// Returns true if a scalar in double quotes begins at a place and the original ends with an escape that is not complete.
    pub fn ends_in_escape(&self, start: Mark) -> bool {
        let is_quoted =
            || usize::try_from(start.index).is_ok_and(|start| self.text.as_bytes().get(start) == Some(&b'"'));
        let before = self.text.trim_end_matches(END).trim_end_matches('\\').len();
        let after = self.text.len().saturating_sub(END.len_utf8()).saturating_sub(before);
        self.is_ended && after % 2 == 1 && is_quoted()
    }

    /// Returns the line and column of a place in the original, both from 1.
    pub fn position(&self, mark: Mark) -> (u64, u64) {
        let index = usize::try_from(mark.index).unwrap_or(usize::MAX);
        let line = self.text.get(..index).and_then(|before| before.rfind(BREAKS)).unwrap_or(0);
        let before = |index: usize| self.spaces.partition_point(|space| *space < index);
        let on_line = u64::try_from(before(index).saturating_sub(before(line))).unwrap_or(u64::MAX);
        (mark.line.saturating_add(1), mark.column.saturating_sub(on_line).saturating_add(1))
    }
}

/// Returns the commas that end potential tags.
fn candidates(text: &str) -> Vec<CommaCandidate> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(next) = text.get(at..).and_then(|rest| rest.find('!')) {
        let start = at.saturating_add(next);
        let rest = text.get(start..).unwrap_or_default();
        let word = rest.find(char::is_whitespace).and_then(|end| rest.get(..end)).unwrap_or(rest);
        let verbatim = if word.starts_with("!<") { word.find('>').unwrap_or(0) } else { 0 };
        let comma = word.get(verbatim..).and_then(|rest| rest.find(','));
        at = match comma {
            Some(comma) => start.saturating_add(verbatim).saturating_add(comma),
            None => start.saturating_add(word.len()),
        };
        found.extend(comma.map(|_| CommaCandidate { start, comma: at }));
    }
    found
}

/// Treatment of the colons before a comma when a space is added after it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ColonHandling {
    Kept,
    /// Colons become blanks: outside of a tag, a colon before a space would end a key.
    Blank,
}

/// Returns a text with spaces before some commas, and where these are in it.
fn with_spaces<'c>(
    text: &str,
    before: impl Iterator<Item = &'c CommaCandidate>,
    colons: ColonHandling,
) -> (String, Vec<usize>) {
    let mut spaced = String::with_capacity(text.len());
    let mut spaces = Vec::new();
    let mut at = 0;
    for candidate in before {
        spaced.push_str(text.get(at..candidate.comma).unwrap_or_default());
        if colons == ColonHandling::Blank {
            let kept = spaced.trim_end_matches(':').len();
            let blank = spaced.len().saturating_sub(kept);
            spaced.truncate(kept);
            spaced.extend(std::iter::repeat_n(' ', blank));
        }
        spaces.push(spaced.len());
        spaced.push(' ');
        at = candidate.comma;
    }
    spaced.push_str(text.get(at..).unwrap_or_default());
    (spaced, spaces)
}

/// Returns the start positions of tags within brackets, and the position up to which they are complete: at an error, the
/// scanner drops its lookahead. Outside brackets, a comma does not end a tag.
fn tags(text: &str) -> (Vec<usize>, usize) {
    let mut input = text.as_bytes();
    let mut scanner = Scanner::new();
    scanner.set_encoding(Encoding::Utf8);
    scanner.set_input(&mut input);
    let (mut open, mut known) = (0_usize, 0);
    let mut found = Vec::new();
    for token in scanner {
        let Ok(Token { data, start_mark, .. }) = token else { return (found, known) };
        known = usize::try_from(start_mark.index).unwrap_or(usize::MAX);
        if matches!(data, TokenData::FlowSequenceStart | TokenData::FlowMappingStart) {
            open = open.saturating_add(1);
        } else if matches!(data, TokenData::FlowSequenceEnd | TokenData::FlowMappingEnd) {
            open = open.saturating_sub(1);
        } else if open > 0 && matches!(data, TokenData::Tag { .. }) {
            found.push(known);
        }
    }
    (found, usize::MAX)
}
