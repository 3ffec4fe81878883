//! Entries of `allow` and `deny`.
//!
//! See `acl.clj` of trapperkeeper-authorization.

use std::collections::HashMap;

use fancy_regex::Regex;

use crate::error::AuthorizationError;
use crate::request::ClientIdentity;

/// Puppetserver's key for alternative names among extensions.
pub(crate) const ALTERNATIVE_NAMES: &str = "subject-alt-name";

/// How far a regular expression may go back before the request counts as one that must not pass.
const BACKTRACK_LIMIT: usize = 100_000;

/// Who is meant by an entry.
#[derive(Clone, Debug)]
pub(crate) enum AccessEntry {
    /// Clients with a name.
    Name(NamePattern),
    /// A name with captures of the path, `$1`.
    Backreference(String),
    /// Clients whose certificates have all these extensions.
    Extensions(Vec<(String, ExtensionValue)>),
    /// Permissions of Puppet Enterprise, which nobody has here.
    Permission,
}

/// A pattern of names.
#[derive(Clone, Debug)]
pub(crate) enum NamePattern {
    /// `*`: every name.
    Any,
    /// A name with points, compared without regard to case.
    Domain(String),
    /// `*.example.com`: the end of names, without its first point.
    Suffix(String),
    /// A name without points, or one with `@`. Puppetserver compares it with the name in small letters.
    Opaque(String),
    /// A regular expression, found anywhere in the name.
    Expression(Regex),
}

/// The required value of an extension.
#[derive(Clone, Debug)]
pub(crate) enum ExtensionValue {
    /// One of these texts.
    Texts(Vec<String>),
    /// One of these alternative names, by kind.
    AlternativeNames(HashMap<String, Vec<String>>),
}

impl AccessEntry {
    /// Parses an entry that is a text.
    pub fn parse(text: &str) -> Result<Self, AuthorizationError> {
        if NamePattern::is_simple(text) {
            return NamePattern::parse(text).map(Self::Name);
        }
        if has_backreference(text) {
            return Ok(Self::Backreference(text.to_lowercase()));
        }
        NamePattern::parse(text).map(Self::Name)
    }

    /// Returns whether an entry of `allow` admits a client; `None` where puppetserver fails. `captures` are groups of the rule's path.
    pub fn allows(&self, client: &ClientIdentity, captures: &[Option<String>]) -> Option<bool> {
        match self {
            Self::Name(pattern) => Some(client.names().any(|name| pattern.admits(name))),
            Self::Backreference(template) => {
                let pattern = NamePattern::parse(&substitute(template, captures)?).ok()?;
                // Only a plain name is meant: a path cannot hold a pattern that admits others.
                let is_plain = matches!(pattern, NamePattern::Domain(_) | NamePattern::Opaque(_));
                Some(is_plain && client.names().any(|name| pattern.admits(name)))
            }
            Self::Extensions(required) => Some(has_extensions(required, client)),
            Self::Permission => Some(false),
        }
    }

    /// Returns true if an entry of `deny` refuses a client.
    pub fn denies(&self, client: &ClientIdentity, captures: &[Option<String>]) -> bool {
        match self {
            Self::Name(pattern) => client.names().any(|name| pattern.refuses(name)),
            Self::Backreference(template) => {
                let name = substitute(template, captures);
                match name.map(|name| NamePattern::parse(&name)) {
                    Some(Ok(pattern)) => client.names().any(|name| pattern.refuses(name)),
                    // Puppetserver fails.
                    Some(Err(_)) | None => true,
                }
            }
            Self::Extensions(required) => has_extensions(required, client),
            Self::Permission => false,
        }
    }

    /// Returns the greatest number of a capture that the entry refers to.
    pub fn greatest_backreference(&self) -> usize {
        match self {
            Self::Backreference(template) => {
                backreferences(template).map(|(_, _, number)| number).max().unwrap_or(0)
            }
            Self::Name(_) | Self::Extensions(_) | Self::Permission => 0,
        }
    }
}

impl NamePattern {
    /// Returns true if a text is a pattern without regard to backreferences: puppetserver looks for these first.
    fn is_simple(text: &str) -> bool {
        text == "*" || is_domain(text) || suffix(text).is_some()
    }

    fn parse(text: &str) -> Result<Self, AuthorizationError> {
        if text == "*" {
            return Ok(Self::Any);
        }
        if is_domain(text) {
            return Ok(Self::Domain(text.to_owned()));
        }
        if let Some(suffix) = suffix(text) {
            return Ok(Self::Suffix(suffix.to_owned()));
        }
        let is_opaque =
            text.starts_with(is_word) && text.chars().all(|c| is_word(c) || matches!(c, '-' | '.' | '@'));
        if is_opaque {
            return Ok(Self::Opaque(text.to_owned()));
        }
        let expression = text.strip_prefix('/').and_then(|text| text.strip_suffix('/'));
        match expression {
            Some(expression) => compile(expression).map(Self::Expression),
            None => Err(AuthorizationError::new(format!("invalid domain value: {text}"))),
        }
    }

    /// Returns true if the documentation says that the pattern means a name.
    fn admits(&self, name: &str) -> bool {
        match self {
            Self::Any => true,
            Self::Domain(domain) => domain.eq_ignore_ascii_case(name),
            Self::Suffix(suffix) => {
                let name = name.to_ascii_lowercase();
                let rest = name.strip_suffix(&suffix.to_ascii_lowercase());
                rest.is_some_and(|rest| rest.len() > 1 && rest.ends_with('.'))
            }
            Self::Opaque(text) => *text == name.to_ascii_lowercase(),
            Self::Expression(expression) => expression.is_match(name).unwrap_or(false),
        }
    }

    /// Returns true if puppetserver finds that the pattern means a name: it compares from the end, as far as both go.
    fn refuses(&self, name: &str) -> bool {
        let ends = |pattern: &str| {
            labels(&pattern.to_lowercase()).zip(labels(&name.to_lowercase())).all(|(a, b)| a == b)
        };
        match self {
            Self::Any => true,
            Self::Domain(text) | Self::Suffix(text) => ends(text),
            Self::Opaque(text) => {
                labels(&name.to_lowercase()).next().is_none_or(|last| last == text) || self.admits(name)
            }
            Self::Expression(expression) => expression.is_match(name).unwrap_or(true),
        }
    }
}

/// Compiles a regular expression, whose matching is bounded.
pub(crate) fn compile(expression: &str) -> Result<Regex, AuthorizationError> {
    let compiled = fancy_regex::RegexBuilder::new(expression).backtrack_limit(BACKTRACK_LIMIT).build();
    compiled.map_err(|error| {
        AuthorizationError::new(format!("The regular expression '{expression}' is invalid: {error}"))
    })
}

fn has_extensions(required: &[(String, ExtensionValue)], client: &ClientIdentity) -> bool {
    required.iter().all(|(name, value)| match value {
        ExtensionValue::Texts(texts) => {
            client.extensions.get(name).is_some_and(|value| texts.contains(value))
        }
        ExtensionValue::AlternativeNames(kinds) => kinds.iter().any(|(kind, names)| {
            let own = client.alternative_names.get(kind);
            own.is_some_and(|own| own.iter().any(|name| names.contains(name)))
        }),
    })
}

/// Returns the labels of a name, the last first.
fn labels(name: &str) -> impl Iterator<Item = &str> {
    let name = name.trim_end_matches('.');
    name.split('.').rev()
}

fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

fn is_label(label: &str) -> bool {
    label.starts_with(is_word) && label.chars().all(|c| is_word(c) || c == '-')
}

/// Returns true for a name with points.
fn is_domain(text: &str) -> bool {
    text.rsplit_once('.').is_some_and(|(first, last)| {
        !last.is_empty() && last.chars().all(|c| is_word(c) || c == '-') && first.split('.').all(is_label)
    })
}

/// Returns the suffix after `*.`.
fn suffix(text: &str) -> Option<&str> {
    text.strip_prefix("*.").filter(|suffix| suffix.split('.').all(is_label))
}

/// Returns the start, the end and the number of each `$1`.
fn backreferences(text: &str) -> impl Iterator<Item = (usize, usize, usize)> {
    text.match_indices('$').filter_map(|(start, _)| {
        let digits = text.get(start.saturating_add(1)..)?;
        let length = digits.bytes().take_while(u8::is_ascii_digit).count();
        let number = digits.get(..length)?.parse().ok()?;
        Some((start, start.saturating_add(1).saturating_add(length), number))
    })
}

fn has_backreference(text: &str) -> bool {
    backreferences(text).next().is_some()
}

/// Returns a text with captures in place of `$1`; `None` if there is no such capture.
fn substitute(template: &str, captures: &[Option<String>]) -> Option<String> {
    let mut text = String::new();
    let mut end = 0;
    for (start, after, number) in backreferences(template) {
        text.push_str(template.get(end..start)?);
        text.push_str(captures.get(number.checked_sub(1)?)?.as_deref()?);
        end = after;
    }
    text.push_str(template.get(end..)?);
    Some(text)
}
