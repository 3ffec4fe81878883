//! Types that have no value in common.
#![allow(clippy::wildcard_enum_match_arm, reason = "all other kinds count as unknown")]

use std::sync::Arc;

use super::instance::instance;
use super::subsumes::{TypePath, kinds, size_of};
use crate::subject::Verdict;
use crate::types::{Size, StringType, StructType, Type};
use crate::value::Value;

/// Returns true if certainly no value is an instance of both types.
pub(super) fn disjoint(t: &Type, u: &Type, path: &TypePath<'_>) -> bool {
    if kinds(t, path) & kinds(u, path) == 0 {
        return true;
    }
    let Some(path) = &path.deeper() else { return false };
    if let Some(answer) = each_part(u, path, &|u, path| disjoint(t, u, path))
        .or_else(|| each_part(t, path, &|t, path| disjoint(t, u, path)))
    {
        return answer;
    }
    match (t, u) {
        (Type::Integer(t), Type::Integer(u)) => !meet(t.min, t.max, u.min, u.max),
        (Type::Float(t), Type::Float(u)) => !meet(t.min, t.max, u.min, u.max),
        (Type::Boolean(Some(t)), Type::Boolean(Some(u))) => t != u,
        (Type::Sensitive(Some(t)), Type::Sensitive(Some(u))) => disjoint(t, u, path),
        (Type::Struct(t), Type::Struct(u)) => structs(t, u, path),
        _ => no_text(t, u, path) || no_text(u, t, path) || lengths(t, u) || collections(t, u, path),
    }
}

/// Returns whether `holds` is true of all types that a type comprises; `None` if it comprises no others.
fn each_part(t: &Type, path: &TypePath<'_>, holds: &dyn Fn(&Type, &TypePath<'_>) -> bool) -> Option<bool> {
    match t {
        Type::Variant(types) => Some(types.iter().all(|t| holds(t, path))),
        Type::Optional(Some(inner)) => Some(holds(&Type::Undef, path) && holds(inner, path)),
        Type::NotUndef(Some(inner)) => Some(holds(inner, path)),
        Type::Alias(alias) if !alias.is_recursive() => {
            Some(alias.with_target(|t| t.is_some_and(|t| holds(t, path))))
        }
        _ => None,
    }
}

/// Returns true if a number can be within both bounds.
fn meet<T: PartialOrd>(min: Option<T>, max: Option<T>, other_min: Option<T>, other_max: Option<T>) -> bool {
    let is_below = |max: Option<T>, min: Option<T>| max.zip(min).is_some_and(|(max, min)| max < min);
    !is_below(max, other_min) && !is_below(other_max, min)
}

fn sizes_meet(a: Size, b: Size) -> bool {
    meet(Some(a.min), a.max, Some(b.min), b.max)
}

/// Returns true if a type is one of few texts, of which none is an instance of the other.
fn no_text(few: &Type, other: &Type, path: &TypePath<'_>) -> bool {
    let refused = |text: &Arc<str>| {
        instance(other, &Value::String(Arc::clone(text)), path.work.limits()) == Ok(Verdict::No)
    };
    match few {
        Type::String(StringType::Value(text)) => refused(text),
        Type::Enum(names) if !names.case_insensitive() => {
            !names.values().is_empty() && names.values().iter().all(refused)
        }
        _ => false,
    }
}

fn lengths(t: &Type, u: &Type) -> bool {
    match (t, u) {
        (Type::String(StringType::Sized(Some(t))), Type::String(StringType::Sized(Some(u)))) => {
            !sizes_meet(*t, *u)
        }
        _ => false,
    }
}

/// Returns true for collections that cannot have as many elements, or that must have some and these differ.
fn collections(t: &Type, u: &Type, path: &TypePath<'_>) -> bool {
    let Some((t_size, u_size)) = size_of(t).zip(size_of(u)) else { return false };
    let has_elements = t_size.min.max(u_size.min) > 0;
    !sizes_meet(t_size, u_size)
        || has_elements
            && match (t, u) {
                (Type::Array(t), Type::Array(u)) => disjoint(&t.element, &u.element, path),
                (Type::Hash(t), Type::Hash(u)) => {
                    disjoint(&t.key, &u.key, path) || disjoint(&t.value, &u.value, path)
                }
                _ => false,
            }
}

/// Returns true if one has a member that the other must not have, or not so.
fn structs(t: &StructType, u: &StructType, path: &TypePath<'_>) -> bool {
    let contradicts = |t: &StructType, u: &StructType| {
        let required = t.members().iter().filter(|member| !member.optional);
        required.into_iter().any(|member| {
            u.member(&member.name).is_none_or(|other| disjoint(&member.value, &other.value, path))
        })
    };
    contradicts(t, u) || contradicts(u, t)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::parse::{AliasDefinition, Definitions, NoAliases, parse};
    use puppetfn_base::limits::Limits;

    fn verdict(t: &str, u: &str) -> Verdict {
        let definitions = Definitions::default();
        for text in ["type Port = Integer[1, 65535]", "type Tree = Variant[Port, Array[Tree]]"] {
            let alias = AliasDefinition::parse(text, &Limits::DEFAULT).unwrap();
            let name = text.split(' ').nth(1).unwrap();
            definitions.add(name, Arc::new(alias));
        }
        let named = |name: &str| definitions.find(name, &NoAliases, &Limits::DEFAULT).unwrap();
        let parsed =
            |text: &str| named(text).unwrap_or_else(|| parse(text, &NoAliases, &Limits::DEFAULT).unwrap());
        instance(&parsed(t), &Value::unknown(parsed(u)), &Limits::DEFAULT).unwrap()
    }

    #[test]
    fn types_of_one_kind_may_have_no_value_in_common() {
        for (t, u) in [
            ("Integer[1, 10]", "Integer[20]"),
            ("Port", "Integer[70000]"),
            ("Integer[70000]", "Port"),
            ("Float[1.0, 2.0]", "Float[3.0]"),
            ("Boolean[true]", "Boolean[false]"),
            ("Enum[a, b]", "Enum[c]"),
            ("Pattern[/^a/]", "Enum[b, ca]"),
            ("String[1, 2]", "Optional[Enum[abc]]"),
            ("String[0, 2]", "String[3]"),
            ("Array[Integer, 0, 1]", "Array[Integer, 2]"),
            ("Array[Integer, 1]", "Array[String]"),
            ("Hash[String, Integer]", "Hash[String, String, 1]"),
            ("Struct[{a => Integer}]", "Struct[{a => Integer, b => Integer}]"),
            ("Struct[{Optional[a] => Integer}]", "Struct[{a => String}]"),
            ("Sensitive[String]", "Sensitive[Integer]"),
            ("Variant[Undef, Integer[0, 1]]", "NotUndef[Integer[2]]"),
        ] {
            assert_eq!(verdict(t, u), Verdict::No, "{t} and {u}");
        }
    }

    #[test]
    fn types_may_have_few_values_in_common() {
        for (t, u) in [
            ("Integer[1, 10]", "Integer[10]"),
            ("Integer[70000]", "Tree"),
            ("Enum['A']", "Enum[a, true]"),
            ("Pattern[/a/]", "Pattern[/b/]"),
            ("String[1, 2]", "Pattern[/abc/]"),
            ("Array[Integer]", "Array[String]"),
            ("Hash[String, Integer]", "Hash[Integer, String]"),
            ("Struct[{Optional[a] => Integer}]", "Struct[{Optional[a] => String}]"),
            ("Tree", "Array[Array[Integer]]"),
            ("Variant[Undef, Integer[0, 1]]", "Optional[Integer[2]]"),
        ] {
            assert_eq!(verdict(t, u), Verdict::Maybe, "{t} and {u}");
        }
    }
}
