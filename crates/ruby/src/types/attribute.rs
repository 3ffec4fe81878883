//! Properties, parameters and checks of resource types.

use puppetfn_catalog::{AttributeDescription, AttributeKind, Requirement};

use super::evaluation::Evaluation;
use super::requirements;
use super::resource_type::gives;
use super::validation;
use super::value::{ImplicitReceiver, StaticClosure, StaticValue};
use crate::tree::{RubyCall, RubyNode, RubyNodeKind};

/// Methods that process values: an attribute that overrides one may do anything with them.
const ENTRANCES: [&str; 7] =
    ["value=", "should=", "validate", "unsafe_validate", "munge", "unsafe_munge", "initialize"];
const BOOLEAN: [&str; 4] = ["true", "false", "yes", "no"];
const PROVIDER: &str =
    "The specific backend to use for a resource: one is chosen for the node where none is named.";

/// A property, parameter or check.
#[derive(Clone)]
pub struct TypeAttribute {
    /// Its name.
    pub name: String,
    kind: AttributeKind,
    doc: Option<String>,
    parent: Option<StaticValue>,
    required_features: Vec<StaticValue>,
    values: Vec<StaticValue>,
    /// Regular expressions as in the source, by their `inspect`.
    written: Vec<(String, String)>,
    aliases: Vec<(String, String)>,
    validation: Option<StaticClosure>,
    munging: Option<StaticClosure>,
    accepts_arrays: bool,
    default: Option<StaticValue>,
    /// Whether code computes the default.
    has_computed_default: bool,
    is_opaque: bool,
    is_namevar: bool,
}

impl TypeAttribute {
    /// Makes one with the options of its declaration.
    pub fn new(name: &str, kind: AttributeKind, options: &StaticValue) -> Self {
        let parent = options.get("parent").filter(|parent| !matches!(parent, StaticValue::Nil)).cloned();
        Self {
            name: name.to_owned(),
            kind,
            doc: None,
            parent,
            required_features: options.get("required_features").map(StaticValue::to_list).unwrap_or_default(),
            values: Vec::new(),
            written: Vec::new(),
            aliases: Vec::new(),
            validation: None,
            munging: None,
            accepts_arrays: false,
            default: None,
            has_computed_default: false,
            is_opaque: false,
            is_namevar: matches!(options.get("namevar"), Some(StaticValue::Boolean(true))),
        }
    }

    /// Makes the parameter that types with providers have.
    pub fn provider() -> Self {
        let mut provider = Self::new("provider", AttributeKind::Parameter, &StaticValue::Nil);
        provider.touched();
        provider.document(Some(PROVIDER.to_owned()));
        provider
    }

    /// Returns true if the attribute is declared as the namevar.
    pub fn is_namevar(&self) -> bool {
        self.is_namevar
    }

    /// Records that unknown code may have changed the attribute in any way.
    pub fn touched(&mut self) {
        self.is_opaque = true;
    }

    /// Describes its purpose, if nothing else does.
    pub fn document(&mut self, text: Option<String>) {
        self.doc = self.doc.take().or(text);
    }

    /// Adds the values and the default of an `ensurable` without a block.
    pub fn default_values(&mut self) {
        self.values.extend(["present", "absent"].map(|name| StaticValue::Text(name.to_owned())));
        self.default.get_or_insert_with(|| StaticValue::Text("present".to_owned()));
    }

    /// Records a method definition.
    pub fn method_defined(&mut self, name: &str, is_singleton: bool) {
        self.is_opaque |= ENTRANCES.contains(&name) && !is_singleton;
    }

    /// Returns the attribute's description.
    ///
    /// `is_namevar` tells that it is the namevar by default, `is_opaque` that the type may process values in any way.
    pub fn described(
        self,
        is_namevar: bool,
        is_opaque: bool,
        evaluation: &mut Evaluation,
    ) -> AttributeDescription {
        let all = self.all_values();
        let default = self.default.as_ref().filter(|value| !matches!(value, StaticValue::Nil));
        let is_uncertain = is_opaque || self.is_uncertain();
        let requirements = if is_uncertain { Vec::new() } else { self.requirements(&all, evaluation) };
        AttributeDescription {
            has_computed_default: self.has_computed_default,
            may_be_unset: is_uncertain
                || self.is_boolean()
                || self.munging.as_ref().is_some_and(may_return_nothing)
                || self.munging.is_some() && !self.values.is_empty(),
            values: all.iter().filter_map(|value| self.shown(value)).collect(),
            default: default.and_then(|value| self.shown(value)),
            features: self.features(),
            requirements,
            name: self.name,
            kind: self.kind,
            doc: self.doc.filter(|doc| !doc.is_empty()),
            aliases: self.aliases,
            data_type: None,
            is_namevar: self.is_namevar || is_namevar,
            is_required: false,
        }
    }

    /// Returns true if values other than the declared ones may be valid.
    fn is_uncertain(&self) -> bool {
        self.is_opaque || self.parent_values().is_none()
    }

    fn is_boolean(&self) -> bool {
        self.parent_values().is_some_and(|values| values == BOOLEAN)
    }

    /// Returns true if the attribute is a path, or several, which Puppet validates.
    fn is_path(&self) -> bool {
        let Some(StaticValue::Constant(path)) = &self.parent else { return false };
        path.strip_prefix("Puppet::").unwrap_or(path) == "Parameter::Path"
    }

    fn features(&self) -> Vec<String> {
        self.required_features.iter().filter_map(StaticValue::to_s).collect()
    }

    /// Returns the values of the parent class, if they are known.
    fn parent_values(&self) -> Option<&'static [&'static str]> {
        let Some(parent) = &self.parent else { return Some(&[]) };
        let StaticValue::Constant(path) = parent else { return None };
        match path.strip_prefix("Puppet::").unwrap_or(path) {
            "Parameter"
            | "Property"
            | "Property::Ensure"
            | "Property::List"
            | "Property::OrderedList"
            | "Parameter::Path" => Some(&[]),
            "Parameter::Boolean" => Some(&BOOLEAN),
            _ => None,
        }
    }

    fn all_values(&self) -> Vec<StaticValue> {
        let inherited =
            self.parent_values().unwrap_or_default().iter().map(|name| StaticValue::Text((*name).to_owned()));
        inherited.chain(self.values.iter().cloned()).collect()
    }

    /// Returns how documents show a value. Of nothing, and of an empty text, nothing would be seen.
    fn shown(&self, value: &StaticValue) -> Option<String> {
        match value {
            StaticValue::Nil => Some("nil".to_owned()),
            StaticValue::Text(text) if text.is_empty() => Some("''".to_owned()),
            StaticValue::Regexp(pattern) => {
                let shown = pattern.inspect();
                let written = self.written.iter().rev().find(|(known, _)| *known == shown);
                Some(written.map_or(shown, |(_, written)| written.clone()))
            }
            other => other.to_s(),
        }
    }

    fn requirements(&self, values: &[StaticValue], evaluation: &mut Evaluation) -> Vec<Requirement> {
        let mut found = self.validated(values, evaluation);
        if let Some(block) = &self.munging {
            found.extend(validation::requirements_of_munging(block, &self.name, evaluation));
        } else if self.is_boolean() && self.validation.is_some() {
            found.push(requirements::of_boolean(&self.name));
        }
        let of_each = self.kind == AttributeKind::Property;
        found.iter_mut().for_each(|one| one.of_each |= of_each);
        found
    }

    /// Returns the requirements of the validation, which comes before the munging.
    fn validated(&self, values: &[StaticValue], evaluation: &mut Evaluation) -> Vec<Requirement> {
        if let Some(block) = &self.validation {
            return validation::requirements(block, &self.name, evaluation);
        }
        if self.is_path() {
            return requirements::of_path(&self.name, self.accepts_arrays);
        }
        let is_known = |value: &StaticValue| {
            value.name().is_some() || matches!(value, StaticValue::Boolean(_) | StaticValue::Regexp(_))
        };
        if values.is_empty() || !values.iter().all(is_known) {
            return Vec::new();
        }
        let aliases: Vec<&str> = self.aliases.iter().map(|(name, _)| name.as_str()).collect();
        vec![requirements::of_values(values, &aliases)]
    }
}

impl Evaluation {
    /// Evaluates a call in the block of an attribute.
    pub fn receive_in_attribute(
        &mut self,
        id: usize,
        call: &RubyCall,
        arguments: &[StaticValue],
        block: Option<StaticClosure>,
    ) -> StaticValue {
        let written: Vec<Option<String>> = call.args.iter().map(|node| self.written_regexp(node)).collect();
        let Some(attribute) = self.attributes.get_mut(id) else { return StaticValue::Unknown };
        let first = arguments.first().cloned();
        match &*call.name {
            "desc" | "doc=" => attribute.document(Evaluation::documentation(call, arguments)),
            "newvalue" => attribute.add_values(arguments.get(..1).unwrap_or_default(), &written),
            "newvalues" => attribute.add_values(arguments, &written),
            "aliasvalue" => {
                let text =
                    |index: usize| arguments.get(index).and_then(StaticValue::to_s).unwrap_or_default();
                let (name, value) = (text(0), text(1));
                match attribute.aliases.iter_mut().find(|(known, _)| *known == name) {
                    Some(known) => known.1 = value,
                    None => attribute.aliases.push((name, value)),
                }
            }
            "defaultto" if block.is_none() => attribute.default = first,
            "defaultto" => attribute.has_computed_default = true,
            "accept_arrays" => {
                attribute.accepts_arrays = !matches!(first, Some(StaticValue::Boolean(false)));
            }
            "munge" => match block {
                Some(block) => attribute.munging = Some(block),
                None => attribute.touched(),
            },
            "nodefault" => attribute.default = None,
            "defaultvalues" => attribute.default_values(),
            "isnamevar" => attribute.is_namevar = true,
            "required_features=" => {
                attribute.required_features = first.map(|one| one.to_list()).unwrap_or_default()
            }
            "validate" => match block {
                Some(block) => attribute.validation = Some(block),
                None => attribute.touched(),
            },
            "include" | "extend" => {
                let is_util = |module: &StaticValue| {
                    let StaticValue::Constant(path) = module else { return false };
                    path.strip_prefix("Puppet::").unwrap_or(path).split("::").next() == Some("Util")
                };
                attribute.is_opaque |= !arguments.iter().all(is_util);
            }
            "define_method" | "alias_method" | "class_eval" => attribute.touched(),
            _ => attribute.is_opaque |= gives(arguments, &ImplicitReceiver::Attribute(id)),
        }
        StaticValue::Unknown
    }

    /// Returns the source of a regular expression without interpolations.
    fn written_regexp(&self, node: &RubyNode) -> Option<String> {
        match &node.kind {
            RubyNodeKind::Regexp(parts, ..) if parts.len() == 1 => Some(self.source.text(node).to_owned()),
            _ => None,
        }
    }
}

/// Returns true if the munging of a value may return nil or false, which count as no value.
fn may_return_nothing(block: &StaticClosure) -> bool {
    let is_nothing = |node: &RubyNode| match &node.kind {
        RubyNodeKind::Nil | RubyNodeKind::Boolean(false) => true,
        RubyNodeKind::Leave(values) => values.is_empty(),
        _ => false,
    };
    let ends_early = |node: &RubyNode| matches!(&node.kind, RubyNodeKind::If(one) if one.is_single);
    let body = &block.code.body;
    body.last().is_none_or(ends_early) || body.iter().any(|node| node.any(&is_nothing))
}

impl TypeAttribute {
    fn add_values(&mut self, values: &[StaticValue], written: &[Option<String>]) {
        self.values.extend(values.iter().cloned());
        for (value, written) in values.iter().zip(written) {
            if let (StaticValue::Regexp(pattern), Some(written)) = (value, written) {
                self.written.push((pattern.inspect(), written.clone()));
            }
        }
    }
}
