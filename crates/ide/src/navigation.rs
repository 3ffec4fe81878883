//! Definitions and references.
#![allow(clippy::wildcard_enum_match_arm, reason = "the other expressions call nothing")]

use std::path::{Path, PathBuf};

use super::Ide;
use super::describe::lower;
use puppetfn_base::source::Span;
use puppetfn_index::{Occurrence, Role, Symbol};
use puppetfn_types::types::Type;

/// A place in a file.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct FileSpan {
    /// The file.
    pub path: PathBuf,
    /// The span in the file.
    pub span: Span,
}

/// A line above a definition that links to locations.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lens {
    /// The span of the definition's name.
    pub span: Span,
    /// The text.
    pub title: String,
    /// The locations.
    pub locations: Vec<FileSpan>,
}

impl FileSpan {
    pub(crate) fn new(path: &Path, span: Span) -> Self {
        Self { path: path.to_owned(), span }
    }
}

impl Ide {
    /// Returns the definitions of the symbol at an offset.
    pub fn definitions(&self, path: &Path, offset: u32) -> Vec<FileSpan> {
        if let Some(file) = self.module_files.get(path) {
            return self.definitions_in_module_file(file, offset);
        }
        let named = self.named_at(path, offset).map(|found| self.defined(&found.symbol, path));
        named.filter(|found| !found.is_empty()).unwrap_or_else(|| {
            let links = self.links(path).into_iter().filter(|(span, _)| span.touches(offset));
            links.map(|(_, path)| FileSpan { path, span: Span::default() }).collect()
        })
    }

    /// Returns the definitions of the type of the expression at an offset.
    pub fn type_definitions(&self, path: &Path, offset: u32) -> Vec<FileSpan> {
        let stated =
            self.named_at(path, offset).and_then(|found| self.declared_parameter(&found.symbol, path));
        let observed = || self.type_at(path, offset).map(|(_, t)| shown_name(&t));
        let Some(t) = stated.map(|(t, _)| t).filter(|t| !t.is_empty()).or_else(observed) else {
            return Vec::new();
        };
        let names = t.split(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | ':')));
        let mut found: Vec<_> = names
            .filter(|name| name.starts_with(char::is_uppercase))
            .flat_map(|name| self.defined(&Symbol::Type(lower(name)), path))
            .collect();
        found.dedup();
        found
    }

    /// Returns the references to the symbol at an offset.
    pub fn references(&self, path: &Path, offset: u32, with_definitions: bool) -> Vec<FileSpan> {
        let Some(found) = self.named_at(path, offset) else { return Vec::new() };
        let mut locations: Vec<_> = self
            .occurrences(&found.symbol, path)
            .into_iter()
            .filter(|(_, one)| with_definitions || one.role != Role::Definition)
            .map(|(path, one)| FileSpan::new(path, one.span))
            .collect();
        locations.sort();
        locations.dedup();
        locations
    }

    /// Returns the references to the symbol at an offset in the same text.
    pub fn highlights(&self, path: &Path, offset: u32) -> Vec<(Span, Role)> {
        let Some(found) = self.named_at(path, offset) else { return Vec::new() };
        let own = self.occurrences(&found.symbol, path).into_iter().filter(|(file, _)| *file == path);
        own.map(|(_, one)| (one.span, one.role)).collect()
    }

    /// Returns the numbers and locations of the references to the classes, types and functions of a text.
    pub fn lenses(&self, path: &Path) -> Vec<Lens> {
        let Some(source) = self.source(path) else { return Vec::new() };
        let lens = |definition: &puppetfn_index::SymbolDefinition| {
            let found = self.occurrences(&definition.symbol, path);
            // Data for a class does not declare it.
            let used = found.into_iter();
            let used = used.filter(|(path, one)| one.role == Role::Read && !self.data.contains_key(*path));
            let locations: Vec<_> = used.map(|(path, one)| FileSpan::new(path, one.span)).collect();
            let what = match definition.symbol {
                Symbol::Class(_) => "declared or named",
                Symbol::Function(_) | Symbol::Plan(_) => "called",
                _ => "used",
            };
            let times = match locations.len() {
                0 => format!("not {what} in this project"),
                1 => format!("{what} once"),
                count => format!("{what} {count} times"),
            };
            Lens { span: definition.name_span, title: times, locations }
        };
        source.index().definitions().iter().map(lens).collect()
    }

    /// Returns the name at an offset.
    pub(crate) fn named_at(&self, path: &Path, offset: u32) -> Option<&Occurrence> {
        if self.data.contains_key(path) {
            return self.named_in_data(path, offset);
        }
        self.index.get().file(path)?.at(offset)
    }

    /// Returns the occurrences of a symbol that code in a file mentions, including occurrences in derived classes and
    /// templates.
    pub(crate) fn occurrences(&self, symbol: &Symbol, path: &Path) -> Vec<(&Path, &Occurrence)> {
        let symbol = self.resolved(symbol, path);
        let mut found = match &symbol {
            // Derived classes refer to it as their own variable.
            Symbol::Variable { name, .. } => self.index.get().variables(name),
            symbol => self.index.get().occurrences(symbol, path),
        };
        found.retain(|(file, one)| {
            one.symbol == symbol || self.index.get().inherited(&one.symbol, file) == symbol
        });
        found.extend(self.in_templates(&symbol, path));
        found.sort_by_key(|(file, one)| (*file, one.span.start));
        found
    }
}

/// Returns the name of a type without its parameters.
fn shown_name(t: &Type) -> String {
    let shown = t.to_string();
    shown.split('[').next().unwrap_or_default().to_owned()
}
