//! Values of attributes, where the type of the resources is written in Ruby.
#![allow(clippy::wildcard_enum_match_arm, reason = "all other kinds count as unknown")]

use super::super::native_type::RubyResourceType;
use super::super::rule::Rule;
use super::super::world::ResolvedResourceType;
use super::Walk;
use super::resource::{AcceptedParameters, BodyAttributes};
use puppetfn_catalog::METAPARAMETERS;
use puppetfn_syntax::ast::{Expr, ExprKind, ResourceBody, ResourceForm};
use puppetfn_types::value::Value;

impl<'s> Walk<'_, 's> {
    /// Checks a body of resources of a type in Ruby.
    pub(super) fn native_body(
        &mut self,
        t: &RubyResourceType,
        attributes: &BodyAttributes<'s>,
        title: &Value,
        body: &ResourceBody<'s>,
        form: ResourceForm,
        has_default: bool,
    ) {
        if form != ResourceForm::Exported {
            self.unknown_attributes(t, attributes);
        }
        // A virtual resource may never become a real one. An empty array of titles makes no resource.
        let is_made =
            form == ResourceForm::Regular && !matches!(title, Value::Array(titles) if titles.is_empty());
        if !is_made {
            return;
        }
        let reference = format!("{}[{}]", t.shown_name(), self.shown_title(title, &body.title));
        self.values(t, &self.lasting(attributes, t.name(), title), &reference);
        let is_default = matches!(body.title.kind, ExprKind::Default);
        if is_default {
            return;
        }
        self.titles(t, title, attributes, body);
        if !attributes.is_open() && !has_default && !self.world.is_adjusted(t.name()) {
            let missing: Vec<&str> = t.required().filter(|name| !attributes.has(name)).collect();
            if !missing.is_empty() {
                let message = format!(
                    "{reference}: The following mandatory parameters were not provided: {}",
                    missing.join(", ")
                );
                self.report(Rule::MissingParameter, body.title.diagnostic_span(), message);
            }
        }
    }

    fn unknown_attributes(&mut self, t: &RubyResourceType, attributes: &BodyAttributes<'s>) {
        let parameters = AcceptedParameters {
            of: &t.shown_name(),
            has: Box::new(|name| t.may_have(name)),
            names: t.attributes().chain(METAPARAMETERS).collect(),
            place: None,
        };
        self.unknown_parameters(attributes, &parameters);
    }

    /// Checks attributes that are set elsewhere than in declarations of resources.
    pub(super) fn changed_attributes(
        &mut self,
        type_name: &str,
        attributes: &BodyAttributes<'s>,
        title: Option<&str>,
    ) {
        match self.world.resource(type_name) {
            ResolvedResourceType::Native(t) => {
                self.unknown_attributes(&t, attributes);
                let reference = match title {
                    Some(title) => format!("{}[{title}]", t.shown_name()),
                    None => t.shown_name(),
                };
                self.values(&t, attributes, &reference);
            }
            ResolvedResourceType::Defined(definition) => {
                self.unknown_parameters(attributes, &AcceptedParameters::of(&definition, &definition.name));
                self.parameter_types(attributes, &definition);
            }
            ResolvedResourceType::Foreign | ResolvedResourceType::Unsure | ResolvedResourceType::Missing => {}
        }
    }

    /// Returns the attributes that no override and no collector sets to something else.
    pub(super) fn lasting(
        &self,
        attributes: &BodyAttributes<'s>,
        type_name: &str,
        title: &Value,
    ) -> BodyAttributes<'s> {
        let title = if let Value::String(title) = title { Some(&**title) } else { None };
        BodyAttributes::of(
            attributes.given().iter().filter(|(name, ..)| !self.world.is_overridden(type_name, title, name)),
        )
    }

    /// Reports the values that resources cannot have.
    fn values(&mut self, t: &RubyResourceType, attributes: &BodyAttributes<'s>, reference: &str) {
        for (name, value, span) in attributes.given() {
            if let Some(refusal) = t.refusal(name, value, &self.types(), self.limits()) {
                let message = format!("Parameter {name} failed on {reference}: {refusal}");
                self.report(Rule::ParameterValue, *span, message);
            }
        }
    }

    /// Reports titles whose values resources cannot have.
    fn titles(
        &mut self,
        t: &RubyResourceType,
        title: &Value,
        attributes: &BodyAttributes<'s>,
        body: &ResourceBody<'s>,
    ) {
        let Some(name) = t.titled() else { return };
        if attributes.is_open() || attributes.has(name) || attributes.has("name") {
            return;
        }
        let titles = match title {
            Value::Array(titles) => titles.to_vec(),
            title => vec![title.clone()],
        };
        for title in titles {
            if let Value::String(text) = &title
                && let Some(refusal) = t.refusal(name, &title, &self.types(), self.limits())
            {
                let message = format!("Parameter {name} failed on {}[{text}]: {refusal}", t.shown_name());
                self.report(Rule::ParameterValue, body.title.diagnostic_span(), message);
            }
        }
    }

    /// Returns the title as messages have it: the first one, or else its code.
    fn shown_title(&self, title: &Value, expr: &Expr<'s>) -> String {
        let first = match title {
            Value::Array(titles) => titles.first().unwrap_or(title),
            title => title,
        };
        match first {
            Value::String(text) => text.to_string(),
            _ => expr.span.text(self.text).to_owned(),
        }
    }
}
