//! Runtimes with the modules of a modulepath.

use std::path::PathBuf;
use std::sync::Arc;

use super::{Loader, StdFileSystem};
use crate::eval::RuntimeBuilder;
use puppetfn_base::limits::Limits;

impl Loader {
    /// Creates a loader for the modules in the directories of a modulepath, in order of preference.
    pub fn of_modulepath<P: Into<PathBuf>>(directories: impl IntoIterator<Item = P>) -> Self {
        let directories = directories.into_iter().map(Into::into).collect();
        Self::new(Arc::new(StdFileSystem::DEFAULT), directories, None, Limits::DEFAULT)
    }
}

impl RuntimeBuilder {
    /// Adds the modules in the directories of a modulepath, in order of preference: their functions, types, classes, defined types,
    /// files and data. Functions and data types in Ruby cannot be called without a host that runs Ruby.
    ///
    /// ```
    /// use puppetfn::eval::Runtime;
    ///
    /// let runtime = Runtime::builder().modulepath(["/etc/puppetlabs/code/modules", "/usr/share/puppet/modules"]).build();
    /// assert_eq!(runtime.evaluate("module_directory('nosuch')", None)?.to_string(), "");
    /// # Ok::<(), puppetfn::error::Error>(())
    /// ```
    #[must_use]
    pub fn modulepath<P: Into<PathBuf>>(self, directories: impl IntoIterator<Item = P>) -> Self {
        self.loader(Arc::new(Loader::of_modulepath(directories)))
    }

    /// Adds all that a loader finds, as [`Self::modulepath`] does.
    #[must_use]
    pub fn loader(self, loader: Arc<Loader>) -> Self {
        self.functions(Arc::clone(&loader))
            .types(Arc::clone(&loader) as _)
            .files(Arc::clone(&loader) as _)
            .modules(loader)
    }
}
