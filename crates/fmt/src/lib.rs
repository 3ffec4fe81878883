//! The layout of Puppet code, as Puppet's style guide has it.
//!
//! A text is split into tokens and comments (`piece`), which the syntax tree classifies (`marks`). Each gets its line, its
//! indentation and the space before it (`layout`). Nothing else changes, except for quotes (`quotes`) and commas at the ends of
//! lists. The output is parsed again; a different program is an error.
#![forbid(unsafe_code)]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing))]

mod change;
mod edit;
mod formatter;
mod layout;
mod marks;
mod options;
mod piece;
mod quotes;
mod typing;
mod verify;
mod write;

use std::ops::Range;

use puppetfn_base::error::Error;
use puppetfn_base::limits::Limits;

pub use change::{LayoutChange, LayoutChangeKind};
pub use edit::RangeEdit;
pub use options::{ArrowAlignment, FormatOptions};

/// Returns a text in the layout of the style guide. It is not one of a template.
///
/// ```
/// use puppetfn::fmt::format;
///
/// let text = "file{\"/tmp/a\":\n ensure=>file,\n mode => '0644'\n}";
/// let formatted = "file { '/tmp/a':\n  ensure => file,\n  mode   => '0644',\n}\n";
/// assert_eq!(format(text)?, formatted);
/// # Ok::<(), puppetfn::error::Error>(())
/// ```
///
/// # Errors
/// [`ErrorKind::Syntax`](puppetfn_base::error::ErrorKind::Syntax) or
/// [`ErrorKind::Limit`](puppetfn_base::error::ErrorKind::Limit) if the text cannot be parsed, and
/// [`ErrorKind::Internal`](puppetfn_base::error::ErrorKind::Internal) if the program would not be the same.
pub fn format(text: &str) -> Result<String, Error> {
    FormatOptions::default().format(text, &Limits::DEFAULT)
}

/// Returns the edits that [`format`](fn@format) a text: changes of whole lines, in order and apart from each other.
///
/// ```
/// use puppetfn::fmt::{RangeEdit, edits};
///
/// let edit = RangeEdit { range: 10..15, text: "  $b = 2\n".to_owned() };
/// assert_eq!(edits("if true {\n$b=2\n}\n")?, [edit]);
/// # Ok::<(), puppetfn::error::Error>(())
/// ```
///
/// # Errors
/// The same errors as [`format`](fn@format).
pub fn edits(text: &str) -> Result<Vec<RangeEdit>, Error> {
    FormatOptions::default().edits(text, &Limits::DEFAULT)
}

/// Returns the changes that [`format`](fn@format) makes, each of the space before one token or of one sign. Any of them leaves the
/// program as it is.
///
/// ```
/// use puppetfn::fmt::{LayoutChange, LayoutChangeKind, changes};
///
/// let change = LayoutChange { kind: LayoutChangeKind::Quotes, range: 5..8, text: "'b'".to_owned() };
/// assert_eq!(changes("$a = \"b\"\n")?, [change]);
/// # Ok::<(), puppetfn::error::Error>(())
/// ```
///
/// # Errors
/// The same errors as [`format`](fn@format).
pub fn changes(text: &str) -> Result<Vec<LayoutChange>, Error> {
    FormatOptions::default().changes(text, &Limits::DEFAULT)
}

/// Returns the [`edits`] that touch the lines of a range of bytes.
///
/// # Errors
/// The same errors as [`format`](fn@format).
pub fn edits_within(text: &str, range: Range<usize>) -> Result<Vec<RangeEdit>, Error> {
    FormatOptions::default().edits_within(text, range, &Limits::DEFAULT)
}

/// Indents the line on which something has just been typed, up to an offset: a line break, or a closing bracket that is
/// the first on its line. In strings, heredocs and comments, and behind a quote that is not closed, there is nothing to do.
///
/// ```
/// use puppetfn::fmt::{RangeEdit, on_type};
///
/// let text = "if $a {\n";
/// let edit = RangeEdit { range: 8..8, text: "  ".to_owned() };
/// assert_eq!(on_type(text, text.len(), '\n')?, [edit]);
/// # Ok::<(), puppetfn::error::Error>(())
/// ```
///
/// # Errors
/// [`ErrorKind::Limit`](puppetfn_base::error::ErrorKind::Limit) if the text is too long.
pub fn on_type(text: &str, offset: usize, typed: char) -> Result<Vec<RangeEdit>, Error> {
    FormatOptions::default().on_type(text, offset, typed, &Limits::DEFAULT)
}
