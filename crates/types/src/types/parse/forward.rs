//! References of types to types that may be defined through them.

use std::cell::RefCell;
use std::sync::Arc;

use super::{TypeLookup, named};
use crate::types::{ObjectRef, Type};
use puppetfn_base::error::{Error, ErrorKind, SourceLocation};

/// An unresolved reference. It does not keep its target alive: the owner of the types does.
#[derive(Clone, Debug)]
pub struct ForwardReference {
    /// The reference to the type.
    pub object: ObjectRef,
    /// The owner of the reference, as messages name it.
    pub label: String,
    /// The location of the reference, with its file.
    pub place: SourceLocation,
}

impl ForwardReference {
    /// Looks for the type.
    ///
    /// # Errors
    /// The same errors as `lookup`. Fails too if it is not defined by its features.
    pub fn resolve(&self, lookup: &dyn TypeLookup) -> Result<(), Error> {
        let t = named(self.object.name(), lookup)?;
        let label = &self.label;
        let message = if let Type::Reference(name) = &t {
            format!("The type of {label} is not defined: {name}")
        } else if let Type::Object(object) = &t
            && let Some(definition) = object.get().filter(|definition| definition.model().is_some())
        {
            self.object.tell(&definition);
            return Ok(());
        } else {
            format!("{label} refers to {t}, which is not defined by features; an attribute can have any type")
        };
        let error = Error::new(ErrorKind::Load, message).at(self.place.clone());
        Err(match &self.place.file {
            Some(file) => error.in_file(Arc::clone(file)),
            None => error,
        })
    }
}

/// The references of definitions that are being resolved together.
#[derive(Default, Debug)]
pub struct ForwardReferences(RefCell<Vec<ForwardReference>>);

impl ForwardReferences {
    /// Adds a reference that is to be resolved with the others.
    pub fn add(&self, reference: ForwardReference) {
        self.0.borrow_mut().push(reference);
    }

    /// Resolves all references, including the ones in types that are found on the way.
    ///
    /// # Errors
    /// The same errors as [`ForwardReference::resolve`].
    pub fn resolve(&self, lookup: &dyn TypeLookup) -> Result<(), Error> {
        loop {
            let next = self.0.borrow_mut().pop();
            match next {
                Some(reference) => reference.resolve(lookup)?,
                None => return Ok(()),
            }
        }
    }
}
