//! An interactive console for Puppet code.
//!
//! [`run`] evaluates statements one after the other in a [`Session`](puppetfn_compile::Session), which keeps variables, definitions and
//! resources. Statements come from a terminal or from a pipe ([`ConsoleInput`]); lines that begin with a colon are commands. Code that
//! calls `puppetfn::break()` pauses, and a console looks at its variables.
#![forbid(unsafe_code)]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing))]

mod breakpoint;
mod commands;
mod engine;
mod frontend;
mod line_helper;
mod lines;
mod listing;
mod node_session;
mod origins;
mod statements;
mod terminal;

pub use frontend::{ConsoleEntry, ConsoleInput};
pub use lines::LineInput;
pub use node_session::{SessionPlan, run};
pub use terminal::TerminalInput;
