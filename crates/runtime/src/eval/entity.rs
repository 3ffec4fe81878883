//! Resolved code of types that are defined by their features.

use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};

use super::code::{CompilationUnit, Node};
use puppetfn_types::types::{Definition, FeatureKind, Model, ObjectType};
use puppetfn_types::value::{Object, Value};

/// The code of a type and of its ancestors.
#[derive(Debug)]
pub(super) struct Logic {
    pub definition: Arc<Definition<ObjectType>>,
    pub model: Arc<Model>,
    /// By the index of the feature.
    pub features: Vec<Arc<FeatureCode>>,
    /// The invariants, from the outermost ancestor's on.
    pub invariants: Vec<Arc<InvariantCode>>,
}

/// The code of a feature.
#[derive(Default, Debug)]
pub(super) struct FeatureCode {
    pub derived: Option<EntityCode>,
    pub checks: Vec<EntityCode>,
    pub set: Option<EntityCode>,
    pub get: Option<EntityCode>,
}

#[derive(Debug)]
pub(super) struct InvariantCode {
    pub message: Option<Arc<str>>,
    pub code: EntityCode,
}

/// A piece of code. Its frame begins with the object, and the value that the code is called with.
#[derive(Debug)]
pub(super) struct EntityCode {
    /// The name of the code in messages.
    pub name: Arc<str>,
    pub body: Node,
    /// The type of the lambda's parameter.
    pub parameter_type: Option<Node>,
    /// Whether the value is also in the next slot, under the name of the feature.
    pub has_own_name: bool,
    pub unit: Arc<CompilationUnit>,
    pub frame_size: u32,
}

/// The code that has been resolved, by the definition that it is of.
#[derive(Default)]
pub(super) struct Logics(RwLock<HashMap<usize, Arc<Logic>>>);

impl Logics {
    pub fn get(&self, definition: &Arc<Definition<ObjectType>>) -> Option<Arc<Logic>> {
        self.0.read().unwrap_or_else(PoisonError::into_inner).get(&Arc::as_ptr(definition).addr()).cloned()
    }

    /// Caches code, with the definition, so that no other definition gets its address.
    pub fn add(&self, logic: Logic) -> Arc<Logic> {
        let key = Arc::as_ptr(&logic.definition).addr();
        let mut known = self.0.write().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(known.entry(key).or_insert_with(|| Arc::new(logic)))
    }
}

impl Logic {
    /// Returns the value of a feature, where no code is run to read it, and nothing is looked for.
    pub fn plain_value(&self, object: &Object, feature: usize) -> Option<Value> {
        let (_, model) = self.model.features.get_index(feature)?;
        let code = self.features.get(feature)?;
        if code.derived.is_some() || code.get.is_some() || model.kind == FeatureKind::Reference {
            return None;
        }
        let kept = object.instance()?.kept(feature);
        Some(kept.unwrap_or_else(|| model.empty_value()))
    }
}
