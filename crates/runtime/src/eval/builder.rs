//! Configuration of runtimes.

use std::fmt;
use std::sync::{Arc, Mutex, OnceLock};

use super::function_lookup::FunctionLookup;
use super::inference::{InferResult, NoInference};
use super::machine::Debugger;
use super::manifest_definitions::{ManifestLookup, NoManifests};
use super::runtime::{Logs, Runtime};
use super::shared::SharedRuntime;
use super::surroundings::NodeVariables;
use super::variables::GlobalVariables;
use crate::builtin;
use crate::coverage::Recorder;
use puppetfn_base::diagnostic::Strict;
use puppetfn_base::limits::Limits;
use puppetfn_catalog::Compilation;
use puppetfn_hiera::Hiera;
use puppetfn_types::function::{DataLookup, Host, ModuleFiles, NoModules};
use puppetfn_types::types::parse::{NoAliases, TypeLookup};
use puppetfn_types::value::Hash;

/// Builds a [`Runtime`].
pub struct RuntimeBuilder {
    functions: Box<dyn FunctionLookup>,
    types: Arc<dyn TypeLookup + Send + Sync>,
    host: Box<dyn Host + Send + Sync>,
    limits: Limits,
    is_script: bool,
    strict_names: bool,
    manifests: Box<dyn ManifestLookup>,
    files: Arc<dyn ModuleFiles>,
    data: Option<Arc<dyn DataLookup>>,
    inference: Box<dyn InferResult>,
    node: String,
    environment: String,
    strict: Strict,
    strict_variables: bool,
    facts: Hash,
    trusted: Hash,
    server_facts: Hash,
    settings: Hash,
    variables: Option<Arc<GlobalVariables>>,
    coverage: Option<Arc<Recorder>>,
    debugger: Option<Arc<dyn Debugger>>,
}

impl RuntimeBuilder {
    pub(super) fn new() -> Self {
        Self {
            functions: Box::new(builtin::registry()),
            types: Arc::new(NoAliases),
            host: Box::new(Logs::default()),
            limits: Limits::DEFAULT,
            is_script: true,
            strict_names: false,
            manifests: Box::new(NoManifests),
            files: Arc::new(NoModules),
            data: None,
            inference: Box::new(NoInference),
            node: "localhost".into(),
            environment: "production".into(),
            strict: Strict::default(),
            strict_variables: true,
            facts: Hash::default(),
            trusted: Hash::default(),
            server_facts: Hash::default(),
            settings: Hash::default(),
            variables: None,
            coverage: None,
            debugger: None,
        }
    }

    /// Sets where functions are found that no text has defined; by default, these are Puppet's own functions.
    #[must_use]
    pub fn functions(self, functions: impl FunctionLookup + 'static) -> Self {
        Self { functions: Box::new(functions), ..self }
    }

    /// Sets where types are found that no text has defined and that are not Puppet's own.
    #[must_use]
    pub fn types(self, types: Arc<dyn TypeLookup + Send + Sync>) -> Self {
        Self { types, ..self }
    }

    /// Sets the host, which calls its own functions and receives log messages.
    #[must_use]
    pub fn host(self, host: impl Host + Send + Sync + 'static) -> Self {
        Self { host: Box::new(host), ..self }
    }

    /// Sets how much evaluation may use.
    #[must_use]
    pub fn limits(self, limits: Limits) -> Self {
        Self { limits, ..self }
    }

    /// Treats texts as manifests, not scripts: they make a catalog, and `plan` and `apply` are not
    /// keywords.
    #[must_use]
    pub fn manifests(self) -> Self {
        Self { is_script: false, ..self }
    }

    /// Sets whether the names of functions in texts must follow the specification of functions: they may replace
    /// functions of modules but not Puppet's own, and every other name with a namespace must have the environment's.
    #[must_use]
    pub fn strict_names(self, strict_names: bool) -> Self {
        Self { strict_names, ..self }
    }

    /// Sets where classes and defined types are found that no text has defined.
    #[must_use]
    pub fn modules(self, modules: impl ManifestLookup + 'static) -> Self {
        Self { manifests: Box::new(modules), ..self }
    }

    /// Sets where functions find the files of modules. By default there are none, and files
    /// need absolute paths.
    #[must_use]
    pub fn files(self, files: Arc<dyn ModuleFiles>) -> Self {
        Self { files, ..self }
    }

    /// Sets where `lookup` finds data; by default, in the modules whose files are known.
    #[must_use]
    pub fn data(self, data: Arc<dyn DataLookup>) -> Self {
        Self { data: Some(data), ..self }
    }

    /// Sets the inference of results of functions in the Puppet language for unknown arguments. By default,
    /// the result is of the declared return type.
    #[must_use]
    pub fn inference(self, inference: impl InferResult + 'static) -> Self {
        Self { inference: Box::new(inference), ..self }
    }

    /// Sets the node that the catalog is for; by default, `localhost`.
    #[must_use]
    pub fn node(self, name: impl Into<String>) -> Self {
        Self { node: name.into(), ..self }
    }

    /// Sets the name of the environment; by default, `production`.
    #[must_use]
    pub fn environment(self, name: impl Into<String>) -> Self {
        Self { environment: name.into(), ..self }
    }

    /// Sets how to treat code that is probably a mistake: strings that are used as numbers, duplicate keys
    /// in hashes, changes of resources that come too late. By default, it is an error.
    #[must_use]
    pub fn strict(self, strict: Strict) -> Self {
        Self { strict, ..self }
    }

    /// Sets whether the use of a variable without a value is always an error, which is the default.
    /// Otherwise the variable is undef, and `strict` decides on the severity.
    ///
    /// ```
    /// use puppetfn::diagnostic::Strict;
    /// use puppetfn::eval::Runtime;
    /// use puppetfn::value::Value;
    ///
    /// let runtime = Runtime::builder().strict(Strict::Off).strict_variables(false).build();
    /// assert_eq!(runtime.evaluate("[$nosuch, '1' + 2]", None)?, vec![Value::Undef, 3.into()].into());
    /// # Ok::<(), puppetfn::error::Error>(())
    /// ```
    #[must_use]
    pub fn strict_variables(self, strict_variables: bool) -> Self {
        Self { strict_variables, ..self }
    }

    /// Sets the facts of the node, by name: each is a variable of the top scope, and `$facts` has all.
    ///
    /// ```
    /// use puppetfn::eval::Runtime;
    /// use puppetfn::value::{Hash, Value};
    ///
    /// let facts = [(Value::from("kernel"), Value::from("Linux"))].into_iter().collect::<Hash>();
    /// let runtime = Runtime::builder().facts(facts).build();
    /// assert_eq!(runtime.evaluate("$facts['kernel'] == $kernel", None)?, Value::Boolean(true));
    /// # Ok::<(), puppetfn::error::Error>(())
    /// ```
    #[must_use]
    pub fn facts(self, facts: Hash) -> Self {
        Self { facts, ..self }
    }

    /// Sets the trusted facts of the node: `$trusted`.
    #[must_use]
    pub fn trusted(self, trusted: Hash) -> Self {
        Self { trusted, ..self }
    }

    /// Sets the facts of the server: `$server_facts`.
    #[must_use]
    pub fn server_facts(self, server_facts: Hash) -> Self {
        Self { server_facts, ..self }
    }

    /// Sets settings of Puppet's besides `strict` and `strict_variables`. Code sees all of them as `$settings::name`, settings that
    /// are not set with Puppet's defaults: see [`crate::settings::resolve`].
    #[must_use]
    pub fn settings(self, settings: Hash) -> Self {
        Self { settings, ..self }
    }

    /// Sets the variables of the top scope, in place of facts, trusted data, data of the server and settings, which are
    /// not set then.
    #[must_use]
    pub fn variables(self, variables: Arc<GlobalVariables>) -> Self {
        Self { variables: Some(variables), ..self }
    }

    /// Sets the recorder that counts how often the statements and branches of its files are evaluated.
    ///
    /// ```
    /// use std::path::PathBuf;
    /// use std::sync::Arc;
    ///
    /// use puppetfn::coverage::Recorder;
    /// use puppetfn::eval::Runtime;
    /// use puppetfn::limits::Limits;
    ///
    /// let path = std::env::temp_dir().canonicalize().expect("a directory").join("puppetfn-coverage.pp");
    /// let text = "if true { 1 } else { 2 }";
    /// std::fs::write(&path, text).expect("a file");
    /// let mut recorder = Recorder::new();
    /// recorder.add(path.clone(), text, &Limits::DEFAULT)?;
    /// let recorder = Arc::new(recorder);
    /// Runtime::builder().coverage(Arc::clone(&recorder)).build().evaluate(text, path.to_str())?;
    ///
    /// let file = &recorder.files()[0];
    /// let taken: Vec<u64> = file.points().decisions[0].arms.iter().map(|arm| file.count(arm.counter)).collect();
    /// assert_eq!(taken, [1, 0]);
    /// # Ok::<(), puppetfn::error::Error>(())
    /// ```
    #[must_use]
    pub fn coverage(self, recorder: Arc<Recorder>) -> Self {
        Self { coverage: Some(recorder), ..self }
    }

    /// Sets the debugger that observes the evaluation; `None` for none. Code runs slower with one.
    ///
    /// ```
    /// use std::sync::{Arc, Mutex};
    ///
    /// use puppetfn::error::Error;
    /// use puppetfn::eval::{Debugger, PausedEvaluation, Runtime};
    /// use puppetfn::function::LogLevel;
    ///
    /// #[derive(Default)]
    /// struct Lines(Mutex<Vec<u32>>);
    ///
    /// impl Debugger for Lines {
    ///     fn reached(&self, evaluation: &mut PausedEvaluation<'_>) {
    ///         self.0.lock().expect("no thread panics").push(evaluation.line());
    ///     }
    ///     fn failed(&self, _: &mut PausedEvaluation<'_>, _: &Error) {}
    ///     fn logged(&self, _: &mut PausedEvaluation<'_>, _: LogLevel, _: &str) {}
    /// }
    ///
    /// let lines = Arc::new(Lines::default());
    /// let runtime = Runtime::builder().debugger(Some(lines.clone())).build();
    /// runtime.evaluate("$a = 1\nif $a == 1 {\n  $b = 2\n}", None)?;
    /// assert_eq!(*lines.0.lock().expect("no thread panics"), [1, 2, 3]);
    /// # Ok::<(), Error>(())
    /// ```
    #[must_use]
    pub fn debugger(self, debugger: Option<Arc<dyn Debugger>>) -> Self {
        Self { debugger, ..self }
    }

    /// Builds the runtime.
    pub fn build(self) -> Runtime {
        let Self {
            functions,
            types,
            host,
            limits,
            is_script,
            strict_names,
            manifests,
            files,
            data,
            inference,
            node,
            environment,
            strict,
            strict_variables,
            facts,
            trusted,
            server_facts,
            settings,
            variables,
            coverage,
            debugger,
        } = self;
        let is_given = variables.is_some();
        let variables = variables.unwrap_or_default();
        let mut shared = SharedRuntime::new(functions, types, host, limits, is_script, variables);
        shared.strict_names = strict_names;
        shared.manifests = manifests;
        shared.environment = environment.into();
        shared.data = data.unwrap_or_else(|| {
            Arc::new(Hiera::new(Arc::clone(&files)).environment(Arc::clone(&shared.environment), None))
        });
        shared.files = files;
        shared.inference = inference;
        shared.coverage = coverage;
        shared.debugger = debugger.map_or_else(OnceLock::new, OnceLock::from);
        shared.strict = strict;
        shared.strict_variables = strict_variables;
        let mut compilation = Compilation::new(&node, limits);
        compilation.set_strict(strict);
        shared.compilation = Mutex::new(compilation);
        if !is_given {
            shared.set_surroundings(NodeVariables { facts, trusted, server_facts, settings });
        }
        if !is_script {
            // The top level is a class to Puppet.
            for (name, value) in [("title", "main"), ("name", "main"), ("module_name", "")] {
                shared.variables.assign(shared.variables.id(name), value.into());
            }
        }
        Runtime::of(shared)
    }
}

impl fmt::Debug for RuntimeBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RuntimeBuilder").field("limits", &self.limits).finish_non_exhaustive()
    }
}
