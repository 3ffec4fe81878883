//! `operand[keys]`.
//!
//! See Puppet's `pops/evaluator/access_operator.rb`.
#![allow(clippy::wildcard_enum_match_arm, reason = "a key that does not fit is an error, whichever it is")]

mod resource;
mod text;
mod types;

use super::operators::{BlamedOperand, Numeric, coerce};
use super::text::{with_article, with_article_uc};
use puppetfn_base::error::Error;
use puppetfn_base::limits::Limits;
use puppetfn_types::types::Type;
use puppetfn_types::types::ops::infer;
use puppetfn_types::value::label;
use puppetfn_types::value::{Hash, Value};

/// An error in an access.
#[derive(Debug)]
pub struct AccessFault {
    /// The key that is wrong, by its index. `None` for the access as a whole.
    pub key: Option<usize>,
    /// The message that follows `Evaluation Error:`.
    pub message: String,
    /// The number that the key is the text of, if it is one, which is an error only in strict code.
    pub number: Option<Value>,
}

type AccessResult = Result<Value, AccessFault>;

impl AccessFault {
    #[cold]
    fn whole(message: impl Into<String>) -> Self {
        Self { key: None, message: message.into(), number: None }
    }

    #[cold]
    fn key(index: usize, message: impl Into<String>) -> Self {
        Self { key: Some(index), message: message.into(), number: None }
    }

    /// Returns the fault of an error that Puppet does not foresee.
    #[cold]
    fn while_evaluating(detail: impl std::fmt::Display) -> Self {
        Self::whole(format!("Error while evaluating a '[]' expression, {detail}"))
    }
}

impl From<Error> for AccessFault {
    fn from(error: Error) -> Self {
        Self::while_evaluating(error.message())
    }
}

/// `operand[keys]`, with at least one key.
pub fn access(operand: &Value, keys: &[Value], limits: &Limits) -> AccessResult {
    match operand {
        Value::Hash(hash) => Ok(of_hash(hash, keys)),
        Value::Array(items) => match keys {
            [Value::Integer(index)] => Ok(element(items, *index)),
            keys => of_array(items, &flatten(keys, limits)?),
        },
        Value::String(string) => text::of_string(string, &flatten(keys, limits)?),
        Value::Binary(binary) => text::of_binary(binary, &flatten(keys, limits)?),
        Value::Type(t) => types::parameterized(t, keys, limits),
        Value::Undef
        | Value::Default
        | Value::Boolean(_)
        | Value::Integer(_)
        | Value::Float(_)
        | Value::Regexp(_)
        | Value::SemVer(_)
        | Value::SemVerRange(_)
        | Value::Uri(_)
        | Value::Timestamp(_)
        | Value::Timespan(_)
        | Value::Sensitive(_)
        | Value::Iterator(_)
        | Value::Callable(_)
        | Value::Object(_)
        | Value::Unknown(_) => Err(not_applicable(&label(operand))),
        Value::Runtime(object) => match object.contents() {
            Some(contents) => access(contents, keys, limits),
            None => Err(not_applicable(&label(operand))),
        },
    }
}

#[cold]
fn not_applicable(label: &str) -> AccessFault {
    AccessFault::whole(format!("Operator '[]' is not applicable to {}.", with_article(label)))
}

/// Returns the keys, with arrays flattened.
fn flatten(keys: &[Value], limits: &Limits) -> Result<Vec<Value>, AccessFault> {
    fn add(keys: &[Value], to: &mut Vec<Value>, depth: u32) -> Result<(), AccessFault> {
        let Some(depth) = depth.checked_sub(1) else {
            return Err(AccessFault::whole("the keys are nested too deep (limit 'nesting')"));
        };
        for key in keys {
            match key {
                Value::Array(items) => add(items, to, depth)?,
                other => to.push(other.clone()),
            }
        }
        Ok(())
    }
    let mut flat = Vec::with_capacity(keys.len());
    add(keys, &mut flat, limits.nesting)?;
    Ok(flat)
}

/// Returns the value at the key, undef if there is none; for several keys, an array of the values that exist.
fn of_hash(hash: &Hash, keys: &[Value]) -> Value {
    if let [key] = keys {
        return hash.get(key).cloned().unwrap_or(Value::Undef);
    }
    let found = keys.iter().filter_map(|key| hash.get(key)).filter(|value| !matches!(value, Value::Undef));
    found.cloned().collect::<Vec<_>>().into()
}

/// An index counts from the end when it is negative.
fn element(items: &[Value], index: i64) -> Value {
    position(index, items.len()).and_then(|index| items.get(index)).cloned().unwrap_or(Value::Undef)
}

fn position(index: i64, len: usize) -> Option<usize> {
    let index = if index < 0 { index.checked_add_unsigned(len as u64)? } else { index };
    usize::try_from(index).ok()
}

fn of_array(items: &[Value], keys: &[Value]) -> AccessResult {
    let index = |at: usize, key: &Value| match coerce(key, BlamedOperand::Operator) {
        Ok(Numeric::Integer(number)) => Ok(number),
        Ok(other) => Err(AccessFault::key(
            at,
            format!(
                "{}[] cannot use {} where Integer is expected",
                with_article_uc("Array"),
                key_type(&other.into())
            ),
        )),
        Err(fault) => Err(AccessFault { number: fault.number, ..AccessFault::key(at, fault.message) }),
    };
    match keys {
        [key] => Ok(element(items, index(0, key)?)),
        [from, count] => {
            let (from, count) = (index(0, from)?, index(1, count)?);
            let range = slice(from, count, items.len());
            Ok(items.get(range).unwrap_or_default().to_vec().into())
        }
        _ => Err(AccessFault::whole(format!(
            "Array supports [] with one or two arguments. Got {}",
            keys.len()
        ))),
    }
}

/// Returns the range from an index, of some length. Negative numbers count from the end: a length of -1 reaches up to
/// it.
fn slice(from: i64, count: i64, len: usize) -> std::ops::Range<usize> {
    let len = i64::try_from(len).unwrap_or(i64::MAX);
    let mut from = if from < 0 { from.saturating_add(len) } else { from };
    let mut count =
        if count < 0 { len.saturating_sub(from).saturating_add(count).saturating_add(1) } else { count };
    if from < 0 {
        count = count.saturating_add(from);
        from = 0;
    }
    let from = from.min(len);
    let end = from.saturating_add(count.max(0)).min(len);
    // Both are in 0..=len.
    from as usize..end as usize
}

/// Returns the type of a key for messages.
fn key_type(key: &Value) -> String {
    match key {
        Value::Undef => "Undef".into(),
        Value::Default => "Default".into(),
        other => match infer(other, &Limits::FURTHEST) {
            Ok(t) => t.generalize().to_string(),
            Err(_) => Type::Any.to_string(),
        },
    }
}
