//! `puppetfn compile`.
#![allow(clippy::disallowed_methods, reason = "the user names these files and programs")]

mod classifier;
mod dot;
mod environment;
mod node;
mod summary;
mod text;

use std::fmt::Display;
use std::hash::{BuildHasher, RandomState};
use std::io::Write;
use std::path::PathBuf;
use std::process::Command;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use self::classifier::{Classified, output};
use self::environment::{Environment, Given, expand};
use super::args::compile::{CatalogFormat, Compile};
use super::settings::{absolute, modulepath};
use super::{Compiled, FAILED, Failure, Host, OK, Request, complain};
use crate::catalog::Catalog;
use crate::convert::catalog::{Identity, Selection, to_data};
use crate::convert::{json, yaml};
use crate::error::{Error, ErrorKind};
use crate::eval::NodeClass;
use crate::function::LogLevel;
use crate::limits::Limits;
use crate::value::Value;

/// How long the parts of the work took.
struct Times {
    /// Finding out what to compile.
    reading: Duration,
    compiling: Duration,
}

pub(super) fn run(
    compile: &Compile,
    host: &mut dyn Host,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Result<i32, Failure> {
    let started = Instant::now();
    let facts = compile.settings.facts(Some(&compile.node))?;
    if let Some(other) = facts.node.as_deref().filter(|name| *name != compile.node) {
        log(err, LogLevel::Warning, &format!("These are the facts of {other}, not of {}", compile.node));
    }
    let classified = match &compile.enc {
        Some(enc) => Classified::of(enc, &compile.node)?,
        None => Classified::default(),
    };
    let environment = compile.environment(&classified)?;
    for warning in &environment.warnings {
        log(err, LogLevel::Warning, warning);
    }
    let main = environment.main()?;
    if main.is_empty() && classified.classes.is_empty() && compile.classes.is_empty() {
        compile.refuse_nothing()?;
    }
    for warning in node::overridden(&compile.node, &classified.parameters, &facts.values)? {
        log(err, LogLevel::Warning, &warning);
    }
    let trusted = facts.trusted.clone();
    let mut options = compile.settings.options_with(facts.values)?;
    options.modulepath.clone_from(&environment.modulepath);
    options.environment.clone_from(&environment.directory);
    options.environment_name = Some(environment.name.clone());
    if compile.settings.trusted.is_none() {
        options.trusted = trusted.unwrap_or_else(|| node::trusted(&compile.node, &options.facts));
    }
    let included =
        compile.classes.iter().map(|name| NodeClass { name: name.trim().into(), parameters: Vec::new() });
    let server_facts = node::server_facts(&environment.name);
    let request = Request {
        node: compile.node.clone(),
        main,
        classes: classified.classes.into_iter().chain(included).collect(),
        variables: node::variables(&classified.parameters, &options.facts, &server_facts),
        server_facts,
        settings: node::settings(&environment),
    };
    let reading = started.elapsed();

    let started = Instant::now();
    let compiled = version(&environment).map_err(|error| error.on_node(&compile.node)).map(|version| {
        let compiled = host.compile(&options, &request);
        (compiled, version)
    });
    let times = Times { reading, compiling: started.elapsed() };
    let (Compiled { result, log: logged }, version) = match compiled {
        Ok(compiled) => compiled,
        Err(error) => return Ok(failed(&error, err)),
    };
    let told = |level: &LogLevel| *level >= LogLevel::Notice;
    for (level, message) in logged.iter().filter(|(level, _)| told(level)) {
        log(err, *level, message);
    }
    let catalog = match result {
        Ok(catalog) => catalog,
        Err(error) => return Ok(failed(&error, err)),
    };
    let seconds = times.compiling.as_secs_f64();
    let (node, name) = (&compile.node, &environment.name);
    log(
        err,
        LogLevel::Notice,
        &format!("Compiled catalog for {node} in environment {name} in {seconds:.2} seconds"),
    );
    let identity = Identity { environment: environment.name, version, code_id: None, uuid: uuid() };
    print(&catalog, &identity, compile.format, &times, options.limits, out, err)?;
    Ok(OK)
}

fn print(
    catalog: &Catalog,
    identity: &Identity,
    format: CatalogFormat,
    times: &Times,
    limits: Limits,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Result<(), Failure> {
    match format {
        CatalogFormat::Json | CatalogFormat::Yaml => {
            let made = to_data(catalog, identity, Selection::Real, &limits)?;
            for warning in &made.warnings {
                log(err, LogLevel::Warning, warning);
            }
            if format == CatalogFormat::Yaml {
                write!(out, "{}", yaml::to_yaml(&made.data)?)?;
            } else {
                writeln!(out, "{:#}", json::to_json(&made.data)?)?;
            }
        }
        CatalogFormat::Text => text::write(catalog, out)?,
        CatalogFormat::Dot => dot::write(catalog, out)?,
        CatalogFormat::Summary => summary::write(catalog, identity, times, out)?,
    }
    Ok(())
}

impl Compile {
    /// The environment that is named, or that the classifier names: one beside it then.
    fn environment(&self, classified: &Classified) -> Result<Environment, Failure> {
        let mut directory = self.settings.environment.as_deref().map(absolute);
        if let Some(directory) = &directory {
            super::settings::check_directory("--environment", directory)?;
        }
        let called =
            |directory: &PathBuf| directory.file_name().map(|name| name.to_string_lossy().into_owned());
        directory = directory.map(|directory| expand(&directory, &directory));
        let given = self.environment_name.clone().or_else(|| directory.as_ref().and_then(called));
        let name = match (&classified.environment, given, &mut directory) {
            (Some(name), Some(given), Some(directory)) if *name != given => {
                let other = directory.with_file_name(name);
                if !other.is_dir() {
                    return Err(Failure::Usage(format!(
                        "--enc: the node is in the environment {name}, and there is no {}; --environment-name {name} \
                         makes {} that environment",
                        other.display(),
                        directory.display()
                    )));
                }
                *directory = other;
                name.clone()
            }
            (Some(name), _, _) => name.clone(),
            (None, given, _) => given.unwrap_or_else(|| "production".to_owned()),
        };
        let manifest = self.manifest.as_deref().map(absolute);
        if let Some(path) = &manifest
            && let Err(error) = std::fs::metadata(path)
        {
            return Err(Failure::Usage(format!("--manifest: {}: {error}", path.display())));
        }
        let absolute = |paths: Vec<PathBuf>| paths.iter().map(|path| expand(&absolute(path), path)).collect();
        Environment::read(Given {
            name,
            directory,
            modulepath: absolute(modulepath("--modulepath", &self.settings.modulepath)?),
            basemodulepath: absolute(modulepath("--basemodulepath", &self.basemodulepath)?),
            manifest,
        })
    }

    /// An empty catalog is hardly what is wanted, unless an environment or a manifest says so.
    fn refuse_nothing(&self) -> Result<(), Failure> {
        if self.settings.environment.is_some() || self.manifest.is_some() || self.enc.is_some() {
            return Ok(());
        }
        let message = "there is nothing to compile: expected --environment, --manifest, --classes or --enc";
        Err(Failure::Usage(message.to_owned()))
    }
}

/// The version of the code: what a command of the environment says, or else the time.
fn version(environment: &Environment) -> Result<Value, Error> {
    let Some(command) = environment.config_version.as_deref().filter(|command| !command.is_empty()) else {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        return Ok(i64::try_from(now.as_secs()).unwrap_or(i64::MAX).into());
    };
    let said = output(Command::new("sh").arg("-c").arg(command));
    said.map(|version| version.trim().into()).map_err(|problem| {
        let message = format!("Execution of config_version command `{command}` failed: {problem}");
        Error::new(ErrorKind::Evaluation, message)
    })
}

/// What tells the catalog from all others: a UUID of version 4.
fn uuid() -> String {
    let state = RandomState::new();
    let random = (u128::from(state.hash_one(0)) << 64) | u128::from(state.hash_one(1));
    let bits = (random & !(0xf << 76) & !(0x3 << 62)) | (0x4 << 76) | (0x2 << 62);
    let text = format!("{bits:032x}");
    let part = |range: std::ops::Range<usize>| text.get(range).unwrap_or_default();
    [part(0..8), part(8..12), part(12..16), part(16..20), part(20..32)].join("-")
}

/// Says what went wrong, and gives the exit code for it.
fn failed(error: &Error, err: &mut dyn Write) -> i32 {
    log(err, LogLevel::Err, error);
    let explanation = error.explanation().map(ToString::to_string).unwrap_or_default();
    if !explanation.is_empty() {
        complain(err, &format!("\n{explanation}"));
    }
    FAILED
}

/// Tells a message as Puppet does on the console.
fn log(err: &mut dyn Write, level: LogLevel, message: &(impl Display + ?Sized)) {
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
mod tests;
