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

/// Returns the error of a file that cannot be read.
pub(crate) fn failure(message: String) -> Error {
    Error::new(ErrorKind::Load, message)
}
