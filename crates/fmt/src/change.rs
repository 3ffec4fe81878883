//! Changes of a text by their kinds: single changes of spaces, line breaks, commas and quotes.

use std::ops::Range;

use super::edit;
use super::write::FormattedText;
use puppetfn_syntax::{Lexeme, LexemeKind};

/// A part of a text that is replaced, and why.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LayoutChange {
    /// The reason.
    pub kind: LayoutChangeKind,
    /// The bytes of the text.
    pub range: Range<usize>,
    /// The replacement.
    pub text: String,
}

/// The kinds of changes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LayoutChangeKind {
    /// White space at the end of a line.
    TrailingSpace,
    /// A tab before a token.
    Tab,
    /// The indentation of a line.
    Indentation,
    /// Empty lines.
    BlankLines,
    /// A line break that is missing, or one too many.
    LineBreak,
    /// The space before `=>`.
    ArrowAlignment,
    /// The space between tokens.
    Space,
    /// Space that puts names or values in columns.
    Columns,
    /// A comma at the end of a list, or another separator.
    Comma,
    /// Double quotes that say nothing.
    Quotes,
    /// An arrow between resources that is not on the line of its right operand.
    ChainArrow,
    /// The end of the last line.
    FinalNewline,
}

/// Returns the changes that make the formatted text of a text with these tokens and comments.
pub(super) fn between(text: &str, lexemes: &[Lexeme], formatted: &FormattedText) -> Vec<LayoutChange> {
    if formatted.text == text {
        return Vec::new();
    }
    TextComparison::new(text, lexemes, formatted).changes().unwrap_or_else(|| {
        // Tokens were moved.
        let edits = edit::between(text, formatted).into_iter();
        edits
            .map(|edit| LayoutChange {
                kind: LayoutChangeKind::LineBreak,
                range: edit.range,
                text: edit.text,
            })
            .collect()
    })
}

/// A text and its formatted text, token by token.
struct TextComparison<'s> {
    old: ComparedText<'s>,
    new: ComparedText<'s>,
    changes: Vec<LayoutChange>,
}

/// One of the texts, and how far it was compared.
struct ComparedText<'s> {
    text: &'s str,
    lexemes: &'s [Lexeme],
    /// The next lexeme.
    index: usize,
    /// The end of the previous one.
    end: usize,
}

impl<'s> ComparedText<'s> {
    fn new(text: &'s str, lexemes: &'s [Lexeme]) -> Self {
        Self { text, lexemes, index: 0, end: 0 }
    }

    fn next(&self) -> Option<Lexeme> {
        self.lexemes.get(self.index).copied()
    }

    fn written(&self, lexeme: Lexeme) -> &'s str {
        lexeme.span.text(self.text)
    }

    /// Returns the text between the previous lexeme and the next one.
    fn gap(&self) -> &'s str {
        let start = self.next().map_or(self.text.len(), |next| next.span.start as usize);
        self.text.get(self.end..start).unwrap_or_default()
    }

    fn pass(&mut self) {
        if let Some(next) = self.next() {
            self.end = next.span.end as usize;
            self.index += 1;
        }
    }
}

impl<'s> TextComparison<'s> {
    fn new(text: &'s str, lexemes: &'s [Lexeme], formatted: &'s FormattedText) -> Self {
        let new = ComparedText::new(&formatted.text, &formatted.lexemes);
        Self { old: ComparedText::new(text, lexemes), new, changes: Vec::new() }
    }

    /// Returns the changes; `None` if tokens were moved.
    fn changes(mut self) -> Option<Vec<LayoutChange>> {
        loop {
            let (old, new) = match (self.old.next(), self.new.next()) {
                (None, None) => break,
                (Some(old), None) => (Some(old), None),
                (None, Some(new)) => (None, Some(new)),
                (Some(old), Some(new)) => {
                    let (written, formatted) = (self.old.written(old), self.new.written(new));
                    let is_same = written == formatted
                        || old.kind == new.kind
                            && matches!(old.kind, LexemeKind::Text | LexemeKind::BlockComment);
                    if is_same {
                        self.same(old, new);
                        continue;
                    }
                    if self.arrow_behind_comments() {
                        continue;
                    }
                    let is_added = formatted == ",";
                    (Some(old).filter(|_| !is_added), Some(new).filter(|_| is_added))
                }
            };
            match (old, new) {
                (_, Some(new)) if self.new.written(new) == "," => {
                    self.separator(self.old.end..self.old.end, ",")
                }
                (Some(old), _) if matches!(self.old.written(old), "," | ";") => {
                    self.separator(old.span.start as usize..old.span.end as usize, "");
                }
                _ => return None,
            }
        }
        self.end();
        Some(self.changes)
    }

    fn change(&mut self, kind: LayoutChangeKind, range: Range<usize>, text: &str) {
        self.changes.push(LayoutChange { kind, range, text: text.to_owned() });
    }

    /// Adds or removes a separator, and goes on behind it.
    fn separator(&mut self, range: Range<usize>, text: &str) {
        let is_added = range.is_empty();
        self.change(LayoutChangeKind::Comma, range, text);
        if is_added { self.new.pass() } else { self.old.pass() }
    }

    /// Compares a token that both have, and the space before it.
    fn same(&mut self, old: Lexeme, new: Lexeme) {
        let (written, formatted) = (self.old.written(old), self.new.written(new));
        if !self.chain_arrow(written) {
            self.gap(old);
        }
        if written != formatted {
            let is_text = old.kind == LexemeKind::Text;
            let kind = if is_text { LayoutChangeKind::Quotes } else { LayoutChangeKind::TrailingSpace };
            self.change(kind, old.span.start as usize..old.span.end as usize, formatted);
        }
        self.old.pass();
        self.new.pass();
    }

    /// Takes a line break from behind an arrow to before it. Returns true if that is all that is to be said of the
    /// space before the arrow and behind it.
    fn chain_arrow(&mut self, written: &str) -> bool {
        let follows_arrow = self
            .changes
            .last()
            .is_some_and(|last| last.kind == LayoutChangeKind::ChainArrow && last.range.end > self.old.end);
        if follows_arrow {
            return true;
        }
        let is_moved = matches!(written, "->" | "~>" | "<-" | "<~")
            && !self.old.gap().contains('\n')
            && self.new.gap().contains('\n');
        let right = |side: &ComparedText<'_>| {
            side.lexemes.get(side.index + 1).filter(|next| !next.kind.is_comment()).copied()
        };
        let Some((old, new)) = right(&self.old).zip(right(&self.new)).filter(|_| is_moved) else {
            return false;
        };
        let range = self.old.end..old.span.start as usize;
        let (before, after) =
            (self.old.text.get(range.clone()), self.new.text.get(self.new.end..new.span.start as usize));
        match (before, after) {
            // Between, there may be the text of a heredoc.
            (Some(before), Some(after)) if before.trim() == written && after.trim() == written => {
                self.change(LayoutChangeKind::ChainArrow, range, after);
                true
            }
            _ => false,
        }
    }

    /// Takes an arrow behind the comments that follow it, and the comments with it. Returns false if the next token is none that
    /// was moved.
    fn arrow_behind_comments(&mut self) -> bool {
        let is_arrow = |side: &ComparedText<'_>, index: usize| {
            let lexeme = side.lexemes.get(index);
            lexeme.is_some_and(|lexeme| matches!(side.written(*lexeme), "->" | "~>" | "<-" | "<~"))
        };
        let (old, new) = (&self.old, &self.new);
        let comments = new.lexemes.get(new.index..).unwrap_or_default().iter();
        let count = comments.take_while(|comment| comment.kind.is_comment()).count();
        if count == 0 || !is_arrow(old, old.index) || !is_arrow(new, new.index + count) {
            return false;
        }
        let right = |side: &ComparedText<'_>| side.lexemes.get(side.index + count + 1).copied();
        let Some((before, after)) = right(old).zip(right(new)) else { return false };
        let Some(text) = new.text.get(new.end..after.span.start as usize) else { return false };
        self.change(LayoutChangeKind::ChainArrow, old.end..before.span.start as usize, text);
        for side in [&mut self.old, &mut self.new] {
            (0..=count).for_each(|_| side.pass());
        }
        // The space before the right operand is part of the change.
        (self.old.end, self.new.end) = (before.span.start as usize, after.span.start as usize);
        true
    }

    /// Compares the space before a token.
    fn gap(&mut self, token: Lexeme) {
        let (old, new, start) = (self.old.gap(), self.new.gap(), self.old.end);
        if old == new {
            return;
        }
        let range = start..start + old.len();
        match (old.contains('\n'), new.contains('\n')) {
            (true, true) => self.lines(old, new),
            (false, false) => {
                let is_arrow = matches!(self.old.written(token), "=>" | "+>");
                let is_column = token.kind == LexemeKind::Variable || self.old.written(token) == "=";
                let kind = match () {
                    () if old.contains('\t') => LayoutChangeKind::Tab,
                    () if is_arrow => LayoutChangeKind::ArrowAlignment,
                    () if old.len() > 1 && new == " " && is_column => LayoutChangeKind::Columns,
                    () => LayoutChangeKind::Space,
                };
                self.change(kind, range, new);
            }
            // Where a text begins, an empty line is no line break.
            _ if start == 0 => self.change(LayoutChangeKind::BlankLines, range, new),
            _ => self.change(LayoutChangeKind::LineBreak, range, new),
        }
    }

    /// Compares the lines between two tokens.
    fn lines(&mut self, old: &str, new: &str) {
        let mut at = self.old.end;
        let count = old.matches('\n').count();
        // Anything but white space is the text of a heredoc.
        let is_blank = old.trim().is_empty();
        for (index, line) in old.split('\n').enumerate() {
            let content = line.trim_end_matches('\r');
            if index == count {
                let indentation = new.rsplit('\n').next().unwrap_or_default();
                if line != indentation && line.trim().is_empty() {
                    let kind = if line.contains('\t') {
                        LayoutChangeKind::Tab
                    } else {
                        LayoutChangeKind::Indentation
                    };
                    self.change(kind, at..at + line.len(), indentation);
                }
            } else if !content.is_empty() && (is_blank || index == 0) && content.trim().is_empty() {
                self.change(LayoutChangeKind::TrailingSpace, at..at + content.len(), "");
            }
            at += line.len() + 1;
        }
        let breaks = |text: &str| text.find('\n').zip(text.rfind('\n').map(|last| last + 1));
        if let (true, Some((first, last)), Some((from, to))) = (is_blank, breaks(old), breaks(new))
            && count != new.matches('\n').count()
        {
            let range = self.old.end + first..self.old.end + last;
            self.change(LayoutChangeKind::BlankLines, range, new.get(from..to).unwrap_or_default());
        }
    }

    /// Compares the ends of the texts, after the last token.
    fn end(&mut self) {
        let (old, new) = (self.old.gap(), self.new.gap());
        // Behind a heredoc, its text is there.
        let content = old.trim_end().len();
        let (old, new) =
            (old.get(content..).unwrap_or_default(), new.get(new.trim_end().len()..).unwrap_or_default());
        let start = self.old.end + content;
        let spaces = old.find(['\r', '\n']).unwrap_or(old.len());
        let (space, rest) = old.split_at_checked(spaces).unwrap_or((old, ""));
        if !space.is_empty() {
            self.change(LayoutChangeKind::TrailingSpace, start..start + spaces, "");
        }
        if rest != new {
            self.change(LayoutChangeKind::FinalNewline, start + spaces..start + old.len(), new);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{changes, edit, format};
    use super::LayoutChangeKind::{self, *};

    /// Returns the kinds of the changes of a text, having made sure that all of them together format it.
    fn kinds(text: &str) -> Vec<LayoutChangeKind> {
        let changes = changes(text).unwrap();
        let edits: Vec<_> = changes
            .iter()
            .map(|change| edit::RangeEdit { range: change.range.clone(), text: change.text.clone() })
            .collect();
        let mut changed = edit::applied(text, &edits);
        // Changes that overlap are made one after the other.
        for _ in 0..3 {
            changed = format(&changed).unwrap();
        }
        assert_eq!(changed, format(text).unwrap(), "{text:?}");
        changes.into_iter().map(|change| change.kind).collect()
    }

    #[test]
    fn each_change_has_its_reason() {
        let cases: [(&str, &[LayoutChangeKind]); 18] = [
            ("$a = 1\n", &[]),
            ("$a = 1  \n", &[TrailingSpace]),
            ("$a = 1\n\n", &[FinalNewline]),
            ("$a = 1  \n$b = 2\n", &[TrailingSpace]),
            ("$a = 1", &[FinalNewline]),
            ("$a  = 1\n", &[Columns]),
            ("$a =  1\n", &[Space]),
            ("$a\t= 1\n", &[Tab]),
            ("if $a {\n   $b = 1\n}\n", &[Indentation]),
            ("if $a {\n\t$b = 1\n}\n", &[Tab]),
            ("$a = 1\n\n\n\n$b = 2\n", &[BlankLines]),
            ("$a = \"b\"\n", &[Quotes]),
            ("$a = {\n  b => 1,\n  c => 2\n}\n", &[Comma]),
            ("file { 'a':\n  ensure => file,\n  x => 1,\n}\n", &[ArrowAlignment]),
            ("File['a'] ->\nFile['b']\n", &[ChainArrow]),
            ("File['a'] -> # b\n# c\nFile['b']\n$d  = 1\n", &[ChainArrow, Columns]),
            ("$a = @(END)\n  b\n  | END\n$b =  1\n", &[Space]),
            ("$a = {\n  b => 1 # one\n}\n", &[Comma]),
        ];
        for (text, expected) in cases {
            assert_eq!(kinds(text), expected, "{text:?}");
        }
    }
}
