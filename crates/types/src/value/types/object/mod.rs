//! Object types: values with named attributes.

mod extension;
mod member;
mod model;

pub use extension::ObjectExtension;
pub use member::{Member, MemberKind, Members, ObjectAttributeKind};
pub(crate) use member::{invalid, label};
pub use model::{FeatureKind, FeatureModel, Features, InvariantModel, Model, ModelSource};

use std::any::Any;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::{Arc, OnceLock};

use super::{Definition, DefinitionUse, StructMember, Type};
use crate::value::{self, Value};

/// A use of an Object type.
pub type ObjectRef = DefinitionUse<ObjectType>;

/// The name of an Object type that has none.
pub(crate) const NAMELESS: &str = "Object";

/// The declaration of an Object type.
#[derive(Default, Debug)]
pub struct ObjectType {
    pub(crate) name: Option<Arc<str>>,
    pub(crate) parent: Option<Type>,
    pub(crate) type_parameters: Members,
    pub(crate) attributes: Members,
    pub(crate) functions: Members,
    pub(crate) equality: Option<Box<[Arc<str>]>>,
    pub(crate) ignores_type: bool,
    pub(crate) checks: Option<Value>,
    pub(crate) annotations: Option<Arc<value::Hash>>,
    pub(crate) model: Option<Arc<Model>>,
    pub(crate) layout: OnceLock<Arc<ObjectLayout>>,
    pub(crate) maker: OnceLock<ObjectMaker>,
}

/// A host's constructor of the objects of a type. The core only keeps it.
#[derive(Clone)]
pub(crate) struct ObjectMaker(pub Arc<dyn Any + Send + Sync>);

impl fmt::Debug for ObjectMaker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Maker")
    }
}

/// The members of an Object type, including inherited ones.
#[derive(Debug)]
pub struct ObjectLayout {
    /// The attributes; an override has the place of the inherited attribute.
    pub attributes: Members,
    /// The functions.
    pub functions: Members,
    /// The type parameters.
    pub type_parameters: Members,
    /// The attributes that are arguments of the constructor, in this order: attributes without a default value first.
    pub parameters: Members,
    /// The number of required arguments.
    pub required: usize,
}

impl ObjectType {
    /// Creates an Object type without members.
    pub(crate) fn empty(name: &str) -> Self {
        Self { name: Some(name.into()), ..Self::default() }
    }

    /// Creates a type that is defined by its features.
    pub fn of_model(name: Arc<str>, parent: Option<Type>, attributes: Members, model: Model) -> Self {
        Self { name: Some(name), parent, attributes, model: Some(Arc::new(model)), ..Self::default() }
    }

    /// Returns the declared features of a type that is defined by its features.
    pub fn model(&self) -> Option<&Arc<Model>> {
        self.model.as_ref()
    }

    /// Returns the name; `None` for a type that is written where it is used.
    pub fn name(&self) -> Option<&Arc<str>> {
        self.name.as_ref()
    }

    /// Returns its name in messages.
    pub fn label(&self) -> &str {
        self.name.as_deref().unwrap_or(NAMELESS)
    }

    /// Returns the last part of the name.
    pub fn simple_name(&self) -> &str {
        let label = self.label();
        label.rsplit("::").next().unwrap_or(label)
    }

    /// Returns the type that it inherits from as it was given: an Object type, or the name of one.
    pub fn parent(&self) -> Option<&Type> {
        self.parent.as_ref()
    }

    /// Returns the Object type that it inherits from.
    pub fn parent_object(&self) -> Option<Arc<Definition<Self>>> {
        resolve_parent(self.parent.as_ref()?)?.get()
    }

    /// Returns the attributes that it declares itself.
    pub fn attributes(&self) -> &Members {
        &self.attributes
    }

    /// Returns the functions that it declares itself.
    pub fn functions(&self) -> &Members {
        &self.functions
    }

    /// Returns the type parameters that it declares itself.
    pub fn type_parameters(&self) -> &Members {
        &self.type_parameters
    }

    /// Returns the names of the attributes that two objects are compared by; `None` if it is all that are
    /// declared.
    pub fn equality(&self) -> Option<&[Arc<str>]> {
        self.equality.as_deref()
    }

    /// Returns the names of the attributes that this type adds to the inherited ones that determine equality.
    pub fn compared(&self) -> Vec<Arc<str>> {
        match &self.equality {
            Some(names) => names.to_vec(),
            None => {
                let compared = self.attributes.iter().filter(|(_, attribute)| !attribute.is_constant());
                compared.map(|(name, _)| Arc::clone(name)).collect()
            }
        }
    }

    /// Returns true if an object equals only objects of the very same type.
    pub fn equality_includes_type(&self) -> bool {
        !self.ignores_type
    }

    /// Returns the checks that it states.
    pub fn checks(&self) -> Option<&Value> {
        self.checks.as_ref()
    }

    /// Returns the annotations, by annotation type.
    pub fn annotations(&self) -> Option<&Arc<value::Hash>> {
        self.annotations.as_ref()
    }

    /// Sets the host's constructor. Only the first call counts.
    pub(crate) fn made_by(&self, maker: ObjectMaker) {
        self.maker.get_or_init(|| maker);
    }

    /// Returns the host's constructor of this type, or of its nearest ancestor with one.
    pub(crate) fn maker(&self) -> Option<ObjectMaker> {
        let own = self.maker.get().cloned();
        own.or_else(|| self.ancestors().iter().find_map(|ancestor| ancestor.maker.get().cloned()))
    }

    /// Returns true if it can be narrowed by parameters.
    pub fn is_parameterized(&self) -> bool {
        !self.layout().type_parameters.is_empty()
    }

    /// Returns the types that it inherits from, nearest first.
    pub fn ancestors(&self) -> Vec<Arc<Definition<Self>>> {
        let mut ancestors = Vec::new();
        let mut next = self.parent_object();
        while let Some(ancestor) = next {
            next = ancestor.parent_object();
            ancestors.push(ancestor);
        }
        ancestors
    }

    /// Returns the members, including inherited ones.
    pub fn layout(&self) -> Arc<ObjectLayout> {
        if let Some(layout) = self.layout.get() {
            return Arc::clone(layout);
        }
        let ancestors = self.ancestors();
        let root = ancestors.last().map_or(self, |root| root);
        // Types that use each other are not complete until the first of them is.
        let complete = root.parent.as_ref().is_none_or(|parent| !is_being_defined(parent));
        let lineage = ancestors.iter().rev().map(|ancestor| &***ancestor).chain([self]);
        let layout = Arc::new(ObjectLayout::of(lineage));
        if complete { Arc::clone(self.layout.get_or_init(|| layout)) } else { layout }
    }

    /// Returns the attribute or function of this name.
    pub fn member(&self, name: &str) -> Option<Arc<Member>> {
        let layout = self.layout();
        layout.attributes.get(name).or_else(|| layout.functions.get(name)).cloned()
    }

    /// Returns the type of the hashes from which objects can be created.
    pub fn init_hash_type(&self) -> Type {
        let layout = self.layout();
        let given = layout.attributes.values().filter(|attribute| attribute.is_given());
        Type::struct_of(given.map(|attribute| StructMember {
            name: Arc::clone(&attribute.name),
            optional: attribute.value.is_some() || attribute.t.accepts_undef(),
            value: attribute.t.clone(),
        }))
    }

    /// Returns true if nothing is stated, as in the plain `Object`.
    pub fn is_default(&self) -> bool {
        *self == Self::default()
    }
}

impl ObjectLayout {
    /// Returns the layout of a type from the declarations of the type and its ancestors, ancestors first.
    pub(crate) fn of<'t>(lineage: impl Iterator<Item = &'t ObjectType>) -> Self {
        let (mut attributes, mut functions, mut type_parameters) =
            (Members::new(), Members::new(), Members::new());
        for t in lineage {
            extend(&mut attributes, &t.attributes);
            extend(&mut functions, &t.functions);
            extend(&mut type_parameters, &t.type_parameters);
        }
        let given = attributes.values().filter(|attribute| attribute.is_given()).cloned();
        let (optional, required): (Vec<_>, Vec<_>) = given.partition(|attribute| attribute.value.is_some());
        // Trailing attributes that accept undef are optional, too.
        let count =
            required.iter().rposition(|attribute| !attribute.t.accepts_undef()).map_or(0, |at| at + 1);
        let by_name = |attribute: Arc<Member>| (Arc::clone(&attribute.name), attribute);
        let parameters = required.into_iter().chain(optional).map(by_name).collect();
        Self { attributes, functions, type_parameters, parameters, required: count }
    }

    /// Returns the attributes and functions.
    pub fn members(&self) -> Members {
        let mut members = self.attributes.clone();
        extend(&mut members, &self.functions);
        members
    }
}

fn extend(members: &mut Members, more: &Members) {
    members.extend(more.iter().map(|(name, member)| (Arc::clone(name), Arc::clone(member))));
}

/// Returns the Object type that a parent is or is a name of.
pub(crate) fn resolve_parent(parent: &Type) -> Option<ObjectRef> {
    if let Type::Object(object) = parent {
        Some(object.clone())
    } else if let Type::Alias(alias) = parent
        && let Some(Type::Object(object)) = alias.resolved()
    {
        Some(object)
    } else {
        None
    }
}

/// Returns true if the definition of a type is incomplete.
fn is_being_defined(t: &Type) -> bool {
    if let Type::Object(object) = t {
        object.get().is_none()
    } else if let Type::Alias(alias) = t {
        alias.resolved().is_none_or(|t| matches!(&t, Type::Object(object) if object.get().is_none()))
    } else {
        false
    }
}

/// Equality as in Puppet.
impl PartialEq for ObjectType {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
            && self.parent == other.parent
            && self.type_parameters == other.type_parameters
            && self.attributes == other.attributes
            && self.functions == other.functions
            && self.equality == other.equality
            && self.checks == other.checks
    }
}

impl Eq for ObjectType {}

impl PartialEq for ObjectRef {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Use(a), Self::Use(b)) => Arc::ptr_eq(a, b) || ***a == ***b,
            // The uses within a definition are compared by name: the definition itself is compared around them.
            (a, b) => a.name() == b.name(),
        }
    }
}

impl Eq for ObjectRef {}

impl Hash for ObjectRef {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.name().hash(state);
    }
}

impl ObjectRef {
    /// Returns true if this is the plain `Object`.
    pub(crate) fn is_any(&self) -> bool {
        self.with_target(|t| t.is_some_and(ObjectType::is_default))
    }

    /// Returns true if this is `from` or one that `from` inherits from. `Object` without parameters is one
    /// of all of them.
    pub(crate) fn is_or_inherited_by(&self, from: &Self) -> bool {
        if self.is_any() || self == from {
            return true;
        }
        let mut next = from.clone();
        while let Some(parent) = next.with_target(|t| t.and_then(|t| resolve_parent(t.parent.as_ref()?))) {
            if *self == parent {
                return true;
            }
            next = parent;
        }
        false
    }
}
