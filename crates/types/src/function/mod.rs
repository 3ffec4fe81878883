//! Functions and their signatures.
//!
//! A [`Signature`] holds the parameter types of a function in any language. [`find`] picks the signature for a call;
//! [`mismatch_error`] explains why none matches. A [`Function`] is called by its name; [`native`] declares one that is
//! written in Rust.

mod any_function;
mod argument;
mod behavior;
mod builder;
mod caller;
mod closure;
mod compiler;
mod data;
mod describe;
mod deviation;
mod dispatch;
mod explain;
mod from_arguments;
mod host;
mod library;
mod local_types;
mod member;
mod module_files;
mod native;
mod native_type;
mod notation;
mod query_source;
mod registry;
mod signature;
pub mod spec;
mod template;

pub use crate::one_of;
pub use any_function::{Function, FunctionBody};
pub use argument::ArgumentPolicy;
pub use behavior::{BlockUse, Control, HostMethod, ScopeMethod, ScopeMethodKind};
pub use builder::{SignatureBuilder, TypeSource};
pub use caller::Caller;
pub use closure::{Closure, ClosureResult};
pub use compiler::{CallingDefinition, CatalogCompiler, DefinitionOutline, Exposure, Inclusion};
pub use data::{DataLookup, Fallback, LookupExplanation, LookupQuery, OngoingLookup};
pub use describe::{describe_signatures, signature_mismatches};
pub use deviation::Deviation;
pub use dispatch::{Match, find, handler_error, mismatch_error, possible_result, return_error};
pub use explain::MismatchedCall;
pub use from_arguments::{
    AcceptedArgument, DefaultValue, FromArgument, FromArguments, MaybeUnknown, SensitiveArgument,
    accepted_one_of,
};
pub use host::{Host, LogLevel, NoHost};
pub use library::Library;
pub use member::{Implementation, Maker, call_member, implementation, implemented};
pub use member::{made_by, maker};
pub use module_files::ModuleFiles;
pub use module_files::NoModules;
pub use native::{Call, Declaration, FunctionExample, Native, SignatureSource, UnknownHandling, native};
pub use native_type::{NativeType, TitleMeaning};
pub use query_source::QuerySource;
pub use registry::Registry;
pub use signature::Signature;
pub use template::EppTemplate;
