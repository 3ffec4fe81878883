//! Parses Ruby files.

use std::cell::OnceCell;
use std::fmt;
use std::rc::Rc;

use puppetfn_base::error::{Error, ErrorKind};
use ruby_prism::ParseResult;

use crate::convert;
use crate::source::RubyText;
use crate::tree::RubyNode;

/// Parses a text to its statements.
pub(crate) fn parse(path: &str, text: &str) -> Result<(Rc<RubyText>, Vec<RubyNode>), Error> {
    converted(path, text, &ruby_prism::parse(text.as_bytes()))
}

/// Returns the statements of a text that Prism has parsed.
fn converted(
    path: &str,
    text: &str,
    parsed: &ParseResult<'_>,
) -> Result<(Rc<RubyText>, Vec<RubyNode>), Error> {
    if let Some(error) = parsed.errors().find(|error| error.message() != b"dynamic constant assignment") {
        let message = String::from_utf8_lossy(error.message()).into_owned();
        return Err(failure(format!("{path}:{}: syntax error: {message}", error.location().start_line())));
    }
    let statements = convert::statements(parsed, text)
        .ok_or_else(|| failure(format!("{path}: nested too deep to be read")))?;
    let code = statements.first().map_or(text.len(), |first| first.start);
    Ok((Rc::new(RubyText::new(path, text, parsed, code)), statements))
}

/// Messages of errors that only a whole program has: code of a template, or of a method that is defined from a text, may be
/// evaluated elsewhere.
const OF_PLACE: [&[u8]; 2] = [b"dynamic constant assignment", b"Invalid "];

/// Code in Ruby that was parsed once, for its syntax error and its failures.
pub struct RubyCode<'t> {
    text: &'t str,
    parsed: ParseResult<'t>,
    /// The statements, once they were asked for; `None` if the code cannot be read.
    statements: OnceCell<Option<(Rc<RubyText>, Vec<RubyNode>)>>,
}

impl<'t> RubyCode<'t> {
    /// Parses a text.
    #[must_use]
    pub fn parse(text: &'t str) -> Self {
        Self { text, parsed: ruby_prism::parse(text.as_bytes()), statements: OnceCell::new() }
    }

    /// Returns the first syntax error: its line, counted from 1, and its message.
    #[must_use]
    pub fn syntax_error(&self) -> Option<(u32, String)> {
        let is_of_place = |message: &[u8]| OF_PLACE.iter().any(|start| message.starts_with(start));
        let error = self.parsed.errors().find(|error| !is_of_place(error.message()))?;
        let line = u32::try_from(error.location().start_line()).unwrap_or(1);
        Some((line, String::from_utf8_lossy(error.message()).into_owned()))
    }

    pub(crate) fn text(&self) -> &'t str {
        self.text
    }

    /// Returns the statements; `None` if the code is not Ruby, or nests too deep.
    pub(crate) fn statements(&self) -> Option<(&RubyText, &[RubyNode])> {
        let read = || converted("", self.text, &self.parsed).ok();
        self.statements.get_or_init(read).as_ref().map(|(source, statements)| (&**source, &**statements))
    }
}

impl fmt::Debug for RubyCode<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RubyCode").field("text", &self.text).finish_non_exhaustive()
    }
}

/// Returns the error of a file that cannot be read.
pub(crate) fn failure(message: String) -> Error {
    Error::new(ErrorKind::Load, message)
}
