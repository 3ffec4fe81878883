//! The worker of a compile service: a process that compiles a catalog for each request.
//!
//! Environments stay in memory, and each catalog is of the files as they are: files that a catalog has read, listed or missed are compared
//! before the next one and after this one.

mod classes;
mod environments;
mod frame;
mod request;
mod static_catalog;

use std::collections::HashMap;
use std::io::{Read, Write};
use std::sync::Arc;
use std::time::Instant;

use puppetfn_base::error::{Error, ErrorKind};
use puppetfn_catalog::{Draft, Identity, Selection};
use puppetfn_fileserver::{FileLimits, FileServer, FileServerSettings};
use puppetfn_project::Environment;
use puppetfn_puppetdb::client::PuppetDbClient;
use puppetfn_runtime::settings;
use puppetfn_types::convert::to_json_text;
use puppetfn_types::value::{Hash, Value};
use serde::{Deserialize, Serialize};
use serde_json::{Value as Json, json};

use self::classes::{ManifestRules, environment_classes, environment_modules};
use self::environments::{BeginFailure, WarmEnvironment};
pub use self::environments::{EnvironmentSource, is_environment_name, read_environment};
pub use self::frame::{FrameLengths, LENGTHS, RequestHeader, frame_head};
use self::frame::{read_frame, write_answer};
use self::request::CatalogRequest;
pub use self::request::requested_names;
use self::static_catalog::{InlineMetadata, StaticOptions};
use crate::classifier::Classified;
use crate::configuration::stated_strict;
use crate::node::trusted;
use crate::plan::{NodePlan, finish_text};
use crate::store::{NodeStore, StoredFacts, store_catalog};
use crate::{CompileFailure, CompileOptions, Compiler, Configuration, LogEntry};

/// The number of compilations for a request whose files keep changing.
const MOST_ATTEMPTS: u32 = 5;

/// The job of a worker: the header of the first frame.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ServiceJob {
    /// The configuration of every environment.
    pub configuration: Configuration,
    /// The environments.
    pub environments: EnvironmentSource,
    /// The settings of the files that static catalogs describe.
    pub files: FileServerSettings,
}

/// The header of an answer. The body is JSON: the catalog with its log, or an error.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ResponseHeader {
    /// The outcome.
    pub outcome: RequestOutcome,
    /// The name of the node; empty if the request could not be parsed.
    pub node: String,
    /// The name of the environment.
    pub environment: String,
    /// The time of the compilation, in seconds.
    pub seconds: f64,
    /// The number of compilations.
    pub attempts: u32,
}

/// The outcome of a request.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RequestOutcome {
    /// The answer is a catalog.
    Compiled,
    /// Code or data have an error, as Puppet words it.
    Failed,
    /// The request is wrong.
    BadRequest,
    /// There is no such environment.
    NoEnvironment,
    /// Puppet may have another answer.
    Declined,
    /// The configuration cannot be used.
    Misconfigured,
    /// Files changed during each compilation.
    Unsettled,
    /// Ruby code has changed that this process has evaluated: it ends, and another process has to answer.
    Outdated,
    /// The environments were flushed.
    Flushed,
}

/// Answers requests in frames until the stream ends or an answer is [`RequestOutcome::Outdated`].
///
/// # Errors
/// Fails if the stream does, or is not one of frames.
pub fn answer_requests(
    compiler: &mut dyn Compiler,
    mut input: &mut dyn Read,
    output: &mut dyn Write,
) -> Result<(), CompileFailure> {
    let Some((ServiceJob { configuration, environments, files }, _)) = read_frame(&mut input)? else {
        return Ok(());
    };
    let file_limits = FileLimits::new(configuration.limits);
    let mut worker = ServiceWorker {
        files: FileServer::new(files, file_limits),
        configuration: Arc::new(configuration),
        source: environments,
        compiler,
        warm: HashMap::new(),
        store: None,
    };
    while let Some((call, body)) = read_frame(&mut input)? {
        let (answer, body) = worker.answer(&call, &body);
        write_answer(output, &answer, &body)?;
        if answer.outcome == RequestOutcome::Outdated {
            break;
        }
    }
    Ok(())
}

/// A process that compiles catalogs.
struct ServiceWorker<'a> {
    configuration: Arc<Configuration>,
    source: EnvironmentSource,
    compiler: &'a mut dyn Compiler,
    warm: HashMap<String, WarmEnvironment>,
    files: FileServer,
    /// The PuppetDB that stores the facts of requests.
    store: Option<NodeStore>,
}

/// A failure, with its outcome.
struct RequestRefusal {
    outcome: RequestOutcome,
    message: String,
    log: Vec<LogEntry>,
}

impl RequestRefusal {
    fn new(outcome: RequestOutcome, message: impl Into<String>) -> Self {
        Self { outcome, message: message.into(), log: Vec::new() }
    }

    fn of_node(error: Error, node: &str) -> Self {
        let error = error.on_node(node);
        Self::new(outcome_of(&error), error.to_string())
    }
}

impl From<CompileFailure> for RequestRefusal {
    fn from(failure: CompileFailure) -> Self {
        let outcome = match &failure {
            CompileFailure::Error(error) => outcome_of(error),
            CompileFailure::Setting { .. } | CompileFailure::Classifier(_) | CompileFailure::Io(_) => {
                RequestOutcome::Misconfigured
            }
        };
        Self::new(outcome, failure.to_string())
    }
}

impl ServiceWorker<'_> {
    fn answer(&mut self, call: &RequestHeader, body: &[u8]) -> (ResponseHeader, Vec<u8>) {
        let mut answer = ResponseHeader {
            outcome: RequestOutcome::Compiled,
            node: String::new(),
            environment: String::new(),
            seconds: 0.0,
            attempts: 0,
        };
        let started = Instant::now();
        let made = match call {
            RequestHeader::Flush(name) => {
                let is_flushed = |known: &String| name.as_ref().is_none_or(|name| name == known);
                let flushed: Vec<_> = self.warm.extract_if(|known, _| is_flushed(known)).collect();
                let is_outdated = flushed.iter().any(|(_, warm)| warm.is_evaluated());
                answer.outcome = if is_outdated { RequestOutcome::Outdated } else { RequestOutcome::Flushed };
                return (answer, Vec::new());
            }
            RequestHeader::Catalog => self.catalog(body, &mut answer),
            RequestHeader::Node => self.node(body, &mut answer),
            RequestHeader::Classes(name) => self.describe(name, &mut answer, Self::classes),
            RequestHeader::Modules(name) => self.describe(name, &mut answer, Self::modules),
        };
        answer.seconds = started.elapsed().as_secs_f64();
        let body = made.unwrap_or_else(|refusal| {
            answer.outcome = refusal.outcome;
            let log: Vec<Json> = refusal.log.iter().map(entry).collect();
            json!({"message": refusal.message, "issue_kind": refusal.outcome.issue_kind(), "log": log})
                .to_string()
                .into_bytes()
        });
        (answer, body)
    }

    fn catalog(&mut self, body: &[u8], answer: &mut ResponseHeader) -> Result<Vec<u8>, RequestRefusal> {
        let configuration = Arc::clone(&self.configuration);
        let parse = || parse(&configuration, body);
        let request = parse()?;
        answer.node.clone_from(&request.node);
        answer.environment.clone_from(&request.environment);
        if request.checks_environment && request.requested_environment != request.environment {
            return empty_catalog(&request);
        }
        let mut stored_facts = Vec::new();
        if request.stores_facts && stores(&configuration, request.classifies) {
            self.store_facts(&request, &mut stored_facts)?;
        }
        let mut request = Some(request);
        while answer.attempts < MOST_ATTEMPTS {
            answer.attempts += 1;
            // The request is seldom needed twice.
            let next = match request.take() {
                Some(request) => request,
                None => parse()?,
            };
            let name = next.environment.clone();
            let made = self.attempt(next);
            let is_outdated = matches!(&made, Err(RequestRefusal { outcome: RequestOutcome::Outdated, .. }));
            let is_settled = || self.warm.get(&name).is_none_or(|warm| !warm.has_changed());
            if is_outdated || is_settled() {
                return match made {
                    Ok(compiled) => compiled.finish(stored_facts),
                    Err(refusal) => {
                        Err(RequestRefusal { log: [stored_facts, refusal.log].concat(), ..refusal })
                    }
                };
            }
        }
        let message = format!(
            "files of the environment {} changed during each of {MOST_ATTEMPTS} compilations",
            answer.environment
        );
        Err(RequestRefusal::new(RequestOutcome::Unsettled, message))
    }

    /// Stores the facts of a request, whether its catalog can be compiled or not. See `save_facts_from_request` in Puppet's
    /// `indirector/catalog/compiler.rb`.
    fn store_facts(
        &mut self,
        request: &CatalogRequest,
        log: &mut Vec<LogEntry>,
    ) -> Result<(), RequestRefusal> {
        let CatalogRequest { node, requested_environment: environment, inputs, .. } = request;
        let values = &inputs.facts.values;
        let local = || trusted(node, values);
        let facts = StoredFacts {
            node,
            environment,
            values,
            trusted: &inputs.facts.trusted.clone().unwrap_or_else(local),
        };
        let store = match &self.store {
            Some(store) => store,
            None => self.store.insert(NodeStore::new(&self.configuration)?),
        };
        let stored = store.store_facts(&facts, log);
        stored.map_err(|error| RequestRefusal {
            log: std::mem::take(log),
            ..RequestRefusal::new(outcome_of(&error), error.to_string())
        })
    }

    /// Returns a node as its classifier describes it, in the form of Puppet's `Puppet::Node#to_data_hash`.
    fn node(&mut self, body: &[u8], answer: &mut ResponseHeader) -> Result<Vec<u8>, RequestRefusal> {
        let request = parse(&self.configuration, body)?;
        let limits = &self.configuration.limits;
        answer.node.clone_from(&request.node);
        answer.environment.clone_from(&request.environment);
        let classified = request.inputs.classified;
        let mut node = Hash::default();
        node.insert("name".into(), request.node.into());
        node.insert("environment".into(), request.environment.into());
        if !classified.classes.is_empty() {
            let classes = classified.classes.into_iter().map(|class| {
                let parameters =
                    class.parameters.into_iter().map(|(name, value)| (Value::String(name), value));
                (Value::String(class.name), parameters.collect::<Value>())
            });
            node.insert("classes".into(), classes.collect());
        }
        if !classified.parameters.is_empty() {
            node.insert("parameters".into(), classified.parameters.into());
        }
        let text = to_json_text(&node.into(), limits);
        Ok(text.map_err(|error| RequestRefusal::new(outcome_of(&error), error.to_string()))?.into_bytes())
    }

    /// Returns a description of an environment.
    fn describe(
        &self,
        name: &str,
        answer: &mut ResponseHeader,
        describe: impl FnOnce(&Self, &Environment) -> Result<Json, String>,
    ) -> Result<Vec<u8>, RequestRefusal> {
        name.clone_into(&mut answer.environment);
        let environment = read_environment(&self.configuration, &self.source, name)?;
        let environment = environment.ok_or_else(|| no_environment(name))?;
        let described = describe(self, &environment)
            .map_err(|problem| RequestRefusal::new(RequestOutcome::Failed, problem))?;
        Ok(described.to_string().into_bytes())
    }

    fn classes(&self, environment: &Environment) -> Result<Json, String> {
        let settings = self.configuration.puppet_settings().map_err(|failure| failure.to_string())?;
        let resolved = settings::resolve(&settings).map_err(|error| error.to_string())?;
        let own = resolved.get_str("environment");
        let rules = ManifestRules {
            strict: self.configuration.strict.unwrap_or_else(|| stated_strict(&resolved)),
            is_own: own.is_none_or(|own| *own == Value::from(environment.name.as_str())),
            limits: &self.configuration.limits,
        };
        environment_classes(environment, &self.files, &rules)
    }

    fn modules(&self, environment: &Environment) -> Result<Json, String> {
        environment_modules(environment, &self.files, &self.configuration.limits)
    }

    /// Compiles the catalog of a request once.
    fn attempt(&mut self, request: CatalogRequest) -> Result<CompiledCatalog, RequestRefusal> {
        let mut log = Vec::new();
        match self.compile(request, &mut log) {
            Ok(compiled) => Ok(CompiledCatalog { log, ..compiled }),
            Err(refusal) => Err(RequestRefusal { log, ..refusal }),
        }
    }

    fn compile(
        &mut self,
        request: CatalogRequest,
        log: &mut Vec<LogEntry>,
    ) -> Result<CompiledCatalog, RequestRefusal> {
        let CatalogRequest {
            node,
            environment: name,
            inputs,
            code_id,
            static_checksums,
            transaction_uuid,
            classifies,
            marks_virtual,
            ..
        } = request;
        let warm = warm(&mut self.warm, &self.source, &self.configuration, &name)?;
        let (read, files) = warm.begin()?;
        let of_node = |error: Error| RequestRefusal::of_node(error, &node);
        let version = warm.version(&read).map_err(of_node)?;
        let sources = warm.sources()?;
        let configuration = &warm.configuration;
        let mut plan = match configuration.plan_of(&node, inputs, read, log) {
            // Code that is no text.
            Err(CompileFailure::Error(error)) if error.environment().is_some() => return Err(of_node(error)),
            plan => plan?,
        };
        plan.check().map_err(of_node)?;
        plan.read_from(&sources);
        let NodePlan { options, mut request, environment, .. } = plan;
        // Agents ask for the content of files by the identifier of the code.
        let static_checksums = static_checksums.filter(|_| code_id.is_some());
        let static_options = static_options(static_checksums, &environment, &options)?;
        request.files = Some(files);
        let mut compiled = self.compiler.compile(&options, &request);
        log.append(&mut compiled.log);
        // The compiler has named the node.
        let draft =
            compiled.result.map_err(|error| RequestRefusal::new(outcome_of(&error), error.to_string()))?;
        let collect = |options| InlineMetadata::collect(&draft, &environment, &self.files, &options, log);
        let metadata = static_options.map(collect).transpose();
        let metadata =
            metadata.map_err(|error| RequestRefusal::new(outcome_of(&error), error.to_string()))?;
        Ok(CompiledCatalog {
            draft,
            metadata: metadata.unwrap_or_default(),
            identity: Identity { version, code_id, ..Identity::new(environment.name) },
            options,
            log: Vec::new(),
            selection: if marks_virtual { Selection::Marked } else { Selection::Real },
            store: sources.client.filter(|_| stores(configuration, classifies)),
            transaction_uuid,
        })
    }
}

/// A compiled catalog, which is stored and serialized once no file has changed meanwhile.
struct CompiledCatalog {
    draft: Draft,
    metadata: InlineMetadata,
    identity: Identity,
    options: CompileOptions,
    log: Vec<LogEntry>,
    selection: Selection,
    /// The PuppetDB that stores the catalog.
    store: Option<Arc<PuppetDbClient>>,
    transaction_uuid: Option<String>,
}

impl CompiledCatalog {
    /// Stores the catalog, and returns the body of the answer with the log from `earlier` on.
    fn finish(self, earlier: Vec<LogEntry>) -> Result<Vec<u8>, RequestRefusal> {
        let Self { draft, metadata, identity, options, log, selection, store: client, transaction_uuid } =
            self;
        let mut log = [earlier, log].concat();
        let node = draft.node().to_owned();
        let text = || {
            if let Some(client) = client {
                let transaction = transaction_uuid.as_deref();
                store_catalog(&client, &draft, &identity, transaction, &options, &mut log)?;
            }
            let mut text = finish_text(&draft, identity, selection, &options, &mut log)?;
            metadata.add_to(&mut text);
            Ok(text)
        };
        match text() {
            Ok(catalog) => {
                let log: Vec<Json> = log.iter().map(entry).collect();
                Ok(format!("{{\"catalog\":{catalog},\"log\":{}}}", Json::from(log)).into_bytes())
            }
            Err(error) => Err(RequestRefusal { log, ..RequestRefusal::of_node(error, &node) }),
        }
    }
}

/// Parses a request, and classifies its node if it asks for that.
fn parse(configuration: &Configuration, body: &[u8]) -> Result<CatalogRequest, RequestRefusal> {
    let limits = &configuration.limits;
    let request = CatalogRequest::parse(body, limits);
    let mut request = request.map_err(|problem| RequestRefusal::new(RequestOutcome::BadRequest, problem))?;
    if let Some(enc) = configuration.enc.as_deref().filter(|_| request.classifies) {
        request.inputs.classified = Classified::of(enc, &request.node, limits)?;
        if let Some(name) = &request.inputs.classified.environment {
            request.environment.clone_from(name);
        }
    }
    Ok(request)
}

/// Returns true if this service stores facts and catalogs, which Puppet servers do by themselves.
fn stores(configuration: &Configuration, is_for_agent: bool) -> bool {
    configuration.stores && is_for_agent
}

/// Returns the options of a static catalog; `None` if the request or the environment wants none. `checksum_types` are the agent's, if
/// it has named any.
fn static_options(
    checksum_types: Option<Option<String>>,
    environment: &Environment,
    options: &CompileOptions,
) -> Result<Option<StaticOptions>, RequestRefusal> {
    let checksum_types = checksum_types.filter(|_| makes_static(environment, options));
    let chosen =
        checksum_types.map(|names| StaticOptions::new(names.as_deref(), options.target(), options.limits));
    chosen.transpose().map_err(|error| RequestRefusal::new(RequestOutcome::Failed, error.to_string()))
}

/// Returns true if an environment has static catalogs, as its `environment.conf` or Puppet's settings say.
fn makes_static(environment: &Environment, options: &CompileOptions) -> bool {
    let own = environment.settings.get_str("static_catalogs");
    let set = || options.settings.get_str("static_catalogs");
    match own.or_else(set) {
        Some(Value::Boolean(truth)) => *truth,
        Some(Value::String(text)) => **text == *"true",
        _ => true,
    }
}

/// Returns the catalog of a node that belongs to another environment than its agent has asked for. See `Compiler#find` in Puppet's
/// `indirector/catalog/compiler.rb`.
fn empty_catalog(request: &CatalogRequest) -> Result<Vec<u8>, RequestRefusal> {
    let CatalogRequest { node, environment, requested_environment: requested, .. } = request;
    let catalog = json!({
        "tags": [], "name": node, "version": null, "code_id": null, "catalog_uuid": Identity::random_uuid(),
        "catalog_format": 2, "environment": environment, "resources": [], "edges": [], "classes": [],
    });
    let message = format!(
        "Requested environment '{requested}' did not match server specified environment '{environment}'"
    );
    Ok(json!({"catalog": catalog, "log": [entry(&LogEntry::warning(message))]}).to_string().into_bytes())
}

/// Returns the environment of a name, whose files may be in memory.
fn warm<'w>(
    known: &'w mut HashMap<String, WarmEnvironment>,
    source: &EnvironmentSource,
    configuration: &Configuration,
    name: &str,
) -> Result<&'w mut WarmEnvironment, RequestRefusal> {
    let directory = source.directory(name);
    let is_gone = |warm: &WarmEnvironment| directory.as_ref().is_none_or(|directory| !warm.is_in(directory));
    if known.get(name).is_some_and(is_gone) && known.remove(name).is_some_and(|warm| warm.is_evaluated()) {
        return Err(BeginFailure::CodeChanged.into());
    }
    let Some(directory) = directory else {
        return Err(no_environment(name));
    };
    if !known.contains_key(name) {
        known.insert(name.to_owned(), WarmEnvironment::new(configuration, name, &directory)?);
    }
    known.get_mut(name).ok_or_else(|| RequestRefusal::new(RequestOutcome::NoEnvironment, name))
}

fn no_environment(name: &str) -> RequestRefusal {
    RequestRefusal::new(RequestOutcome::NoEnvironment, format!("Could not find environment '{name}'"))
}

impl From<BeginFailure> for RequestRefusal {
    fn from(failure: BeginFailure) -> Self {
        match failure {
            BeginFailure::CodeChanged => {
                Self::new(RequestOutcome::Outdated, "Ruby code of the environment has changed")
            }
            BeginFailure::Failure(failure) => failure.into(),
        }
    }
}

/// Parts of messages about this program rather than about code: limits, Ruby that is not run, defects, and libraries that Puppet's Ruby may have.
/// An error that Ruby code has seen keeps no more than its message.
const OF_THIS_PROGRAM: [&str; 5] = [
    "; raise it with Limits, ",
    "which this program does not run",
    "which this runtime does not run",
    "internal error of puppetfn: ",
    "cannot load such file -- ",
];

/// Returns the outcome of an error: Puppet has other limits, other libraries, and no defects of this library.
fn outcome_of(error: &Error) -> RequestOutcome {
    let is_of_this_program = || OF_THIS_PROGRAM.iter().any(|part| error.message().contains(part));
    if matches!(error.kind(), ErrorKind::Limit | ErrorKind::Internal) || is_of_this_program() {
        RequestOutcome::Declined
    } else {
        RequestOutcome::Failed
    }
}

impl RequestOutcome {
    /// Returns the name of the outcome in errors.
    pub fn issue_kind(self) -> &'static str {
        match self {
            Self::Compiled | Self::Flushed => "",
            Self::Failed => "COMPILATION_FAILED",
            Self::BadRequest => "BAD_REQUEST",
            Self::NoEnvironment => "ENVIRONMENT_NOT_FOUND",
            Self::Declined => "DECLINED",
            Self::Misconfigured => "MISCONFIGURED",
            Self::Unsettled => "ENVIRONMENT_UNSETTLED",
            Self::Outdated => "OUTDATED",
        }
    }
}

fn entry(entry: &LogEntry) -> Json {
    let LogEntry { level, source, message } = entry;
    match source {
        Some(source) => json!({"level": level.name(), "source": source, "message": message}),
        None => json!({"level": level.name(), "message": message}),
    }
}
