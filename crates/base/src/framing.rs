//! Messages that are each preceded by their length, as in the Language Server Protocol and the Debug Adapter Protocol.

use std::io::{self, BufRead, Read, Write};

/// The maximum length of a message's header.
pub const LONGEST_HEADER: u64 = 64 * 1024;

/// Reads a message of at most `longest` bytes; `None` at the end of the input.
///
/// # Errors
/// Fails if the input cannot be read, a header is not one of the protocol's, or a message is longer.
pub fn read(input: &mut impl BufRead, longest: usize) -> io::Result<Option<Vec<u8>>> {
    let Some(length) = length(input)? else { return Ok(None) };
    if length > longest {
        return Err(invalid(format!("a message of {length} bytes, more than the maximum of {longest}")));
    }
    let mut message = Vec::new();
    if input.take(length as u64).read_to_end(&mut message)? < length {
        return Ok(None);
    }
    Ok(Some(message))
}

/// Writes a message.
///
/// # Errors
/// Fails if it cannot be written.
pub fn write(out: &mut impl Write, message: &[u8]) -> io::Result<()> {
    write!(out, "Content-Length: {}\r\n\r\n", message.len())?;
    out.write_all(message)?;
    out.flush()
}

/// Reads the header of a message. Returns the message's length; `None` at the end of the input.
fn length(input: &mut impl BufRead) -> io::Result<Option<usize>> {
    let mut lines = input.take(LONGEST_HEADER);
    let mut length = None;
    loop {
        let mut line = String::new();
        if lines.read_line(&mut line)? == 0 {
            return Ok(None);
        }
        if lines.limit() == 0 {
            return Err(invalid("a header without an end"));
        }
        let line = line.trim_end();
        if line.is_empty() {
            return length.map(Some).ok_or_else(|| invalid("a message without Content-Length"));
        }
        let (name, value) = line.split_once(':').ok_or_else(|| invalid(format!("the header '{line}'")))?;
        if name.eq_ignore_ascii_case("Content-Length") {
            length = Some(value.trim().parse().map_err(|_| invalid(format!("the header '{line}'")))?);
        }
    }
}

/// Returns the error of input that is not a message.
pub fn invalid(problem: impl Into<String>) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, problem.into())
}
