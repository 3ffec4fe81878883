//! The texts of all that is on the modulepath.

use std::path::{Path, PathBuf};

use super::{EntryKind, Loader};
use puppetfn_base::error::Error;

/// The directories of modules and environments that have code, and how the files with code end.
const DIRECTORIES: [&str; 6] = ["manifests", "functions", "plans", "templates", "types", "lib"];
const EXTENSIONS: [&str; 4] = ["pp", "epp", "erb", "rb"];

/// Maximum depth of directories.
const DEEPEST: u32 = 32;

impl Loader {
    /// Calls `visit` with the text of each file of code in the modules and the environment, and with the module. Unreadable files
    /// are left out.
    ///
    /// # Errors
    /// [`ErrorKind::Load`](puppetfn_base::error::ErrorKind::Load) when the modules cannot be listed.
    pub fn each_text(&self, visit: &mut dyn FnMut(Option<&str>, &str)) -> Result<(), Error> {
        for module in self.modules().by_name()?.values() {
            self.texts_below(module.root(), Some(module.name()), visit);
        }
        if let Some(environment) = self.environment() {
            self.texts_below(environment, None, visit);
        }
        Ok(())
    }

    fn texts_below(&self, root: &Path, module: Option<&str>, visit: &mut dyn FnMut(Option<&str>, &str)) {
        let mut left: Vec<(PathBuf, u32)> =
            DIRECTORIES.iter().map(|directory| (root.join(directory), DEEPEST)).collect();
        while let Some((directory, depth)) = left.pop() {
            let Some(depth) = depth.checked_sub(1) else { continue };
            for entry in self.files.list(&directory).unwrap_or_default() {
                let path = directory.join(&entry.name);
                if entry.kind == EntryKind::Directory {
                    left.push((path, depth));
                } else if entry.name.rsplit_once('.').is_some_and(|(_, end)| EXTENSIONS.contains(&end))
                    && let Ok(content) = self.files.read(&path)
                {
                    visit(module, &String::from_utf8_lossy(&content));
                }
            }
        }
    }
}
