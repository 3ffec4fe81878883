//! Files of modules that are neither code of Puppet nor data: templates and code in Ruby, `metadata.json`, the metadata of
//! tasks and `Puppetfile`.
#![allow(clippy::disallowed_methods, reason = "the user names these files and directories")]

use std::path::{Path, PathBuf};

use puppetfn_base::diagnostic::Severity;
use puppetfn_base::file_system::FileSystem;
use puppetfn_base::limits::Limits;
use puppetfn_base::source::{LineIndex, Span};
use puppetfn_base::target::Target;
use puppetfn_check::{DataLayer, Finding, ModuleFileKind, Rule, World};
use puppetfn_erb::ruby_lines;
use puppetfn_project::{CheckedText, ProjectConfig};
use puppetfn_ruby::{
    CodeFailure, RubyCode, function_failures, puppetfile_failures, removed_uses, resource_type_failures,
    template_calls, with_stack,
};
use puppetfn_runtime::settings;
use puppetfn_syntax::Mode;
use puppetfn_types::types::Type;
use puppetfn_types::types::parse::{NoAliases, parse};
use rayon::iter::{IntoParallelRefIterator, ParallelIterator};
use serde_json::Value as Json;
use walkdir::{DirEntry, WalkDir};

/// The kind of a file, which decides how it is checked.
#[derive(Clone, Copy, PartialEq, Eq)]
enum OtherFile {
    /// A template in ERB.
    Template,
    /// Code in Ruby.
    Ruby,
    /// A `Puppetfile`, which is Ruby, too.
    Puppetfile,
    /// A plan in YAML.
    Yaml,
    /// A file of a form of its own.
    Described(ModuleFileKind),
}

impl OtherFile {
    /// Returns the kind of a file by its name and directory.
    fn of(path: &Path) -> Option<Self> {
        let name = path.file_name()?.to_str()?;
        let directory = path.parent().and_then(Path::file_name).and_then(|name| name.to_str());
        let is_in = |wanted: &str| path.components().any(|part| part.as_os_str() == wanted);
        Some(match (name, path.extension().and_then(|end| end.to_str())) {
            // Puppet does not read the one of an environment.
            ("metadata.json", _)
                if ["environment.conf", "Puppetfile"]
                    .iter()
                    .any(|name| path.with_file_name(name).exists()) =>
            {
                return None;
            }
            ("metadata.json", _) => Self::Described(ModuleFileKind::Metadata),
            ("Puppetfile", _) => Self::Puppetfile,
            ("environment.conf", _) => Self::Described(ModuleFileKind::EnvironmentConf),
            ("puppet.conf", _) => Self::Described(ModuleFileKind::PuppetConf),
            (_, Some("json")) if directory == Some("tasks") => Self::Described(ModuleFileKind::TaskMetadata),
            (_, Some("yaml" | "yml")) if directory == Some("plans") => Self::Yaml,
            (_, Some("erb")) if is_in("templates") => Self::Template,
            (_, Some("rb")) if is_in("lib") => Self::Ruby,
            _ => return None,
        })
    }

    fn findings(self, path: &Path, text: &str, world: &World, limits: &Limits) -> Vec<Finding> {
        match self {
            Self::Template => template_findings(text, world),
            Self::Ruby => {
                let code = RubyCode::parse(text);
                match ruby_error(text, &code) {
                    Some(error) => vec![error],
                    None => ruby_findings(path, text, &code, world, limits),
                }
            }
            Self::Puppetfile => {
                let code = RubyCode::parse(text);
                if let Some(error) = ruby_error(text, &code) {
                    return vec![error];
                }
                let mut found = world.check_module_file(ModuleFileKind::Puppetfile, text);
                found.extend(failures(text, Rule::Puppetfile, puppetfile_failures(&code)));
                found
            }
            Self::Yaml => {
                world.read_data(text, None, DataLayer::Environment).syntax_error().into_iter().collect()
            }
            Self::Described(kind) => {
                let mut found = world.check_module_file(kind, text);
                if kind == ModuleFileKind::TaskMetadata && found.is_empty() {
                    found.extend(missing_implementation(path, text));
                }
                found
            }
        }
    }
}

/// Returns true for a file that is checked, and is no code of Puppet.
pub(super) fn is_known(path: &Path) -> bool {
    let ends = path.extension().is_some_and(|end| end == "erb" || end == "rb");
    ends || OtherFile::of(path).is_some()
}

/// Returns true if one of such files at the paths is wanted.
pub(super) fn any(paths: &[PathBuf], is_wanted: impl Fn(&Path) -> bool) -> bool {
    paths.iter().flat_map(|path| files_at(path)).any(|(path, _)| is_wanted(&path))
}

/// Returns the findings of all such files at the paths.
pub(super) fn check(
    paths: &[PathBuf],
    config: &ProjectConfig,
    world: &World,
    system: &dyn FileSystem,
    limits: &Limits,
) -> Vec<CheckedText> {
    let files: Vec<(PathBuf, OtherFile)> =
        paths.iter().flat_map(|path| files_at(path)).filter(|(path, _)| !config.excludes(path)).collect();
    let all =
        || files.par_iter().filter_map(|(path, kind)| checked(path, *kind, world, system, limits)).collect();
    with_stack(all).unwrap_or_else(|_| all())
}

/// Returns the files at a path, without hidden ones and fixtures of specs.
fn files_at(path: &Path) -> Vec<(PathBuf, OtherFile)> {
    let is_wanted = |entry: &DirEntry| {
        let name = entry.file_name().as_encoded_bytes();
        entry.depth() == 0
            || !name.starts_with(b".") && !matches!(name, b"spec" | b"vendor" | b"node_modules")
    };
    let found = WalkDir::new(path).follow_links(true).sort_by_file_name().into_iter();
    let files =
        found.filter_entry(is_wanted).filter_map(Result::ok).filter(|entry| entry.file_type().is_file());
    files
        .filter_map(|entry| {
            let named = entry.depth() == 0;
            let kind =
                OtherFile::of(entry.path()).or_else(|| named.then(|| of_name(entry.path())).flatten())?;
            Some((entry.into_path(), kind))
        })
        .collect()
}

/// Returns the kind of a file in the arguments, which may be anywhere.
fn of_name(path: &Path) -> Option<OtherFile> {
    match path.extension().and_then(|end| end.to_str()) {
        Some("erb") => Some(OtherFile::Template),
        Some("rb") => Some(OtherFile::Ruby),
        _ => None,
    }
}

/// Returns the file with its findings; `None` if it has none.
fn checked(
    path: &Path,
    kind: OtherFile,
    world: &World,
    system: &dyn FileSystem,
    limits: &Limits,
) -> Option<CheckedText> {
    // Templates need not be UTF-8.
    let text = String::from_utf8(system.read(path).ok()?).ok()?;
    let mut findings = world.unsuppressed(kind.findings(path, &text, world, limits), &text);
    findings.retain(|finding| world.selection().has(finding.rule));
    let name = path.to_string_lossy().into_owned();
    (!findings.is_empty()).then(|| CheckedText {
        name,
        text,
        mode: Mode::default(),
        findings,
        is_code: false,
    })
}

fn ruby_error(text: &str, code: &RubyCode<'_>) -> Option<Finding> {
    let (line, message) = code.syntax_error()?;
    Some(Finding::new(Rule::Syntax, format!("Ruby: {message}"), line_span(text, line)))
}

/// Returns the findings about functions, resource types and uses of Puppet's API.
fn ruby_findings(
    path: &Path,
    text: &str,
    code: &RubyCode<'_>,
    world: &World,
    limits: &Limits,
) -> Vec<Finding> {
    let refuses = |t: &str| match parse(t, &NoAliases, limits) {
        // Types of modules are not looked up.
        Ok(Type::Reference(name)) if !name.contains("::") => {
            Some(format!("references an unresolved type '{name}'"))
        }
        Ok(_) => None,
        Err(error) => Some(error.message().to_owned()),
    };
    let target = world.target();
    let lacks = |name: &str| settings::is_known(name, Target::default()) && !settings::is_known(name, target);
    let mut found = function_failures(path, code, &refuses);
    found.extend(resource_type_failures(path, code));
    found.extend(removed_uses(code, target, &lacks));
    failures(text, Rule::RubyCode, found)
}

/// Returns the findings about the Ruby in a template, which have the lines of the template.
fn template_findings(text: &str, world: &World) -> Vec<Finding> {
    let Some(code) = ruby_lines(text) else { return Vec::new() };
    let code = RubyCode::parse(&code);
    if let Some((line, message)) = code.syntax_error() {
        let message = format!("Failed to parse the template: {message}");
        return vec![Finding::new(Rule::Syntax, message, line_span(text, line))];
    }
    let calls = template_calls(&code);
    let mut found = failures(text, Rule::RubyCode, calls.failures);
    let missing = calls.functions.into_iter().filter(|call| world.lacks_function(&call.name));
    found.extend(missing.map(|call| {
        let message = format!("Unknown function: '{}'.", call.name);
        Finding::new(Rule::UnknownFunction, message, line_span(text, call.line))
    }));
    found
}

/// Returns the findings about failing Ruby code: warnings, if only some of its uses fail.
fn failures(text: &str, rule: Rule, failures: Vec<CodeFailure>) -> Vec<Finding> {
    let finding = |failure: CodeFailure| {
        let finding = Finding::new(rule, failure.message, line_span(text, failure.line));
        let severity = if failure.is_certain { finding.severity } else { Severity::Warning };
        Finding { severity, ..finding }
    };
    failures.into_iter().map(finding).collect()
}

/// Returns the finding about the metadata of a task without a file that implements it.
fn missing_implementation(path: &Path, text: &str) -> Option<Finding> {
    let metadata: Json = serde_json::from_str(text).ok()?;
    let task = path.file_stem()?.to_str()?;
    let finding = |message: String, at: Span| Some(Finding::new(Rule::Metadata, message, at));
    if let Some(implementations) = metadata.get("implementations").and_then(Json::as_array) {
        let names = implementations.iter().filter_map(|one| one.get("name").and_then(Json::as_str));
        let missing = names.into_iter().find(|name| !path.with_file_name(name).exists())?;
        let start = text.find(missing).and_then(|start| u32::try_from(start).ok()).unwrap_or(0);
        let message = format!("Task metadata for task {task} specifies missing implementation {missing}");
        return finding(message, Span::new(start, start.saturating_add(missing.len() as u32)));
    }
    let is_source = |other: &Path| {
        other.file_stem().is_some_and(|stem| stem == task)
            && other.extension().is_none_or(|end| end != "json")
    };
    let mut entries = path.parent()?.read_dir().ok()?.filter_map(Result::ok);
    if entries.any(|entry| is_source(&entry.path())) {
        return None;
    }
    let message = format!("No source besides task metadata was found in the directory for task {task}");
    finding(message, Span::rest_of_line(text, 0))
}

/// Returns the span of a line without its indentation.
fn line_span(text: &str, line: u32) -> Span {
    let start = LineIndex::new(text).offset(text, line, 1);
    let behind = text.get(start as usize..).unwrap_or_default();
    let indentation = behind.len() - behind.trim_start_matches([' ', '\t']).len();
    Span::rest_of_line(text, start.saturating_add(u32::try_from(indentation).unwrap_or(0)))
}
