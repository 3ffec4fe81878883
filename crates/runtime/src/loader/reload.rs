//! Finds out which of the loaded files have changed.

use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

use sha2::{Digest, Sha256};

use super::{FileSystem, Loader, Modules};
use crate::eval::{LoadedFunction, Runtime};
use puppetfn_base::error::Error;

/// The differences that a reload has found.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct ReloadChanges {
    /// The files that were read, and that are gone now or have other contents.
    pub files: BTreeSet<PathBuf>,
    /// Whether names of types may have other meanings. If so, all code that uses types is affected.
    pub types: bool,
}

/// The files that were read, with stamps of their contents.
#[derive(Default)]
pub(super) struct ReadFiles(Mutex<HashMap<PathBuf, ContentStamp>>);

/// The identity of a file's content.
struct ContentStamp {
    modified: Option<SystemTime>,
    digest: [u8; 32],
    /// The content, where it is code that other runtimes read, too.
    text: Option<Arc<str>>,
}

impl ReadFiles {
    /// Records the content of a file. `modified` is the time of its last change, from before it was read.
    pub fn note(&self, path: &Path, modified: Option<SystemTime>, content: &[u8]) {
        let stamp = ContentStamp { modified, digest: digest(content), text: None };
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(path.to_owned(), stamp);
    }

    /// Caches the text of a file that was read.
    pub fn keep(&self, path: &Path, text: &Arc<str>) {
        if let Some(stamp) = self.0.lock().unwrap_or_else(PoisonError::into_inner).get_mut(path) {
            stamp.text = Some(Arc::clone(text));
        }
    }

    /// Returns the cached text of a file, with the time of its last change.
    pub fn text(&self, path: &Path) -> Option<(Arc<str>, Option<SystemTime>)> {
        let stamps = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let stamp = stamps.get(path)?;
        Some((stamp.text.clone()?, stamp.modified))
    }

    /// Forgets the files that have changed, and returns them. A file whose time is the same is not read.
    fn take_changed(&self, files: &dyn FileSystem) -> BTreeSet<PathBuf> {
        let mut changed = BTreeSet::new();
        let mut stamps = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        stamps.retain(|path, stamp| {
            let modified = files.modified(path).ok().flatten();
            if modified.is_some() && modified == stamp.modified {
                return true;
            }
            let is_same = files.read(path).is_ok_and(|content| digest(&content) == stamp.digest);
            if is_same {
                stamp.modified = modified;
            } else {
                changed.insert(path.clone());
            }
            is_same
        });
        changed
    }
}

fn digest(content: &[u8]) -> [u8; 32] {
    Sha256::digest(content).into()
}

impl ReloadChanges {
    /// Returns true if all is as it was.
    pub fn is_empty(&self) -> bool {
        self.files.is_empty() && !self.types
    }

    /// Makes a runtime forget the loaded functions that have changed. The definitions that code has made stay, and so do
    /// the classes and resources of a catalog.
    pub fn tell(&self, loader: &Loader, runtime: &Runtime) {
        runtime.forget_functions(|LoadedFunction { name, module, file }| {
            let file = Path::new(file);
            let is_same = !self.types && !self.files.contains(file);
            is_same
                && loader
                    .find_function_for(name, *module)
                    .is_ok_and(|found| found.is_some_and(|found| found.path == file))
        });
    }
}

impl Loader {
    /// Looks at all directories and files again, and forgets the ones that have changed. Functions and types that are
    /// loaded stay usable.
    ///
    /// # Errors
    /// [`puppetfn_base::error::ErrorKind::Load`] when a directory cannot be listed. Nothing is forgotten then.
    pub fn reload(&self) -> Result<ReloadChanges, Error> {
        let found = Arc::new(self.unlisted());
        let resolved = self.types();
        let mut moved = false;
        for name in resolved.names() {
            let path = |modules: &Modules| Ok::<_, Error>(modules.locate(&name)?.map(|located| located.path));
            moved |= path(&self.modules())? != path(&found)?;
        }
        let files = self.read_files.take_changed(&*self.files);
        let types = moved || resolved.is_of(&files);
        if types {
            let mut current = self.types.write().unwrap_or_else(PoisonError::into_inner);
            // Types that use each other are owned by these alone, and may be in use.
            current.insert(0, Arc::default());
            self.host_types.write().unwrap_or_else(PoisonError::into_inner).clear();
        }
        *self.modules.write().unwrap_or_else(PoisonError::into_inner) = found;
        Ok(ReloadChanges { files, types })
    }
}
