//! Definitions of types as text.

use std::fmt::{self, Display, Formatter};
use std::sync::Arc;

use puppetfn_base::source::Span;
use puppetfn_types::types::{FeatureKind, FeatureModel, Model, ObjectType, Type};
use puppetfn_types::value::{QuotedString, Value};

/// The definition of a type, in texts. `Display` writes the definition.
#[derive(Clone, PartialEq, Debug)]
pub struct TypeOutline {
    /// The name.
    pub name: String,
    /// The type that it inherits from.
    pub parent: Option<String>,
    /// Whether it has no instances of its own.
    pub is_abstract: bool,
    /// The features that it declares itself.
    pub features: Vec<FeatureOutline>,
    /// The invariants that it states itself.
    pub invariants: Vec<InvariantOutline>,
}

/// The definition of a feature, in texts.
#[derive(Clone, PartialEq, Debug)]
pub struct FeatureOutline {
    /// The name.
    pub name: String,
    /// Whether it is declared with `has`.
    pub is_reference: bool,
    /// The text of the type, if it states one.
    pub t: Option<String>,
    /// The settings with their texts.
    pub settings: Vec<(&'static str, String)>,
}

/// The definition of an invariant, in texts.
#[derive(Clone, PartialEq, Debug)]
pub struct InvariantOutline {
    /// The message of its violation.
    pub message: Option<String>,
    /// The text of the condition.
    pub condition: String,
}

impl TypeOutline {
    /// Returns the definition of a type that is defined by its features, with the code in it or without. `None` for
    /// any other type.
    pub fn of(t: &ObjectType, with_logic: bool) -> Option<Self> {
        let model = t.model()?;
        let own = model.features.values().filter(|feature| feature.container.as_ref() == t.label());
        let text = |span: &Span| span.text(model.source.text()).to_owned();
        let invariants = model.invariants.iter().filter(|_| with_logic).map(|invariant| InvariantOutline {
            message: invariant.message.as_deref().map(str::to_owned),
            condition: text(&invariant.condition),
        });
        Some(Self {
            name: t.label().to_owned(),
            parent: t.parent_object().map(|parent| parent.label().to_owned()),
            is_abstract: model.is_abstract,
            features: own.map(|feature| FeatureOutline::of(feature, model, with_logic)).collect(),
            invariants: invariants.collect(),
        })
    }
}

impl FeatureOutline {
    fn of(feature: &Arc<FeatureModel>, model: &Model, with_logic: bool) -> Self {
        let is_any = !feature.is_reference() && feature.t == Type::Any;
        Self {
            name: feature.name.to_string(),
            is_reference: feature.is_reference(),
            t: (!is_any).then(|| feature.t.to_string()),
            settings: settings(feature, model, with_logic),
        }
    }
}

/// Returns the settings that are not as they are by default.
fn settings(feature: &FeatureModel, model: &Model, with_logic: bool) -> Vec<(&'static str, String)> {
    let mut settings = Vec::new();
    let mut add = |name, text: Option<String>| settings.extend(text.map(|text| (name, text)));
    let is_derived = feature.derived.is_some();
    let own_max = if feature.min > 1 { None } else { Some(1) };
    let max = feature.max.map_or_else(|| "unbound".to_owned(), |max| max.to_string());
    add("min", (feature.min > 0).then(|| feature.min.to_string()));
    add("max", (feature.max != own_max).then_some(max));
    add("unsettable", feature.is_unsettable.then(|| "true".to_owned()));
    add("transient", (feature.is_transient && !is_derived).then(|| "true".to_owned()));
    let is_settable = !is_derived || feature.set.is_some();
    add("setable", (feature.is_settable != is_settable).then(|| feature.is_settable.to_string()));
    add("containment", (feature.kind == FeatureKind::Reference).then(|| "false".to_owned()));
    add("default", feature.default.as_ref().map(Value::to_literal));
    if with_logic {
        for (name, span) in code(feature) {
            add(name, Some(span.text(model.source.text()).to_owned()));
        }
    }
    settings
}

/// Returns the code of a feature by the names of the settings.
pub(super) fn code(feature: &FeatureModel) -> Vec<(&'static str, Span)> {
    // References have no `check`: `validate` is for both.
    let names = if feature.is_reference() { ["validate", "validate"] } else { ["check", "validate"] };
    let checks = names.into_iter().zip(feature.checks.iter().copied());
    let others = [("derived", feature.derived), ("set", feature.set), ("get", feature.get)];
    checks.chain(others.into_iter().filter_map(|(name, span)| Some((name, span?)))).collect()
}

impl TypeOutline {
    /// Returns the members of the definition, on one line.
    pub fn summary(&self) -> String {
        let mut members: Vec<_> = self.parent.iter().map(|parent| format!("inherits {parent}")).collect();
        members.extend(self.is_abstract.then(|| "abstract".to_owned()));
        members.extend(self.features.iter().map(ToString::to_string));
        members.join("; ")
    }
}

impl Display for TypeOutline {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "type {}", self.name)?;
        if let Some(parent) = &self.parent {
            write!(f, " inherits {parent}")?;
        }
        f.write_str(" {\n")?;
        if self.is_abstract {
            f.write_str("  abstract\n")?;
        }
        self.features.iter().try_for_each(|feature| writeln!(f, "  {feature}"))?;
        self.invariants.iter().try_for_each(|invariant| writeln!(f, "  {invariant}"))?;
        // A definition without members is not a definition to Puppet.
        if !self.is_abstract && self.features.is_empty() && self.invariants.is_empty() {
            f.write_str("  invariant { true }\n")?;
        }
        f.write_str("}")
    }
}

impl Display for FeatureOutline {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", if self.is_reference { "has" } else { "attr" }, self.name)?;
        if let Some(t) = &self.t {
            write!(f, ", {t}")?;
        }
        let settings: Vec<_> = self.settings.iter().map(|(name, text)| format!("{name} => {text}")).collect();
        if settings.is_empty() { Ok(()) } else { write!(f, " {{ {} }}", settings.join(", ")) }
    }
}

impl Display for InvariantOutline {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str("invariant ")?;
        if let Some(message) = &self.message {
            write!(f, "{} ", QuotedString(message))?;
        }
        f.write_str(&self.condition)
    }
}
