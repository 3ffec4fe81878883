//! Files that match a pattern of paths, as Ruby's `Dir.glob` finds them.
//!
//! See Ruby's `dir.c`.

mod braces;
mod fnmatch;
mod pattern;
mod walk;

use std::path::{Path, PathBuf};

use puppetfn_base::error::{Error, ErrorKind};
use puppetfn_base::file_system::FileSystem;
use puppetfn_base::limits::Limits;

pub use self::braces::braces;
pub use self::fnmatch::matches;
use self::pattern::GlobPattern;
use self::walk::{GlobDirectory, GlobWalk};

/// Returns the files that match an absolute pattern, in Ruby's order. `poll` is called for each directory, and may stop the search.
///
/// Directories are left out, as in Puppet, and so are pipes and other files whose reading may block. A pattern that Ruby cannot read matches
/// nothing.
///
/// # Errors
/// Fails if more entries of directories than [`Limits::size`] are looked at, if alternatives are too many, and with
/// the errors of `poll`.
pub(super) fn files(
    system: &dyn FileSystem,
    pattern: &Path,
    limits: &Limits,
    poll: &dyn Fn() -> Result<(), Error>,
) -> Result<Vec<PathBuf>, Error> {
    let text = pattern.to_string_lossy();
    let mut walk = GlobWalk::new(system, limits, poll);
    let parsed = GlobPattern::parse(text.strip_prefix('/').unwrap_or(&text));
    let found = walk.enter(&GlobDirectory::root(), &parsed);
    found.map_err(|error| match error.kind() {
        ErrorKind::Limit => error.reworded(|message| format!("the pattern '{text}': {message}")),
        _ => error,
    })?;
    Ok(walk.found)
}
