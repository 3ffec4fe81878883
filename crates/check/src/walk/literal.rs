//! Texts with code in them, arrays, hashes and names of types.
#![allow(clippy::wildcard_enum_match_arm, reason = "all other kinds count as unknown")]

use std::sync::Arc;

use super::super::abstraction::{any_of, bounded, type_of};
use super::super::finding::Finding;
use super::super::kinds::ValueKinds;
use super::super::rule::Rule;
use super::super::world::ResolvedTypeName;
use super::{FlowValue, Walk};
use puppetfn_base::source::Span;
use puppetfn_syntax::ast::{Expr, ExprKind, KeyedEntry, StringSegment, UnaryOp};
use puppetfn_types::types::{Size, StringType, Type};
use puppetfn_types::value::{Hash, Value};

impl<'s> Walk<'_, 's> {
    pub(super) fn interpolation(&mut self, segments: &[StringSegment<'s>]) -> FlowValue {
        let mut known = Some(String::new());
        let mut length = 0u64;
        for segment in segments {
            match segment {
                StringSegment::Text(text, _) => {
                    length = length.saturating_add(text.chars().count() as u64);
                    known.iter_mut().for_each(|known| known.push_str(text));
                }
                StringSegment::Expr(code) => {
                    let before = self.text.get(..code.span.start as usize).unwrap_or_default();
                    let has_sign = code.span.text(self.text).starts_with('$');
                    self.bare = Some(code.span).filter(|_| has_sign && !before.ends_with("${"));
                    let value = self.expr(code)?;
                    if ValueKinds::of(&value) == ValueKinds::SENSITIVE {
                        let message =
                            "A Sensitive value in a string becomes the text 'Sensitive [value redacted]'";
                        self.report(Rule::SensitiveInString, code.span, message);
                    }
                    let text =
                        (!value.contains_unknown()).then(|| value.interpolated(self.limits()).ok()).flatten();
                    known = known.zip(text).map(|(known, text)| known + &text);
                }
            }
        }
        Some(match known {
            Some(text) => bounded(text.into(), self.limits()),
            None if length == 0 => Value::unknown(Type::STRING),
            None => Value::unknown(Type::String(StringType::Sized(Some(Size::new(length, None))))),
        })
    }

    pub(super) fn array(&mut self, items: &[Expr<'s>]) -> FlowValue {
        let mut values = Some(Vec::with_capacity(items.len()));
        for item in items {
            let value = self.expr(item)?;
            match (is_splat(item), value, &mut values) {
                (true, Value::Array(elements), Some(values)) => values.extend(elements.iter().cloned()),
                (true, ..) => values = None,
                (false, value, Some(values)) => values.push(value),
                (false, ..) => {}
            }
        }
        Some(match values {
            Some(values) => bounded(values.into(), self.limits()),
            None => Value::unknown(Type::array(Type::Any, None)),
        })
    }

    pub(super) fn hash(&mut self, entries: &[KeyedEntry<'s>]) -> FlowValue {
        let mut pairs = Vec::with_capacity(entries.len());
        for entry in entries {
            let key = self.expr(&entry.key)?;
            pairs.push((key, self.expr(&entry.value)?));
        }
        let limits = self.limits();
        if !pairs.iter().any(|(key, _)| key.contains_unknown()) {
            let hash: Hash = pairs.into_iter().collect();
            return Some(bounded(Value::Hash(Arc::new(hash)), limits));
        }
        // Unknown keys may be equal to other keys.
        let size = Size::new(1, Some(pairs.len() as u64));
        let keys = any_of(pairs.iter().map(|(key, _)| type_of(key, limits)));
        let values = any_of(pairs.iter().map(|(_, value)| type_of(value, limits)));
        Some(Value::unknown(Type::hash(keys, values, Some(size))))
    }

    /// Returns the type of a name.
    pub(super) fn type_name(&mut self, name: &'s str, at: Span) -> Value {
        match self.world.type_named(name, self.origin) {
            ResolvedTypeName::Type(t) => Value::from(t),
            ResolvedTypeName::Resource => Value::unknown(Type::Type(None)),
            ResolvedTypeName::Unsure => self.unsure_type(name, at),
            ResolvedTypeName::Missing => {
                self.unknown_type(name, format!("Resource type not found: {name}"), at);
                Value::unknown(Type::Type(None))
            }
        }
    }

    /// Returns a type that a module which is not there may have.
    fn unsure_type(&mut self, name: &str, at: Span) -> Value {
        self.probable_type(name, &format!("Resource type not found: {name}"), at);
        Value::unknown(Type::Type(None))
    }

    /// Reports the name of a type that a module which is not there may have, if it is written for another.
    pub(super) fn probable_type(&mut self, name: &str, message: &str, at: Span) {
        let meant = self.world.type_meant(name, self.origin);
        self.probably(Rule::UnknownType, message, meant, at);
    }

    /// Reports the name of a type that does not exist.
    pub(super) fn unknown_type(&mut self, name: &str, message: String, at: Span) {
        let names = self.world.type_names();
        let finding = Finding::new(Rule::UnknownType, message, at);
        self.note(finding.meant(name, names.iter().map(String::as_str), (self.text, at.start)));
    }

    /// Returns the resource type of a name before brackets, which may belong to any library.
    pub(super) fn accessed_type_name(&mut self, name: &'s str, at: Span) -> Value {
        match self.world.type_named(name, self.origin) {
            ResolvedTypeName::Missing if !name.contains("::") => self.unsure_type(name, at),
            ResolvedTypeName::Missing
            | ResolvedTypeName::Type(_)
            | ResolvedTypeName::Resource
            | ResolvedTypeName::Unsure => self.type_name(name, at),
        }
    }
}

pub(super) fn is_splat(expr: &Expr<'_>) -> bool {
    matches!(expr.kind, ExprKind::Unary(UnaryOp::Splat, _))
}
