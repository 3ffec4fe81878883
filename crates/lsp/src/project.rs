//! A project: the files of one `puppetfn check`, kept up to date.
#![allow(clippy::disallowed_methods, reason = "the user has opened these directories")]

use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use rayon::prelude::*;
use serde_json::Value as Json;

use puppetfn_base::file_system::StdFileSystem;
use puppetfn_base::limits::Limits;
use puppetfn_base::source::Span;
use puppetfn_check::{Finding, ModuleFileKind, Rule};
use puppetfn_doc::ReadRuby;
use puppetfn_ide::{Ide, ModuleFile, ProjectFile};
use puppetfn_project::{
    Baseline, CheckedText, CodeSource, HieraData, ProjectConfig, ProjectFailure, ProjectPlaces,
};
use puppetfn_runtime::loader::Loader;
use puppetfn_syntax::Mode;

use super::open_document::Documents;

/// The number of files between reports of progress.
const BATCH: usize = 64;

/// A folder of the workspace, or the surroundings of a file outside of all folders.
pub(crate) struct Project {
    pub root: PathBuf,
    pub ide: Ide,
    /// Whether it is a folder of the workspace.
    pub is_folder: bool,
    /// Whether files were added or removed, so that it is to be read again.
    pub is_stale: bool,
    limits: Limits,
    /// The editor's settings, which count in a folder without a `puppetfn.toml`.
    editor_settings: Arc<Json>,
    config: ProjectConfig,
    baseline: Option<Baseline>,
    places: ProjectPlaces,
    data: HieraData,
    loader: Arc<Loader>,
    /// The files that are not valid texts, with the reasons.
    unreadable: BTreeMap<PathBuf, String>,
    /// The generations of the model when Ruby files were last read, and when documents were last checked.
    learned_at: Option<u64>,
    checked_at: Option<u64>,
}

impl Project {
    /// Creates a project that is still to be read.
    pub fn new(root: PathBuf, is_folder: bool, limits: Limits, editor_settings: &Arc<Json>) -> Self {
        let loader = Arc::new(Loader::new(Arc::new(StdFileSystem::new(&limits)), Vec::new(), None, limits));
        Self {
            root,
            ide: Ide::new(Arc::clone(&loader), limits, true),
            is_folder,
            is_stale: true,
            limits,
            editor_settings: Arc::clone(editor_settings),
            config: ProjectConfig::default(),
            baseline: None,
            places: ProjectPlaces::default(),
            data: HieraData::default(),
            loader,
            unreadable: BTreeMap::new(),
            learned_at: None,
            checked_at: None,
        }
    }

    /// Reads all files, with the current texts of open documents. `progress` receives the number of files that were
    /// read, and of all files. Returns the errors in settings, which are ignored otherwise.
    pub fn read(&mut self, open: &Documents, progress: &mut dyn FnMut(usize, usize)) -> Vec<ProjectFailure> {
        let mut failures = Vec::new();
        self.is_stale = false;
        self.unreadable.clear();
        (self.learned_at, self.checked_at) = (None, None);
        self.read_settings(&mut failures);
        let own = if self.root.is_dir() { CodeSource::own(&self.root) } else { Ok(Vec::new()) };
        let own = own.unwrap_or_else(|failure| {
            failures.push(failure);
            Vec::new()
        });
        let mut sources: BTreeMap<PathBuf, Option<Arc<str>>> = own
            .iter()
            .filter_map(CodeSource::path)
            .filter(|path| !self.config.excludes(path))
            .map(|path| (path.to_owned(), None))
            .collect();
        let documents = open.iter().filter(|(path, document)| document.is_code && self.contains(path));
        sources.extend(documents.map(|(path, document)| (path.clone(), Some(Arc::clone(&document.text)))));
        let is_given = self.find_places(sources.keys(), &mut failures);
        // Unless the modulepath is set, there may be modules elsewhere.
        let ide = Ide::new(Arc::clone(&self.loader), self.limits, !is_given);
        self.ide = ide.selecting(self.config.selection(false));
        let sources: Vec<_> = sources.into_iter().collect();
        let mut done = 0;
        for batch in sources.chunks(BATCH) {
            progress(done, sources.len());
            let read = |(path, text): &(PathBuf, Option<Arc<str>>)| match text {
                Some(text) => Ok(Arc::clone(text)),
                None => CodeSource::Found(path.clone()).read(&self.limits).map(Arc::from),
            };
            let texts: Vec<_> = batch.par_iter().map(read).collect();
            batch.iter().zip(texts).for_each(|((path, _), text)| self.put(path, text));
            done += batch.len();
        }
        self.read_templates(open);
        self.read_module_files(open);
        failures
    }

    /// Reads the ERB templates: they use variables of classes.
    fn read_templates(&mut self, open: &Documents) {
        // A template that cannot be read has no known variables.
        let found =
            if self.root.is_dir() { CodeSource::erb(&self.root).unwrap_or_default() } else { Vec::new() };
        for source in found {
            let Some(path) = source.path().filter(|path| !self.config.excludes(path)) else { continue };
            let text = match open.get(path) {
                Some(document) => Ok(Arc::clone(&document.text)),
                None => source.read(&self.limits).map(Arc::from),
            };
            if let Ok(text) = text {
                self.set_template(path, text);
            }
        }
    }

    /// Reads the files that name modules.
    fn read_module_files(&mut self, open: &Documents) {
        // Without a list, there are the open ones.
        let is_vendored = |path: &Path| {
            let within = path.strip_prefix(&self.root).unwrap_or(path);
            within.iter().any(|part| ["spec", "vendor", "node_modules"].iter().any(|name| part == *name))
        };
        let is_wanted = |path: &Path| names_modules(path) && !is_vendored(path);
        let found = if self.root.is_dir() {
            CodeSource::matching(&self.root, &is_wanted).unwrap_or_default()
        } else {
            Vec::new()
        };
        found.iter().filter_map(CodeSource::path).for_each(|path| self.set_module_file_from_disk(path));
        for (path, document) in open.iter().filter(|(path, _)| names_modules(path)) {
            if self.contains(path) {
                self.ide.set_module_file(path, Arc::clone(&document.text));
            }
        }
    }

    /// Reads a file that names modules again.
    fn set_module_file_from_disk(&mut self, path: &Path) {
        let text = CodeSource::Found(path.to_owned()).read(&self.limits).ok().filter(|_| self.is_own(path));
        match text {
            Some(text) => self.ide.set_module_file(path, text.into()),
            None => self.ide.remove_module_file(path),
        }
    }

    /// Sets the current text of an ERB template.
    fn set_template(&mut self, path: &Path, text: Arc<str>) {
        if let Some(name) = self.places.template(path) {
            self.ide.set_erb(path, &name, text);
        }
    }

    /// Sets the current text of a document that is not code: an ERB template, or data.
    pub fn set_other(&mut self, path: &Path, text: &Arc<str>) {
        if path.extension().is_some_and(|end| end == "erb") {
            self.set_template(path, Arc::clone(text));
        } else if names_modules(path) {
            self.ide.set_module_file(path, Arc::clone(text));
        } else {
            self.set_data(path, text);
        }
    }

    fn read_settings(&mut self, failures: &mut Vec<ProjectFailure>) {
        (self.config, self.baseline) = Default::default();
        let of_file = ProjectConfig::of(None, Some(&self.root), &self.limits);
        let config = match of_file {
            // Their paths are relative to a folder of the workspace.
            Ok(config) if config.is_default() && self.is_folder => {
                ProjectConfig::of_editor(&self.editor_settings, &self.root)
            }
            of_file => of_file,
        };
        match config {
            Ok(config) => self.config = config,
            Err(failure) => failures.push(failure),
        }
        match self.config.baseline().map(|file| Baseline::read(&file, &self.limits)).transpose() {
            Ok(baseline) => self.baseline = baseline,
            Err(failure) => failures.push(failure),
        }
    }

    /// Finds the directories of modules. Returns true if the settings name them.
    fn find_places<'p>(
        &mut self,
        files: impl Iterator<Item = &'p PathBuf>,
        failures: &mut Vec<ProjectFailure>,
    ) -> bool {
        self.places = ProjectPlaces::of(Vec::new(), None, &self.config).unwrap_or_else(|failure| {
            failures.push(failure);
            ProjectPlaces::default()
        });
        let is_given = !self.places.modulepath.is_empty();
        files.for_each(|path| self.places.infer(path, is_given, &self.limits));
        if !is_given {
            self.places.infer_from_data(&self.root, &self.limits);
        }
        let ProjectPlaces { modulepath, own_modules, environment } = self.places.clone();
        let files = Arc::new(StdFileSystem::new(&self.limits));
        self.loader =
            Arc::new(Loader::new(files, modulepath, environment, self.limits).with_modules(own_modules));
        is_given
    }

    /// Returns true if a path is in the directory of the project.
    pub fn contains(&self, path: &Path) -> bool {
        path.starts_with(&self.root)
    }

    /// Sets the current text of a document.
    pub fn set(&mut self, path: &Path, text: Arc<str>) {
        self.put(path, Ok(text));
    }

    /// Reads a file again.
    pub fn set_from_disk(&mut self, path: &Path) {
        if names_modules(path) {
            self.set_module_file_from_disk(path);
            return;
        }
        if path.extension().is_some_and(|end| end == "erb") {
            match CodeSource::Found(path.to_owned()).read(&self.limits) {
                Ok(text) => self.set_template(path, text.into()),
                Err(_) => self.ide.remove_erb(path),
            }
            return;
        }
        if !self.is_own(path) || !path.is_file() {
            self.unreadable.remove(path);
            self.ide.remove(path);
            return;
        }
        self.put(path, CodeSource::Found(path.to_owned()).read(&self.limits).map(Arc::from));
    }

    fn put(&mut self, path: &Path, text: Result<Arc<str>, String>) {
        match text {
            Ok(text) => {
                self.unreadable.remove(path);
                let mode = Mode {
                    tasks: self.places.is_plan(path),
                    template: path.extension().is_some_and(|end| end == "epp"),
                };
                let origin = self.places.origin(path, &path.to_string_lossy());
                self.ide.set(ProjectFile { path: path.to_owned(), text, mode, origin });
            }
            Err(reason) => {
                self.ide.remove(path);
                self.unreadable.insert(path.to_owned(), reason);
            }
        }
    }

    /// Reads the Ruby files of the functions and resource types that the texts use.
    pub fn learn(&mut self, ruby: &mut dyn ReadRuby) {
        if self.learned_at == Some(self.ide.generation()) {
            return;
        }
        let files = StdFileSystem::new(&self.limits);
        self.ide.learn(&mut |path| {
            // A Ruby file that cannot be read declares nothing.
            let text = files.read_text(path).ok()?;
            ruby.read_ruby(path, &text).ok()
        });
        self.learned_at = Some(self.ide.generation());
    }

    /// Returns true if the model has changed since the last call, so that findings in all texts may be stale.
    pub fn has_changed(&mut self) -> bool {
        let now = Some(self.ide.generation());
        std::mem::replace(&mut self.checked_at, now) != now
    }

    /// Returns the checked files.
    pub fn files(&self) -> impl Iterator<Item = &Path> {
        let code = self.ide.files().map(|file| file.path.as_path());
        let unreadable = self.unreadable.keys().map(PathBuf::as_path);
        code.chain(unreadable).chain(self.data.checked()).chain(self.ide.module_file_paths())
    }

    /// Returns true if a file contains checked data, or names modules.
    pub fn checks_other(&self, path: &Path) -> bool {
        self.checks_data(path) || names_modules(path)
    }

    fn checks_data(&self, path: &Path) -> bool {
        self.data.checked().any(|checked| checked == path)
    }

    /// Returns the findings in a file.
    pub fn check(&self, path: &Path) -> Vec<Finding> {
        if !self.is_own(path) {
            return Vec::new();
        }
        if let Some(reason) = self.unreadable.get(path) {
            return self.reported(path, "", vec![Finding::new(Rule::Syntax, reason.clone(), Span::at(0))]);
        }
        let text = self.ide.text(path).map(|text| &**text).unwrap_or_default();
        if let Some(found) = self.ide.check_module_file(path) {
            return self.reported(path, text, found);
        }
        if let Some(reason) = self.data.refusal(path) {
            return self.reported(path, text, vec![Finding::new(Rule::DataSyntax, reason, Span::at(0))]);
        }
        let data = self.ide.data(path).filter(|_| self.checks_data(path));
        let found = data.map(|data| self.ide.world().check_data(data));
        self.reported(path, text, found.unwrap_or_else(|| self.ide.check(path)))
    }

    /// Reads Hiera's data, with the current texts of open documents.
    pub fn read_data(&mut self, open: &Documents) {
        let roots = std::slice::from_ref(&self.root);
        let files = StdFileSystem::new(&self.limits);
        let mut data =
            HieraData::read(roots, &self.places, None, &self.loader, &self.config, &files, &self.limits);
        open.iter().filter(|(_, document)| !document.is_code).for_each(|(path, document)| {
            data.set(path, &document.text);
        });
        let texts = data.texts(self.ide.world());
        self.ide.set_data(texts, data.complete_except());
        self.data = data;
    }

    /// Sets the current text of a data file.
    fn set_data(&mut self, path: &Path, text: &str) {
        if self.data.set(path, text)
            && let Some(data) = self.data.text(self.ide.world(), path)
        {
            self.ide.set_data_text(data);
        }
    }

    /// Applies the settings and the baseline to findings.
    fn reported(&self, path: &Path, text: &str, mut findings: Vec<Finding>) -> Vec<Finding> {
        self.config.adjust(&mut findings);
        let Some(baseline) = &self.baseline else { return findings };
        let (name, text) = (path.to_string_lossy().into_owned(), text.to_owned());
        let mut checked = [CheckedText { name, text, mode: Mode::default(), findings, is_code: true }];
        baseline.leave_out(&mut checked);
        let [CheckedText { findings, .. }] = checked;
        findings
    }

    /// Returns true if a file is checked with the project; fixtures of specs are copies of other modules.
    fn is_own(&self, path: &Path) -> bool {
        let within = path.strip_prefix(&self.root).unwrap_or(path);
        let parts: Vec<_> = within.components().map(Component::as_os_str).collect();
        !self.config.excludes(path) && !parts.windows(2).any(|parts| parts == ["spec", "fixtures"])
    }
}

/// Returns true for `metadata.json` of a module, metadata of a task, and `Puppetfile`.
pub(crate) fn names_modules(path: &Path) -> bool {
    let is_of_environment =
        || ["environment.conf", "Puppetfile"].iter().any(|name| path.with_file_name(name).exists());
    match ModuleFile::kind_of(path) {
        // Puppet does not read the one of an environment.
        Some(ModuleFileKind::Metadata) => !is_of_environment(),
        Some(ModuleFileKind::TaskMetadata | ModuleFileKind::Puppetfile) => true,
        Some(ModuleFileKind::EnvironmentConf | ModuleFileKind::PuppetConf) | None => false,
    }
}
