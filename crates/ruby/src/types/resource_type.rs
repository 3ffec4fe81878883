//! Resource types that are made with `Puppet::Type.newtype`, and the evaluation of calls to declarations.

use indexmap::IndexMap;
use indexmap::map::Entry;
use puppetfn_catalog::{AttributeKind, ProviderFeature, TypeDescription};

use super::api;
use super::attribute::TypeAttribute;
use super::combination::refused_combinations;
use super::evaluation::Evaluation;
use super::provider::RubyProvider;
use super::value::{ImplicitReceiver, StaticClosure, StaticValue};
use crate::source::unindented;
use crate::tree::{RubyCall, RubyNodeKind};

/// Methods that process attributes: a type that overrides one may do anything with them.
const ENTRANCES: [&str; 9] = [
    "[]=",
    "newattr",
    "set_parameters",
    "set_default",
    "set_name",
    "new",
    "validattr?",
    "valid_parameter?",
    "attrclass",
];
/// Methods whose block runs in resources, or that restrict where resources apply.
const HOOKS: [&str; 8] = [
    "autorequire",
    "autobefore",
    "autosubscribe",
    "autonotify",
    "define_method",
    "apply_to_device",
    "apply_to_host",
    "apply_to_all",
];

/// A resource type.
pub enum AnyResourceType {
    /// One that is made with `Puppet::Type.newtype`.
    Type(Box<NewtypeResourceType>),
    /// One that is made with `Puppet::ResourceApi.register_type`.
    Described(Box<TypeDescription>),
}

/// A resource type that is made with `Puppet::Type.newtype`.
pub struct NewtypeResourceType {
    name: String,
    line: u32,
    doc: Option<String>,
    /// The numbers of its attributes, by name.
    attributes: IndexMap<String, usize>,
    features: Vec<(StaticValue, Option<StaticValue>)>,
    providers: Vec<String>,
    validation: Option<StaticClosure>,
    is_open: bool,
    is_opaque: bool,
    is_uncertain: bool,
    is_isomorphic: bool,
    has_title_patterns: bool,
}

impl AnyResourceType {
    /// Returns the description of the type.
    pub fn described(self, evaluation: &mut Evaluation) -> TypeDescription {
        match self {
            Self::Type(declared) => declared.described(evaluation),
            Self::Described(description) => *description,
        }
    }

    /// Records a method definition.
    pub fn method_defined(&mut self, name: &str, is_singleton: bool, closure: &StaticClosure) {
        let Self::Type(declared) = self else { return };
        declared.has_title_patterns |= is_singleton && name == "title_patterns";
        declared.is_opaque |=
            ENTRANCES.contains(&name) || (name == "initialize" && !begins_with_super(closure));
    }
}

impl NewtypeResourceType {
    fn described(self, evaluation: &mut Evaluation) -> TypeDescription {
        let ids: Vec<usize> = self.attributes.values().copied().collect();
        let is_named = |id: &usize| evaluation.attributes.get(*id).is_some_and(TypeAttribute::is_namevar);
        let none_is = !ids.iter().any(is_named);
        let described = |id: usize| {
            let attribute = evaluation.attributes.get(id)?.clone();
            let is_namevar = none_is && attribute.name == "name";
            Some(attribute.described(is_namevar, self.is_opaque, evaluation))
        };
        let attributes = ids.into_iter().filter_map(described).collect();
        let validation = self.validation.as_ref().filter(|_| !self.is_opaque && !self.is_open);
        let refused_combinations =
            validation.map(|block| refused_combinations(block, evaluation)).unwrap_or_default();
        let mut providers: Vec<String> = Vec::new();
        for provider in self.providers {
            if !providers.contains(&provider) {
                providers.push(provider);
            }
        }
        let feature = |(name, doc): (StaticValue, Option<StaticValue>)| {
            let doc = doc.as_ref().and_then(StaticValue::text).map(unindented).unwrap_or_default();
            Some(ProviderFeature { name: name.name()?.to_owned(), doc })
        };
        TypeDescription {
            name: self.name,
            line: self.line,
            doc: self.doc.filter(|doc| !doc.is_empty()),
            is_open: self.is_open,
            is_isomorphic: self.is_isomorphic,
            has_title_patterns: self.has_title_patterns,
            attributes,
            features: self.features.into_iter().filter_map(feature).collect(),
            providers,
            refused_combinations,
        }
    }
}

fn begins_with_super(closure: &StaticClosure) -> bool {
    let mut first = closure.code.body.first();
    while let Some(RubyNodeKind::Begin(inner)) = first.map(|node| &node.kind) {
        first = inner.first();
    }
    first.is_some_and(|node| matches!(node.kind, RubyNodeKind::Super(_)))
}

/// Returns true if a module is one of Puppet's own, which change nothing about attributes.
fn is_harmless(module: &StaticValue) -> bool {
    let StaticValue::Constant(path) = module else { return false };
    let path = path.strip_prefix("Puppet::").unwrap_or(path);
    let first = path.split("::").next().unwrap_or(path);
    ["Util", "Provider", "Parameter", "Property"].contains(&first)
}

impl Evaluation {
    fn own(&mut self, index: usize) -> Option<&mut NewtypeResourceType> {
        match self.types.get_mut(index) {
            Some(AnyResourceType::Type(declared)) => Some(declared),
            _ => None,
        }
    }

    /// Evaluates a call on a constant, which may be a declaration.
    pub fn declare(
        &mut self,
        path: &str,
        call: &RubyCall,
        arguments: &[StaticValue],
        block: Option<StaticClosure>,
    ) -> StaticValue {
        let path = path.strip_prefix("::").unwrap_or(path);
        let first = arguments.first();
        match (path, &*call.name) {
            ("Puppet::Type" | "Type", "newtype") => self.declare_type(call, first, block),
            ("Puppet::Type" | "Type", "type") => StaticValue::Target(ImplicitReceiver::Foreign(
                first.and_then(StaticValue::name).map(str::to_owned),
            )),
            ("Puppet::ResourceApi" | "ResourceApi", "register_type") => {
                let line = self.source.line(call.at);
                let described = first.and_then(|definition| api::described(definition, line));
                self.types.extend(described.map(|one| AnyResourceType::Described(Box::new(one))));
                StaticValue::Unknown
            }
            _ => {
                let module = path.rsplit("::").next().unwrap_or(path);
                self.call_function(module, call, arguments, block)
            }
        }
    }

    fn declare_type(
        &mut self,
        call: &RubyCall,
        name: Option<&StaticValue>,
        block: Option<StaticClosure>,
    ) -> StaticValue {
        let Some(name) = name.and_then(StaticValue::name) else { return StaticValue::Unknown };
        let line = self.source.line(call.at);
        let index = self.types.len();
        self.types.push(AnyResourceType::Type(Box::new(NewtypeResourceType {
            name: name.to_owned(),
            line,
            doc: None,
            attributes: IndexMap::new(),
            features: Vec::new(),
            providers: Vec::new(),
            validation: None,
            is_open: false,
            is_opaque: false,
            is_uncertain: false,
            is_isomorphic: true,
            has_title_patterns: false,
        })));
        let target = ImplicitReceiver::Type(index);
        if let Some(block) = block {
            self.apply(&block, &[StaticValue::Target(target.clone())], Some(target.clone()));
        }
        let above = self.source.text_above(line);
        if let Some(declared) = self.own(index) {
            declared.doc = declared.doc.take().or(above);
        }
        StaticValue::Target(target)
    }

    fn declare_provider(
        &mut self,
        of: &str,
        call: &RubyCall,
        name: Option<&StaticValue>,
        block: Option<StaticClosure>,
    ) -> StaticValue {
        let Some(name) = name.and_then(StaticValue::name) else { return StaticValue::Unknown };
        let line = self.source.line(call.at);
        let target = ImplicitReceiver::Provider(self.providers.len());
        self.providers.push(RubyProvider::new(of, name, line));
        if let Some(block) = block {
            self.apply(&block, &[StaticValue::Target(target.clone())], Some(target.clone()));
        }
        let above = self.source.text_above(line);
        if let ImplicitReceiver::Provider(index) = target
            && let Some(provider) = self.providers.get_mut(index)
        {
            provider.document(above);
        }
        StaticValue::Target(target)
    }

    /// Evaluates a call whose receiver is a declaration.
    pub fn receive(
        &mut self,
        target: &ImplicitReceiver,
        call: &RubyCall,
        arguments: &[StaticValue],
        block: Option<StaticClosure>,
    ) -> StaticValue {
        match target {
            ImplicitReceiver::Type(index) => self.receive_in_type(*index, call, arguments, block),
            ImplicitReceiver::Attribute(index) => self.receive_in_attribute(*index, call, arguments, block),
            ImplicitReceiver::Provider(index) => self.receive_in_provider(*index, call, arguments),
            ImplicitReceiver::Foreign(Some(name)) if call.name == "provide" => {
                self.declare_provider(name, call, arguments.first(), block)
            }
            ImplicitReceiver::Foreign(_) => StaticValue::Unknown,
            ImplicitReceiver::Module(name) if name == "Type" && call.name == "newmetaparam" => {
                self.metaparameter(arguments, block)
            }
            ImplicitReceiver::Module(name) => self.call_function(name, call, arguments, block),
        }
    }

    /// Records that unknown code may have changed a declaration in any way.
    pub fn touched(&mut self, target: &ImplicitReceiver) {
        match target {
            ImplicitReceiver::Type(index) => {
                if let Some(declared) = self.own(*index) {
                    declared.is_open = true;
                }
            }
            ImplicitReceiver::Attribute(index) => {
                if let Some(attribute) = self.attributes.get_mut(*index) {
                    attribute.touched();
                }
            }
            _ => {}
        }
    }

    /// Evaluates code whose effects on a declaration are conditional.
    pub fn maybe(&mut self, target: &ImplicitReceiver, run: impl FnOnce(&mut Self)) {
        match target {
            ImplicitReceiver::Type(index) => {
                let set = |declared: &mut NewtypeResourceType, is: bool| {
                    std::mem::replace(&mut declared.is_uncertain, is)
                };
                let before = self.own(*index).is_some_and(|declared| set(declared, true));
                run(self);
                self.own(*index).map(|declared| set(declared, before));
            }
            other => {
                self.touched(other);
                run(self);
            }
        }
    }

    /// Records the value of an instance variable.
    pub fn set_instance(&mut self, target: &ImplicitReceiver, name: &str, value: &StaticValue) {
        let doc = value.text().filter(|_| name == "@doc").map(unindented);
        match target {
            ImplicitReceiver::Type(index) => {
                let Some(declared) = self.own(*index) else { return };
                declared.doc = declared.doc.take().or(doc);
                if name == "@isomorphic" {
                    declared.is_isomorphic = !matches!(value, StaticValue::Boolean(false) | StaticValue::Nil);
                }
            }
            ImplicitReceiver::Attribute(index) => {
                if let Some(attribute) = self.attributes.get_mut(*index) {
                    attribute.document(doc);
                }
            }
            ImplicitReceiver::Provider(index) => {
                if let Some(provider) = self.providers.get_mut(*index) {
                    provider.document(doc);
                }
            }
            _ => {}
        }
    }

    fn receive_in_type(
        &mut self,
        index: usize,
        call: &RubyCall,
        arguments: &[StaticValue],
        block: Option<StaticClosure>,
    ) -> StaticValue {
        let kind = match &*call.name {
            "newproperty" => Some(AttributeKind::Property),
            "newparam" => Some(AttributeKind::Parameter),
            "newcheck" => Some(AttributeKind::Check),
            _ => None,
        };
        if let Some(kind) = kind {
            let found = self.attribute(index, kind, arguments, block);
            return found
                .map_or(StaticValue::Unknown, |id| StaticValue::Target(ImplicitReceiver::Attribute(id)));
        }
        if call.name == "ensurable" {
            return self.ensurable(index, block);
        }
        if matches!(&*call.name, "provide" | "providify") {
            return self.provide(index, arguments);
        }
        if call.name == "validate" {
            if let Some(declared) = self.own(index) {
                // The last one replaces the others.
                declared.validation = block.filter(|_| !declared.is_uncertain);
            }
            return StaticValue::Unknown;
        }
        if let Some(found) = self.define_in_type(index, call, arguments) {
            return found;
        }
        // Unknown code changes the type only if the type is an argument, or in a block.
        if gives(arguments, &ImplicitReceiver::Type(index)) {
            self.touched(&ImplicitReceiver::Type(index));
        }
        self.may_run(block);
        StaticValue::Unknown
    }

    /// Evaluates a call of a known method; `None` if it is not known.
    fn define_in_type(
        &mut self,
        index: usize,
        call: &RubyCall,
        arguments: &[StaticValue],
    ) -> Option<StaticValue> {
        let declared = self.own(index)?;
        match &*call.name {
            "feature" => {
                declared
                    .features
                    .extend(arguments.first().map(|name| (name.clone(), arguments.get(1).cloned())));
            }
            "desc" | "doc=" => {
                declared.doc = declared.doc.take().or_else(|| Evaluation::documentation(call, arguments));
            }
            "paramclass" => {
                let name = arguments.first().and_then(StaticValue::to_s).unwrap_or_default();
                let found = declared.attributes.get(&name);
                return Some(found.map_or(StaticValue::Unknown, |id| {
                    StaticValue::Target(ImplicitReceiver::Attribute(*id))
                }));
            }
            "include" | "extend" => {
                let is_harmful = !arguments.iter().all(is_harmless);
                declared.is_opaque |= is_harmful;
                declared.is_open |= is_harmful;
            }
            hook if HOOKS.contains(&hook) => {}
            _ => return None,
        }
        Some(StaticValue::Unknown)
    }

    /// Declares an attribute, and returns its number.
    fn attribute(
        &mut self,
        index: usize,
        kind: AttributeKind,
        arguments: &[StaticValue],
        block: Option<StaticClosure>,
    ) -> Option<usize> {
        let id = self.attributes.len();
        let declared = self.own(index)?;
        let Some(name) = arguments.first().and_then(StaticValue::name) else {
            declared.is_open = true;
            return None;
        };
        let options = arguments.get(1).cloned().unwrap_or(StaticValue::Nil);
        let mut attribute = TypeAttribute::new(name, kind, &options);
        if declared.is_uncertain
            || declared.attributes.contains_key(name)
            || arguments.get(1).is_some_and(StaticValue::is_unknown)
        {
            attribute.touched();
        }
        declared.is_open |= declared.is_uncertain;
        declared.attributes.insert(name.to_owned(), id);
        self.attributes.push(attribute);
        if let Some(block) = block {
            let target = ImplicitReceiver::Attribute(id);
            self.apply(&block, &[StaticValue::Target(target.clone())], Some(target));
        }
        Some(id)
    }

    /// Declares a parameter of all types.
    fn metaparameter(&mut self, arguments: &[StaticValue], block: Option<StaticClosure>) -> StaticValue {
        let Some(name) = arguments.first().and_then(StaticValue::name) else { return StaticValue::Unknown };
        let id = self.attributes.len();
        let options = arguments.get(1).cloned().unwrap_or(StaticValue::Nil);
        self.attributes.push(TypeAttribute::new(name, AttributeKind::Parameter, &options));
        self.metaparameters.push(id);
        let target = ImplicitReceiver::Attribute(id);
        if let Some(block) = block {
            self.apply(&block, &[StaticValue::Target(target.clone())], Some(target.clone()));
        }
        StaticValue::Target(target)
    }

    fn ensurable(&mut self, index: usize, block: Option<StaticClosure>) -> StaticValue {
        let parent = StaticValue::Constant("Puppet::Property::Ensure".to_owned());
        let options = StaticValue::Hash(vec![(StaticValue::Symbol("parent".to_owned()), parent)].into());
        let has_block = block.is_some();
        let arguments = [StaticValue::Symbol("ensure".to_owned()), options];
        let Some(id) = self.attribute(index, AttributeKind::Property, &arguments, block) else {
            return StaticValue::Unknown;
        };
        if let Some(attribute) = self.attributes.get_mut(id) {
            if !has_block {
                attribute.default_values();
            }
            attribute.document(Some("The basic property that the resource should be in.".to_owned()));
        }
        StaticValue::Target(ImplicitReceiver::Attribute(id))
    }

    fn provide(&mut self, index: usize, arguments: &[StaticValue]) -> StaticValue {
        let id = self.attributes.len();
        let Some(declared) = self.own(index) else { return StaticValue::Unknown };
        if let Some(StaticValue::Symbol(name)) = arguments.first() {
            declared.providers.push(name.clone());
        }
        if let Entry::Vacant(entry) = declared.attributes.entry("provider".to_owned()) {
            entry.insert(id);
            self.attributes.push(TypeAttribute::provider());
        }
        StaticValue::Unknown
    }
}

/// Returns true if a target is among arguments.
pub fn gives(arguments: &[StaticValue], target: &ImplicitReceiver) -> bool {
    arguments.iter().any(|argument| matches!(argument, StaticValue::Target(given) if given == target))
}
