//! Writing messages, which are numbered.

use std::io::{self, Write};
use std::sync::{Mutex, PoisonError};

use puppetfn_base::framing;
use serde_json::Value;

/// An output whose messages several threads write.
pub(crate) struct Outgoing<W> {
    state: Mutex<(W, i64)>,
}

impl<W: Write> Outgoing<W> {
    pub fn new(out: W) -> Self {
        Self { state: Mutex::new((out, 0)) }
    }

    /// Writes a message with the next number.
    ///
    /// # Errors
    /// Fails if it cannot be written.
    pub fn send(&self, mut message: Value) -> io::Result<()> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.1 = state.1.saturating_add(1);
        if let Value::Object(fields) = &mut message {
            fields.insert("seq".to_owned(), state.1.into());
        }
        framing::write(&mut state.0, message.to_string().as_bytes())
    }
}
