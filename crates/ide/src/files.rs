//! Definitions in the texts of the project and in files of other modules.

use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError};

use super::Ide;
use super::navigation::FileSpan;
use super::source::AnalyzedText;
use puppetfn_base::source::Span;
use puppetfn_index::{Role, Symbol};
use puppetfn_runtime::eval::ManifestLookup;
use puppetfn_syntax::Mode;
use puppetfn_types::function::ModuleFiles;

impl Ide {
    /// Returns the source of a text of the project, or of another file, which is then cached.
    pub(crate) fn any_source(&self, path: &Path) -> Option<Arc<AnalyzedText>> {
        if let Some(source) = self.source(path) {
            return Some(Arc::clone(source));
        }
        let others = || self.others.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = others().get(path) {
            return known.clone();
        }
        let text = self.loader.read_file(path).ok().and_then(|bytes| String::from_utf8(bytes).ok());
        let is_template = path.extension().is_some_and(|end| end == "epp");
        let mode = Mode { template: is_template, ..Mode::default() };
        let source = text.map(|text| Arc::new(AnalyzedText::new(&text.into(), None, mode, self.limits())));
        others().insert(path.to_owned(), source.clone());
        source
    }

    /// Returns the definitions of a symbol that code in a file mentions.
    pub(crate) fn defined(&self, symbol: &Symbol, origin: &Path) -> Vec<FileSpan> {
        let symbol = self.resolved(symbol, origin);
        let own = self.index.get().definitions(&symbol, origin);
        let own: Vec<_> = own.into_iter().map(|(path, one)| FileSpan::new(path, one.span)).collect();
        if own.is_empty() { self.defined_elsewhere(&symbol) } else { own }
    }

    fn defined_elsewhere(&self, symbol: &Symbol) -> Vec<FileSpan> {
        let files = match symbol {
            Symbol::Function(name) => {
                let file = self.loader.find_function(name).ok().flatten();
                let file = file.map(|file| file.path);
                return match file {
                    Some(path) if is_ruby(&path) => self.in_ruby(path, name),
                    Some(path) => self.within(&[path], symbol),
                    None => self.within(&self.manifests(name), symbol),
                };
            }
            Symbol::Type(name) => {
                if let Some(path) = self.loader.find_resource_type(name).ok().flatten() {
                    return self.in_ruby(path, name);
                }
                let alias = self.loader.find_type_file(name).ok().flatten();
                self.manifests(name).into_iter().chain(alias).collect()
            }
            Symbol::Class(name) => self.manifests(name),
            Symbol::Variable { owner, .. } if !owner.is_empty() => self.manifests(owner),
            Symbol::Template(path) => return self.module_file("templates", path),
            Symbol::File(path) => return self.module_file("files", path),
            Symbol::Plan(_)
            | Symbol::Variable { .. }
            | Symbol::Local { .. }
            | Symbol::TemplateVariable { .. }
            | Symbol::Resource { .. }
            | Symbol::Key(_) => return Vec::new(),
        };
        self.within(&files, symbol)
    }

    /// Returns the manifests in which a name may be defined, the likeliest first.
    fn manifests(&self, name: &str) -> Vec<PathBuf> {
        let steps = ManifestLookup::manifests(&*self.loader, name).unwrap_or_default();
        steps.into_iter().flatten().map(|file| PathBuf::from(file.path)).collect()
    }

    fn within(&self, files: &[PathBuf], symbol: &Symbol) -> Vec<FileSpan> {
        let in_file = |path: &PathBuf| {
            let source = self.any_source(path)?;
            let mut named = source.index().of_symbol(symbol);
            named.find(|one| one.role == Role::Definition).map(|one| FileSpan::new(path, one.span))
        };
        files.iter().find_map(in_file).into_iter().collect()
    }

    /// Returns the location of the name in the Ruby file that defines it, or else the start of the file.
    fn in_ruby(&self, path: PathBuf, name: &str) -> Vec<FileSpan> {
        let text = self.loader.read_file(&path).unwrap_or_default();
        let text = String::from_utf8_lossy(&text).into_owned();
        let name_at =
            [format!("'{name}'"), format!("\"{name}\""), format!(":{name}")].iter().find_map(|quoted| {
                let at = text.find(quoted.as_str())? + quoted.len()
                    - name.len()
                    - usize::from(!quoted.starts_with(':'));
                Some(Span::new(at as u32, (at + name.len()) as u32))
            });
        vec![FileSpan { span: name_at.unwrap_or_default(), path }]
    }

    /// Returns the file of a module for a function's path argument.
    fn module_file(&self, directory: &str, path: &str) -> Vec<FileSpan> {
        let found = self.path_in_module(directory, path);
        found.map(|path| FileSpan { path, span: Span::default() }).into_iter().collect()
    }

    pub(crate) fn path_in_module(&self, directory: &str, path: &str) -> Option<PathBuf> {
        let (module, file) = path.split_once('/')?;
        let root = self.loader.module_directory(module).ok().flatten()?;
        let path = root.join(directory).join(file);
        let mut with_ending = path.clone().into_os_string();
        with_ending.push(".epp");
        [path, with_ending.into()].into_iter().find(|path| self.loader.file_system().exists(path))
    }
}

pub(crate) fn is_ruby(path: &Path) -> bool {
    path.extension().is_some_and(|end| end == "rb")
}
