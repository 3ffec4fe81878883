//! Data of Hiera: texts, and all of their keys.
#![allow(clippy::wildcard_enum_match_arm, reason = "all other kinds count as unknown")]

mod pool;
mod uses;

pub(super) use self::pool::DataPool;
pub(super) use self::uses::KeyUses;

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::Arc;

use super::finding::Finding;
use super::rule::Rule;
use puppetfn_base::error::SourceLocation;
use puppetfn_base::limits::Limits;
use puppetfn_base::source::{LineIndex, Span};
use puppetfn_types::convert::yaml::{KeyPlace, NotYaml, key_places, parse};
use puppetfn_types::value::{Hash, Value};

/// The key with the lookup options of other keys.
pub(crate) const LOOKUP_OPTIONS: &str = "lookup_options";

/// The layer that data is in.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum DataLayer {
    /// That of the environment.
    Environment,
    /// That of a module, whose keys begin with its name.
    Module(String),
}

/// A text of data.
#[derive(Clone, Debug)]
pub struct DataText {
    pub(crate) layer: DataLayer,
    text: Arc<str>,
    file: Option<Arc<str>>,
    lines: LineIndex,
    pub(crate) content: Result<Arc<Hash>, (String, Span)>,
    places: Vec<KeyPlace>,
}

/// A key in a text of data.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DataKey<'d> {
    /// The key itself.
    pub name: &'d str,
    /// Where it is, without quotes.
    pub span: Span,
    /// Whether it only has lookup options.
    pub is_option: bool,
}

impl DataText {
    /// Returns the data of a text in YAML, which may belong to a file.
    pub(crate) fn read(text: &str, file: Option<&str>, layer: DataLayer, limits: &Limits) -> Self {
        let lines = LineIndex::new(text);
        let places = key_places(text);
        let content = match parse(text, limits) {
            Ok(Ok(Value::Hash(hash))) => Ok(hash),
            Ok(Ok(Value::Undef | Value::Boolean(false))) => Ok(Arc::default()),
            Ok(Ok(_)) => Err(("The file does not contain a valid yaml hash".to_owned(), Span::at(0))),
            Ok(Err(problem)) => {
                let offset = match &problem {
                    NotYaml::Syntax { line, column, .. } => {
                        let number = |number: u64| u32::try_from(number).unwrap_or(u32::MAX);
                        lines.offset(text, number(*line), number(*column))
                    }
                    _ => 0,
                };
                let reason = problem.to_string();
                let reason = reason.strip_prefix("(<unknown>): ").unwrap_or(&reason);
                Err((format!("The file cannot be read as YAML: {reason}"), Span::rest_of_line(text, offset)))
            }
            Err(error) => Err((error.message().to_owned(), Span::at(0))),
        };
        Self { layer, text: text.into(), file: file.map(Arc::from), lines, content, places }
    }

    /// Returns the text.
    pub fn text(&self) -> &Arc<str> {
        &self.text
    }

    /// Returns the file that it is in, as it was given.
    pub fn file(&self) -> Option<&str> {
        self.file.as_deref()
    }

    /// Returns the finding about a text that is not YAML, or not a hash.
    pub fn syntax_error(&self) -> Option<Finding> {
        self.content.as_ref().err().map(|(reason, span)| Finding::new(Rule::DataSyntax, reason, *span))
    }

    /// Returns the keys that code can look up, and the keys of `lookup_options`, as far as the text is understood.
    pub fn keys(&self) -> Vec<DataKey<'_>> {
        let mut found = Vec::new();
        for place in &self.places {
            if place.name == LOOKUP_OPTIONS {
                found.extend(place.keys.iter().filter_map(|place| self.key(place, true)));
            } else {
                found.extend(self.key(place, false));
            }
        }
        found
    }

    fn key<'d>(&self, place: &'d KeyPlace, is_option: bool) -> Option<DataKey<'d>> {
        let start = self.start_of(place);
        let end = start.saturating_add(u32::try_from(place.name.len()).unwrap_or(u32::MAX));
        // Of one that is written with escapes, the place is not told.
        let is_plain = self.text.get(start as usize..end as usize) == Some(&place.name);
        is_plain.then_some(DataKey { name: &place.name, span: Span::new(start, end), is_option })
    }

    pub(crate) fn hash(&self) -> Option<&Arc<Hash>> {
        self.content.as_ref().ok()
    }

    pub(crate) fn has(&self, key: &str) -> bool {
        self.hash().is_some_and(|hash| hash.get_str(key).is_some())
    }

    /// Returns the place of a key, or of its container, as keys can be merged into a mapping.
    fn place(&self, path: &[&str]) -> Option<&KeyPlace> {
        let mut found = None;
        let mut places = &self.places;
        for name in path {
            let symbol = |place: &KeyPlace| place.name.strip_prefix(':') == Some(name);
            match places.iter().rfind(|place| place.name == *name || symbol(place)) {
                Some(place) => {
                    found = Some(place);
                    places = &place.keys;
                }
                None => return places.iter().find(|place| place.name == "<<").or(found),
            }
        }
        found
    }

    /// Returns where a key is, without quotation marks.
    pub(crate) fn key_span(&self, path: &[&str]) -> Span {
        self.place(path).map_or(Span::at(0), |place| {
            let start = self.start_of(place);
            let plain = self.key(place, false).map(|key| key.span);
            plain.unwrap_or_else(|| Span::rest_of_line(&self.text, start))
        })
    }

    /// Returns the keys that a mapping has more than once: the place of each repetition, and of the first one.
    pub(crate) fn duplicate_keys(&self) -> Vec<(String, Span, Option<SourceLocation>)> {
        let mut found = Vec::new();
        self.duplicates_in(&self.places, &mut found);
        found
    }

    fn duplicates_in(&self, places: &[KeyPlace], found: &mut Vec<(String, Span, Option<SourceLocation>)>) {
        let mut first: HashMap<&str, &KeyPlace> = HashMap::new();
        for place in places.iter().filter(|place| place.name != "<<" && !place.name.is_empty()) {
            match first.entry(&place.name) {
                Entry::Vacant(entry) => _ = entry.insert(place),
                Entry::Occupied(entry) => {
                    let start = self.start_of(place);
                    let span = self.key(place, false).map(|key| key.span);
                    let span = span.unwrap_or_else(|| Span::rest_of_line(&self.text, start));
                    found.push((place.name.clone(), span, self.location(entry.get())));
                }
            }
        }
        places.iter().for_each(|place| self.duplicates_in(&place.keys, found));
    }

    /// Returns the line with a text of a value, if it is there as it is; otherwise a span of the whole value.
    pub(crate) fn span_of_text(&self, text: &str, value: Span) -> Span {
        let first = text.lines().next().unwrap_or(text);
        let behind = self.text.get(value.start as usize..).unwrap_or_default();
        match behind.find(first).filter(|_| !first.is_empty()) {
            Some(at) => {
                let start = value.start.saturating_add(u32::try_from(at).unwrap_or(u32::MAX));
                Span::new(start, start.saturating_add(u32::try_from(first.len()).unwrap_or(0)))
            }
            None => value,
        }
    }

    fn start_of(&self, place: &KeyPlace) -> u32 {
        let at = self.lines.offset(&self.text, place.key.0, place.key.1);
        let is_quoted =
            self.text.get(at as usize..).is_some_and(|rest| rest.starts_with('"') || rest.starts_with('\''));
        if is_quoted { at.saturating_add(1) } else { at }
    }

    /// Returns where the value of a key is: its first line, if it has several.
    pub(crate) fn value_span(&self, path: &[&str]) -> Span {
        self.place(path).map_or(Span::at(0), |place| {
            let start = self.lines.offset(&self.text, place.value.0, place.value.1);
            let line = Span::rest_of_line(&self.text, start);
            let value = line.text(&self.text);
            let value = value.split_once(" #").map_or(value, |(value, _)| value);
            Span::new(start, start + value.trim_end().len() as u32)
        })
    }

    /// Returns where a key is, in the file.
    fn file_place(&self, path: &[&str]) -> Option<SourceLocation> {
        self.location(self.place(path)?)
    }

    fn location(&self, place: &KeyPlace) -> Option<SourceLocation> {
        let (line, column) = place.key;
        Some(SourceLocation {
            file: Some(Arc::clone(self.file.as_ref()?)),
            line: Some(line),
            column: Some(column),
        })
    }
}
