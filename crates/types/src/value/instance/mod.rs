//! Objects whose type is defined by its features: their state and construction.

mod data;
mod place;

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, Weak};

use super::extent::Extent;
use super::{Object, Value};
use crate::value::types::{FeatureKind, FeatureModel, Model};
pub use data::{ObjectPlaces, TYPE_KEY};
use puppetfn_base::error::{Error, ErrorKind};

/// Runs the code of a type.
pub trait Behavior: Send + Sync {
    /// Returns the value of a feature as users read it.
    ///
    /// # Errors
    /// Fails with the errors of the code that computes it.
    fn read(&self, object: &Arc<Object>, feature: usize) -> Result<Value, Error>;

    /// Sets a feature of an object under construction, as users do.
    ///
    /// # Errors
    /// Fails with the errors of the setter. Problems with the value are recorded in the object.
    fn write(&self, object: &Arc<Object>, name: &str, value: Value) -> Result<(), Error>;
}

/// The state of an object whose type is defined by its features. It can be changed until it is complete.
pub struct Instance {
    me: Weak<Object>,
    behavior: Arc<dyn Behavior>,
    draft: Mutex<ObjectDraft>,
    /// The stored values of the features by index, once the object is complete.
    kept: OnceLock<CompleteValues>,
    container: Mutex<Option<ObjectContainer>>,
}

/// The values of a complete object.
struct CompleteValues {
    values: Box<[Value]>,
    is_set: Box<[bool]>,
    extent: Extent,
}

/// The state of an object under construction.
#[derive(Default)]
struct ObjectDraft {
    values: Vec<Option<Value>>,
    /// How often each feature was set, to detect that code has set one.
    changes: Vec<u32>,
    /// Which features had a value that was refused.
    bad: Vec<bool>,
    problems: Vec<String>,
}

/// The position of an object in its container.
#[derive(Clone)]
struct ObjectContainer {
    object: Weak<Object>,
    feature: Arc<FeatureModel>,
    /// The index among several values.
    index: usize,
}

impl Instance {
    pub(super) fn new(me: &Weak<Object>, features: usize, behavior: Arc<dyn Behavior>) -> Self {
        let draft = ObjectDraft {
            values: vec![None; features],
            changes: vec![0; features],
            bad: vec![false; features],
            problems: Vec::new(),
        };
        Self {
            me: Weak::clone(me),
            behavior,
            draft: Mutex::new(draft),
            kept: OnceLock::new(),
            container: Mutex::default(),
        }
    }

    fn draft(&self) -> MutexGuard<'_, ObjectDraft> {
        self.draft.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn container(&self) -> MutexGuard<'_, Option<ObjectContainer>> {
        self.container.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns true if it can still be set.
    pub fn is_draft(&self) -> bool {
        self.kept.get().is_none()
    }

    /// Returns the stored value of a feature; `None` if it is not set.
    pub fn kept(&self, feature: usize) -> Option<Value> {
        match self.kept.get() {
            Some(kept) if kept.is_set.get(feature) == Some(&true) => kept.values.get(feature).cloned(),
            Some(_) => None,
            None => self.draft().values.get(feature)?.clone(),
        }
    }

    /// Returns the extent of the values; the default extent while the object is incomplete.
    pub(super) fn extent(&self) -> Extent {
        self.kept.get().map_or_else(Extent::default, |kept| kept.extent)
    }

    /// Sets or unsets a feature of an object under construction.
    pub fn keep(&self, feature: usize, value: Option<Value>) {
        let draft = &mut *self.draft();
        if let (Some(slot), Some(changes)) = (draft.values.get_mut(feature), draft.changes.get_mut(feature)) {
            *slot = value;
            *changes = changes.wrapping_add(1);
        }
    }

    /// Returns a number that changes each time the feature is set.
    pub fn changes(&self, feature: usize) -> u32 {
        self.draft().changes.get(feature).copied().unwrap_or_default()
    }

    /// Records a problem with the value of a feature.
    pub fn note_of(&self, feature: usize, problem: String) {
        let draft = &mut *self.draft();
        if let Some(bad) = draft.bad.get_mut(feature) {
            *bad = true;
        }
        draft.problems.push(problem);
    }

    /// Returns true if a problem with a value of a feature is recorded.
    pub fn is_bad(&self, feature: usize) -> bool {
        self.draft().bad.get(feature) == Some(&true)
    }

    /// Records a problem with the arguments.
    pub fn note(&self, problem: String) {
        self.draft().problems.push(problem);
    }

    /// Returns the recorded problems and clears them.
    pub fn take_problems(&self) -> Vec<String> {
        std::mem::take(&mut self.draft().problems)
    }

    /// Completes the construction: the state becomes immutable, and the contained objects record their container. Returns a
    /// problem for each one that has another container.
    pub fn complete(&self, model: &Model) -> Vec<String> {
        let draft = std::mem::take(&mut *self.draft());
        let is_set = draft.values.iter().map(Option::is_some).collect();
        let values: Box<[Value]> =
            draft.values.into_iter().map(|value| value.unwrap_or(Value::Undef)).collect();
        let extent = Extent::of(values.len(), &values);
        let kept = self.kept.get_or_init(|| CompleteValues { values, is_set, extent });
        let mut problems = Vec::new();
        for (feature, value) in model.features.values().zip(&kept.values) {
            if feature.kind != FeatureKind::Containment {
                continue;
            }
            for (index, part) in elements(value).iter().enumerate() {
                if let Value::Object(part) = part
                    && let Some(instance) = part.instance()
                    && !instance.claim(ObjectContainer {
                        object: Weak::clone(&self.me),
                        feature: Arc::clone(feature),
                        index,
                    })
                {
                    problems.push(format!(
                        "{} contains a {} that another object or feature contains; an object has one container",
                        feature.label(),
                        part.definition().label()
                    ));
                }
            }
        }
        problems
    }

    /// Sets the position in a container, unless the object is in another one that still exists.
    fn claim(&self, place: ObjectContainer) -> bool {
        let mut container = self.container();
        if container.as_ref().is_some_and(|other| other.object.strong_count() > 0) {
            return false;
        }
        *container = Some(place);
        true
    }
}

impl fmt::Debug for Instance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Instance").field("is_draft", &self.is_draft()).finish_non_exhaustive()
    }
}

/// Returns the elements of an array, or the value itself unless it is undef.
pub fn elements(value: &Value) -> &[Value] {
    if let Value::Array(items) = value {
        items
    } else if matches!(value, Value::Undef) {
        &[]
    } else {
        std::slice::from_ref(value)
    }
}

impl Object {
    /// Returns the value of a feature as users read it: an array if it can have several values; undef, or an empty array,
    /// if it is not set.
    ///
    /// # Errors
    /// Fails with the errors of the code that computes it, and if the target of a reference cannot be found.
    pub fn read(&self, feature: usize) -> Result<Value, Error> {
        let Some((instance, object)) = self.instance().and_then(|i| Some((i, i.me.upgrade()?))) else {
            return Err(Error::new(ErrorKind::Internal, "an object without features is read"));
        };
        instance.behavior.read(&object, feature)
    }

    /// Sets a feature while the object is under construction, as in the block of `new`. Problems with the value are
    /// reported on completion.
    ///
    /// # Errors
    /// Fails if the object is complete, or if the code of its type fails.
    pub fn set(&self, name: &str, value: Value) -> Result<(), Error> {
        let draft = self.instance().filter(|instance| instance.is_draft());
        let Some((instance, object)) = draft.and_then(|i| Some((i, i.me.upgrade()?))) else {
            let label = self.definition().label();
            let message = format!("'{name}' of a {label} cannot be set: it does not change once it is made");
            return Err(Error::new(ErrorKind::Evaluation, message));
        };
        instance.behavior.write(&object, name, value)
    }

    /// Returns true if a feature is set; `None` if the type has no such feature. A feature that does not distinguish an
    /// unset value from an empty one is set unless it is undef.
    pub fn is_set(&self, name: &str) -> Option<bool> {
        let (index, _) = self.definition().model()?.feature(name)?;
        Some(self.instance()?.kept(index).is_some())
    }
}
