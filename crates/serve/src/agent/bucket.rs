//! The file bucket: contents of files that agents have replaced, by their digests.
//!
//! See Puppet's `indirector/file_bucket_file/file.rb`. Listing is not allowed, and differences are not made.
#![allow(clippy::disallowed_methods, reason = "Puppet's settings name the directory")]

use std::fs::{DirBuilder, File, OpenOptions};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

use axum::body::Body;
use axum::http::header::CONTENT_TYPE;
use axum::http::{Method, StatusCode};
use axum::response::{IntoResponse, Response};
use puppetfn_fileserver::{ContentDigest, FileContent};
use tracing::{error, info, warn};

use super::replace::replace_file;
use super::request::AgentRequest;
use super::{AgentState, blocking, existing_environment, files, server_error};
use crate::api::error_answer;

/// The media types of contents. See Puppet's `network/formats.rb`.
const BINARY: &str = "application/octet-stream";
/// The longest list of original paths of one content, in bytes.
const LONGEST_PATHS: u64 = 1 << 20;

/// The directory of contents.
#[derive(Debug)]
pub(crate) struct FileBucket {
    directory: PathBuf,
    /// Puppet's setting `digest_algorithm`.
    algorithm: String,
    /// Contents are stored one at a time, as their lists of paths are read and written.
    stores: Mutex<()>,
}

/// The key of a request: `sha256/DIGEST/ORIGINAL/PATH`.
struct BucketKey {
    algorithm: ContentDigest,
    digest: String,
    /// The path of the file on the agent, without the first `/`.
    path: Option<String>,
}

/// Why a content cannot be stored.
enum BucketFailure {
    /// The content under the digest is another. The message is for the client.
    Collision(String),
    System(io::Error),
}

impl From<io::Error> for BucketFailure {
    fn from(error: io::Error) -> Self {
        Self::System(error)
    }
}

/// Answers a request for a content, whether there is one, or that it be stored.
pub(super) async fn answer(state: &Arc<AgentState>, request: &AgentRequest, key: &str) -> Response {
    if let Err(response) = existing_environment(state, request) {
        return response;
    }
    if request.parameter("list_all").is_some() {
        return server_error("Listing remote file buckets is not allowed");
    }
    if request.parameter("diff_with").is_some() {
        return server_error("Differences of contents are not supported");
    }
    let media_type = request.parts.headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok());
    let media_type = media_type.unwrap_or_default();
    if request.method == Method::PUT && media_type != BINARY {
        let message = format!(
            "Unsupported Media Type: Client sent a mime-type ({media_type}) that doesn't correspond to a format we support"
        );
        return error_answer(StatusCode::UNSUPPORTED_MEDIA_TYPE, "UNSUPPORTED_MEDIA_TYPE", &message);
    }
    let bucket = Arc::clone(&state.bucket);
    let parsed = match bucket.parse(key) {
        Ok(parsed) => parsed,
        Err(problem) => return server_error(&problem),
    };
    let (key, method, body) = (key.to_owned(), request.method.clone(), request.body.clone());
    let answered = blocking(move || match method {
        Method::PUT => bucket.save(&parsed, &body),
        Method::HEAD => match bucket.find(&parsed) {
            Ok(Some(_)) => StatusCode::OK.into_response(),
            Ok(None) => not_found(&key),
            Err(problem) => failed(&problem),
        },
        _ => match bucket.find(&parsed) {
            Ok(Some(contents)) => {
                info!("FileBucket read {}", parsed.digest);
                FileContent::open(&contents, &key)
                    .map_or_else(|error| files::file_error(&error), files::binary)
            }
            Ok(None) => not_found(&key),
            Err(problem) => failed(&problem),
        },
    });
    answered.await
}

fn not_found(key: &str) -> Response {
    let message = format!("Not Found: Could not find file_bucket_file {key}");
    error_answer(StatusCode::NOT_FOUND, "RESOURCE_NOT_FOUND", &message)
}

fn failed(problem: &io::Error) -> Response {
    error!(%problem, "the file bucket");
    server_error(&problem.to_string())
}

impl FileBucket {
    /// Returns the bucket of a directory, which is created with its first content.
    pub fn new(directory: PathBuf, algorithm: String) -> Self {
        Self { directory, algorithm, stores: Mutex::default() }
    }

    /// Parses a key. The error is for the client.
    fn parse(&self, key: &str) -> Result<BucketKey, String> {
        let mut parts = key.splitn(3, '/');
        let (algorithm, digest) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
        let known = ContentDigest::parse(algorithm).filter(|_| algorithm == self.algorithm);
        let Some(known) = known else { return Err(format!("Unsupported checksum type {algorithm:?}")) };
        let is_digit = |byte: u8| byte.is_ascii_digit() || matches!(byte, b'a'..=b'f');
        if digest.len() != known.length() || !digest.bytes().all(is_digit) {
            return Err(format!("Invalid checksum {digest:?}"));
        }
        let path = parts.next().filter(|path| !path.is_empty());
        if path.is_some_and(|path| path.contains(['\n', '\r'])) {
            return Err("Invalid path".to_owned());
        }
        Ok(BucketKey { algorithm: known, digest: digest.to_owned(), path: path.map(str::to_owned) })
    }

    /// Returns the directory of a content.
    fn place(&self, digest: &str) -> PathBuf {
        let first = digest.chars().take(8).map(String::from);
        self.directory.join(first.collect::<PathBuf>()).join(digest)
    }

    /// Returns the file of a content, if it was stored for the path of the key.
    fn find(&self, key: &BucketKey) -> io::Result<Option<PathBuf>> {
        let place = self.place(&key.digest);
        let contents = place.join("contents");
        if !contents.is_file() {
            return Ok(None);
        }
        let Some(path) = &key.path else { return Ok(Some(contents)) };
        match File::open(place.join("paths")) {
            Ok(file) => Ok(has_line(&file, path)?.then_some(contents)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    fn save(&self, key: &BucketKey, content: &[u8]) -> Response {
        match self.store(key, content) {
            Ok(()) => ([(CONTENT_TYPE, BINARY)], Body::empty()).into_response(),
            Err(BucketFailure::Collision(message)) => server_error(&message),
            Err(BucketFailure::System(problem)) => failed(&problem),
        }
    }

    /// Stores a content under its own digest, whichever the key has.
    fn store(&self, key: &BucketKey, content: &[u8]) -> Result<(), BucketFailure> {
        let digest = key.algorithm.of_content(&mut &*content)?;
        let place = self.place(&digest);
        let _store = self.stores.lock().unwrap_or_else(PoisonError::into_inner);
        DirBuilder::new().recursive(true).mode(0o770).create(&place)?;
        let mut paths =
            OpenOptions::new().read(true).append(true).create(true).mode(0o640).open(place.join("paths"))?;
        let contents = place.join("contents");
        let shown = format!("{{{}}}{digest}", self.algorithm);
        match is_same(&contents, content) {
            Ok(true) => {
                info!("FileBucket got a duplicate file {shown}");
                // A file that cannot be touched is still a backup.
                _ = File::open(&contents).and_then(|file| file.set_modified(SystemTime::now()));
            }
            Ok(false) if key.algorithm.of_content(&mut File::open(&contents)?)? == digest => {
                error!("Unable to verify existing FileBucket backup at '{}'.", contents.display());
                return Err(BucketFailure::Collision(format!(
                    "Existing backup and new file have different content but same checksum, {shown}. Verify existing backup and \
                     remove if incorrect."
                )));
            }
            Ok(false) => {
                warn!(
                    "Existing backup does not match its expected sum, {shown}. Overwriting corrupted backup."
                );
                replace_file(&contents, 0o440, content)?;
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => replace_file(&contents, 0o440, content)?,
            Err(error) => return Err(error.into()),
        }
        if let Some(path) = &key.path
            && paths.metadata()?.len() < LONGEST_PATHS
            && !has_line(&paths, path)?
        {
            paths.seek(SeekFrom::End(0))?;
            writeln!(paths, "{path}")?;
        }
        Ok(())
    }
}

/// Compares a file with a content. No more of the file is read than the content has, and a byte that shows that there is more.
fn is_same(file: &Path, content: &[u8]) -> io::Result<bool> {
    let mut known = Vec::new();
    File::open(file)?.take((content.len() as u64).saturating_add(1)).read_to_end(&mut known)?;
    Ok(known == content)
}

fn has_line(mut file: &File, line: &str) -> io::Result<bool> {
    file.rewind()?;
    for known in BufReader::new(file.take(LONGEST_PATHS * 2)).split(b'\n') {
        if known? == line.as_bytes() {
            return Ok(true);
        }
    }
    Ok(false)
}
