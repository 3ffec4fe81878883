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
    Alias, Alternatives, ArrayType, CallableType, Definition, DefinitionUse, EnumType, FeatureKind,
    FeatureModel, Features, FloatRange, HashType, InitType, IntegerRange, InvariantModel, Member, MemberKind,
    Members, Model, ModelSource, ObjectAttributeKind, ObjectExtension, ObjectLayout, ObjectRef, ObjectType,
    PatternType, RecursiveUse, Reference, ResourceType, RuntimeType, Size, StringType, StructMember,
    StructType, TimeRange, TupleType, Type, TypeSetRef, TypeSetReference, TypeSetType, UriType,
};
pub(crate) use crate::value::types::{InitArguments, ObjectMaker};
