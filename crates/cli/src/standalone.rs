//! The host of the command without Ruby.

use std::collections::BTreeSet;
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::{CallOutcome, CommandHost, CompileOptions, Compiler, ListedDefinition, LogEntry, Terminals};
use puppetfn_base::error::{Error, ErrorKind};
use puppetfn_compile::{Request, Session, StandaloneCompiler};
use puppetfn_doc::{ReadRuby, RubyFile};
use puppetfn_runtime::builtin;
use puppetfn_runtime::entity::TypeOutline;
use puppetfn_runtime::eval::Runtime;
use puppetfn_runtime::loader::{FileLanguage, Loader};
use puppetfn_types::convert::create::defined_by_features;
use puppetfn_types::types::Type;
use puppetfn_types::types::parse::TypeLookup;
use puppetfn_types::value::Value;

/// A host with Puppet's own functions, and functions of modules in the Puppet language. Functions in Ruby need
/// Ruby.
#[derive(Clone, Copy, Debug)]
pub struct Standalone;

impl Compiler for Standalone {
    fn session(
        &mut self,
        options: &CompileOptions,
        request: &Request,
        work: &mut dyn FnMut(&mut dyn Session),
    ) -> Result<(), Error> {
        let interrupt = io::stdin().is_terminal().then(interrupt_flag).transpose()?;
        StandaloneCompiler::run_session(options, request, interrupt, work);
        Ok(())
    }
}

/// Returns a flag that is set when the user interrupts the process, which then goes on.
fn interrupt_flag() -> Result<Arc<AtomicBool>, Error> {
    let flag = Arc::new(AtomicBool::new(false));
    signal_hook::flag::register(signal_hook::consts::SIGINT, Arc::clone(&flag))
        .map_err(|error| Error::new(ErrorKind::Load, format!("interrupts cannot be handled: {error}")))?;
    Ok(flag)
}

impl ReadRuby for Standalone {
    fn read_ruby(&mut self, path: &Path, text: &str) -> Result<RubyFile, Error> {
        puppetfn_ruby::read(path, text)
    }

    fn read_ruby_files(&mut self, files: &[(PathBuf, String)]) -> Vec<Result<RubyFile, Error>> {
        puppetfn_ruby::read_all(files)
    }
}

impl CommandHost for Standalone {
    fn call(&mut self, options: &CompileOptions, name: &str, arguments: &[Value]) -> CallOutcome {
        let (runtime, logs) = options.runtime();
        let result = runtime.call(name, arguments, None);
        CallOutcome { result, log: LogEntry::all(logs.take()) }
    }

    fn terminals(&self) -> Terminals {
        Terminals::of_process()
    }

    fn functions(
        &mut self,
        options: &CompileOptions,
        wanted: &dyn Fn(&str) -> bool,
    ) -> Result<Vec<ListedDefinition<Vec<String>>>, Error> {
        let (runtime, _) = options.runtime();
        let files = options.loader().functions()?.into_iter();
        let mut names: BTreeSet<String> = builtin::registry().names().map(str::to_owned).collect();
        names.extend(files.filter(|file| file.format == FileLanguage::Puppet).map(|file| file.name));
        let wanted = names.into_iter().filter(|name| wanted(name));
        Ok(wanted.map(|name| ListedDefinition { found: signatures(&runtime, &name), name }).collect())
    }

    fn types(
        &mut self,
        options: &CompileOptions,
        wanted: &dyn Fn(&str) -> bool,
    ) -> Result<Vec<ListedDefinition<String>>, Error> {
        let loader = options.loader();
        let names = loader.type_names()?.into_iter().filter(|name| wanted(name));
        Ok(names.map(|name| ListedDefinition { found: definition(&loader, &name), name }).collect())
    }
}

fn signatures(runtime: &Runtime, name: &str) -> Result<Vec<String>, Error> {
    let signatures = runtime.signatures(name)?.unwrap_or_default();
    Ok(signatures.iter().map(ToString::to_string).collect())
}

/// Returns a type as text; one that is defined by its features with these.
pub fn shown(t: &Type) -> String {
    let outline = defined_by_features(t).and_then(|t| TypeOutline::of(&t, false));
    outline.map_or_else(|| t.to_string(), |outline| format!("type {{ {} }}", outline.summary()))
}

/// Returns the type of an alias, as text.
fn definition(loader: &Loader, name: &str) -> Result<String, Error> {
    Ok(match loader.find(name)? {
        Some(Type::Alias(alias)) => {
            alias.with_target(|target| target.map_or_else(|| alias.name().to_string(), Type::to_string))
        }
        Some(t) => shown(&t),
        None => name.to_owned(),
    })
}
