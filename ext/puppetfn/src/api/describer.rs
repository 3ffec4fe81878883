//! Data for instances of Ruby's resource types.

use std::borrow::Cow;
use std::collections::HashMap;

use magnus::value::ReprValue;
use magnus::{Error, RArray, Ruby, Symbol, Value};
use puppetfn::catalog::Resource;
use puppetfn::types::{ResourceType, Type};
use puppetfn::value::Value as CoreValue;

use crate::ruby::convert::{reference, to_object};
use crate::ruby::raw;

/// Describes resources of a catalog. Texts that many of them have, and references to the same resource, are one object.
pub struct Describer<'r> {
    ruby: &'r Ruby,
    names: HashMap<&'r str, Symbol>,
    texts: HashMap<&'r str, Value>,
    references: HashMap<&'r ResourceType, Value>,
    /// Keeps the shared objects alive.
    shared: RArray,
}

impl<'r> Describer<'r> {
    pub fn new(ruby: &'r Ruby) -> Self {
        Self {
            ruby,
            names: HashMap::new(),
            texts: HashMap::new(),
            references: HashMap::new(),
            shared: ruby.ary_new(),
        }
    }

    /// Returns a resource as `Evaluator#described` has it.
    pub fn describe(&mut self, resource: &'r Resource) -> Result<RArray, Error> {
        let ruby = self.ruby;
        let parameters = ruby.hash_new();
        let mut all_strings = true;
        for (name, value) in resource.given_parameters() {
            all_strings &= matches!(value, CoreValue::String(_));
            match resource.finished_name(name) {
                Cow::Borrowed(name) => parameters.aset(self.symbol(name), self.value(value)?)?,
                // One without a value takes none from another that has the same name in lower case.
                Cow::Owned(_) if matches!(value, CoreValue::Undef) => {}
                Cow::Owned(name) => parameters.aset(ruby.to_symbol(name), self.value(value)?)?,
            }
        }
        let place = resource.place();
        let file = place.and_then(|place| place.file.as_deref());
        let file = file.map(|file| self.text(file)).transpose()?;
        let tags = ruby.ary_new();
        for tag in resource.tags().iter() {
            tags.push(self.text(tag)?)?;
        }
        let title = Some(resource.title_value()).filter(|title| !matches!(title, CoreValue::String(_)));
        let known = ruby.ary_new_capa(12);
        known.push(self.text(resource.type_name())?)?;
        known.push(raw::string(ruby, resource.title()))?;
        known.push(parameters)?;
        known.push(file)?;
        known.push(place.and_then(|place| place.line))?;
        known.push(resource.is_virtual())?;
        known.push(resource.is_exported())?;
        known.push(ruby.ary_from_iter(resource.sensitive_parameters().map(|name| ruby.to_symbol(name))))?;
        known.push(tags)?;
        known.push(all_strings)?;
        known.push(self.text(resource.kind_name())?)?;
        known.push(title.map(|title| to_object(ruby, title)).transpose()?)?;
        Ok(known)
    }

    fn symbol(&mut self, name: &'r str) -> Symbol {
        *self.names.entry(name).or_insert_with(|| self.ruby.to_symbol(name))
    }

    fn text(&mut self, text: &'r str) -> Result<Value, Error> {
        if let Some(known) = self.texts.get(text) {
            return Ok(*known);
        }
        let object = raw::string(self.ruby, text);
        object.freeze();
        self.shared.push(object)?;
        self.texts.insert(text, object);
        Ok(object)
    }

    fn value(&mut self, value: &'r CoreValue) -> Result<Value, Error> {
        if let CoreValue::Type(t) = value
            && let Type::Resource(resource) = t.as_ref()
            && resource.is_given
        {
            return self.reference(resource);
        }
        if let CoreValue::Array(items) = value
            && items.iter().any(|item| matches!(item, CoreValue::Type(_)))
        {
            let array = self.ruby.ary_new_capa(items.len());
            items.iter().try_for_each(|item| array.push(self.value(item)?))?;
            return Ok(array.as_value());
        }
        to_object(self.ruby, value)
    }

    fn reference(&mut self, resource: &'r ResourceType) -> Result<Value, Error> {
        if let Some(known) = self.references.get(resource) {
            return Ok(*known);
        }
        let object = reference(self.ruby, resource)?;
        self.shared.push(object)?;
        self.references.insert(resource, object);
        Ok(object)
    }
}
