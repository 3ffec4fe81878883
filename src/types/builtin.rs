//! The named types that Puppet itself defines.

use std::sync::LazyLock;

use super::{AliasType, Type};

fn define(name: &str, body: impl Fn(Type) -> Vec<Type>) -> Type {
    let alias = AliasType::define(name, |me| Ok(Type::variant(body(Type::Alias(me)))));
    // Nothing in `body` can fail; a reference by name is what an undefined alias is anyway.
    alias.map_or_else(|_| Type::Reference(name.into()), Type::Alias)
}

/// `Data`: what JSON can express.
pub fn data() -> Type {
    static DATA: LazyLock<Type> = LazyLock::new(|| {
        define("Data", |me| {
            vec![
                Type::ScalarData,
                Type::Undef,
                Type::hash(Type::STRING, me.clone(), None),
                Type::array(me, None),
            ]
        })
    });
    DATA.clone()
}

/// `RichDataKey`: what a hash of `RichData` can have for keys.
pub fn rich_data_key() -> Type {
    static KEY: LazyLock<Type> =
        LazyLock::new(|| define("RichDataKey", |_| vec![Type::STRING, Type::Numeric]));
    KEY.clone()
}

/// `RichData`: what Puppet can serialize.
pub fn rich_data() -> Type {
    static RICH: LazyLock<Type> = LazyLock::new(|| {
        define("RichData", |me| {
            vec![
                Type::Scalar,
                Type::Sensitive(None),
                Type::Type(None),
                Type::Undef,
                Type::Default,
                Type::hash(rich_data_key(), me.clone(), None),
                Type::array(me, None),
            ]
        })
    });
    RICH.clone()
}

/// The named type of Puppet's own with this name.
pub fn find(name: &str) -> Option<Type> {
    match name {
        "Data" => Some(data()),
        "RichData" => Some(rich_data()),
        "RichDataKey" => Some(rich_data_key()),
        _ => None,
    }
}
