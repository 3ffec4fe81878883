//! References in relationships: their targets must be in the catalog.
#![allow(clippy::wildcard_enum_match_arm, reason = "all other kinds count as unknown")]

use super::super::declare::named;
use super::super::kinds::ValueKinds;
use super::super::rule::Rule;
use super::Walk;
use super::resource::BodyAttributes;
use puppetfn_base::source::Span;
use puppetfn_catalog::RELATIONSHIPS;
use puppetfn_syntax::ast::{AttributeOperation, Expr, ExprKind};
use puppetfn_types::types::parse::{capitalize_segments, is_basic};
use puppetfn_types::value::Value;

impl<'s> Walk<'_, 's> {
    /// Looks for the classes that relationships of a resource name.
    pub(super) fn related(&mut self, operations: &[AttributeOperation<'s>]) {
        for operation in operations {
            if named(operation.attribute).is_some_and(|name| RELATIONSHIPS.contains(&name)) {
                self.referred(&operation.value);
            }
        }
    }

    /// Reports values of relationships that are no references to resources, and texts that stand for references.
    pub(super) fn relationship_values(&mut self, attributes: &BodyAttributes<'s>) {
        for (name, value, span) in attributes.given() {
            if RELATIONSHIPS.contains(&&**name) {
                self.relationship_value(name, value, *span);
            }
        }
    }

    fn relationship_value(&mut self, name: &str, value: &Value, at: Span) {
        match value {
            Value::Array(items) => items.iter().for_each(|item| self.relationship_value(name, item, at)),
            Value::Integer(_) | Value::Float(_) | Value::Boolean(_) | Value::Hash(_) | Value::String(_) => {
                let Ok(text) = value.ruby_to_s(self.limits()) else { return };
                match reference_in(&text) {
                    None => {
                        let message =
                            format!("No title provided and {text:?} is not a valid resource reference");
                        self.report(Rule::Relationship, at, message);
                    }
                    Some((_, title)) if is_quoted(title) => {
                        let message = format!("Could not find resource '{text}' in parameter '{name}'");
                        self.report(Rule::Relationship, at, message);
                    }
                    Some((type_name, title)) => {
                        let message = format!("'{text}' is a text: write {type_name}['{title}']");
                        self.as_warnings(|walk| walk.report(Rule::Relationship, at, message));
                    }
                }
            }
            _ => {}
        }
    }

    /// Reports an operand of an arrow that is no resource.
    pub(super) fn related_operand(&mut self, value: &Value, written: &Expr<'s>) {
        let possible = ValueKinds::STRING.or(ValueKinds::ARRAY).or(ValueKinds::TYPE).or(ValueKinds::FOREIGN);
        match value {
            Value::Array(items) => items.iter().for_each(|item| self.related_operand(item, written)),
            Value::String(text) if reference_in(text).is_none() => {
                let message = format!("The expression: '{text}' is not a valid resource reference");
                self.report(Rule::Relationship, written.diagnostic_span(), message);
            }
            value if !ValueKinds::of(value).meets(possible) => {
                let message = format!(
                    "Illegal relationship operand, can not form a relationship with {}. A Catalog type is required.",
                    self.shown(value)
                );
                self.report(Rule::Relationship, written.diagnostic_span(), message);
            }
            _ => {}
        }
    }

    /// Looks for the classes that references in an expression name. No catalog can have one that is not defined.
    pub(super) fn referred(&mut self, expr: &Expr<'s>) {
        match &expr.kind {
            ExprKind::Paren(inner) => self.referred(inner),
            ExprKind::Array(items) => items.iter().for_each(|item| self.referred(item)),
            ExprKind::Reference(name) => {
                let message = format!("No title provided and \"{name}[]\" is not a valid resource reference");
                self.report(Rule::Relationship, expr.diagnostic_span(), message);
            }
            ExprKind::Access(access) => {
                if let ExprKind::Reference(name) = access.operand.kind
                    && name.eq_ignore_ascii_case("class")
                {
                    access.keys.iter().for_each(|key| self.referred_class(key));
                }
            }
            _ => {}
        }
    }

    /// Reports a reference to a resource where only one to a class can be.
    pub(super) fn included_resource(&mut self, expr: &Expr<'s>) {
        match &expr.kind {
            ExprKind::Paren(inner) => self.included_resource(inner),
            ExprKind::Array(items) => items.iter().for_each(|item| self.included_resource(item)),
            ExprKind::Access(access) => {
                let ExprKind::Reference(name) = access.operand.kind else { return };
                let name = name.trim_start_matches("::");
                // Types of values have other messages.
                if !is_basic(&capitalize_segments(&name.to_lowercase())) {
                    let message =
                        format!("Cannot use a Resource[{name}] where a Resource['class', name] is expected");
                    self.report(Rule::Title, expr.diagnostic_span(), message);
                }
            }
            _ => {}
        }
    }

    fn referred_class(&mut self, key: &Expr<'s>) {
        let name = match &key.kind {
            ExprKind::Reference(name) => *name,
            kind => match kind.as_constant_string() {
                Some(name) => name,
                None => return,
            },
        };
        let message = format!("No catalog can have Class[{name}]: there is no such class");
        match self.world.class(name) {
            Ok(_) => {}
            Err(false) => {
                self.report(Rule::UnknownClass, key.diagnostic_span(), message);
            }
            Err(true) => self.probably(
                Rule::UnknownClass,
                &message,
                self.world.class_meant(name),
                key.diagnostic_span(),
            ),
        }
    }
}

/// Returns the type and the title of a text that names a resource.
pub(super) fn reference_in(text: &str) -> Option<(&str, &str)> {
    let (type_name, rest) = text.split_once('[')?;
    let title = rest.strip_suffix(']')?;
    (!type_name.is_empty() && !type_name.contains(']') && !title.is_empty()).then_some((type_name, title))
}

/// Returns true if quotation marks belong to a title.
fn is_quoted(title: &str) -> bool {
    let inner = |mark: char| title.strip_prefix(mark).and_then(|rest| rest.strip_suffix(mark));
    inner('\'').or_else(|| inner('"')).is_some_and(|inner| !inner.is_empty())
}
