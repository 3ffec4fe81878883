//! `new` of `Init`.
//!
//! See Puppet's `pops/types/p_init_type.rb`.

use std::sync::Arc;

use super::create;
use crate::function::{Call, Function, native};
use crate::subject::Verdict;
use crate::types::InitType;
use crate::types::ops::instance;
use crate::value::{Array, Value};
use puppetfn_base::error::Error;

/// Makes values of the type that an `Init` is about.
pub(super) fn constructor(init: &Arc<InitType>) -> Result<Arc<Function>, Error> {
    let one = Arc::clone(init);
    let declaration = native("new_Init");
    let declaration = if init.args().is_empty() {
        let all = Arc::clone(init);
        declaration
            .dispatch::<&Array>("(Array value)", move |call, items| {
                let value = Value::Array(items.clone());
                match is_one(call, &all, &value)? {
                    true => new(call, &all, &[value]),
                    false => new(call, &all, items),
                }
            })
            .dispatch::<&Value>("(Any value)", move |call, value| {
                new(call, &one, std::slice::from_ref(value))
            })
    } else {
        declaration.dispatch::<&Value>("(Any value)", move |call, value| {
            let arguments: Vec<Value> = std::iter::once(value).chain(one.args()).cloned().collect();
            new(call, &one, &arguments)
        })
    };
    declaration.build().map(Arc::new)
}

/// Returns true if an array is a single argument, not the list of all arguments.
fn is_one(call: &Call<'_>, init: &InitType, value: &Value) -> Result<bool, Error> {
    match init.accepted()? {
        Some(accepted) => Ok(instance(&accepted.one, value, call.limits())? == Verdict::Yes),
        None => Ok(true),
    }
}

fn new(call: &Call<'_>, init: &InitType, arguments: &[Value]) -> Result<Value, Error> {
    match init.t() {
        Some(t) => create(t, arguments, call.caller()),
        None => Err(call.unfit_body()),
    }
}
