//! `split`, and splitting as Ruby does it.
//!
//! See Puppet's `functions/split.rb`.

use std::sync::Arc;

use super::legacy::refused;
use super::pattern::compile;
use puppetfn_base::error::Error;
use puppetfn_types::function::{Call, Declaration, Deviation, SensitiveArgument, native, one_of};
use puppetfn_types::types::Type;
use puppetfn_types::value::{Regex, Value};

pub(super) fn split() -> Declaration {
    native("split").scope_method(refused(2, true))
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
        .dispatch::<(&str, SplitPattern)>("(String str, String pattern)", |call, (text, pattern)| parts(call, text, pattern))
        .dispatch::<(&str, SplitPattern)>("(String str, Regexp pattern)", |call, (text, pattern)| parts(call, text, pattern))
        .dispatch::<(&str, SplitPattern)>("(String str, Type[Regexp] pattern)", |call, (text, pattern)| {
            parts(call, text, pattern)
        })
        .dispatch::<(SensitiveArgument<&str>, SplitPattern)>("(Sensitive[String] sensitive, String pattern)", hidden_parts)
        .dispatch::<(SensitiveArgument<&str>, SplitPattern)>("(Sensitive[String] sensitive, Regexp pattern)", hidden_parts)
        .dispatch::<(SensitiveArgument<&str>, SplitPattern)>("(Sensitive[String] sensitive, Type[Regexp] pattern)", hidden_parts)
}

one_of! {
    enum SplitPattern<'v> {
        Source(&'v str),
        Regexp(&'v Regex),
        Type(&'v Type),
    }
}

fn parts(call: &mut Call<'_>, text: &str, pattern: SplitPattern<'_>) -> Result<Value, Error> {
    let mut parts = SplitParts { values: Vec::new(), call };
    match pattern {
        SplitPattern::Source(source) if is_literal(source) => {
            text.split(source).try_for_each(|part| parts.push(part))?;
        }
        SplitPattern::Source(source) => split_at_matches(text, &compile(source)?, &mut parts)?,
        SplitPattern::Regexp(regex) | SplitPattern::Type(Type::Regexp(Some(regex))) => {
            split_at_matches(text, regex, &mut parts)?;
        }
        SplitPattern::Type(_) => split_at_matches(text, &compile("")?, &mut parts)?,
    }
    let mut values = parts.values;
    while let Some(Value::String(last)) = values.last()
        && last.is_empty()
    {
        values.pop();
    }
    Ok(values.into())
}

/// The parts of a text: each character may be one, which takes many times the memory.
struct SplitParts<'p, 'c> {
    values: Vec<Value>,
    call: &'p mut Call<'c>,
}

impl SplitParts<'_, '_> {
    fn push(&mut self, part: &str) -> Result<(), Error> {
        self.call.step()?;
        self.call.limits().check_elements(self.values.len())?;
        self.values.push(part.into());
        Ok(())
    }
}

fn hidden_parts(
    call: &mut Call<'_>,
    (SensitiveArgument(text), pattern): (SensitiveArgument<&str>, SplitPattern<'_>),
) -> Result<Value, Error> {
    call.deviate(Deviation::before(8, "split of Sensitive"))?;
    Ok(Value::Sensitive(Arc::new(parts(call, text, pattern)?)))
}

/// Returns true if a pattern matches itself and nothing else.
fn is_literal(pattern: &str) -> bool {
    const SPECIAL: &[u8] = br"\.[]{}()*+?^$|";
    !pattern.is_empty() && !pattern.bytes().any(|byte| SPECIAL.contains(&byte))
}

/// Adds the parts between matches, and the texts of groups. An empty match is separated from the next one by a
/// character.
fn split_at_matches(text: &str, regex: &Regex, parts: &mut SplitParts<'_, '_>) -> Result<(), Error> {
    if text.is_empty() {
        return Ok(());
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
            parts.push(part(begin, start))?;
            begin = start;
        } else {
            parts.push(part(begin, found.start))?;
            begin = found.end;
            start = found.end;
        }
        moved = false;
        groups.others.iter().flatten().try_for_each(|group| parts.push(part(group.start, group.end)))?;
    }
    parts.push(part(begin, text.len()))
}
