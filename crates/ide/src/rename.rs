//! Renaming.
#![allow(clippy::wildcard_enum_match_arm, reason = "the other expressions define no names")]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::{Ide, SourceEdit};
use puppetfn_base::source::Span;
use puppetfn_index::Symbol;

/// The changes of a rename.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Rename {
    /// The edits by file, in the order of the text.
    pub edits: Vec<(PathBuf, Vec<SourceEdit>)>,
    /// The files to move, as their definitions have new names.
    pub moves: Vec<(PathBuf, PathBuf)>,
}

/// The syntax of a kind of names.
#[derive(Clone, Copy)]
enum NameForm {
    Variable,
    Name,
    Type,
}

impl Ide {
    /// Returns the span of the name that a rename replaces at an offset; `None` if it cannot be renamed.
    pub fn renamed(&self, path: &Path, offset: u32) -> Option<Span> {
        let found = self.named_at(path, offset)?;
        form(&found.symbol)?;
        // Only symbols that the project defines can be renamed.
        let definitions = self.index.get().definitions(&found.symbol, path);
        let is_own = !definitions.is_empty()
            || !self.index.get().definitions(&self.resolved(&found.symbol, path), path).is_empty();
        is_own.then_some(found.span)
    }

    /// Renames the symbol at an offset. Classes, types and functions take a qualified name; files move with their
    /// definitions. A new name of a module's own class renames the module.
    ///
    /// # Errors
    /// Fails if the symbol cannot be renamed, or the name is invalid or taken.
    pub fn rename(&self, path: &Path, offset: u32, name: &str) -> Result<Rename, String> {
        let found = self.named_at(path, offset).filter(|_| self.renamed(path, offset).is_some());
        let found = found.ok_or("Nothing here is defined in the project, so that it cannot be renamed")?;
        let symbol = self.resolved(&found.symbol, path);
        let form = form(&symbol).ok_or("This cannot be renamed")?;
        let name = name.trim_start_matches(['$', ':']);
        check(form, name)?;
        if let Symbol::Class(old) = &symbol
            && !old.contains("::")
            && !name.contains("::")
            && **old != *name
        {
            return self.rename_module(old, name);
        }
        let target = with_name(&symbol, name);
        if target != symbol && !self.occurrences(&target, path).is_empty() {
            return Err(format!("'{name}' is taken by another definition"));
        }
        let mut edits: BTreeMap<PathBuf, Vec<SourceEdit>> = BTreeMap::new();
        for (file, one) in self.occurrences(&symbol, path) {
            let text = self.text(file).map(|text| one.span.text(text)).unwrap_or_default();
            let edit = SourceEdit { span: one.span, text: written(form, text, name) };
            edits.entry(file.to_owned()).or_default().push(edit);
        }
        edits.values_mut().for_each(|edits| edits.dedup());
        Ok(Rename { moves: self.moves(&symbol, name, path), edits: edits.into_iter().collect() })
    }

    /// Returns the move of the file that defines a renamed symbol.
    fn moves(&self, symbol: &Symbol, name: &str, path: &Path) -> Vec<(PathBuf, PathBuf)> {
        let old = match symbol {
            Symbol::Class(old) | Symbol::Type(old) | Symbol::Function(old) | Symbol::Plan(old) => old,
            _ => return Vec::new(),
        };
        let lower = name.to_lowercase();
        let (from, to): (Vec<&str>, Vec<&str>) = (old.split("::").collect(), lower.split("::").collect());
        let (Some((module, from)), Some((other, to))) = (from.split_first(), to.split_first()) else {
            return Vec::new();
        };
        if module != other || from.is_empty() || to.is_empty() {
            return Vec::new();
        }
        let defined = self.index.get().definitions(symbol, path);
        let moved = |file: &Path| {
            let relative: PathBuf = from.iter().collect::<PathBuf>().with_extension("pp");
            let root = file.to_str()?.strip_suffix(relative.to_str()?)?;
            let target = Path::new(root).join(to.iter().collect::<PathBuf>().with_extension("pp"));
            Some((file.to_owned(), target)).filter(|(file, target)| file != target)
        };
        defined.into_iter().filter_map(|(file, _)| moved(file)).collect()
    }
}

fn form(symbol: &Symbol) -> Option<NameForm> {
    match symbol {
        Symbol::Variable { .. } | Symbol::Local { .. } | Symbol::TemplateVariable { .. } => {
            Some(NameForm::Variable)
        }
        Symbol::Function(_) | Symbol::Plan(_) | Symbol::Class(_) => Some(NameForm::Name),
        Symbol::Type(_) => Some(NameForm::Type),
        Symbol::Resource { .. } | Symbol::Template(_) | Symbol::File(_) | Symbol::Key(_) => None,
    }
}

fn with_name(symbol: &Symbol, name: &str) -> Symbol {
    let lower = || name.to_lowercase().into();
    match symbol {
        Symbol::Variable { owner, .. } => Symbol::Variable { owner: owner.clone(), name: name.into() },
        Symbol::Local { scope, .. } => Symbol::Local { scope: *scope, name: name.into() },
        Symbol::Function(_) => Symbol::Function(lower()),
        Symbol::Plan(_) => Symbol::Plan(lower()),
        Symbol::Class(_) => Symbol::Class(lower()),
        Symbol::Type(_) => Symbol::Type(lower()),
        other => other.clone(),
    }
}

/// Fails if a name is invalid.
fn check(form: NameForm, name: &str) -> Result<(), String> {
    let is_part = |part: &str| {
        let part = part.to_lowercase();
        part.starts_with(|c: char| c.is_ascii_lowercase() || (c == '_' && matches!(form, NameForm::Variable)))
            && part.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_')
    };
    let is_name = match form {
        NameForm::Variable => is_part(name) && !name.starts_with(|c: char| c.is_ascii_uppercase()),
        NameForm::Name => name.split("::").all(is_part) && !name.contains(|c: char| c.is_ascii_uppercase()),
        NameForm::Type => name.split("::").all(is_part),
    };
    let expected = match form {
        NameForm::Variable => "a lower case letter or _, then letters, digits and _",
        NameForm::Name => "names in lower case with :: between them",
        NameForm::Type => "names with :: between them",
    };
    if is_name { Ok(()) } else { Err(format!("'{name}' is not a valid name: expected {expected}")) }
}

/// Returns a new name in the notation of the old one: with its `::` and capitals.
fn written(form: NameForm, before: &str, name: &str) -> String {
    match form {
        NameForm::Variable => match before.rsplit_once("::") {
            Some((owner, _)) => format!("{owner}::{name}"),
            None => name.to_owned(),
        },
        NameForm::Name | NameForm::Type => {
            let prefix = if before.starts_with("::") { "::" } else { "" };
            let plain = before.trim_start_matches("::");
            let name = match plain.starts_with(|c: char| c.is_ascii_uppercase()) {
                true => puppetfn_types::types::parse::capitalize_segments(name),
                false => name.to_lowercase(),
            };
            format!("{prefix}{name}")
        }
    }
}
