//! `new` of types that accept any value: `Sensitive`, `Type` and `NotUndef`.
//!
//! See Puppet's `pops/types/types.rb`.

use std::sync::Arc;

use crate::function::{Declaration, native};
use crate::types::parse::{NoAliases, parse};
use crate::value::Value;

pub(super) fn sensitive() -> Declaration {
    native("new_Sensitive")
        .dispatch::<&Value>("(Sensitive value)", |_, value| Ok(value.clone()))
        .dispatch::<&Value>("(Any value)", |_, value| Ok(Value::Sensitive(Arc::new(value.clone()))))
}

pub(super) fn type_of() -> Declaration {
    native("new_type").dispatch::<&str>("(String[1] type_string)", |call, text| {
        Ok(parse(text, &NoAliases, call.limits())?.into())
    })
}

/// Returns the value itself: any value but undef is one of `NotUndef`.
pub(super) fn unit() -> Declaration {
    native("new_unit").dispatch::<&Value>("(Any from)", |_, value| Ok(value.clone()))
}
