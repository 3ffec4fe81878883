//! The functions of Hiera 3, which `lookup` has replaced: `hiera`, `hiera_array` and the like.
//!
//! See Puppet's `functions/{hiera,hiera_array,hiera_hash,hiera_include}.rb`.

use super::legacy::refused;
use super::lookup::found;
use puppetfn_base::diagnostic::Strict;
use puppetfn_base::error::{Error, ErrorKind};
use puppetfn_base::target::{Difference, Target};
use puppetfn_types::function::{Call, Declaration, Deviation, LookupQuery, native};
use puppetfn_types::types::Type;
use puppetfn_types::value::{Array, Value};

/// Returns the address of a release's documents; with Puppet's names, it names the version.
fn documentation(target: Target) -> String {
    if target.has(Difference::OpenVoxNames) {
        return target.documents().to_owned();
    }
    let version = target.version();
    let minor = version.rsplit_once('.').map_or(version, |(minor, _)| minor);
    format!("https://puppet.com/docs/puppet/{minor}")
}

pub(super) fn hiera() -> Declaration {
    hiera_function("hiera", "first", |_, _, value| Ok(value))
        .doc("The first value that data has for a key; `lookup` has replaced it.")
        .example("hiera('port', 80)", "80")
}

pub(super) fn hiera_array() -> Declaration {
    hiera_function("hiera_array", "unique", |_, _, value| Ok(value))
        .doc("All values that data has for a key, each once, as an array; `lookup` has replaced it.")
        .example("hiera_array('ports', [80])", "[80]")
}

pub(super) fn hiera_hash() -> Declaration {
    hiera_function("hiera_hash", "hash", |_, _, value| Ok(value))
        .doc("The hashes that data has for a key, merged; `lookup` has replaced it.")
        .example("hiera_hash('ports', {}) |$key| { $key }", "'ports'")
}

pub(super) fn hiera_include() -> Declaration {
    hiera_function("hiera_include", "unique", |call, key, value| {
        let is_empty = match &value {
            Value::Undef => {
                return Err(Error::new(ErrorKind::Evaluation, format!("Could not find data item {key}")));
            }
            Value::Array(names) => names.is_empty(),
            Value::Hash(names) => names.is_empty(),
            Value::String(name) => name.is_empty(),
            _ => false,
        };
        if is_empty { Ok(Value::Undef) } else { call.caller().call_named("include", &[value], None) }
    })
    .doc("Includes the classes that data names for a key; `lookup` and `include` have replaced it.")
    .example("hiera_include('classes', [])", "undef")
}

/// Declares a function that looks up a key and passes the value on to `finish`.
fn hiera_function(
    name: &'static str,
    merge: &'static str,
    finish: fn(&Call<'_>, &str, Value) -> Result<Value, Error>,
) -> Declaration {
    let run = move |call: &mut Call<'_>, key: &Value, default: Option<&Value>| {
        if call.caller().strict() != Strict::Off {
            let message = format!(
                "The function '{name}' is deprecated in favor of using 'lookup'. See {}/deprecated_language.html",
                documentation(call.caller().files().target())
            );
            call.warn_once(name, &message, None);
        }
        let merge = merge.into();
        let query = LookupQuery { merge: Some(&merge), is_for_hiera: true, ..LookupQuery::new(key) };
        let value = found(call, &query, default)?;
        finish(call, call.value_as::<&str>(key)?, value)
    };
    let has_result = name != "hiera_include";
    native(name)
        .scope_method(refused(-2, has_result))
        .dispatch::<&Array>("(Tuple[String, Any, Any, 1, 3] args)", move |call, arguments| {
            call.deviate(Deviation::from_all("a function of Hiera 3 with an array of arguments"))?;
            let (key, default, _) = call.given_as::<(&Value, Option<&Value>, Option<&Value>)>(arguments)?;
            run(call, key, default)
        })
        .dispatch::<&Value>("(String key)", move |call, key| run(call, key, None))
        .dispatch::<(&Value, &Value, Option<&Value>)>(
            "(String key, Any default, Any override?)",
            move |call, (key, default, _)| run(call, key, Some(default)),
        )
        .dispatch::<&Value>("(String key, Callable[1, 1] default_block)", move |call, key| {
            run(call, key, None)
        })
        .dispatch::<(&Value, &Value)>(
            "(String key, Any override, Callable[1, 1] default_block)",
            move |call, (key, _)| run(call, key, None),
        )
        .returns(|_| Type::Any)
}
