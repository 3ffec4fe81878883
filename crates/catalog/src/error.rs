//! Errors in the text of a catalog, or of a rule about catalogs.

use std::fmt;

/// Maximum length of a message in characters. Messages quote input, which may be of any length; the rest is cut.
const LONGEST: usize = 1_000;

/// An error in a catalog or a rule: the file, the place in it, and the expected form.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReadError {
    file: Option<String>,
    place: String,
    message: String,
}

impl ReadError {
    /// Creates an error about a place, which is empty where the text is meant as a whole.
    pub fn new(place: impl Into<String>, message: impl Into<String>) -> Self {
        let mut message: String = message.into();
        if let Some((end, _)) = message.char_indices().nth(LONGEST) {
            message.truncate(end);
            message.push('…');
        }
        Self { file: None, place: place.into(), message }
    }

    /// Adds the name of the file that the text is from.
    #[must_use]
    pub fn in_file(mut self, file: impl fmt::Display) -> Self {
        self.file = Some(file.to_string());
        self
    }

    /// Returns the same error, further out: `resources[3]`, then `parameters`.
    pub fn within(mut self, outer: &str) -> Self {
        self.place = match self.place.as_str() {
            "" => outer.to_owned(),
            inner if inner.starts_with('[') => format!("{outer}{inner}"),
            inner => format!("{outer}.{inner}"),
        };
        self
    }

    /// Returns the message, without the place.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// Returns the place in the file: the path to a value in JSON, or a line.
    pub fn place(&self) -> &str {
        &self.place
    }
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(file) = &self.file {
            write!(f, "{file}: ")?;
        }
        if !self.place.is_empty() {
            write!(f, "{}: ", self.place)?;
        }
        f.write_str(&self.message)
    }
}

impl std::error::Error for ReadError {}
