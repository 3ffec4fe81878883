//! What is said of a type that is defined by its features, `type Name { attr ... }`, besides what all
//! Object types have.

use std::sync::Arc;

use indexmap::IndexMap;
use self_cell::self_cell;

use crate::value::Value;
use crate::value::types::Type;
use puppetfn_base::error::Place;
use puppetfn_base::source::Span;
use puppetfn_syntax::Tree;
use puppetfn_syntax::ast::{Expr, ExprKind, TypeDefinition};

/// Features by name, those that are inherited first. A feature has the same index in all types that
/// inherit it.
pub type Features = IndexMap<Arc<str>, Arc<FeatureModel>>;

/// The model of a type: its features and invariants.
#[derive(Debug)]
pub struct Model {
    /// Whether it has no instances of its own.
    pub is_abstract: bool,
    /// All features, with those that it inherits.
    pub features: Features,
    /// The invariants that it states itself.
    pub invariants: Vec<InvariantModel>,
    /// Its definition, with the code in it.
    pub source: Arc<ModelSource>,
}

type Body<'t> = &'t TypeDefinition<'t>;

self_cell!(
    struct DefinitionOfTree {
        owner: Arc<Tree>,
        #[covariant]
        dependent: Body,
    }

    impl {Debug}
);

/// A definition by features: `type Name { attr ... }`. It shares the syntax tree of its text.
#[derive(Debug)]
pub struct ModelSource {
    definition: DefinitionOfTree,
    /// The text of the definition in that of the tree.
    pub span: Span,
}

/// What kind of feature it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FeatureKind {
    /// A value of the object.
    Attribute,
    /// Another object, which belongs to this one.
    Containment,
    /// Another object.
    Reference,
}

/// An attribute or a reference.
#[derive(Debug)]
pub struct FeatureModel {
    /// The name.
    pub name: Arc<str>,
    /// The name of the type that declares it.
    pub container: Arc<str>,
    /// What kind of feature it is.
    pub kind: FeatureKind,
    /// The type of a value; that of an element where there can be several.
    pub t: Type,
    /// How many values there are at least.
    pub min: u64,
    /// How many values there are at most, if there is a bound.
    pub max: Option<u64>,
    /// Whether it makes a difference if there is no value or an empty one.
    pub is_unsettable: bool,
    /// Whether it is left out where an object is stored.
    pub is_transient: bool,
    /// Whether users can set it.
    pub is_settable: bool,
    /// The value that it has when none is given.
    pub default: Option<Value>,
    /// What computes it.
    pub derived: Option<Span>,
    /// What each value has to meet.
    pub checks: Vec<Span>,
    /// What makes the value that is kept of the one that is given.
    pub set: Option<Span>,
    /// What makes the value that users get of the one that is kept.
    pub get: Option<Span>,
    /// Where in the text of its type its name is.
    pub at: u32,
}

/// What has to hold for all instances.
#[derive(Debug)]
pub struct InvariantModel {
    /// What is said if it does not.
    pub message: Option<Arc<str>>,
    /// The condition.
    pub condition: Span,
}

impl ModelSource {
    /// Returns the definition that the statement with this index is, if it is one by features.
    pub fn of(tree: &Arc<Tree>, index: usize) -> Option<Self> {
        let span = tree.program().statements.get(index)?.span;
        let definition =
            DefinitionOfTree::try_new(Arc::clone(tree), |tree| match tree.program().statements.get(index) {
                Some(Expr { kind: ExprKind::TypeDefinition(definition), .. }) => {
                    definition.members().map(|_| &**definition).ok_or(())
                }
                Some(_) | None => Err(()),
            });
        Some(Self { definition: definition.ok()?, span })
    }

    /// Returns the definition.
    pub fn definition(&self) -> &TypeDefinition<'_> {
        self.definition.borrow_dependent()
    }

    /// Returns the text that it is in.
    pub fn text(&self) -> &Arc<str> {
        self.definition.borrow_owner().text()
    }

    /// Returns the file that the text is from, if it is from one.
    pub fn file(&self) -> Option<&Arc<str>> {
        self.definition.borrow_owner().file()
    }

    /// Returns the position at a byte offset of the text.
    pub fn place(&self, offset: u32) -> Place {
        self.definition.borrow_owner().place(offset)
    }
}

impl FeatureModel {
    /// Returns true if its values are arrays.
    pub fn is_many(&self) -> bool {
        self.max != Some(1)
    }

    /// Returns true if its values are objects of other types.
    pub fn is_reference(&self) -> bool {
        self.kind != FeatureKind::Attribute
    }

    /// Returns true if a value of it is kept in the object.
    pub fn is_stored(&self) -> bool {
        self.derived.is_none()
    }

    /// Returns what it gives while it has no value.
    pub fn empty_value(&self) -> Value {
        if self.is_many() && !self.is_unsettable { Vec::new().into() } else { Value::Undef }
    }

    /// Returns a value as it has it: where there can be several, one is in an array.
    pub fn listed(&self, value: Value) -> Value {
        if self.is_many() && !matches!(value, Value::Array(_) | Value::Undef) {
            vec![value].into()
        } else {
            value
        }
    }

    /// Returns what messages call it: `User[groups]`.
    pub fn label(&self) -> String {
        format!("{}[{}]", self.container, self.name)
    }
}

impl Model {
    /// Returns the feature of this name, and its index.
    pub fn feature(&self, name: &str) -> Option<(usize, &Arc<FeatureModel>)> {
        self.features.get_full(name).map(|(index, _, feature)| (index, feature))
    }
}
