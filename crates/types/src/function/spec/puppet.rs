//! Puppet's values in cty's function system: undef is null, and sensitive values are marked.

use std::sync::Arc;

use super::Domain;
use crate::subject::Verdict;
use crate::types::Type;
use crate::types::ops::describe::{assertion_error, describe_mismatch};
use crate::types::ops::{infer_set, instance};
use crate::value::Value;
use puppetfn_base::error::Error;
use puppetfn_base::limits::{Depth, Limits};

/// The values of Puppet.
#[derive(Debug)]
pub enum Puppet {}

/// Whether a sensitive value was unwrapped.
#[derive(Clone, Copy, Default, Debug)]
pub struct Sensitive(bool);

impl Domain for Puppet {
    type Value = Value;
    type Type = Type;
    type Marks = Sensitive;

    fn dynamic() -> Type {
        Type::Any
    }

    fn unknown(t: Type) -> Value {
        Value::unknown(t)
    }

    fn is_null(value: &Value) -> bool {
        *value == Value::Undef
    }

    fn is_known(value: &Value) -> bool {
        !matches!(value, Value::Unknown(_))
    }

    fn is_dynamic(value: &Value) -> bool {
        matches!(value, Value::Unknown(t) if **t == Type::Any)
    }

    fn unmark(value: &Value, marks: &mut Sensitive, limits: &Limits) -> Value {
        unwrapped(value, marks, Depth::nesting(limits))
    }

    fn mark(value: Value, marks: &Sensitive) -> Value {
        if marks.0 && !matches!(value, Value::Sensitive(_)) {
            Value::Sensitive(Arc::new(value))
        } else {
            value
        }
    }

    fn null_argument(parameter: &str) -> String {
        format!("parameter '{parameter}' does not accept undef")
    }

    fn misfit(parameter: &str, value: &Value, t: &Type, limits: &Limits) -> Result<Option<String>, Error> {
        // Whether undef is accepted is not a matter of the type.
        if *value == Value::Undef || instance(t, value, limits)? != Verdict::No {
            return Ok(None);
        }
        let actual = infer_set(value, limits)?;
        Ok(Some(describe_mismatch(&format!("parameter '{parameter}'"), t, &actual)))
    }

    fn check_result(result: &Value, t: &Type, limits: &Limits) -> Result<(), Error> {
        let inner = if let Value::Sensitive(inner) = result { inner } else { result };
        if [result, inner].into_iter().try_fold(false, |fits, value| {
            Ok::<_, Error>(fits || instance(t, value, limits)? != Verdict::No)
        })? {
            return Ok(());
        }
        Err(assertion_error("value returned from function", t, infer_set(inner, limits)?))
    }
}

/// Returns the value with all sensitive values in it unwrapped. A value that nests too deep is left as it is, as inferring
/// its type fails later.
fn unwrapped(value: &Value, marks: &mut Sensitive, depth: Depth) -> Value {
    let Ok(depth) = depth.deeper() else { return value.clone() };
    if let Value::Sensitive(inner) = value {
        marks.0 = true;
        return unwrapped(inner, marks, depth);
    }
    value.map_parts(|part| unwrapped(part, marks, depth)).unwrap_or_else(|| value.clone())
}
