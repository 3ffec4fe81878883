//! Objects: values of Object types.

use std::any::Any;
use std::fmt;
use std::hash::{Hash as StdHash, Hasher};
use std::sync::Arc;

use super::extent::Extent;
use super::{Behavior, Hash, Instance, Value};
use crate::value::types::{Definition, Member, ObjectRef, ObjectType};
use puppetfn_base::error::{Error, ErrorKind};
use puppetfn_base::host::HostRef;

/// A value of an Object type.
#[derive(Clone)]
pub struct Object {
    t: Arc<Definition<ObjectType>>,
    /// The values of the parameters of its type, in their order.
    values: Box<[Value]>,
    extent: Extent,
    /// The implementation of its members, if it is outside of the core.
    members: Option<Arc<dyn ObjectMembers>>,
    /// The state of an object whose type is defined by its features.
    instance: Option<Arc<Instance>>,
}

/// The implementation of an object's members outside of the core. Values do not know its interface.
pub trait ObjectMembers: Any + Send + Sync {
    /// Returns the object of the host that this is, if it is one.
    fn host(&self) -> Option<&HostRef>;
}

impl Object {
    /// Creates an object from the values of its type's parameters, in their order. Missing values at the end have their
    /// default, or undef. The values are not checked.
    pub fn new(t: Arc<Definition<ObjectType>>, given: &[Value]) -> Self {
        let layout = t.layout();
        let mut given = given.iter();
        let value = |parameter: &Arc<Member>| given.next().cloned().unwrap_or_else(|| own_value(parameter));
        let values = layout.parameters.values().map(value).collect();
        Self::of_values(t, values)
    }

    /// Creates an object under construction, of a type that is defined by its features.
    pub fn draft(t: Arc<Definition<ObjectType>>, behavior: Arc<dyn Behavior>) -> Arc<Self> {
        let features = t.model().map_or(0, |model| model.features.len());
        Arc::new_cyclic(|me| {
            let instance = Arc::new(Instance::new(me, features, behavior));
            Self {
                t,
                values: Box::default(),
                extent: Extent::default(),
                members: None,
                instance: Some(instance),
            }
        })
    }

    /// Returns the state of an object whose type is defined by its features.
    pub fn instance(&self) -> Option<&Instance> {
        self.instance.as_deref()
    }

    /// Creates an object from a hash with the values of its attributes. The values are not checked.
    pub fn from_hash(t: Arc<Definition<ObjectType>>, given: &Hash) -> Self {
        let layout = t.layout();
        let value = |parameter: &Arc<Member>| {
            given.get_str(&parameter.name).cloned().unwrap_or_else(|| own_value(parameter))
        };
        let values = layout.parameters.values().map(value).collect();
        Self::of_values(t, values)
    }

    fn of_values(t: Arc<Definition<ObjectType>>, values: Box<[Value]>) -> Self {
        let extent = Extent::of(values.len(), &values);
        Self { t, values, extent, members: None, instance: None }
    }

    /// Returns the extent of the object.
    pub(super) fn extent(&self) -> Extent {
        self.instance().map_or(self.extent, Instance::extent)
    }

    /// Returns the object with an implementation of its members.
    pub(crate) fn implemented(self, members: Arc<dyn ObjectMembers>) -> Self {
        Self { members: Some(members), ..self }
    }

    /// Returns the implementation of its members, if it is outside of the core.
    pub(crate) fn implementation(&self) -> Option<&dyn ObjectMembers> {
        self.members.as_deref()
    }

    /// Returns the type with which it was created, without parameters.
    pub fn definition(&self) -> &Arc<Definition<ObjectType>> {
        &self.t
    }

    /// Returns a use of the type with which it was created.
    pub fn object_type(&self) -> ObjectRef {
        ObjectRef::Use(Arc::clone(&self.t))
    }

    /// Returns the value of an attribute.
    ///
    /// # Errors
    /// Fails with [`ErrorKind::Evaluation`] if the attribute is derived, as it has no implementation here, or does not
    /// exist.
    pub fn attribute(&self, name: &str) -> Result<Value, Error> {
        if let Some((index, _)) = self.t.model().and_then(|model| model.feature(name)) {
            return self.read(index);
        }
        if let Some(value) = self.given(name) {
            return Ok(value.clone());
        }
        match self.t.layout().attributes.get(name) {
            Some(attribute) if attribute.is_constant() => Ok(own_value(attribute)),
            Some(attribute) => Err(not_implemented(&format!("derived {}", attribute.label()))),
            None => {
                let message = format!("{} has no attribute '{name}'", self.t.label());
                Err(Error::new(ErrorKind::Evaluation, message))
            }
        }
    }

    /// Calls a function of the object.
    ///
    /// # Errors
    /// Fails with [`ErrorKind::Evaluation`] if the function has no implementation: a type only declares its functions.
    pub fn call(&self, function: &Member) -> Result<Value, Error> {
        match (&*function.container, &*function.name) {
            ("Error", "message") => self.attribute("msg"),
            _ => Err(not_implemented(&function.label())),
        }
    }

    /// Returns the value that was given for an attribute.
    fn given(&self, name: &str) -> Option<&Value> {
        self.values.get(self.t.layout().parameters.get_index_of(name)?)
    }

    /// Returns the values of all attributes that are set on construction, in the order of the parameters.
    pub fn attribute_values(&self) -> Hash {
        let layout = self.t.layout();
        let names = layout.parameters.keys().map(|name| Value::String(Arc::clone(name)));
        names.zip(self.values.iter().cloned()).collect()
    }

    /// Returns a hash that the object can be created from: its attributes, except the ones that have their default value.
    pub fn init_hash(&self) -> Hash {
        if let (Some(model), Some(instance)) = (self.t.model(), self.instance()) {
            let kept = model.features.values().enumerate().filter(|(_, feature)| !feature.is_transient);
            let kept = kept.filter_map(|(index, feature)| Some((feature, instance.kept(index)?)));
            return kept.map(|(feature, value)| (Value::String(Arc::clone(&feature.name)), value)).collect();
        }
        let ancestors = self.t.ancestors();
        let mut hash = Hash::default();
        for t in ancestors.iter().rev().chain([&self.t]) {
            for attribute in t.attributes().values().filter(|attribute| attribute.is_given()) {
                let Some(value) = self.given(&attribute.name) else { continue };
                if attribute.value.as_ref() != Some(value) {
                    hash.insert(Value::String(Arc::clone(&attribute.name)), value.clone());
                }
            }
        }
        hash
    }

    /// Returns the attributes that determine its equality.
    fn comparison(&self) -> ObjectComparison {
        let ancestors = self.t.ancestors();
        let lineage = || std::iter::once(&self.t).chain(&ancestors);
        ObjectComparison {
            names: lineage().flat_map(|t| t.compared()).collect(),
            type_counts: lineage().any(|t| t.equality_includes_type()),
        }
    }

    fn has_same(&self, other: &Self, names: &[Arc<str>]) -> bool {
        names.iter().all(|name| self.given(name) == other.given(name))
    }
}

/// The attributes that determine the equality of objects of one type.
struct ObjectComparison {
    names: Vec<Arc<str>>,
    type_counts: bool,
}

/// Returns the default value of an attribute.
fn own_value(attribute: &Arc<Member>) -> Value {
    attribute.value.clone().unwrap_or(Value::Undef)
}

#[cold]
fn not_implemented(what: &str) -> Error {
    Error::new(ErrorKind::Evaluation, format!("no method is implemented for {what}"))
}

/// By the rules of the types: by default, all attributes and the type count.
impl PartialEq for Object {
    fn eq(&self, other: &Self) -> bool {
        if self.instance.is_some() || other.instance.is_some() {
            return std::ptr::eq(self, other)
                || self.object_type() == other.object_type()
                    && self.compared_values() == other.compared_values();
        }
        let this = self.comparison();
        let same_type = self.object_type() == other.object_type();
        if std::ptr::eq(self, other) {
            true
        } else if this.type_counts || same_type {
            // Objects of a type that compares nothing are equal to themselves alone.
            same_type && (this.type_counts || !this.names.is_empty()) && self.has_same(other, &this.names)
        } else {
            let that = other.comparison();
            !that.type_counts && self.has_same(other, &this.names) && self.has_same(other, &that.names)
        }
    }
}

impl Eq for Object {}

impl fmt::Debug for Object {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Object").field("t", &self.t).field("values", &self.values).finish_non_exhaustive()
    }
}

impl StdHash for Object {
    fn hash<H: Hasher>(&self, state: &mut H) {
        if self.instance.is_some() {
            self.t.label().hash(state);
            return self.compared_values().hash(state);
        }
        let ObjectComparison { names, type_counts } = self.comparison();
        if type_counts {
            self.t.label().hash(state);
            names.iter().for_each(|name| self.given(name).hash(state));
        }
    }
}

impl From<Object> for Value {
    fn from(object: Object) -> Self {
        Self::Object(Arc::new(object))
    }
}

/// The details of an error that is a value of the Puppet language, too: an object of the type `Error`.
#[derive(Clone, Debug)]
pub struct ErrorData(pub Value);
