//! Filters of octocatalog-diff, which drop differences without effect.

use puppetfn_base::limits::Limits;
use puppetfn_types::convert::yaml;
use serde_json::Value as Json;

use crate::compared::CatalogPair;
use crate::difference::{AttributeDifference, PathSegment, ResourceDifference, ValuePath};
use crate::redact::ValueComparison;
use crate::value::DiffValue;
use puppetfn_catalog::{Reference, reference};

/// A kind of difference without effect.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum DifferenceFilter {
    /// Other parameters of a file that the new catalog has as absent.
    AbsentFile,
    /// Arrays whose items are the same, or the same numbers, which may be texts.
    EquivalentArray,
    /// The content of a file `*.json` that is the same as JSON, without comments.
    Json,
    /// The content of a file `*.yaml` or `*.yml` that is the same as YAML.
    Yaml,
    /// A value and an array of only this value.
    SingleItemArray,
    /// The directory of the code in which the catalogs were compiled.
    CompilationDir {
        /// The directory of the old code.
        old: String,
        /// The directory of the new code.
        new: String,
    },
}

/// The names of filters without arguments.
const NAMES: [(&str, DifferenceFilter); 5] = [
    ("AbsentFile", DifferenceFilter::AbsentFile),
    ("EquivalentArrayNoDatatypes", DifferenceFilter::EquivalentArray),
    ("JSON", DifferenceFilter::Json),
    ("SingleItemArray", DifferenceFilter::SingleItemArray),
    ("YAML", DifferenceFilter::Yaml),
];

/// The parameters of an absent file that still have an effect.
const OF_ABSENT: [&str; 4] = ["backup", "ensure", "force", "provider"];

impl std::str::FromStr for DifferenceFilter {
    type Err = String;

    /// Returns octocatalog-diff's filter of this name.
    fn from_str(name: &str) -> Result<Self, String> {
        let found = NAMES.into_iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
        found.map(|(_, filter)| filter).ok_or_else(|| {
            let names: Vec<&str> = NAMES.iter().map(|(name, _)| *name).collect();
            format!("there is no filter '{name}': expected one of {}", names.join(", "))
        })
    }
}

impl DifferenceFilter {
    /// Returns true if the filter drops the difference of an attribute.
    pub(crate) fn drops(
        &self,
        reference: &Reference,
        attribute: &AttributeDifference,
        pair: &CatalogPair<'_>,
        limits: &Limits,
    ) -> bool {
        let values = attribute.old.as_ref().zip(attribute.new.as_ref());
        match self {
            Self::AbsentFile => {
                let parameter = parameter(&attribute.path);
                is_absent_file(reference, pair)
                    && parameter.is_some_and(|name| !OF_ABSENT.contains(&name))
            }
            Self::EquivalentArray => values.is_some_and(|(old, new)| are_alike(old, new)),
            Self::Json => contents(reference, attribute, pair, &["json"])
                .is_some_and(|(old, new)| is_same(json(old), json(new))),
            Self::Yaml => contents(reference, attribute, pair, &["yaml", "yml"])
                .is_some_and(|(old, new)| is_same(read_yaml(old, limits), read_yaml(new, limits))),
            Self::SingleItemArray => values.is_some_and(|(old, new)| {
                let is_only = |array: &DiffValue, item: &DiffValue| {
                    matches!(array, DiffValue::Array(items) if **items == *std::slice::from_ref(item))
                };
                !old.has_secrets() && !new.has_secrets() && (is_only(old, new) || is_only(new, old))
            }),
            Self::CompilationDir { old: from, new: to } => values.is_some_and(|(old, new)| {
                let moved = moved(old, from, to);
                moved != *old && ValueComparison { data_types: true }.same(&moved, new) && !new.has_secrets()
            }),
        }
    }

    /// Returns true if the other catalog has the resource under its moved name.
    pub(crate) fn drops_resource(&self, difference: &ResourceDifference, pair: &CatalogPair<'_>) -> bool {
        let Self::CompilationDir { old: from, new: to } = self else { return false };
        let renamed = |from: &str, to: &str| {
            reference(difference.reference.type_name(), &difference.reference.title().replace(from, to))
        };
        let (there, here) = (renamed(from, to), renamed(to, from));
        (there != difference.reference && pair.new.get(&there).is_some())
            || (here != difference.reference && pair.old.get(&here).is_some())
    }
}

/// Returns the name of the parameter in a path.
fn parameter(path: &ValuePath) -> Option<&str> {
    match path.0.as_slice() {
        [PathSegment::Key(first), PathSegment::Key(name), ..] if &**first == "parameters" => Some(name),
        _ => None,
    }
}

fn is_absent_file(reference: &Reference, pair: &CatalogPair<'_>) -> bool {
    let ensure = pair.new.get(reference).and_then(|resource| resource.parameters.get("ensure"));
    let ensure = ensure.and_then(DiffValue::scalar_text);
    &**reference.type_name() == "File" && ensure.is_some_and(|ensure| matches!(ensure, "absent" | "false"))
}

/// Returns the old and new contents of a file with one of these extensions.
fn contents<'d>(
    reference: &Reference,
    attribute: &'d AttributeDifference,
    pair: &CatalogPair<'_>,
    extensions: &[&str],
) -> Option<(&'d str, &'d str)> {
    let path = pair.new.get(reference)?.file().unwrap_or(reference.title());
    let (_, extension) = path.rsplit_once('.')?;
    let is_content = &**reference.type_name() == "File" && parameter(&attribute.path) == Some("content");
    let is_known = extensions.iter().any(|known| known.eq_ignore_ascii_case(extension));
    if !is_content || !is_known {
        return None;
    }
    attribute.old.as_ref()?.as_str().zip(attribute.new.as_ref()?.as_str())
}

/// Returns true for equal values if both could be parsed.
fn is_same<T: PartialEq>(old: Option<T>, new: Option<T>) -> bool {
    old.is_some() && old == new
}

fn json(text: &str) -> Option<DiffValue> {
    // Deeper nesting than serde_json allows by default never compares equal.
    serde_json::from_str(&without_comments(text)?).ok().map(|json: Json| DiffValue::of_json(json))
}

/// Returns JSON with spaces instead of `/* comments */` and `// comments`, which many programs accept in JSON.
fn without_comments(text: &str) -> Option<String> {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(['"', '/']) {
        let (before, from) = rest.split_at(at);
        let (found, after) = from.split_at_checked(end(from)?)?;
        plain.extend([before, if found.starts_with('/') { " " } else { found }]);
        rest = after;
    }
    Some(plain + rest)
}

/// Returns the end of the comment or string at the beginning of a text.
fn end(text: &str) -> Option<usize> {
    if let Some(comment) = text.strip_prefix("/*") {
        return comment.find("*/").map(|end| end.saturating_add("/**/".len()));
    }
    if text.starts_with("//") {
        return Some(text.find('\n').unwrap_or(text.len()));
    }
    let mut is_escaped = false;
    let is_end = |(_, c): &(usize, char)| {
        let is_end = *c == '"' && !is_escaped;
        is_escaped = *c == '\\' && !is_escaped;
        is_end
    };
    text.strip_prefix('"')?.char_indices().find(is_end).map(|(index, _)| index.saturating_add(2))
}

/// Several documents are not parsed: differences after the first one would be missed.
fn read_yaml(text: &str, limits: &Limits) -> Option<puppetfn_types::value::Value> {
    if has_documents(text) { None } else { yaml::parse(text, limits).ok()?.ok() }
}

/// Returns true if a text may have more than one document.
fn has_documents(text: &str) -> bool {
    let is_nothing = |line: &&str| line.trim().is_empty() || line.starts_with(['#', '%']);
    text.lines().skip_while(is_nothing).skip(1).any(|line| line.starts_with("---"))
}

/// Returns true for arrays of equivalent items. Two hidden secrets would be equivalent, so arrays with secrets never
/// are.
fn are_alike(old: &DiffValue, new: &DiffValue) -> bool {
    match (old, new) {
        (DiffValue::Array(a), DiffValue::Array(b)) if !old.has_secrets() && !new.has_secrets() => {
            a.len() == b.len() && a.iter().zip(b.iter()).all(|(a, b)| is_alike(a, b))
        }
        _ => false,
    }
}

/// Returns true for equal items and equal numbers. A string may contain a number.
fn is_alike(a: &DiffValue, b: &DiffValue) -> bool {
    // Floats cannot tell large integers apart.
    let are_integers = matches!((a, b), (DiffValue::Integer(_), DiffValue::Integer(_)));
    a == b || !are_integers && number(a).is_some() && number(a) == number(b)
}

/// Returns the number that a value is or contains as text.
fn number(value: &DiffValue) -> Option<f64> {
    let text = match value {
        DiffValue::Integer(text) | DiffValue::Float(text) => text,
        DiffValue::String(text) if is_number(text) => text,
        DiffValue::Undef
        | DiffValue::Boolean(_)
        | DiffValue::String(_)
        | DiffValue::Array(_)
        | DiffValue::Hash(_)
        | DiffValue::Sensitive(_) => return None,
    };
    text.parse().ok()
}

/// Returns true for texts such as `-1`, `1.5` and `.5`.
fn is_number(text: &str) -> bool {
    let digits = |text: &str| text.chars().all(|c| c.is_ascii_digit());
    let text = text.strip_prefix('-').unwrap_or(text);
    let (whole, fraction) = text.split_once('.').unwrap_or(("", text));
    digits(whole) && digits(fraction) && !fraction.is_empty()
}

/// Returns a value with one directory replaced by another.
fn moved(value: &DiffValue, from: &str, to: &str) -> DiffValue {
    match value {
        DiffValue::String(text) => DiffValue::from(text.replace(from, to).as_str()),
        DiffValue::Array(items) => items.iter().map(|item| moved(item, from, to)).collect(),
        DiffValue::Hash(entries) => entries
            .iter()
            .map(|(key, value)| (key.replace(from, to).into(), moved(value, from, to)))
            .collect(),
        DiffValue::Undef
        | DiffValue::Boolean(_)
        | DiffValue::Integer(_)
        | DiffValue::Float(_)
        | DiffValue::Sensitive(_) => value.clone(),
    }
}
