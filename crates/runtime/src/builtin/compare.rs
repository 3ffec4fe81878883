//! `compare` and `versioncmp`: which of two values comes first.
//!
//! See Puppet's `functions/{compare,versioncmp}.rb`.

use std::cmp::Ordering;

use super::order::order;
use puppetfn_base::error::Error;
use puppetfn_types::function::{Call, Declaration, Deviation, ScopeMethod, native};
use puppetfn_types::types::Type;
use puppetfn_types::types::ops::case::case_order;
use puppetfn_types::value::{Value, label};

pub(super) fn compare() -> Declaration {
    native("compare")
        .pure()
        .doc(
            "Tells which of two values comes first: -1 for the first, 1 for the second, 0 for none. Strings \
             are compared without regard to the case of ASCII letters, unless the third argument is false.",
        )
        .example("compare(1, 2)", "-1")
        .example("compare('B', 'a')", "1")
        .example("compare('B', 'a', false)", "-1")
        .local_type("TimeComparable = Variant[Numeric, Timespan, Timestamp]")
        .local_type("Comparable = Variant[String, SemVer, TimeComparable]")
        .dispatch::<(&Value, &Value)>("(Numeric a, Numeric b)", compare_values)
        .dispatch::<(&str, &str, Option<bool>)>(
            "(String a, String b, Boolean ignore_case?)",
            |_, (a, b, ignore_case)| {
                Ok(sign(if ignore_case == Some(false) { a.cmp(b) } else { case_order(a, b) }))
            },
        )
        .dispatch::<(&Value, &Value)>("(SemVer a, SemVer b)", compare_values)
        .dispatch::<(&Value, &Value)>("(Numeric a, Variant[Timespan, Timestamp] b)", |call, (a, b)| {
            Ok(order(b, a, call.limits())?.map_or(Value::Undef, |ordering| sign(ordering.reverse())))
        })
        .dispatch::<(&Value, &Value)>("(Timestamp a, Variant[Timestamp, Numeric] b)", compare_values)
        .dispatch::<(&Value, &Value)>("(Timespan a, Variant[Timespan, Numeric] b)", compare_values)
        .argument_mismatch::<(&Value, &Value, &[Value])>(
            "(Comparable a, Comparable b, Any ignore_case*)",
            |_, (a, b, options)| Ok(misfit(a, b, options)),
        )
        .argument_mismatch::<(&Value, &Value, &[Value])>("(Any a, Any b, Any ignore_case*)", |_, (a, b, _)| {
            Ok(format!(
                "compare(): Non comparable type. Only values of the types Numeric, String, Semver, Timestamp and \
                 Timestamp can be compared. Got {} and {}",
                label(a),
                label(b)
            ))
        })
        .returns(|_| Type::integer(Some(-1), Some(1)))
}

fn compare_values(call: &mut Call<'_>, (a, b): (&Value, &Value)) -> Result<Value, Error> {
    Ok(order(a, b, call.limits())?.map_or(Value::Undef, sign))
}

fn sign(ordering: Ordering) -> Value {
    Value::Integer(match ordering {
        Ordering::Less => -1,
        Ordering::Equal => 0,
        Ordering::Greater => 1,
    })
}

/// Describes why values cannot be compared with each other, although each is comparable.
fn misfit(a: &Value, b: &Value, options: &[Value]) -> String {
    let is_text = |value: &Value| matches!(value, Value::String(_));
    match options {
        [] => format!(
            "compare(): Can only compare values of the same type (or for Timestamp/Timespan also against \
             Numeric). Got {} and {}",
            label(a),
            label(b)
        ),
        _ if !is_text(a) || !is_text(b) => {
            "compare(): The third argument (ignore case) can only be used when comparing strings".to_owned()
        }
        [option] => {
            format!("compare(): The third argument (ignore case) must be a Boolean. Got {}", label(option))
        }
        several => format!("compare(): Accepts at most 3 arguments, got {}", several.len().saturating_add(2)),
    }
}

pub(super) fn versioncmp() -> Declaration {
    native("versioncmp")
        .scope_method(ScopeMethod::with_result(2))
        .pure()
        .doc(
            "Tells which of two version numbers of packages comes first: -1 for the first, 1 for the second, \
             0 for none. Zeros at the end of the first part can be ignored.",
        )
        .example("versioncmp('1.2', '1.10')", "-1")
        .example("versioncmp('2.0-1', '2.0-beta')", "-1")
        .example("versioncmp('1.0.0', '1', true)", "0")
        .dispatch::<(&str, &str, Option<bool>)>(
            "(String a, String b, Boolean ignore_trailing_zeroes?)",
            |call, (a, b, ignore_zeros)| {
                let is_bare = |version: &str| version.trim_end_matches('-').is_empty();
                if ignore_zeros == Some(true) && (is_bare(a) || is_bare(b)) {
                    call.deviate(Deviation::from_all("versioncmp of a version without a first part"))?;
                }
                Ok(sign(if ignore_zeros == Some(true) {
                    order_of_versions(&without_zeros(a), &without_zeros(b))
                } else {
                    order_of_versions(a, b)
                }))
            },
        )
        .returns(|_| Type::integer(Some(-1), Some(1)))
}

fn order_of_versions(a: &str, b: &str) -> Ordering {
    for (a, b) in parts(a).zip(parts(b)) {
        if a == b {
            continue;
        }
        return match (a, b) {
            ("-", _) => Ordering::Less,
            (_, "-") => Ordering::Greater,
            (".", _) => Ordering::Less,
            (_, ".") => Ordering::Greater,
            (a, b) if is_number(a) && is_number(b) && !a.starts_with('0') && !b.starts_with('0') => {
                a.len().cmp(&b.len()).then_with(|| a.cmp(b))
            }
            (a, b) => a.to_uppercase().cmp(&b.to_uppercase()),
        };
    }
    a.cmp(b)
}

fn is_number(part: &str) -> bool {
    part.starts_with(|c: char| c.is_ascii_digit())
}

/// Splits a version into hyphens and dots, each a part of its own, numbers, and the texts between them.
fn parts(version: &str) -> impl Iterator<Item = &str> {
    let mut rest = version;
    std::iter::from_fn(move || {
        let first = rest.chars().next()?;
        let same = |c: char| match first {
            '-' | '.' => false,
            first if first.is_ascii_digit() => c.is_ascii_digit(),
            _ => !matches!(c, '-' | '.') && !c.is_ascii_digit(),
        };
        let behind = rest.get(first.len_utf8()..).unwrap_or_default();
        let end = rest.len().saturating_sub(behind.trim_start_matches(same).len());
        let (part, others) = rest.split_at_checked(end)?;
        rest = others;
        Some(part)
    })
}

/// Removes dots and zeros at the end of the part before the first hyphen: from its first line that ends in some.
/// Hyphens at the end go, too.
fn without_zeros(version: &str) -> String {
    let version = version.trim_end_matches('-');
    let (first, rest) = version.split_at(version.find('-').unwrap_or(version.len()));
    let mut lines: Vec<&str> = first.split('\n').collect();
    if let Some(line) = lines.iter_mut().find(|line| line.ends_with(['.', '0'])) {
        *line = line.trim_end_matches(['.', '0']);
    }
    lines.join("\n") + rest
}
