//! Describes a mismatch in more detail: with the value, and the probable intention.
//!
//! The value is derived from its inferred type, which is exact for literals. The type of a sensitive value is not, so its
//! content cannot be shown.

use super::MismatchKind;
use super::similar::similar;
use super::text::{push, resolved, short_name, write_expected};
use crate::types::{IntegerRange, Size, StringType, Type};
use crate::value::{QuotedString, float_to_s};

/// Appends the description of a mismatch.
pub(super) fn write(kind: &MismatchKind, out: &mut String) {
    match kind {
        MismatchKind::Type { expected, actual } => {
            write_expected(out, &names(expected));
            out.push_str(", got ");
            write_given(out, actual);
        }
        MismatchKind::Pattern { expected, actual } => {
            let (or_undef, expected) = without_undef(expected);
            let undef = if or_undef { "an undef value or " } else { "" };
            push(out, format_args!("expects {undef}a match for {}, got ", shown(expected)));
            write_given(out, actual);
            if let Type::String(StringType::Value(word)) = actual {
                write_hint(out, word, strings(expected, 0).iter().map(String::as_str));
            }
        }
        MismatchKind::ExtraneousKey { key, expected } => {
            kind.write(out);
            write_hint(out, key, expected.members().iter().map(|member| &*member.name));
        }
        MismatchKind::Size { .. }
        | MismatchKind::Count { .. }
        | MismatchKind::MissingKey(_)
        | MismatchKind::MissingBlock
        | MismatchKind::UnexpectedBlock
        | MismatchKind::UnresolvedType(_) => kind.write(out),
    }
}

fn write_hint<'c>(out: &mut String, word: &str, candidates: impl IntoIterator<Item = &'c str>) {
    if let Some(meant) = similar(word, candidates) {
        push(out, format_args!("; did you mean '{meant}'?"));
    }
}

/// Splits a type that accepts undef: returns whether it does, and the rest of the type.
fn without_undef(t: &Type) -> (bool, &Type) {
    if let Type::Optional(Some(inner)) = t { (true, inner) } else { (false, t) }
}

/// Returns the names of the types of which one is expected.
fn names(expected: &Type) -> Vec<String> {
    let (or_undef, expected) = without_undef(expected);
    let alternatives =
        if let Type::Variant(types) = expected { &**types } else { std::slice::from_ref(expected) };
    or_undef.then_some(&Type::Undef).into_iter().chain(alternatives).map(shown).collect()
}

/// Returns a type, aliases by name; only its name where all of it is too long to be read.
fn shown(t: &Type) -> String {
    const LONGEST: usize = 120;
    let text = t.to_string();
    if text.len() > LONGEST { short_name(t) } else { text }
}

/// Returns the strings that a type lists.
fn strings(t: &Type, depth: usize) -> Vec<String> {
    const DEEPEST: usize = 8;
    let t = resolved(t);
    if let Type::Enum(t) = &t {
        t.values().iter().map(|value| value.to_string()).collect()
    } else if let Type::Variant(types) = &t
        && depth < DEEPEST
    {
        types.iter().flat_map(|t| strings(t, depth + 1)).collect()
    } else {
        Vec::new()
    }
}

fn write_given(out: &mut String, actual: &Type) {
    if !write_value(out, actual, 0) {
        out.push_str(&shown(actual));
    }
}

/// Appends the only value of a type. Returns false if the type has several.
fn write_value(out: &mut String, t: &Type, depth: usize) -> bool {
    if let Type::Undef = t {
        out.push_str("undef");
    } else if let Type::Default = t {
        out.push_str("default");
    } else if let Type::Boolean(Some(truth)) = t {
        push(out, format_args!("{truth}"));
    } else if let Type::Integer(IntegerRange { min: Some(min), max: Some(max) }) = t
        && min == max
    {
        push(out, format_args!("{min}"));
    } else if let Type::Float(range) = t
        && let (Some(min), Some(max)) = (range.min, range.max)
        && min.total_cmp(&max).is_eq()
    {
        out.push_str(&float_to_s(min));
    } else if let Type::String(StringType::Value(text)) = t {
        write_string(out, text);
    } else if let Type::Regexp(Some(regex)) = t {
        push(out, format_args!("{regex}"));
    } else if let Type::Sensitive(_) = t {
        out.push_str("Sensitive [value redacted]");
    } else if is_empty(t) {
        out.push_str(if matches!(t, Type::Array(_)) { "[]" } else { "{}" });
    } else if let Type::Tuple(tuple) = t
        && tuple.size.is_none()
    {
        write_some(out, ('[', ']'), &tuple.types, depth, |out, t| write_part(out, t, depth));
    } else if let Type::Struct(t) = t {
        write_some(out, ('{', '}'), t.members(), depth, |out, member| {
            write_string(out, &member.name);
            out.push_str(" => ");
            write_part(out, &member.value, depth);
        });
    } else {
        return false;
    }
    true
}

/// Returns true if only the empty array or hash is of a type.
fn is_empty(t: &Type) -> bool {
    if let Type::Array(t) = t {
        t.size == Some(Size::EMPTY)
    } else if let Type::Hash(t) = t {
        t.size == Some(Size::EMPTY)
    } else {
        false
    }
}

/// Appends an element of a collection: its value, or its type if that is not exact.
fn write_part(out: &mut String, t: &Type, depth: usize) {
    if !write_value(out, t, depth + 1) {
        out.push_str(&short_name(t));
    }
}

/// Appends the first elements of a collection. Elements of deeply nested collections are omitted.
fn write_some<T>(
    out: &mut String,
    (open, close): (char, char),
    parts: &[T],
    depth: usize,
    mut write_part: impl FnMut(&mut String, &T),
) {
    const DEEPEST: usize = 2;
    const MOST: usize = 4;
    out.push(open);
    if depth >= DEEPEST {
        out.push_str("...");
    } else {
        for (index, part) in parts.iter().take(MOST).enumerate() {
            out.push_str(if index > 0 { ", " } else { "" });
            write_part(out, part);
        }
        match parts.len().saturating_sub(MOST) {
            0 => {}
            more => push(out, format_args!(", ... {more} more")),
        }
    }
    out.push(close);
}

/// Appends a string, or its beginning.
fn write_string(out: &mut String, text: &str) {
    const LONGEST: usize = 40;
    match text.char_indices().nth(LONGEST).and_then(|(end, _)| text.get(..end)) {
        Some(start) => push(out, format_args!("{}...", QuotedString(start))),
        None => push(out, format_args!("{}", QuotedString(text))),
    }
}

#[cfg(test)]
mod tests {
    use super::super::Messages;
    use crate::types::Type;
    use crate::types::ops::infer_set;
    use crate::types::parse::{AliasDefinition, NoAliases, TypeLookup, parse};
    use crate::value::Value;
    use puppetfn_base::limits::Limits;

    fn of(t: &str, value: &Value) -> String {
        describe(&parse(t, &NoAliases, &Limits::DEFAULT).unwrap(), value)
    }

    fn describe(expected: &Type, value: &Value) -> String {
        Messages::Rich.describe("x", expected, &infer_set(value, &Limits::DEFAULT).unwrap())
    }

    fn hash<const N: usize>(entries: [(&str, Value); N]) -> Value {
        entries.into_iter().map(|(key, value)| (key.into(), value)).collect()
    }

    #[test]
    fn the_value_is_shown() {
        for (t, value, message) in [
            ("Integer", "5".into(), "x expects an Integer value, got '5'"),
            ("Integer[1, 65535]", 0.into(), "x expects an Integer[1, 65535] value, got 0"),
            ("String", Value::Undef, "x expects a String value, got undef"),
            ("Variant[Integer, String]", 1.5.into(), "x expects a value of type Integer or String, got 1.5"),
            ("String", Value::from(vec![]), "x expects a String value, got []"),
            ("String", Type::INTEGER.into(), "x expects a String value, got Type[Integer]"),
            (
                "Hash[String, Integer]",
                hash([("a", 1.into()), ("b", true.into())]),
                "x entry 'b' expects an Integer value, got true",
            ),
        ] {
            assert_eq!(of(t, &value), message);
        }
    }

    #[test]
    fn long_values_are_shortened() {
        let long = Value::from("y".repeat(100));
        assert_eq!(of("Integer", &long), format!("x expects an Integer value, got '{}'...", "y".repeat(40)));
        let deep = vec![vec![vec![vec![1.into()].into()].into()].into()].into();
        assert_eq!(of("Integer", &deep), "x expects an Integer value, got [[[...]]]");
        let many: Value = (0..10).map(|index| (format!("k{index}").into(), index.into())).collect();
        assert_eq!(
            of("Integer", &many),
            "x expects an Integer value, got {'k0' => 0, 'k1' => 1, 'k2' => 2, 'k3' => 3, ... 6 more}"
        );
    }

    #[test]
    fn nothing_sensitive_is_shown() {
        let secret = || Value::Sensitive(std::sync::Arc::new("secret".into()));
        for value in [secret(), vec![secret()].into(), hash([("k", vec![secret()].into())])] {
            let message = of("Variant[Integer, Sensitive[Enum['secrets']]]", &value);
            assert!(message.contains("Sensitive [value redacted]"), "{message}");
            assert!(!message.contains("secret'"), "{}", message.replace("Enum['secrets']", ""));
        }
    }

    #[test]
    fn aliases_are_shown_by_name() {
        struct LevelAlias(Type);
        impl TypeLookup for LevelAlias {
            fn find(&self, _: &str) -> Result<Option<Type>, puppetfn_base::error::Error> {
                Ok(Some(self.0.clone()))
            }
        }
        let definition = AliasDefinition::parse("type Level = Enum[debug, info]", &Limits::DEFAULT).unwrap();
        let level = definition.define(&NoAliases, &Limits::DEFAULT).unwrap();
        assert_eq!(
            describe(&level, &"debgu".into()),
            "x expects a match for Level, got 'debgu'; did you mean 'debug'?"
        );
        let list = parse("Array[Level]", &LevelAlias(level), &Limits::DEFAULT).unwrap();
        assert_eq!(describe(&list, &vec![1.into()].into()), "x index 0 expects a match for Level, got 1");
    }

    #[test]
    fn keys_that_may_have_been_meant_are_named() {
        let message =
            of("Struct[{port => Integer, host => String}]", &hash([("prot", 1.into()), ("x", 2.into())]));
        assert_eq!(
            message,
            " x expects a value for key 'port'\n  x expects a value for key 'host'\n  \
             x unrecognized key 'prot'; did you mean 'port'?\n  x unrecognized key 'x'"
        );
    }

    #[test]
    fn of_a_variant_the_nearest_alternative_is_told() {
        let t = "Variant[Integer, Struct[{a => Integer, b => Integer}], Struct[{port => Integer}]]";
        assert_eq!(
            of(t, &hash([("a", 1.into()), ("b", "x".into())])),
            "x variant 1 entry 'b' expects an Integer value, got 'x'"
        );
        assert_eq!(
            of(t, &hash([("port", 1.into()), ("prt", 2.into())])),
            "x variant 2 unrecognized key 'prt'; did you mean 'port'?"
        );
        let nested = format!("Array[{t}]");
        assert_eq!(
            of(&nested, &vec![hash([("port", "x".into())]), 5.into()].into()),
            "x index 0 variant 2 entry 'port' expects an Integer value, got 'x'"
        );
    }
}
