//! Resource types that are written in Ruby.

use std::borrow::Cow;
use std::sync::Arc;

use crate::value::Value;

/// A resource type that is written in Ruby, as far as a catalog has to know it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NativeType {
    name: Arc<str>,
    attributes: Vec<Arc<str>>,
    keys: Vec<Arc<str>>,
    is_isomorphic: bool,
    titles: TitleMeaning,
}

/// How the titles of a type's resources denote their names.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TitleMeaning {
    /// The whole title is the value of the name parameter.
    Whole,
    /// The same, without slashes at its end.
    Paths,
    /// Code of the type takes it apart.
    Patterns,
}

impl NativeType {
    /// Creates a type by its name in lower case.
    ///
    /// `attributes` are its parameters and properties, without the ones common to all types; `keys` are its attributes that
    /// identify a resource on the node. If the type is isomorphic, the keys are unique among its resources.
    pub fn new(
        name: &str,
        mut attributes: Vec<Arc<str>>,
        mut keys: Vec<Arc<str>>,
        is_isomorphic: bool,
        titles: TitleMeaning,
    ) -> Self {
        attributes.sort();
        keys.sort();
        Self { name: name.into(), attributes, keys, is_isomorphic, titles }
    }

    /// Returns its name in lower case.
    pub fn name(&self) -> &Arc<str> {
        &self.name
    }

    /// Returns true if resources have a parameter or property of this name.
    pub fn has_attribute(&self, name: &str) -> bool {
        self.attributes.binary_search_by(|known| (**known).cmp(name)).is_ok()
    }

    /// Returns the parameter that names a resource: the only key, or `name` for several keys.
    pub fn name_parameter(&self) -> &str {
        match self.keys.as_slice() {
            [only] => only,
            _ => "name",
        }
    }

    /// Returns the parameters whose values must be unique among resources; empty if the type is not isomorphic.
    pub fn unique_parameters(&self) -> &[Arc<str>] {
        if self.is_isomorphic { &self.keys } else { &[] }
    }

    /// Returns how titles denote names.
    pub fn titles(&self) -> TitleMeaning {
        self.titles
    }

    /// Returns the value of the name parameter that a title denotes.
    pub fn name_of<'t>(&self, title: &'t Value) -> Cow<'t, Value> {
        match (self.titles, title) {
            (TitleMeaning::Paths, Value::String(path)) => match without_slashes(path) {
                trimmed if trimmed.len() == path.len() => Cow::Borrowed(title),
                trimmed => Cow::Owned(trimmed.into()),
            },
            _ => Cow::Borrowed(title),
        }
    }
}

/// Trims the slashes at the end of a file's path, except the slash of a root.
fn without_slashes(path: &str) -> &str {
    let trimmed = path.trim_end_matches('/');
    let is_root = trimmed.is_empty() || trimmed.ends_with(':');
    if is_root { path.get(..trimmed.len().saturating_add(1)).unwrap_or(path) } else { trimmed }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_end_without_a_slash() {
        for (title, path) in [("/a/b//", "/a/b"), ("/", "/"), ("C:/", "C:/"), ("/a", "/a")] {
            assert_eq!(without_slashes(title), path);
        }
    }
}
