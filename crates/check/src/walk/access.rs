//! `operand[keys]`.
#![allow(clippy::wildcard_enum_match_arm, reason = "all other kinds count as unknown")]

use super::super::abstraction::{any, bounded, entries_of, type_of, union};
use super::super::kinds::ValueKinds;
use super::super::rule::Rule;
use super::{FlowValue, Walk};
use puppetfn_runtime::eval::access::access;
use puppetfn_syntax::ast::{Access, Expr, ExprKind};
use puppetfn_types::types::Type;
use puppetfn_types::value::Value;

/// The kinds of values that have parts.
const DIVISIBLE: ValueKinds = ValueKinds::STRING
    .or(ValueKinds::ARRAY)
    .or(ValueKinds::HASH)
    .or(ValueKinds::BINARY)
    .or(ValueKinds::TYPE)
    .or(ValueKinds::FOREIGN);

impl<'s> Walk<'_, 's> {
    pub(super) fn access(&mut self, code: &Access<'s>, expr: &Expr<'s>) -> FlowValue {
        let operand = match code.operand.kind {
            ExprKind::Reference(name) => self.accessed_type_name(name, code.operand.span),
            _ => self.expr(&code.operand)?,
        };
        if let (ExprKind::Variable("facts" | "::facts"), [key]) = (&code.operand.kind, code.keys.as_slice())
            && let Some(name) = key.kind.as_constant_string()
        {
            self.legacy_key(name, &code.operand, key.span, expr.span);
        }
        self.misspelt_key(code);
        let of_catalog = matches!(&operand, Value::Type(t) if is_of_catalog(t));
        let mut keys = Vec::with_capacity(code.keys.len());
        for key in &code.keys {
            keys.push(match key.kind {
                // The name of a class or of a resource type, which need not be known here.
                ExprKind::Reference(name) if of_catalog => self.accessed_type_name(name, key.span),
                _ => self.expr(key)?,
            });
        }
        let value = self.accessed(&operand, &keys, code, expr);
        Some(self.fact_value(code).filter(|_| value == any()).unwrap_or(value))
    }

    fn accessed(&mut self, operand: &Value, keys: &[Value], code: &Access<'s>, expr: &Expr<'s>) -> Value {
        let is_known = !keys.iter().any(Value::contains_unknown);
        match operand {
            // The attributes of a resource in the catalog are not known, and the keys may name more than one resource.
            Value::Type(t) if is_of_catalog(t) => {
                self.class_reference(t, keys, code);
                return any();
            }
            Value::Type(_) if !is_known => return Value::unknown(Type::Type(None)),
            Value::Unknown(t) => return self.accessed_unknown(operand, t, keys, code, expr),
            _ if !is_known => return self.accessed_unknown(operand, &Type::Any, keys, code, expr),
            _ => {}
        }
        match access(operand, keys, self.limits()) {
            Ok(value) => bounded(value, self.limits()),
            Err(fault) => {
                let key = fault.key.and_then(|index| code.keys.get(index));
                let at = key.map_or(expr.diagnostic_span(), Expr::diagnostic_span);
                self.report(Rule::Access, at, fault.message)
            }
        }
    }

    /// Reports keys that cannot be names of classes.
    fn class_reference(&mut self, t: &Type, keys: &[Value], code: &Access<'s>) {
        if !matches!(t, Type::Class(_)) {
            return;
        }
        for (key, written) in keys.iter().zip(&code.keys) {
            if matches!(key, Value::Integer(_) | Value::Float(_) | Value::Boolean(_) | Value::Hash(_)) {
                let name = type_of(key, self.limits()).generalize().to_string();
                let article = if name.starts_with('I') { "An" } else { "A" };
                let message = format!(
                    "Illegal Class name in class reference. {article} {name} cannot be used where a String is expected"
                );
                self.report(Rule::Access, written.diagnostic_span(), message);
            }
        }
    }

    /// Checks an access where the operand, of some type, or a key is not known.
    fn accessed_unknown(
        &mut self,
        operand: &Value,
        t: &Type,
        keys: &[Value],
        code: &Access<'s>,
        expr: &Expr<'s>,
    ) -> Value {
        let kinds = ValueKinds::of(operand);
        if !kinds.meets(DIVISIBLE) {
            let message = format!("Operator '[]' is not applicable to {}.", self.shown(operand));
            return self.report(Rule::Access, expr.diagnostic_span(), message);
        }
        // Values without parts fail with any key.
        let kinds = kinds.and(DIVISIBLE);
        let [key] = keys else { return any() };
        // A text of a number is one for texts, but not for arrays.
        let indexes = ValueKinds::INTEGER.or(ValueKinds::ARRAY).or(ValueKinds::FOREIGN);
        let is_number = !matches!(key, Value::String(text) if !starts_like_a_number(text));
        let texts =
            if kinds.meets(ValueKinds::STRING) && is_number { ValueKinds::STRING } else { ValueKinds::NONE };
        if kinds.is_within(ValueKinds::ARRAY.or(ValueKinds::STRING))
            && !ValueKinds::of(key).meets(indexes.or(texts))
        {
            let key_at = code.keys.first().map_or(expr.diagnostic_span(), Expr::diagnostic_span);
            let message = format!(
                "A {} is accessed by an Integer, got {}",
                if kinds == ValueKinds::STRING { "String" } else { "Array" },
                self.shown(key)
            );
            return self.report(Rule::Access, key_at, message);
        }
        match kinds {
            ValueKinds::STRING if ValueKinds::of(key) == ValueKinds::INTEGER => Value::unknown(Type::STRING),
            ValueKinds::HASH => self.member(t, key).unwrap_or_else(|| self.element(operand)),
            ValueKinds::ARRAY if ValueKinds::of(key) == ValueKinds::INTEGER => self.element(operand),
            _ => any(),
        }
    }

    /// Returns the value at a known key of a struct.
    fn member(&self, t: &Type, key: &Value) -> Option<Value> {
        let Value::String(key) = key else { return None };
        match t {
            Type::Struct(members) => {
                let member = members.member(key)?;
                let t = super::super::abstraction::certain(&member.value);
                let is_optional = member.optional;
                Some(Value::unknown(if is_optional { union(&t, &Type::Undef) } else { t }))
            }
            Type::Alias(alias) => alias.with_target(|t| self.member(t?, &Value::String(key.clone()))),
            _ => None,
        }
    }

    /// Returns some element, or undef if it is missing.
    fn element(&self, operand: &Value) -> Value {
        match entries_of(operand, self.limits()) {
            Some((_, element)) => Value::unknown(union(&element, &Type::Undef)),
            None => any(),
        }
    }
}

/// Returns true if a text may be the text of a number.
fn starts_like_a_number(text: &str) -> bool {
    text.trim_start().starts_with(|c: char| c.is_ascii_digit() || matches!(c, '-' | '+' | '.'))
}

/// Returns true if a type stands for entries of a catalog.
fn is_of_catalog(t: &Type) -> bool {
    matches!(t, Type::Class(_) | Type::Resource(_) | Type::CatalogEntry)
}
