//! Properties of all types and values, tested on many: `script/verify type-properties`.

use std::ops::ControlFlow;

use proptest::prelude::*;

use super::{infer, infer_set, instance};
use crate::subject::Verdict;
use crate::testing::{data, types, values};
use crate::types::parse::{NoAliases, parse};
use crate::types::{Type, builtin};
use crate::value::{Hash, Regex, Value};
use puppetfn_base::limits::Limits;

const LIMITS: Limits = Limits::DEFAULT;

fn check(t: &Type, value: &Value) -> Verdict {
    instance(t, value, &LIMITS).unwrap()
}

/// Returns true if a type is one that `wanted` describes, or contains one.
fn has(t: &Type, wanted: fn(&Type) -> bool) -> bool {
    let within = |t: &Type| if has(t, wanted) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
    wanted(t) || t.visit_contained(within).is_break()
}

/// Types to which values that are not instances are assignable, in Puppet, too.
fn is_wider_than_its_instances(t: &Type) -> bool {
    matches!(t, Type::Optional(None) | Type::Iterable(_))
        || matches!(t, Type::Variant(types) if types.is_empty())
}

/// Types that are not assignable to themselves, in Puppet, too.
fn is_not_assignable_to_itself(t: &Type) -> bool {
    matches!(t, Type::NotUndef(Some(inner)) if inner.accepts_undef())
        || matches!(t, Type::Variant(types) if types.is_empty())
}

/// Types whose normal form accepts other values, in Puppet, too.
fn normalizes_to_another(t: &Type) -> bool {
    matches!(t, Type::Optional(None) | Type::NotUndef(None) | Type::Collection(Some(_)))
        || matches!(t, Type::Array(array) if array.element == Type::Any)
}

/// Returns true for types that are not assignable to their common type with another one; in Puppet they are not either.
fn is_lost_in_common(t: &Type) -> bool {
    matches!(t, Type::Undef | Type::Unit | Type::Pattern(_))
        || is_not_assignable_to_itself(t)
        || matches!(t, Type::Enum(names) if names.case_insensitive())
}

/// Returns a value and a type that it is an instance of, more or less precise.
fn value_and_type() -> impl Strategy<Value = (Value, Type)> {
    (values(), types(), 0..6).prop_filter_map("no instance", |(value, other, how)| {
        let t = match how {
            0 => infer(&value, &LIMITS).ok()?,
            1 => infer(&value, &LIMITS).ok()?.generalize(),
            2 => infer(&value, &LIMITS).ok()?.common(&other),
            3 => Type::one_of([infer_set(&value, &LIMITS).ok()?, other]),
            4 => builtin::rich_data(),
            _ => infer_set(&value, &LIMITS).ok()?,
        };
        (check(&t, &value) == Verdict::Yes).then_some((value, t))
    })
}

fn unknown(t: &Type) -> Value {
    Value::Unknown(t.clone().into())
}

fn in_array(value: Value) -> Value {
    vec![value].into()
}

fn in_sensitive(value: Value) -> Value {
    Value::Sensitive(value.into())
}

fn in_hash(value: Value) -> Value {
    [(Value::from("a"), value)].into_iter().collect()
}

fn contradicts(unknown: Verdict, known: Verdict) -> bool {
    unknown != Verdict::Maybe && unknown != known
}

proptest! {
    #[test]
    fn a_type_is_parsed_from_its_text(t in types()) {
        let parsed = parse(&t.to_string(), &NoAliases, &LIMITS);
        prop_assert_eq!(parsed.map_err(|error| format!("{t}: {error}")), Ok(t));
    }

    #[test]
    fn any_text_has_an_answer(text in "[A-Za-z\\[\\]{}()=>,'\"/0-9.# $\\\\:|-]{0,40}") {
        let _ = parse(&text, &NoAliases, &LIMITS);
    }

    #[test]
    fn any_regular_expression_has_an_answer(source in "[ab\\[\\](){}|*+?^$.\\\\&:\\-<>=!,0-3kgpxuimn]{0,20}") {
        if let Ok(regex) = Regex::new(&source) {
            let _ = regex.is_match("ab\n1");
        }
    }

    #[test]
    fn any_value_is_found_as_a_key(value in values()) {
        let hash: Hash = [(value.clone(), Value::Integer(1))].into_iter().collect();
        prop_assert_eq!(hash.get(&value), Some(&Value::Integer(1)));
    }

    #[test]
    fn a_type_is_assignable_to_itself(t in types()) {
        prop_assume!(!has(&t, is_not_assignable_to_itself));
        prop_assert!(t.assignable(&t), "{t}");
    }

    #[test]
    fn instances_are_the_values_whose_type_is_assignable(t in types(), value in data()) {
        prop_assume!(!has(&t, is_wider_than_its_instances));
        let inferred = infer_set(&value, &LIMITS).unwrap();
        prop_assert_eq!(check(&t, &value) == Verdict::Yes, t.assignable(&inferred), "{} <- {}", t, inferred);
    }

    #[test]
    fn a_value_is_an_instance_of_its_type(value in data()) {
        let exact = infer_set(&value, &LIMITS).unwrap();
        prop_assert_eq!(check(&exact, &value), Verdict::Yes, "{}", exact);
    }

    #[test]
    fn what_is_said_of_an_unknown_value_holds_for_each((value, u) in value_and_type(), t in types()) {
        let said = check(&t, &unknown(&u));
        prop_assert!(!contradicts(said, check(&t, &value)), "{t} of {u}: {said:?}");
    }

    #[test]
    fn what_is_said_of_unknown_values_in_others_holds((value, u) in value_and_type(), t in types()) {
        for wrap in [in_array, in_hash, in_sensitive] {
            let said = check(&t, &wrap(unknown(&u)));
            prop_assert!(!contradicts(said, check(&t, &wrap(value.clone()))), "{t} of {u}: {said:?}");
        }
    }

    #[test]
    fn types_are_assignable_to_what_they_have_in_common(a in types(), b in types()) {
        prop_assume!(!has(&a, is_lost_in_common) && !has(&b, is_lost_in_common));
        let common = a.common(&b);
        prop_assert!(common.assignable(&a) && common.assignable(&b), "{a} and {b}: {common}");
    }

    #[test]
    fn a_normal_form_accepts_the_same_values(t in types(), value in values()) {
        prop_assume!(!has(&t, normalizes_to_another));
        let normal = t.normalize();
        prop_assert_eq!(check(&t, &value), check(&normal, &value), "{} and {}", t, normal);
    }

    #[test]
    fn a_general_form_accepts_what_the_type_does((value, t) in value_and_type()) {
        prop_assert_eq!(check(&t.generalize(), &value), Verdict::Yes, "{}", t.generalize());
    }
}
