//! The projects that an editor has open: found, and checked, as `puppetfn check` does it.
#![allow(clippy::disallowed_methods, reason = "the user has opened these directories")]

use std::path::{Path, PathBuf};
use std::sync::Arc;

use rayon::prelude::*;

use super::super::sources::Source;
use super::super::{Failure, Host};
use super::config::Config;
use super::data::Data;
use super::places::Places;
use puppetfn_base::file_system::{FileSystem, StdFileSystem};
use puppetfn_base::limits::Limits;
use puppetfn_check::Finding;
use puppetfn_ide::{File, Ide};
use puppetfn_lsp::Workspace;
use puppetfn_runtime::loader::Loader;
use puppetfn_syntax::Mode;

/// The projects in the directories that an editor has open.
pub(in super::super) struct Projects<'h> {
    host: &'h mut dyn Host,
    limits: Limits,
    roots: Vec<PathBuf>,
    config: Config,
    places: Places,
    loader: Option<Arc<Loader>>,
}

impl<'h> Projects<'h> {
    /// Those of no directory yet.
    pub fn new(host: &'h mut dyn Host, limits: Limits) -> Self {
        let places = Places { modulepath: Vec::new(), own_modules: Vec::new(), environment: None };
        Self { host, limits, roots: Vec::new(), config: Config::default(), places, loader: None }
    }

    fn read_all(
        &mut self,
        roots: &[PathBuf],
        progress: &mut dyn FnMut(usize, usize),
    ) -> Result<Ide, Failure> {
        self.roots = roots.to_vec();
        self.config = match roots.first() {
            Some(_) => Config::of(None, roots.first(), &self.limits)?,
            None => Config::default(),
        };
        let mut paths = Vec::new();
        for root in roots {
            let sources = Source::own(root)?;
            paths.extend(sources.iter().filter_map(Source::path).map(Path::to_owned));
        }
        paths.retain(|path| !self.config.excludes(path));
        self.places = Places::of(&[], None, &self.config)?;
        let is_partial = self.places.modulepath.is_empty();
        paths.iter().for_each(|path| self.places.infer(path, !is_partial));
        if is_partial {
            roots.iter().for_each(|root| self.places.infer_from_data(root));
        }
        let files = Arc::new(StdFileSystem::new(&self.limits));
        let loader =
            Loader::new(files, self.places.modulepath.clone(), self.places.environment.clone(), self.limits);
        let loader = Arc::new(loader.with_modules(self.places.own_modules.iter().cloned()));
        self.loader = Some(Arc::clone(&loader));
        let limits = self.limits;
        let mut ide = Ide::new(loader, limits, is_partial);
        let read: Vec<_> = paths.par_iter().map(|path| read(path, &limits)).collect();
        let count = paths.len();
        for (done, (path, text)) in paths.iter().zip(read).enumerate() {
            // A file that cannot be read is one that nothing is known of.
            let file = text.and_then(|text| self.file(path, text.into()));
            file.into_iter().for_each(|file| ide.set(file));
            progress(done, count);
        }
        Ok(ide)
    }
}

impl Workspace for Projects<'_> {
    fn open(&mut self, roots: &[PathBuf], progress: &mut dyn FnMut(usize, usize)) -> Result<Ide, String> {
        self.read_all(roots, progress).map_err(|failure| match failure {
            Failure::Usage(message) => message,
            Failure::Function(error) | Failure::Advised(error, _) => error.to_string(),
            Failure::Output(error) => error.to_string(),
        })
    }

    fn file(&self, path: &Path, text: Arc<str>) -> Option<File> {
        let end = path.extension()?;
        if end != "pp" && end != "epp" {
            return None;
        }
        let mode = Mode { tasks: self.places.is_plan(path), template: end == "epp" };
        let origin = self.places.origin(path, &path.to_string_lossy());
        Some(File { path: path.to_owned(), text, mode, origin })
    }

    fn read(&self, path: &Path) -> Option<String> {
        read(path, &self.limits)
    }

    fn learn(&mut self, ide: &mut Ide) {
        let files = StdFileSystem::new(&self.limits);
        ide.learn(&mut |path| {
            // A file that cannot be read says nothing of its function or type.
            let text = files.read_text(path).ok()?;
            self.host.read_ruby(path, &text).ok()
        });
    }

    fn adjust(&self, path: &Path, findings: &mut Vec<Finding>) {
        if self.config.excludes(path) {
            findings.clear();
        }
        self.config.adjust(findings);
    }

    fn check_data(&mut self, ide: &mut Ide) -> Vec<(PathBuf, String, Vec<Finding>)> {
        let Some(loader) = &self.loader else { return Vec::new() };
        let data = Data::read(&self.roots, &self.places, loader, &self.config, &self.limits);
        let texts = data.texts(ide.world());
        ide.set_data(texts, data.is_complete_except());
        let checked = data.check(ide.world(), ide.data()).into_iter().map(|mut checked| {
            self.config.adjust(&mut checked.findings);
            (PathBuf::from(checked.name), checked.text, checked.findings)
        });
        checked.collect()
    }
}

fn read(path: &Path, limits: &Limits) -> Option<String> {
    String::from_utf8(StdFileSystem::new(limits).read(path).ok()?).ok()
}
