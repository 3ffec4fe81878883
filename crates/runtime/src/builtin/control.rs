//! `next`, `return` and `break`, and `call`.
//!
//! See Puppet's `functions/{next,return,break,call}.rb`.

use std::sync::Arc;

use super::legacy::refused;
use puppetfn_base::error::{Error, ErrorKind};
use puppetfn_base::limits::Depth;
use puppetfn_catalog::is_deferred;
use puppetfn_types::function::{Call, Control, Declaration, native};
use puppetfn_types::types::Type;
use puppetfn_types::value::{Object, Value};

/// The evaluator leaves the block or function when one of these is called; their declarations only state
/// signatures.
pub(super) fn next() -> Declaration {
    native("next")
        .scope_method(refused(-2, false))
        .control(Control::Next)
        .for_types()
        .doc("Leaves the block or function, which returns the value.")
        .example("[1, 2].map |$x| { next($x * 10) 0 }", "[10, 20]")
        .dispatch::<Option<&Value>>("(Any value?)", |_, _| Ok(Value::Undef))
}

pub(super) fn return_() -> Declaration {
    native("return")
        .scope_method(refused(-2, false))
        .control(Control::Return)
        .doc("Leaves the enclosing function, also from within a block. The function returns the value.")
        .example("function first() { [1, 2].each |$x| { return($x) } } first()", "1")
        .dispatch::<Option<&Value>>("(Any value?)", |_, _| Ok(Value::Undef))
}

pub(super) fn break_() -> Declaration {
    native("break")
        .scope_method(refused(0, false))
        .control(Control::Break)
        .for_types()
        .doc("Ends the iteration that calls the block.")
        .example("[1, 2, 3].map |$x| { if $x == 2 { break() } $x }", "[1]")
        .dispatch::<()>("()", |_, ()| Ok(Value::Undef))
}

pub(super) fn import() -> Declaration {
    native("import")
        .doc("Fails: Puppet had it to read other manifests, and has directories of manifests instead.")
        .dispatch::<&[Value]>("(Any args*)", |call, _| {
            let message = "Use of 'import' has been discontinued in favor of a manifest directory. See \
                           http://links.puppet.com/puppet-import-deprecation";
            Err(match call.place() {
                Some(place) => Error::of_evaluation(ErrorKind::Evaluation, message).at(place),
                None => Error::new(ErrorKind::Evaluation, message),
            })
        })
}

pub(super) fn call() -> Declaration {
    native("call")
        .doc("Calls the function of that name, or the one that a `Deferred` value names with its arguments.")
        .example("call('join', ['a', 'b'], '-')", "'a-b'")
        .example("call(Deferred('join', [['a', Deferred('upcase', ['b'])], '-']))", "'a-B'")
        .dispatch::<(&str, &[Value])>(
            "(String function_name, Any arguments*, Callable block?)",
            |call, (name, arguments)| call.call_named(name, arguments),
        )
        .dispatch::<&Value>("(Deferred deferred)", |call, deferred| {
            resolve(call, deferred, Depth::nesting(call.limits()))
        })
        .returns(|_| Type::Any)
}

/// Returns the value with the results of the deferred calls in it.
fn resolve(call: &Call<'_>, value: &Value, depth: Depth) -> Result<Value, Error> {
    let depth = depth.deeper()?;
    match value {
        Value::Object(object) if is_deferred(value) => resolve_call(call, object, depth),
        Value::Array(items) => {
            let items: Result<Vec<_>, _> = items.iter().map(|item| resolve(call, item, depth)).collect();
            Ok(items?.into())
        }
        Value::Hash(hash) => {
            hash.iter().map(|(key, value)| Ok((key.clone(), resolve(call, value, depth)?))).collect()
        }
        Value::Sensitive(inner) => Ok(Value::Sensitive(Arc::new(resolve(call, inner, depth)?))),
        // Bytes become a text if they are valid UTF-8.
        Value::Binary(binary) => Ok(std::str::from_utf8(binary.bytes()).map_or(value.clone(), Value::from)),
        other => Ok(other.clone()),
    }
}

/// Makes a deferred call: of a function, or `dig` in a variable.
fn resolve_call(call: &Call<'_>, deferred: &Object, depth: Depth) -> Result<Value, Error> {
    let name = deferred.attribute("name")?;
    let name = call.value_as::<&str>(&name)?;
    let arguments = match deferred.attribute("arguments")? {
        Value::Array(arguments) => arguments.iter().map(|value| resolve(call, value, depth)).collect(),
        _ => Ok(Vec::new()),
    };
    let mut arguments: Vec<Value> = arguments?;
    match name.strip_prefix('$') {
        None => call.caller().call_named(name, &arguments, None),
        Some(variable) => {
            let value = call.caller().variable(&format!("::{variable}"))?.unwrap_or(Value::Undef);
            arguments.insert(0, value);
            call.caller().call_named("dig", &arguments, None)
        }
    }
}
