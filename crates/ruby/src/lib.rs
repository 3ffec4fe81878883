//! Reads Ruby files of Puppet modules to what they declare, without running them.
//!
//! A file is parsed by [Prism](https://ruby.github.io/prism/), Ruby's own parser, and becomes a tree of what is of interest here
//! ([`tree`]). Functions of the 4.x and of the 3.x API, data types, resource types and providers are found in it, and what is wrong
//! with the code of functions.

mod convert;
mod data_type;
mod dispatch;
mod file;
mod function;
mod lint;
mod source;
#[cfg(test)]
mod tests;
mod tree;
mod types;

use std::path::Path;
use std::rc::Rc;
use std::thread;

use puppetfn_base::error::{Error, ErrorKind};
use puppetfn_doc::RubyFile;

use crate::function::Declaration;
use crate::source::Source;
use crate::tree::Node;

/// How much of a stack a file can take, in bytes: Prism goes down for what nests, and has its own limit for that.
const STACK: usize = 16 << 20;

/// Reads a Ruby file to what it declares, without running it.
///
/// # Errors
/// [`ErrorKind::Load`] when the text is not Ruby, or nests too deep.
pub fn read(path: &Path, text: &str) -> Result<RubyFile, Error> {
    let name = path.to_string_lossy();
    thread::scope(|scope| {
        let reading = thread::Builder::new().stack_size(STACK).spawn_scoped(scope, || declared(&name, text));
        let reading = reading.map_err(|error| failure(format!("{name}: {error}")))?;
        reading
            .join()
            .unwrap_or_else(|_| Err(Error::new(ErrorKind::Internal, format!("{name} cannot be read"))))
    })
}

fn failure(message: String) -> Error {
    Error::new(ErrorKind::Load, message)
}

/// Parses a text to its statements.
fn parse(path: &str, text: &str) -> Result<(Rc<Source>, Vec<Node>), Error> {
    let parsed = ruby_prism::parse(text.as_bytes());
    if let Some(error) = parsed.errors().find(|error| error.message() != b"dynamic constant assignment") {
        let message = String::from_utf8_lossy(error.message()).into_owned();
        return Err(failure(format!("{path}:{}: syntax error: {message}", error.location().start_line())));
    }
    let statements = convert::statements(&parsed, text)
        .ok_or_else(|| failure(format!("{path}: nested too deep to be read")))?;
    let code = statements.first().map_or(text.len(), |first| first.start);
    Ok((Rc::new(Source::new(path, text, &parsed, code)), statements))
}

fn declared(path: &str, text: &str) -> Result<RubyFile, Error> {
    let (source, statements) = parse(path, text)?;
    let declarations = Declaration::all(&source, &statements);
    let (types, providers) = types::read(&source, &statements);
    Ok(RubyFile {
        types,
        providers,
        functions: declarations.iter().map(Declaration::declared).collect(),
        data_types: data_type::all(&source, &statements),
        findings: declarations.iter().flat_map(lint::findings).collect(),
    })
}
