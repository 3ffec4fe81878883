//! Models of types that are defined by their features, `type Name { attr ... }`: the properties that other Object types
//! lack.

use std::sync::Arc;

use indexmap::IndexMap;
use self_cell::self_cell;

use crate::value::Value;
use crate::value::types::Type;
use puppetfn_base::error::SourceLocation;
use puppetfn_base::source::Span;
use puppetfn_syntax::Tree;
use puppetfn_syntax::ast::{Expr, ExprKind, TypeDefinition};

/// Features by name, inherited ones first. A feature has the same index in all types that inherit it.
pub type Features = IndexMap<Arc<str>, Arc<FeatureModel>>;

/// The model of a type: its features and invariants.
#[derive(Debug)]
pub struct Model {
    /// Whether it has no instances of its own.
    pub is_abstract: bool,
    /// All features, including inherited ones.
    pub features: Features,
    /// The type's own invariants.
    pub invariants: Vec<InvariantModel>,
    /// Its definition, with the code in it.
    pub source: Arc<ModelSource>,
}

type DefinitionSyntax<'t> = &'t TypeDefinition<'t>;

self_cell!(
    struct DefinitionOfTree {
        owner: Arc<Tree>,
        #[covariant]
        dependent: DefinitionSyntax,
    }

    impl {Debug}
);

/// A definition by features: `type Name { attr ... }`. It shares the syntax tree of its text.
#[derive(Debug)]
pub struct ModelSource {
    definition: DefinitionOfTree,
    /// The span of the definition in the text of the tree.
    pub span: Span,
}

/// Kind of a feature.
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
    /// The kind of the feature.
    pub kind: FeatureKind,
    /// The type of the value, or of each element if several are allowed.
    pub t: Type,
    /// The minimum number of values.
    pub min: u64,
    /// The maximum number of values; `None` if unbounded.
    pub max: Option<u64>,
    /// Whether an unset value differs from an empty one.
    pub is_unsettable: bool,
    /// Whether it is left out where an object is stored.
    pub is_transient: bool,
    /// Whether users can set it.
    pub is_settable: bool,
    /// The default value.
    pub default: Option<Value>,
    /// The code that computes the value.
    pub derived: Option<Span>,
    /// The conditions that each value has to meet.
    pub checks: Vec<Span>,
    /// The setter: converts the given value to the stored one.
    pub set: Option<Span>,
    /// The getter: converts the stored value to the one that users see.
    pub get: Option<Span>,
    /// The position of its name in the text of its type.
    pub at: u32,
}

/// A condition that holds for all instances.
#[derive(Debug)]
pub struct InvariantModel {
    /// The message if it does not hold.
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
    pub fn place(&self, offset: u32) -> SourceLocation {
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

    /// Returns true if its value is stored in the object.
    pub fn is_stored(&self) -> bool {
        self.derived.is_none()
    }

    /// Returns the value of the feature while it is unset.
    pub fn empty_value(&self) -> Value {
        if self.is_many() && !self.is_unsettable { Vec::new().into() } else { Value::Undef }
    }

    /// Returns the value in its stored form: a single value of a feature with several is wrapped in an array.
    pub fn listed(&self, value: Value) -> Value {
        if self.is_many() && !matches!(value, Value::Array(_) | Value::Undef) {
            vec![value].into()
        } else {
            value
        }
    }

    /// Returns the name in messages: `User[groups]`.
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
