//! Data files of the environment and of modules.
#![allow(clippy::disallowed_methods, reason = "the user names these files and directories")]

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::CheckedText;
use super::config::ProjectConfig;
use super::paths::{absolute, is_data};
use super::places::ProjectPlaces;
use puppetfn_base::file_system::FileSystem;
use puppetfn_base::limits::Limits;
use puppetfn_base::source::Span;
use puppetfn_check::{DataLayer, DataText, Finding, Rule, World};
use puppetfn_hiera::{SurveyedLayer, survey};
use puppetfn_runtime::loader::Loader;
use puppetfn_syntax::Mode;
use puppetfn_types::function::ModuleFiles;

/// The data files, with their contents.
#[derive(Default, Debug)]
pub struct HieraData {
    files: Vec<DataFile>,
    /// The `hiera.yaml` files that are checked, by their names in messages.
    hierarchies: Vec<CheckedHierarchy>,
    /// Unusable `hiera.yaml` files.
    unusable: Vec<UnusableHierarchy>,
    /// The modules whose data is not all in readable files; the environment has an empty name.
    opaque: HashSet<String>,
    has_environment: bool,
    /// Parts of hierarchies of checked files whose data is not checked, with the reasons.
    unread: Vec<String>,
}

#[derive(Debug)]
struct DataFile {
    /// The name in messages.
    name: String,
    path: PathBuf,
    text: Result<String, String>,
    layer: DataLayer,
    is_checked: bool,
}

impl DataFile {
    fn read(&self, world: &World) -> DataText {
        let text = self.text.as_deref().unwrap_or_default();
        world.read_data(text, Some(&self.name), self.layer.clone())
    }
}

/// A `hiera.yaml` that cannot be used.
#[derive(Debug)]
struct UnusableHierarchy {
    /// Its name in messages.
    name: String,
    text: String,
    reason: String,
}

/// A `hiera.yaml` that is checked.
#[derive(Debug)]
struct CheckedHierarchy {
    /// Its name in messages.
    name: String,
    text: String,
    /// The functions that read data, each with its kind.
    functions: Vec<(&'static str, Arc<str>)>,
}

impl CheckedHierarchy {
    fn check(&self, world: &World) -> CheckedText {
        let text = self.text.clone();
        let mut findings = world.legacy_facts_in_data(&text);
        let missing = self.functions.iter().filter(|(_, name)| world.lacks_function(name));
        findings.extend(missing.map(|(kind, name)| {
            let message = format!("Unable to find '{kind}' function named '{name}'");
            let start = text.find(&**name).and_then(|start| u32::try_from(start).ok()).unwrap_or(0);
            Finding::new(Rule::DataSyntax, message, Span::rest_of_line(&text, start))
        }));
        CheckedText { name: self.name.clone(), text, mode: Mode::default(), findings, is_code: false }
    }
}

impl HieraData {
    /// Reads the files that the hierarchies of the environment, of modules and of `hiera_config`, the `hiera.yaml` of the
    /// global layer, may use. Files below the paths are checked, and so are all files of the environment's hierarchy, if its
    /// `hiera.yaml` is, and of `hiera_config`.
    pub fn read(
        paths: &[PathBuf],
        places: &ProjectPlaces,
        hiera_config: Option<&Path>,
        loader: &Loader,
        config: &ProjectConfig,
        files: &dyn FileSystem,
        limits: &Limits,
    ) -> Self {
        let mut data = Self::default();
        let modules = loader.module_names().unwrap_or_default();
        let global = hiera_config.map(|file| (absolute(file), DataLayer::Environment, true));
        let environment = places.environment.as_ref();
        let environment = environment.map(|root| (root.join("hiera.yaml"), DataLayer::Environment, false));
        let modules = modules.iter().filter_map(|name| {
            let root = loader.module_directory(name).ok().flatten()?;
            Some((root.join("hiera.yaml"), DataLayer::Module(name.to_string()), false))
        });
        for (file, layer, is_global) in global.into_iter().chain(environment).chain(modules) {
            let module = match &layer {
                DataLayer::Environment => None,
                DataLayer::Module(name) => Some(name.as_str()),
            };
            let surveyed = match module {
                Some(module) => SurveyedLayer::Module(module),
                None if is_global => SurveyedLayer::Global,
                None => SurveyedLayer::Environment,
            };
            let found = match survey(files, &file, surveyed, loader.target(), limits) {
                Ok(found) => found,
                Err(error) => {
                    data.opaque.insert(module.unwrap_or_default().to_owned());
                    let shown = shown(&file, paths).filter(|_| !config.excludes(&file));
                    data.unusable.extend(shown.map(|name| UnusableHierarchy {
                        name,
                        text: read_text(files, &file).unwrap_or_default(),
                        reason: error.message().to_owned(),
                    }));
                    continue;
                }
            };
            data.has_environment |= module.is_none() && !is_global;
            let Some(found) = found else { continue };
            let named = shown(&file, paths).filter(|_| !config.excludes(&file));
            let functions = found.functions;
            data.hierarchies.extend(named.map(|name| CheckedHierarchy {
                name,
                text: read_text(files, &file).unwrap_or_default(),
                functions,
            }));
            if !found.is_complete {
                data.opaque.insert(module.unwrap_or_default().to_owned());
            }
            let configuration = if is_global {
                hiera_config.map(|file| file.to_string_lossy().into_owned())
            } else {
                shown(&file, paths)
            };
            // Data of the environment may be in directories elsewhere.
            let is_checked_elsewhere = configuration.is_some() && module.is_none();
            if let Some(configuration) = &configuration {
                let part =
                    |(entry, reason): &(Arc<str>, String)| format!("{configuration}: '{entry}': {reason}");
                data.unread.extend(found.unread.iter().map(part));
            }
            for path in found.files.into_iter().filter(|path| is_data(path)) {
                let elsewhere = || is_checked_elsewhere.then(|| path.to_string_lossy().into_owned());
                let shown = shown(&path, paths).or_else(elsewhere).filter(|_| !config.excludes(&path));
                data.files.push(DataFile {
                    name: shown.clone().unwrap_or_else(|| path.to_string_lossy().into_owned()),
                    text: read_text(files, &path),
                    path,
                    layer: layer.clone(),
                    is_checked: shown.is_some(),
                });
            }
        }
        data
    }

    /// Returns the parts of hierarchies whose data is not checked, with the reasons.
    pub fn unread_parts(&self) -> &[String] {
        &self.unread
    }

    /// Returns the data files among the paths that no hierarchy reads.
    pub fn unread<'p>(&self, paths: &'p [PathBuf]) -> impl Iterator<Item = &'p PathBuf> {
        let is_read = |path: &&PathBuf| self.files.iter().any(|file| file.path == absolute(path));
        paths.iter().filter(|path| path.is_file() && is_data(path)).filter(move |path| !is_read(path))
    }

    /// Sets the current text of a file. Returns false if it is not a known data file.
    pub fn set(&mut self, path: &Path, text: &str) -> bool {
        let found = self.files.iter_mut().find(|file| file.path == path);
        found.map(|file| file.text = Ok(text.to_owned())).is_some()
    }

    /// Returns the paths of the checked files.
    pub fn checked(&self) -> impl Iterator<Item = &Path> {
        let files = self.files.iter().filter(|file| file.is_checked).map(|file| file.path.as_path());
        files.chain(self.unusable.iter().map(|unusable| Path::new(&unusable.name)))
    }

    /// Returns the data in a file, for the checker.
    pub fn text(&self, world: &World, path: &Path) -> Option<DataText> {
        self.files.iter().find(|file| file.path == path).map(|file| file.read(world))
    }

    /// Returns the reason why a data file or a `hiera.yaml` cannot be used.
    pub fn refusal(&self, path: &Path) -> Option<&str> {
        let file = self.files.iter().find(|file| file.path == path);
        let unusable = || self.unusable.iter().find(|unusable| Path::new(&unusable.name) == path);
        file.and_then(|file| file.text.as_ref().err())
            .or_else(|| unusable().map(|unusable| &unusable.reason))
            .map(String::as_str)
    }

    /// Adds the data to the checker's model, and returns it.
    pub fn tell(&self, world: &mut World) -> Vec<DataText> {
        let texts = self.texts(world);
        texts.iter().for_each(|text| world.add_data(text));
        self.complete_except().into_iter().for_each(|except| world.complete_data(except));
        texts
    }

    /// Returns the data in all files, for the checker.
    pub fn texts(&self, world: &World) -> Vec<DataText> {
        self.files.iter().map(|file| file.read(world)).collect()
    }

    /// Returns the modules with incomplete data if the environment's data is complete; otherwise `None`, as that may
    /// have keys of all modules.
    pub fn complete_except(&self) -> Option<HashSet<String>> {
        (self.has_environment && !self.opaque.contains("")).then(|| self.opaque.clone())
    }

    /// Returns the findings in the checked files.
    pub fn check(&self, world: &World, texts: &[DataText]) -> Vec<CheckedText> {
        let checked = |(file, data): (&DataFile, &DataText)| {
            let findings = match &file.text {
                Ok(_) => world.check_data(data),
                Err(reason) => vec![Finding::new(Rule::DataSyntax, reason.clone(), Span::at(0))],
            };
            CheckedText {
                name: file.name.clone(),
                text: file.text.clone().unwrap_or_default(),
                mode: Mode::default(),
                findings,
                is_code: false,
            }
        };
        let unusable = self.unusable.iter().map(|UnusableHierarchy { name, text, reason }| CheckedText {
            name: name.clone(),
            text: text.clone(),
            mode: Mode::default(),
            findings: vec![Finding::new(Rule::DataSyntax, reason.clone(), Span::at(0))],
            is_code: false,
        });
        let hierarchies = self.hierarchies.iter().map(|hierarchy| hierarchy.check(world));
        let files = self.files.iter().zip(texts).filter(|(file, _)| file.is_checked);
        unusable.chain(hierarchies).chain(files.map(checked)).collect()
    }
}

/// Returns the text of a file.
fn read_text(files: &dyn FileSystem, file: &Path) -> Result<String, String> {
    let content = files.read(file).map_err(|error| error.to_string())?;
    String::from_utf8(content).map_err(|_| "it is not valid UTF-8".to_owned())
}

/// Returns the name in messages of a file below one of the paths. Fixtures of tests are other people's modules, or the
/// module itself again.
fn shown(file: &Path, paths: &[PathBuf]) -> Option<String> {
    paths.iter().find_map(|path| {
        let rest = file.strip_prefix(absolute(path)).ok()?;
        if rest.components().any(|part| part.as_os_str() == "fixtures") {
            return None;
        }
        let shown = if rest.as_os_str().is_empty() { path.clone() } else { path.join(rest) };
        Some(shown.to_string_lossy().into_owned())
    })
}
