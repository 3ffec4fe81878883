//! Call hierarchies: functions, and the definitions that declare classes and types. Type hierarchies of classes.
#![allow(clippy::wildcard_enum_match_arm, reason = "all other expressions have no signature")]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::Ide;
use super::files::is_ruby;
use puppetfn_base::source::Span;
use puppetfn_index::{Occurrence, OutlineKind, Role, Symbol, SymbolDefinition};

/// A definition in a hierarchy.
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

    fn in_ruby(path: &Path, name_span: Span, symbol: Symbol) -> Self {
        let name = symbol.name().to_owned();
        Self { path: path.to_owned(), span: name_span, name_span, name, symbol }
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
        if !is_ruby(path) {
            let source = self.any_source(path)?;
            let found = source.index().definitions().iter().find(|one| one.name_span == name_span);
            return found.map(|definition| CallItem::new(path, definition));
        }
        let text = self.ruby_text(path)?;
        let name = lower(name_span.text(&text));
        let is_type = path.parent().is_some_and(|directory| directory.ends_with("puppet/type"));
        let symbol = if is_type { Symbol::Type(name) } else { Symbol::Function(name) };
        Some(CallItem::in_ruby(path, name_span, symbol))
    }

    /// Returns the items for the class at an offset.
    pub fn class_items(&self, path: &Path, offset: u32) -> Vec<CallItem> {
        let found = self.named_at(path, offset).filter(|found| matches!(found.symbol, Symbol::Class(_)));
        found.map(|found| self.items(&found.symbol, path)).unwrap_or_default()
    }

    /// Returns the class that a class inherits from.
    pub fn base_classes(&self, item: &CallItem) -> Vec<CallItem> {
        let source = self.any_source(&item.path);
        let parent = source.and_then(|source| {
            let mut definitions = source.index().definitions().iter();
            definitions.find(|one| one.symbol == item.symbol)?.parent.clone()
        });
        parent.map(|parent| self.items(&Symbol::Class(parent), &item.path)).unwrap_or_default()
    }

    /// Returns the classes of the project that inherit from a class.
    pub fn derived_classes(&self, item: &CallItem) -> Vec<CallItem> {
        let Symbol::Class(name) = &item.symbol else { return Vec::new() };
        let definitions =
            self.index.get().files().flat_map(|(path, index)| {
                index.definitions().iter().map(move |definition| (path, definition))
            });
        let derived = definitions.filter(|(_, definition)| definition.parent.as_ref() == Some(name));
        let mut found: Vec<_> = derived.map(|(path, definition)| CallItem::new(path, definition)).collect();
        found.sort();
        found
    }

    fn items(&self, symbol: &Symbol, path: &Path) -> Vec<CallItem> {
        let locations = self.defined(symbol, path);
        let item = |location: &super::FileSpan| {
            if is_ruby(&location.path) {
                return Some(CallItem::in_ruby(&location.path, location.span, symbol.clone()));
            }
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
        if let Symbol::Function(name) = &item.symbol {
            for (path, declared) in self.ruby_functions() {
                let text = self.ruby_text(path).unwrap_or_default();
                let calls = ruby_calls(&text).into_iter().filter(|(called, _)| called == name);
                let spans: Vec<Span> = calls.map(|(_, span)| span).collect();
                let caller = self.items(&Symbol::Function(lower(&declared.name)), path).into_iter().next();
                if let Some(caller) = caller.filter(|_| !spans.is_empty()) {
                    found.insert(caller, spans);
                }
            }
        }
        found.into_iter().map(|(item, spans)| ItemCalls { item, spans }).collect()
    }

    /// Returns the callees of an item, including its declarations.
    pub fn callees(&self, item: &CallItem) -> Vec<ItemCalls> {
        let mut found: BTreeMap<Symbol, Vec<Span>> = BTreeMap::new();
        for (symbol, span) in self.calls_of(item) {
            found.entry(symbol).or_default().push(span);
        }
        let calls = found.into_iter().filter_map(|(symbol, spans)| {
            let item = self.items(&symbol, &item.path).into_iter().next()?;
            Some(ItemCalls { item, spans })
        });
        calls.collect()
    }

    /// Returns the definitions that an item calls or declares, and the spans of their names.
    fn calls_of(&self, item: &CallItem) -> Vec<(Symbol, Span)> {
        if is_ruby(&item.path) {
            let text = self.ruby_text(&item.path).unwrap_or_default();
            let calls = ruby_calls(&text).into_iter();
            return calls.map(|(name, span)| (Symbol::Function(name), span)).collect();
        }
        let Some(source) = self.any_source(&item.path) else { return Vec::new() };
        let is_call = |one: &&Occurrence| {
            one.role == Role::Read
                && item.span.start <= one.span.start
                && one.span.end <= item.span.end
                && matches!(
                    one.symbol,
                    Symbol::Function(_) | Symbol::Plan(_) | Symbol::Class(_) | Symbol::Type(_)
                )
        };
        let calls = source.index().occurrences().iter().filter(is_call);
        calls.map(|one| (one.symbol.clone(), one.span)).collect()
    }

    fn ruby_text(&self, path: &Path) -> Option<String> {
        self.loader.read_file(path).ok().map(|text| String::from_utf8_lossy(&text).into_owned())
    }
}

/// Returns the functions that a function in Ruby calls by `call_function`, and the spans of their names.
fn ruby_calls(text: &str) -> Vec<(Arc<str>, Span)> {
    const CALL: &str = "call_function";
    let call = |(at, _): (usize, &str)| {
        let rest = text.get(at + CALL.len()..)?;
        let argument = rest.trim_start_matches(['(', ' ']);
        let quoted = argument.trim_start_matches([':', '\'', '"']);
        // `call_function(name)` may call any function.
        if quoted.len() == argument.len() || argument.len() == rest.len() {
            return None;
        }
        let start = text.len() - quoted.len();
        let is_of_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | ':');
        let length = quoted.find(|c: char| !is_of_name(c)).unwrap_or(quoted.len());
        let span = Span::new(start as u32, (start + length) as u32);
        Some((lower(span.text(text)), span))
    };
    text.match_indices(CALL).filter_map(call).collect()
}

fn lower(name: &str) -> Arc<str> {
    name.trim_start_matches("::").to_lowercase().into()
}
