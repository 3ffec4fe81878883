//! `new` of types that accept any value: `Sensitive`, `Type` and `NotUndef`.
//!
//! See Puppet's `pops/types/types.rb`.

use std::sync::Arc;

use crate::function::{Declaration, native};
use crate::types::parse::{NoAliases, parse};
use crate::value::Value;

pub(super) fn sensitive() -> Declaration {
    native("new_Sensitive")
        .dispatch("(Sensitive value)", |call, arguments| match arguments {
            [value] => Ok(value.clone()),
            _ => Err(call.unexpected_arguments()),
        })
        .dispatch("(Any value)", |call, arguments| match arguments {
            [value] => Ok(Value::Sensitive(Arc::new(value.clone()))),
            _ => Err(call.unexpected_arguments()),
        })
}

pub(super) fn type_of() -> Declaration {
    native("new_type").dispatch("(String[1] type_string)", |call, arguments| match arguments {
        [Value::String(text)] => Ok(parse(text, &NoAliases, call.limits())?.into()),
        _ => Err(call.unexpected_arguments()),
    })
}

/// The value itself: any value but undef is one of `NotUndef`.
pub(super) fn unit() -> Declaration {
    native("new_unit").dispatch("(Any from)", |call, arguments| match arguments {
        [value] => Ok(value.clone()),
        _ => Err(call.unexpected_arguments()),
    })
}
