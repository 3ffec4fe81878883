//! The names in many files.

use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::file::FileIndex;
use super::symbol::{Occurrence, Role, Symbol};

/// The names in many files.
#[derive(Default, Debug)]
pub struct Index {
    files: HashMap<PathBuf, Arc<FileIndex>>,
    /// The files that mention a symbol. The sorted sets make results deterministic.
    by_symbol: HashMap<Symbol, BTreeSet<PathBuf>>,
    /// The files that mention a variable of this name, whoever its owner is.
    by_variable: HashMap<Arc<str>, BTreeSet<PathBuf>>,
}

impl Index {
    /// Adds a file, or replaces its entries.
    pub fn set(&mut self, path: &Path, index: Arc<FileIndex>) {
        self.remove(path);
        for occurrence in index.occurrences().iter().filter(|occurrence| !occurrence.symbol.is_local()) {
            let files = self.by_symbol.entry(occurrence.symbol.clone()).or_default();
            if files.contains(path) {
                continue;
            }
            files.insert(path.to_owned());
            if let Symbol::Variable { name, .. } = &occurrence.symbol {
                self.by_variable.entry(Arc::clone(name)).or_default().insert(path.to_owned());
            }
        }
        self.files.insert(path.to_owned(), index);
    }

    /// Removes a file.
    pub fn remove(&mut self, path: &Path) {
        let Some(index) = self.files.remove(path) else { return };
        for occurrence in index.occurrences() {
            if let Some(files) = self.by_symbol.get_mut(&occurrence.symbol) {
                files.remove(path);
                if files.is_empty() {
                    self.by_symbol.remove(&occurrence.symbol);
                }
            }
            if let Symbol::Variable { name, .. } = &occurrence.symbol
                && let Some(files) = self.by_variable.get_mut(name)
            {
                files.remove(path);
            }
        }
    }

    /// Returns the index of a file.
    pub fn file(&self, path: &Path) -> Option<&Arc<FileIndex>> {
        self.files.get(path)
    }

    /// Returns all files.
    pub fn files(&self) -> impl Iterator<Item = (&Path, &FileIndex)> {
        self.files.iter().map(|(path, index)| (&**path, &**index))
    }

    /// Returns the occurrences of a symbol, by file. A local symbol is searched only in `origin`.
    pub fn occurrences(&self, symbol: &Symbol, origin: &Path) -> Vec<(&Path, &Occurrence)> {
        let local = symbol.is_local().then(|| self.files.get_key_value(origin)).flatten();
        let others = self.by_symbol.get(symbol).into_iter().flatten();
        let files = local.into_iter().chain(others.filter_map(|path| self.files.get_key_value(path)));
        let mut found = Vec::new();
        for (path, index) in files {
            let named = index.occurrences().iter().filter(|one| one.symbol == *symbol);
            found.extend(named.map(|one| (path.as_path(), one)));
        }
        found
    }

    /// Returns the occurrences of variables of this name, whoever their owners are, by file.
    pub fn variables(&self, name: &str) -> Vec<(&Path, &Occurrence)> {
        let is_it =
            |one: &&Occurrence| matches!(&one.symbol, Symbol::Variable { name: own, .. } if **own == *name);
        let files = self.by_variable.get(name).into_iter().flatten();
        let files = files.filter_map(|path| self.files.get_key_value(path));
        files
            .flat_map(|(path, index)| {
                index.occurrences().iter().filter(is_it).map(|one| (path.as_path(), one))
            })
            .collect()
    }

    /// Returns the definitions of a symbol.
    pub fn definitions(&self, symbol: &Symbol, origin: &Path) -> Vec<(&Path, &Occurrence)> {
        let mut found = self.occurrences(symbol, origin);
        found.retain(|(_, occurrence)| occurrence.role == Role::Definition);
        found
    }

    /// Returns the symbols of all files, each once.
    pub fn symbols(&self) -> impl Iterator<Item = &Symbol> {
        self.by_symbol.keys()
    }

    /// Resolves a class's variable through inheritance: to the nearest base class that sets it, if the class itself
    /// does not.
    pub fn inherited(&self, symbol: &Symbol, origin: &Path) -> Symbol {
        let mut symbol = symbol.clone();
        // Bounded, as a class may inherit from itself, which the checker reports.
        for _ in 0..100 {
            let Symbol::Variable { owner, name } = &symbol else { break };
            if owner.is_empty() || !self.definitions(&symbol, origin).is_empty() {
                break;
            }
            let Some(parent) = self.parent(owner) else { break };
            symbol = Symbol::Variable { owner: parent, name: Arc::clone(name) };
        }
        symbol
    }

    /// Returns the base class of a class.
    pub fn parent(&self, class: &Arc<str>) -> Option<Arc<str>> {
        let symbol = Symbol::Class(Arc::clone(class));
        let mut files = self.by_symbol.get(&symbol)?.iter().filter_map(|path| self.files.get(path));
        files.find_map(|file| {
            let mut definitions = file.definitions().iter();
            definitions.find(|definition| definition.symbol == symbol)?.parent.clone()
        })
    }
}
