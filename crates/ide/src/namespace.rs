//! Renaming a module: the first part of all its names, and its directories.
#![allow(clippy::wildcard_enum_match_arm, reason = "the other names are not in a module")]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::links::MODULE_FILES;
use super::{Ide, Rename, SourceEdit};
use puppetfn_base::file_system::EntryKind;
use puppetfn_base::source::Span;
use puppetfn_index::{Occurrence, Symbol};
use puppetfn_types::function::ModuleFiles;

/// The edits of each file, by their offsets.
type Edits = BTreeMap<PathBuf, BTreeMap<u32, SourceEdit>>;

/// A new name of a module.
struct ModuleRename<'r> {
    old: &'r str,
    new: &'r str,
}

impl ModuleRename<'_> {
    /// Returns the edit of the module's name in an occurrence of a symbol.
    fn edit(&self, one: &Occurrence, text: &str) -> Option<SourceEdit> {
        let separator = match &one.symbol {
            Symbol::Template(_) | Symbol::File(_) => "/",
            _ => "::",
        };
        let (name, qualifies) = match &one.symbol {
            Symbol::Class(name) | Symbol::Type(name) | Symbol::Function(name) | Symbol::Plan(name) => {
                (&**name, false)
            }
            Symbol::Template(name) | Symbol::File(name) | Symbol::Key(name) => (&**name, true),
            Symbol::Variable { owner, .. } => (&**owner, true),
            _ => return None,
        };
        let is_own = match name.split_once(separator) {
            Some((module, _)) => module == self.old,
            None => {
                name == self.old
                    && !matches!(one.symbol, Symbol::Key(_) | Symbol::Template(_) | Symbol::File(_))
            }
        };
        if !is_own {
            return None;
        }
        // ERB templates and data name variables apart from their classes.
        let before = text.get(..one.span.start as usize)?;
        let start = match &one.symbol {
            Symbol::Variable { owner, .. } if before.ends_with(&format!("{owner}::")) => {
                before.len() - owner.len() - 2
            }
            _ => before.len() + if text.get(before.len()..)?.starts_with("::") { 2 } else { 0 },
        };
        let written = text.get(start..start + self.old.len())?;
        let follows = text.get(start + self.old.len()..)?;
        let is_qualified = follows.starts_with(separator);
        if !written.eq_ignore_ascii_case(self.old) || qualifies && !is_qualified {
            return None;
        }
        let is_type = written.starts_with(|c: char| c.is_ascii_uppercase());
        Some(self.edit_at(start, is_type))
    }

    fn edit_at(&self, start: usize, is_type: bool) -> SourceEdit {
        let span = Span::new(start as u32, (start + self.old.len()) as u32);
        let text = if is_type {
            puppetfn_types::types::parse::capitalize_segments(self.new)
        } else {
            self.new.to_owned()
        };
        SourceEdit { span, text }
    }

    /// Returns the edits of all places where a prefix precedes the name and one of some characters follows it.
    fn edits_after(&self, prefix: &str, followed_by: &[char], text: &str) -> Vec<SourceEdit> {
        let pattern = format!("{prefix}{}", self.old);
        let found = text.match_indices(&pattern);
        let found = found.filter(|(at, _)| {
            text.get(at + pattern.len()..).is_some_and(|rest| rest.starts_with(followed_by))
        });
        found.map(|(at, _)| self.edit_at(at + prefix.len(), false)).collect()
    }
}

impl Ide {
    /// Renames a module of the project: in code, data, templates and `metadata.json`, with its directory.
    ///
    /// # Errors
    /// Fails if a module of the project has the new name.
    pub(crate) fn rename_module(&self, old: &str, new: &str) -> Result<Rename, String> {
        let rename = ModuleRename { old, new };
        let is_of = |symbol: &Symbol, module: &str| match symbol {
            Symbol::Class(name) | Symbol::Type(name) | Symbol::Function(name) => {
                name.split("::").next() == Some(module)
            }
            _ => false,
        };
        let mut definitions = self.index.get().files().flat_map(|(_, index)| index.definitions());
        if definitions.any(|one| is_of(&one.symbol, new)) {
            return Err(format!("'{new}' is taken by another module"));
        }
        let mut edits = Edits::new();
        let mut add = |path: &Path, found: Vec<SourceEdit>| {
            let edits = edits.entry(path.to_owned()).or_default();
            edits.extend(found.into_iter().map(|edit| (edit.span.start, edit)));
        };
        for (path, index) in self.index.get().files() {
            let Some(text) = self.text(path) else { continue };
            add(path, index.occurrences().iter().filter_map(|one| rename.edit(one, text)).collect());
            add(path, rename.edits_after(MODULE_FILES, &['/'], text));
        }
        let mut moves = Vec::new();
        if let Ok(Some(root)) = self.loader.module_directory(old) {
            let text =
                |path: &Path| self.loader.read_file(path).ok().and_then(|text| String::from_utf8(text).ok());
            let metadata = root.join("metadata.json");
            if let Some(edit) = text(&metadata).and_then(|text| name_in_metadata(&rename, &text)) {
                add(&metadata, vec![edit]);
            }
            let functions = root.join("lib/puppet/functions").join(old);
            for path in self.files_below(&functions) {
                let text = text(&path).unwrap_or_default();
                for quote in ["'", "\"", ":"] {
                    add(&path, rename.edits_after(quote, &[':'], &text));
                }
            }
            if self.loader.file_system().exists(&functions) {
                moves.push((functions.clone(), functions.with_file_name(new)));
            }
            if root.file_name().is_some_and(|name| name == old) {
                moves.push((root.clone(), root.with_file_name(new)));
            }
        }
        let edits = edits.into_iter().filter(|(_, edits)| !edits.is_empty());
        let edits = edits.map(|(path, edits)| (path, edits.into_values().collect()));
        Ok(Rename { edits: edits.collect(), moves })
    }

    /// Returns the files in a directory.
    fn files_below(&self, directory: &Path) -> Vec<PathBuf> {
        let entries = self.loader.file_system().list(directory).unwrap_or_default();
        let files = entries.into_iter().filter(|entry| entry.kind != EntryKind::Directory);
        files.map(|entry| directory.join(entry.name)).collect()
    }
}

/// Returns the edit of the name in `metadata.json`, which has the author before it.
fn name_in_metadata(rename: &ModuleRename<'_>, text: &str) -> Option<SourceEdit> {
    let key = text.find("\"name\"")? + "\"name\"".len();
    let value = key + text.get(key..)?.find('"')? + 1;
    let name = text.get(value..)?.split('"').next()?;
    let start = name.strip_suffix(rename.old).filter(|author| author.ends_with(['-', '/']))?;
    Some(rename.edit_at(value + start.len(), false))
}
