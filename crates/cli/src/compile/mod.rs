//! `puppetfn compile`.
#![allow(clippy::disallowed_methods, reason = "the user names these files and programs")]

mod classifier;
pub(crate) mod many;
mod node;
mod summary;
pub(crate) mod text;
pub(crate) mod worker;

use std::ffi::OsString;
use std::fmt::Display;
use std::hash::{BuildHasher, RandomState};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use self::classifier::{Classified, output};
pub(crate) use self::node::trusted;
use self::worker::Paths;
use super::args::compile::{CatalogFormat, Compile, Given};
use super::data::Facts;
use super::settings::{check_directory, modulepath};
use super::{Automatic, Compiled, Explained, FAILED, Failure, Host, OK, Options, Request, advice, complain};
use puppetfn_base::error::{Error, ErrorKind};
use puppetfn_base::file_system::FileSystem;
use puppetfn_catalog::data::{Identity, Selection, to_data};
use puppetfn_catalog::{Catalog, Reference, Resource, Why};
use puppetfn_graph::render;
use puppetfn_project::{self as project, Environment, absolute, expand};
use puppetfn_runtime::eval::{Manifest, NodeClass};
use puppetfn_types::convert::{json, yaml};
use puppetfn_types::function::LogLevel;
use puppetfn_types::value::{Hash, Value};

/// How long the parts of the work took.
struct Times {
    /// Finding out what to compile.
    reading: Duration,
    compiling: Duration,
}

/// An environment and its main manifest.
#[derive(Clone)]
struct Read {
    environment: Environment,
    main: Vec<Manifest>,
}

/// What is to be compiled.
struct Plan {
    options: Options,
    request: Request,
    environment: Environment,
    /// Why there can be no catalog, if parameters of the node have names that are the compiler's.
    refusal: Option<Error>,
}

impl Plan {
    fn check(&mut self) -> Result<(), Error> {
        self.refusal.take().map_or(Ok(()), Err)
    }
}

/// Compiles the catalog of a node, or those of many in processes that are started with the same arguments.
pub(super) fn run(
    compile: &Compile,
    arguments: &[OsString],
    host: &mut dyn Host,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Result<i32, Failure> {
    match (&compile.node, &compile.many.worker) {
        (Some(node), _) => one(compile, node, host, out, err),
        (None, Some(folder)) => worker::work(&compile.given, folder, Paths::Absolute, host, out),
        (None, None) => many::run(compile, arguments, host, out, err),
    }
}

/// A catalog, and what is said of it.
struct Made {
    catalog: Catalog,
    /// What types relate by themselves, if that was asked for.
    automatic: Vec<Automatic>,
    identity: Identity,
    options: Options,
    times: Times,
}

impl Made {
    /// Compiles the catalog of a node. Returns nothing after it was said why there is none.
    fn of(
        given: &Given,
        node: &str,
        automatic: bool,
        host: &mut dyn Host,
        err: &mut dyn Write,
    ) -> Result<Option<Self>, Failure> {
        let started = Instant::now();
        let mut plan = match given.plan(node, given.settings.facts.as_deref(), err) {
            // Code that is no text.
            Err(Failure::Function(error)) if error.environment().is_some() => {
                failed(&error.on_node(node), err);
                return Ok(None);
            }
            plan => plan?,
        };
        let checked = plan.check();
        let Plan { options, mut request, environment, .. } = plan;
        request.automatic = automatic;
        let reading = started.elapsed();

        let started = Instant::now();
        let made = checked
            .and_then(|()| version(&environment, !given.no_config_version))
            .map_err(|error| error.on_node(&request.node))
            .and_then(|version| Ok((catalog(host, &options, &request, err)?, version)));
        let ((catalog, automatic), version) = match made {
            Ok(made) => made,
            Err(error) => {
                failed(&error, err);
                return Ok(None);
            }
        };
        let times = Times { reading, compiling: started.elapsed() };

        let (node, name, seconds) = (&request.node, &environment.name, times.compiling.as_secs_f64());
        let done = format!("Compiled catalog for {node} in environment {name} in {seconds:.2} seconds");
        log(err, LogLevel::Notice, &done);
        let identity = Identity { environment: environment.name, version, code_id: None, uuid: uuid() };
        Ok(Some(Self { catalog, automatic, identity, options, times }))
    }

    fn data(&self, err: &mut dyn Write) -> Result<Value, Error> {
        data(&self.catalog, &self.identity, &self.options, err)
    }

    /// Returns what the catalog is for those that read one.
    fn read(&self, err: &mut dyn Write) -> Result<puppetfn_diff::Catalog, Failure> {
        let json = json::to_json(&self.data(err)?, &self.options.limits)?;
        puppetfn_diff::Catalog::of_value(json)
            .map_err(|error| Failure::Function(Error::new(ErrorKind::Conversion, error.to_string())))
    }
}

/// Compiles a catalog that is to be looked at, also for what types relate by themselves. Returns nothing after it was said why
/// there is none.
pub(super) fn read(
    given: &Given,
    node: &str,
    host: &mut dyn Host,
    err: &mut dyn Write,
) -> Result<Option<(puppetfn_diff::Catalog, Vec<Automatic>)>, Failure> {
    let made = Made::of(given, node, true, host, err)?;
    made.map(|made| Ok((made.read(err)?, made.automatic))).transpose()
}

/// Returns the options and the request of a node's compilation.
pub(super) fn request(given: &Given, node: &str, err: &mut dyn Write) -> Result<(Options, Request), Failure> {
    let mut plan = given.plan(node, given.settings.facts.as_deref(), err)?;
    plan.check().map_err(|error| error.on_node(node))?;
    Ok((plan.options, plan.request))
}

/// Returns the same for a catalog without code, as `puppet lookup` compiles it: the node has no classifier, and facts from the
/// file only.
pub(super) fn codeless_request(given: &Given, node: &str) -> Result<(Options, Request), Failure> {
    let settings = &given.settings;
    let facts = settings.facts(Some(node))?;
    let mut options = settings.options_with(facts.values)?;
    if let Some(name) = &given.environment_name {
        options.environment_name = Some(name.clone());
    }
    if settings.trusted.is_none() {
        options.trusted = facts.trusted.unwrap_or_else(|| trusted(node, &options.facts));
    }
    let nothing = Hash::default();
    if let Some(error) = node::refusal(&nothing, &options.facts) {
        return Err(error.on_node(node).into());
    }
    let server_facts = node::server_facts(&options.environment_name());
    let request = Request {
        node: node.to_owned(),
        main: Vec::new(),
        classes: Vec::new(),
        variables: node::variables(&nothing, &options.facts, &nothing, &server_facts),
        server_facts,
        automatic: false,
        files: None,
    };
    Ok((options, request))
}

/// Finds out why a resource is in the catalog of a node. Returns nothing after it was said why that is not known.
pub(super) fn why(
    given: &Given,
    node: &str,
    resource: &Reference,
    host: &mut dyn Host,
    err: &mut dyn Write,
) -> Result<Option<(Why, Options)>, Failure> {
    let mut plan = given.plan(node, given.settings.facts.as_deref(), err)?;
    if let Err(error) = plan.check() {
        failed(&error.on_node(node), err);
        return Ok(None);
    }
    let Plan { options, request, .. } = plan;
    let Explained { result, automatic, log: logged } = host.why(&options, &request, resource);
    report(&logged, err);
    match result {
        Ok(mut why) => {
            why.relations
                .extend(automatic.iter().filter_map(|found| found.relation(&why.resource.reference)));
            Ok(Some((why, options)))
        }
        Err(error) => {
            failed(&error, err);
            Ok(None)
        }
    }
}

fn one(
    compile: &Compile,
    node: &str,
    host: &mut dyn Host,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Result<i32, Failure> {
    let Some(made) = Made::of(&compile.given, node, false, host, err)? else { return Ok(FAILED) };
    let limits = &made.options.limits;
    let wants_data = match compile.format {
        CatalogFormat::Json | CatalogFormat::Yaml => true,
        CatalogFormat::Text | CatalogFormat::Dot | CatalogFormat::Summary => false,
    };
    let data = match wants_data.then(|| made.data(err)).transpose() {
        Ok(data) => data.unwrap_or(Value::Undef),
        // Values that no data can represent, which is as much a failure of the catalog as those before.
        Err(error) => {
            failed(&error, err);
            return Ok(FAILED);
        }
    };
    match compile.format {
        CatalogFormat::Json => writeln!(out, "{:#}", json::to_json(&data, limits)?)?,
        CatalogFormat::Yaml => write!(out, "{}", yaml::to_yaml(&data, limits)?)?,
        CatalogFormat::Text => text::write(&made.catalog, limits, out)?,
        CatalogFormat::Dot => render::dot(&made.read(err)?.graph(), out)?,
        CatalogFormat::Summary => summary::write(&made.catalog, &made.identity, &made.times, limits, out)?,
    }
    Ok(OK)
}

/// Compiles the catalog, and reports what is logged meanwhile.
fn catalog(
    host: &mut dyn Host,
    options: &Options,
    request: &Request,
    err: &mut dyn Write,
) -> Result<(Catalog, Vec<Automatic>), Error> {
    let Compiled { result, automatic, log: logged } = host.compile(options, request);
    report(&logged, err);
    Ok((result?, automatic))
}

/// Prints what was logged that anybody is to see.
fn report(logged: &[(LogLevel, String)], err: &mut dyn Write) {
    for (level, message) in logged.iter().filter(|(level, _)| *level >= LogLevel::Notice) {
        log(err, *level, message);
    }
}

/// Returns the catalog as agents get it.
fn data(
    catalog: &Catalog,
    identity: &Identity,
    options: &Options,
    err: &mut dyn Write,
) -> Result<Value, Error> {
    let made = to_data(catalog, identity, Selection::Real, &options.limits)?;
    for warning in &made.warnings {
        log(err, LogLevel::Warning, warning);
    }
    Ok(made.data)
}

/// Returns the resources of the node: those that are not virtual.
fn own(catalog: &Catalog) -> impl Iterator<Item = &Resource> {
    catalog.resources().filter(|resource| !resource.is_virtual())
}

impl Given {
    /// Returns the same for another environment.
    pub(crate) fn in_environment(&self, directory: &Path) -> Self {
        let mut given = self.clone();
        given.settings.environment = Some(directory.to_owned());
        given
    }

    /// Reads all that is to be known of a node before code is read.
    fn plan(&self, node: &str, facts: Option<&Path>, err: &mut dyn Write) -> Result<Plan, Failure> {
        self.plan_in(node, facts, err, &mut |classified| self.read(classified))
    }

    /// Reads the environment that is named, or that the classifier names.
    fn read(&self, classified: Option<&str>) -> Result<Read, Failure> {
        let environment = self.environment(classified)?;
        let main = environment.main(&self.settings.bounds.limits())?;
        Ok(Read { environment, main })
    }

    /// Does the same in the environment that `find` returns for the name that the classifier gives, if it does.
    fn plan_in(
        &self,
        node: &str,
        facts: Option<&Path>,
        err: &mut dyn Write,
        find: &mut dyn FnMut(Option<&str>) -> Result<Read, Failure>,
    ) -> Result<Plan, Failure> {
        let mut warn = |warning: &str| log(err, LogLevel::Warning, warning);
        self.refuse_nothing()?;
        let limits = self.settings.bounds.limits();
        let facts = match facts {
            Some(path) => Facts::read("--facts", path, Some(node), &limits)?,
            None => Facts::default(),
        };
        if let Some(other) = facts.node.as_deref().filter(|name| *name != node) {
            warn(&format!("These are the facts of {other}, not of {node}"));
        }
        let classified = match &self.enc {
            Some(enc) => Classified::of(enc, node, &limits)?,
            None => Classified::default(),
        };
        let Read { environment, main } = find(classified.environment.as_deref())?;
        environment.warnings.iter().for_each(|warning| warn(warning));
        let mut options = self.options(&environment, facts.values)?;
        let set = &classified.parameters;
        let overridden = node::overridden(node, &environment.name, set, &options.facts, &limits)?;
        overridden.iter().for_each(|warning| warn(warning));
        if self.settings.trusted.is_none() {
            options.trusted = facts.trusted.unwrap_or_else(|| node::trusted(node, &options.facts));
        }
        let local = node::local_facts(node, &options.facts, options.is_set("noop"));
        let refusal = node::refusal(set, &options.facts);
        node::add_local_facts(&mut options.facts, &local);
        let class = |name: &String| NodeClass { name: name.trim().into(), parameters: Vec::new() };
        let server_facts = node::server_facts(&environment.name);
        let request = Request {
            node: node.to_owned(),
            main,
            classes: classified.classes.into_iter().chain(self.classes.iter().map(class)).collect(),
            variables: node::variables(&classified.parameters, &options.facts, &local, &server_facts),
            server_facts,
            automatic: false,
            files: None,
        };
        Ok(Plan { options, request, environment, refusal })
    }

    /// Returns the options for nodes of an environment.
    fn options(&self, environment: &Environment, facts: Hash) -> Result<Options, Failure> {
        let mut options = self.settings.options_in(environment, facts)?;
        options.environment_name = Some(environment.name.clone());
        Ok(options)
    }

    /// Returns what may be read of the machine where nodes of an environment are compiled.
    pub(crate) fn file_system(&self, environment: &Environment) -> Result<Arc<dyn FileSystem>, Failure> {
        Ok(self.options(environment, Hash::default())?.file_system())
    }

    /// Refuses to compile where nothing is named: an empty catalog is hardly what is wanted.
    fn refuse_nothing(&self) -> Result<(), Failure> {
        let sources = (&self.settings.environment, &self.manifest, &self.enc);
        if !matches!(sources, (None, None, None)) || !self.classes.is_empty() {
            return Ok(());
        }
        let message = "there is nothing to compile: expected --environment, --manifest, --classes or --enc";
        Err(Failure::Usage(message.to_owned()))
    }

    /// Returns the environment that is named, or that the classifier names.
    pub(crate) fn environment(&self, classified: Option<&str>) -> Result<Environment, Failure> {
        let (name, directory) = self.name_and_directory(classified)?;
        let manifest = self.manifest.as_deref().map(absolute);
        if let Some(path) = &manifest
            && let Err(error) = std::fs::metadata(path)
        {
            return Err(Failure::Usage(format!("--manifest: {}: {error}", path.display())));
        }
        if let Some(directory) = &directory {
            self.refuse_other_directory(directory)?;
        }
        let absolute = |paths: Vec<PathBuf>| paths.iter().map(|path| expand(&absolute(path))).collect();
        let given = project::Given {
            name,
            directory,
            modulepath: absolute(modulepath("--modulepath", &self.settings.modulepath)?),
            basemodulepath: absolute(modulepath("--basemodulepath", &self.basemodulepath)?),
            manifest,
            settings: self.settings.sources()?.with(&Hash::default()),
            limits: self.settings.bounds.limits(),
        };
        Ok(Environment::read(given)?)
    }

    /// Refuses a directory that is no environment: nothing in it would be compiled.
    fn refuse_other_directory(&self, directory: &Path) -> Result<(), Failure> {
        let is_environment = project::CONTENTS.iter().any(|name| directory.join(name).exists());
        if is_environment || self.manifest.is_some() || !self.settings.modulepath.is_empty() {
            return Ok(());
        }
        let message = format!(
            "--environment: {} is no environment: there is no {} in it",
            directory.display(),
            project::CONTENTS.join(", ")
        );
        Err(Failure::Usage(message))
    }

    /// Returns the name and the directory of the environment. One that the classifier names is beside the given one,
    /// unless that is called so.
    fn name_and_directory(&self, classified: Option<&str>) -> Result<(String, Option<PathBuf>), Failure> {
        let Some(given) = &self.settings.environment else {
            let name = classified.or(self.environment_name.as_deref()).unwrap_or("production");
            return Ok((name.to_owned(), None));
        };
        check_directory("--environment", given)?;
        let directory = expand(&absolute(given));
        let name = self.environment_name.clone().unwrap_or_else(|| project::environment_name(&directory));
        let Some(other) = classified.filter(|classified| *classified != name) else {
            return Ok((name, Some(directory)));
        };
        let beside = directory.with_file_name(other);
        if beside.is_dir() {
            return Ok((other.to_owned(), Some(beside)));
        }
        Err(Failure::Usage(format!(
            "--enc: the node is in the environment {other}, and there is no {}; --environment-name {other} makes {} \
             that environment",
            beside.display(),
            directory.display()
        )))
    }
}

/// Returns the version of the code: what a command of the environment says, or else the time.
fn version(environment: &Environment, may_ask: bool) -> Result<Value, Error> {
    let command = environment.config_version.as_deref().filter(|command| may_ask && !command.is_empty());
    let Some(command) = command else {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        return Ok(i64::try_from(now.as_secs()).unwrap_or(i64::MAX).into());
    };
    let said = output(Command::new("sh").arg("-c").arg(command));
    said.map(|version| version.trim().into()).map_err(|problem| {
        let message = format!("Execution of config_version command `{command}` failed: {problem}");
        Error::new(ErrorKind::Evaluation, message)
    })
}

/// Returns what distinguishes the catalog from all others: a UUID of version 4.
fn uuid() -> String {
    let state = RandomState::new();
    let random = (u128::from(state.hash_one(0)) << 64) | u128::from(state.hash_one(1));
    let bits = (random & !(0xf << 76) & !(0x3 << 62)) | (0x4 << 76) | (0x2 << 62);
    let text = format!("{bits:032x}");
    let part = |range: std::ops::Range<usize>| text.get(range).unwrap_or_default();
    [part(0..8), part(8..12), part(12..16), part(16..20), part(20..32)].join("-")
}

/// Prints what went wrong.
fn failed(error: &Error, err: &mut dyn Write) {
    log(err, LogLevel::Err, error);
    let explanation = error.explanation().filter(|explanation| !explanation.restates_message());
    let explanation = explanation.map(ToString::to_string).unwrap_or_default();
    if !explanation.is_empty() {
        complain(err, &format!("\n{explanation}"));
    }
    if let Some(advice) = advice::of_error(error) {
        complain(err, &format!("help: {advice}"));
    }
}

/// Prints a message as Puppet does on the console.
pub(crate) fn log(err: &mut dyn Write, level: LogLevel, message: &(impl Display + ?Sized)) {
    let name = match level {
        LogLevel::Debug => "Debug",
        LogLevel::Info => "Info",
        LogLevel::Notice => "Notice",
        LogLevel::Warning => "Warning",
        LogLevel::Err => "Error",
        LogLevel::Alert => "Alert",
        LogLevel::Emerg => "Emergency",
        LogLevel::Crit => "Critical",
    };
    complain(err, &format!("{name}: {message}"));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_catalog_has_a_uuid_of_its_own() {
        let (one, other) = (uuid(), uuid());
        assert_ne!(one, other);
        let lengths: Vec<usize> = one.split('-').map(str::len).collect();
        assert_eq!(lengths, [8, 4, 4, 4, 12]);
        assert_eq!(one.as_bytes()[14], b'4', "{one}");
        assert!(b"89ab".contains(&one.as_bytes()[19]), "{one}");
    }
}
