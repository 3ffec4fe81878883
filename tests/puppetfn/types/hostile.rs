//! Types that are made to take time without end get an error instead.
#![allow(clippy::unwrap_used, reason = "a failure here is a failure of the test")]

use puppetfn::error::ErrorKind;
use puppetfn::limits::Limits;
use puppetfn::types::Type;
use puppetfn::types::ops::describe::find_mismatches;
use puppetfn::types::ops::{infer_set, instance};
use puppetfn::types::parse::{AliasDefinition, NoAliases};
use puppetfn::value::Value;

/// Returns an alias that can be followed in two ways at each level of a value.
fn forked() -> Type {
    let definition = "type Forked = Variant[Integer, Array[Forked, 1], Array[Forked, 1, 5]]";
    AliasDefinition::parse(definition, &Limits::DEFAULT)
        .unwrap()
        .define(&NoAliases, &Limits::DEFAULT)
        .unwrap()
}

fn nested(depth: usize, leaf: Value) -> Value {
    (0..depth).fold(leaf, |inner, _| Value::from(vec![inner]))
}

#[test]
fn checking_a_value_ends() {
    let t = forked();
    let good = instance(&t, &nested(60, Value::Integer(1)), &Limits::DEFAULT);
    assert!(good.is_ok(), "{good:?}");

    let limits = Limits { work: 100_000, ..Limits::DEFAULT };
    let error = instance(&t, &nested(60, Value::from("x")), &limits).unwrap_err();
    assert_eq!(error.kind(), &ErrorKind::Limit);
    assert!(error.message().contains("limit 'work'"), "{error}");
}

#[test]
fn comparing_types_ends() {
    let actual = infer_set(&nested(60, Value::from("x")), &Limits::DEFAULT).unwrap();
    let limits = Limits { work: 100_000, ..Limits::DEFAULT };
    let error = forked().try_assignable(&actual, &limits).unwrap_err();
    assert_eq!(error.kind(), &ErrorKind::Limit);
}

#[test]
fn describing_a_mismatch_ends() {
    let actual = infer_set(&nested(60, Value::from("x")), &Limits::DEFAULT).unwrap();
    assert!(!find_mismatches(&forked(), &actual).is_empty());
}
