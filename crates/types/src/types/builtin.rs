//! The named types that Puppet itself defines.
//!
//! See Puppet's `pops/loader/static_loader.rb` and `pops/types/type_factory.rb`.

use std::sync::{Arc, LazyLock};

use super::object::builtin as objects;
use super::{Alias, ResourceType, Type};

fn define(name: &str, body: impl Fn(Type) -> Type) -> Type {
    let alias = Alias::define(name, |me| Ok(body(Type::Alias(me))));
    // `body` cannot fail; a reference by name is the meaning of an undefined alias anyway.
    alias.map_or_else(|_| Type::Reference(name.into()), Type::Alias)
}

pub use super::object::builtin::lookup_context;
pub use super::object::builtin::object;
pub use crate::value::types::any_type_set as type_set;

/// Returns `Data`: the values that JSON can express.
pub fn data() -> Type {
    static DATA: LazyLock<Type> = LazyLock::new(|| {
        define("Data", |me| {
            Type::variant([
                Type::ScalarData,
                Type::Undef,
                Type::hash(Type::STRING, me.clone(), None),
                Type::array(me, None),
            ])
        })
    });
    DATA.clone()
}

/// Returns `RichDataKey`: the keys of hashes of `RichData`.
pub fn rich_data_key() -> Type {
    static KEY: LazyLock<Type> =
        LazyLock::new(|| define("RichDataKey", |_| Type::variant([Type::STRING, Type::Numeric])));
    KEY.clone()
}

/// Returns `RichData`: the values that Puppet can serialize.
pub fn rich_data() -> Type {
    static RICH: LazyLock<Type> = LazyLock::new(|| {
        define("RichData", |me| {
            Type::variant([
                Type::Scalar,
                Type::SemVerRange,
                Type::Binary,
                Type::Sensitive(None),
                Type::Type(None),
                type_set(),
                Type::Uri(Arc::default()),
                object(),
                Type::Undef,
                Type::Default,
                Type::hash(rich_data_key(), me.clone(), None),
                Type::array(me, None),
            ])
        })
    });
    RICH.clone()
}

/// Returns `Puppet::LookupKey`: the keys of lookups.
fn lookup_key() -> Type {
    static KEY: LazyLock<Type> = LazyLock::new(|| define("Puppet::LookupKey", |_| rich_data_key()));
    KEY.clone()
}

/// Returns `Puppet::LookupValue`: the values of lookups.
fn lookup_value() -> Type {
    static VALUE: LazyLock<Type> = LazyLock::new(|| define("Puppet::LookupValue", |_| rich_data()));
    VALUE.clone()
}

/// The resource types that every environment has.
const RESOURCES: [&str; 15] = [
    "Component",
    "Exec",
    "File",
    "Filebucket",
    "Group",
    "Node",
    "Notify",
    "Package",
    "Resources",
    "Schedule",
    "Service",
    "Stage",
    "Tidy",
    "User",
    "Whit",
];

type BuiltinAlias = (&'static str, fn() -> Type);

const ALIASES: [BuiltinAlias; 5] = [
    ("Data", data),
    ("RichData", rich_data),
    ("RichDataKey", rich_data_key),
    ("Puppet::LookupKey", lookup_key),
    ("Puppet::LookupValue", lookup_value),
];

/// Returns the type of Puppet's own with this name, which may be written in upper or lower case, that has
/// no variant of [`Type`] for itself: named types, Object types and resource types.
pub fn find(name: &str) -> Option<Type> {
    if let Some((_, alias)) = ALIASES.iter().find(|(alias, _)| alias.eq_ignore_ascii_case(name)) {
        return Some(alias());
    }
    if let Some(object) = objects::find(name) {
        return Some(object);
    }
    RESOURCES
        .iter()
        .find(|resource| resource.eq_ignore_ascii_case(name))
        .map(|resource| Type::Resource(Arc::new(ResourceType::new(Some((*resource).into()), None))))
}

/// Returns true if a named type is one of Puppet's own.
pub(crate) fn is_alias(name: &str) -> bool {
    ALIASES.iter().any(|(alias, _)| *alias == name)
}
