//! Call hierarchies: functions, and the definitions that declare classes and types.
#![allow(clippy::wildcard_enum_match_arm, reason = "all other expressions have no signature")]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::Ide;
use puppetfn_base::source::Span;
use puppetfn_index::{OutlineKind, Role, Symbol, SymbolDefinition};

/// A caller or a callee.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct CallItem {
    /// The file of the definition.
    pub path: PathBuf,
    /// The span of the definition.
    pub span: Span,
    /// The span of the name.
    pub name_span: Span,
    /// The name.
    pub name: String,
    symbol: Symbol,
}

/// The calls between two items.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ItemCalls {
    /// The callee or the caller.
    pub item: CallItem,
    /// The spans of the calls, in the caller's text.
    pub spans: Vec<Span>,
}

impl CallItem {
    fn new(path: &Path, definition: &SymbolDefinition) -> Self {
        let SymbolDefinition { span, name_span, symbol, .. } = definition;
        let name = symbol.name().to_owned();
        Self { path: path.to_owned(), span: *span, name_span: *name_span, name, symbol: symbol.clone() }
    }

    /// Returns the kind of the item.
    pub fn kind(&self) -> OutlineKind {
        match self.symbol {
            Symbol::Class(_) => OutlineKind::Class,
            Symbol::Type(_) => OutlineKind::DefinedType,
            Symbol::Plan(_) => OutlineKind::Plan,
            _ => OutlineKind::Function,
        }
    }
}

impl Ide {
    /// Returns the items for the name at an offset, if it can call or be called.
    pub fn call_items(&self, path: &Path, offset: u32) -> Vec<CallItem> {
        let Some(found) = self.named_at(path, offset) else { return Vec::new() };
        self.items(&found.symbol, path)
    }

    /// Returns the item whose name has a span.
    pub fn call_item(&self, path: &Path, name_span: Span) -> Option<CallItem> {
        self.call_items(path, name_span.start).into_iter().next()
    }

    fn items(&self, symbol: &Symbol, path: &Path) -> Vec<CallItem> {
        let locations = self.defined(symbol, path);
        let item = |location: &super::FileSpan| {
            let source = self.any_source(&location.path)?;
            let definition =
                source.index().definitions().iter().find(|one| one.name_span == location.span)?;
            Some(CallItem::new(&location.path, definition))
        };
        locations.iter().filter_map(item).collect()
    }

    /// Returns the callers of an item, including declarations.
    pub fn callers(&self, item: &CallItem) -> Vec<ItemCalls> {
        let mut found: BTreeMap<CallItem, Vec<Span>> = BTreeMap::new();
        for (path, one) in self.occurrences(&item.symbol, &item.path) {
            let Some(source) = self.source(path).filter(|_| one.role == Role::Read) else { continue };
            if let Some(around) = source.index().definition_around(one.span.start) {
                found.entry(CallItem::new(path, around)).or_default().push(one.span);
            }
        }
        found.into_iter().map(|(item, spans)| ItemCalls { item, spans }).collect()
    }

    /// Returns the callees of an item, including its declarations.
    pub fn callees(&self, item: &CallItem) -> Vec<ItemCalls> {
        let Some(source) = self.any_source(&item.path) else { return Vec::new() };
        let is_within = |span: Span| item.span.start <= span.start && span.end <= item.span.end;
        let mut found: BTreeMap<Symbol, Vec<Span>> = BTreeMap::new();
        for one in
            source.index().occurrences().iter().filter(|one| one.role == Role::Read && is_within(one.span))
        {
            if matches!(
                one.symbol,
                Symbol::Function(_) | Symbol::Plan(_) | Symbol::Class(_) | Symbol::Type(_)
            ) {
                found.entry(one.symbol.clone()).or_default().push(one.span);
            }
        }
        let calls = found.into_iter().filter_map(|(symbol, spans)| {
            let item = self.items(&symbol, &item.path).into_iter().next()?;
            Some(ItemCalls { item, spans })
        });
        calls.collect()
    }
}
