//! Names that were probably meant by names that may belong to missing modules.

use super::super::near::{is_slip, is_slip_of_known};
use super::{
    Callee, ResolvedModuleFile, ResolvedResourceType, ResolvedTypeName, TextOrigin, VENDORED, World,
};
use puppetfn_catalog::builtin_type_names;
use puppetfn_types::types::ops::describe::most_similar;
use puppetfn_types::types::parse::capitalize_segments;

impl World {
    /// Returns the name as it would be in a module that is there, if it is written for one of that: the names of the
    /// modules are a slip apart, and such a name exists.
    fn of_module_meant(&self, name: &str, exists: impl Fn(&str) -> bool) -> Option<String> {
        let name = name.trim_start_matches("::");
        let (written, rest) = name.split_at(name.find("::").unwrap_or(name.len()));
        let module = written.to_lowercase();
        if self.modules.contains(&*module) {
            return None;
        }
        // `user` may be a module beside `users`. Two that have the same names in them are rare.
        let is_meant = |known: &str| {
            if rest.is_empty() { is_slip_of_known(&module, known) } else { is_slip(&module, known) }
        };
        let is_capital = written.starts_with(|first: char| first.is_ascii_uppercase());
        let cased = |known: &str| if is_capital { capitalize_segments(known) } else { known.to_owned() };
        let near = self.modules.iter().filter(|known| is_meant(known));
        near.map(|known| format!("{}{rest}", cased(known))).filter(|name| exists(name)).min()
    }

    /// Returns the class that is meant by a name.
    pub(in super::super) fn class_meant(&self, name: &str) -> Option<String> {
        self.of_module_meant(&name.to_lowercase(), |name| self.class(name).is_ok())
    }

    /// Returns the class that is meant by the name before a variable of it.
    pub(in super::super) fn class_meant_with(&self, class: &str, variable: &str) -> Option<String> {
        let exists = |name: &str| self.class(name).is_ok_and(|class| self.may_set(&class, variable));
        self.of_module_meant(class, exists)
    }

    /// Returns the function that is meant by a name.
    pub(in super::super) fn function_meant(&self, name: &str, origin: &TextOrigin) -> Option<String> {
        if name.contains("::") {
            return self.of_module_meant(name, |name| {
                !matches!(self.function(name, origin), Callee::Unsure | Callee::Missing)
            });
        }
        known_meant(name, self.function_names().iter().map(String::as_str))
    }

    /// Returns the type that is meant by a name.
    pub(in super::super) fn type_meant(&self, name: &str, origin: &TextOrigin) -> Option<String> {
        if name.contains("::") {
            return self.of_module_meant(name, |name| {
                matches!(
                    self.type_named(name, origin),
                    ResolvedTypeName::Type(_) | ResolvedTypeName::Resource
                )
            });
        }
        known_meant(name, self.type_names().iter().map(String::as_str))
    }

    /// Returns the resource type that is meant by a name.
    pub(in super::super) fn resource_type_meant(&self, name: &str, origin: &TextOrigin) -> Option<String> {
        let name = name.to_lowercase();
        if name.contains("::") {
            return self.of_module_meant(&name, |name| {
                !matches!(self.resource(name), ResolvedResourceType::Unsure | ResolvedResourceType::Missing)
            });
        }
        let of_modules = self.loader.resource_types().unwrap_or_default();
        let defined = self.resource_types.keys().filter(|name| !name.contains("::"));
        let others = of_modules.keys().chain(defined).map(String::as_str);
        let known = builtin_type_names().into_iter().chain(VENDORED).chain(others);
        if self.is_complete_for(origin) {
            // Nothing that the code may use has this name.
            return most_similar(&name, known).first().map(|&meant| meant.to_owned());
        }
        known_meant(&name, known)
    }

    /// Returns the path that is meant by one of a file in a module.
    pub(in super::super) fn file_meant(&self, directory: &str, path: &str, ending: &str) -> Option<String> {
        let (module, file) = path.split_once('/')?;
        let exists = |name: &str| {
            matches!(
                self.module_file(directory, &format!("{name}/{file}"), ending),
                ResolvedModuleFile::Found(_)
            )
        };
        // A file in a module is as good a hint as a definition with the module's name.
        let meant = self.modules.iter().filter(|known| is_slip(module, known) && exists(known)).min()?;
        Some(format!("{meant}/{file}"))
    }
}

/// Returns the one of several names without a module that another is written for.
fn known_meant<'k>(name: &str, known: impl IntoIterator<Item = &'k str>) -> Option<String> {
    let known = known.into_iter().filter(|known| is_slip_of_known(name, known));
    most_similar(name, known).first().map(|&meant| meant.to_owned())
}
