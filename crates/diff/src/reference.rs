//! References to resources.

use std::fmt;
use std::sync::Arc;

/// The type and the title of a resource, `File[/a]`.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Reference {
    /// The name of the type, in Puppet's capitals.
    pub type_name: Arc<str>,
    /// The title; that of a class is in capitals, too.
    pub title: Arc<str>,
}

impl Reference {
    /// Creates a reference, however its names are written.
    pub fn new(type_name: &str, title: &str) -> Self {
        let type_name = capitals(type_name);
        let title = match &*type_name {
            "Class" if title.eq_ignore_ascii_case("main") => "main".to_owned(),
            "Class" => capitals(title),
            _ => title.to_owned(),
        };
        Self { type_name: type_name.into(), title: title.into() }
    }

    /// Reads `Type[title]`.
    pub fn parse(text: &str) -> Option<Self> {
        let (type_name, rest) = text.split_once('[')?;
        let title = rest.strip_suffix(']')?;
        let is_name =
            !type_name.is_empty() && type_name.chars().all(|c| c.is_alphanumeric() || c == ':' || c == '_');
        is_name.then(|| Self::new(type_name, title))
    }

    /// Returns true for classes.
    pub fn is_class(&self) -> bool {
        &*self.type_name == "Class"
    }
}

impl fmt::Display for Reference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}[{}]", self.type_name, self.title)
    }
}

fn capitals(name: &str) -> String {
    let part = |part: &str| {
        let mut letters = part.chars();
        letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
    };
    name.trim_start_matches("::").split("::").map(part).collect::<Vec<String>>().join("::")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_in_capitals() {
        for (text, expected) in [
            ("file[/a]", "File[/a]"),
            ("class[::ntp::server]", "Class[Ntp::Server]"),
            ("Class[Main]", "Class[main]"),
            ("my::type[a[b]]", "My::Type[a[b]]"),
        ] {
            assert_eq!(Reference::parse(text).unwrap().to_string(), expected);
        }
        for text in ["", "File", "[a]", "File[a", "a text [with] brackets]"] {
            assert_eq!(Reference::parse(text), None, "{text}");
        }
    }
}
