//! A language server for Puppet code, over the Language Server Protocol 3.17.
//!
//! [`serve`] talks to an editor over standard input and output until the editor has enough. What editors ask is answered by
//! [`puppetfn_ide`]; where the files of projects are, and what their settings say, by [`puppetfn_project`]. What is found in
//! a text that is being edited is what `puppetfn check` finds in it.
#![forbid(unsafe_code)]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing))]

mod capabilities;
mod client;
mod diagnostics;
mod dispatch;
mod documents;
mod messages;
mod open_document;
mod project;
mod requests;
mod server;
mod state;
mod text;
mod transport;
mod uri;

pub use server::run;
pub use transport::Gone;

use puppetfn_base::limits::Limits;
use puppetfn_doc::ReadRuby;

/// Talks to the editor at standard input and output until it has enough. Returns the exit code: 0 if it has asked for the
/// end as the protocol has it, otherwise 1.
///
/// # Errors
/// Fails if there are no threads to read and write with, or the editor cannot be told anything.
pub fn serve(ruby: &mut dyn ReadRuby, limits: Limits) -> Result<i32, Gone> {
    let (connection, writer) = transport::stdio(&limits)?;
    let code = run(connection, ruby, limits);
    // What was said last is still to be written. Reading may wait for a message that never comes.
    writer.finish();
    code
}
