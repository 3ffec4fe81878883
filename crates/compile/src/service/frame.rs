//! The messages between a service and its workers: a header in JSON, and a body.

use std::io::{self, Read, Write};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::ResponseHeader;

/// The size of the two lengths that a frame begins with, in bytes.
pub const LENGTHS: usize = 8;

/// The lengths of a frame's header and body, in bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FrameLengths {
    /// The length of the header.
    pub header: usize,
    /// The length of the body.
    pub body: usize,
}

impl FrameLengths {
    /// Returns the lengths of a frame from its first bytes.
    pub fn of_bytes(bytes: [u8; LENGTHS]) -> Self {
        let [a, b, c, d, e, f, g, h] = bytes;
        let length = |bytes| usize::try_from(u32::from_be_bytes(bytes)).unwrap_or(usize::MAX);
        Self { header: length([a, b, c, d]), body: length([e, f, g, h]) }
    }
}

/// Returns the first bytes of a frame, with the header.
///
/// # Errors
/// Fails if the header cannot be serialized or the body has 4 GiB.
pub fn frame_head(header: &impl Serialize, body: &[u8]) -> io::Result<Vec<u8>> {
    let header = serde_json::to_vec(header)?;
    let length = |bytes: &[u8]| u32::try_from(bytes.len()).map_err(io::Error::other);
    let mut head = Vec::with_capacity(LENGTHS + header.len());
    head.extend_from_slice(&length(&header)?.to_be_bytes());
    head.extend_from_slice(&length(body)?.to_be_bytes());
    head.extend_from_slice(&header);
    Ok(head)
}

/// The header of a request.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RequestHeader {
    /// The body is a request for a catalog.
    Catalog,
    /// The body is a request for a node as its classifier describes it, in the form of one for a catalog.
    Node,
    /// The answer has the classes of the environment of this name; there is no body.
    Classes(String),
    /// The answer has the modules of the environment of this name; there is no body.
    Modules(String),
    /// The environment of this name, or all of them, are read anew; there is no body.
    Flush(Option<String>),
}

pub(super) fn write_answer(stream: &mut dyn Write, answer: &ResponseHeader, body: &[u8]) -> io::Result<()> {
    stream.write_all(&frame_head(answer, body)?)?;
    stream.write_all(body)?;
    stream.flush()
}

/// Reads a frame; `None` at the end of the stream.
pub(super) fn read_frame<T: DeserializeOwned>(stream: &mut dyn Read) -> io::Result<Option<(T, Vec<u8>)>> {
    let mut lengths = [0; LENGTHS];
    match stream.read_exact(&mut lengths) {
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(None),
        read => read?,
    }
    let FrameLengths { header, body } = FrameLengths::of_bytes(lengths);
    let header = serde_json::from_slice(&exactly(stream, header)?)?;
    Ok(Some((header, exactly(stream, body)?)))
}

/// Reads a number of bytes, which the other side has bounded.
fn exactly(stream: &mut dyn Read, length: usize) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    stream.take(u64::try_from(length).unwrap_or(u64::MAX)).read_to_end(&mut bytes)?;
    if bytes.len() < length {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    Ok(bytes)
}
