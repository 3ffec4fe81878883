//! The parser of rules.

use puppetfn_types::value::Regex;

use super::glob::Glob;
use super::test::ValueTest;
use super::{AttributePattern, PARTS, Rule};
use puppetfn_catalog::ReadError;

/// The signs that may follow the title, for changes of a resource or of its attribute.
const SIGNS: [char; 4] = ['+', '-', '~', PARTS];
/// The alternative to `::` that octocatalog-diff accepts.
const FORM_FEED: &str = "\\f";

/// The operators, none of which is a prefix of another one.
const OPERATORS: [&str; 6] = ["=>", "=+>", "=->", "=~>", "=&>", "=s>"];

impl Rule {
    pub(super) fn parse(text: &str) -> Result<Self, ReadError> {
        let text = text.trim_start();
        let (type_name, rest) = text.split_once('[').ok_or_else(|| expected("Type[title]", text))?;
        if !is_type_name(type_name) {
            return Err(expected("the name of a type in front of `[`", text));
        }
        let (title, after) = split_title(rest).ok_or_else(|| {
            expected(
                "`]` after the title, and then nothing, `+`, `-`, `~`, `!`, or `::` and an attribute",
                text,
            )
        })?;
        let path = after.trim_start_matches(SIGNS);
        let signs = after.get(..after.len().saturating_sub(path.len())).unwrap_or_default();
        let is_whole = path.is_empty() || after == "*";
        if !is_whole && signs.contains(['~', PARTS]) {
            return Err(expected("`+` or `-` in front of an attribute, or neither", text));
        }
        Ok(Self {
            type_name: Glob::new(type_name.trim_start_matches("::")),
            title: Glob::new(title),
            signs: signs.to_owned(),
            attribute: if is_whole { None } else { Some(AttributePattern::parse(path, text)?) },
        })
    }
}

impl AttributePattern {
    fn parse(text: &str, rule: &str) -> Result<Self, ReadError> {
        let (path, test) = match split_operator(text) {
            None => (text, None),
            Some((_, _, "")) => return Err(expected("a value after the operator", rule)),
            Some((path, operator, value)) => (path, Some(test(operator, value, rule)?)),
        };
        if path.contains('=') {
            let operators = OPERATORS.join("`, `");
            return Err(expected(&format!("an attribute, or one of `{operators}` after it"), rule));
        }
        let path = path.replace(FORM_FEED, "::");
        let names = path.strip_prefix("::");
        let globs: Vec<&str> = names.unwrap_or(&path).split("::").collect();
        if globs.iter().any(|name| name.is_empty()) {
            return Err(expected("the name of an attribute after `::`", rule));
        }
        // A space would be part of the name, so that the rule would never match, and nobody would see why.
        if globs.iter().any(|name| name.trim() != *name) {
            return Err(expected("no space around the name of an attribute", rule));
        }
        Ok(Self { is_from_top: names.is_some(), path: globs.into_iter().map(Glob::new).collect(), test })
    }
}

/// Returns true for a text that begins like a rule: with the name of a type and a title.
pub(super) fn begins_rule(text: &str) -> bool {
    text.trim_start().split_once('[').is_some_and(|(name, _)| is_type_name(name))
}

fn is_type_name(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || matches!(c, ':' | '_' | '*'))
}

/// Splits the text after the opening bracket at the end of the title. As titles and regular expressions may have
/// brackets, this is the first closing bracket with a valid suffix.
fn split_title(rest: &str) -> Option<(&str, &str)> {
    let splits = rest
        .match_indices(']')
        .filter_map(|(index, _)| Some((rest.get(..index)?, rest.get(index.saturating_add(1)..)?)));
    splits.into_iter().find(|(title, after)| !title.is_empty() && may_follow(after))
}

fn may_follow(after: &str) -> bool {
    let path = after.trim_start_matches(SIGNS);
    let path = split_operator(path).map_or(path, |(path, _, _)| path);
    let begins = |c: char| c.is_alphanumeric() || matches!(c, '_' | '*');
    let is_path = path.starts_with("::") || path.starts_with(FORM_FEED) || path.starts_with(begins);
    path.is_empty() || is_path && !path.contains(['[', ']'])
}

/// Splits at the first operator: into the path, the operator and the value.
fn split_operator(text: &str) -> Option<(&str, &'static str, &str)> {
    let found = OPERATORS.into_iter().filter_map(|operator| Some((text.find(operator)?, operator)));
    let (index, operator) = found.min()?;
    let (path, rest) = text.split_at_checked(index)?;
    Some((path, operator, rest.strip_prefix(operator)?))
}

fn test(operator: &str, value: &str, rule: &str) -> Result<ValueTest, ReadError> {
    let regex = || {
        Regex::new(&format!("(?i:{value})")).map_err(|error| {
            let reason = error.message().split(": /(?i:").next().unwrap_or_default().to_owned();
            expected(&format!("a regular expression after `{operator}` ({reason})"), rule)
        })
    };
    Ok(match operator {
        "=+>" => ValueTest::New(value.to_owned()),
        "=->" => ValueTest::Old(value.to_owned()),
        "=~>" => ValueTest::AnyLine(regex()?),
        "=&>" => ValueTest::AllLines(regex()?),
        "=s>" if value == "=" => ValueTest::SameItems,
        "=s>" => return Err(expected("`=` after `=s>`", rule)),
        _ => ValueTest::Either(value.to_owned()),
    })
}

fn expected(what: &str, rule: &str) -> ReadError {
    ReadError::new("", format!("expected {what}, in the rule `{rule}`"))
}
