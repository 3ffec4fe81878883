//! The names in one text.

use super::collect::OccurrenceCollector;
use super::symbol::{Occurrence, Role, Symbol, SymbolDefinition};
use puppetfn_syntax::ast::Program;

/// The names in a text.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct FileIndex {
    /// In the order of the text.
    occurrences: Vec<Occurrence>,
    definitions: Vec<SymbolDefinition>,
}

impl FileIndex {
    /// Finds the names in a text.
    pub fn of(program: &Program<'_>) -> Self {
        let (mut occurrences, definitions) = OccurrenceCollector::new(program).collect();
        occurrences.sort_by_key(|occurrence| (occurrence.span.start, occurrence.span.end, occurrence.role));
        occurrences.dedup();
        Self { occurrences, definitions }
    }

    /// Returns an index of names from another source, such as data.
    pub fn of_occurrences(mut occurrences: Vec<Occurrence>) -> Self {
        occurrences.sort_by_key(|occurrence| (occurrence.span.start, occurrence.span.end, occurrence.role));
        Self { occurrences, definitions: Vec::new() }
    }

    /// Returns all names.
    pub fn occurrences(&self) -> &[Occurrence] {
        &self.occurrences
    }

    /// Returns the definitions with a body, in the order of the text.
    pub fn definitions(&self) -> &[SymbolDefinition] {
        &self.definitions
    }

    /// Returns the name at an offset or right before it; the shortest one wins.
    pub fn at(&self, offset: u32) -> Option<&Occurrence> {
        let is_there = |occurrence: &&Occurrence| occurrence.span.touches(offset);
        let length = |occurrence: &&Occurrence| {
            // A name that begins here wins over one that ends here.
            (occurrence.span.end == offset, occurrence.span.length())
        };
        self.occurrences.iter().filter(is_there).min_by_key(length)
    }

    /// Returns the occurrences of a symbol.
    pub fn of_symbol<'i>(&'i self, symbol: &'i Symbol) -> impl Iterator<Item = &'i Occurrence> {
        self.occurrences.iter().filter(move |occurrence| occurrence.symbol == *symbol)
    }

    /// Returns the innermost definition around an offset.
    pub fn definition_around(&self, offset: u32) -> Option<&SymbolDefinition> {
        let around = self.definitions.iter().filter(|one| one.span.touches(offset));
        around.min_by_key(|one| one.span.length())
    }

    /// Returns the occurrences that define a symbol.
    pub fn defined(&self) -> impl Iterator<Item = &Occurrence> {
        self.occurrences.iter().filter(|occurrence| occurrence.role == Role::Definition)
    }
}
