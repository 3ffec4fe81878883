//! The modules of the documented items.

use std::path::{Path, PathBuf};

use serde_json::Value as Json;

use super::item::SiteItem;
use puppetfn_base::file_system::FileSystem;
use puppetfn_doc::module_of;

/// A module, as its `metadata.json` and its `README.md` describe it.
pub(crate) struct SiteModule {
    pub root: PathBuf,
    /// The name in code, without the author's.
    pub name: String,
    /// The `metadata.json`.
    metadata: Json,
    pub readme: Option<String>,
    /// The path of the page within the site.
    pub path: String,
}

impl SiteModule {
    /// Returns the modules of these items by name, and records the module of each item.
    pub fn all(items: &mut [SiteItem<'_>], files: &dyn FileSystem) -> Vec<Self> {
        let mut roots: Vec<PathBuf> = items
            .iter()
            .filter_map(|item| module_of(files, Path::new(item.place()?.0)))
            .map(Path::to_path_buf)
            .collect();
        roots.sort();
        roots.dedup();
        let mut modules: Vec<Self> = roots.into_iter().map(|root| Self::read(root, items, files)).collect();
        modules.sort_by(|a, b| (&a.name, &a.root).cmp(&(&b.name, &b.root)));
        let is_only = modules.len() == 1;
        let mut taken: Vec<String> = Vec::new();
        for module in &mut modules {
            let safe = |c: char| if c.is_ascii_alphanumeric() || c == '_' { c } else { '-' };
            let name: String = module.name.chars().map(safe).collect();
            let same = taken.iter().filter(|other| other.eq_ignore_ascii_case(&name)).count();
            let number = if same > 0 { format!("-{}", same.saturating_add(1)) } else { String::new() };
            module.path =
                if is_only { "index.html".to_owned() } else { format!("modules/{name}{number}.html") };
            taken.push(name);
        }
        for item in items {
            let root = item.place().and_then(|(file, _)| module_of(files, Path::new(file)));
            item.module = root.and_then(|root| modules.iter().position(|module| module.root == root));
        }
        modules
    }

    fn read(root: PathBuf, items: &[SiteItem<'_>], files: &dyn FileSystem) -> Self {
        let text = |name: &str| {
            let content = files.read(&root.join(name)).ok()?;
            Some(String::from_utf8_lossy(&content).trim_start_matches('\u{feff}').to_owned())
        };
        let metadata: Json =
            text("metadata.json").and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default();
        let readme = text("README.md").or_else(|| text("README.markdown"));
        let stated = metadata.get("name").and_then(Json::as_str);
        // A root of `.` has no name, but the names of a module's definitions begin with it.
        let of_items = || {
            let init = root.join("manifests/init.pp");
            items.iter().find(|item| item.place().is_some_and(|(file, _)| Path::new(file) == init))
        };
        let name = stated
            .map(|name| name.rsplit(['-', '/']).next().unwrap_or(name).to_owned())
            .or_else(|| of_items().map(|item| item.name.to_owned()))
            .or_else(|| root.file_name().map(|name| name.to_string_lossy().into_owned()))
            .unwrap_or_else(|| "module".to_owned());
        Self { name, metadata, readme, path: String::new(), root }
    }

    /// Returns the text of a key in the metadata.
    pub fn stated(&self, key: &str) -> Option<&str> {
        self.metadata.get(key).and_then(Json::as_str).filter(|text| !text.is_empty())
    }

    /// Returns the module's dependencies, with their version requirements.
    pub fn dependencies(&self) -> Vec<(&str, &str)> {
        let dependencies = self.metadata.get("dependencies").and_then(Json::as_array);
        dependencies.into_iter().flatten().filter_map(dependency).collect()
    }
}

/// Forges that serve the files of a repository under the same URL scheme.
const FORGES: [&str; 2] = ["https://github.com/", "https://gitlab.com/"];

impl SiteModule {
    /// Returns the address of the repository, if links to its files are possible.
    pub fn repository(&self) -> Option<&str> {
        let address = self.stated("source")?;
        let address = address.trim_end_matches('/').trim_end_matches(".git");
        FORGES.iter().any(|forge| address.starts_with(forge)).then_some(address)
    }
}

/// Returns the name and the version requirement of a dependency.
fn dependency(one: &Json) -> Option<(&str, &str)> {
    let text = |key: &str| one.get(key).and_then(Json::as_str);
    Some((text("name")?, text("version_requirement").unwrap_or_default()))
}
