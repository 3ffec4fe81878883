//! `puppetfn check`.
#![allow(clippy::disallowed_methods, reason = "the user names these files and directories")]

mod explain;
mod format;

use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::args::Check;
use super::settings::{check_directory, modulepath};
use super::sources::{Source, for_each};
use super::{FAILED, Failure, Host, OK};
use puppetfn_base::diagnostic::Severity;
use puppetfn_check::{Finding, Origin, Rule, World};
use puppetfn_runtime::loader::{Loader, StdFileSystem};
use puppetfn_syntax::Mode;
use puppetfn_syntax::validate::ModuleFile;

/// What was found in one text.
pub(super) struct Checked {
    pub name: String,
    pub text: String,
    pub mode: Mode,
    pub findings: Vec<Finding>,
}

/// A text that is to be checked.
struct Text {
    source: Source,
    mode: Mode,
    content: Result<String, String>,
    origin: Origin,
}

impl Text {
    /// Returns what the file is called.
    fn file(&self) -> Option<&str> {
        self.source.path().and_then(Path::to_str)
    }
}

pub(super) fn run(check: &Check, host: &mut dyn Host, out: &mut dyn Write) -> Result<i32, Failure> {
    if let Some(name) = &check.explain {
        explain::write(explain::rule(name)?, out)?;
        return Ok(OK);
    }
    let sources = check.paths.iter().map(|path| Source::all(path)).collect::<Result<Vec<_>, _>>()?.concat();
    let mut places = Places::of(check)?;
    if check.modulepath.is_empty() {
        sources.iter().filter_map(Source::path).for_each(|path| places.infer(path));
    }
    let limits = check.bounds.limits();
    let files = Arc::new(StdFileSystem);
    let loader = Loader::new(files, places.modulepath.clone(), places.environment.clone(), limits);
    let mut world = World::new(Arc::new(loader), limits).partial(check.modulepath.is_empty());
    let texts: Vec<Text> = sources.into_iter().map(|source| places.read(source, check)).collect();
    learn(&mut world, &texts, host)?;

    let is_terminal = host.is_terminal();
    let mut checked = Vec::with_capacity(texts.len());
    for_each(
        &texts,
        is_terminal,
        |text| examine(&world, text),
        |found| {
            checked.push(found);
            Ok(())
        },
    )?;
    format::write(&checked, check.format, is_terminal && io::stdout().is_terminal(), out)?;
    let found = |severity| {
        checked.iter().flat_map(|checked| &checked.findings).any(|finding| finding.severity == severity)
    };
    let is_bad = found(Severity::Error)
        || check.fail_on_warnings && (found(Severity::Warning) || found(Severity::Deprecation));
    Ok(if is_bad { FAILED } else { OK })
}

/// Lets the world know what the texts define, and what is said in the Ruby files of the functions and resource types
/// that they use.
fn learn(world: &mut World, texts: &[Text], host: &mut dyn Host) -> Result<(), Failure> {
    let mut definitions = Vec::with_capacity(texts.len());
    for_each(
        texts,
        false,
        |text| {
            text.content.as_ref().ok().map(|content| world.declarations_of(content, text.mode, text.file()))
        },
        |defined| {
            definitions.extend(defined);
            Ok(())
        },
    )?;
    definitions.into_iter().for_each(|defined| world.add(defined));
    let functions = world.ruby_files().into_iter().map(|file| file.path);
    for path in functions.chain(world.resource_type_files()) {
        // A file that cannot be read says nothing of its function or type.
        let Ok(text) = std::fs::read_to_string(&path) else { continue };
        let Ok(declared) = host.read_ruby(&path, &text) else { continue };
        declared.functions.iter().for_each(|function| world.add_ruby(function));
        declared.types.into_iter().for_each(|description| world.add_resource_type(description));
    }
    Ok(())
}

fn examine(world: &World, text: &Text) -> Checked {
    let (content, findings) = match &text.content {
        Ok(content) => (content.clone(), world.check(content, text.mode, &text.origin)),
        Err(reason) => (String::new(), vec![Finding::new(Rule::Syntax, reason.clone(), 0)]),
    };
    Checked { name: text.source.name().into_owned(), text: content, mode: text.mode, findings }
}

/// Where modules and the environment are.
struct Places {
    modulepath: Vec<PathBuf>,
    environment: Option<PathBuf>,
}

/// The directories of a module that have code in the Puppet language.
const WITH_CODE: [&str; 5] = ["manifests", "functions", "types", "plans", "templates"];

impl Places {
    /// Returns those that are given.
    fn of(check: &Check) -> Result<Self, Failure> {
        if let Some(directory) = &check.environment {
            check_directory("--environment", directory)?;
        }
        let modulepath = modulepath("--modulepath", &check.modulepath)?;
        Ok(Self {
            modulepath: modulepath.iter().map(|directory| absolute(directory)).collect(),
            environment: check.environment.as_deref().map(absolute),
        })
    }

    /// Adds those that a file is in: an environment, or a module with its fixtures.
    fn infer(&mut self, file: &Path) {
        let file = absolute(file);
        let Some(root) = root(&file) else { return };
        if is_module(root) {
            self.add(root.parent());
            self.add(Some(&root.join("spec/fixtures/modules")));
        } else if root.join("environment.conf").is_file() || root.join("modules").is_dir() {
            self.environment.get_or_insert_with(|| root.to_owned());
            self.add(Some(&root.join("modules")));
        }
    }

    fn add(&mut self, directory: Option<&Path>) {
        let Some(directory) = directory else { return };
        if !self.modulepath.iter().any(|known| known == directory) && directory.is_dir() {
            self.modulepath.push(directory.to_owned());
        }
    }

    fn read(&self, source: Source, check: &Check) -> Text {
        let origin = source.path().map(|path| self.origin(path, &source.name())).unwrap_or_default();
        Text { mode: source.mode(check.language), content: source.read(), origin, source }
    }

    /// Returns what a file is, by where it is.
    fn origin(&self, path: &Path, name: &str) -> Origin {
        let path = absolute(path);
        let mut directories = self.modulepath.iter();
        let found = directories.find_map(|directory| Some((directory, path.strip_prefix(directory).ok()?)));
        let is_in_module = found.is_some() || root(&path).is_some_and(is_module);
        let module = found.and_then(|(directory, within)| {
            let module = within.components().next()?.as_os_str().to_str()?;
            is_named(&directory.join(module), module).then(|| module.to_owned())
        });
        // Other files of modules, as examples, are only ever evaluated as main manifests.
        let file = module.as_ref().and_then(|_| ModuleFile::locate(&path, &self.modulepath));
        let file = file.filter(|file| file.namespace.is_some());
        let file = file.map(|file| ModuleFile { path: name.to_owned(), ..file });
        Origin { module, file, is_in_module }
    }
}

/// Returns the directory of the module, or of the environment, that a file is in by its path.
fn root(file: &Path) -> Option<&Path> {
    let is_code = |directory: &&Path| {
        directory.file_name().is_some_and(|name| WITH_CODE.iter().any(|code| name == *code))
    };
    file.ancestors().skip(1).filter(is_code).last().and_then(Path::parent)
}

fn is_module(root: &Path) -> bool {
    root.join("metadata.json").is_file()
        || root.join("manifests/init.pp").is_file()
        || root.parent().is_some_and(|around| around.ends_with("modules"))
}

/// Returns true if a module is in a directory of its name, so that code can use it.
fn is_named(root: &Path, directory: &str) -> bool {
    if !directory.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_') {
        return false;
    }
    let metadata = std::fs::read(root.join("metadata.json")).ok();
    let metadata = metadata.and_then(|text| serde_json::from_slice::<serde_json::Value>(&text).ok());
    let name = metadata.as_ref().and_then(|metadata| metadata.get("name")?.as_str());
    name.and_then(|name| name.rsplit(['-', '/']).next()).is_none_or(|name| name == directory)
}

/// Returns a path that does not depend on the working directory.
fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}
