//! Catalogs: the resources that code declares for a node, and their relationships.
//!
//! This crate knows values and no code. [`Compilation`] is a catalog under construction: the evaluator
//! reports declarations to it, and evaluates the classes and defined types that they lead to.
#![allow(
    clippy::wildcard_enum_match_arm,
    reason = "a catalog asks for one kind of value, and treats all others alike"
)]

mod builtin_types;
mod catalog;
mod code;
mod compilation;
#[cfg(feature = "graph")]
mod cycles;
mod data;
mod description;
mod draft;
mod error;
mod flat;
#[cfg(feature = "graph")]
mod graph;
mod identity;
mod ids;
mod kind;
mod names;
mod origin;
mod read;
mod relations;
mod resource;
mod scope;
mod similar;
mod tags;
mod text;
mod why;
mod why_text;

pub use self::builtin_types::{
    builtin_description, builtin_description_of, builtin_type_names, metaparameter_description,
    name_parameter,
};
pub use self::catalog::{Catalog, CatalogResource, FileLine};
pub use self::code::{value_code, value_line};
pub use self::compilation::change::{Membership, ResourceChange, WrittenParameter, WrittenResource};
pub use self::compilation::collector::{CollectorCondition, CollectorDeclaration, CollectorId};
pub use self::compilation::exports::{ExportQuery, ExportSource, ExportedResource, PendingCollector};
pub use self::compilation::finish::LaterTypes;
pub use self::compilation::relationship::{RelationshipKind, RelationshipSide};
pub use self::compilation::{Compilation, ResourceDeclaration, SETTINGS};
#[cfg(feature = "graph")]
pub use self::cycles::{DependencyCycle, DependencyEdge, DependencyReason};
pub use self::data::{FinishedCatalog, Selection};
pub use self::description::{
    AttributeCondition, AttributeDescription, AttributeKind, ProviderFeature, RefusedCombination,
    Requirement, TypeDescription,
};
pub use self::draft::Draft;
pub use self::error::ReadError;
pub use self::flat::flat;
#[cfg(feature = "graph")]
pub use self::graph::{GraphView, ShownEdges};
pub use self::identity::Identity;
pub use self::ids::{ResourceId, ScopeId, SourceId};
pub use self::kind::{KindParameter, ParameterArgument, RELATIONSHIPS, check_parameters, is_deferred};
pub use self::kind::{METAPARAMETERS, ResourceKind, is_metaparameter};
pub use self::names::{FastMap, NameMap};
pub use self::origin::CatalogOrigins;
pub use self::origin::{ClassInclusion, InclusionKind, ParameterCause};
pub use self::read::{parse_reference, reference};
pub use self::relations::{Relations, Relationship, relationships};
pub use self::resource::Resource;
pub use self::resource::{NO_ITERATOR, ResourceParameter, given, no_large_integer, with_given};
pub use self::scope::DeclarationSource;
pub use self::tags::{Tags, is_tag};
pub use self::text::FinishedText;
pub use self::why::{ParameterOrigin, ResourceOrigin, ResourceProvenance, ResourceRelation};
pub use puppetfn_types::function::{NativeType, TitleMeaning};
pub use puppetfn_types::types::Reference;
