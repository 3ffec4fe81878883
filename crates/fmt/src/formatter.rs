//! Formatting with settings.

use std::ops::Range;

use super::change::{self, LayoutChange, LayoutChangeKind};
use super::edit::{self, RangeEdit};
use super::options::FormatOptions;
use super::typing;
use super::verify::{self, BYTE_ORDER_MARK};
use puppetfn_base::error::Error;
use puppetfn_base::limits::Limits;
use puppetfn_syntax::ast::Program;
use puppetfn_syntax::{Lexeme, Mode, lexemes};

impl FormatOptions {
    /// Returns a text in this layout.
    ///
    /// # Errors
    /// The same errors as [`format`](fn@super::format).
    pub fn format(&self, text: &str, limits: &Limits) -> Result<String, Error> {
        verify::formatted(text, self, limits).map(|formatted| formatted.text)
    }

    /// Returns the edits that format a text: changes of whole lines, in order and apart from each other.
    ///
    /// # Errors
    /// The same errors as [`format`](fn@super::format).
    pub fn edits(&self, text: &str, limits: &Limits) -> Result<Vec<RangeEdit>, Error> {
        let formatted = verify::formatted(text, self, limits)?;
        Ok(edit::between(text, &formatted))
    }

    /// Returns the edits that touch the lines of a range of bytes.
    ///
    /// # Errors
    /// The same errors as [`format`](fn@super::format).
    pub fn edits_within(
        &self,
        text: &str,
        range: Range<usize>,
        limits: &Limits,
    ) -> Result<Vec<RangeEdit>, Error> {
        let mut edits = self.edits(text, limits)?;
        let start = text.get(..range.start).and_then(|before| before.rfind('\n')).map_or(0, |end| end + 1);
        let end = text
            .get(range.end..)
            .and_then(|behind| behind.find('\n'))
            .map_or(text.len(), |at| range.end + at);
        edits.retain(|edit| edit.range.start <= end && edit.range.end > start);
        verify::same_program(text, &edit::applied(text, &edits), limits)?;
        Ok(edits)
    }

    /// Returns the changes that format a text, each of the space before one token or of one sign.
    ///
    /// # Errors
    /// The same errors as [`format`](fn@super::format).
    pub fn changes(&self, text: &str, limits: &Limits) -> Result<Vec<LayoutChange>, Error> {
        let formatted = verify::formatted(text, self, limits)?;
        let content = text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text);
        let lexemes: Vec<Lexeme> = lexemes(content, formatted.mode).collect::<Result<_, _>>()?;
        let mut changes = change::between(content, &lexemes, &formatted);
        let mark = text.len() - content.len();
        if mark > 0 {
            changes.iter_mut().for_each(|change| {
                change.range = change.range.start + mark..change.range.end + mark;
            });
            let kind = LayoutChangeKind::Space;
            changes.insert(0, LayoutChange { kind, range: 0..mark, text: String::new() });
        }
        Ok(changes)
    }

    /// Returns the changes that format a program with these tokens and comments, as [`changes`](Self::changes) does. That the program
    /// stays the same is not proven: whoever applies changes compares the programs.
    ///
    /// # Errors
    /// [`ErrorKind::Syntax`](puppetfn_base::error::ErrorKind::Syntax) if the text of a heredoc leaves no layout, and
    /// [`ErrorKind::Limit`](puppetfn_base::error::ErrorKind::Limit) if the text gets too long.
    pub fn changes_of(
        &self,
        program: &Program<'_>,
        mode: Mode,
        lexemes: &[Lexeme],
        limits: &Limits,
    ) -> Result<Vec<LayoutChange>, Error> {
        let formatted = verify::laid_out(program, mode, lexemes.iter().copied().map(Ok), self, limits)?;
        Ok(change::between(program.text, lexemes, &formatted))
    }

    /// Indents the line on which a character was just typed.
    ///
    /// # Errors
    /// The same errors as [`on_type`](fn@super::on_type).
    pub fn on_type(
        &self,
        text: &str,
        offset: usize,
        typed: char,
        limits: &Limits,
    ) -> Result<Vec<RangeEdit>, Error> {
        typing::indented(text, offset, typed, self.indent, limits)
    }
}
