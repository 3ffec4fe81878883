//! Files of modules that functions read.

use std::path::PathBuf;

use super::Loader;
use puppetfn_base::error::Error;
use puppetfn_base::file_system::FileSystem;
use puppetfn_base::target::Target;
use puppetfn_types::function::ModuleFiles;

impl ModuleFiles for Loader {
    fn file_system(&self) -> &dyn FileSystem {
        &*self.files
    }

    fn module_directory(&self, name: &str) -> Result<Option<PathBuf>, Error> {
        Ok(self.modules().by_name()?.get(name).map(|module| module.root().to_owned()))
    }

    fn hides_secrets(&self) -> bool {
        self.hides_secrets
    }

    fn target(&self) -> Target {
        self.target
    }
}
