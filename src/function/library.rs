//! What is done by libraries of the language that the host is written in.

use std::path::Path;

/// What a library of the host's language is asked for.
#[derive(Clone, Copy, Debug)]
pub enum Library<'a> {
    /// The text that a template in ERB gives.
    Erb {
        /// The template.
        template: &'a str,
        /// The file that it is from.
        path: Option<&'a Path>,
    },
}
