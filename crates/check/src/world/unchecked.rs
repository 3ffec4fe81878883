//! Names that could not be checked, because modules are missing.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::PoisonError;

use super::super::TextOrigin;
use super::super::rule::Rule;
use super::World;
use puppetfn_types::convert::json;
use puppetfn_types::function::ModuleFiles;
use puppetfn_types::value::Value;

/// Names that were not checked, by the modules, of which none is there, that may define them. There are no modules where
/// these are not known.
pub type UncheckedNames = BTreeMap<Vec<String>, BTreeSet<String>>;

/// The rules that report unknown names.
const RULES: [Rule; 4] =
    [Rule::UnknownFunction, Rule::UnknownType, Rule::UnknownClass, Rule::UnknownResourceType];

impl World {
    /// Returns true if a module has a `metadata.json` that is not JSON, so that its dependencies are unknown.
    pub(super) fn has_broken_metadata(&self, module: &str) -> bool {
        let known = || self.broken_metadata.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(is_broken) = known().get(module) {
            return *is_broken;
        }
        let directory = self.loader.module_directory(module).ok().flatten();
        let text =
            directory.and_then(|root| self.loader.file_system().read(&root.join("metadata.json")).ok());
        let is_json = |text: &[u8]| {
            matches!(json::parse(&String::from_utf8_lossy(text), &self.limits), Ok(Ok(Value::Hash(_))))
        };
        let is_broken = text.is_some_and(|text| !is_json(&text));
        known().insert(module.to_owned(), is_broken);
        is_broken
    }

    /// Notes that a name was not checked, because its definition may be in a missing module.
    pub(in super::super) fn note_unchecked(&self, name: &str, origin: &TextOrigin) {
        let name = name.trim_start_matches("::").to_lowercase();
        let modules = match (name.split_once("::"), &origin.module) {
            (Some((module, _)), _) => vec![module.to_owned()],
            (None, Some(module)) => {
                let missing = self.loader.missing_dependencies(module).ok().flatten().unwrap_or_default();
                missing.iter().map(ToString::to_string).collect()
            }
            (None, None) => Vec::new(),
        };
        self.note_unchecked_of(modules, name);
    }

    /// Notes the same of a class, which is in the module that it is named after.
    pub(in super::super) fn note_unchecked_class(&self, name: &str) {
        let name = name.trim_start_matches("::").to_lowercase();
        let module = name.split("::").next().unwrap_or_default().to_owned();
        self.note_unchecked_of(vec![module], name);
    }

    fn note_unchecked_of(&self, modules: Vec<String>, name: String) {
        if !RULES.into_iter().any(|rule| self.selection.has(rule)) {
            return;
        }
        let mut unchecked = self.unchecked.lock().unwrap_or_else(PoisonError::into_inner);
        unchecked.entry(modules).or_default().insert(name);
    }

    /// Returns the names that the checked texts use and that were not checked.
    pub fn unchecked(&self) -> UncheckedNames {
        self.unchecked.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}
