//! Names of functions and types.
//!
//! See Puppet's `pops/loader/typed_name.rb`.

/// The kinds of definitions that are loaded by name.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum LoadableKind {
    /// A function.
    Function,
    /// A type.
    Type,
}

/// A kind and a name. Upper and lower case are the same in it.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct TypedName {
    kind: LoadableKind,
    name: String,
}

impl TypedName {
    /// Returns a name of this kind, given with or without a leading `::`; `None` if the text is not a valid name.
    pub fn new(kind: LoadableKind, name: &str) -> Option<Self> {
        let name = name.strip_prefix("::").unwrap_or(name).to_ascii_lowercase();
        name.split("::").all(is_word).then_some(Self { kind, name })
    }

    /// Returns the kind.
    pub fn kind(&self) -> LoadableKind {
        self.kind
    }

    /// Returns the name in lower case, without a leading `::`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the parts between the `::`.
    pub fn parts(&self) -> impl Iterator<Item = &str> {
        self.name.split("::")
    }

    /// Returns the first part, if it is not the only one.
    pub fn namespace(&self) -> Option<&str> {
        self.name.split_once("::").map(|(namespace, _)| namespace)
    }
}

/// Returns true if a text, which is in lower case, can be a part of a name.
pub(super) fn is_word(text: &str) -> bool {
    !text.is_empty()
        && text.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_')
}

/// Returns a name as types are written: each part starts in upper case.
pub(super) fn capitalize(name: &str) -> String {
    let capitalize = |part: &str| {
        let (first, rest) = part.split_at_checked(1).unwrap_or(("", part));
        first.to_ascii_uppercase() + rest
    };
    name.split("::").map(capitalize).collect::<Vec<_>>().join("::")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_in_lower_case_without_leading_colons() {
        let name = TypedName::new(LoadableKind::Type, "::Stdlib::Http::Method").unwrap();
        assert_eq!(name.name(), "stdlib::http::method");
        assert_eq!(name.namespace(), Some("stdlib"));
        assert_eq!(name.parts().count(), 3);
        assert_eq!(TypedName::new(LoadableKind::Function, "abs").unwrap().namespace(), None);
    }

    #[test]
    fn a_name_is_never_a_path() {
        for name in ["", "::", "a::", "a::::b", "a::../b", "a/b", "..", "a b", "é", "a::b.rb"] {
            assert_eq!(TypedName::new(LoadableKind::Function, name), None, "{name}");
        }
    }

    #[test]
    fn types_are_shown_in_upper_case() {
        assert_eq!(capitalize("stdlib::compat::ip_address"), "Stdlib::Compat::Ip_address");
    }
}
