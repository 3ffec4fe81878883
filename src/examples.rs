//! Examples of the tasks that programs embed Puppet for. Each is a test.
//!
//! [Code](#code) · [Values](#values) · [Types](#types) · [Functions](#functions) · [Data](#data) · [Catalogs](#catalogs) ·
//! [Tools](#tools)
//!
//! # Code
//!
//! ## Evaluate code
//!
//! ```
//! use puppetfn::prelude::*;
//!
//! let runtime = Runtime::new();
//! let squares = runtime.evaluate("[1, 2, 3].map |$number| { $number * $number }", None)?;
//! assert_eq!(squares, Value::array([1, 4, 9]));
//! # Ok::<(), Error>(())
//! ```
//!
//! ## Give facts and variables
//!
//! ```
//! use puppetfn::prelude::*;
//!
//! let facts = Hash::from([("os", Value::hash([("family", "Debian")]))]);
//! let runtime = Runtime::builder().facts(facts).build();
//! runtime.set_variable("package", "ntp".into());
//! let text = runtime.evaluate("\"${package} on ${facts['os']['family']}\"", None)?;
//! assert_eq!(text.to_string(), "ntp on Debian");
//! # Ok::<(), Error>(())
//! ```
//!
//! ## Show an error
//!
//! Messages and positions are Puppet's; [`Error::kind`](crate::error::Error::kind) distinguishes errors.
//!
//! ```
//! use puppetfn::prelude::*;
//!
//! let error = Runtime::new().evaluate("$a = 1\n$b = $a + $missing", Some("/site.pp")).unwrap_err();
//! assert_eq!(error.to_string(), "Evaluation Error: Unknown variable: 'missing'. (file: /site.pp, line: 2, column: 11)");
//! assert_eq!(error.place().and_then(|place| place.line), Some(2));
//! ```
//!
//! ## Read the log
//!
//! ```
//! use puppetfn::function::LogLevel;
//! use puppetfn::prelude::*;
//!
//! let logs = Logs::default();
//! let runtime = Runtime::builder().host(logs.clone()).build();
//! runtime.evaluate("warning('disk is full')", None)?;
//! assert_eq!(logs.take(), [(LogLevel::Warning, "disk is full".to_owned())]);
//! # Ok::<(), Error>(())
//! ```
//!
//! ## Limit the steps and the memory of code
//!
//! ```
//! use puppetfn::prelude::*;
//!
//! let limits = Limits { fuel: Some(1_000), ..Limits::DEFAULT };
//! let runtime = Runtime::builder().limits(limits).build();
//! let error = runtime.evaluate("Integer[1, 1000000].each |$number| { $number }", None).unwrap_err();
//! assert_eq!(*error.kind(), ErrorKind::Limit);
//! ```
//!
//! # Values
//!
//! ## Convert values from and to Rust
//!
//! ```
//! use std::collections::BTreeMap;
//!
//! use puppetfn::prelude::*;
//!
//! let ports = Value::from(BTreeMap::from([("http", 80), ("https", 443)]));
//! assert_eq!(ports.to_string(), "{http => 80, https => 443}");
//!
//! let port = u16::try_from(Value::from(8080))?;
//! let name = Value::from("web");
//! let text: &str = (&name).try_into()?;
//! assert_eq!((port, text), (8080, "web"));
//! # Ok::<(), Error>(())
//! ```
//!
//! ## Use serde
//!
//! ```
//! use puppetfn::prelude::*;
//! use serde::{Deserialize, Serialize};
//!
//! #[derive(Serialize, Deserialize, PartialEq, Debug)]
//! struct Listener {
//!     port: u16,
//!     tls: bool,
//! }
//!
//! let runtime = Runtime::new();
//! runtime.set_variable("listener", Value::from_serialize(&Listener { port: 80, tls: false })?);
//! let secured: Listener = runtime.evaluate("$listener + { port => 443, tls => true }", None)?.deserialize()?;
//! assert_eq!(secured, Listener { port: 443, tls: true });
//! # Ok::<(), Error>(())
//! ```
//!
//! ## Hide a value
//!
//! ```
//! use puppetfn::prelude::*;
//!
//! let runtime = Runtime::new();
//! runtime.set_variable("password", Value::sensitive("secret"));
//! let shown = runtime.evaluate("\"The password is ${password}\"", None)?;
//! assert_eq!(shown.to_string(), "The password is Sensitive [value redacted]");
//! # Ok::<(), Error>(())
//! ```
//!
//! # Types
//!
//! ## Check a value
//!
//! ```
//! use puppetfn::prelude::*;
//!
//! let listener: Type = "Struct[port => Integer[1, 65535], Optional[tls] => Boolean]".parse()?;
//! assert!(listener.is_instance(&Value::hash([("port", 443)])));
//!
//! let error = listener.assert("the listener", &Value::hash([("port", "https")])).unwrap_err();
//! assert_eq!(
//!     error.to_string(),
//!     "the listener has wrong type, entry 'port' expects an Integer value, got String"
//! );
//! # Ok::<(), Error>(())
//! ```
//!
//! ## Infer and compare types
//!
//! ```
//! use puppetfn::prelude::*;
//!
//! let inferred = Value::array([1, 5]).type_of();
//! assert_eq!(inferred.to_string(), "Array[Integer[1, 5], 2, 2]");
//! assert!("Array[Integer]".parse::<Type>()?.assignable(&inferred));
//! assert_eq!(inferred.generalize().to_string(), "Array[Integer]");
//! # Ok::<(), Error>(())
//! ```
//!
//! ## Find the type of a result
//!
//! ```
//! use puppetfn::builtin;
//! use puppetfn::prelude::*;
//!
//! let length = builtin::registry().get("length")?.map(|length| length.return_type(&[Type::STRING]));
//! assert_eq!(length.map(|t| t.to_string()).as_deref(), Some("Integer[0]"));
//! # Ok::<(), Error>(())
//! ```
//!
//! ## Evaluate code with unknown values
//!
//! ```
//! use puppetfn::prelude::*;
//!
//! let runtime = Runtime::new();
//! runtime.set_variable("port", Value::unknown("Integer[1, 65535]".parse()?));
//! let text = runtime.evaluate("String($port)", None)?;
//! assert!(text.contains_unknown());
//! let error = runtime.evaluate("$port.split(',')", None).unwrap_err();
//! assert!(error.message().contains("parameter 'str' expects a String value, got Integer"));
//! # Ok::<(), Error>(())
//! ```
//!
//! # Functions
//!
//! ## Call a function
//!
//! ```
//! use puppetfn::prelude::*;
//!
//! let parts = Runtime::new().call("split", &["a,b".into(), ",".into()], None)?;
//! assert_eq!(parts, Value::array(["a", "b"]));
//! # Ok::<(), Error>(())
//! ```
//!
//! ## Define a function as a closure
//!
//! The signature follows from the closure's parameters.
//!
//! ```
//! use puppetfn::prelude::*;
//!
//! let runtime = Runtime::new();
//! runtime.define(native("repeat").closure(|text: &str, count: u16| text.repeat(count.into())).build()?);
//! assert_eq!(runtime.evaluate("repeat('ab', 2)", None)?.to_string(), "abab");
//!
//! let error = runtime.evaluate("repeat('ab', -1)", None).unwrap_err();
//! assert!(error.message().contains("'repeat' parameter 'arg2' expects an Integer[0, 65535] value"));
//! # Ok::<(), Error>(())
//! ```
//!
//! ## Define a function with several signatures
//!
//! ```
//! use puppetfn::prelude::*;
//!
//! let size = native("size_of")
//!     .dispatch::<&str>("(String text)", |_, text| Ok(Value::try_from(text.chars().count())?))
//!     .dispatch::<&Hash>("(Hash[String, Any] hash)", |_, hash| Ok(Value::try_from(hash.len())?));
//! let runtime = Runtime::new();
//! runtime.define(size.build()?);
//! assert_eq!(runtime.evaluate("size_of('abc') + size_of({ 'a' => 1 })", None)?, Value::from(4));
//! # Ok::<(), Error>(())
//! ```
//!
//! ## Use the functions and types of modules
//!
//! ```
//! use puppetfn::prelude::*;
//!
//! # let modules = tempfile::tempdir()?;
//! # let directory = modules.path().join("app");
//! # for (folder, file, text) in [
//! #     ("functions", "url.pp", "function app::url(App::Port $port) >> String { \"http://localhost:${port}\" }"),
//! #     ("types", "port.pp", "type App::Port = Integer[1, 65535]"),
//! # ] {
//! #     std::fs::create_dir_all(directory.join(folder))?;
//! #     std::fs::write(directory.join(folder).join(file), text)?;
//! # }
//! # let modulepath = modules.path();
//! let runtime = Runtime::builder().modulepath([modulepath]).build();
//! assert_eq!(runtime.call("app::url", &[8080.into()], None)?.to_string(), "http://localhost:8080");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Data
//!
//! ## Look up data
//!
//! ```
//! use std::sync::Arc;
//!
//! use puppetfn::loader::Loader;
//! use puppetfn::lookup::Hiera;
//! use puppetfn::prelude::*;
//!
//! # let data = tempfile::tempdir()?;
//! # let hierarchy = "version: 5\nhierarchy:\n  - name: os\n    path: \"%{facts.family}.yaml\"\n";
//! # std::fs::write(data.path().join("hiera.yaml"), hierarchy)?;
//! # std::fs::create_dir(data.path().join("data"))?;
//! # std::fs::write(data.path().join("data/Debian.yaml"), "ntp::service: ntpsec\n")?;
//! # let hiera_yaml = data.path().join("hiera.yaml");
//! let files = Arc::new(Loader::of_modulepath(["/etc/puppetlabs/code/modules"]));
//! let hiera = Hiera::new(files).global(Some(hiera_yaml));
//! let runtime = Runtime::builder().data(Arc::new(hiera)).facts(Hash::from([("family", "Debian")])).build();
//! assert_eq!(runtime.evaluate("lookup('ntp::service')", None)?.to_string(), "ntpsec");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Catalogs
//!
//! ## Compile a catalog
//!
//! ```
//! use puppetfn::prelude::*;
//!
//! let site = "node web { include motd } class motd { file { '/etc/motd': content => 'Welcome' } }";
//! let runtime = Runtime::builder().manifests().node("web").build();
//! let draft = runtime.compile(&[site.into()], &[])?;
//! let file = draft.resources().find(|resource| resource.type_name() == "File");
//! assert_eq!(file.map(|file| file.title()), Some("/etc/motd"));
//! # Ok::<(), Error>(())
//! ```
//!
//! ## Write and read a catalog
//!
//! Agents get this JSON.
//!
//! ```
//! use puppetfn::prelude::*;
//!
//! let runtime = Runtime::builder().manifests().node("web").build();
//! let draft = runtime.compile(&["notify { 'hello': }".into()], &[])?;
//! let catalog = draft.finish(Identity::new("production"), Selection::Real, &Limits::DEFAULT)?.catalog;
//! let json = serde_json::to_string(&catalog)?;
//! let read: Catalog = json.parse()?;
//! assert_eq!(read.node(), "web");
//! assert_eq!(read.resources().last().map(|last| last.reference.to_string()).as_deref(), Some("Notify[hello]"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! ## Compile a node of a control repository
//!
//! The crate `puppetfn-compile` reads environments, facts, node classifiers and data.
//!
//! ```
//! use puppetfn_compile::{Configuration, FactSource, StandaloneCompiler};
//!
//! # let environment = tempfile::tempdir()?;
//! # std::fs::create_dir(environment.path().join("manifests"))?;
//! # std::fs::write(environment.path().join("manifests/site.pp"), "notify { $trusted['certname']: }")?;
//! # let directory = environment.path().to_owned();
//! let configuration = Configuration { environment: Some(directory), ..Configuration::default() };
//! let mut log = Vec::new();
//! let node = configuration.compile("web1", &FactSource::None, false, &mut StandaloneCompiler, &mut log)??;
//! let catalog = node.finish(&mut log)?;
//! assert_eq!(catalog.resources().last().map(|last| last.reference.to_string()).as_deref(), Some("Notify[web1]"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! ## Compare two catalogs
//!
//! ```
//! use puppetfn::prelude::*;
//! use puppetfn_diff::{DiffOptions, compare};
//!
//! let catalog = |mode: &str| {
//!     let runtime = Runtime::builder().manifests().build();
//!     let code = format!("file {{ '/etc/motd': mode => '{mode}' }}");
//!     let draft = runtime.compile(&[code.as_str().into()], &[])?;
//!     Ok::<_, Error>(draft.finish(Identity::new("production"), Selection::Real, &Limits::DEFAULT)?.catalog)
//! };
//! let differences = compare(&catalog("0644")?, &catalog("0600")?, &DiffOptions::default());
//! assert_eq!(differences.resources.len(), 1);
//! # Ok::<(), Error>(())
//! ```
//!
//! ## Draw a catalog
//!
//! ```
//! use puppetfn::graph::render;
//! use puppetfn::prelude::*;
//!
//! let runtime = Runtime::builder().manifests().build();
//! let draft = runtime.compile(&["notify { 'a': } -> notify { 'b': }".into()], &[])?;
//! let catalog = draft.finish(Identity::new("production"), Selection::Real, &Limits::DEFAULT)?.catalog;
//! let picture = render::svg(&catalog.graph())?;
//! assert!(picture.starts_with("<svg"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Tools
//!
//! ## Check code without running it
//!
//! ```
//! use puppetfn::check::World;
//!
//! let world = World::of_modulepath(["/etc/puppetlabs/code/modules"]);
//! let findings = world.check_text("file { '/etc/motd': ensure => file, mode => 644 }");
//! assert_eq!(findings.len(), 1);
//! assert!(findings[0].message.contains("mode"));
//! ```
//!
//! ## Format code
//!
//! ```
//! let formatted = puppetfn::fmt::format("file{'/etc/motd':\nensure=>file,mode=>'0644'}")?;
//! assert_eq!(formatted, "file { '/etc/motd':\n  ensure => file, mode => '0644',\n}\n");
//! # Ok::<(), puppetfn::error::Error>(())
//! ```
//!
//! ## Read a syntax tree
//!
//! ```
//! use puppetfn::prelude::*;
//! use puppetfn::syntax::parse;
//!
//! let program = parse("class app { }\n$a = 1", &Limits::DEFAULT)?;
//! assert_eq!(program.statements.len(), 2);
//! # Ok::<(), Error>(())
//! ```
//!
//! ## Use cty's values
//!
//! ```
//! use puppetfn::cty::{CtyType, CtyValue, stdlib};
//! use puppetfn::prelude::*;
//!
//! let letters = CtyValue::list(&CtyType::String, ["a".into(), "b".into()])?;
//! assert_eq!(stdlib::join(&"-".into(), &[letters], &Limits::DEFAULT)?.as_string()?.as_ref(), "a-b");
//! # Ok::<(), Error>(())
//! ```
