//! Plans: the inputs of one node's compilation.

use std::sync::Arc;
use std::time::{Duration, Instant};

use puppetfn_base::error::Error;
use puppetfn_catalog::{
    Catalog, DependencyCycle, Draft, ExportSource, FinishedCatalog, FinishedText, Identity, Reference,
    ResourceProvenance, Selection,
};
use puppetfn_project::Environment;
use puppetfn_runtime::eval::NodeClass;
use puppetfn_types::function::LogLevel;
use puppetfn_types::value::{Hash, Value};

use crate::classifier::Classified;
use crate::data_sources::DataSources;
use crate::environment::ReadEnvironment;
use crate::facts::{FactSource, FactsFile};
use crate::store::store;
use crate::version::version;
use crate::{
    Automatic, CompileFailure, CompileOptions, Compiler, Configuration, Explained, LogEntry, Request, node,
};

/// Puppet's setting for exported resources.
const STORECONFIGS: &str = "storeconfigs";

/// The inputs of one node's compilation.
#[derive(Debug)]
pub struct NodePlan {
    /// The options, with the facts of the node.
    pub options: CompileOptions,
    /// The request.
    pub request: Request,
    pub(crate) environment: Environment,
    /// Why there can be no catalog, if parameters of the node have names that are the compiler's.
    refusal: Option<Error>,
}

/// The inputs of a node's compilation besides its environment.
#[derive(Debug)]
pub(crate) struct NodeInputs {
    pub facts: FactsFile,
    pub classified: Classified,
    /// The facts of the server, if they are not this machine's.
    pub server_facts: Option<Hash>,
    /// Whether the parameters include the facts already, as on a Puppet server.
    pub is_merged: bool,
}

/// The catalog of a node.
#[derive(Debug)]
pub struct NodeCatalog {
    /// The catalog as the compiler has it.
    pub draft: Draft,
    /// Relationships that resource types add, if they were requested.
    pub automatic: Vec<Automatic>,
    /// Environment, version and identifiers of the catalog.
    pub identity: Identity,
    /// The options of the compilation.
    pub options: CompileOptions,
    /// Time spent on facts, classifier and environment.
    pub reading: Duration,
    /// Time spent on the compilation.
    pub compiling: Duration,
}

impl NodeCatalog {
    /// Returns the dependency cycles, with the requested relationships that types add.
    pub fn cycles(&self) -> Vec<DependencyCycle> {
        let automatic: Vec<_> = self.automatic.iter().map(Automatic::edge).collect();
        self.draft.cycles(&automatic)
    }

    /// Returns warnings about the dependency cycles, with paths relative to the environment.
    pub fn cycle_warnings(&self) -> Vec<LogEntry> {
        self.options.cycle_texts(&self.cycles()).into_iter().map(LogEntry::warning).collect()
    }

    /// Returns the catalog as agents get it. Warnings about values are added to the log.
    ///
    /// # Errors
    /// The same errors as [`Draft::finish`].
    pub fn finish(&self, log: &mut Vec<LogEntry>) -> Result<Catalog, Error> {
        finish(&self.draft, self.identity.clone(), &self.options, log)
    }
}

impl CompileOptions {
    /// Returns a draft as agents get it, with the current time as its version, and warnings about values.
    ///
    /// # Errors
    /// The same errors as [`Draft::finish`].
    pub fn finish(&self, draft: &Draft) -> Result<(Catalog, Vec<LogEntry>), Error> {
        let identity = Identity::new(self.environment_name());
        let mut log = Vec::new();
        Ok((finish(draft, identity, self, &mut log)?, log))
    }
}

pub(crate) fn finish(
    draft: &Draft,
    identity: Identity,
    options: &CompileOptions,
    log: &mut Vec<LogEntry>,
) -> Result<Catalog, Error> {
    let FinishedCatalog { catalog, warnings } = draft.finish(identity, Selection::Real, &options.limits)?;
    log.extend(warnings.into_iter().map(LogEntry::warning));
    Ok(catalog)
}

/// Returns the JSON of a catalog. Warnings about values are added to the log.
///
/// # Errors
/// The same errors as [`Draft::finish_text`].
pub(crate) fn finish_text(
    draft: &Draft,
    identity: Identity,
    selection: Selection,
    options: &CompileOptions,
    log: &mut Vec<LogEntry>,
) -> Result<String, Error> {
    let FinishedText { json, warnings } = draft.finish_text(identity, selection, &options.limits)?;
    log.extend(warnings.into_iter().map(LogEntry::warning));
    Ok(json)
}

impl Configuration {
    /// Compiles the catalog of a node. `log` gets the log entries even if the compilation fails; the error itself is not logged.
    ///
    /// # Errors
    /// [`CompileFailure`] if the node cannot be compiled with this configuration. The inner error is the reason for there being no catalog: one
    /// of code or data, for this node.
    pub fn compile(
        &self,
        node: &str,
        facts: &FactSource,
        automatic: bool,
        compiler: &mut dyn Compiler,
        log: &mut Vec<LogEntry>,
    ) -> Result<Result<NodeCatalog, Error>, CompileFailure> {
        let started = Instant::now();
        let mut plan = match self.plan(node, facts, log) {
            // Code that is no text.
            Err(CompileFailure::Error(error)) if error.environment().is_some() => {
                return Ok(Err(error.on_node(node)));
            }
            plan => plan?,
        };
        let sources = DataSources::open(self)?;
        plan.read_from(&sources);
        let checked = plan.check();
        let NodePlan { options, mut request, environment, .. } = plan;
        request.automatic = automatic;
        let reading = started.elapsed();

        let started = Instant::now();
        let version = checked
            .and_then(|()| version(&environment, !self.no_config_version))
            .map_err(|error| error.on_node(node));
        let version = match version {
            Ok(version) => version,
            Err(error) => return Ok(Err(error)),
        };
        let mut compiled = compiler.compile(&options, &request);
        log.append(&mut compiled.log);
        let compiling = started.elapsed();
        let identity = Identity { version, ..Identity::new(environment.name) };
        let stored = compiled.result.and_then(|draft| {
            if let Some(client) = sources.client.as_ref().filter(|_| self.stores) {
                store(client, &draft, &identity, &options, log).map_err(|error| error.on_node(node))?;
            }
            Ok(draft)
        });
        Ok(stored.map(|draft| {
            let (name, seconds) = (&identity.environment, compiling.as_secs_f64());
            let done = format!("Compiled catalog for {node} in environment {name} in {seconds:.2} seconds");
            log.push(LogEntry::new(LogLevel::Notice, done));
            NodeCatalog { draft, automatic: compiled.automatic, identity, options, reading, compiling }
        }))
    }

    /// Finds out why a resource is in the catalog of a node.
    ///
    /// # Errors
    /// The same errors as [`Configuration::compile`].
    pub fn why(
        &self,
        node: &str,
        facts: &FactSource,
        resource: &Reference,
        compiler: &mut dyn Compiler,
        log: &mut Vec<LogEntry>,
    ) -> Result<Result<(ResourceProvenance, CompileOptions), Error>, CompileFailure> {
        let mut plan = self.plan(node, facts, log)?;
        if let Err(error) = plan.check() {
            return Ok(Err(error.on_node(node)));
        }
        plan.read_from(&DataSources::open(self)?);
        let NodePlan { options, request, .. } = plan;
        let Explained { result, automatic, log: mut logged } = compiler.why(&options, &request, resource);
        log.append(&mut logged);
        Ok(result.map(|mut why| {
            let relations = automatic.iter().filter_map(|found| found.relation(&why.resource.reference));
            why.relations.extend(relations);
            (why, options)
        }))
    }

    /// Reads all data about a node before code is evaluated. Warnings are added to the log.
    ///
    /// # Errors
    /// Fails if the configuration, the facts or the answer of the node classifier cannot be used.
    pub fn plan(
        &self,
        node: &str,
        facts: &FactSource,
        log: &mut Vec<LogEntry>,
    ) -> Result<NodePlan, CompileFailure> {
        self.plan_in(node, facts, log, &mut |classified| self.read_environment(classified))
    }

    /// Returns the options and the request of a node's catalog.
    ///
    /// # Errors
    /// The same errors as [`Configuration::plan`]. Fails too if a parameter of the node has a name that the compiler reserves.
    pub fn checked_plan(
        &self,
        node: &str,
        facts: &FactSource,
        log: &mut Vec<LogEntry>,
    ) -> Result<NodePlan, CompileFailure> {
        let mut plan = self.plan(node, facts, log)?;
        plan.check().map_err(|error| error.on_node(node))?;
        plan.read_from(&DataSources::open(self)?);
        Ok(plan)
    }

    /// Reads the same for a catalog without code, as `puppet lookup` compiles it: the node has no classifier, and facts from the
    /// file only.
    ///
    /// # Errors
    /// The same errors as [`Configuration::checked_plan`].
    pub fn codeless_plan(
        &self,
        node: &str,
        facts: &FactSource,
    ) -> Result<(CompileOptions, Request), CompileFailure> {
        let facts = facts.read(Some(node), &self.limits)?;
        let mut options = self.options_with(facts.values)?;
        if let Some(name) = &self.environment_name {
            options.environment_name = Some(name.clone());
        }
        if self.trusted.is_none() {
            options.trusted = facts.trusted.unwrap_or_else(|| node::trusted(node, &options.facts));
        }
        let nothing = Hash::default();
        if let Some(error) = node::refusal(&nothing, &options.facts) {
            return Err(error.on_node(node).into());
        }
        let server_facts = self.server_facts.of_environment(&options.environment_name(), options.target());
        let request = Request {
            node: node.to_owned(),
            main: Vec::new(),
            classes: Vec::new(),
            variables: node::variables(&nothing, &options.facts, &nothing, &server_facts),
            server_facts,
            automatic: false,
            files: None,
            exports: None,
            queries: None,
        };
        Ok((options, request))
    }

    /// Does the same as [`Self::plan`] in the environment that `find` returns for the classifier's name of it, if it has one.
    pub(crate) fn plan_in(
        &self,
        node: &str,
        facts: &FactSource,
        log: &mut Vec<LogEntry>,
        find: &mut dyn FnMut(Option<&str>) -> Result<ReadEnvironment, CompileFailure>,
    ) -> Result<NodePlan, CompileFailure> {
        self.refuse_nothing()?;
        let limits = self.limits;
        let facts = facts.read(Some(node), &limits)?;
        if let Some(other) = facts.node.as_deref().filter(|name| *name != node) {
            log.push(LogEntry::warning(format!("These are the facts of {other}, not of {node}")));
        }
        let classified = match &self.enc {
            Some(enc) => Classified::of(enc, node, &limits)?,
            None => Classified::default(),
        };
        let found = find(classified.environment.as_deref())?;
        let inputs = NodeInputs { facts, classified, server_facts: None, is_merged: false };
        self.plan_of(node, inputs, found, log)
    }

    /// Returns the plan of a node in an environment.
    pub(crate) fn plan_of(
        &self,
        node: &str,
        inputs: NodeInputs,
        environment: ReadEnvironment,
        log: &mut Vec<LogEntry>,
    ) -> Result<NodePlan, CompileFailure> {
        let NodeInputs { facts, classified, server_facts, is_merged } = inputs;
        let ReadEnvironment { environment, main, options } = environment;
        log.extend(environment.warnings.iter().map(LogEntry::warning));
        let mut options = CompileOptions { facts: facts.values, ..options };
        let set = &classified.parameters;
        if self.trusted.is_none() {
            options.trusted = facts.trusted.unwrap_or_else(|| node::trusted(node, &options.facts));
        }
        let local = if is_merged {
            Hash::default()
        } else {
            let overridden = node::overridden(node, &environment.name, set, &options.facts, &self.limits)?;
            log.extend(overridden.into_iter().map(LogEntry::warning));
            node::local_facts(node, &options.facts, options.is_set("noop"), options.target())
        };
        let refusal = node::refusal(set, &options.facts);
        node::add_local_facts(&mut options.facts, &local);
        let class = |name: &String| NodeClass { name: name.trim().into(), parameters: Vec::new() };
        let of_machine = || self.server_facts.of_environment(&environment.name, options.target());
        let server_facts = server_facts.unwrap_or_else(of_machine);
        let request = Request {
            node: node.to_owned(),
            main,
            classes: classified.classes.into_iter().chain(self.classes.iter().map(class)).collect(),
            variables: node::variables(&classified.parameters, &options.facts, &local, &server_facts),
            server_facts,
            automatic: false,
            files: None,
            exports: None,
            queries: None,
        };
        Ok(NodePlan { options, request, environment, refusal })
    }
}

impl NodePlan {
    /// Makes collectors find the resources that other nodes export, and sets Puppet's setting `storeconfigs`, unless that is off.
    pub fn collect_from(&mut self, source: Arc<dyn ExportSource>) {
        let settings = &mut self.options.settings;
        if settings.get_str(STORECONFIGS) != Some(&Value::Boolean(false)) {
            settings.insert(STORECONFIGS.into(), true.into());
            self.request.exports = Some(source);
        }
    }

    /// Sets the sources of collectors and queries, if there are any.
    pub(crate) fn read_from(&mut self, sources: &DataSources) {
        if let Some(exports) = &sources.exports {
            self.collect_from(Arc::clone(exports));
        }
        self.request.queries.clone_from(&sources.queries);
    }

    pub(crate) fn check(&mut self) -> Result<(), Error> {
        self.refusal.take().map_or(Ok(()), Err)
    }
}
