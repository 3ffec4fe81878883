//! Syntax trees that own their text, so that definitions can outlive the parse.

use std::fmt;
use std::sync::{Arc, OnceLock};

use self_cell::self_cell;

use super::ast::Program;
use super::parser::parse_unfinished;
use super::{Mode, parse_with};
use puppetfn_base::diagnostic::Diagnostic;
use puppetfn_base::error::{Error, SourceLocation};
use puppetfn_base::limits::Limits;
use puppetfn_base::source::LineIndex;

self_cell!(
    struct ParsedTree {
        owner: Arc<str>,
        #[covariant]
        dependent: Program,
    }
);

/// A text and its syntax tree. Definitions that are used after the code around them has been evaluated share it, so
/// that a text is parsed once.
pub struct Tree {
    parsed: ParsedTree,
    file: Option<Arc<str>>,
    mode: Mode,
    error: Option<Diagnostic>,
    lines: OnceLock<LineIndex>,
}

impl Tree {
    /// Parses a text, of a file if it is from one.
    ///
    /// # Errors
    /// The same errors as [`parse_with`], without the file.
    pub fn parse(
        text: impl Into<Arc<str>>,
        file: Option<Arc<str>>,
        mode: Mode,
        limits: &Limits,
    ) -> Result<Arc<Self>, Error> {
        let parsed = ParsedTree::try_new(text.into(), |text| parse_with(text, mode, limits))?;
        Ok(Arc::new(Self { parsed, file, mode, error: None, lines: OnceLock::new() }))
    }

    /// Parses a text that somebody may still be writing, as far as it can be understood. Text that is not Puppet
    /// becomes [`ExprKind::Error`](crate::ast::ExprKind::Error); [`Tree::error`] is the error of [`Tree::parse`].
    ///
    /// ```
    /// use puppetfn::limits::Limits;
    /// use puppetfn::syntax::{Mode, Tree};
    ///
    /// let tree = Tree::recover("class a { $x = }\nclass b { }", None, Mode::default(), &Limits::DEFAULT);
    /// assert_eq!(tree.program().statements.len(), 2);
    /// assert_eq!(tree.error().map(|error| &*error.message), Some("Syntax error at '}'"));
    /// ```
    pub fn recover(
        text: impl Into<Arc<str>>,
        file: Option<Arc<str>>,
        mode: Mode,
        limits: &Limits,
    ) -> Arc<Self> {
        let mut error = None;
        let parsed = ParsedTree::new(text.into(), |text| {
            let (program, found) = parse_unfinished(text, mode, limits);
            error = found;
            program
        });
        Arc::new(Self { parsed, file, mode, error, lines: OnceLock::new() })
    }

    /// Returns how the text was read.
    pub fn mode(&self) -> Mode {
        self.mode
    }

    /// Returns the first syntax error, if any. The tree then has the code that could be parsed.
    pub fn error(&self) -> Option<&Diagnostic> {
        self.error.as_ref()
    }

    /// Returns the lines of the text.
    pub fn lines(&self) -> &LineIndex {
        self.lines.get_or_init(|| LineIndex::new(self.text()))
    }

    /// Returns the text.
    pub fn text(&self) -> &Arc<str> {
        self.parsed.borrow_owner()
    }

    /// Returns the file of the text, if it has one.
    pub fn file(&self) -> Option<&Arc<str>> {
        self.file.as_ref()
    }

    /// Returns the position at a byte offset of the text.
    pub fn place(&self, offset: u32) -> SourceLocation {
        let (line, column) = self.lines().position(self.text(), offset);
        SourceLocation { file: self.file.clone(), line: Some(line), column: Some(column) }
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
