//! Types as models in Ecore, the language of the Eclipse Modeling Framework.
//!
//! A namespace is a package: `Shop::User` is the class `User` of the package `shop`, whose URI is
//! `puppet:/Shop`. Types without a namespace are in a package with the URI `puppet:/`. What Ecore has no word
//! for is in annotations: the types of attributes that only Puppet has, and, if that is asked for, the code.

mod export;
mod import;

pub use export::{Export, export};
pub use import::{Imported, import};

/// The namespace of Ecore.
const ECORE: &str = "http://www.eclipse.org/emf/2002/Ecore";
/// What annotations of ours name as their source.
const SOURCE: &str = "https://github.com/puppetfn/puppetfn/entity-types";
/// What the URIs of packages begin with that have types of Puppet.
pub(super) const URI: &str = "puppet:/";
/// Keys of annotations.
const TYPE: &str = "type";
const VERSION: &str = "version";
const DEFAULT: &str = "default";
const INVARIANT: &str = "invariant";
const MESSAGE: &str = "message";

/// Returns the URI of the package of a namespace.
pub(super) fn uri(namespace: &[&str]) -> String {
    format!("{URI}{}", namespace.join("/"))
}

/// Returns the name of the package of a namespace, alone or as a prefix in documents.
pub(super) fn prefix(namespace: &[&str]) -> String {
    if namespace.is_empty() { "types".to_owned() } else { namespace.join("_").to_lowercase() }
}

/// Returns the namespace and the last part of a type's name.
pub(super) fn split(name: &str) -> (Vec<&str>, &str) {
    let mut parts: Vec<&str> = name.split("::").collect();
    let last = parts.pop().unwrap_or(name);
    (parts, last)
}
