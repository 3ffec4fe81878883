//! Language features for editors of Puppet code: definitions, references, hover texts, completions and more.
//!
//! An [`Ide`] has the current texts of a project. It answers requests from an index of names and from the checker's
//! model of the project. Offsets count bytes.
//!
//! ```
//! use std::path::Path;
//! use std::sync::Arc;
//! use puppetfn::check::TextOrigin;
//! use puppetfn::ide::{ProjectFile, Ide};
//! use puppetfn::limits::Limits;
//! use puppetfn::loader::{Loader, StdFileSystem};
//! use puppetfn::syntax::Mode;
//!
//! let loader = Loader::new(Arc::new(StdFileSystem::DEFAULT), Vec::new(), None, Limits::DEFAULT);
//! let mut ide = Ide::new(Arc::new(loader), Limits::DEFAULT, false);
//! let (path, text) = (Path::new("/site.pp"), "$total = 40 + 2\nnotice($total)");
//! ide.set(ProjectFile { path: path.into(), text: text.into(), mode: Mode::default(), origin: TextOrigin::default() });
//!
//! let at = text.rfind("total").map_or(0, |at| at as u32);
//! assert_eq!(ide.definitions(path, at)[0].span.start, 1);
//! assert!(ide.hover(path, at).is_some_and(|hover| hover.markdown.contains("Integer[42, 42]")));
//! ```
#![forbid(unsafe_code)]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing))]

mod actions;
mod bolt;
mod calls;
mod completion;
mod context;
mod data;
mod describe;
mod erb;
mod erb_template;
mod files;
mod hints;
mod hover;
mod links;
mod module_file;
mod module_files;
mod names_index;
mod namespace;
mod navigation;
mod project;
mod rename;
mod signature;
mod source;
mod structure;
mod tokens;

pub use actions::{Action, ActionKind};
pub use calls::{CallItem, ItemCalls};
pub use completion::{Completion, CompletionKind};
pub use hints::SourceHint;
pub use hover::Hover;
pub use module_file::ModuleFile;
pub use navigation::{FileSpan, Lens};
pub use project::{Ide, ProjectFile};
pub use puppetfn_index::{Folding, FoldingKind, Outline, OutlineKind, Role};
pub use rename::Rename;
pub use signature::{SignatureHelp, SignatureText};
pub use tokens::{HighlightKind, HighlightToken};

use puppetfn_base::source::Span;

/// An edit of a text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SourceEdit {
    /// The replaced span.
    pub span: Span,
    /// The replacement.
    pub text: String,
}
