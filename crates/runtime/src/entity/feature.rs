//! Attributes and references from their definitions.

use std::sync::Arc;

use super::define::{DefinitionFault, TypeDefiner, span_of};
use super::setting::FeatureOptions;
use puppetfn_base::error::SourceLocation;
use puppetfn_syntax::ast::{Expr, ExprKind, Feature, FeatureSetting, SettingValue};
use puppetfn_types::convert::create::create;
use puppetfn_types::function::NoHost;
use puppetfn_types::subject::Verdict;
use puppetfn_types::types::ops::instance;
use puppetfn_types::types::parse::{ForwardReference, literal, of_expr};
use puppetfn_types::types::{EnumType, FeatureKind, FeatureModel, ObjectRef, Type};
use puppetfn_types::value::Value;

/// The settings that are code.
const CODE: [&str; 5] = ["check", "validate", "derived", "set", "get"];

/// Access to the settings in the definition of a feature.
pub(super) struct FeatureDefinition;

impl FeatureDefinition {
    /// Returns the settings that are code, by their names.
    pub fn code<'a, 's>(feature: &'a Feature<'s>) -> impl Iterator<Item = (&'s str, &'a SettingValue<'s>)> {
        let is_code = |setting: &&FeatureSetting<'s>| CODE.contains(&setting.name);
        feature.settings.iter().filter(is_code).map(|setting| (setting.name, &setting.value))
    }
}

impl TypeDefiner<'_> {
    /// `attr name, Type { settings }`.
    pub(super) fn attribute(&self, feature: &Feature<'_>) -> Result<FeatureModel, DefinitionFault> {
        let t = match &feature.type_expr {
            Some(expr) => self.value_type(feature, expr)?,
            None => Type::Any,
        };
        self.feature(feature, FeatureKind::Attribute, t)
    }

    /// `has name, Type { settings }`.
    pub(super) fn reference(&self, feature: &Feature<'_>) -> Result<FeatureModel, DefinitionFault> {
        let Some(expr) = &feature.type_expr else {
            let message = format!("{} needs the type of what it refers to", self.label(feature));
            return Err(DefinitionFault::new(message, feature.name_span.start));
        };
        let ExprKind::Reference(name) = expr.kind else {
            let message = format!(
                "{} refers to {}, which is not the name of a type",
                self.label(feature),
                expr.span.text(self.text)
            );
            return Err(DefinitionFault::new(message, expr.span.start));
        };
        // The type may inherit from this one, which is not complete yet.
        let object = ObjectRef::forward(name.trim_start_matches("::"));
        let place =
            SourceLocation { file: self.file.clone(), ..SourceLocation::of(self.text, expr.span.start) };
        let reference = ForwardReference { object: object.clone(), label: self.label(feature), place };
        if let Some(reference) = self.lookup.refer(reference) {
            reference.resolve(self.lookup).map_err(|error| DefinitionFault { error, at: expr.span.start })?;
        }
        self.feature(feature, FeatureKind::Containment, Type::Object(object))
    }

    fn label(&self, feature: &Feature<'_>) -> String {
        format!("{}[{}]", self.name, feature.name)
    }

    fn value_type(&self, feature: &Feature<'_>, expr: &Expr<'_>) -> Result<Type, DefinitionFault> {
        let at = expr.span.start;
        if let ExprKind::Access(access) = &expr.kind
            && matches!(access.operand.kind, ExprKind::Name("enum"))
        {
            let names =
                access.keys.iter().map(|key| match literal(self.text, key, self.lookup, self.limits) {
                    Ok(Value::String(name)) => Ok(name),
                    Ok(_) | Err(_) => {
                        let message = format!("The enum of {} has only names", self.label(feature));
                        Err(DefinitionFault::new(message, key.span.start))
                    }
                });
            let names = names.collect::<Result<Vec<_>, _>>()?;
            return Ok(Type::Enum(Arc::new(EnumType::new(names, false))));
        }
        let t = of_expr(expr, self.text, self.lookup, self.limits)
            .map_err(|error| DefinitionFault { error, at })?;
        if let Type::Reference(name) = &t {
            let message = format!("The type of {} is not defined: {name}", self.label(feature));
            return Err(DefinitionFault::new(message, at));
        }
        Ok(t)
    }

    fn feature(
        &self,
        feature: &Feature<'_>,
        kind: FeatureKind,
        t: Type,
    ) -> Result<FeatureModel, DefinitionFault> {
        let at = feature.name_span.start;
        let label = self.label(feature);
        let mut settings = FeatureOptions::read(self, feature, &label, kind == FeatureKind::Attribute)?;
        let (min, max) = settings.multiplicity(at)?;
        let code = |name: &str| {
            let setting = feature.settings.iter().find(|setting| setting.name == name)?;
            Some(span_of(&setting.value))
        };
        let derived = code("derived");
        let set = code("set");
        settings.check_derived(derived.is_some(), set.is_some())?;
        let is_reference = settings.containment == Some(false);
        let mut model = FeatureModel {
            name: feature.name.into(),
            container: Arc::clone(&self.name),
            kind: if is_reference { FeatureKind::Reference } else { kind },
            t,
            min,
            max,
            is_unsettable: settings.unsettable.unwrap_or(false),
            is_transient: settings.transient.unwrap_or(derived.is_some()),
            is_settable: settings.setable.unwrap_or(derived.is_none() || set.is_some()),
            default: None,
            derived,
            checks: ["check", "validate"].into_iter().filter_map(code).collect(),
            set,
            get: code("get"),
            at,
        };
        if let Some((default, at)) = settings.default.take() {
            model.default = Some(self.default(&model, default, at)?);
        }
        Ok(model)
    }

    /// Returns a default, which is of the feature's type or a text of such a value.
    fn default(&self, feature: &FeatureModel, value: Value, at: u32) -> Result<Value, DefinitionFault> {
        if !feature.is_many() {
            return self.converted(feature, value, at);
        }
        let values = match value {
            Value::Array(values) => values.to_vec(),
            value => vec![value],
        };
        let count = values.len() as u64;
        if count < feature.min || feature.max.is_some_and(|max| count > max) {
            let message =
                format!("The default of {} has another number of values than it can have", feature.label());
            return Err(DefinitionFault::new(message, at));
        }
        let values = values.into_iter().map(|value| self.converted(feature, value, at));
        Ok(values.collect::<Result<Vec<_>, _>>()?.into())
    }

    fn converted(&self, feature: &FeatureModel, value: Value, at: u32) -> Result<Value, DefinitionFault> {
        let is_instance =
            instance(&feature.t, &value, self.limits).map_err(|error| DefinitionFault { error, at })?;
        if is_instance != Verdict::No {
            return Ok(value);
        }
        create(&feature.t, std::slice::from_ref(&value), &NoHost).map_err(|error| {
            let message = format!(
                "The default of {}, {}, does not convert to {}: {}",
                feature.label(),
                value.to_literal(),
                feature.t,
                error.message().trim_start_matches("'new' ")
            );
            DefinitionFault::new(message, at)
        })
    }
}
