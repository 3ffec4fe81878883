//! Parses Ruby files.

use std::rc::Rc;

use puppetfn_base::error::{Error, ErrorKind};

use crate::convert;
use crate::source::RubyText;
use crate::tree::RubyNode;

/// Parses a text to its statements.
pub(crate) fn parse(path: &str, text: &str) -> Result<(Rc<RubyText>, Vec<RubyNode>), Error> {
    let parsed = ruby_prism::parse(text.as_bytes());
    if let Some(error) = parsed.errors().find(|error| error.message() != b"dynamic constant assignment") {
        let message = String::from_utf8_lossy(error.message()).into_owned();
        return Err(failure(format!("{path}:{}: syntax error: {message}", error.location().start_line())));
    }
    let statements = convert::statements(&parsed, text)
        .ok_or_else(|| failure(format!("{path}: nested too deep to be read")))?;
    let code = statements.first().map_or(text.len(), |first| first.start);
    Ok((Rc::new(RubyText::new(path, text, &parsed, code)), statements))
}

/// Messages of errors that only a whole program has: code of a template, or of a method that is defined from a text, may be
/// evaluated elsewhere.
const OF_PLACE: [&[u8]; 2] = [b"dynamic constant assignment", b"Invalid "];

/// Returns the first syntax error of a text in Ruby: its line, counted from 1, and its message.
#[must_use]
pub fn syntax_error(text: &str) -> Option<(u32, String)> {
    let parsed = ruby_prism::parse(text.as_bytes());
    let is_of_place = |message: &[u8]| OF_PLACE.iter().any(|start| message.starts_with(start));
    let error = parsed.errors().find(|error| !is_of_place(error.message()))?;
    let line = u32::try_from(error.location().start_line()).unwrap_or(1);
    Some((line, String::from_utf8_lossy(error.message()).into_owned()))
}

/// Returns the error of a file that cannot be read.
pub(crate) fn failure(message: String) -> Error {
    Error::new(ErrorKind::Load, message)
}
