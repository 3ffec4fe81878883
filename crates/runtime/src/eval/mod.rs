//! Evaluating Puppet code.
//!
//! A text is parsed, compiled to a resolved program (`code`), and run by a machine. [`Runtime`] does
//! all three.

pub mod access;
mod builder;
mod code;
mod compile;
mod declaration;
mod entity;
mod function_lookup;
mod functions;
mod inference;
mod interner;
mod literal;
mod load;
mod locals;
mod lookups;
mod machine;
mod main_manifest;
mod manifest_definitions;
mod objects;
pub mod operators;
mod parsed;
pub mod profile;
mod runtime;
mod shared;
mod surroundings;
mod templates;
mod text;
mod type_definitions;
mod variables;
mod writes;

pub use builder::RuntimeBuilder;
pub use function_lookup::{FileWarning, FoundFunction, FunctionLookup, FunctionText, LoadedFunction};
pub use inference::{InferResult, UnknownCall};
pub use literal::literal;
pub use machine::{Debugger, PausePoint, PausedEvaluation, StackFrame, break_function};
pub use main_manifest::{Manifest, NodeClass};
pub use manifest_definitions::{ManifestFile, ManifestLookup};
pub use runtime::{CatalogStep, LoggedMessage, Logs, Runtime};
pub use variables::{GlobalVariable, GlobalVariables};
