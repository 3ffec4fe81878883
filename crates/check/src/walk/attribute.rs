//! Values of attributes, where the type of the resources is written in Ruby.
#![allow(clippy::wildcard_enum_match_arm, reason = "all other kinds count as unknown")]

use super::super::native_type::{RubyResourceType, metaparameters};
use super::super::rule::Rule;
use super::super::world::ResolvedResourceType;
use super::Walk;
use super::resource::{AcceptedParameters, BodyAttributes};
use puppetfn_base::source::Span;
use puppetfn_catalog::{METAPARAMETERS, is_tag};
use puppetfn_syntax::ast::{Expr, ExprKind, ResourceBody, ResourceForm};
use puppetfn_types::types::parse::capitalize_segments;
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
        if !has_default {
            self.note_names(t, attributes, title, &body.title);
        }
        // A virtual resource may never become a real one. An empty array of titles makes no resource.
        let is_made =
            form == ResourceForm::Regular && !matches!(title, Value::Array(titles) if titles.is_empty());
        if !is_made {
            return;
        }
        let reference = format!("{}[{}]", t.shown_name(), self.shown_title(title, &body.title));
        let lasting = self.lasting(attributes, t.name(), title);
        self.values(t, &lasting, &reference);
        self.metaparameter_values(&lasting, &reference);
        let is_default = matches!(body.title.kind, ExprKind::Default);
        if is_default {
            return;
        }
        self.titles(t, title, attributes, body);
        self.provider(t, &lasting, &reference);
        self.source(t, &lasting);
        let is_complete = !attributes.is_open() && !has_default && !self.world.is_adjusted(t.name());
        let at = body.title.diagnostic_span();
        self.combination(t, &lasting, is_complete, &reference, at);
        self.own_type_values(t, &lasting, is_complete, &reference, at);
        if t.name() == "resources" {
            self.purged_types(&lasting, title, is_complete, at);
        }
        self.commands(t, &lasting, title, is_complete, &reference, at);
        if is_complete {
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
            let Some(refusal) = t.refusal(name, value, &self.types(), self.limits()) else { continue };
            let message = format!("Parameter {name} failed on {reference}: {}", refusal.message);
            if refusal.depends_on_provider {
                self.as_warnings(|walk| walk.report(Rule::ParameterValue, *span, message));
            } else {
                self.report(Rule::ParameterValue, *span, message);
            }
        }
    }

    /// Reports the values that metaparameters of a resource or class cannot have.
    pub(super) fn metaparameter_values(&mut self, attributes: &BodyAttributes<'s>, reference: &str) {
        self.values(metaparameters(), attributes, reference);
        let tags = attributes.given().iter().filter(|(name, ..)| name == "tag");
        let wrong: Vec<(String, Span)> =
            tags.filter_map(|(_, value, span)| Some((invalid_tag(value)?, *span))).collect();
        for (message, span) in wrong {
            self.report(Rule::ParameterValue, span, message);
        }
    }

    /// Reports the run stage of a resource that is no class.
    pub(super) fn stage(
        &mut self,
        type_name: Option<&str>,
        attributes: &BodyAttributes<'s>,
        title: &Value,
        written: &Expr<'s>,
    ) {
        let Some(type_name) = type_name.filter(|name| !name.eq_ignore_ascii_case("class")) else { return };
        let stage =
            attributes.given().iter().find(|(name, value, _)| name == "stage" && *value != Value::Undef);
        if let Some((_, Value::String(_), span)) = stage {
            let reference =
                format!("{}[{}]", capitalize_segments(type_name), self.shown_title(title, written));
            let message = format!(
                "Only classes can set 'stage'; normal resources like {reference} cannot change run stage"
            );
            self.report(Rule::ParameterValue, *span, message);
        }
    }

    /// Looks for the file that a `file` gets its content from. An absent file needs none.
    fn source(&mut self, t: &RubyResourceType, attributes: &BodyAttributes<'s>) {
        let mut given = attributes.given().iter();
        let ensure = given.clone().find(|(name, ..)| name == "ensure").map(|(_, value, _)| value);
        let is_there = ensure.is_none_or(|value| matches!(value, Value::String(text) if **text != *"absent"));
        if t.name() != "file" || !is_there {
            return;
        }
        if let Some((_, source, span)) = given.find(|(name, ..)| name == "source") {
            self.source_files(source, *span);
        }
    }

    /// Reports attributes that resources cannot have together.
    fn combination(
        &mut self,
        t: &RubyResourceType,
        attributes: &BodyAttributes<'s>,
        is_complete: bool,
        reference: &str,
        at: Span,
    ) {
        let given = |name: &str| {
            let mut given = attributes.given().iter();
            given.find(|(known, ..)| known == name).map(|(_, value, _)| value.clone())
        };
        if let Some(message) = t.refused_combination(&given, is_complete) {
            let message = format!("Validation of {reference} failed: {message}");
            self.report(Rule::AttributeCombination, at, message);
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
        let titles = match title {
            Value::Array(titles) => titles.to_vec(),
            title => vec![title.clone()],
        };
        for title in titles {
            if let Value::String(text) = &title {
                self.title_of(t, text, attributes, body.title.diagnostic_span());
            }
        }
    }

    /// Reports a title whose value a resource cannot have.
    pub(super) fn title_of(
        &mut self,
        t: &RubyResourceType,
        title: &str,
        attributes: &BodyAttributes<'s>,
        at: Span,
    ) {
        let Some(name) = t.titled() else { return };
        if attributes.is_open() || attributes.has(name) || attributes.has("name") {
            return;
        }
        if let Some(refusal) = t.refusal(name, &title.into(), &self.types(), self.limits()) {
            let message =
                format!("Parameter {name} failed on {}[{title}]: {}", t.shown_name(), refusal.message);
            self.report(Rule::ParameterValue, at, message);
        }
    }

    /// Returns the title as messages have it: the first one, or else its code.
    pub(super) fn shown_title(&self, title: &Value, expr: &Expr<'s>) -> String {
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

/// Returns the message of a text that cannot be a tag, alone or in an Array.
pub(super) fn invalid_tag(value: &Value) -> Option<String> {
    match value {
        Value::String(tag) if !is_tag(tag) => Some(format!("Invalid tag '{tag}'")),
        Value::Array(tags) => tags.iter().find_map(invalid_tag),
        _ => None,
    }
}
