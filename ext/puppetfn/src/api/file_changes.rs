//! `Puppetfn::FileChanges`: waits for changes of files.

use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use magnus::{Error, Module, Object, RArray, RModule, Ruby, TypedData, function, method};
use puppetfn_cli::FileChanges as Watched;

use crate::ruby::classes::define_class;
use crate::ruby::error::guarded;
use crate::ruby::raw::unlocked;

/// Changes of files since its creation.
#[derive(TypedData)]
#[magnus(class = "Puppetfn::FileChanges", free_immediately)]
struct RubyFileChanges(Mutex<Watched>);

impl magnus::DataTypeFunctions for RubyFileChanges {}

impl RubyFileChanges {
    /// @yard
    /// @def new(paths)
    /// Starts to watch source and data files below paths.
    /// @api private
    /// @param paths [Array<String>]
    /// @raise [RuntimeError] if the system cannot watch a path
    fn new(ruby: &Ruby, paths: Vec<PathBuf>) -> Result<Self, Error> {
        guarded(ruby, || {
            let watched =
                Watched::of(&paths).map_err(|message| Error::new(ruby.exception_runtime_error(), message))?;
            Ok(Self(Mutex::new(watched)))
        })
    }

    /// @yard
    /// @def wait
    /// Waits until files have changed, and no more of them change.
    /// @api private
    /// @return [Array<String>, nil] their paths, one of which is empty if any file can have changed; nil if the system notifies no more
    fn wait(ruby: &Ruby, this: &Self) -> Result<Option<RArray>, Error> {
        guarded(ruby, || {
            let changed = unlocked(ruby, |is_interrupted| {
                this.0.lock().unwrap_or_else(PoisonError::into_inner).wait(is_interrupted)
            })?;
            Ok(changed.map(|paths| ruby.ary_from_iter(paths)))
        })
    }
}

/// Defines the class.
pub fn init(ruby: &Ruby, puppetfn: RModule) -> Result<(), Error> {
    let class = define_class::<RubyFileChanges>(ruby, puppetfn, "FileChanges", ruby.class_object())?;
    class.define_singleton_method("new", function!(RubyFileChanges::new, 1))?;
    class.define_method("wait", method!(RubyFileChanges::wait, 0))?;
    Ok(())
}
