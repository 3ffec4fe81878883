//! Containment: the container of an object, its path within the root, and the object at a path.

use std::sync::Arc;

use super::data::step;
use super::{ObjectContainer, elements};
use crate::value::types::FeatureKind;
use crate::value::{Object, Value};
use puppetfn_base::error::{Error, ErrorKind};

impl Object {
    /// Returns the object that contains this one, if one does.
    ///
    /// # Errors
    /// Fails if that no longer exists.
    pub fn container(&self) -> Result<Option<Arc<Self>>, Error> {
        let Some(container) = self.instance().and_then(|instance| instance.container().clone()) else {
            return Ok(None);
        };
        container.object.upgrade().map(Some).ok_or_else(|| {
            let message = format!(
                "the object that contains a {} no longer exists: keep the outermost one as long as references \
                 are used",
                self.definition().label()
            );
            Error::new(ErrorKind::Evaluation, message)
        })
    }

    /// Returns the outermost object that contains this one, maybe through others; `None` if none does.
    fn root(&self) -> Result<Option<Arc<Self>>, Error> {
        let mut root = None;
        let mut next = self.container()?;
        while let Some(container) = next {
            next = container.container()?;
            root = Some(container);
        }
        Ok(root)
    }

    /// Returns where the object is within the outermost one that contains it, as Ecore writes it:
    /// `//@roles.0`.
    ///
    /// # Errors
    /// Fails if one that contains it no longer exists.
    pub fn fragment(&self) -> Result<String, Error> {
        let mut steps = Vec::new();
        let mut next = self.instance().and_then(|instance| instance.container().clone());
        let mut object = self.container()?;
        while let (Some(ObjectContainer { feature, index, .. }), Some(container)) = (next, object) {
            steps.push(step(&feature, index));
            next = container.instance().and_then(|instance| instance.container().clone());
            object = container.container()?;
        }
        steps.push("/".to_owned());
        steps.reverse();
        Ok(steps.concat())
    }

    /// Returns the object at a fragment within the root object that contains this one.
    ///
    /// # Errors
    /// Fails if no object is there.
    pub fn resolve(&self, fragment: &str) -> Result<Arc<Self>, Error> {
        let root = match self.root()? {
            Some(root) => Some(root),
            None => self.instance().and_then(|instance| instance.me.upgrade()),
        };
        let mut found = root.ok_or_else(|| unresolved(fragment))?;
        let path = fragment.strip_prefix('#').unwrap_or(fragment);
        let path =
            path.strip_prefix("//").or_else(|| path.strip_prefix("/0")).or_else(|| path.strip_prefix('/'));
        for step in path.ok_or_else(|| unresolved(fragment))?.split('/').filter(|step| !step.is_empty()) {
            found = found.step(step).ok_or_else(|| unresolved(fragment))?;
        }
        Ok(found)
    }

    /// `@name` or `@name.index`.
    fn step(&self, step: &str) -> Option<Arc<Self>> {
        let step = step.strip_prefix('@')?;
        let (name, position) = match step.split_once('.') {
            Some((name, position)) => (name, position.parse().ok()?),
            None => (step, 0),
        };
        let (index, feature) = self.definition().model()?.feature(name)?;
        if feature.kind != FeatureKind::Containment {
            return None;
        }
        let kept = self.instance()?.kept(index)?;
        let value: Option<&Value> = elements(&kept).get::<usize>(position);
        if let Some(Value::Object(object)) = value { Some(Arc::clone(object)) } else { None }
    }

    /// Returns the stored values in their form for comparison: references within the same root object are replaced by
    /// places.
    pub(in crate::value) fn compared_values(&self) -> Vec<Value> {
        let (Some(model), Some(instance)) = (self.definition().model(), self.instance()) else {
            return Vec::new();
        };
        let own_root = self.root().ok().flatten();
        let is_own_root = |root: &Arc<Self>| match &own_root {
            Some(own) => Arc::ptr_eq(own, root),
            None => std::ptr::eq(self, Arc::as_ptr(root)),
        };
        let place = |value: &Value| {
            let Value::Object(object) = value else { return value.clone() };
            let root = object.root().ok().flatten();
            let is_within = root.as_ref().is_some_and(is_own_root) || is_own_root(object);
            match object.fragment() {
                Ok(fragment) if is_within => Value::from(fragment),
                Ok(_) | Err(_) => value.clone(),
            }
        };
        let values = model.features.values().enumerate().map(|(index, feature)| {
            let value = instance.kept(index).unwrap_or(Value::Default);
            if feature.kind != FeatureKind::Reference {
                value
            } else if let Value::Array(items) = &value {
                items.iter().map(place).collect::<Vec<_>>().into()
            } else {
                place(&value)
            }
        });
        values.collect()
    }
}

#[cold]
fn unresolved(fragment: &str) -> Error {
    Error::new(ErrorKind::Evaluation, format!("the reference '{fragment}' leads to no object"))
}
