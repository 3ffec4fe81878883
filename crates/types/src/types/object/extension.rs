//! Narrows Object types by parameters, as in `Error['kind']`, and checks objects for them.
//!
//! See Puppet's `pops/types/p_object_type_extension.rb`.

use std::sync::Arc;

use indexmap::IndexMap;

use crate::subject::Verdict;
use crate::types::ops::case::{PlainMatcher, match_option};
use crate::types::ops::{assert_instance, instance};
use crate::types::{Definition, Member, Members, ObjectExtension, ObjectRef, ObjectType};
use crate::value::types::object::invalid;
use crate::value::{Object, Value};
use puppetfn_base::error::Error;
use puppetfn_base::limits::Limits;

impl ObjectExtension {
    /// `base[parameters]`, with the parameters in the order they are declared, or in one hash by name. `default` leaves a
    /// parameter open.
    ///
    /// # Errors
    /// Fails with [`puppetfn_base::error::ErrorKind::TypeParameters`] if the type has no such parameters or none is given,
    /// and with [`puppetfn_base::error::ErrorKind::TypeAssertion`] if one is of the wrong type.
    pub fn new(base: &ObjectRef, parameters: &[Value], limits: &Limits) -> Result<Self, Error> {
        match base.get() {
            Some(base) => Self::of(base, parameters, limits),
            None => Err(not_parameterized(base.name())),
        }
    }

    /// Returns the extension of an object's type in which the type parameters that are also attributes have the object's
    /// values.
    ///
    /// # Errors
    /// The same errors as [`ObjectExtension::new`].
    pub fn of_object(object: &Object, limits: &Limits) -> Result<Self, Error> {
        let base = object.definition();
        let names = base.layout();
        let values = names.type_parameters.keys().map(|name| match names.attributes.get(name) {
            Some(_) => object.attribute(name),
            None => Ok(Value::Undef),
        });
        Self::of(Arc::clone(base), &values.collect::<Result<Vec<_>, _>>()?, limits)
    }

    fn of(base: Arc<Definition<ObjectType>>, parameters: &[Value], limits: &Limits) -> Result<Self, Error> {
        let declared = base.layout();
        let Some((_, first)) = declared.type_parameters.first() else {
            return Err(not_parameterized(base.label()));
        };
        let parameters = match parameters {
            [named @ Value::Hash(by_name)] if instance(&first.t, named, limits)? != Verdict::Yes => {
                let mut given = Vec::with_capacity(by_name.len());
                for (name, value) in by_name.iter() {
                    given.push((find(&base, &declared.type_parameters, name, limits)?, value));
                }
                checked(given, limits)?
            }
            parameters => checked(declared.type_parameters.values().zip(parameters), limits)?,
        };
        if parameters.is_empty() {
            let label = base.label();
            return Err(invalid(format!(
                "The {label}-Type cannot be parameterized using an empty parameter list"
            )));
        }
        Ok(Self { base, parameters })
    }

    /// Returns true if the parameters of another extension are within the ones of this.
    pub(in crate::types) fn includes(&self, other: &Self, limits: &Limits) -> Result<bool, Error> {
        self.all(|name, expected| {
            let Some(given) = other.parameters.get(name) else { return Ok(false) };
            if let (Value::Type(expected), Value::Type(given)) = (expected, given)
                && expected.try_assignable(given, limits)?
            {
                return Ok(true);
            }
            match_option(expected, given, &mut PlainMatcher, limits)
        })
    }

    /// Returns true if the attributes of an object match the parameters.
    pub(in crate::types) fn matches(&self, object: &Object, limits: &Limits) -> Result<bool, Error> {
        let attributes = &object.definition().layout().attributes;
        self.all(|name, expected| match attributes.get(name) {
            Some(_) => match_option(expected, &object.attribute(name)?, &mut PlainMatcher, limits),
            None => Ok(false),
        })
    }

    fn all(&self, mut holds: impl FnMut(&str, &Value) -> Result<bool, Error>) -> Result<bool, Error> {
        for (name, expected) in &self.parameters {
            if !holds(name, expected)? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

fn find<'m>(
    base: &ObjectType,
    declared: &'m Members,
    name: &Value,
    limits: &Limits,
) -> Result<&'m Arc<Member>, Error> {
    let name = name.ruby_to_s(limits)?;
    declared
        .get(&*name)
        .ok_or_else(|| invalid(format!("'{name}' is not a known type parameter for {}-Type", base.label())))
}

/// Returns the parameters that are given, each of its type.
fn checked<'v>(
    given: impl IntoIterator<Item = (&'v Arc<Member>, &'v Value)>,
    limits: &Limits,
) -> Result<IndexMap<Arc<str>, Value>, Error> {
    let mut parameters = IndexMap::new();
    for (declared, value) in given {
        if *value != Value::Default {
            assert_instance(|| declared.label(), &declared.t, value, limits)?;
            parameters.insert(Arc::clone(&declared.name), value.clone());
        }
    }
    Ok(parameters)
}

#[cold]
fn not_parameterized(label: &str) -> Error {
    invalid(format!("The {label}-Type cannot be parameterized using []"))
}
