//! Puppet without Puppet: evaluates its language, compiles catalogs, and has its types and functions, with Puppet 8's results and
//! error messages.
//!
//! ```
//! use puppetfn::prelude::*;
//!
//! let runtime = Runtime::new();
//! runtime.evaluate("function double(Integer $x) { $x * 2 }", None)?;
//! assert_eq!(runtime.evaluate("[1, 2].map |$x| { double($x) }.join('-')", None)?, Value::from("2-4"));
//!
//! let error = runtime.evaluate("double('a')", Some("/site.pp")).unwrap_err();
//! assert_eq!(
//!     error.to_string(),
//!     "Evaluation Error: Error while evaluating a Function Call, 'double' parameter 'x' expects an Integer value, got String \
//!      (file: /site.pp, line: 1, column: 1)"
//! );
//! # Ok::<(), Error>(())
//! ```
//!
//! [`examples`] has one for each task: evaluating code, values and serde, types, functions, data, catalogs, checks and formatting.
//!
//! # Where to look
//!
//! - [`types`]: the types, [`types::parse`] for their texts, [`types::ops`] for assignability, inference and other operations
//! - [`value`]: the values, and [`subject`], the view that lets a host's own objects be checked in place
//! - [`function`]: signatures, the choice among them, and functions written in Rust; [`builtin`] has Puppet's
//! - [`lookup`]: data by keys, as Hiera finds it
//! - [`eval`] evaluates Puppet code, [`catalog`] holds the declared resources, [`coverage`] counts evaluated lines and branches
//! - The crate `puppetfn-compile` compiles the catalogs of nodes: facts, node classifiers, environments, many nodes, revisions
//! - [`loader`]: functions and type aliases of modules by name
//! - [`host`], [`error`], [`limits`], [`target`]: the interface to the embedding program
//! - [`syntax`], [`source`], [`diagnostic`]: from text to syntax trees
//! - [`cty`]: the values and functions of HashiCorp's languages
//! - [`graph`] draws catalogs
//! - [`index`]: definitions and references of names; [`ide`] implements the features of editors
//! - [`fmt`] lays out code by the style guide
//! - [`check`] finds code that is certain to fail, without evaluating it
//! - [`convert`]: values as JSON
//!
//! # Features
//!
//! All are on unless they are left out with `default-features = false`: `check`, `cty`, `doc`, `fmt`, `graph` and `ide` (with [`index`]) for
//! the modules of these names, and `erb`, which renders templates in ERB that need no Ruby.
#![forbid(unsafe_code)]

pub mod examples;
pub mod prelude;

pub use puppetfn_base::{diagnostic, error, host, limits, source, target};
pub use puppetfn_catalog as catalog;
#[cfg(feature = "check")]
pub use puppetfn_check as check;
#[cfg(feature = "cty")]
pub use puppetfn_cty as cty;
#[cfg(feature = "doc")]
pub use puppetfn_doc as doc;
#[cfg(feature = "fmt")]
pub use puppetfn_fmt as fmt;
#[cfg(feature = "graph")]
pub use puppetfn_graph as graph;
pub use puppetfn_hiera as lookup;
#[cfg(feature = "ide")]
pub use puppetfn_ide as ide;
#[cfg(feature = "ide")]
pub use puppetfn_index as index;
pub use puppetfn_runtime::{builtin, coverage, entity, eval, loader, settings};
pub use puppetfn_syntax as syntax;
pub use puppetfn_types::{convert, function, subject, types, value};
