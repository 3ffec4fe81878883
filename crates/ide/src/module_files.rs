//! The modules that `metadata.json` and `Puppetfile` name, and their versions.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::completion::{Completion, CompletionKind};
use super::module_file::{ModuleFile, QuotedRole};
use super::navigation::FileSpan;
use super::{Hover, Ide};
use puppetfn_base::source::Span;
use puppetfn_check::{Finding, ModuleFileKind};
use puppetfn_types::convert::json;
use puppetfn_types::function::ModuleFiles;
use puppetfn_types::value::{SemVer, SemVerRange, Value};

/// A module of the modulepath, as its `metadata.json` describes it.
struct InstalledModule {
    /// The full name, with a slash.
    name: String,
    version: String,
    summary: String,
    root: PathBuf,
}

impl Ide {
    /// Sets the text of a `metadata.json`, a `Puppetfile` or the metadata of a task. Other files are ignored.
    pub fn set_module_file(&mut self, path: &Path, text: Arc<str>) {
        if let Some(kind) = ModuleFile::kind_of(path) {
            self.module_files.insert(path.to_owned(), ModuleFile { kind, text });
        }
    }

    /// Removes such a text.
    pub fn remove_module_file(&mut self, path: &Path) {
        self.module_files.remove(path);
    }

    /// Returns the paths of such texts.
    pub fn module_file_paths(&self) -> impl Iterator<Item = &Path> {
        self.module_files.keys().map(PathBuf::as_path)
    }

    /// Returns the findings in such a text; `None` for other texts.
    pub fn check_module_file(&self, path: &Path) -> Option<Vec<Finding>> {
        let file = self.module_files.get(path)?;
        Some(self.world().check_module_file(file.kind, &file.text))
    }

    /// Returns the description of the module or the version at an offset.
    pub(crate) fn hover_in_module_file(&self, file: &ModuleFile, offset: u32) -> Option<Hover> {
        let (span, role) = file.quoted_at(offset)?;
        let written = span.text(&file.text);
        let markdown = match role {
            QuotedRole::Module => match self.installed(written) {
                Some(module) => {
                    let InstalledModule { name, version, summary, root } = module;
                    format!("**{name}** {version}\n\n{summary}\n\n`{}`", root.display())
                }
                None => format!("`{written}` is not in the modulepath."),
            },
            QuotedRole::Version { module } => {
                let installed = self.installed(&module)?;
                let range = SemVerRange::parse(written, self.limits()).ok();
                let version = SemVer::parse(&installed.version).ok();
                let is_met = range.zip(version).map(|(range, version)| range.includes(&version));
                let verdict = match is_met {
                    Some(true) => ", which is in the range",
                    Some(false) => ", which is not in the range",
                    None => "",
                };
                format!("Installed: {} {}{verdict}", installed.name, installed.version)
            }
        };
        Some(Hover { span, markdown })
    }

    /// Returns the `metadata.json` of the module at an offset.
    pub(crate) fn definitions_in_module_file(&self, file: &ModuleFile, offset: u32) -> Vec<FileSpan> {
        let found = file.quoted_at(offset).and_then(|(span, role)| {
            let module = (role == QuotedRole::Module).then(|| self.installed(span.text(&file.text)))??;
            Some(FileSpan { path: module.root.join("metadata.json"), span: Span::default() })
        });
        found.into_iter().collect()
    }

    /// Returns the installed modules, or the versions that fit the installed one.
    pub(crate) fn completions_in_module_file(&self, file: &ModuleFile, offset: u32) -> Vec<Completion> {
        let Some((span, role)) = file.quoted_at(offset) else { return Vec::new() };
        let typed = file.text.get(span.start as usize..offset as usize).unwrap_or_default();
        let mut found = match role {
            QuotedRole::Module => {
                let names = self.loader.module_names().unwrap_or_default();
                let modules = names.iter().filter_map(|name| self.installed(name));
                let with_dash = typed.contains('-');
                let completion = |module: InstalledModule| {
                    let name = if with_dash { module.name.replacen('/', "-", 1) } else { module.name };
                    Completion::new(CompletionKind::Module, name, span)
                        .detail(module.version)
                        .documented(module.summary)
                };
                modules.map(completion).collect::<Vec<_>>()
            }
            QuotedRole::Version { module } => {
                let version = self.installed(&module).map(|module| module.version).unwrap_or_default();
                let shown = match file.kind {
                    ModuleFileKind::Metadata => up_to_next_major(&version),
                    ModuleFileKind::Puppetfile
                    | ModuleFileKind::TaskMetadata
                    | ModuleFileKind::EnvironmentConf
                    | ModuleFileKind::PuppetConf => Some(version),
                };
                let shown = shown.filter(|shown| !shown.is_empty());
                shown.map(|shown| Completion::new(CompletionKind::Value, shown, span)).into_iter().collect()
            }
        };
        found.retain(|one| one.label.starts_with(typed));
        found.sort_by(|one, other| one.label.cmp(&other.label));
        found
    }

    /// Returns the module of the modulepath with a name, which may have an author.
    fn installed(&self, name: &str) -> Option<InstalledModule> {
        let short = name.rsplit(['/', '-']).next()?;
        let root = self.loader.module_directory(short).ok().flatten()?;
        let text = self.loader.read_file(&root.join("metadata.json")).ok()?;
        let metadata = json::parse(std::str::from_utf8(&text).ok()?, self.limits()).ok()?.ok()?;
        let Value::Hash(metadata) = metadata else { return None };
        let field = |name: &str| match metadata.get_str(name) {
            Some(Value::String(text)) => text.to_string(),
            Some(_) | None => String::new(),
        };
        let full = field("name").replacen('-', "/", 1);
        // A module of another author is another module.
        let is_other = name.contains(['/', '-']) && name.replacen('-', "/", 1) != full;
        let described =
            || InstalledModule { name: full, version: field("version"), summary: field("summary"), root };
        (!is_other).then(described)
    }
}

/// Returns the range from a version to the next major one.
fn up_to_next_major(version: &str) -> Option<String> {
    let major: u64 = version.split('.').next()?.parse().ok()?;
    Some(format!(">= {version} < {}.0.0", major.saturating_add(1)))
}
