//! Resources and classes that code declares.
#![allow(clippy::wildcard_enum_match_arm, reason = "all other kinds count as unknown")]

use std::borrow::Cow;
use std::collections::HashSet;
use std::sync::Arc;

use super::super::abstraction::{accepts, any, may_be_deferred, type_of};
use super::super::declare::{DefinitionInfo, ReferencedResources, named};
use super::super::finding::Finding;
use super::super::kinds::ValueKinds;
use super::super::rule::Rule;
use super::super::wording::refused;
use super::super::world::ResolvedResourceType;
use super::{FlowValue, Walk};
use puppetfn_base::diagnostic::Severity;
use puppetfn_base::error::SourceLocation;
use puppetfn_base::source::Span;
use puppetfn_catalog::is_metaparameter;
use puppetfn_syntax::ast::{
    ArrowOp, AttributeOperation, BinaryOp, Collector, Expr, ExprKind, OperationAttribute, ResourceBody,
    ResourceDefaults, ResourceExpr, ResourceForm, ResourceOverride,
};
use puppetfn_types::subject::Verdict;
use puppetfn_types::types::Type;
use puppetfn_types::types::parse::capitalize_segments;
use puppetfn_types::value::{Hash, Value};

/// The attributes that a body sets.
#[derive(Default)]
pub(super) struct BodyAttributes<'s> {
    given: Vec<(Cow<'s, str>, Value, Span)>,
    /// Whether there may be further attributes.
    is_open: bool,
}

impl<'s> BodyAttributes<'s> {
    /// Returns the attributes whose names are known, with their values and places.
    pub fn given(&self) -> &[(Cow<'s, str>, Value, Span)] {
        &self.given
    }

    /// Returns true if an attribute of a name is among them.
    pub fn has(&self, name: &str) -> bool {
        self.given.iter().any(|(given, ..)| given == name)
    }

    /// Creates attributes from a list that is complete.
    pub fn of<'a>(given: impl Iterator<Item = &'a (Cow<'s, str>, Value, Span)>) -> Self
    where
        's: 'a,
    {
        Self { given: given.cloned().collect(), is_open: false }
    }

    /// Returns the attributes of a Hash that are given already.
    fn repeated<'h>(&self, hash: &'h Value) -> Vec<&'h str> {
        let Value::Hash(hash) = hash else { return Vec::new() };
        let names = hash
            .iter()
            .filter_map(|(name, _)| if let Value::String(name) = name { Some(&**name) } else { None });
        names.filter(|name| self.has(name)).collect()
    }

    /// Adds the attributes of a Hash that are not given yet.
    pub fn take(&mut self, hash: &Value, span: Span) {
        let Value::Hash(hash) = hash else {
            self.is_open = true;
            return;
        };
        for (name, value) in hash.iter() {
            match name {
                Value::String(name) if !self.has(name) => {
                    self.given.push((Cow::Owned(name.to_string()), value.clone(), span));
                }
                Value::String(_) => {}
                _ => self.is_open = true,
            }
        }
    }

    /// Adds the attributes of a Hash, if the value is one.
    fn take_known(&mut self, hash: &Value, span: Span) {
        if let Value::Hash(_) = hash {
            self.take(hash, span);
        }
    }

    /// Returns true if there may be further attributes.
    pub fn is_open(&self) -> bool {
        self.is_open
    }
}

/// The parameters that resources of a type, or a class, can be given.
pub(super) struct AcceptedParameters<'d> {
    /// The name of the type in messages.
    pub of: &'d str,
    pub has: Box<dyn Fn(&str) -> bool + 'd>,
    /// The known names.
    pub names: Vec<&'d str>,
    /// The declaration of the type, if it is known.
    pub place: Option<&'d SourceLocation>,
}

impl<'d> AcceptedParameters<'d> {
    pub fn of(definition: &'d DefinitionInfo, of: &'d str) -> Self {
        Self {
            of,
            has: Box::new(|name| has_parameter(definition, name)),
            names: definition.parameters.iter().map(|parameter| &*parameter.name).collect(),
            place: definition.place.as_ref(),
        }
    }
}

impl<'s> Walk<'_, 's> {
    pub(super) fn resource(&mut self, resource: &ResourceExpr<'s>) -> FlowValue {
        let type_name = match resource.type_name.kind {
            ExprKind::Name(name) | ExprKind::Reference(name) => Some(name.trim_start_matches("::")),
            _ => {
                self.expr(&resource.type_name)?;
                None
            }
        };
        // Parameters for the other bodies come from one that is for `default`.
        let is_default = |body: &&ResourceBody<'s>| matches!(body.title.kind, ExprKind::Default);
        let has_default = resource.bodies.iter().any(|body| is_default(&body));
        if let Some(second) = resource.bodies.iter().filter(is_default).nth(1) {
            let message = "The title 'default' has already been used in this resource expression";
            self.report(Rule::DuplicateResource, second.title.diagnostic_span(), message);
        }
        for body in &resource.bodies {
            self.body(type_name, body, resource, has_default)?;
        }
        Some(any())
    }

    fn body(
        &mut self,
        type_name: Option<&str>,
        body: &ResourceBody<'s>,
        resource: &ResourceExpr<'s>,
        has_default: bool,
    ) -> Option<()> {
        let (form, resource_at) = (resource.form, resource.type_name.span.start);
        let title = self.expr(&body.title)?;
        self.title(&title, &body.title);
        if let Some(type_name) = type_name {
            self.note_declared(type_name, &title, &body.title);
        }
        let attributes = self.attributes(&body.operations)?;
        // A virtual resource need not become a real one.
        if form == ResourceForm::Regular {
            self.stage(type_name, &attributes, &title, &body.title);
            self.related(&body.operations);
            self.relationship_values(&attributes);
        }
        let Some(type_name) = type_name else { return Some(()) };
        let is_default = matches!(body.title.kind, ExprKind::Default);
        if *type_name.to_lowercase() == *"class" {
            if let Value::String(title) = &title {
                self.declared_class(title, &attributes, body.title.diagnostic_span());
                let reference = format!("Class[{}]", capitalize_segments(title.trim_start_matches("::")));
                self.metaparameter_values(
                    &self.lasting(&attributes, "class", &Value::from(&**title)),
                    &reference,
                );
            }
            return Some(());
        }
        match self.world.resource(type_name) {
            ResolvedResourceType::Native(t) => {
                self.native_body(&t, &attributes, &title, body, form, has_default)
            }
            // A virtual resource need not become a real one, and then it is never evaluated.
            ResolvedResourceType::Defined(definition) if form == ResourceForm::Regular => {
                self.unknown_parameters(&attributes, &AcceptedParameters::of(&definition, type_name));
                let lasting = self.lasting(&attributes, &definition.name, &title);
                self.parameter_types(&lasting, &definition);
                let shown = self.shown_title(&title, &body.title);
                let reference = format!("{}[{shown}]", capitalize_segments(&definition.name));
                self.metaparameter_values(&lasting, &reference);
                let is_complete = !attributes.is_open && !has_default && !is_default;
                // An empty array of titles declares no resource.
                let is_declared = !matches!(&title, Value::Array(titles) if titles.is_empty())
                    && !matches!(&title, Value::Unknown(_) if ValueKinds::of(&title).meets(ValueKinds::ARRAY));
                if is_complete && is_declared && !self.world.is_adjusted(&definition.name) {
                    self.missing_parameters(&attributes, &definition, body.title.diagnostic_span());
                }
            }
            ResolvedResourceType::Missing => {
                let message = format!("Unknown resource type: '{type_name}'");
                let finding = Finding::new(Rule::UnknownResourceType, message, body.title.diagnostic_span());
                let names = self.world.definitions_near(type_name, false);
                let names = names.iter().map(String::as_str);
                self.note(finding.meant(type_name, names, (self.text, resource_at)));
            }
            ResolvedResourceType::Unsure => {
                self.world.note_unchecked(type_name, self.origin);
                let meant = self.world.resource_type_meant(type_name, self.origin);
                let message = format!("Unknown resource type: '{type_name}'");
                self.probably(Rule::UnknownResourceType, &message, meant, body.title.diagnostic_span());
            }
            ResolvedResourceType::Defined(_) | ResolvedResourceType::Foreign => {}
        }
        Some(())
    }

    pub(super) fn declared_class(&mut self, name: &str, attributes: &BodyAttributes<'s>, at: Span) {
        match self.world.class(name) {
            Err(_) if !is_class_name(name) => {
                self.report(Rule::UnknownClass, at, format!("Could not find declared class {name}"));
            }
            Ok(definition) => {
                self.unknown_parameters(
                    attributes,
                    &AcceptedParameters::of(&definition, &format!("Class[{name}]")),
                );
                // Missing parameters may be in the data.
                self.parameter_types(attributes, &definition);
            }
            Err(false) => {
                let message = format!("Could not find declared class {name}");
                self.unknown_class(name, message, at);
            }
            Err(true) => {
                self.world.note_unchecked_class(name);
                let message = format!("Could not find declared class {name}");
                self.probably(Rule::UnknownClass, &message, self.world.class_meant(name), at);
            }
        }
    }

    fn title(&mut self, title: &Value, expr: &Expr<'s>) {
        let titles = match title {
            Value::Array(titles) => titles.to_vec(),
            other => vec![other.clone()],
        };
        let possible =
            ValueKinds::STRING.or(ValueKinds::ARRAY).or(ValueKinds::DEFAULT).or(ValueKinds::FOREIGN);
        for title in titles {
            if title == Value::from("") {
                let message = "Empty string title. Title strings must have a length greater than zero.";
                self.report(Rule::Title, expr.diagnostic_span(), message);
            } else if !ValueKinds::of(&title).meets(possible) {
                let message = format!("Illegal title type. Expected String, got {}", self.shown(&title));
                self.report(Rule::Title, expr.diagnostic_span(), message);
            }
        }
    }

    /// Goes through the attributes of a body.
    pub(super) fn attributes(&mut self, operations: &[AttributeOperation<'s>]) -> Option<BodyAttributes<'s>> {
        let mut attributes = BodyAttributes { given: Vec::new(), is_open: false };
        let mut names = HashSet::new();
        for operation in operations {
            let Some(name) = named(operation.attribute) else {
                self.spread(&operation.value, &mut attributes)?;
                continue;
            };
            let value = self.expr(&operation.value)?;
            if !names.insert(name) || attributes.has(name) {
                let message = format!("The attribute '{name}' has already been set");
                self.report(Rule::UnknownParameter, operation.span, message);
            }
            let is_set = matches!(operation.attribute, OperationAttribute::Named(_, ArrowOp::Set));
            attributes.given.push((name.into(), if is_set { value } else { any() }, operation.span));
        }
        Some(attributes)
    }

    /// Takes the attributes of `* =>`: of a sum, the known ones of either side.
    fn spread(&mut self, code: &Expr<'s>, attributes: &mut BodyAttributes<'s>) -> Option<()> {
        match &code.kind {
            ExprKind::Paren(inner) => return self.spread(inner, attributes),
            ExprKind::Binary(sum) if sum.op == BinaryOp::Add => {
                let (left, right) = (self.expr(&sum.left)?, self.expr(&sum.right)?);
                let both = self.arithmetic(sum, &left, &right);
                if both.contains_unknown() {
                    // Later attributes replace earlier ones.
                    attributes.take_known(&right, code.span);
                    attributes.take_known(&with_unknown_values(&left), code.span);
                }
                attributes.take(&both, code.span);
            }
            _ => {
                let value = self.expr(code)?;
                self.spread_value(&value, attributes, code);
                attributes.take(&value, code.span);
            }
        }
        Some(())
    }

    /// Reports a value of `* =>` that is no Hash, or that has attributes again.
    fn spread_value(&mut self, value: &Value, attributes: &BodyAttributes<'s>, code: &Expr<'s>) {
        if !ValueKinds::of(value).meets(ValueKinds::HASH.or(ValueKinds::FOREIGN)) {
            let message =
                format!("Expected value of type Hash, got {}", type_of(value, self.limits()).generalize());
            self.report(Rule::UnknownParameter, code.diagnostic_span(), message);
        }
        for name in attributes.repeated(value) {
            let message = format!("The attribute '{name}' has already been set");
            self.report(Rule::UnknownParameter, code.diagnostic_span(), message);
        }
    }

    pub(super) fn unknown_parameters(
        &mut self,
        attributes: &BodyAttributes<'s>,
        parameters: &AcceptedParameters<'_>,
    ) {
        for (name, _, span) in &attributes.given {
            if !is_metaparameter(name) && !(parameters.has)(name) {
                let of = parameters.of;
                let message = format!("{of} has no parameter named '{name}'");
                let finding = Finding::new(Rule::UnknownParameter, message, *span)
                    .meant(name, parameters.names.iter().copied(), (self.text, span.start))
                    .declared(format!("{of} is declared here"), parameters.place);
                self.note(finding);
            }
        }
    }

    pub(super) fn parameter_types(&mut self, attributes: &BodyAttributes<'s>, definition: &DefinitionInfo) {
        for (name, value, span) in &attributes.given {
            let Some(parameter) = definition.parameter(name) else { continue };
            // For undef there may be a default value, or data.
            let is_left_out = ValueKinds::of(value).meets(ValueKinds::UNDEF)
                && (definition.is_class || !parameter.is_required);
            if !is_left_out
                && !may_be_deferred(value)
                && accepts(&parameter.t, value, self.limits()) == Verdict::No
            {
                let subject = format!("{}: parameter '{name}'", definition.name);
                let actual = type_of(value, self.limits());
                let message = refused(&subject, &parameter.t, actual);
                // Puppet accepts a value whose mismatch has no description, as of a plain `Optional`.
                if message.is_empty() {
                    continue;
                }
                let finding = Finding::new(Rule::ParameterType, message, *span)
                    .declared(format!("'{name}' is declared here"), parameter.place.as_ref());
                self.note(finding);
            }
        }
    }

    pub(super) fn missing_parameters(
        &mut self,
        attributes: &BodyAttributes<'s>,
        definition: &DefinitionInfo,
        at: Span,
    ) {
        for parameter in definition.parameters.iter().filter(|parameter| parameter.is_required) {
            let is_given = attributes.given.iter().any(|(name, ..)| **name == *parameter.name);
            if !is_given {
                let message =
                    format!("{} expects a value for parameter '{}'", definition.name, parameter.name);
                let finding = Finding::new(Rule::MissingParameter, message, at)
                    .declared(format!("'{}' is declared here", parameter.name), parameter.place.as_ref());
                self.note(finding);
            }
        }
    }

    /// Looks for the classes that a value names.
    pub(super) fn class_names(&mut self, value: &Value, at: Span) {
        match value {
            Value::String(name) if name.is_empty() => {
                self.report(Rule::Title, at, "Cannot use empty string as a class name");
            }
            Value::Undef => {
                self.report(Rule::Title, at, "Cannot use undef as a class name");
            }
            Value::Integer(_) | Value::Float(_) | Value::Boolean(_) | Value::Hash(_) => {
                self.report(Rule::Title, at, format!("Cannot use {} as a class name", self.shown(value)));
            }
            Value::Type(t) if matches!(**t, Type::Resource(_)) => {
                self.report(
                    Rule::Title,
                    at,
                    format!("Cannot use a {} where a Class is expected", self.shown(value)),
                );
            }
            Value::String(name) if !is_class_name(name) => {
                self.report(Rule::UnknownClass, at, format!("Could not find class {name}"));
            }
            Value::String(name) => self.class_named(name, at),
            Value::Array(names) => names.iter().for_each(|name| self.class_names(name, at)),
            _ => {}
        }
    }

    pub(super) fn class_named(&mut self, name: &str, at: Span) {
        let message = || format!("Could not find class {}", name.trim_start_matches("::"));
        match self.world.class(name) {
            Ok(_) => {}
            Err(false) => self.unknown_class(name, message(), at),
            Err(true) => {
                self.world.note_unchecked_class(name);
                self.probably(Rule::UnknownClass, &message(), self.world.class_meant(name), at);
            }
        }
    }

    /// Reports a name that a module which is not there may have, if it is written for one that exists. It is not certain
    /// that nobody has such a module, so that this is a warning.
    pub(super) fn probably(&mut self, rule: Rule, message: &str, meant: Option<String>, at: Span) {
        if let Some(meant) = meant {
            let message = format!("{}; did you mean '{meant}'?", message.trim_end_matches('.'));
            self.note(Finding { severity: Severity::Warning, ..Finding::new(rule, message, at) });
        }
    }

    fn unknown_class(&mut self, name: &str, message: String, at: Span) {
        let names = self.world.definitions_near(name, true);
        let names = names.iter().map(String::as_str);
        let finding = Finding::new(Rule::UnknownClass, message, at);
        self.note(finding.meant(name, names, (self.text, at.start)));
    }

    pub(super) fn resource_defaults(&mut self, defaults: &ResourceDefaults<'s>) -> FlowValue {
        let attributes = self.attributes(&defaults.operations)?;
        if let ExprKind::Reference(name) = defaults.type_ref.kind {
            // There need not be a resource that takes them.
            self.as_warnings(|walk| walk.changed_attributes(name, &attributes, None));
        }
        Some(any())
    }

    pub(super) fn resource_override(&mut self, overrides: &ResourceOverride<'s>) -> FlowValue {
        self.expr(&overrides.resources)?;
        let attributes = self.attributes(&overrides.operations)?;
        let ReferencedResources { type_name, title } = ReferencedResources::of(&overrides.resources);
        self.changed_attributes(&type_name, &attributes, title.as_deref());
        Some(any())
    }

    pub(super) fn collector(&mut self, collector: &Collector<'s>) -> FlowValue {
        let type_name =
            if let ExprKind::Reference(name) = collector.type_expr.kind { Some(name) } else { None };
        if let Some(condition) = &collector.query.condition {
            self.query(condition, type_name)?;
        }
        let attributes = self.attributes(&collector.operations)?;
        if let Some(name) = type_name {
            self.collected_type(name, &collector.type_expr);
            // There need not be a resource that is collected.
            self.as_warnings(|walk| walk.changed_attributes(name, &attributes, None));
        }
        Some(any())
    }

    /// Reports a type whose resources no collector can collect.
    fn collected_type(&mut self, name: &str, written: &Expr<'s>) {
        let at = written.diagnostic_span();
        if name.trim_start_matches("::").eq_ignore_ascii_case("class") {
            self.report(Rule::NotAllowed, at, "Classes cannot be collected");
            return;
        }
        let message = format!("Resource type {} doesn't exist", name.trim_start_matches("::").to_lowercase());
        match self.world.resource(name) {
            ResolvedResourceType::Missing => {
                self.report(Rule::UnknownResourceType, at, message);
            }
            ResolvedResourceType::Unsure => {
                let meant = self.world.resource_type_meant(name, self.origin);
                self.probably(Rule::UnknownResourceType, &message, meant, at);
            }
            ResolvedResourceType::Native(_)
            | ResolvedResourceType::Foreign
            | ResolvedResourceType::Defined(_) => {}
        }
    }

    /// Goes through the values that a query compares with; the operands before them are names of parameters.
    fn query(&mut self, condition: &Expr<'s>, type_name: Option<&str>) -> Option<()> {
        match &condition.kind {
            ExprKind::Paren(inner) => self.query(inner, type_name),
            ExprKind::Binary(binary) => {
                if let ExprKind::Binary(_) | ExprKind::Paren(_) = binary.left.kind {
                    self.query(&binary.left, type_name)?;
                    return self.query(&binary.right, type_name);
                }
                if let (Some(type_name), ExprKind::Variable(_) | ExprKind::Name(_)) =
                    (type_name, &binary.left.kind)
                {
                    self.queried(type_name, &binary.left);
                }
                self.expr(&binary.right).map(|_| ())
            }
            _ => Some(()),
        }
    }

    /// Checks the name of a parameter in a query.
    fn queried(&mut self, type_name: &str, name: &Expr<'s>) {
        let text = name.span.text(self.text);
        let (has, shown) = match self.world.resource(type_name) {
            ResolvedResourceType::Native(t) => (t.may_have(text), t.shown_name()),
            ResolvedResourceType::Defined(definition) => {
                (has_parameter(&definition, text), definition.name.clone())
            }
            ResolvedResourceType::Foreign | ResolvedResourceType::Unsure | ResolvedResourceType::Missing => {
                return;
            }
        };
        if !has && text != "title" && !is_metaparameter(text) {
            let message = format!("{shown} has no parameter named '{text}'");
            self.as_warnings(|walk| walk.report(Rule::UnknownParameter, name.diagnostic_span(), message));
        }
    }
}

/// Returns true if a class can have a name.
fn is_class_name(name: &str) -> bool {
    let is_part = |part: &str| {
        part.starts_with(|first: char| first.is_ascii_alphabetic())
            && part.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    };
    name.strip_prefix("::").unwrap_or(name).split("::").all(is_part)
}

/// Returns a Hash with the same keys and unknown values; other values as they are.
fn with_unknown_values(value: &Value) -> Value {
    match value {
        Value::Hash(hash) => {
            let entries: Hash = hash.iter().map(|(key, _)| (key.clone(), any())).collect();
            Value::Hash(Arc::new(entries))
        }
        other => other.clone(),
    }
}

/// Returns true if a class or a defined type has a parameter.
pub(super) fn has_parameter(definition: &DefinitionInfo, name: &str) -> bool {
    name == "name" || definition.parameter(name).is_some()
}
