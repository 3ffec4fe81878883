//! Object types that are narrowed by parameters: `Error['kind']`.
//!
//! See Puppet's `pops/types/p_object_type_extension.rb`.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use indexmap::IndexMap;

use super::{ObjectRef, ObjectType};
use crate::value::Value;
use crate::value::types::Definition;

/// An Object type with values for its type parameters.
#[derive(Clone, Debug)]
pub struct ObjectExtension {
    pub(crate) base: Arc<Definition<ObjectType>>,
    pub(crate) parameters: IndexMap<Arc<str>, Value>,
}

impl ObjectExtension {
    /// Returns the type that is narrowed.
    pub fn base(&self) -> &Arc<Definition<ObjectType>> {
        &self.base
    }

    /// Returns a use of the type without the parameters.
    pub fn base_ref(&self) -> ObjectRef {
        ObjectRef::Use(Arc::clone(&self.base))
    }

    /// Returns the parameters that are given, by name.
    pub fn parameters(&self) -> &IndexMap<Arc<str>, Value> {
        &self.parameters
    }

    /// Returns the parameters as they are written in brackets: by position, up to the last given one; `None` if the type
    /// has so many that they are written by name.
    pub fn positional(&self) -> Option<Vec<Value>> {
        const MOST: usize = 2;
        let declared = &self.base.layout().type_parameters;
        if declared.len() > MOST {
            return None;
        }
        let given = |name| self.parameters.get(name).cloned().unwrap_or(Value::Default);
        let mut positional: Vec<_> = declared.keys().map(given).collect();
        while positional.pop_if(|value| *value == Value::Default).is_some() {}
        Some(positional)
    }
}

impl PartialEq for ObjectExtension {
    fn eq(&self, other: &Self) -> bool {
        self.base_ref() == other.base_ref() && self.parameters == other.parameters
    }
}

impl Eq for ObjectExtension {}

impl Hash for ObjectExtension {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.base.label().hash(state);
        self.parameters.len().hash(state);
    }
}
