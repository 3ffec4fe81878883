//! References to resources.
#![allow(
    clippy::wildcard_enum_match_arm,
    reason = "two kinds of types refer to resources, and no other does"
)]

use std::fmt;
use std::sync::Arc;

use serde::{Serialize, Serializer};

use super::{ResourceType, Type};
use crate::value::Value;

/// The type and the title of a resource: `File[/etc/motd]`.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Reference {
    type_name: Arc<str>,
    title: Arc<str>,
}

impl Reference {
    /// Creates a reference. Each part of the name of the type is capitalized, and so is the title of a class. The
    /// class of the top level has no name; code cannot name it by its title, `main`.
    pub fn new(type_name: &str, title: &str) -> Self {
        let type_name = capitalize_segments(type_name.strip_prefix("::").unwrap_or(type_name));
        let title = match (&*type_name, title) {
            ("Class", "") => "main".into(),
            ("Class", name) => capitalize_segments(name.strip_prefix("::").unwrap_or(name)),
            (_, title) => title.to_owned(),
        };
        Self { type_name: type_name.into(), title: title.into() }
    }

    /// Does the same as [`Self::new`], and shares the texts if they stay as they are.
    pub fn of_texts(type_name: &Arc<str>, title: &Arc<str>) -> Self {
        if !type_name.starts_with(|c: char| c.is_ascii_uppercase()) || **type_name == *"Class" {
            return Self::new(type_name, title);
        }
        Self { type_name: Arc::clone(type_name), title: Arc::clone(title) }
    }

    /// Creates a reference to the class of this name.
    pub fn class(name: &str) -> Self {
        Self::new("Class", name)
    }

    /// Parses a reference as displayed, `File[/etc/motd]`. `None` if it is something else.
    pub fn parse(text: &str) -> Option<Self> {
        let (type_name, rest) = text.split_once('[')?;
        let title = rest.strip_suffix(']')?;
        let is_complete = !type_name.is_empty() && !type_name.contains(']') && !title.is_empty();
        is_complete.then(|| Self::new(type_name, title))
    }

    /// Returns the reference that a type is, if it is one to a single resource.
    pub fn of_type(t: &Type) -> Option<Self> {
        match t {
            Type::Class(Some(name)) => Some(Self::class(name)),
            Type::Resource(resource) if resource.is_untitled() => None,
            Type::Resource(resource) => {
                Some(Self::new(resource.type_name.as_ref()?, resource.title.as_ref()?))
            }
            Type::Type(Some(inner)) => Self::of_type(inner),
            _ => None,
        }
    }

    /// Returns the reference that a type is in a relationship: one without a title if it is to all resources of a type.
    pub fn related(t: &Type) -> Option<Self> {
        match t {
            Type::Resource(resource) if resource.is_untitled() => {
                Some(Self::new(resource.type_name.as_ref()?, ""))
            }
            Type::Type(Some(inner)) => Self::related(inner),
            t => Self::of_type(t),
        }
    }

    /// Returns the text of a type in lists of references: `File[/a]`, and `File[]` for all files.
    pub fn shown(t: &Type) -> Option<String> {
        match t {
            Type::Resource(resource) if resource.is_untitled() => {
                resource.type_name.as_ref().map(|name| format!("{}[]", capitalize_segments(name)))
            }
            t => Self::of_type(t).map(|reference| reference.to_string()),
        }
    }

    /// Returns the value of a parameter that is set to a reference, even one to all resources of a type.
    pub fn given(t: &Type) -> Option<Type> {
        let reference = match t {
            Type::Class(Some(name)) => Self::class(name),
            Type::Resource(resource) if !resource.is_given => {
                Self::new(resource.type_name.as_ref()?, resource.title.as_deref().unwrap_or_default())
            }
            _ => return None,
        };
        Some(reference.to_given())
    }

    /// Returns the reference as the value of a parameter.
    pub fn to_given(&self) -> Type {
        let (type_name, title) = (Some(Arc::clone(&self.type_name)), Some(Arc::clone(&self.title)));
        Type::Resource(Arc::new(ResourceType { type_name, title, is_given: true }))
    }

    /// Returns the reference that a value is, or that it has the text of.
    pub fn of_value(value: &Value) -> Option<Self> {
        match value {
            Value::Type(t) => Self::of_type(t),
            Value::String(text) => Self::parse(text),
            _ => None,
        }
    }

    /// Returns the name of the type, `File`.
    pub fn type_name(&self) -> &Arc<str> {
        &self.type_name
    }

    /// Returns the title.
    pub fn title(&self) -> &Arc<str> {
        &self.title
    }

    /// Returns the type that denotes the reference in Puppet code.
    pub fn to_type(&self) -> Type {
        if &*self.type_name == "Class" {
            return Type::Class(Some(self.title.to_lowercase().into()));
        }
        let (type_name, title) = (Some(Arc::clone(&self.type_name)), Some(Arc::clone(&self.title)));
        Type::Resource(Arc::new(ResourceType::new(type_name, title)))
    }
}

impl fmt::Display for Reference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // There are two for each edge of a catalog, where `write!` takes several times as long.
        f.write_str(&self.type_name)?;
        f.write_str("[")?;
        f.write_str(&self.title)?;
        f.write_str("]")
    }
}

/// Serialized as its text, `File[/a]`.
impl Serialize for Reference {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// Makes the segments of a name start in upper case, unless the first already does.
pub fn capitalize_segments(name: &str) -> String {
    if name.starts_with(|c: char| c.is_ascii_uppercase()) {
        return name.to_owned();
    }
    let capitalize = |segment: &str| {
        let mut chars = segment.chars();
        let first = chars.next().into_iter().flat_map(char::to_uppercase);
        first.chain(chars.flat_map(char::to_lowercase)).collect::<String>()
    };
    name.split("::").map(capitalize).collect::<Vec<_>>().join("::")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shared_texts_make_the_same_references() {
        for (type_name, title) in
            [("File", "/a"), ("a::b", "x"), ("::a", "x"), ("Class", "a::b"), ("Class", "")]
        {
            let shared = Reference::of_texts(&type_name.into(), &title.into());
            assert_eq!(shared, Reference::new(type_name, title));
        }
    }

    #[test]
    fn references_are_read_as_they_are_shown() {
        for (text, shown) in [
            ("File[/a[b]]", Some("File[/a[b]]")),
            ("apache::vhost[x]", Some("Apache::Vhost[x]")),
            ("class[a::b]", Some("Class[A::B]")),
            ("::Class[::a]", Some("Class[A]")),
            ("File[]", None),
            ("File", None),
            ("[x]", None),
        ] {
            assert_eq!(Reference::parse(text).map(|r| r.to_string()).as_deref(), shown, "{text}");
        }
    }
}
