//! Resources that functions declare.
#![allow(clippy::wildcard_enum_match_arm, reason = "all other kinds count as unknown")]

use std::sync::Arc;

use super::super::rule::Rule;
use super::super::world::ResolvedResourceType;
use super::Walk;
use super::resource::BodyAttributes;
use puppetfn_base::source::Span;
use puppetfn_types::value::Value;

/// The resources that a call of a function declares.
struct CreatedResources<'v> {
    type_name: &'v str,
    /// The titles, each with the attributes of the resource.
    resources: Vec<(Value, Value)>,
    defaults: Option<&'v Value>,
    /// Whether they are declared even if they exist already.
    is_certain: bool,
}

impl<'v> CreatedResources<'v> {
    /// Returns the resources that a call of a function declares, if all its arguments are known.
    fn of(function: &str, arguments: &'v [Value]) -> Option<Self> {
        let titled = |titles: &Value| -> Vec<_> {
            let titles =
                if let Value::Array(titles) = titles { titles.to_vec() } else { vec![titles.clone()] };
            titles.into_iter().map(|title| (title, Value::Hash(Arc::default()))).collect()
        };
        let entries = |resources: &Value| match resources {
            Value::Hash(resources) => {
                Some(resources.iter().map(|(title, set)| (title.clone(), set.clone())).collect())
            }
            _ => None,
        };
        let is_certain = function == "create_resources";
        let (type_name, resources, defaults): (&str, Vec<_>, _) = match (function, arguments) {
            ("create_resources" | "ensure_resources", [Value::String(name), resources, others @ ..]) => {
                (name, entries(resources)?, others.first())
            }
            ("ensure_resource", [Value::String(name), titles, others @ ..]) => {
                (name, titled(titles), others.first())
            }
            ("ensure_packages", [titles @ (Value::String(_) | Value::Array(_)), others @ ..]) => {
                ("package", titled(titles), others.first())
            }
            ("ensure_packages", [packages, others @ ..]) => ("package", entries(packages)?, others.first()),
            _ => return None,
        };
        Some(Self { type_name, resources, defaults, is_certain })
    }
}

impl<'s> Walk<'_, 's> {
    /// Checks the resources that `create_resources` and functions like it declare.
    pub(super) fn created(&mut self, function: &str, arguments: &[Value], span: Span) {
        if function == "create_resources" && arguments.len() > 3 {
            let message = format!(
                "create_resources(): wrong number of arguments ({}; must be 2 or 3)",
                arguments.len()
            );
            self.report(Rule::ArgumentMismatch, span, message);
        }
        self.ensured(function.trim_start_matches("::"), arguments, span);
        let Some(told) = CreatedResources::of(function.trim_start_matches("::"), arguments) else { return };
        for (title, set) in &told.resources {
            let Value::String(title) = title else { continue };
            let mut attributes = BodyAttributes::default();
            for set in [Some(set), told.defaults].into_iter().flatten() {
                attributes.take(set, span);
            }
            self.created_resource(&told, title, &attributes, span);
        }
    }

    /// Reports arguments that `ensure_resource` refuses.
    fn ensured(&mut self, function: &str, arguments: &[Value], span: Span) {
        let message = match (function, arguments) {
            ("ensure_resource", [] | [_]) => "Must specify a type and title",
            (
                "ensure_resource",
                [_, _, Value::String(_) | Value::Integer(_) | Value::Boolean(true) | Value::Array(_), ..],
            ) => "ensure_resource(): the attributes must be a Hash",
            _ => return,
        };
        self.report(Rule::FailingCall, span, message);
    }

    fn created_resource(
        &mut self,
        told: &CreatedResources<'_>,
        title: &str,
        attributes: &BodyAttributes<'s>,
        at: Span,
    ) {
        if told.type_name.eq_ignore_ascii_case("class") {
            return self.declared_class(title, attributes, at);
        }
        match self.world.resource(told.type_name.trim_start_matches('@')) {
            ResolvedResourceType::Missing => {
                let message = format!("Unknown resource type: '{}'", told.type_name);
                self.report(Rule::UnknownResourceType, at, message);
            }
            ResolvedResourceType::Unsure => {
                let meant =
                    self.world.resource_type_meant(told.type_name.trim_start_matches('@'), self.origin);
                self.probably(
                    Rule::UnknownResourceType,
                    &format!("Unknown resource type: '{}'", told.type_name),
                    meant,
                    at,
                );
            }
            // A virtual resource need not become a real one.
            _ if told.type_name.starts_with('@') => {}
            ResolvedResourceType::Defined(definition) => {
                let lasting = self.lasting(attributes, &definition.name, &title.into());
                self.changed_attributes(told.type_name, &lasting, Some(title));
                if told.is_certain && !attributes.is_open() && !self.world.is_adjusted(&definition.name) {
                    self.missing_parameters(attributes, &definition, at);
                }
            }
            ResolvedResourceType::Native(t) => {
                let lasting = self.lasting(attributes, t.name(), &title.into());
                self.changed_attributes(t.name(), &lasting, Some(title));
                self.title_of(&t, title, attributes, at);
            }
            ResolvedResourceType::Foreign => {}
        }
    }
}
