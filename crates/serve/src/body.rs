//! Bodies of requests, with limits of each and of all together.

use std::fmt;
use std::io;
use std::ops::Deref;
use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::http::header::CONTENT_LENGTH;
use axum::http::{HeaderMap, StatusCode};
use http_body_util::BodyExt;
use tokio::io::{AsyncRead, AsyncReadExt};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

use crate::connection::ConnectionLimits;

/// The unit of memory that bodies reserve, in bytes: numbers of permits have 32 bits.
const UNIT: usize = 1 << 10;

/// The memory for the bodies of all requests together.
#[derive(Clone, Debug)]
pub(crate) struct BodyMemory {
    free: Arc<Semaphore>,
    /// The whole of it, in bytes.
    total: usize,
}

/// The body of a request, which occupies memory until it is dropped.
#[derive(Debug)]
pub(crate) struct RequestBody {
    bytes: Bytes,
    _memory: Option<OwnedSemaphorePermit>,
}

/// Why a body is not read.
#[derive(Debug)]
pub(crate) enum BodyFailure {
    /// It is larger than this number of bytes.
    TooLarge(usize),
    /// It took longer than this time.
    TimedOut(Duration),
    /// The bodies of all requests would be larger than this number of bytes.
    Exhausted(usize),
    /// The connection or the encoding is broken.
    Broken(String),
}

impl BodyFailure {
    /// Returns the status of the answer.
    pub fn status(&self) -> StatusCode {
        match self {
            Self::TooLarge(_) => StatusCode::PAYLOAD_TOO_LARGE,
            Self::TimedOut(_) => StatusCode::REQUEST_TIMEOUT,
            Self::Exhausted(_) => StatusCode::SERVICE_UNAVAILABLE,
            Self::Broken(_) => StatusCode::BAD_REQUEST,
        }
    }
}

impl fmt::Display for BodyFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooLarge(most) => write!(f, "the body is larger than {most} bytes, the limit --body-limit"),
            Self::TimedOut(time) => write!(f, "the body took longer than {} seconds", time.as_secs_f64()),
            Self::Exhausted(total) => {
                let total = total >> 20;
                write!(
                    f,
                    "the bodies of all requests would be larger than {total} MiB, the limit --body-memory"
                )
            }
            Self::Broken(problem) => f.write_str(problem),
        }
    }
}

impl AsRef<[u8]> for RequestBody {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

impl Deref for RequestBody {
    type Target = Bytes;

    fn deref(&self) -> &Bytes {
        &self.bytes
    }
}

impl BodyMemory {
    /// Returns the memory of a service, in bytes.
    pub fn new(total: usize) -> Self {
        let units = (total / UNIT).min(Semaphore::MAX_PERMITS);
        Self { free: Arc::new(Semaphore::new(units)), total }
    }

    /// Reads the body of a request. Memory is reserved as the body arrives, so that a
    /// client that announces a large one occupies none.
    ///
    /// # Errors
    /// Fails if the body exceeds a limit or ends early.
    pub async fn read(
        &self,
        headers: &HeaderMap,
        body: Body,
        limits: &ConnectionLimits,
    ) -> Result<RequestBody, BodyFailure> {
        let length = headers.get(CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse().ok());
        if length.is_some_and(|length: u64| length > u64::try_from(limits.body_size).unwrap_or(u64::MAX)) {
            return Err(BodyFailure::TooLarge(limits.body_size));
        }
        let announced = length.and_then(|length| usize::try_from(length).ok());
        let read = timeout(limits.body, self.collect(body, announced, limits.body_size)).await;
        read.unwrap_or(Err(BodyFailure::TimedOut(limits.body)))
    }

    /// Reads the output of a command, which occupies memory as a body does.
    ///
    /// # Errors
    /// Fails if it is larger than `most` bytes or no memory is free, or as the stream does.
    pub async fn read_output(
        &self,
        mut stream: impl AsyncRead + Unpin,
        most: usize,
    ) -> io::Result<RequestBody> {
        let mut output = ReservedBytes::default();
        let mut part = vec![0; 16 * UNIT];
        loop {
            let length = stream.read(&mut part).await?;
            if length == 0 {
                return Ok(output.finish());
            }
            if output.bytes.len().saturating_add(length) > most {
                return Err(io::Error::other(format!("the output is larger than {most} bytes")));
            }
            let data = part.get(..length).unwrap_or_default();
            output
                .extend(data, self)
                .ok_or_else(|| io::Error::other(BodyFailure::Exhausted(self.total).to_string()))?;
        }
    }

    async fn collect(
        &self,
        mut body: Body,
        announced: Option<usize>,
        most: usize,
    ) -> Result<RequestBody, BodyFailure> {
        let mut collected = ReservedBytes { announced, ..ReservedBytes::default() };
        while let Some(frame) = body.frame().await {
            let frame = frame.map_err(|error| BodyFailure::Broken(error.to_string()))?;
            let Ok(data) = frame.into_data() else { continue };
            if collected.bytes.len().saturating_add(data.len()) > most {
                return Err(BodyFailure::TooLarge(most));
            }
            collected.extend(&data, self).ok_or(BodyFailure::Exhausted(self.total))?;
        }
        Ok(collected.finish())
    }

    fn reserve(&self, units: usize) -> Option<OwnedSemaphorePermit> {
        Arc::clone(&self.free).try_acquire_many_owned(u32::try_from(units).ok()?).ok()
    }
}

/// Bytes whose memory is reserved as they arrive.
#[derive(Default)]
struct ReservedBytes {
    bytes: Vec<u8>,
    units: usize,
    memory: Option<OwnedSemaphorePermit>,
    /// The length that the client has announced.
    announced: Option<usize>,
}

impl ReservedBytes {
    /// Adds bytes; `None` if there is no memory for them.
    fn extend(&mut self, data: &[u8], memory: &BodyMemory) -> Option<()> {
        let needed = self.bytes.len().saturating_add(data.len());
        if needed > self.bytes.capacity() {
            let doubled = self.bytes.capacity().saturating_mul(2);
            let capacity = self.announced.map_or(doubled, |announced| doubled.min(announced)).max(needed);
            self.bytes.reserve_exact(capacity - self.bytes.len());
        }
        self.bytes.extend_from_slice(data);
        let units = self.bytes.capacity().div_ceil(UNIT);
        if units > self.units {
            let more = memory.reserve(units - self.units)?;
            match &mut self.memory {
                Some(memory) => memory.merge(more),
                None => self.memory = Some(more),
            }
            self.units = units;
        }
        Some(())
    }

    fn finish(self) -> RequestBody {
        RequestBody { bytes: self.bytes.into(), _memory: self.memory }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMITS: ConnectionLimits = ConnectionLimits {
        connections: 1,
        head: Duration::from_secs(1),
        body: Duration::from_secs(1),
        write: Duration::from_secs(1),
        body_size: 64 * UNIT,
        body_memory: 100 * UNIT,
    };

    async fn read(memory: &BodyMemory, length: usize) -> Result<RequestBody, u16> {
        let body = Body::from(vec![0; length]);
        let read = memory.read(&HeaderMap::new(), body, &LIMITS).await;
        read.map_err(|failure| failure.status().as_u16())
    }

    #[tokio::test]
    async fn bodies_share_memory_until_they_are_dropped() {
        let memory = BodyMemory::new(LIMITS.body_memory);
        let first = read(&memory, 60 * UNIT).await.unwrap();
        assert_eq!(first.len(), 60 * UNIT);
        assert_eq!(read(&memory, 60 * UNIT).await.unwrap_err(), 503);
        assert_eq!(read(&memory, 65 * UNIT).await.unwrap_err(), 413);
        let small = read(&memory, UNIT).await.unwrap();
        drop(first);
        assert!(read(&memory, 60 * UNIT).await.is_ok());
        drop(small);
        assert_eq!(memory.free.available_permits(), 100);
    }
}
