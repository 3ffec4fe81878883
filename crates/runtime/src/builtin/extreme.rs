//! `max` and `min`.
//!
//! See Puppet's `functions/{max,min}.rb`.

use std::cmp::Ordering;
use std::sync::LazyLock;

use super::order::{incomparable, order, verdict};
use puppetfn_base::error::{Error, ErrorKind};
use puppetfn_types::convert::number::leading_float;
use puppetfn_types::function::{Call, Declaration, Deviation, native};
use puppetfn_types::types::Type;
use puppetfn_types::value::{Array, Regex, Value};

pub(super) fn max() -> Declaration {
    declare("max", Ordering::Greater, &["Numeric", "String", "SemVer", "Timespan", "Timestamp"])
        .pure()
        .doc(
            "The greatest of its arguments, or of the elements of an array. A block compares two of them. \
             Values of different kinds are compared as text, which is deprecated.",
        )
        .example("max(1, 3, 2)", "3")
        .example("max(['a', 'c', 'b'])", "'c'")
        .example("max('bb', 'c') |$a, $b| { compare($a.length, $b.length) }", "'bb'")
}

pub(super) fn min() -> Declaration {
    declare("min", Ordering::Less, &["Numeric", "SemVer", "Timespan", "Timestamp", "String"])
        .pure()
        .doc(
            "The least of its arguments, or of the elements of an array. A block compares two of them. \
             Values of different kinds are compared as text, which is deprecated.",
        )
        .example("min(1, 3, 2)", "1")
        .example("min(['c', 'a', 'b'])", "'a'")
        .example("min('bb', 'c') |$a, $b| { compare($a.length, $b.length) }", "'c'")
}

/// The comparison of values without a block.
#[derive(Clone, Copy, PartialEq)]
enum OrderingKind {
    /// Numbers.
    Numbers,
    /// Versions and times by their order; Puppet 7 compares their texts.
    Rich,
    /// Strings; as numbers, where both are.
    Strings,
    /// By their texts; as numbers, where both are.
    Mixed,
}

/// Declares the function that returns the value whose order relative to all others is `wanted`. Both have the
/// same signatures, but the signatures for arrays are in another order.
fn declare(name: &'static str, wanted: Ordering, arrays: &[&'static str]) -> Declaration {
    let kind = |t| match t {
        "String" => OrderingKind::Strings,
        "Numeric" => OrderingKind::Numbers,
        _ => OrderingKind::Rich,
    };
    let mut declaration = native(name).returns(|arguments| match arguments {
        // An array alone stands for its elements.
        [t] if !Type::Scalar.assignable(t) => Type::Any,
        values => Type::one_of(values.iter().cloned()),
    });
    for (signature, t) in [
        ("(Numeric values*)", "Numeric"),
        ("(String values*)", "String"),
        ("(SemVer values*)", "SemVer"),
        ("(Timespan values*)", "Timespan"),
        ("(Timestamp values*)", "Timestamp"),
    ] {
        let kind = kind(t);
        declaration = declaration
            .dispatch::<&[Value]>(signature, move |call, values| extreme(call, values, wanted, kind));
    }
    for t in arrays {
        let kind = kind(t);
        let signature = match *t {
            "Numeric" => "(Array[Numeric] values, Callable[2, 2] block?)",
            "String" => "(Array[String] values, Callable[2, 2] block?)",
            "SemVer" => "(Array[SemVer] values, Callable[2, 2] block?)",
            "Timespan" => "(Array[Timespan] values, Callable[2, 2] block?)",
            _ => "(Array[Timestamp] values, Callable[2, 2] block?)",
        };
        declaration = declaration
            .dispatch::<&Array>(signature, move |call, values| extreme(call, values, wanted, kind));
    }
    declaration
        .dispatch::<&Array>("(Array values, Callable[2, 2] block?)", move |call, values| {
            extreme(call, values, wanted, OrderingKind::Mixed)
        })
        .dispatch::<&[Value]>("(Any values*, Callable[2, 2] block)", move |call, values| {
            extreme(call, values, wanted, OrderingKind::Mixed)
        })
        .dispatch::<&[Value]>("(Any values*)", move |call, values| {
            extreme(call, values, wanted, OrderingKind::Mixed)
        })
}

fn extreme(
    call: &mut Call<'_>,
    values: &[Value],
    wanted: Ordering,
    kind: OrderingKind,
) -> Result<Value, Error> {
    if kind == OrderingKind::Rich {
        call.deviate(Deviation::before(8, "max and min of versions and times"))?;
    }
    let Some((mut found, others)) = values.split_first() else {
        if call.has_block() {
            return Ok(Value::Undef);
        }
        let message = format!("{}(): Wrong number of arguments need at least one", call.name());
        return Err(Error::new(ErrorKind::ArgumentMismatch, message));
    };
    for value in others {
        let ordering = if call.has_block() {
            verdict(&call.call_block(&[value.clone(), found.clone()])?, value, found)?
        } else {
            compare(call, value, found, kind)?
        };
        if ordering == wanted {
            found = value;
        }
    }
    Ok(found.clone())
}

fn compare(call: &mut Call<'_>, a: &Value, b: &Value, kind: OrderingKind) -> Result<Ordering, Error> {
    match (kind, a, b) {
        (OrderingKind::Numbers | OrderingKind::Rich, a, b) => {
            order(a, b, call.limits())?.ok_or_else(|| incomparable(a, b))
        }
        (_, Value::String(a), Value::String(b)) => compare_texts(call, a, b, kind),
        (_, a, b) => compare_texts(call, &a.ruby_to_s(call.limits())?, &b.ruby_to_s(call.limits())?, kind),
    }
}

fn compare_texts(call: &mut Call<'_>, a: &str, b: &str, kind: OrderingKind) -> Result<Ordering, Error> {
    let name = call.name().to_owned();
    if is_number(a)? && is_number(b)? {
        let message = format!(
            "The {name}() function's auto conversion of String to Numeric is deprecated - change to convert \
             input before calling, or use lambda"
        );
        call.warn_once(&format!("{name}_function_numeric_coerce_string"), &message, None);
        return Ok(leading_float(a).partial_cmp(&leading_float(b)).unwrap_or(Ordering::Equal));
    }
    if kind == OrderingKind::Mixed {
        let message = format!(
            "The {name}() function's auto conversion of Any to String is deprecated - change to convert input \
             before calling, or use lambda"
        );
        call.warn_once(&format!("{name}_function_string_coerce_any"), &message, None);
    }
    Ok(a.cmp(b))
}

fn is_number(text: &str) -> Result<bool, Error> {
    static NUMBER: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"\A-?\d+([._eE]\d+)?\z").ok());
    // Few texts need the regular expression.
    if !text.starts_with(|c: char| c == '-' || c.is_ascii_digit()) {
        return Ok(false);
    }
    NUMBER.as_ref().map_or(Ok(false), |number| number.is_match(text))
}
