//! Tasks for libraries of the host's language.

use std::path::Path;

use crate::value::Hash;

/// A task for a library of the host's language.
#[derive(Clone, Copy, Debug)]
pub enum Library<'a> {
    /// The time of its clock, which tests may have set.
    Clock,
    /// The text of an ERB template.
    Erb {
        /// The template, which may be in another encoding than UTF-8.
        template: &'a [u8],
        /// The name by which it was requested, and its file.
        file: Option<(&'a str, &'a Path)>,
    },
    /// The data of a text in HOCON.
    Hocon {
        /// The text.
        text: &'a str,
        /// The file that it is from.
        path: &'a str,
    },
    /// A text with its encrypted parts decrypted, by the options of a hierarchy.
    Eyaml {
        /// The text.
        text: &'a str,
        /// The options.
        options: &'a Hash,
        /// The key that has the text for its value.
        key: &'a str,
        /// The file that it is from.
        path: &'a str,
    },
}
