//! Messages over standard input and output, each preceded by its length.
//!
//! Both directions have unbounded channels: writing never blocks on an editor that does not read, as it may itself be
//! waiting for the server to read.

use std::io::{self, BufRead, Write};
use std::thread::{self, JoinHandle};

use crossbeam_channel::unbounded;
use lsp_server::{Connection, Message};
use puppetfn_base::framing::{self, LONGEST_HEADER};
use puppetfn_base::limits::Limits;

/// The reason why the connection with the editor has ended.
pub type ConnectionError = Box<dyn std::error::Error + Send + Sync>;

/// The thread that writes messages.
pub(crate) struct MessageWriter(JoinHandle<io::Result<()>>);

impl MessageWriter {
    /// Waits until all messages are written, or writing has failed.
    pub fn finish(self) {
        _ = self.0.join();
    }
}

/// Returns the connection with the parent process.
pub(crate) fn stdio(limits: &Limits) -> io::Result<(Connection, MessageWriter)> {
    let (outgoing, to_write) = unbounded::<Message>();
    let (read, incoming) = unbounded();
    // A message is little more than a text, in which each character may be escaped.
    let longest = limits.file.saturating_mul(6).saturating_add(LONGEST_HEADER as usize);
    let writer = thread::Builder::new().name("lsp-writer".to_owned()).spawn(move || {
        let mut out = io::stdout().lock();
        to_write.into_iter().try_for_each(|message| message.write(&mut out))
    })?;
    thread::Builder::new().name("lsp-reader".to_owned()).spawn(move || {
        let mut input = io::stdin().lock();
        loop {
            match message(&mut input, longest) {
                Ok(Some(message)) => {
                    if read.send(message).is_err() {
                        return;
                    }
                }
                Ok(None) => return,
                Err(error) => {
                    // A closed channel ends the session.
                    _ = writeln!(io::stderr(), "error: cannot read the editor's message: {error}");
                    return;
                }
            }
        }
    })?;
    Ok((Connection { sender: outgoing, receiver: incoming }, MessageWriter(writer)))
}

/// Reads a message; `None` at the end of the input.
fn message(input: &mut impl BufRead, longest: usize) -> io::Result<Option<Message>> {
    let Some(text) = framing::read(input, longest)? else { return Ok(None) };
    // A JSON value in between keeps numbers of any size as they are written.
    let json: serde_json::Value =
        serde_json::from_slice(&text).map_err(|error| framing::invalid(error.to_string()))?;
    serde_json::from_value(json).map(Some).map_err(|error| framing::invalid(error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(input: &str) -> Result<Option<Message>, String> {
        message(&mut input.as_bytes(), 100).map_err(|error| error.to_string())
    }

    #[test]
    fn messages_have_their_length_before_them() {
        let text = r#"{"jsonrpc":"2.0","id":7,"method":"shutdown"}"#;
        let found = read(&format!("Content-Type: x\r\ncontent-length: {}\r\n\r\n{text}", text.len()));
        assert!(matches!(found, Ok(Some(Message::Request(request))) if request.id == 7.into()));
        assert!(matches!(read(""), Ok(None)));
        assert!(matches!(read("Content-Length: 9\r\n\r\n{}"), Ok(None)));
    }

    #[test]
    fn what_is_no_message_is_told() {
        assert_eq!(read("\r\n").unwrap_err(), "a message without Content-Length");
        assert_eq!(read("Content-Length: x\r\n\r\n").unwrap_err(), "the header 'Content-Length: x'");
        assert!(read("Content-Length: 99999999999999\r\n\r\n").unwrap_err().contains("maximum of 100"));
        assert!(read("Content-Length: 2\r\n\r\n{]").is_err());
        assert!(read("Content-Length: 2\r\n\r\n{}").is_err());
        assert_eq!(read(&"x".repeat(100_000)).unwrap_err(), "a header without an end");
    }
}
