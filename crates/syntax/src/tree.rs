//! Syntax trees that own their text, for what keeps parts of them.

use std::fmt;
use std::sync::{Arc, OnceLock};

use self_cell::self_cell;

use super::ast::Program;
use super::{Mode, parse_with};
use puppetfn_base::error::{Error, Place};
use puppetfn_base::limits::Limits;
use puppetfn_base::source::LineIndex;

self_cell!(
    struct Parsed {
        owner: Arc<str>,
        #[covariant]
        dependent: Program,
    }
);

/// A text and its syntax tree. Definitions that are used after the code around them has been evaluated share it, so
/// that a text is parsed once.
pub struct Tree {
    parsed: Parsed,
    file: Option<Arc<str>>,
    lines: OnceLock<LineIndex>,
}

impl Tree {
    /// Parses a text, of a file if it is from one.
    ///
    /// # Errors
    /// As [`parse_with`], without the file.
    pub fn parse(
        text: impl Into<Arc<str>>,
        file: Option<Arc<str>>,
        mode: Mode,
        limits: &Limits,
    ) -> Result<Arc<Self>, Error> {
        let parsed = Parsed::try_new(text.into(), |text| parse_with(text, mode, limits))?;
        Ok(Arc::new(Self { parsed, file, lines: OnceLock::new() }))
    }

    /// Returns the text.
    pub fn text(&self) -> &Arc<str> {
        self.parsed.borrow_owner()
    }

    /// Returns the file that the text is from, if it is from one.
    pub fn file(&self) -> Option<&Arc<str>> {
        self.file.as_ref()
    }

    /// Returns the position at a byte offset of the text.
    pub fn place(&self, offset: u32) -> Place {
        let lines = self.lines.get_or_init(|| LineIndex::new(self.text()));
        let (line, column) = lines.position(self.text(), offset);
        Place { file: self.file.clone(), line: Some(line), column: Some(column) }
    }

    /// Returns the syntax tree.
    pub fn program(&self) -> &Program<'_> {
        self.parsed.borrow_dependent()
    }
}

impl fmt::Debug for Tree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tree").field("file", &self.file).finish_non_exhaustive()
    }
}
