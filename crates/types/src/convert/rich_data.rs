//! Values as rich data: JSON's own values, and hashes that name the type of all other values.
//!
//! The form is the output of Puppet's `ToDataConverter` with `rich_data`, in which catalogs are sent to agents
//! (<https://github.com/puppetlabs/puppet-specifications/blob/master/language/types_values_variables.md>).
//!
//! See Puppet's `pops/serialization/to_data_converter.rb`.

use std::sync::Arc;

use crate::function::{Implementation, implementation};
use crate::types::ops::object_init_hash;
use crate::types::{Alias, ObjectRef, StructMember, Type, TypeKind};
use crate::value::{Binary, Hash, Object, RuntimeObject, TYPE_KEY, Value};
use puppetfn_base::error::{Error, ErrorKind};
use puppetfn_base::host::objects;
use puppetfn_base::limits::{Depth, Limits};

/// The key of the text or the elements from which a value is created.
const VALUE_KEY: &str = "__pvalue";

/// Makes rich data of the parts of one resource.
pub struct RichData<'d> {
    limits: &'d Limits,
    /// The name that messages have for the owner of the value.
    subject: &'d dyn std::fmt::Display,
    path: Vec<Value>,
    /// The aliases around, which may not be met again.
    aliases: Vec<Arc<str>>,
    /// Warnings about values that were converted to text, in Puppet's words.
    pub warnings: Vec<String>,
}

impl<'d> RichData<'d> {
    /// Begins a conversion; `subject` is the name that warnings have for the owner of the value.
    pub fn new(subject: &'d dyn std::fmt::Display, limits: &'d Limits) -> Self {
        Self { limits, subject, path: Vec::new(), aliases: Vec::new(), warnings: Vec::new() }
    }

    /// Returns the data of a value with a name, which warnings show.
    ///
    /// # Errors
    /// Fails with [`ErrorKind::Limit`] if the value nests too deep, and with [`ErrorKind::Evaluation`] if a type contains
    /// itself.
    pub fn of(&mut self, name: &str, value: &Value) -> Result<Value, Error> {
        let depth = Depth::nesting(self.limits);
        if is_data(value, depth) {
            return Ok(value.clone());
        }
        self.within(name.into(), |data| data.value(value, depth))
    }

    fn within<R>(&mut self, part: Value, make: impl FnOnce(&mut Self) -> R) -> R {
        self.path.push(part);
        let made = make(self);
        self.path.pop();
        made
    }

    fn value(&mut self, value: &Value, depth: Depth) -> Result<Value, Error> {
        let depth = depth.deeper()?;
        Ok(match value {
            Value::Undef | Value::Boolean(_) | Value::Integer(_) | Value::Float(_) | Value::String(_) => {
                value.clone()
            }
            Value::Default => typed("Default", []),
            Value::Array(items) => self.array(items, depth)?,
            Value::Hash(hash) => self.hash(hash, depth)?,
            Value::Sensitive(inner) => {
                let inner = self.value(inner, depth)?;
                typed("Sensitive", [(VALUE_KEY, inner)])
            }
            Value::Regexp(regex) => typed("Regexp", [(VALUE_KEY, regex.source().into())]),
            Value::SemVer(_) => self.text("SemVer", value)?,
            Value::SemVerRange(_) => self.text("SemVerRange", value)?,
            Value::Binary(_) => self.text("Binary", value)?,
            Value::Uri(_) => self.text("URI", value)?,
            Value::Timestamp(_) => self.text("Timestamp", value)?,
            Value::Timespan(_) => self.text("Timespan", value)?,
            Value::Type(t) => self.t(t, depth)?,
            Value::Object(object) => {
                let host = implementation(object).and_then(Implementation::host);
                match host.and_then(|host| objects()?.class_without_data(host)) {
                    Some(class) => self.as_text(value, &class)?,
                    None => self.object(object, depth)?,
                }
            }
            Value::Runtime(object) if object.as_integer().is_some() => value.clone(),
            Value::Runtime(object) => self.runtime_object(value, object, depth)?,
            Value::Iterator(_) | Value::Callable(_) | Value::Unknown(_) => {
                self.as_text(value, &value.ruby_class())?
            }
        })
    }

    fn runtime_object(
        &mut self,
        value: &Value,
        object: &RuntimeObject,
        depth: Depth,
    ) -> Result<Value, Error> {
        if let Some(name) = object.as_symbol() {
            return Ok(Value::String(Arc::clone(name)));
        }
        if let Some(text) = object.as_bytes() {
            if text.is_binary() {
                return self.text("Binary", &Value::Binary(Binary::new(text.bytes().to_vec())));
            }
            // The words of Ruby's JSON, which Puppet writes catalogs with.
            return Err(Error::new(ErrorKind::Evaluation, "source sequence is illegal/malformed utf-8"));
        }
        match object.contents() {
            Some(contents) => self.value(contents, depth),
            None => self.as_text(value, object.class_name()),
        }
    }

    fn array(&mut self, items: &[Value], depth: Depth) -> Result<Value, Error> {
        let mut data = Vec::with_capacity(items.len());
        for (index, item) in items.iter().enumerate() {
            let index = Value::Integer(i64::try_from(index).unwrap_or(i64::MAX));
            data.push(self.within(index, |rich| rich.value(item, depth))?);
        }
        Ok(data.into())
    }

    /// Returns a hash; one that JSON cannot hold is a list of its keys and values.
    fn hash(&mut self, hash: &Hash, depth: Depth) -> Result<Value, Error> {
        if hash.iter().all(|(key, _)| is_plain_key(key)) {
            let mut data = Hash::with_capacity(hash.len());
            for (key, value) in hash.iter() {
                data.insert(key.clone(), self.within(key.clone(), |rich| rich.value(value, depth))?);
            }
            return Ok(data.into());
        }
        let mut pairs = Vec::with_capacity(hash.len().saturating_mul(2));
        for (key, value) in hash.iter() {
            let key = self.value(key, depth)?;
            let value = self.within(key.clone(), |rich| rich.value(value, depth))?;
            pairs.extend([key, value]);
        }
        Ok(typed("Hash", [(VALUE_KEY, pairs.into())]))
    }

    fn text(&self, name: &str, value: &Value) -> Result<Value, Error> {
        Ok(typed(name, [(VALUE_KEY, value.interpolated(self.limits)?.into())]))
    }

    fn object(&mut self, object: &Object, depth: Depth) -> Result<Value, Error> {
        let name = object.definition().label();
        let Value::Hash(attributes) = self.entries(&object.init_hash(), depth)? else {
            return Ok(Value::Undef);
        };
        let attributes = attributes.iter().map(|(name, value)| (name.clone(), value.clone()));
        Ok(std::iter::once((TYPE_KEY.into(), name.into())).chain(attributes).collect())
    }

    /// Returns the data of the values of a hash whose keys are names.
    fn entries(&mut self, hash: &Hash, depth: Depth) -> Result<Value, Error> {
        hash.iter()
            .map(|(key, value)| Ok((key.clone(), self.within(key.clone(), |rich| rich.value(value, depth))?)))
            .collect()
    }

    /// Returns the text that Ruby has for a value that no data can represent.
    fn as_text(&mut self, value: &Value, class: &str) -> Result<Value, Error> {
        let text = value.ruby_to_s(self.limits)?;
        let article = if class.starts_with(['A', 'E', 'I', 'O', 'U']) { "an" } else { "a" };
        let mut place = self.subject.to_string();
        for part in &self.path {
            place.push_str(&format!("[{}]", part.to_literal()));
        }
        self.warnings.push(format!(
            "{place} contains {article} {class} value. It will be converted to the String '{text}'"
        ));
        Ok(text.into())
    }
}

/// Types are objects of the types in Puppet's own set `Pcore`.
impl RichData<'_> {
    fn t(&mut self, t: &Type, depth: Depth) -> Result<Value, Error> {
        let depth = depth.deeper()?;
        if let Type::Object(object) = t {
            return self.object_type(object, depth);
        }
        if let Type::Alias(alias) = t {
            return self.alias(alias, depth);
        }
        // Puppet has no data for these; they can be parsed from their text.
        if let Type::Unit | Type::ObjectExtension(_) | Type::TypeSet(_) = t {
            return Ok(reference(t.to_string().into()));
        }
        let mut attributes = Vec::new();
        if let Type::Struct(t) = t {
            let members: Result<Vec<Value>, Error> =
                t.members().iter().map(|member| self.member(member, depth)).collect();
            attributes.push(("elements", members?.into()));
        } else {
            for (name, part) in t.parts() {
                if let Some((name, value)) = attribute(t, name, part) {
                    attributes.push((name, self.part(name, &value, depth)?));
                }
            }
        }
        Ok(typed(t.kind().pcore_name(), attributes))
    }

    fn part(&mut self, name: &str, part: &Value, depth: Depth) -> Result<Value, Error> {
        if let Value::Type(t) = part {
            self.t(t, depth)
        } else if let Value::Array(items) = part
            && name != "init_args"
        {
            let items: Result<Vec<Value>, Error> =
                items.iter().map(|item| self.part(name, item, depth)).collect();
            items.map(Value::from)
        } else if let Value::Array(items) = part {
            self.array(items, depth)
        } else {
            self.value(part, depth)
        }
    }

    fn member(&mut self, member: &StructMember, depth: Depth) -> Result<Value, Error> {
        let parts =
            [("key_type", self.t(&member.key_type(), depth)?), ("value_type", self.t(&member.value, depth)?)];
        Ok(typed("Pcore::StructElement", parts))
    }

    fn object_type(&mut self, object: &ObjectRef, depth: Depth) -> Result<Value, Error> {
        match object.get() {
            Some(definition) => {
                let hash = self.entries(&object_init_hash(&definition), depth)?;
                Ok(typed(TypeKind::Object.pcore_name(), [("_pcore_init_hash", hash)]))
            }
            None => Ok(reference((&**object.name()).into())),
        }
    }

    fn alias(&mut self, alias: &Alias, depth: Depth) -> Result<Value, Error> {
        let name = Value::String(Arc::clone(alias.name()));
        let Some(target) = alias.resolved() else { return Ok(reference(name)) };
        if self.aliases.contains(alias.name()) {
            return Err(Error::of_evaluation(
                ErrorKind::Evaluation,
                "Endless recursion detected when attempting to serialize value of class \
                 Puppet::Pops::Types::PTypeAliasType",
            ));
        }
        self.aliases.push(Arc::clone(alias.name()));
        let resolved = self.t(&target, depth);
        self.aliases.pop();
        let parts = [("name", name), ("type_expr", Value::Undef), ("resolved_type", resolved?)];
        Ok(typed(TypeKind::Alias.pcore_name(), parts))
    }
}

/// Returns true if a value is its own rich data: it has only values that JSON has, and no object that belongs to the host.
fn is_data(value: &Value, depth: Depth) -> bool {
    let Ok(depth) = depth.deeper() else { return false };
    if let Value::Array(items) = value {
        !items.is_frozen() && items.iter().all(|item| is_data(item, depth))
    } else if let Value::Hash(hash) = value {
        let is_entry = |(key, value): (&Value, &Value)| is_plain_key(key) && is_data(value, depth);
        hash.host().is_none() && hash.iter().all(is_entry)
    } else {
        matches!(
            value,
            Value::Undef | Value::Boolean(_) | Value::Integer(_) | Value::Float(_) | Value::String(_)
        )
    }
}

/// Returns true if JSON can have a value as a key that stands for itself.
fn is_plain_key(key: &Value) -> bool {
    matches!(key, Value::String(key) if **key != *TYPE_KEY)
}

/// Returns a hash that names a type.
fn typed(name: &str, parts: impl IntoIterator<Item = (&'static str, Value)>) -> Value {
    let parts = parts.into_iter().map(|(key, value)| (key.into(), value));
    std::iter::once((TYPE_KEY.into(), name.into())).chain(parts).collect()
}

/// Returns a type that is given by its text.
fn reference(text: Value) -> Value {
    typed(TypeKind::Reference.pcore_name(), [("type_string", text)])
}

/// Returns the attribute of the Object type that holds a part of a type; `None` if that has the attribute's default.
fn attribute(t: &Type, name: &'static str, part: Value) -> Option<(&'static str, Value)> {
    let is_default = match name {
        "element_type" => part == Value::from(Type::Any),
        "key_type" | "value_type" => matches!(t, Type::Hash(t) if t.key == Type::Any && t.value == Type::Any),
        "ranges" | "init_args" => matches!(&part, Value::Array(items) if items.is_empty()),
        "case_insensitive" => part == Value::Boolean(false),
        "param_types" | "block_type" | "return_type" => false,
        // Puppet loses these.
        "value" | "type" if matches!(t, Type::Boolean(_) | Type::Sensitive(_)) => true,
        _ => part == Value::Undef,
    };
    if is_default {
        return None;
    }
    Some(match (t, part) {
        (Type::String(_), part) => ("size_type_or_value", part),
        (Type::Regexp(_), Value::Regexp(regex)) => ("pattern", regex.source().into()),
        (_, part) => (name, part),
    })
}
