//! Looking inside values: `dig`, `get` and `getvar`; `keys` and `values`.
//!
//! See Puppet's `functions/{keys,values,dig,get,getvar}.rb`.

use std::sync::Arc;

use super::legacy::refused;
use puppetfn_base::error::{Error, ErrorKind, RaisedAs};
use puppetfn_types::convert::dotted;
use puppetfn_types::function::{Call, Declaration, Deviation, HostMethod, UnknownHandling, native};
use puppetfn_types::types::Type;
use puppetfn_types::types::ops::infer;
use puppetfn_types::types::parse::{NoAliases, parse};
use puppetfn_types::value::{ErrorData, Hash, Object, Value};

pub(super) fn keys() -> Declaration {
    native("keys")
        .host_method(HostMethod::Keys)
        .pure()
        .doc("The keys of a hash, in its order.")
        .example("keys({'a' => 1, 'b' => 2})", "['a', 'b']")
        .dispatch::<&Hash>("(Hash hsh)", |_, hash| {
            Ok(hash.iter().map(|(key, _)| key.clone()).collect::<Vec<_>>().into())
        })
        .returns(|_| Type::array(Type::Any, None))
}

pub(super) fn values() -> Declaration {
    native("values")
        .host_method(HostMethod::Values)
        .for_types()
        .doc("The values of a hash, in its order.")
        .example("values({'a' => 1, 'b' => 2})", "[1, 2]")
        .dispatch::<&Hash>("(Hash hsh)", |_, hash| {
            Ok(hash.iter().map(|(_, value)| value.clone()).collect::<Vec<_>>().into())
        })
        .returns(|_| Type::array(Type::Any, None))
}

pub(super) fn dig() -> Declaration {
    native("dig")
        .scope_method(refused(-1, true))
        .host_method(HostMethod::Dig)
        .pure()
        .doc(
            "What is in a hash or array at a key, in that at the next key, and so on: undef when there is \
             nothing on the way.",
        )
        .example("dig({'a' => [{'b' => 1}]}, 'a', 0, 'b')", "1")
        .example("dig({'a' => 1}, 'x', 'y')", "undef")
        .dispatch::<(&Value, &[Value])>("(Optional[Collection] data, Any arg*)", |call, (data, path)| {
            walk(call, data, path)?.map_err(|dead_end| dead_end.error(call))
        })
        .returns(|_| Type::Any)
        .unknowns_at(0, UnknownHandling::AcceptNested)
}

/// The reason that a path leads nowhere.
struct DeadEnd<'p> {
    message: String,
    code: &'static str,
    walked: &'p [Value],
    /// The words before the value's type in the message.
    what: &'static str,
    found: Type,
}

impl DeadEnd<'_> {
    fn error(&self, call: &Call<'_>) -> Error {
        match self.to_value(call) {
            Ok(data) => Error::new(ErrorKind::Evaluation, self.message.clone()).with_details(ErrorData(data)),
            Err(error) => error,
        }
    }

    /// Returns the error as a value.
    fn to_value(&self, call: &Call<'_>) -> Result<Value, Error> {
        let details: Value = [
            ("walked_path".into(), self.walked.to_vec().into()),
            (self.what.into(), self.found.clone().into()),
        ]
        .into_iter()
        .collect();
        let t = parse("Error", &NoAliases, call.limits())?;
        let definition = if let Type::Object(error) = &t { error.get() } else { None };
        let definition = definition.ok_or_else(|| call.unfit_body())?;
        // Not by `new`, which would refuse the type among the details.
        let values = [Value::from(&*self.message), "SLICE_ERROR".into(), details, self.code.into()];
        Ok(Value::Object(Arc::new(Object::new(definition, &values))))
    }
}

fn walk<'p>(call: &Call<'_>, data: &Value, path: &'p [Value]) -> Result<Result<Value, DeadEnd<'p>>, Error> {
    let mut value = data;
    for (count, step) in (0usize..).zip(path) {
        if let (Value::Undef, _) | (_, Value::Undef) = (value, step) {
            return Ok(Ok(Value::Undef));
        }
        let walked = |count: usize| path.get(..count).unwrap_or_default();
        let shown = |walked: &[Value]| Value::from(walked.to_vec()).ruby_to_s(call.limits());
        value = match (value, step) {
            (Value::Unknown(_), _) => return Ok(Ok(Value::unknown(Type::Any))),
            // A key that is not known may be the one that is sought.
            (Value::Hash(hash), _) if hash.iter().any(|(key, _)| key.contains_unknown()) => {
                return Ok(Ok(Value::unknown(Type::Any)));
            }
            (Value::Hash(hash), key) => hash.get(key).unwrap_or(&Value::Undef),
            (Value::Array(items), Value::Integer(index)) => at(items, *index).unwrap_or(&Value::Undef),
            (Value::Array(_), step) => {
                let (walked, found) = (walked(count.saturating_add(1)), infer(step, call.limits())?);
                let message = format!(
                    "The given data requires an Integer index at {}, got '{}'",
                    shown(walked)?,
                    found.ruby_to_s()
                );
                let code = "EXPECTED_INTEGER_INDEX";
                return Ok(Err(DeadEnd { message, code, walked, what: "index_type", found }));
            }
            (value, _) => {
                let (walked, found) = (walked(count), infer(value, call.limits())?);
                let message = format!(
                    "The given data does not contain a Collection at {}, got '{}'",
                    shown(walked)?,
                    found.ruby_to_s()
                );
                let code = "EXPECTED_COLLECTION";
                return Ok(Err(DeadEnd { message, code, walked, what: "value_type", found }));
            }
        };
    }
    Ok(Ok(value.clone()))
}

/// Returns the element at an index, which counts from the end when it is negative.
fn at(items: &[Value], index: i64) -> Option<&Value> {
    let from_end = usize::try_from(index.unsigned_abs()).ok().and_then(|back| items.len().checked_sub(back));
    let index = if index < 0 { from_end } else { usize::try_from(index).ok() };
    items.get(index?)
}

pub(super) fn get() -> Declaration {
    native("get")
        .pure()
        .doc(
            "What is in a value at a path of keys and indexes with dots between them; the default value, or \
             undef, when there is nothing. Parts with dots stand in quotes. A block gives the result when the \
             path leads through what is no collection; it gets the error.",
        )
        .example("get({'a' => [1, {'b.c' => 2}]}, 'a.1.\"b.c\"')", "2")
        .example("get({'a' => 1}, 'x', 'none')", "'none'")
        .example("get(['a'], 'x.y') |$error| { $error.kind }", "'SLICE_ERROR'")
        .dispatch::<(&Value, &str, Option<&Value>)>(
            "(Any value, String dotted_string, Any default_value?, Callable[1, 1] block?)",
            |call, (value, path, default)| navigate(call, value, path, default),
        )
        .returns(|_| Type::Any)
        .unknowns_at(0, UnknownHandling::AcceptNested)
        .unknowns_at(2, UnknownHandling::Accept)
}

fn navigate(call: &mut Call<'_>, value: &Value, path: &str, default: Option<&Value>) -> Result<Value, Error> {
    let default = || default.cloned().unwrap_or(Value::Undef);
    if let Value::Undef = value {
        return Ok(default());
    }
    if path.is_empty() {
        return Ok(value.clone());
    }
    let path = dotted::keys(path)?.ok_or_else(|| {
        Error::new(ErrorKind::Evaluation, "Syntax error in dotted-navigation string")
            .with_details(RaisedAs("RuntimeError"))
    })?;
    if !matches!(value, Value::Array(_) | Value::Hash(_)) {
        // `dig` raises the error.
        let arguments: Vec<Value> = std::iter::once(value).chain(&path).cloned().collect();
        return call.caller().call_named("dig", &arguments, None);
    }
    match walk(call, value, &path)? {
        Ok(Value::Undef) => Ok(default()),
        Ok(found) => Ok(found),
        Err(dead_end) if call.has_block() => {
            let error = dead_end.to_value(call)?;
            call.call_block(&[error])
        }
        Err(dead_end) => Err(dead_end.error(call)),
    }
}

pub(super) fn getvar() -> Declaration {
    native("getvar")
        .doc(
            "The value of the variable of this name, or with dots and keys behind it as in `get` what is in \
             it; the default value, or undef, when there is nothing.",
        )
        .example("$a = {'b' => [1, 2]} getvar('a.b.1')", "2")
        .example("getvar('nothing', 'none')", "'none'")
        .dispatch::<(&str, Option<&Value>)>(
            r"(Pattern[/\A(?:::)?(?:[a-z]\w*::)*[a-z_]\w*(?:\.|\Z)/] get_string, Any default_value?, Callable[1, 1] block?)",
            |call, (path, default)| {
                let (name, path) = path.split_once('.').unwrap_or((path, ""));
                if name.ends_with('\n') {
                    call.deviate(Deviation::from_all("getvar of a name with a line break"))?;
                }
                match call.caller().variable(name.trim_end_matches('\n'))? {
                    Some(value) => navigate(call, &value, path, default),
                    None => Ok(default.cloned().unwrap_or(Value::Undef)),
                }
            },
        )
        .argument_mismatch::<(&str, Option<&Value>)>("(String get_string, Any default_value?, Callable block?)", |_, _| {
            Ok("The given string does not start with a valid variable name".to_owned())
        })
        .returns(|_| Type::Any)
}
