//! The members of Object types: attributes, functions and type parameters.
//!
//! See Puppet's `pops/types/p_object_type.rb`.

use std::fmt;
use std::sync::Arc;

use indexmap::IndexMap;

use crate::value::types::Type;
use crate::value::{Hash, Value};
use puppetfn_base::error::{Error, ErrorKind};

/// Members by name, in the order they were declared.
pub type Members = IndexMap<Arc<str>, Arc<Member>>;

/// Kind of a member.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum MemberKind {
    /// A value of an object.
    Attribute,
    /// An operation of an object.
    Function,
    /// A parameter that narrows the type: `Error['kind']`.
    TypeParameter,
}

impl fmt::Display for MemberKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Attribute => "attribute",
            Self::Function => "function",
            Self::TypeParameter => "type_parameter",
        })
    }
}

/// Source of an attribute's value, unless it is simply given.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ObjectAttributeKind {
    /// It belongs to the type and is the same for all objects.
    Constant,
    /// It is computed from other attributes.
    Derived,
    /// It is given, or computed from other attributes.
    GivenOrDerived,
    /// It refers to an object that belongs to another one.
    Reference,
}

impl ObjectAttributeKind {
    /// Returns the name in definitions.
    pub fn name(self) -> &'static str {
        match self {
            Self::Constant => "constant",
            Self::Derived => "derived",
            Self::GivenOrDerived => "given_or_derived",
            Self::Reference => "reference",
        }
    }

    pub(crate) fn find(name: &str) -> Option<Self> {
        [Self::Constant, Self::Derived, Self::GivenOrDerived, Self::Reference]
            .into_iter()
            .find(|kind| kind.name() == name)
    }
}

/// An attribute, a function or a type parameter of an Object type.
#[derive(Clone, Debug)]
pub struct Member {
    /// The kind of the member.
    pub feature: MemberKind,
    /// Its name.
    pub name: Arc<str>,
    /// The name of the type that declares it, `Object` if that has none.
    pub container: Arc<str>,
    /// The type of an attribute; a `Callable` for a function, an `Optional` for a type parameter.
    pub t: Type,
    /// The source of an attribute's value.
    pub kind: Option<ObjectAttributeKind>,
    /// The default value of an attribute.
    pub value: Option<Value>,
    /// Whether it overrides an inherited member.
    pub overrides: bool,
    /// Whether it can be replaced in types that inherit it.
    pub is_final: bool,
    /// The annotations, by annotation type.
    pub annotations: Option<Arc<Hash>>,
}

impl Member {
    /// Returns the name in messages: `attribute Point[x]`.
    pub fn label(&self) -> String {
        label(self.feature, &self.container, &self.name)
    }

    /// Returns true if it is a value of the type.
    pub fn is_constant(&self) -> bool {
        self.kind == Some(ObjectAttributeKind::Constant)
    }

    /// Returns true if its value is given on construction.
    pub fn is_given(&self) -> bool {
        match self.kind {
            Some(ObjectAttributeKind::Constant | ObjectAttributeKind::Derived) => false,
            Some(ObjectAttributeKind::GivenOrDerived | ObjectAttributeKind::Reference) | None => true,
        }
    }

    /// Checks that it overrides an inherited member if and only if it is declared to, and that the override is allowed.
    pub(crate) fn check_override(&self, inherited: &Members) -> Result<(), Error> {
        match inherited.get(&self.name) {
            Some(inherited) => self.check_replaces(inherited),
            None if self.overrides => Err(invalid(format!(
                "expected {} to override an inherited {feature}, but no such {feature} was found",
                self.label(),
                feature = self.feature
            ))),
            None => Ok(()),
        }
    }

    fn check_replaces(&self, inherited: &Self) -> Result<(), Error> {
        let (new, old) = (self.label(), inherited.label());
        let problem = if inherited.feature != self.feature {
            format!("{new} attempts to override {old}")
        } else if inherited.is_final && !(inherited.is_constant() && self.is_constant()) {
            format!("{new} attempts to override final {old}")
        } else if !self.overrides {
            format!("{new} attempts to override {old} without having override => true")
        } else if !inherited.t.assignable(&self.t) {
            format!("{new} attempts to override {old} with a type that does not match")
        } else {
            return Ok(());
        };
        Err(invalid(problem))
    }
}

/// Equality as in Puppet: the declaring type does not count.
impl PartialEq for Member {
    fn eq(&self, other: &Self) -> bool {
        self.feature == other.feature
            && self.name == other.name
            && self.t == other.t
            && self.overrides == other.overrides
            && self.is_final == other.is_final
            && self.kind == other.kind
            && self.value == other.value
    }
}

impl Eq for Member {}

/// Returns the name that messages have for a member, which need not exist yet.
pub(crate) fn label(feature: MemberKind, container: &str, name: &str) -> String {
    format!("{feature} {container}[{name}]")
}

/// Returns the error for a definition that contradicts itself or its parent.
#[cold]
pub(crate) fn invalid(message: String) -> Error {
    Error::new(ErrorKind::TypeParameters, message)
}
