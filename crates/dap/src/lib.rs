//! A debugger for Puppet code, over the Debug Adapter Protocol
//! (<https://microsoft.github.io/debug-adapter-protocol/specification>).
//!
//! [`serve`] is the adapter, which talks to an editor over standard input and output. It starts the command to debug as a process of
//! its own, so that the output of the command cannot get between the messages. That process connects to the adapter's socket
//! ([`debuggee`]), and answers the requests about its code; the adapter passes them on.
#![forbid(unsafe_code)]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing))]

mod adapter;
mod debuggee;
mod launch;
mod outgoing;
mod protocol;

pub use adapter::serve;
pub use debuggee::debuggee;

/// The environment variable that names the adapter's socket to the process that it starts.
const SOCKET: &str = "PUPPETFN_DEBUG_SOCKET";
