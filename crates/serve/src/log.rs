//! The log of a service.

use std::io;

use tracing_subscriber::fmt::Subscriber;

/// The format of the log.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LogFormat {
    /// Lines of text.
    Text,
    /// A JSON object a line.
    Json,
}

impl LogFormat {
    /// Makes the process log to its standard error.
    pub(crate) fn start(self) {
        let subscriber = Subscriber::builder().with_writer(io::stderr).with_target(false);
        // A program that has a log of its own keeps it.
        _ = match self {
            Self::Text => tracing::subscriber::set_global_default(subscriber.with_ansi(false).finish()),
            Self::Json => {
                tracing::subscriber::set_global_default(subscriber.json().flatten_event(true).finish())
            }
        };
    }
}
