//! Hiera data: the classes and parameters in its keys, and completions.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::Ide;
use super::completion::{Completion, CompletionKind, listed};
use super::describe::attribute;
use puppetfn_base::source::Span;
use puppetfn_check::{AttributeOf, DataText, Declarable};
use puppetfn_index::{FileIndex, Occurrence, Role, Symbol};

/// The maximum number of listed locations of a parameter's data.
const SHOWN: usize = 8;

/// The maximum length of a value in a list of data, in bytes.
const LONGEST_VALUE: usize = 80;

/// Returns the names in a text of data. A key in the form of a class parameter also mentions the class and the
/// parameter.
pub(super) fn names(data: &DataText) -> FileIndex {
    let mut found = Vec::new();
    for key in data.keys() {
        let role = if key.is_option { Role::Read } else { Role::Definition };
        found.push(Occurrence { symbol: Symbol::Key(key.name.into()), span: key.span, role });
        let Some((owner, name)) = parameter(key.name) else { continue };
        let end = key.span.start + owner.len() as u32;
        let class = Symbol::Class(owner.into());
        found.push(Occurrence { symbol: class, span: Span::new(key.span.start, end), role: Role::Read });
        let variable = Symbol::Variable { owner: owner.into(), name: name.into() };
        let span = Span::new(end + 2, key.span.end);
        found.push(Occurrence { symbol: variable, span, role: Role::Read });
    }
    found.extend(looked_up(data.text()));
    FileIndex::of_occurrences(found)
}

/// Returns the class and the parameter in a key.
fn parameter(key: &str) -> Option<(&str, &str)> {
    let is_name = |part: &str| {
        part.starts_with(|c: char| c.is_ascii_lowercase() || c == '_')
            && part.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_')
    };
    key.rsplit_once("::").filter(|(owner, name)| is_name(name) && owner.split("::").all(is_name))
}

/// Returns the keys in the interpolations of values, such as `%{lookup('key')}`.
fn looked_up(text: &str) -> Vec<Occurrence> {
    let key = |(at, _): (usize, &str)| {
        let expression = text.get(at + 2..)?.split('}').next()?;
        let (function, argument) = expression.split_once('(')?;
        if !matches!(function.trim(), "lookup" | "hiera" | "alias") {
            return None;
        }
        let quote = argument.trim_start().chars().next().filter(|c| matches!(c, '\'' | '"'))?;
        let start = at + 2 + expression.find(quote)? + 1;
        let length = text.get(start..)?.find(quote)?;
        let name = text.get(start..start + length)?;
        let span = Span::new(start as u32, (start + length) as u32);
        Some(Occurrence { symbol: Symbol::Key(name.into()), span, role: Role::Read })
    };
    text.match_indices("%{").filter_map(key).collect()
}

/// The role of a word in data.
enum DataPlace<'t> {
    /// A key.
    Key,
    /// The value of a key, in quotes or not.
    Value { key: &'t str, in_quotes: bool },
    /// Any other role.
    Other,
}

impl Ide {
    /// Sets Hiera's data. If it is complete, except in some modules, the checker can report missing keys.
    pub fn set_data(
        &mut self,
        data: Vec<DataText>,
        complete_except: Option<std::collections::HashSet<String>>,
    ) {
        for path in std::mem::take(&mut self.data).into_keys() {
            self.index.remove(&path);
        }
        self.is_data_complete = complete_except;
        data.into_iter().for_each(|data| self.put_data(data));
        self.renew();
    }

    /// Sets the data of one file.
    pub fn set_data_text(&mut self, data: DataText) {
        self.put_data(data);
        self.renew();
    }

    fn put_data(&mut self, data: DataText) {
        let path = PathBuf::from(data.file().unwrap_or_default());
        self.index.set(&path, Arc::new(names(&data)));
        self.data.insert(path, data);
    }

    /// Returns the data of a file.
    pub fn data(&self, path: &Path) -> Option<&DataText> {
        self.data.get(path)
    }

    /// Returns the key at an offset of data, or the name within it that has a definition.
    pub(crate) fn named_in_data(&self, path: &Path, offset: u32) -> Option<&Occurrence> {
        let index = self.index.get().file(path)?;
        let found = index.at(offset)?;
        if !self.defined(&found.symbol, path).is_empty() {
            return Some(found);
        }
        let mut around = index.occurrences().iter().filter(|one| one.span.touches(offset));
        around.find(|one| matches!(one.symbol, Symbol::Key(_))).or(Some(found))
    }

    /// Returns the locations of the data for a class parameter, as Markdown.
    pub(crate) fn data_for(&self, owner: &str, name: &str, class_file: &Path) -> Option<String> {
        let key = Symbol::Key(format!("{owner}::{name}").into());
        let mut places = self.index.get().definitions(&key, class_file);
        places.sort_by_key(|(path, one)| (*path, one.span.start));
        let place = |(path, one): &(&Path, &Occurrence)| {
            let text = self.data.get(*path)?.text();
            let before = text.get(..one.span.start as usize)?;
            let line = before.matches('\n').count() + 1;
            Some(format!("`{}`, line {line}", from_here(path, class_file).display()))
        };
        let mut shown: Vec<_> = places.iter().take(SHOWN).filter_map(place).collect();
        if places.len() > SHOWN {
            shown.push(format!("and {} more", places.len() - SHOWN));
        }
        (!shown.is_empty()).then(|| format!("Data: {}", shown.join("; ")))
    }

    /// Returns the values of a key in all data, and its lookups, as Markdown.
    pub(crate) fn places_of_key(&self, key: &Symbol, here: &Path) -> Option<String> {
        let mut found = self.index.get().occurrences(key, here);
        found.sort_by_key(|(path, one)| (*path, one.span.start));
        let list = |role: Role, title: &str| {
            let places: Vec<_> = found.iter().filter(|(_, one)| one.role == role).collect();
            let shown = places.iter().take(SHOWN).filter_map(|(path, one)| {
                let text = self.text(path)?;
                let value = written_value(text, one.span).filter(|_| role == Role::Definition);
                let line = text.get(..one.span.start as usize)?.matches('\n').count() + 1;
                let value = value.map(|value| format!(": `{value}`")).unwrap_or_default();
                Some(format!("\n- `{}`, line {line}{value}", from_here(path, here).display()))
            });
            let shown: String = shown.collect();
            let more = places.len().saturating_sub(SHOWN);
            let more = if more > 0 { format!("\n- and {more} more") } else { String::new() };
            (!shown.is_empty()).then(|| format!("{title}:\n{shown}{more}"))
        };
        let lists = [list(Role::Definition, "Data"), list(Role::Read, "Lookups")];
        let lists: Vec<String> = lists.into_iter().flatten().collect();
        (!lists.is_empty()).then(|| lists.join("\n\n"))
    }

    /// Returns the completions at an offset of data.
    pub(crate) fn data_completions(&self, data: &DataText, offset: u32) -> Vec<Completion> {
        let text = data.text();
        let (word, place) = place(text, offset);
        let written = word.text(text);
        let mut found = match place {
            DataPlace::Key => self.keys(data, word),
            DataPlace::Value { key, in_quotes } => self.data_values(key, in_quotes, word),
            DataPlace::Other => Vec::new(),
        };
        found.retain(|one| one.label.starts_with(written));
        found
    }

    /// Returns the keys of parameters that the file does not set yet.
    fn keys(&self, data: &DataText, word: Span) -> Vec<Completion> {
        let others = data.keys().into_iter().filter(|key| key.span != word && !key.is_option);
        let given: BTreeSet<&str> = others.map(|key| key.name).collect();
        let rest = data.text().get(word.end as usize..).unwrap_or_default();
        let has_colon = rest.trim_start_matches(['\'', '"', ' ']).starts_with(':');
        let written = word.text(data.text());
        let mut found = Vec::new();
        for class in &self.names().classes {
            // Most classes do not match, and describing all would take long.
            if !class.starts_with(written) && !written.starts_with(class.as_str()) {
                continue;
            }
            let Some(declarable) = self.world().declarable_class(class) else { continue };
            let symbol = Symbol::Class(class.as_str().into());
            for one in declarable.attributes() {
                let key = format!("{class}::{}", one.name());
                if given.contains(key.as_str()) {
                    continue;
                }
                let (t, doc) = attribute(self, one, &symbol, Path::new(""));
                let insert = if has_colon { key.clone() } else { format!("{key}: ") };
                found.push(
                    Completion::new(CompletionKind::Key, key, word)
                        .detail(t)
                        .documented(doc)
                        .inserting(insert),
                );
            }
        }
        found
    }

    /// Returns the listed values of a key's parameter.
    fn data_values(&self, key: &str, in_quotes: bool, word: Span) -> Vec<Completion> {
        let Some((class, name)) = parameter(key) else { return Vec::new() };
        let declarable: Option<Declarable> = self.world().declarable_class(class);
        let attributes = declarable.as_ref().map(Declarable::attributes).unwrap_or_default();
        let found = attributes.into_iter().find_map(|one| match one {
            AttributeOf::Parameter(parameter) if one.name() == name => Some(listed(&parameter.t)),
            AttributeOf::Parameter(_) | AttributeOf::Native(_) => None,
        });
        let value = |(value, is_literal): (String, bool)| {
            let written = match value.as_str() {
                "undef" => "~".to_owned(),
                text if in_quotes || is_literal || is_plain(text) => text.to_owned(),
                text => format!("'{text}'"),
            };
            Completion::new(CompletionKind::Value, value, word).inserting(written)
        };
        found.unwrap_or_default().into_iter().map(value).collect()
    }
}

/// Returns the value that a line has after a key, if it is a scalar. Encrypted values are left out.
fn written_value(text: &str, key: Span) -> Option<&str> {
    let rest = text.get(key.end as usize..)?.lines().next()?;
    let value = rest.trim_start_matches(['\'', '"']).trim_start().strip_prefix(':')?.trim();
    let is_shown = !value.is_empty()
        && value.len() <= LONGEST_VALUE
        && !value.starts_with(['|', '>', '&', '*'])
        && !value.contains(['`'])
        && !value.contains("ENC[");
    is_shown.then_some(value.trim_end_matches(','))
}

/// Returns the word around an offset and its role.
fn place(text: &str, offset: u32) -> (Span, DataPlace<'_>) {
    let offset = offset as usize;
    let is_word = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | ':' | '-' | '.' | '/');
    let before = text.get(..offset).unwrap_or_default();
    let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
    let line = before.get(line_start..).unwrap_or_default();
    let start = line_start + line.trim_end_matches(is_word).len();
    let rest = text.get(offset..).unwrap_or_default();
    let tail = rest.get(..rest.len() - rest.trim_start_matches(|c| is_word(c) && c != ':').len());
    let word = Span::new(start as u32, (offset + tail.map_or(0, str::len)) as u32);
    let lead = text.get(line_start..start).unwrap_or_default();
    let indent = lead.len() - lead.trim_start_matches(' ').len();
    if matches!(lead.trim_start_matches(' '), "" | "'" | "\"") {
        let is_key = indent == 0 || is_option(before, line_start, indent);
        return (word, if is_key { DataPlace::Key } else { DataPlace::Other });
    }
    let value = lead.split_once(": ").filter(|_| indent == 0);
    match value {
        Some((key, quote)) if matches!(quote.trim(), "" | "'" | "\"") => {
            let key = key.trim_matches(['\'', '"']);
            (word, DataPlace::Value { key, in_quotes: !quote.trim().is_empty() })
        }
        _ => (word, DataPlace::Other),
    }
}

/// Returns true if an indented line belongs to a key of `lookup_options`.
fn is_option(before: &str, line_start: usize, indent: usize) -> bool {
    let lines = before.get(..line_start).unwrap_or_default().lines().rev();
    let mut outer = lines
        .filter(|line| !line.trim().is_empty() && line.len() - line.trim_start_matches(' ').len() < indent);
    outer.next().is_some_and(|line| line.trim_end() == "lookup_options:")
}

/// Returns true if YAML parses an unquoted text as a string.
fn is_plain(text: &str) -> bool {
    const WORDS: [&str; 9] = ["true", "false", "yes", "no", "on", "off", "null", "y", "n"];
    text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | '/'))
        && !WORDS.contains(&text.to_ascii_lowercase().as_str())
}

/// Returns a path without the ancestors that it shares with another one.
fn from_here<'p>(path: &'p Path, here: &Path) -> &'p Path {
    let common = here.ancestors().skip(1).find(|directory| path.starts_with(directory));
    common.and_then(|common| path.strip_prefix(common).ok()).unwrap_or(path)
}
