//! Objects as plain data: hashes from which they can be created again.

use std::collections::HashMap;
use std::ptr;
use std::sync::Arc;

use super::elements;
use crate::value::types::{FeatureKind, FeatureModel, Type};
use crate::value::{Hash, Object, Value};
use puppetfn_base::error::{Error, ErrorKind};

/// The key that names the type of an object in a hash, as in Puppet's rich data.
pub const TYPE_KEY: &str = "__ptype";

impl Object {
    /// Returns the set features as users read them, without transient ones: a hash that the object can be created from.
    /// Contained objects are hashes, too; references are replaced by the place of their target, `//@roles.0`. `None` for an
    /// object whose type is not defined by its features.
    ///
    /// ```
    /// use puppetfn::eval::Runtime;
    /// use puppetfn::value::Value;
    ///
    /// let runtime = Runtime::new();
    /// runtime.evaluate("type Role { attr gid, Integer } type Member { attr name has roles, Role { max => unbound } }", None)?;
    /// let made = runtime.evaluate("Member.new { name => 'ann', roles => { gid => 1 } }", None)?;
    /// let Value::Object(object) = made else { unreachable!() };
    /// let data = object.to_data()?.map(|data| Value::Hash(data.into()).to_literal());
    /// assert_eq!(data.as_deref(), Some("{'name' => 'ann', 'roles' => [{'gid' => 1}]}"));
    /// # Ok::<(), puppetfn::error::Error>(())
    /// ```
    ///
    /// # Errors
    /// Fails if it refers to an object that it does not contain, or if a getter fails.
    pub fn to_data(&self) -> Result<Option<Hash>, Error> {
        if self.instance().is_none() {
            return Ok(None);
        }
        ObjectPlaces::of(self).data(self).map(Some)
    }

    /// Returns the features that have values, with their stored values.
    pub fn kept_features(&self) -> impl Iterator<Item = (&Arc<FeatureModel>, Value)> {
        let model = self.definition().model();
        let features = model.into_iter().flat_map(|model| model.features.values().enumerate());
        features.filter_map(|(index, feature)| Some((feature, self.instance()?.kept(index)?)))
    }

    /// Returns the same data, with the name of the type.
    ///
    /// # Errors
    /// The same errors as [`Object::to_data`].
    pub fn to_typed_data(&self) -> Result<Option<Hash>, Error> {
        Ok(self.to_data()?.map(|data| typed(self, data)))
    }
}

/// Returns the data of an object with the name of its type first.
fn typed(object: &Object, data: Hash) -> Hash {
    let mut named = Hash::with_capacity(data.len().saturating_add(1));
    named.insert(TYPE_KEY.into(), object.definition().label().into());
    for (name, value) in data.iter() {
        named.insert(name.clone(), value.clone());
    }
    named
}

/// The objects of a document, by their addresses, and where they are in it.
pub struct ObjectPlaces(HashMap<*const Object, String>);

impl ObjectPlaces {
    /// Returns the places in the document with this root object.
    pub fn of(root: &Object) -> Self {
        let mut places = Self(HashMap::new());
        places.add(root, "/");
        places
    }

    fn add(&mut self, object: &Object, place: &str) {
        self.0.insert(ptr::from_ref(object), place.to_owned());
        let parts = object.kept_features();
        for (feature, value) in parts.filter(|(feature, _)| feature.kind == FeatureKind::Containment) {
            for (index, part) in elements(&value).iter().enumerate() {
                if let Value::Object(part) = part {
                    self.add(part, &format!("{place}{}", step(feature, index)));
                }
            }
        }
    }

    fn data(&self, object: &Object) -> Result<Hash, Error> {
        let mut data = Hash::default();
        for (feature, value) in object.kept_features().filter(|(feature, _)| !feature.is_transient) {
            let value = match feature.kind {
                FeatureKind::Attribute if feature.get.is_some() => {
                    plain(&feature.t, &object.attribute(&feature.name)?)?
                }
                FeatureKind::Attribute => plain(&feature.t, &value)?,
                FeatureKind::Containment => each(&value, |part| {
                    if let Value::Object(part) = part {
                        Ok(data_as(&feature.t, part, self.data(part)?))
                    } else {
                        Ok(part.clone())
                    }
                })?,
                FeatureKind::Reference => each(&value, |other| {
                    if let Value::Undef = other {
                        Ok(Value::Undef)
                    } else {
                        Ok(self.of_reference(feature, object, other)?.into())
                    }
                })?,
            };
            data.insert(Value::String(Arc::clone(&feature.name)), value);
        }
        Ok(data)
    }

    /// Returns the place of the target of a reference in the document.
    ///
    /// # Errors
    /// Fails if the target is not in the document.
    pub fn of_reference(
        &self,
        feature: &FeatureModel,
        owner: &Object,
        value: &Value,
    ) -> Result<String, Error> {
        let found = if let Value::String(place) = value {
            // A place in the outermost object, which may be another one here.
            Value::Object(owner.resolve(place)?)
        } else {
            value.clone()
        };
        if let Value::Object(object) = &found
            && let Some(place) = self.0.get(&Arc::as_ptr(object))
        {
            return Ok(place.clone());
        }
        let message = format!(
            "{} refers to {}, which is not within the same document",
            feature.label(),
            found.to_literal()
        );
        Err(Error::new(ErrorKind::Evaluation, message))
    }
}

/// Returns a step of a place: `/@roles.0`.
pub(super) fn step(feature: &FeatureModel, index: usize) -> String {
    if feature.is_many() { format!("/@{}.{index}", feature.name) } else { format!("/@{}", feature.name) }
}

/// Returns the data of an object where one of a type is expected: another type has to be named.
fn data_as(expected: &Type, object: &Object, data: Hash) -> Value {
    let is_expected = if let Type::Object(t) = expected { *t == object.object_type() } else { false };
    Value::Hash(Arc::new(if is_expected { data } else { typed(object, data) }))
}

/// Returns the value of an attribute with data in place of objects.
fn plain(expected: &Type, value: &Value) -> Result<Value, Error> {
    if let Value::Object(object) = value
        && let Some(data) = object.to_data()?
    {
        Ok(data_as(expected, object, data))
    } else if let Value::Array(items) = value {
        let items: Result<Vec<_>, Error> = items.iter().map(|item| plain(expected, item)).collect();
        Ok(items?.into())
    } else if let Value::Hash(hash) = value {
        let entry = |(key, value): (&Value, &Value)| Ok((key.clone(), plain(expected, value)?));
        Ok(Value::Hash(Arc::new(hash.iter().map(entry).collect::<Result<_, Error>>()?)))
    } else {
        Ok(value.clone())
    }
}

/// Maps a value, or each element of an array.
fn each(value: &Value, make: impl Fn(&Value) -> Result<Value, Error>) -> Result<Value, Error> {
    if let Value::Array(items) = value {
        let made: Result<Vec<_>, Error> = items.iter().map(make).collect();
        Ok(made?.into())
    } else {
        make(value)
    }
}
