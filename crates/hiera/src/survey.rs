//! The files of data that a layer may have for any facts.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use regex::Regex;

use super::config::{FunctionKind, HieraConfig, HierarchyDefaults, HierarchyEntry, HierarchyKind, Version};
use super::interpolation::method_call;
use super::layer::HieraLayer;
use super::location::Locations;
use super::merge::MergeStrategy;
use super::{glob, path};
use puppetfn_base::error::{Error, ErrorKind};
use puppetfn_base::file_system::{EntryKind, FileSystem};
use puppetfn_base::limits::Limits;
use puppetfn_base::target::Target;
use puppetfn_types::convert::yaml;
use puppetfn_types::value::{Hash, Value};

/// The files that a layer may have data of.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Survey {
    /// The files, in the order of the hierarchy.
    pub files: Vec<PathBuf>,
    /// Whether all data is in them.
    pub is_complete: bool,
    /// The functions that read data, each with its kind in the `hiera.yaml`.
    pub functions: Vec<(&'static str, Arc<str>)>,
    /// The entries of the hierarchy whose data is not read, each with the reason.
    pub unread: Vec<(Arc<str>, String)>,
}

/// The layer of a `hiera.yaml`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SurveyedLayer<'m> {
    /// The layer of all environments.
    Global,
    /// The layer of an environment.
    Environment,
    /// The layer of a module, by its name.
    Module(&'m str),
}

/// The functions that read files in YAML, or in a format that YAML includes.
const READERS: [&str; 3] = ["yaml_data", "json_data", "eyaml_lookup_key"];

/// Maximum depth of directories.
const DEEPEST: u32 = 16;

/// Returns the files that the hierarchy in a `hiera.yaml` may read; `None` if the file does not exist.
///
/// # Errors
/// Fails if Puppet cannot use the `hiera.yaml`, one of version 3 for example.
pub fn survey(
    system: &dyn FileSystem,
    file: &Path,
    layer: SurveyedLayer<'_>,
    target: Target,
    limits: &Limits,
) -> Result<Option<Survey>, Error> {
    if !system.exists(file) {
        return Ok(None);
    }
    let wrong = |reason: String| Error::new(ErrorKind::Evaluation, reason);
    let text = system.read(file).map_err(|error| wrong(error.to_string()))?;
    let text = String::from_utf8_lossy(&text).into_owned();
    let content = yaml::parse(&text, limits)?.map_err(|problem| wrong(problem.in_file("hiera.yaml")))?;
    // To Puppet, a file that is not a hash is of version 3.
    let content = if let Value::Hash(content) = content { content } else { Arc::default() };
    let layer = match layer {
        SurveyedLayer::Global => HieraLayer::Global,
        SurveyedLayer::Environment => HieraLayer::Environment,
        SurveyedLayer::Module(module) => HieraLayer::Module(module.into()),
    };
    let config = HieraConfig::of_file(file, text, target);
    let version = config.version(&content, limits)?;
    config.check_version(version, &layer)?;
    if version != Version::Five {
        // Its backends are not known here.
        let reason = "the hierarchy is not of version 5".to_owned();
        return Ok(Some(Survey { unread: vec![("hiera.yaml".into(), reason)], ..Survey::default() }));
    }
    let config = config.with_content(Hash::clone(&content), &layer, limits)?;
    let mut found = SurveyState { system, limits, seen: HashSet::new(), survey: Survey::default() };
    found.survey.is_complete = true;
    for which in [HierarchyKind::Regular, HierarchyKind::Default] {
        let mut names = HashSet::new();
        for entry in config.entries(which, false) {
            if !names.insert(&entry.name) {
                return Err(config.repeated(&entry.name));
            }
            found.entry(entry, &config.defaults, config.root())?;
        }
    }
    Ok(Some(found.survey))
}

/// Checks that a value says how values are merged.
///
/// # Errors
/// Fails if there is no such strategy, or it has no such options.
pub fn check_merge(merge: &Value, limits: &Limits) -> Result<(), Error> {
    MergeStrategy::of(Some(merge), limits).map(|_| ())
}

/// Returns true if an interpolation of a path is a call, such as `lookup('key')`.
fn calls_method(path: &str) -> bool {
    let interpolations = path.split("%{").skip(1).filter_map(|rest| rest.split_once('}'));
    interpolations.into_iter().any(|(expression, _)| method_call(expression.trim()).is_some())
}

struct SurveyState<'s> {
    system: &'s dyn FileSystem,
    limits: &'s Limits,
    seen: HashSet<PathBuf>,
    survey: Survey,
}

impl SurveyState<'_> {
    fn entry(
        &mut self,
        entry: &HierarchyEntry,
        defaults: &HierarchyDefaults,
        root: &Path,
    ) -> Result<(), Error> {
        let function = entry.function.as_ref().or(defaults.function.as_ref());
        let is_read = function.is_some_and(|(kind, name)| {
            matches!(kind, FunctionKind::DataHash | FunctionKind::LookupKey) && READERS.contains(&&**name)
        });
        if let Some(Locations::Paths(paths) | Locations::Globs(paths)) = &entry.locations
            && paths.iter().any(|path| calls_method(path))
        {
            let reason = "Interpolation using method syntax is not allowed in this context";
            return Err(Error::new(ErrorKind::Evaluation, reason));
        }
        let datadir = path::join(root, entry.datadir.as_ref().unwrap_or(&defaults.datadir));
        let paths: &[Arc<str>] = match &entry.locations {
            Some(Locations::Paths(paths)) if is_read => paths,
            Some(Locations::MappedPaths([_, _, template])) if is_read => std::slice::from_ref(template),
            Some(Locations::Globs(globs)) if is_read => {
                for declared in globs {
                    let pattern = path::join(&datadir, declared);
                    self.globbed(&pattern.to_string_lossy())?;
                }
                return Ok(());
            }
            _ => {
                self.survey.is_complete = false;
                // A backend of Hiera 3 is no function.
                let named = function.filter(|(kind, _)| *kind != FunctionKind::Hiera3Backend);
                self.survey.functions.extend(named.map(|(kind, name)| (kind.tag(), Arc::clone(name))));
                let name = function.map_or("no function", |(_, name)| name);
                self.survey.unread.push((Arc::clone(&entry.name), format!("`{name}` reads it")));
                return Ok(());
            }
        };
        // Files of a directory that this machine does not have are not complete, either.
        let is_elsewhere = datadir.is_absolute()
            && !datadir.starts_with(root)
            && pieces(&datadir.to_string_lossy()).len() == 1
            && !self.system.exists(&datadir);
        if is_elsewhere {
            self.survey.is_complete = false;
            let reason = format!("there is no directory {}", datadir.display());
            self.survey.unread.push((Arc::clone(&entry.name), reason));
        }
        for declared in paths {
            self.path(&path::join(&datadir, declared).to_string_lossy());
        }
        Ok(())
    }

    fn globbed(&mut self, pattern: &str) -> Result<(), Error> {
        let pattern = pieces(pattern).join("*");
        for file in glob::files(self.system, Path::new(&pattern), self.limits, &|| Ok(()))? {
            self.add(file);
        }
        Ok(())
    }

    /// Adds the files that a path may stand for, with any text for each interpolation.
    fn path(&mut self, declared: &str) {
        let pieces = pieces(declared);
        let Some((first, rest)) = pieces.split_first() else { return };
        if rest.is_empty() {
            let file = PathBuf::from(declared);
            if self.system.exists(&file) && !self.system.is_directory(&file) {
                self.add(file);
            }
            return;
        }
        let quoted: Vec<String> = pieces.iter().map(|piece| regex::escape(piece)).collect();
        let Ok(pattern) = Regex::new(&format!("^{}$", quoted.join(".*"))) else { return };
        let directory = first.rsplit_once('/').map_or("/", |(directory, _)| directory);
        let mut files = Vec::new();
        self.below(Path::new(directory), DEEPEST, &mut files);
        files.sort();
        for file in files {
            if pattern.is_match(&file.to_string_lossy()) {
                self.add(file);
            }
        }
    }

    fn below(&self, directory: &Path, depth: u32, files: &mut Vec<PathBuf>) {
        let Some(depth) = depth.checked_sub(1) else { return };
        for entry in self.system.list(directory).unwrap_or_default() {
            let path = directory.join(&entry.name);
            if entry.name.starts_with('.') {
                continue;
            }
            if entry.kind != EntryKind::File && self.system.is_directory(&path) {
                self.below(&path, depth, files);
            } else {
                files.push(path);
            }
        }
    }

    fn add(&mut self, file: PathBuf) {
        if self.seen.insert(file.clone()) {
            self.survey.files.push(file);
        }
    }
}

/// Splits a text at its interpolations, `%{...}`.
fn pieces(text: &str) -> Vec<&str> {
    let mut pieces = Vec::new();
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once("%{") {
        let Some((_, after)) = behind.split_once('}') else { break };
        pieces.push(before);
        rest = after;
    }
    pieces.push(rest);
    pieces
}
