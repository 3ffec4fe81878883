//! Puppet without Puppet: evaluates its language, compiles catalogs, and has its types and functions, with Puppet 8's results and
//! error messages.
//!
//! A [`Runtime`](eval::Runtime) evaluates code. Errors have Puppet's texts and positions:
//!
//! ```
//! use puppetfn::eval::Runtime;
//! use puppetfn::value::Value;
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
//! # Ok::<(), puppetfn::error::Error>(())
//! ```
//!
//! Code that declares resources becomes a catalog:
//!
//! ```
//! use puppetfn::eval::{Manifest, Runtime};
//!
//! let site = "node web { include motd } class motd { file { '/etc/motd': content => 'Welcome' } }";
//! let runtime = Runtime::builder().manifests().node("web").build();
//! let catalog = runtime.compile(&[Manifest { text: site.into(), file: None }], &[])?;
//! let files: Vec<_> = catalog.resources().filter(|resource| resource.type_name() == "File").collect();
//! assert_eq!(files[0].title(), "/etc/motd");
//! # Ok::<(), puppetfn::error::Error>(())
//! ```
//!
//! The crate [`puppetfn-compile`](https://docs.rs/puppetfn-compile) adds facts, node classifiers, environments with modules and data, and
//! many nodes.
//!
//! Types are parsed from their text, and checked on values:
//!
//! ```
//! use puppetfn::limits::Limits;
//! use puppetfn::subject::Verdict;
//! use puppetfn::types::ops::instance;
//! use puppetfn::types::parse::{NoAliases, parse};
//! use puppetfn::value::Value;
//!
//! let ports = parse("Array[Integer[1, 65535], 1]", &NoAliases, &Limits::DEFAULT)?;
//! let value = Value::from(vec![Value::from(80), Value::from(443)]);
//! assert_eq!(instance(&ports, &value, &Limits::DEFAULT)?, Verdict::Yes);
//! # Ok::<(), puppetfn::error::Error>(())
//! ```
//!
//! Mismatches are described in Puppet's words:
//!
//! ```
//! # use puppetfn::limits::Limits;
//! use puppetfn::types::ops::describe::assertion_message;
//! use puppetfn::types::ops::infer_set;
//! # use puppetfn::types::parse::{NoAliases, parse};
//! # use puppetfn::value::Value;
//!
//! let port = parse("Integer[1, 65535]", &NoAliases, &Limits::DEFAULT)?;
//! let actual = infer_set(&Value::from(0), &Limits::DEFAULT)?;
//! assert_eq!(
//!     assertion_message("the port", &port, &actual),
//!     "the port has wrong type, expects an Integer[1, 65535] value, got Integer[0, 0]"
//! );
//! # Ok::<(), puppetfn::error::Error>(())
//! ```
//!
//! From types of arguments follows the type of the result:
//!
//! ```
//! use puppetfn::builtin;
//! use puppetfn::types::Type;
//!
//! let length = builtin::registry().get("length")?.map(|length| length.return_type(&[Type::STRING]));
//! assert_eq!(length.map(|t| t.to_string()).as_deref(), Some("Integer[0]"));
//! # Ok::<(), puppetfn::error::Error>(())
//! ```
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
//! - [`index`]: definitions and references of names; [`ide`] implements the features of editors
//! - [`fmt`] lays out code by the style guide
//! - [`check`] finds code that is certain to fail, without evaluating it
//! - [`convert`]: values as JSON
//!
//! # Features
//!
//! All are on unless they are left out with `default-features = false`: `check`, `doc`, `fmt` and `ide` (with [`index`]) for the modules of
//! these names, and `erb`, which renders templates in ERB that need no Ruby.
#![forbid(unsafe_code)]

pub use puppetfn_base::{diagnostic, error, host, limits, source, target};
pub use puppetfn_catalog as catalog;
#[cfg(feature = "check")]
pub use puppetfn_check as check;
pub use puppetfn_cty as cty;
#[cfg(feature = "doc")]
pub use puppetfn_doc as doc;
#[cfg(feature = "fmt")]
pub use puppetfn_fmt as fmt;
pub use puppetfn_hiera as lookup;
#[cfg(feature = "ide")]
pub use puppetfn_ide as ide;
#[cfg(feature = "ide")]
pub use puppetfn_index as index;
pub use puppetfn_runtime::{builtin, coverage, entity, eval, loader, settings};
pub use puppetfn_syntax as syntax;
pub use puppetfn_types::{convert, function, subject, types, value};
