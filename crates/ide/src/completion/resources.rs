//! Resource types, their attributes, and the values of attributes.
#![allow(clippy::wildcard_enum_match_arm, reason = "only some types list their values")]

use std::path::Path;

use super::{Completion, CompletionKind, begins, resolved};
use crate::Ide;
use crate::describe::{attribute, lower};
use puppetfn_base::source::Span;
use puppetfn_catalog::METAPARAMETERS;
use puppetfn_check::{AttributeOf, Declarable};
use puppetfn_index::Symbol;
use puppetfn_syntax::ast::{ExprKind, Parameter};
use puppetfn_types::types::Type;

impl Ide {
    /// Returns the resource types.
    pub(super) fn resource_types(&self, word: &str, span: Span) -> Vec<Completion> {
        let names = self.names().resource_types.iter().filter(|name| begins(name, word));
        names.map(|name| self.resource_type(name, span)).collect()
    }

    /// Returns a resource with its required attributes.
    fn resource_type(&self, name: &str, span: Span) -> Completion {
        let declarable = self.world().declarable_type(name);
        let attributes = declarable.as_ref().map(Declarable::attributes).unwrap_or_default();
        let required: Vec<&str> =
            attributes.iter().filter(|one| one.is_required()).map(AttributeOf::name).collect();
        let width = required.iter().map(|name| name.len()).max().unwrap_or(0);
        let lines =
            required.iter().zip(2..).map(|(name, place)| format!("\n  {name:width$} => ${{{place}:value}},"));
        let body: String = lines.collect();
        let end = if body.is_empty() { "\n  $0\n}" } else { "\n}" };
        let snippet = format!("{name} {{ '${{1:title}}':{body}{end}");
        Completion::new(CompletionKind::ResourceType, name, span).snippet(snippet)
    }

    /// Returns the attributes that a resource does not set yet.
    pub(super) fn attributes(
        &self,
        path: &Path,
        type_name: &str,
        title: Option<&str>,
        given: &[String],
        span: Span,
    ) -> Vec<Completion> {
        let Some((declarable, owner)) = self.declared_as(type_name, title) else { return Vec::new() };
        let is_new = |one: &AttributeOf<'_>| !given.iter().any(|given| given == one.name());
        let own = declarable.attributes().into_iter().filter(is_new).map(|one| {
            let (t, doc) = attribute(self, one, &owner, path);
            let mark = if one.is_required() { " (required)" } else { "" };
            Completion::new(CompletionKind::Attribute, one.name(), span)
                .detail(format!("{t}{mark}").trim())
                .documented(doc)
                .inserting(format!("{} => ", one.name()))
        });
        let mut found: Vec<_> = own.collect();
        let metaparameters = METAPARAMETERS.iter().filter(|name| !given.iter().any(|given| given == *name));
        found.extend(metaparameters.map(|name| {
            Completion::new(CompletionKind::Attribute, *name, span).inserting(format!("{name} => "))
        }));
        found
    }

    /// Returns the parameters of a template in EPP that a call does not set yet.
    pub(super) fn template_parameters(
        &self,
        template: &str,
        given: &[String],
        in_quotes: bool,
        span: Span,
    ) -> Vec<Completion> {
        let source = self.path_in_module("templates", template).and_then(|path| self.any_source(&path));
        let Some(source) = source else { return Vec::new() };
        let parameters = source.program().statements.iter().find_map(|statement| match &statement.kind {
            ExprKind::Template(template) => template.parameters.as_deref(),
            _ => None,
        });
        let new =
            parameters.unwrap_or_default().iter().filter(|one| !given.iter().any(|name| name == one.name));
        let completion = |one: &Parameter<'_>| {
            let t = one.type_expr.as_ref().map_or("Any", |t| t.span.text(source.text()));
            let mark = if one.default.is_none() { " (required)" } else { "" };
            let insert = if in_quotes { one.name.to_owned() } else { format!("'{}' => ", one.name) };
            Completion::new(CompletionKind::Attribute, one.name, span)
                .detail(format!("{t}{mark}"))
                .inserting(insert)
        };
        new.map(completion).collect()
    }

    /// Returns the class or the type of a resource.
    pub(crate) fn declared_as(&self, type_name: &str, title: Option<&str>) -> Option<(Declarable, Symbol)> {
        if type_name == "class" {
            let name = lower(title?);
            return Some((self.world().declarable_class(&name)?, Symbol::Class(name)));
        }
        Some((self.world().declarable_type(type_name)?, Symbol::Type(lower(type_name))))
    }

    /// Returns the listed values of an attribute.
    pub(super) fn values(
        &self,
        type_name: &str,
        title: Option<&str>,
        name: &str,
        in_quotes: bool,
        span: Span,
    ) -> Vec<Completion> {
        let Some((declarable, _)) = self.declared_as(type_name, title) else { return Vec::new() };
        let found = declarable.attributes().into_iter().find(|one| one.name() == name);
        let values = match found {
            Some(AttributeOf::Parameter(parameter)) => listed(&parameter.t),
            Some(AttributeOf::Native(attribute)) => {
                let plain = attribute.values.iter().filter(|value| !value.starts_with('/'));
                plain.map(|value| (value.clone(), is_bare(value))).collect()
            }
            None => Vec::new(),
        };
        let value = |(value, is_bare): (String, bool)| {
            let written = if is_bare || in_quotes { value.clone() } else { format!("'{value}'") };
            Completion::new(CompletionKind::Value, value, span).inserting(written)
        };
        values.into_iter().map(value).collect()
    }
}

/// Returns the values that a type lists, and whether they are written without quotes.
pub(crate) fn listed(t: &Type) -> Vec<(String, bool)> {
    match resolved(t) {
        Type::Enum(members) => members.values().iter().map(|value| (value.to_string(), false)).collect(),
        Type::Boolean(None) => vec![("true".into(), true), ("false".into(), true)],
        Type::Boolean(Some(only)) => vec![(only.to_string(), true)],
        Type::Variant(types) => types.iter().flat_map(listed).collect(),
        Type::Undef => vec![("undef".into(), true)],
        _ => Vec::new(),
    }
}

/// Returns true if a value is a name without quotes, as the style guide recommends.
fn is_bare(value: &str) -> bool {
    matches!(
        value,
        "true"
            | "false"
            | "present"
            | "absent"
            | "file"
            | "directory"
            | "link"
            | "running"
            | "stopped"
            | "latest"
            | "installed"
    )
}
