//! A language server for Puppet code, over the Language Server Protocol 3.17.
//!
//! [`serve`] talks to an editor over standard input and output until the editor closes the connection. Requests are
//! answered by [`puppetfn_ide`], and files and settings of projects come from [`puppetfn_project`]. Diagnostics of an
//! edited text are the findings of `puppetfn check`.
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
mod reports;
mod requests;
mod sent_tokens;
mod server;
mod state;
mod text;
mod transport;
mod uri;

pub use server::run;
pub use transport::ConnectionError;

use puppetfn_base::limits::Limits;
use puppetfn_doc::ReadRuby;

/// Serves an editor over standard input and output until it closes the connection. Returns the exit code: 0 if the
/// editor has shut down the server as the protocol requires, otherwise 1.
///
/// # Errors
/// Fails if the threads for reading and writing cannot be started, or the editor does not accept messages.
pub fn serve(ruby: &mut dyn ReadRuby, limits: Limits) -> Result<i32, ConnectionError> {
    let (connection, writer) = transport::stdio(&limits)?;
    let code = run(connection, ruby, limits);
    // The last messages are still to be written. Reading may wait for a message that never comes.
    writer.finish();
    code
}
