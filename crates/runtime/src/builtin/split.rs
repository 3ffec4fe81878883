//! `split`, and splitting as Ruby does it.
//!
//! See Puppet's `functions/split.rb`.

use std::sync::Arc;

use super::pattern::compile;
use puppetfn_base::error::Error;
use puppetfn_types::function::{Call, Declaration, native};
use puppetfn_types::types::Type;
use puppetfn_types::value::{Regex, Value};

pub(super) fn split() -> Declaration {
    let declaration = native("split")
        .pure()
        .doc(
            "The parts of a string between the matches of a pattern, without empty ones at the end. What groups \
             of the pattern match comes, too. The parts of a sensitive string are sensitive.",
        )
        .example("split('a, b,c', /, */)", "['a', 'b', 'c']")
        .example("split('a.b', '[.]')", "['a', 'b']")
        .example("split('a1b', /(\\d)/)", "['a', '1', 'b']")
        .returns(|arguments| match arguments {
            [Type::Sensitive(_), ..] => Type::sensitive(Type::array(Type::STRING, None)),
            [t, ..] if Type::STRING.assignable(t) => Type::array(Type::STRING, None),
            _ => Type::Any,
        });
    let text = [
        "(String str, String pattern)",
        "(String str, Regexp pattern)",
        "(String str, Type[Regexp] pattern)",
    ];
    let sensitive = [
        "(Sensitive[String] sensitive, String pattern)",
        "(Sensitive[String] sensitive, Regexp pattern)",
        "(Sensitive[String] sensitive, Type[Regexp] pattern)",
    ];
    let declaration = text.into_iter().fold(declaration, |d, signature| d.dispatch(signature, split_text));
    sensitive.into_iter().fold(declaration, |d, signature| d.dispatch(signature, split_sensitive))
}

fn split_text(call: &mut Call<'_>, arguments: &[Value]) -> Result<Value, Error> {
    match arguments {
        [Value::String(text), pattern] => {
            let parts = match pattern {
                Value::String(source) if is_literal(source) => split_at_text(text, source),
                Value::String(source) => split_by(text, &compile(source)?)?,
                Value::Regexp(regex) => split_by(text, regex)?,
                Value::Type(t) => match &**t {
                    Type::Regexp(Some(regex)) => split_by(text, regex)?,
                    _ => split_by(text, &compile("")?)?,
                },
                _ => return Err(call.unexpected_arguments()),
            };
            Ok(parts.into_iter().map(Value::from).collect::<Vec<_>>().into())
        }
        _ => Err(call.unexpected_arguments()),
    }
}

fn split_sensitive(call: &mut Call<'_>, arguments: &[Value]) -> Result<Value, Error> {
    match arguments {
        [Value::Sensitive(text), pattern] => {
            let parts = split_text(call, &[Value::clone(text), pattern.clone()])?;
            Ok(Value::Sensitive(Arc::new(parts)))
        }
        _ => Err(call.unexpected_arguments()),
    }
}

/// Returns true if a pattern matches itself and nothing else.
fn is_literal(pattern: &str) -> bool {
    const SPECIAL: &[u8] = br"\.[]{}()*+?^$|";
    !pattern.is_empty() && !pattern.bytes().any(|byte| SPECIAL.contains(&byte))
}

/// The parts between occurrences of a text, without empty ones at the end.
fn split_at_text<'t>(text: &'t str, separator: &str) -> Vec<&'t str> {
    let mut parts: Vec<&str> = text.split(separator).collect();
    let kept = parts.iter().rposition(|part| !part.is_empty()).map_or(0, |last| last.saturating_add(1));
    parts.truncate(kept);
    parts
}

/// The parts between matches, without empty ones at the end, with what groups match.
fn split_by<'t>(text: &'t str, regex: &Regex) -> Result<Vec<&'t str>, Error> {
    let mut parts = split_at_matches(text, regex)?;
    while let Some(&"") = parts.last() {
        parts.pop();
    }
    Ok(parts)
}

/// The parts between matches, with what groups match. Where a match is empty, there is a character
/// between it and the next.
pub(super) fn split_at_matches<'t>(text: &'t str, regex: &Regex) -> Result<Vec<&'t str>, Error> {
    let mut parts = Vec::new();
    if text.is_empty() {
        return Ok(parts);
    }
    let part = |from: usize, to: usize| text.get(from..to).unwrap_or_default();
    let (mut begin, mut start) = (0, 0);
    // Whether the search was moved on by one character because of an empty match.
    let mut moved = false;
    while let Some(groups) = regex.groups_from(text, start)? {
        let found = &groups.whole;
        if found.is_empty() && found.start == start {
            if !moved {
                let Some(next) = text.get(start..).and_then(|rest| rest.chars().next()) else { break };
                start = start.saturating_add(next.len_utf8());
                moved = true;
                continue;
            }
            parts.push(part(begin, start));
            begin = start;
        } else {
            parts.push(part(begin, found.start));
            begin = found.end;
            start = found.end;
        }
        moved = false;
        parts.extend(groups.others.iter().flatten().map(|group| part(group.start, group.end)));
    }
    parts.push(part(begin, text.len()));
    Ok(parts)
}
