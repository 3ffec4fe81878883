//! Regular expressions in the syntax of Go, which has no look-around and takes linear time.
//!
//! See go-cty's `cty/function/stdlib/regexp.go`.

mod syntax;

use regex::{Captures, Regex, RegexBuilder};

use self::syntax::SyntaxError;
use super::{FunctionFamily, failure, string};
use crate::function::{CtyFunction, argument_error, exactly};
use crate::types::CtyType;
use crate::value::CtyValue;
use puppetfn_base::error::Error;
use puppetfn_base::limits::Limits;
use puppetfn_base::recognize::{numeral, whole};

pub(super) fn functions() -> FunctionFamily {
    let matcher = |text| CtyFunction::new(text).parameter(string("pattern")).parameter(string("string"));
    vec![
        (
            "regex",
            matcher("Returns the first match of the regular expression, or what its groups capture.")
                .type_rule(|arguments, _| {
                    let [pattern, _] = exactly(arguments)?;
                    if pattern.is_known() { match_type(pattern.as_string()?) } else { Ok(CtyType::Dynamic) }
                })
                .implement(|[pattern, text], call| {
                    let t = call.returns;
                    let pattern = compiled(pattern.as_string()?)?;
                    let captures = pattern.regex.captures(text.as_string()?);
                    let captures = captures
                        .ok_or_else(|| failure("pattern did not match any part of the given string"))?;
                    Ok(captured(&pattern, &captures, t))
                }),
        ),
        (
            "regexall",
            matcher("Returns all matches of the regular expression, or what its groups capture in each.")
                .type_rule(|arguments, _| {
                    let [pattern, _] = exactly(arguments)?;
                    let known = pattern.is_known();
                    Ok(CtyType::list(if known {
                        match_type(pattern.as_string()?)?
                    } else {
                        CtyType::Dynamic
                    }))
                })
                .implement(|[pattern, text], call| {
                    let t = call.returns;
                    let pattern = compiled(pattern.as_string()?)?;
                    let element = t.element_type().cloned().unwrap_or(CtyType::Dynamic);
                    let mut size = 0;
                    let mut matches = Vec::new();
                    for captures in pattern.regex.captures_iter(text.as_string()?) {
                        size += captures.len() as u64;
                        call.limits.check_size(size)?;
                        matches.push(captured(&pattern, &captures, &element));
                    }
                    CtyValue::list(&element, matches)
                }),
        ),
        (
            "regexreplace",
            CtyFunction::new(
                "Replaces all matches of the regular expression; $1 or ${name} is what a group captured.",
            )
            .parameter(string("str"))
            .parameter(string("pattern"))
            .parameter(string("replace"))
            .returns(CtyType::String)
            .implement(|[text, pattern, template], call| {
                replace(text.as_string()?, pattern.as_string()?, template.as_string()?, call.limits)
            }),
        ),
    ]
}

/// A compiled expression. Groups have their names here: Go allows some that `regex` does not.
struct GoPattern {
    regex: Regex,
    /// The name of each group, from the first.
    names: Vec<Option<String>>,
}

impl GoPattern {
    fn new(pattern: &str) -> Result<Self, SyntaxError> {
        let (translated, names) = syntax::translate(pattern)?;
        // The only errors left after the translation are size and unknown character names.
        let regex = RegexBuilder::new(&translated).build().map_err(|error| {
            let large = matches!(error, regex::Error::CompiledTooBig(_));
            let code = if large { "expression too large" } else { "invalid character class range" };
            SyntaxError { code, part: pattern.to_owned() }
        })?;
        Ok(Self { regex, names })
    }
}

fn compiled(pattern: &str) -> Result<GoPattern, Error> {
    GoPattern::new(pattern).map_err(|error| argument_error(0, format!("error parsing pattern: {error}")))
}

/// Returns the type of a match: an object for named groups, a tuple for others, a string without groups.
fn match_type(pattern: &str) -> Result<CtyType, Error> {
    let invalid = |reason: String| argument_error(0, format!("invalid regexp pattern: {reason}"));
    let pattern =
        GoPattern::new(pattern).map_err(|error| invalid(format!("{} in {}", error.code, error.part)))?;
    let named: Vec<&String> = pattern.names.iter().flatten().collect();
    match (named.len(), pattern.names.len()) {
        (0, 0) => Ok(CtyType::String),
        (0, count) => Ok(CtyType::tuple(vec![CtyType::String; count])),
        (named, count) if named < count => {
            Err(invalid("cannot mix both named and unnamed capture groups".to_owned()))
        }
        _ => Ok(CtyType::object(named.into_iter().map(|name| (name, CtyType::String)))),
    }
}

fn captured(pattern: &GoPattern, captures: &Captures<'_>, t: &CtyType) -> CtyValue {
    let text = |group: Option<regex::Match<'_>>| match group {
        Some(group) => CtyValue::string(group.as_str()),
        None => CtyValue::null(CtyType::String),
    };
    let groups = captures.iter().skip(1);
    match t {
        CtyType::Tuple(_) => CtyValue::tuple(groups.map(text)),
        CtyType::Object(_) => {
            let named = pattern.names.iter().zip(groups);
            CtyValue::object(named.filter_map(|(name, group)| Some((name.as_ref()?, text(group)))))
        }
        _ => text(captures.get(0)),
    }
}

fn replace(text: &str, pattern: &str, template: &str, limits: &Limits) -> Result<CtyValue, Error> {
    let pattern = GoPattern::new(pattern).map_err(|error| failure(error.to_string()))?;
    let mut replaced = String::new();
    let mut end = 0;
    for captures in pattern.regex.captures_iter(text) {
        let Some(found) = captures.get(0) else { continue };
        replaced.push_str(text.get(end..found.start()).unwrap_or_default());
        expand(&pattern, &captures, template, &mut replaced, limits)?;
        end = found.end();
    }
    replaced.push_str(text.get(end..).unwrap_or_default());
    Ok(CtyValue::string(replaced))
}

/// Appends the template, with `$1`, `$name`, `${1}` and `${name}` replaced by captures.
fn expand(
    pattern: &GoPattern,
    captures: &Captures<'_>,
    template: &str,
    replaced: &mut String,
    limits: &Limits,
) -> Result<(), Error> {
    let mut rest = template;
    while let Some((before, after)) = rest.split_once('$') {
        replaced.push_str(before);
        rest = if let Some(after) = after.strip_prefix('$') {
            replaced.push('$');
            after
        } else if let Some((name, after)) = reference(after) {
            if let Some(group) = group(pattern, captures, name) {
                replaced.push_str(group.as_str());
            }
            after
        } else {
            replaced.push('$');
            after
        };
        limits.check_size(replaced.len() as u64)?;
    }
    replaced.push_str(rest);
    limits.check_size(replaced.len() as u64)
}

/// Returns the name after a dollar sign, and the rest of the text.
fn reference(text: &str) -> Option<(&str, &str)> {
    let unbraced = text.strip_prefix('{');
    let text = unbraced.unwrap_or(text);
    let end = text.find(|character: char| !character.is_alphanumeric() && character != '_');
    let (name, rest) = text.split_at_checked(end.unwrap_or(text.len()))?;
    if name.is_empty() {
        return None;
    }
    Some((name, if unbraced.is_some() { rest.strip_prefix('}')? } else { rest }))
}

fn group<'t>(pattern: &GoPattern, captures: &Captures<'t>, name: &str) -> Option<regex::Match<'t>> {
    if whole(numeral, name).is_some() {
        return captures.get(name.parse().ok()?);
    }
    let mut groups = pattern.names.iter().zip(captures.iter().skip(1));
    groups.find_map(|(own, group)| if own.as_deref() == Some(name) { group } else { None })
}
