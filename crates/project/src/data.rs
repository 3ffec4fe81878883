//! The files with data of the environment and of modules.
#![allow(clippy::disallowed_methods, reason = "the user names these files and directories")]

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use super::Checked;
use super::config::Config;
use super::paths::{absolute, is_data};
use super::places::Places;
use puppetfn_base::limits::Limits;
use puppetfn_base::source::Span;
use puppetfn_check::{DataLayer, DataText, Finding, Rule, World};
use puppetfn_hiera::survey;
use puppetfn_runtime::loader::{Loader, StdFileSystem};
use puppetfn_syntax::Mode;
use puppetfn_types::function::ModuleFiles;

/// What was read of the data.
#[derive(Default, Debug)]
pub struct Data {
    files: Vec<File>,
    /// The `hiera.yaml`s that cannot be used, and why.
    unusable: Vec<(String, String)>,
    /// The modules, and the environment as an empty name, whose data is not all in files that can be read.
    opaque: HashSet<String>,
    has_environment: bool,
}

#[derive(Debug)]
struct File {
    /// What it is called in messages.
    name: String,
    path: PathBuf,
    text: Result<String, String>,
    layer: DataLayer,
    is_checked: bool,
}

impl File {
    fn read(&self, world: &World) -> DataText {
        let text = self.text.as_deref().unwrap_or_default();
        world.read_data(text, Some(&self.name), self.layer.clone())
    }
}

impl Data {
    /// Reads the files that hierarchies of the environment and of modules may use. Those below the paths are checked.
    pub fn read(
        paths: &[PathBuf],
        places: &Places,
        loader: &Loader,
        config: &Config,
        limits: &Limits,
    ) -> Self {
        let files = StdFileSystem::new(limits);
        let mut data = Self::default();
        let modules = loader.module_names().unwrap_or_default();
        let environment = places.environment.clone().map(|root| (root, DataLayer::Environment));
        let modules = modules.iter().filter_map(|name| {
            let root = loader.module_directory(name).ok().flatten()?;
            Some((root, DataLayer::Module(name.to_string())))
        });
        for (root, layer) in environment.into_iter().chain(modules) {
            let module = match &layer {
                DataLayer::Environment => None,
                DataLayer::Module(name) => Some(name.as_str()),
            };
            let found = match survey(&files, &root, module, limits) {
                Ok(found) => found,
                Err(error) => {
                    data.opaque.insert(module.unwrap_or_default().to_owned());
                    let file = root.join("hiera.yaml");
                    let shown = shown(&file, paths).filter(|_| !config.excludes(&file));
                    data.unusable.extend(shown.map(|name| (name, error.message().to_owned())));
                    continue;
                }
            };
            data.has_environment |= module.is_none();
            let Some(found) = found else { continue };
            if !found.is_complete {
                data.opaque.insert(module.unwrap_or_default().to_owned());
            }
            for path in found.files.into_iter().filter(|path| is_data(path)) {
                let shown = shown(&path, paths).filter(|_| !config.excludes(&path));
                data.files.push(File {
                    name: shown.clone().unwrap_or_else(|| path.to_string_lossy().into_owned()),
                    text: files.read_text(&path).map_err(|error| error.to_string()),
                    path,
                    layer: layer.clone(),
                    is_checked: shown.is_some(),
                });
            }
        }
        data
    }

    /// Returns the files that are given by name and that no hierarchy reads.
    pub fn unread<'p>(&self, paths: &'p [PathBuf]) -> impl Iterator<Item = &'p PathBuf> {
        let is_read = |path: &&PathBuf| self.files.iter().any(|file| file.path == absolute(path));
        paths.iter().filter(|path| path.is_file() && is_data(path)).filter(move |path| !is_read(path))
    }

    /// Takes a text as it is in an editor, if it is one of these. Returns true if it is.
    pub fn set(&mut self, path: &Path, text: &str) -> bool {
        let found = self.files.iter_mut().find(|file| file.path == path);
        found.map(|file| file.text = Ok(text.to_owned())).is_some()
    }

    /// Returns what is to be checked, by its paths.
    pub fn checked(&self) -> impl Iterator<Item = &Path> {
        let files = self.files.iter().filter(|file| file.is_checked).map(|file| file.path.as_path());
        files.chain(self.unusable.iter().map(|(name, _)| Path::new(name)))
    }

    /// Returns one of the texts as code sees it.
    pub fn text(&self, world: &World, path: &Path) -> Option<DataText> {
        self.files.iter().find(|file| file.path == path).map(|file| file.read(world))
    }

    /// Returns what keeps a file of data, or where data is, from being used.
    pub fn refusal(&self, path: &Path) -> Option<&str> {
        let file = self.files.iter().find(|file| file.path == path);
        let unusable = || self.unusable.iter().find(|(name, _)| Path::new(name) == path);
        file.and_then(|file| file.text.as_ref().err())
            .or_else(|| unusable().map(|(_, reason)| reason))
            .map(String::as_str)
    }

    /// Lets the world know the data. Returns it, to be checked.
    pub fn tell(&self, world: &mut World) -> Vec<DataText> {
        let texts = self.texts(world);
        texts.iter().for_each(|text| world.add_data(text));
        self.complete_except().into_iter().for_each(|except| world.complete_data(except));
        texts
    }

    /// Returns the data as code sees it.
    pub fn texts(&self, world: &World) -> Vec<DataText> {
        self.files.iter().map(|file| file.read(world)).collect()
    }

    /// If all the data that there may be is known, returns the modules of which it is not. Data of the environment may have
    /// keys of all modules.
    pub fn complete_except(&self) -> Option<HashSet<String>> {
        (self.has_environment && !self.opaque.contains("")).then(|| self.opaque.clone())
    }

    /// Returns what is found in the files that are to be checked.
    pub fn check(&self, world: &World, texts: &[DataText]) -> Vec<Checked> {
        let checked = |(file, data): (&File, &DataText)| {
            let findings = match &file.text {
                Ok(_) => world.check_data(data),
                Err(reason) => vec![Finding::new(Rule::DataSyntax, reason.clone(), Span::at(0))],
            };
            Checked {
                name: file.name.clone(),
                text: file.text.clone().unwrap_or_default(),
                mode: Mode::default(),
                findings,
                is_code: false,
            }
        };
        let unusable = self.unusable.iter().map(|(name, reason)| Checked {
            name: name.clone(),
            text: StdFileSystem::DEFAULT.read_text(Path::new(name)).unwrap_or_default(),
            mode: Mode::default(),
            findings: vec![Finding::new(Rule::DataSyntax, reason.clone(), Span::at(0))],
            is_code: false,
        });
        let files = self.files.iter().zip(texts).filter(|(file, _)| file.is_checked);
        unusable.chain(files.map(checked)).collect()
    }
}

/// Returns what a file is called that is below one of the paths. Fixtures of tests are other people's modules, or the
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
