//! Resource types in Ruby: their requirements on the values of attributes.
#![allow(clippy::wildcard_enum_match_arm, reason = "all other kinds count as unknown")]

use std::collections::HashMap;
use std::sync::{Arc, LazyLock, OnceLock};

use super::abstraction::{accepts, texts_of, type_of};
use super::combination::KnownAttributes;
use super::kinds::ValueKinds;
use puppetfn_base::limits::Limits;
use puppetfn_base::target::Target;
use puppetfn_catalog::{
    AttributeDescription, Requirement, TypeDescription, builtin_description, builtin_description_of,
    builtin_type_names, metaparameter_description,
};
use puppetfn_types::subject::Verdict;
use puppetfn_types::types::Type;
use puppetfn_types::types::ops::describe::{Messages, most_similar};
use puppetfn_types::types::parse::{TypeLookup, capitalize_segments, parse};
use puppetfn_types::value::Value;

/// The kinds of values that a catalog has unchanged. Other values are replaced before a type sees them, or tell nothing
/// about its answer.
const PLAIN: ValueKinds = ValueKinds::STRING
    .or(ValueKinds::NUMERIC)
    .or(ValueKinds::BOOLEAN)
    .or(ValueKinds::ARRAY)
    .or(ValueKinds::HASH);

/// The maximum depth of values.
const DEEPEST: u32 = 32;

/// A resource type in Ruby.
#[derive(Debug)]
pub(super) struct RubyResourceType {
    description: Arc<TypeDescription>,
    /// The types of the conditions in the requirements of each attribute, once they are needed; `None` for a text that is not understood.
    types: Vec<OnceLock<Vec<Option<Vec<Type>>>>>,
}

/// A release's own type of a name, which is in lower case.
pub(super) fn builtin_type(name: &str, target: Target) -> Option<&'static Arc<RubyResourceType>> {
    type OfRelease = HashMap<&'static str, Arc<RubyResourceType>>;
    static TYPES: LazyLock<HashMap<Target, OfRelease>> = LazyLock::new(|| {
        let of_release = |target| {
            let native = |name| {
                let description = builtin_description_of(name, target)?;
                Some((name, Arc::new(RubyResourceType::new(Arc::clone(description)))))
            };
            (target, builtin_type_names().into_iter().filter_map(native).collect())
        };
        Target::ALL.into_iter().map(of_release).collect()
    });
    TYPES.get(&target)?.get(name)
}

/// The parameters that all resources have, as the attributes of a type without a name.
pub(super) fn metaparameters() -> &'static RubyResourceType {
    static METAPARAMETERS: LazyLock<RubyResourceType> =
        LazyLock::new(|| RubyResourceType::new(Arc::clone(metaparameter_description())));
    &METAPARAMETERS
}

/// The failure of a value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct ValueRefusal {
    pub message: String,
    /// Whether it depends on the provider: a provider that does not manage the attribute ignores it.
    pub depends_on_provider: bool,
}

impl RubyResourceType {
    /// Creates a type from its description.
    pub fn new(description: Arc<TypeDescription>) -> Self {
        let types = description.attributes.iter().map(|_| OnceLock::new()).collect();
        Self { description, types }
    }

    /// Returns the description of the type.
    pub fn description(&self) -> Arc<TypeDescription> {
        Arc::clone(&self.description)
    }

    /// Returns the name, as the type itself has it.
    pub fn name(&self) -> &str {
        &self.description.name
    }

    /// Returns the name as references have it.
    pub fn shown_name(&self) -> String {
        capitalize_segments(self.name())
    }

    /// Returns true if resources may have an attribute of this name. Any module may have providers of a type of another one.
    pub fn may_have(&self, name: &str) -> bool {
        let is_known = self.description.is_open || self.description.attribute(name).is_some();
        is_known || name == "name" || name == "provider" && builtin_description(self.name()).is_none()
    }

    /// Returns the names of the attributes.
    pub fn attributes(&self) -> impl Iterator<Item = &str> {
        self.description.attributes.iter().map(|attribute| &*attribute.name)
    }

    /// Returns the name of the attribute that the title of a resource is the value of. Files without a slash at their end are
    /// paths as they are.
    pub fn titled(&self) -> Option<&str> {
        let is_whole = !self.description.has_title_patterns || self.description.name == "file";
        let namevar = self.description.namevar().filter(|_| is_whole)?;
        Some(&namevar.name)
    }

    /// Returns the attributes that every resource must be given.
    pub fn required(&self) -> impl Iterator<Item = &str> {
        let attributes = self.description.attributes.iter().filter(|attribute| attribute.is_required);
        attributes.map(|attribute| &*attribute.name)
    }

    /// Returns the message of a failure that is certain for a resource with this value of an attribute. Names of types are
    /// looked up in `types`.
    pub fn refusal(
        &self,
        attribute: &str,
        value: &Value,
        types: &dyn TypeLookup,
        limits: &Limits,
    ) -> Option<ValueRefusal> {
        let attribute = self.description.attribute(attribute)?;
        let index = self.description.attributes.iter().position(|one| one.name == attribute.name)?;
        let parsed = |condition: &Requirement| parse(&condition.type_text, types, limits).ok();
        let parsed = |requirement: &Requirement| requirement.conditions().map(parsed).collect();
        let types = self.types.get(index)?;
        let types = types.get_or_init(|| attribute.requirements.iter().map(parsed).collect());
        attribute.requirements.iter().zip(types).find_map(|(requirement, types)| {
            let types = types.as_ref()?;
            let refused = match value {
                Value::Array(items) if requirement.of_each => {
                    items.iter().find(|item| refuses(requirement, types, item, limits))?
                }
                value => Some(value).filter(|value| refuses(requirement, types, value, limits))?,
            };
            Some(ValueRefusal {
                message: self.worded(attribute, requirement, types, refused, limits),
                depends_on_provider: !attribute.features.is_empty(),
            })
        })
    }

    /// Returns the message of a combination of attributes that is certain to fail. `value` returns the value that an attribute
    /// is given.
    pub fn refused_combination(
        &self,
        value: &dyn Fn(&str) -> Option<Value>,
        is_complete: bool,
    ) -> Option<String> {
        let attributes = KnownAttributes { description: &self.description, value, is_complete };
        attributes.refusal().map(str::to_owned)
    }

    /// Returns the message of a requirement that a value does not meet.
    fn worded(
        &self,
        attribute: &AttributeDescription,
        requirement: &Requirement,
        types: &[Type],
        value: &Value,
        limits: &Limits,
    ) -> String {
        let of_type = || format!("({})", type_of(value, limits));
        let text = |shown: &dyn Fn(&Value) -> Option<String>| match value {
            Value::Unknown(_) => of_type(),
            value => shown(value).unwrap_or_else(of_type),
        };
        let mut message =
            requirement.message.replace("%{inspect}", &text(&|value| value.ruby_inspect(limits).ok()));
        message = message.replace("%{value}", &text(&|value| value.ruby_to_s(limits).ok()));
        message = message.replace("%{class}", &ruby_class(value).map_or_else(of_type, str::to_owned));
        if message.contains("%{mismatch}")
            && let Some(t) = types.first()
        {
            let subject = format!("{}.{}", self.name(), attribute.name);
            let mismatch = Messages::Puppet.describe(&subject, t, &type_of(value, limits));
            message = message.replace("%{mismatch}", mismatch.trim());
        }
        if let Some(meant) = meant(attribute, value) {
            let joint = if message.ends_with('.') { " Did" } else { "; did" };
            message.push_str(&format!("{joint} you mean '{meant}'?"));
        }
        message
    }
}

/// Returns the value that is meant by another, if it is clear.
fn meant<'a>(attribute: &'a AttributeDescription, value: &Value) -> Option<&'a str> {
    let Value::String(word) = value else { return None };
    let aliases = attribute.aliases.iter().map(|(name, _)| &**name);
    let known = attribute.values.iter().map(|value| &**value).chain(aliases);
    most_similar(word, known.filter(|value| !value.starts_with('/'))).into_iter().next()
}

/// Returns true if no resource can have a value.
fn refuses(requirement: &Requirement, types: &[Type], value: &Value, limits: &Limits) -> bool {
    if !is_plain(value, DEEPEST) {
        return false;
    }
    // Elements of an Array that is not known may be missing.
    if requirement.of_each
        && matches!(value, Value::Unknown(_))
        && ValueKinds::of(value).meets(ValueKinds::ARRAY)
    {
        return false;
    }
    if let Some(values) = possible(value) {
        return values.iter().all(|value| refuses(requirement, types, value, limits));
    }
    requirement.conditions().zip(types).all(|(condition, t)| {
        let text = match value {
            Value::Integer(_) | Value::Float(_) | Value::Boolean(_) if condition.as_text => {
                value.ruby_to_s(limits).ok().map(Value::from)
            }
            _ => None,
        };
        let verdict = accepts(t, text.as_ref().unwrap_or(value), limits);
        verdict == if condition.is_refused { Verdict::Yes } else { Verdict::No }
    })
}

/// Returns the possible values of an unknown value, if they are a few texts, true or false.
fn possible(value: &Value) -> Option<Vec<Value>> {
    let kinds = ValueKinds::of(value);
    let is_few =
        matches!(value, Value::Unknown(_)) && kinds.is_within(ValueKinds::STRING.or(ValueKinds::BOOLEAN));
    let texts = texts_of(value).filter(|_| is_few)?;
    let booleans: &[bool] = if kinds.meets(ValueKinds::BOOLEAN) { &[true, false] } else { &[] };
    let booleans = booleans.iter().map(|truth| Value::Boolean(*truth));
    Some(texts.into_iter().map(Value::String).chain(booleans).collect())
}

/// Returns true if a value, and all in it, is one that a catalog has as it is.
fn is_plain(value: &Value, depth: u32) -> bool {
    let Some(depth) = depth.checked_sub(1) else { return false };
    ValueKinds::of(value).is_within(PLAIN)
        && match value {
            Value::Array(items) => items.iter().all(|item| is_plain(item, depth)),
            Value::Hash(hash) => {
                hash.iter().all(|(key, value)| is_plain(key, depth) && is_plain(value, depth))
            }
            _ => true,
        }
}

/// Returns the class of a value in Ruby.
fn ruby_class(value: &Value) -> Option<&'static str> {
    Some(match value {
        Value::String(_) => "String",
        Value::Integer(_) => "Integer",
        Value::Float(_) => "Float",
        Value::Boolean(true) => "TrueClass",
        Value::Boolean(false) => "FalseClass",
        Value::Array(_) => "Array",
        Value::Hash(_) => "Hash",
        _ => return None,
    })
}
