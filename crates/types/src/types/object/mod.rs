//! Object types: definitions from hashes, Puppet's own types, and types with parameters.

pub(super) mod builtin;
mod extension;
mod init;
mod pcore;
mod uri_pattern;

pub(super) use init::{InitTypes, structure};

use std::sync::Arc;

use super::ops::assert_instance;
use super::{ObjectRef, Type};
use crate::value::types::object::NAMELESS;
use crate::value::{self, Value};
use puppetfn_base::error::Error;
use puppetfn_base::limits::Limits;

impl Type {
    /// `Object[init]`: the type that a hash defines, or a named type without members.
    ///
    /// # Errors
    /// Fails with [`puppetfn_base::error::ErrorKind::TypeAssertion`] if `init` is neither a name nor a hash that defines a
    /// type, and with [`puppetfn_base::error::ErrorKind::TypeParameters`] if the hash contradicts itself.
    pub fn object(init: &Value, limits: &Limits) -> Result<Self, Error> {
        if let Value::String(name) = init {
            let named = ObjectRef::define_object(name, |_| {}, || Ok(Arc::default()), limits);
            return named.map(Self::Object);
        }
        assert_instance(|| "object initializer".into(), &init::InitTypes::get().object, init, limits)?;
        let Value::Hash(init) = init else { return Ok(builtin::object()) };
        if init.is_empty() {
            return Ok(builtin::object());
        }
        let t = init::from_init(None, init, None, limits)?;
        let name = t.name().cloned().unwrap_or_else(|| NAMELESS.into());
        Ok(Self::Object(ObjectRef::new(name, t)))
    }
}

impl ObjectRef {
    /// Defines a named Object type. `enter` gets the reference to it, for use in its own definition; then `init` returns
    /// the hash that defines it.
    ///
    /// # Errors
    /// The same errors as [`Type::object`] and `init`.
    pub fn define_object(
        name: &str,
        enter: impl FnOnce(&Self),
        init: impl FnOnce() -> Result<Arc<value::Hash>, Error>,
        limits: &Limits,
    ) -> Result<Self, Error> {
        assert_instance(|| "object name".into(), &init::InitTypes::get().name, &name.into(), limits)?;
        Self::define(name, |me| {
            enter(&me);
            init::from_init(Some(name.into()), &*init()?, Some(&me), limits)
        })
    }
}
