//! `Puppetfn::Snapshot`: records the files and directories that Ruby reads.

use std::path::PathBuf;
use std::sync::{Arc, PoisonError, RwLock};

use magnus::{Error, Module, Object, RModule, Ruby, Symbol, function};
use puppetfn::loader::FileSystem;
use puppetfn_cli::snapshot::{ReadKind, Snapshot};

/// The snapshot of the environment whose catalogs this process compiles one after the other.
static CURRENT: RwLock<Option<Arc<Snapshot>>> = RwLock::new(None);

fn current() -> Option<Arc<Snapshot>> {
    CURRENT.read().unwrap_or_else(PoisonError::into_inner).clone()
}

/// Makes another one hold.
pub fn replace(snapshot: Option<Arc<Snapshot>>) {
    *CURRENT.write().unwrap_or_else(PoisonError::into_inner) = snapshot;
}

/// Returns the files of the snapshot, if there is one.
pub fn files() -> Option<Arc<dyn FileSystem>> {
    current().map(|snapshot| snapshot.files())
}

/// @yard
/// @def note(kind, path)
/// Records that the catalog depends on a path.
/// @param kind [Symbol] the kind of dependency: `:type`, `:list`, `:read`, `:names`, `:tree` or `:unknown`
/// @param path [String] empty if unknown
/// @return [String, nil] the digest of the answer, if a snapshot is taken
fn note(ruby: &Ruby, kind: Symbol, path: PathBuf) -> Result<Option<String>, Error> {
    let Some(snapshot) = current() else { return Ok(None) };
    let name = kind.name()?;
    let known = ReadKind::ALL.into_iter().find(|kind| kind.name() == name);
    let known = known
        .ok_or_else(|| Error::new(ruby.exception_arg_error(), format!("unknown kind of question: {name}")))?;
    Ok(snapshot.digest(known, &path))
}

/// @yard
/// @def taken?
/// @return [Boolean] whether a snapshot is taken
fn is_taken() -> bool {
    current().is_some()
}

/// @yard
/// @def begin_for_all
/// Begins a section whose dependencies all later catalogs share.
fn begin_for_all() {
    if let Some(snapshot) = current() {
        snapshot.begin_for_all();
    }
}

/// @yard
/// @def end_for_all
/// Ends the section that `begin_for_all` has begun.
fn end_for_all() {
    if let Some(snapshot) = current() {
        snapshot.end_for_all();
    }
}

/// Defines the module.
pub fn init(puppetfn: RModule) -> Result<(), Error> {
    let module = puppetfn.define_module("Snapshot")?;
    module.define_singleton_method("note", function!(note, 2))?;
    module.define_singleton_method("taken?", function!(is_taken, 0))?;
    module.define_singleton_method("begin_for_all", function!(begin_for_all, 0))?;
    module.define_singleton_method("end_for_all", function!(end_for_all, 0))
}
