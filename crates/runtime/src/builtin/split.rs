//! `split`, and splitting as Ruby does it.
//!
//! See Puppet's `functions/split.rb`.

use std::sync::Arc;

use super::pattern::compile;
use puppetfn_base::error::Error;
use puppetfn_types::function::{Call, Declaration, Hidden, native, one_of};
use puppetfn_types::types::Type;
use puppetfn_types::value::{Regex, Value};

pub(super) fn split() -> Declaration {
    native("split")
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
        })
        .dispatch::<(&str, Pattern)>("(String str, String pattern)", |_, (text, pattern)| parts(text, pattern))
        .dispatch::<(&str, Pattern)>("(String str, Regexp pattern)", |_, (text, pattern)| parts(text, pattern))
        .dispatch::<(&str, Pattern)>("(String str, Type[Regexp] pattern)", |_, (text, pattern)| {
            parts(text, pattern)
        })
        .dispatch::<(Hidden<&str>, Pattern)>("(Sensitive[String] sensitive, String pattern)", hidden_parts)
        .dispatch::<(Hidden<&str>, Pattern)>("(Sensitive[String] sensitive, Regexp pattern)", hidden_parts)
        .dispatch::<(Hidden<&str>, Pattern)>("(Sensitive[String] sensitive, Type[Regexp] pattern)", hidden_parts)
}

one_of! {
    enum Pattern<'v> {
        Source(&'v str),
        Regexp(&'v Regex),
        Type(&'v Type),
    }
}

fn parts(text: &str, pattern: Pattern<'_>) -> Result<Value, Error> {
    let parts = match pattern {
        Pattern::Source(source) if is_literal(source) => split_at_text(text, source),
        Pattern::Source(source) => split_by(text, &compile(source)?)?,
        Pattern::Regexp(regex) | Pattern::Type(Type::Regexp(Some(regex))) => split_by(text, regex)?,
        Pattern::Type(_) => split_by(text, &compile("")?)?,
    };
    Ok(parts.into_iter().map(Value::from).collect::<Vec<_>>().into())
}

fn hidden_parts(
    _: &mut Call<'_>,
    (Hidden(text), pattern): (Hidden<&str>, Pattern<'_>),
) -> Result<Value, Error> {
    Ok(Value::Sensitive(Arc::new(parts(text, pattern)?)))
}

/// Returns true if a pattern matches itself and nothing else.
fn is_literal(pattern: &str) -> bool {
    const SPECIAL: &[u8] = br"\.[]{}()*+?^$|";
    !pattern.is_empty() && !pattern.bytes().any(|byte| SPECIAL.contains(&byte))
}

/// Returns the parts between occurrences of a text, without empty ones at the end.
fn split_at_text<'t>(text: &'t str, separator: &str) -> Vec<&'t str> {
    let mut parts: Vec<&str> = text.split(separator).collect();
    let kept = parts.iter().rposition(|part| !part.is_empty()).map_or(0, |last| last.saturating_add(1));
    parts.truncate(kept);
    parts
}

/// Returns the parts between matches, without empty ones at the end, with what groups match.
fn split_by<'t>(text: &'t str, regex: &Regex) -> Result<Vec<&'t str>, Error> {
    let mut parts = split_at_matches(text, regex)?;
    while let Some(&"") = parts.last() {
        parts.pop();
    }
    Ok(parts)
}

/// Returns the parts between matches, with what groups match. Where a match is empty, there is a character
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
