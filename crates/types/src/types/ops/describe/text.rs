//! The words for a mismatch.
//!
//! See Puppet's `pops/types/type_mismatch_describer.rb`.

use std::fmt::{self, Display, Write};

use super::{Messages, Mismatch, MismatchKind, PathElement, rich};
use crate::types::{Size, StringType, Type};

impl Mismatch {
    /// Appends a blank, the number of the signature, if any, the subject (which may be empty), the path, and the
    /// description.
    pub fn write(&self, out: &mut String, subject: &str, messages: Messages) {
        let (signature, elements) = self.split_signature();
        if let Some(signature) = signature {
            push(out, format_args!(" {signature}"));
        }
        self.write_at(out, subject, elements, messages);
    }

    /// Appends the same description without the subject and the number of the signature.
    pub(crate) fn write_unnumbered(&self, out: &mut String, messages: Messages) {
        self.write_at(out, "", self.split_signature().1, messages);
    }

    fn split_signature(&self) -> (Option<&PathElement>, &[PathElement]) {
        match self.path.elements() {
            [first @ PathElement::Signature(_), rest @ ..] => (Some(first), rest),
            elements => (None, elements),
        }
    }

    fn write_at(&self, out: &mut String, subject: &str, elements: &[PathElement], messages: Messages) {
        if !subject.is_empty() {
            push(out, format_args!(" {subject}"));
        }
        for element in elements {
            push(out, format_args!(" {element}"));
        }
        out.push(' ');
        match messages {
            Messages::Puppet => self.kind.write(out),
            Messages::Rich => rich::write(&self.kind, out),
        }
    }
}

impl Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = String::new();
        self.write(&mut text, "", Messages::Puppet);
        f.write_str(text.trim_start())
    }
}

/// Writing to a string cannot fail.
pub(super) fn push(out: &mut String, text: fmt::Arguments<'_>) {
    let _ = out.write_fmt(text);
}

impl MismatchKind {
    pub(super) fn write(&self, out: &mut String) {
        match self {
            Self::Type { expected, actual } => write_type(out, expected, actual),
            Self::Pattern { expected, actual } => write_pattern(out, expected, actual),
            Self::Size { expected, actual } => push(
                out,
                format_args!(
                    "expects size to be {}, got {}",
                    Range { size: *expected, zero: "0" },
                    Range { size: *actual, zero: "0" }
                ),
            ),
            Self::Count { expected, actual } => push(
                out,
                format_args!(
                    "expects {} argument{}, got {}",
                    Range { size: *expected, zero: "no" },
                    plural(*expected),
                    Range { size: *actual, zero: "none" }
                ),
            ),
            Self::MissingKey(key) => push(out, format_args!("expects a value for key '{key}'")),
            Self::ExtraneousKey { key, .. } => push(out, format_args!("unrecognized key '{key}'")),
            Self::MissingBlock => out.push_str("expects a block"),
            Self::UnexpectedBlock => out.push_str("does not expect a block"),
            Self::UnresolvedType(name) => push(out, format_args!("references an unresolved type '{name}'")),
        }
    }
}

struct Range {
    size: Size,
    zero: &'static str,
}

impl Display for Range {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.size.min, self.size.max) {
            (0, Some(0)) => f.write_str(self.zero),
            (min, Some(max)) if min == max => write!(f, "{min}"),
            (0, None) => f.write_str("unlimited"),
            (0, Some(max)) => write!(f, "at most {max}"),
            (min, None) => write!(f, "at least {min}"),
            (min, Some(max)) => write!(f, "between {min} and {max}"),
        }
    }
}

fn plural(count: Size) -> &'static str {
    match (count.min, count.max) {
        (1, Some(1) | None) | (0, Some(1)) => "",
        _ => "s",
    }
}

fn write_type(out: &mut String, expected: &Type, actual: &Type) {
    let (optional, expected) =
        if let Type::Optional(Some(inner)) = expected { (true, &**inner) } else { (false, expected) };
    let alternatives =
        if let Type::Variant(types) = expected { &**types } else { std::slice::from_ref(expected) };
    let mut names: Vec<String> = if optional { vec!["Undef".to_owned()] } else { Vec::new() };
    let given = if reported_in_detail(alternatives, actual) {
        names.extend(alternatives.iter().map(Type::to_expanded_string));
        detailed_actual(alternatives, actual)
    } else {
        let first = names.len();
        for alternative in alternatives {
            let name = short_name(alternative);
            if !names.iter().skip(first).any(|known| *known == name) {
                names.push(name);
            }
        }
        short_name(actual)
    };
    write_expected(out, &names);
    push(out, format_args!(", got {given}"));
}

/// Appends one of several types, by their names.
pub(super) fn write_expected(out: &mut String, names: &[String]) {
    match names {
        [name] => push(out, format_args!("expects {} {name} value", article(name))),
        [first, second] => push(out, format_args!("expects a value of type {first} or {second}")),
        [first @ .., last] => {
            push(out, format_args!("expects a value of type {}, or {last}", first.join(", ")))
        }
        // The expectation was an empty Variant, which accepts nothing.
        [] => out.push_str("expects a value of type , or "),
    }
}

fn write_pattern(out: &mut String, expected: &Type, actual: &Type) {
    out.push_str("expects ");
    let mut expected = expected;
    if let Type::Optional(Some(inner)) = expected {
        out.push_str("an undef value or ");
        expected = inner;
    }
    push(out, format_args!("a match for {}, got ", expected.to_expanded_string()));
    if let Type::String(StringType::Value(text)) = actual {
        push(out, format_args!("'{text}'"));
    } else {
        out.push_str(&short_name(actual));
    }
}

/// Returns the bare name of a type; with its parameters for types whose name says too little.
pub(super) fn short_name(t: &Type) -> String {
    let inner = if let Type::Optional(inner)
    | Type::NotUndef(inner)
    | Type::Type(inner)
    | Type::Sensitive(inner)
    | Type::Iterable(inner)
    | Type::Iterator(inner) = t
    {
        inner.as_deref()
    } else if let Type::Init(init) = t {
        init.t()
    } else {
        None
    };
    match inner {
        Some(inner) if *inner != Type::Any => format!("{}[{}]", t.name(), inner.name()),
        _ => t.name().to_string(),
    }
}

/// `a` or `an`, by the first letter.
fn article(text: &str) -> &'static str {
    let mut letters = text.chars();
    let first = match letters.next() {
        Some('\'' | '"') => letters.next(),
        other => other,
    };
    match first {
        Some('a' | 'e' | 'i' | 'o' | 'u' | 'y' | 'A' | 'E' | 'I' | 'O' | 'U' | 'Y') => "an",
        _ => "a",
    }
}

/// Returns true if the difference shows only when both types are written in full.
fn reported_in_detail(expected: &[Type], actual: &Type) -> bool {
    always_in_detail(expected, actual) || expected.iter().any(|e| accepted_by_default(e, actual))
}

fn always_in_detail(expected: &[Type], actual: &Type) -> bool {
    expected.iter().any(|e| {
        e.same_kind(actual)
            || matches!(e, Type::Alias(_))
            || matches!(actual, Type::Alias(_))
            || matches!((e, actual), (Type::Struct(_), Type::Hash(_)) | (Type::Tuple(_), Type::Array(_)))
    })
}

/// Returns true if the type would be accepted were it not for the parameters of the expected one.
fn accepted_by_default(expected: &Type, actual: &Type) -> bool {
    let accepts = |expected: &Type| expected.default_of_kind().assignable(actual);
    if let Type::Alias(alias) = expected {
        alias.with_target(|target| target.is_some_and(accepts))
    } else {
        accepts(expected)
    }
}

/// Returns the actual type in full if its general form would be accepted, otherwise only its name.
fn detailed_actual(expected: &[Type], actual: &Type) -> String {
    let resolved: Vec<Type> = expected.iter().map(resolved).collect();
    if always_in_detail(&resolved, actual) {
        return actual.to_expanded_string();
    }
    let generalized = actual.generalize();
    if resolved.iter().any(|e| e.assignable(&generalized)) {
        actual.to_expanded_string()
    } else {
        last_name(actual).to_owned()
    }
}

/// Returns the name of a kind of type, the last part of it for an Object type.
fn last_name(t: &Type) -> &str {
    if let Type::Object(_) | Type::ObjectExtension(_) = t {
        t.name().rsplit("::").next().unwrap_or_default()
    } else {
        t.simple_name()
    }
}

/// Returns the target of an alias at the end of its chain.
pub(super) fn resolved(t: &Type) -> Type {
    const MAX_HOPS: usize = 64;
    let mut t = t.clone();
    for _ in 0..MAX_HOPS {
        let Type::Alias(alias) = &t else { break };
        let Some(target) = alias.target() else { break };
        t = target;
    }
    t
}
