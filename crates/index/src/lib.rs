//! Definitions and uses of the names in Puppet code.
//!
//! A [`FileIndex`] has the names of one text, an [`Index`] the names of many files. Both go by names alone: if several
//! modules define a function, the checker decides which one is called.
//!
//! ```
//! use puppetfn::index::{FileIndex, Role, Symbol};
//! use puppetfn::limits::Limits;
//! use puppetfn::syntax::parse;
//!
//! let program = parse("class web($port) { notice($port) }\ninclude web", &Limits::DEFAULT)?;
//! let index = FileIndex::of(&program);
//! let web = Symbol::Class("web".into());
//! let roles: Vec<Role> = index.of_symbol(&web).map(|occurrence| occurrence.role).collect();
//! assert_eq!(roles, [Role::Definition, Role::Read]);
//! # Ok::<(), puppetfn::error::Error>(())
//! ```
#![forbid(unsafe_code)]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing))]

mod collect;
mod file;
mod index;
mod names;
mod outline;
mod scopes;
mod structure;
mod symbol;

pub use file::FileIndex;
pub use index::Index;
pub use names::name_span;
pub use outline::{Outline, OutlineKind, outline};
pub use structure::{Folding, FoldingKind, foldings, spans_around};
pub use symbol::{Occurrence, Role, Symbol, SymbolDefinition};
