//! Puppet's types: the parser, and operations on types.
//!
//! [`Type`] is a value, defined in `value`. Operations on types are in [`ops`], one a file.

mod bounds;
pub mod builtin;
mod kind;
mod object;
pub mod ops;
pub mod parse;
mod type_set;
mod uri;

pub use self::kind::{ABSTRACT_CLASSES, RubyClass, TypeEntry, TypeKind};
pub use crate::value::types::{
    Alias, Alternatives, ArrayType, AttributeKind, CallableType, Definition, EnumType, Feature, FeatureKind,
    FeatureModel, Features, FloatRange, HashType, InitType, IntegerRange, InvariantModel, Layout, Member,
    Members, Model, ModelSource, Named, ObjectExtension, ObjectRef, ObjectType, PatternType, Reference,
    ResourceType, RuntimeType, Size, StringType, StructMember, StructType, TimeRange, TupleType, Type,
    TypeSetRef, TypeSetReference, TypeSetType, UriType, Within,
};
pub(crate) use crate::value::types::{InitArguments, Maker};
