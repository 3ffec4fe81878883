//! Reads the declarations of Puppet modules' Ruby files without running them.
//!
//! A file is parsed by [Prism](https://ruby.github.io/prism/), Ruby's own parser, and becomes a simplified tree (`tree`).
//! Functions of the 4.x and of the 3.x API, data types, resource types and providers are found in it, and errors in the code of
//! functions.

#![allow(
    clippy::wildcard_enum_match_arm,
    reason = "Ruby has 150 kinds of nodes, and few of them declare something"
)]

mod convert;
mod data_type;
mod dispatch;
mod failures;
mod file;
mod function;
mod lint;
mod parse;
mod puppetfile;
mod source;
#[cfg(test)]
mod tests;
mod tree;
mod types;

use std::num::NonZero;
use std::panic;
use std::path::{Path, PathBuf};
use std::thread;

use puppetfn_base::error::{Error, ErrorKind};
use puppetfn_doc::RubyFile;
use rayon::ThreadPoolBuilder;
use rayon::iter::{IntoParallelRefIterator, ParallelIterator};

pub use crate::failures::{
    CalledFunction, CodeFailure, TemplateCalls, function_failures, puppetfile_failures, removed_uses,
    resource_type_failures, template_calls,
};
use crate::function::FunctionDeclaration;
pub use crate::parse::RubyCode;
use crate::parse::{failure, parse};
pub use crate::puppetfile::{Puppetfile, PuppetfileModule};

/// Stack for reading a file, in bytes.
const STACK: usize = 16 << 20;

/// Reads the declarations of a Ruby file without running it.
///
/// # Errors
/// Fails with [`ErrorKind::Load`] if the text is not Ruby, or nests too deep.
pub fn read(path: &Path, text: &str) -> Result<RubyFile, Error> {
    on_threads(1, || declared(path, text))?
}

/// Reads several files on all processors: the path and the text of each.
pub fn read_all(files: &[(PathBuf, String)]) -> Vec<Result<RubyFile, Error>> {
    let threads = thread::available_parallelism().map_or(1, NonZero::get).min(files.len());
    let read = || files.par_iter().map(|(path, text)| declared(path, text)).collect();
    on_threads(threads, read).unwrap_or_else(|error| vec![Err(error); files.len()])
}

/// Does something on threads for all processors that have enough of a stack for any Ruby code: Prism recurses, up to a limit of its own.
///
/// # Errors
/// Fails with [`ErrorKind::Load`] if no threads can be started.
pub fn with_stack<T: Send>(work: impl FnOnce() -> T + Send) -> Result<T, Error> {
    on_threads(thread::available_parallelism().map_or(1, NonZero::get), work)
}

/// Does something on threads that have enough of a stack for it.
fn on_threads<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> Result<T, Error> {
    let pool = ThreadPoolBuilder::new().num_threads(threads.max(1)).stack_size(STACK).build();
    Ok(pool.map_err(|error| failure(format!("Ruby files cannot be read: {error}")))?.install(work))
}

/// Returns the declarations of a file. A panic while one is read does not affect the other files.
fn declared(path: &Path, text: &str) -> Result<RubyFile, Error> {
    let name = path.to_string_lossy();
    panic::catch_unwind(|| all_of(&name, text))
        .unwrap_or_else(|_| Err(Error::new(ErrorKind::Internal, format!("{name} cannot be read"))))
}

fn all_of(path: &str, text: &str) -> Result<RubyFile, Error> {
    let (source, statements) = parse(path, text)?;
    let declarations = FunctionDeclaration::all(&source, &statements);
    let types::TypeDeclarations { types, metaparameters, providers } = types::read(&source, &statements);
    Ok(RubyFile {
        types,
        metaparameters,
        providers,
        functions: declarations.iter().map(FunctionDeclaration::declared).collect(),
        data_types: data_type::all(&source, &statements),
        findings: declarations.iter().flat_map(lint::findings).collect(),
    })
}
