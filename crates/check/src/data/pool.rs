//! The data of all layers.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, OnceLock};

use super::uses::KeyUses;
use super::{DataLayer, DataText, LOOKUP_OPTIONS};
use crate::abstraction::{any, type_of, union};
use crate::recorded_facts::interpolated;
use puppetfn_base::error::SourceLocation;
use puppetfn_base::limits::Limits;
use puppetfn_types::types::{StringType, Type};
use puppetfn_types::value::{Hash, Regex, Value};

/// The number of values of a text that depends on other keys, before it becomes less precise.
const WIDEST: usize = 16;

/// The maximum depth of references between values.
const DEEPEST: u32 = 8;

/// The data of an environment and of modules.
#[derive(Default, Debug)]
pub(crate) struct DataEntries {
    /// The values that keys have in some file, with the place of each.
    values: HashMap<Arc<str>, Vec<(Value, Option<SourceLocation>)>>,
    /// The options of keys.
    options: HashMap<Arc<str>, Vec<Arc<Hash>>>,
    patterns: Vec<KeyPattern>,
    /// Texts of the data that may refer to other keys, one a line.
    pub referred: String,
}

/// The options of keys that match a pattern.
#[derive(Debug)]
struct KeyPattern {
    /// The pattern; `None` for an invalid one, whose matches are not known.
    pattern: Option<Regex>,
    /// The beginning of the keys of the layer: a module has options for its own keys alone.
    prefix: String,
    options: Arc<Hash>,
}

impl KeyPattern {
    fn is_match(&self, key: &str) -> bool {
        let is_match = |pattern: &Regex| pattern.is_match(key).unwrap_or(true);
        key.starts_with(&self.prefix) && self.pattern.as_ref().is_none_or(is_match)
    }
}

/// The data of all layers, and results that are computed from it once.
#[derive(Default, Debug)]
pub(crate) struct DataPool {
    pub(crate) entries: DataEntries,
    /// The modules that have data elsewhere; `None` if data of the environment is missing.
    opaque: Option<HashSet<String>>,
    /// Lookups of keys that name no parameter.
    pub(crate) uses: OnceLock<KeyUses>,
}

impl DataPool {
    /// Adds the entries of a text.
    pub(crate) fn add(&mut self, data: &DataText) {
        let Some(hash) = data.hash() else {
            return;
        };
        self.uses = OnceLock::new();
        let entries = &mut self.entries;
        for (key, value) in hash.iter() {
            let Value::String(key) = key else { continue };
            if **key != *LOOKUP_OPTIONS {
                refer(value, &mut entries.referred);
                let place = data.file_place(&[key]);
                entries.values.entry(Arc::clone(key)).or_default().push((value.clone(), place));
                continue;
            }
            let Value::Hash(options) = value else { continue };
            for (key, options) in options.iter() {
                let (Value::String(key), Value::Hash(options)) = (key, options) else { continue };
                if key.starts_with('^') {
                    let prefix = match &data.layer {
                        DataLayer::Environment => String::new(),
                        DataLayer::Module(module) => format!("{module}::"),
                    };
                    let (pattern, options) = (Regex::new(key).ok(), Arc::clone(options));
                    entries.patterns.push(KeyPattern { pattern, prefix, options });
                } else {
                    entries.options.entry(Arc::clone(key)).or_default().push(Arc::clone(options));
                }
            }
        }
    }

    /// Returns true if some value interpolates a variable or a fact.
    pub(crate) fn interpolates(&self, name: &str) -> bool {
        interpolated(&self.entries.referred).any(|known| known == name)
    }

    /// Notes that it is all that an environment may have, except for data of some modules.
    pub(crate) fn complete(&mut self, except: HashSet<String>) {
        self.opaque = Some(except);
    }

    /// Returns true if all possible values of a key are known.
    pub(crate) fn is_complete_for(&self, key: &str) -> bool {
        let module = key.split_once("::").map_or("", |(module, _)| module);
        self.opaque.as_ref().is_some_and(|opaque| !opaque.contains(module))
    }

    /// Returns true if a key has a value in some file.
    pub(crate) fn has(&self, key: &str) -> bool {
        self.entries.values.contains_key(key)
    }

    /// Returns all keys, including keys that only have options.
    pub(crate) fn keys(&self) -> impl Iterator<Item = &str> {
        self.entries.values.keys().chain(self.entries.options.keys()).map(|key| &**key)
    }

    /// Returns the values that a key has, each with its place.
    pub(crate) fn values_of(&self, key: &str) -> Option<&[(Value, Option<SourceLocation>)]> {
        self.entries.values.get(key).map(Vec::as_slice)
    }

    /// Returns the options of a key; `None` if files disagree about them.
    pub(crate) fn options_of(&self, key: &str) -> Option<Arc<Hash>> {
        let exact = self.entries.options.get(key).into_iter().flatten();
        let matching = self
            .entries
            .patterns
            .iter()
            .filter(|pattern| pattern.is_match(key))
            .map(|pattern| &pattern.options);
        let mut all = exact.chain(matching);
        let Some(first) = all.next() else { return Some(Arc::default()) };
        all.all(|other| other == first).then(|| Arc::clone(first))
    }

    /// Returns a value with its texts interpolated, as far as the result is known.
    pub(crate) fn known(&self, value: &Value, limits: &Limits) -> Value {
        self.value(value, DEEPEST, limits)
    }

    fn value(&self, value: &Value, depth: u32, limits: &Limits) -> Value {
        match value {
            // Encrypted data is a text.
            Value::String(text) if text.contains("ENC[") => Value::unknown(Type::STRING),
            Value::String(text) if text.contains("%{") => self.text(text, depth, limits),
            Value::Array(items) => {
                items.iter().map(|item| self.value(item, depth, limits)).collect::<Vec<_>>().into()
            }
            Value::Hash(hash) => {
                let is_known = |key: &Value| !matches!(key, Value::String(key) if key.contains("%{"));
                if !hash.iter().all(|(key, _)| is_known(key)) {
                    return Value::unknown(Type::hash(Type::Any, Type::Any, None));
                }
                let values = hash.iter().map(|(key, value)| (key.clone(), self.value(value, depth, limits)));
                values.collect::<Hash>().into()
            }
            other => other.clone(),
        }
    }

    fn text(&self, text: &str, depth: u32, limits: &Limits) -> Value {
        let Some(depth) = depth.checked_sub(1) else { return any() };
        if let Some(key) = whole_call(text, "alias") {
            return self.alias(key, depth, limits);
        }
        match self.texts(text, depth, limits) {
            Some(texts) => match texts.as_slice() {
                [text] => Value::from(text.as_str()),
                texts => {
                    let value = |text: &String| Type::String(StringType::Value(text.as_str().into()));
                    Value::unknown(Type::one_of(texts.iter().map(value)))
                }
            },
            None if text.contains("alias(") => any(),
            None => Value::unknown(Type::STRING),
        }
    }

    /// Returns the value of another key, as far as it is known. A key without a value has undef, which is refused nowhere.
    fn alias(&self, key: &str, depth: u32, limits: &Limits) -> Value {
        let has_options = self.options_of(key).is_none_or(|options| !options.is_empty());
        let values = self.values_of(key).filter(|_| self.is_complete_for(key) && !has_options);
        let Some(values) = values else { return any() };
        let mut values = values.iter().map(|(value, _)| self.value(value, depth, limits));
        let Some(first) = values.next() else { return any() };
        values.fold(first, |a, b| {
            if a == b { a } else { Value::unknown(union(&type_of(&a, limits), &type_of(&b, limits))) }
        })
    }

    /// Returns the texts that one may become; `None` if these are not known.
    fn texts(&self, text: &str, depth: u32, limits: &Limits) -> Option<Vec<String>> {
        let mut texts = vec![String::new()];
        let mut rest = text;
        while let Some((before, behind)) = rest.split_once("%{") {
            let (expression, after) = behind.split_once('}')?;
            let values = self.interpolated(expression.trim(), depth, limits)?;
            let longer = |text: &String| {
                let text = format!("{text}{before}");
                values.iter().map(move |value| format!("{text}{value}")).collect::<Vec<_>>()
            };
            texts = texts.iter().flat_map(longer).collect();
            if texts.len() > WIDEST {
                return None;
            }
            rest = after;
        }
        texts.iter_mut().for_each(|text| text.push_str(rest));
        Some(texts)
    }

    /// Returns the possible texts in the place of an interpolation.
    fn interpolated(&self, expression: &str, depth: u32, limits: &Limits) -> Option<Vec<String>> {
        if let Some(literal) = call(expression, "literal") {
            return Some(vec![literal.to_owned()]);
        }
        let key = call(expression, "lookup").or_else(|| call(expression, "hiera"))?;
        if !self.is_complete_for(key) || self.options_of(key).is_none_or(|options| !options.is_empty()) {
            return None;
        }
        // A key without a value becomes an empty text.
        let mut texts = vec![String::new()];
        for (value, _) in self.values_of(key)? {
            match self.value(value, depth, limits) {
                Value::String(text) => texts.push(text.to_string()),
                Value::Integer(number) => texts.push(number.to_string()),
                _ => return None,
            }
        }
        Some(texts)
    }
}

/// Returns the argument of `name('argument')`.
fn call<'t>(expression: &'t str, name: &str) -> Option<&'t str> {
    let argument = expression.strip_prefix(name)?.strip_prefix('(')?.strip_suffix(')')?;
    let quoted = |quote| argument.strip_prefix(quote).and_then(|inner| inner.strip_suffix(quote));
    quoted('\'').or_else(|| quoted('"'))
}

/// Returns the argument of the call that is all of a text.
fn whole_call<'t>(text: &'t str, name: &str) -> Option<&'t str> {
    call(text.strip_prefix("%{")?.strip_suffix('}')?.trim(), name)
}

/// Collects the texts of a value that may refer to other keys.
fn refer(value: &Value, referred: &mut String) {
    match value {
        Value::String(text) if text.contains("%{") || text.contains("::") => {
            referred.push_str(text);
            referred.push('\n');
        }
        Value::Array(items) => items.iter().for_each(|item| refer(item, referred)),
        Value::Hash(hash) => hash.iter().for_each(|(key, value)| {
            refer(key, referred);
            refer(value, referred);
        }),
        _ => {}
    }
}
