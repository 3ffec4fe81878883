//! The layout of Puppet code, as Puppet's style guide has it.
//!
//! A text is split into tokens and comments (`piece`), which the syntax tree classifies (`marks`). Each gets its line, its
//! indentation and the space before it (`layout`). Nothing else changes, except for quotes (`quotes`) and commas at the ends of
//! lists. The output is parsed again; a different program is an error.
#![forbid(unsafe_code)]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing))]

mod change;
mod edit;
mod layout;
mod marks;
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
pub use typing::on_type;

/// Returns a text in the layout of the style guide. It is not one of a template.
///
/// ```
/// use puppetfn::fmt::format;
/// use puppetfn::limits::Limits;
///
/// let text = "file{\"/tmp/a\":\n ensure=>file,\n mode => '0644'\n}";
/// let formatted = "file { '/tmp/a':\n  ensure => file,\n  mode   => '0644',\n}\n";
/// assert_eq!(format(text, &Limits::DEFAULT)?, formatted);
/// # Ok::<(), puppetfn::error::Error>(())
/// ```
///
/// # Errors
/// [`ErrorKind::Syntax`](puppetfn_base::error::ErrorKind::Syntax) or
/// [`ErrorKind::Limit`](puppetfn_base::error::ErrorKind::Limit) if the text cannot be parsed, and
/// [`ErrorKind::Internal`](puppetfn_base::error::ErrorKind::Internal) if the program would not be the same.
pub fn format(text: &str, limits: &Limits) -> Result<String, Error> {
    verify::formatted(text, limits).map(|formatted| formatted.text)
}

/// Returns the edits that [`format`](fn@format) a text: changes of whole lines, in order and apart from each other.
///
/// ```
/// use puppetfn::fmt::{RangeEdit, edits};
/// use puppetfn::limits::Limits;
///
/// let edit = RangeEdit { range: 10..15, text: "  $b = 2\n".to_owned() };
/// assert_eq!(edits("if true {\n$b=2\n}\n", &Limits::DEFAULT)?, [edit]);
/// # Ok::<(), puppetfn::error::Error>(())
/// ```
///
/// # Errors
/// The same errors as [`format`](fn@format).
pub fn edits(text: &str, limits: &Limits) -> Result<Vec<RangeEdit>, Error> {
    let formatted = verify::formatted(text, limits)?;
    Ok(edit::between(text, &formatted))
}

/// Returns the changes that [`format`](fn@format) makes, each of the space before one token or of one sign. Any of them leaves the
/// program as it is.
///
/// ```
/// use puppetfn::fmt::{LayoutChange, LayoutChangeKind, changes};
/// use puppetfn::limits::Limits;
///
/// let change = LayoutChange { kind: LayoutChangeKind::Quotes, range: 5..8, text: "'b'".to_owned() };
/// assert_eq!(changes("$a = \"b\"\n", &Limits::DEFAULT)?, [change]);
/// # Ok::<(), puppetfn::error::Error>(())
/// ```
///
/// # Errors
/// The same errors as [`format`](fn@format).
pub fn changes(text: &str, limits: &Limits) -> Result<Vec<LayoutChange>, Error> {
    let formatted = verify::formatted(text, limits)?;
    Ok(change::between(text, &formatted))
}

/// Returns the [`edits`] that touch the lines of a range of bytes.
///
/// # Errors
/// The same errors as [`format`](fn@format).
pub fn edits_within(text: &str, range: Range<usize>, limits: &Limits) -> Result<Vec<RangeEdit>, Error> {
    let mut edits = edits(text, limits)?;
    let start = text.get(..range.start).and_then(|before| before.rfind('\n')).map_or(0, |end| end + 1);
    let end =
        text.get(range.end..).and_then(|behind| behind.find('\n')).map_or(text.len(), |at| range.end + at);
    edits.retain(|edit| edit.range.start <= end && edit.range.end > start);
    verify::same_program(text, &edit::applied(text, &edits), limits)?;
    Ok(edits)
}
