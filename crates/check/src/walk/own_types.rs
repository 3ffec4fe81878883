//! Values that Puppet's own types refuse by code of theirs that descriptions do not state: code about several attributes, and code
//! that takes values apart.
#![allow(
    clippy::wildcard_enum_match_arm,
    reason = "all other values are accepted, or refused by the description"
)]

use super::super::native_type::RubyResourceType;
use super::super::rule::Rule;
use super::super::world::ResolvedResourceType;
use super::Walk;
use super::resource::BodyAttributes;
use puppetfn_base::source::Span;
use puppetfn_catalog::{builtin_description, is_metaparameter};
use puppetfn_types::value::Value;

/// The checksums by which no given content can be compared.
const CHECKSUMS_OF_SOURCES: [&str; 3] = ["none", "ctime", "mtime"];
/// The schemes of a file's sources.
const SCHEMES: [&str; 4] = ["file", "puppet", "http", "https"];
/// The beginnings of the names of weekdays, each with its longer forms.
const WEEKDAYS: [&[&str]; 7] = [
    &["mon"],
    &["tue", "tues"],
    &["wed", "wednes"],
    &["thu", "thurs"],
    &["fri"],
    &["sat", "satur"],
    &["sun"],
];

/// A resource of one of Puppet's own types.
struct OwnResource<'a, 's> {
    attributes: &'a BodyAttributes<'s>,
    /// Whether no attributes can be set elsewhere.
    is_complete: bool,
}

impl OwnResource<'_, '_> {
    fn given(&self, name: &str) -> Option<&Value> {
        self.attributes.given().iter().find(|(given, ..)| given == name).map(|(_, value, _)| value)
    }

    /// Returns true if an attribute has a known text as its value.
    fn is(&self, name: &str, text: &str) -> bool {
        matches!(self.given(name), Some(Value::String(value)) if **value == *text)
    }

    /// Returns true if an attribute certainly has a value.
    fn has(&self, name: &str) -> bool {
        self.given(name).is_some_and(|value| !value.contains_unknown() && *value != Value::Undef)
    }

    /// Returns true if an attribute certainly has no value.
    fn lacks(&self, name: &str) -> bool {
        self.is_complete && self.given(name).is_none_or(|value| *value == Value::Undef)
    }
}

impl<'s> Walk<'_, 's> {
    /// Reports values and combinations that a type of Puppet's own refuses.
    pub(super) fn own_type_values(
        &mut self,
        t: &RubyResourceType,
        attributes: &BodyAttributes<'s>,
        is_complete: bool,
        reference: &str,
        at: Span,
    ) {
        self.audited(t, attributes, reference);
        if builtin_description(t.name()).is_none() {
            return;
        }
        for (name, value, span) in attributes.given() {
            let refused = each(value).find_map(|value| self.own_refusal(t.name(), name, value));
            if let Some(message) = refused {
                self.report(
                    Rule::ParameterValue,
                    *span,
                    format!("Parameter {name} failed on {reference}: {message}"),
                );
            }
        }
        let resource = OwnResource { attributes, is_complete };
        if let Some(message) = refused_combination(t.name(), &resource) {
            self.report(
                Rule::AttributeCombination,
                at,
                format!("Validation of {reference} failed: {message}"),
            );
        }
    }

    /// Reports names in `audit` that are no attributes.
    fn audited(&mut self, t: &RubyResourceType, attributes: &BodyAttributes<'s>, reference: &str) {
        let audited = attributes.given().iter().find(|(name, ..)| name == "audit");
        let Some((_, value, span)) = audited else { return };
        let is_attribute = |name: &str| t.may_have(name) || is_metaparameter(name);
        let unknown = each(value).find_map(|name| match name {
            Value::String(name) if **name != *"all" && !is_attribute(name) => Some(name),
            _ => None,
        });
        if let Some(name) = unknown {
            let message = format!(
                "Parameter audit failed on {reference}: Cannot audit {name}: not a valid attribute for {reference}"
            );
            self.report(Rule::ParameterValue, *span, message);
        }
    }

    /// Returns the message of a type that refuses a value, or an element of it.
    fn own_refusal(&self, type_name: &str, attribute: &str, value: &Value) -> Option<String> {
        let inspected = || value.ruby_inspect(self.limits()).unwrap_or_default();
        let munging = |message: String| {
            format!("Munging failed for value {} in class {attribute}: {message}", inspected())
        };
        match (type_name, attribute, value) {
            ("file", "backup", Value::Integer(_) | Value::Float(_) | Value::Hash(_)) => {
                Some(format!("Invalid backup type {}", inspected()))
            }
            ("file", "source", Value::String(source)) => scheme(source)
                .filter(|scheme| !SCHEMES.contains(&scheme.to_lowercase().as_str()))
                .map(|scheme| format!("Cannot use URLs of type '{scheme}' as source for fileserving")),
            ("resources", "name", Value::String(name)) => self.purged_type(name),
            ("resources", "unless_uid", Value::String(text)) if !is_number(text) => {
                Some(munging(format!("invalid value for Integer(): {}", inspected())))
            }
            ("schedule", "range", Value::String(range)) => out_of_range(range).map(munging),
            ("schedule", "weekday", Value::String(day)) if !is_weekday(day) => {
                Some(format!("{day} is not a valid day of the week"))
            }
            ("schedule", "weekday", Value::Integer(day)) if !(0..=6).contains(day) => {
                Some(format!("{day} is not a valid day of the week"))
            }
            ("tidy", "age", Value::String(text)) => {
                unit(text, "smhdw").map(|unit| format!("Invalid age unit '{unit}'"))
            }
            ("tidy", "size", Value::String(text)) => {
                unit(text, "bkmgt").map(|unit| format!("Invalid size unit '{unit}'"))
            }
            ("tidy", "recurse", Value::String(text))
                if !matches!(&**text, "true" | "false" | "inf") && !is_number(text) =>
            {
                Some(munging(format!("Invalid recurse value {}", inspected())))
            }
            ("user", "expiry", Value::String(text)) if **text != *"absent" && !has_date(text) => {
                Some("Expiry dates must be YYYY-MM-DD or the string \"absent\"".to_owned())
            }
            ("user", "purge_ssh_keys", Value::String(path))
                if !matches!(&**path, "true" | "false") && !path.starts_with(['/', '~', '%']) =>
            {
                Some(format!("Paths to keyfiles must be absolute, not {path}"))
            }
            _ => None,
        }
    }

    /// Returns the message about the title of `resources`, which names a type.
    fn purged_type(&self, name: &str) -> Option<String> {
        match self.world.resource(name) {
            ResolvedResourceType::Missing | ResolvedResourceType::Defined(_) => {
                Some(format!("Could not find resource type '{name}'"))
            }
            ResolvedResourceType::Native(_)
            | ResolvedResourceType::Foreign
            | ResolvedResourceType::Unsure => None,
        }
    }

    /// Reports `resources` whose title names no type, or a type whose resources cannot be purged.
    pub(super) fn purged_types(
        &mut self,
        attributes: &BodyAttributes<'s>,
        title: &Value,
        is_complete: bool,
        at: Span,
    ) {
        if attributes.has("name") || !is_complete {
            return;
        }
        let purges = attributes
            .given()
            .iter()
            .find(|(name, value, _)| name == "purge" && matches!(value, Value::Boolean(true)));
        for name in each(title) {
            let Value::String(name) = name else { continue };
            if let ResolvedResourceType::Unsure = self.world.resource(name) {
                let meant = self.world.resource_type_meant(name, self.origin);
                self.probably(
                    Rule::ParameterValue,
                    &format!("Could not find resource type '{name}'"),
                    meant,
                    at,
                );
            } else if let Some(message) = self.purged_type(name) {
                self.report(
                    Rule::ParameterValue,
                    at,
                    format!("Parameter name failed on Resources[{name}]: {message}"),
                );
            } else if let (Some((.., span)), ResolvedResourceType::Native(t)) =
                (purges, self.world.resource(name))
                && !t.may_have("ensure")
            {
                let message = format!(
                    "Parameter purge failed on Resources[{name}]: Purging is only supported on types that accept 'ensure'"
                );
                self.report(Rule::ParameterValue, *span, message);
            }
        }
    }
}

/// Returns the elements of an Array, or the value itself.
pub(super) fn each(value: &Value) -> impl Iterator<Item = &Value> {
    let values: &[Value] = match value {
        Value::Array(items) => items,
        value => std::slice::from_ref(value),
    };
    values.iter()
}

/// Returns the message of a combination of attributes that a type refuses.
fn refused_combination(type_name: &str, resource: &OwnResource<'_, '_>) -> Option<String> {
    match type_name {
        "file" => {
            if resource.is("recurse", "remote") && resource.lacks("source") {
                return Some("You cannot specify a remote recursion without a source".to_owned());
            }
            if resource.is("checksum", "none") && resource.has("source") {
                return Some("You cannot specify source when using checksum 'none'".to_owned());
            }
            let checksum = CHECKSUMS_OF_SOURCES.into_iter().find(|one| resource.is("checksum", one));
            checksum
                .filter(|_| resource.has("content"))
                .map(|checksum| format!("You cannot specify content when using checksum '{checksum}'"))
        }
        "tidy" => {
            let is_flat = resource.lacks("recurse")
                || resource.is("recurse", "false")
                || matches!(resource.given("recurse"), Some(Value::Boolean(false) | Value::Integer(0)));
            (is_flat && resource.has("matches"))
                .then(|| "Tidy can't use matches with recurse 0, false, or undef".to_owned())
        }
        _ => None,
    }
}

/// Returns the scheme of a URI.
fn scheme(source: &str) -> Option<&str> {
    let (scheme, _) = source.split_once("://")?;
    let is_scheme = scheme.len() > 1
        && scheme.starts_with(|c: char| c.is_ascii_alphabetic())
        && scheme.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.'));
    is_scheme.then_some(scheme)
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_ascii_digit())
}

/// Returns the message about the first hour or minute of a range that no clock has.
fn out_of_range(range: &str) -> Option<String> {
    let limits: Vec<Vec<u64>> = range
        .split('-')
        .map(|limit| limit.trim().split(':').map_while(|part| part.trim().parse().ok()).collect())
        .collect();
    [(0, 23, "hour"), (1, 59, "minute")].into_iter().find_map(|(part, most, name)| {
        let wrong = limits.iter().filter_map(|limit| limit.get(part)).find(|number| **number > most)?;
        Some(format!("Invalid {name} '{wrong}'"))
    })
}

fn is_weekday(day: &str) -> bool {
    let day = day.to_lowercase();
    let short = day.strip_suffix("day").unwrap_or(&day);
    matches!(&*day, "0" | "1" | "2" | "3" | "4" | "5" | "6")
        || WEEKDAYS.iter().any(|names| names.contains(&short))
        || day.contains('\n')
}

/// Returns the unit of an amount, in lower case, if it is none of the known letters.
fn unit(text: &str, known: &str) -> Option<char> {
    let rest = text.trim_start_matches(|c: char| c.is_ascii_digit());
    let first = rest.chars().next().map(|first| first.to_ascii_lowercase());
    first.filter(|first| rest.len() < text.len() && first.is_ascii_alphabetic() && !known.contains(*first))
}

/// Returns true if a line of a text is a date.
fn has_date(text: &str) -> bool {
    text.lines().any(|line| {
        let parts: Vec<&str> = line.split('-').collect();
        let has = |index: usize, length: usize| {
            parts.get(index).is_some_and(|part| part.len() == length && is_number(part))
        };
        parts.len() == 3 && has(0, 4) && has(1, 2) && has(2, 2)
    })
}
