//! Types as models in Ecore, the language of the Eclipse Modeling Framework.
//!
//! A namespace is a package: `Shop::User` is the class `User` of the package `shop`, whose URI is
//! `puppet:/Shop`. Types without a namespace are in a package with the URI `puppet:/`. Annotations have the parts
//! that Ecore cannot express: the types of attributes that only Puppet has, and, on request, the code.

mod export;
mod import;

pub use export::{ExportOptions, export};
pub use import::{Imported, import};

/// The namespace of Ecore.
const ECORE: &str = "http://www.eclipse.org/emf/2002/Ecore";
/// The source of our own annotations.
const SOURCE: &str = "https://github.com/puppetfn/puppetfn/entity-types";
/// The prefix of the URIs of packages with types of Puppet.
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
