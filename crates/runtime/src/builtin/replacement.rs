//! Replacing matches in a text as Ruby's `sub` and `gsub` do it.
//!
//! See Ruby's `string.c` (`rb_str_sub_bang`, `str_gsub`).

use std::ops::Range;

use puppetfn_base::error::{Error, ErrorKind, RaisedAs};
use puppetfn_base::limits::Limits;
use puppetfn_types::function::{Call, one_of};
use puppetfn_types::value::{Groups, Hash, Regex, Value};

/// The part of a text to replace.
#[derive(Clone, Copy)]
pub(super) enum ReplacedPattern<'a> {
    /// Matches.
    Regex(&'a Regex),
    /// A text.
    Text(&'a str),
}

one_of! {
    /// The replacement of a match.
    pub(super) enum Replacement<'v> {
        /// A text in which backslashes stand for parts of the match.
        Template(&'v str),
        /// The text at the match; nothing if there is none.
        Table(&'v Hash),
    }
}

impl ReplacedPattern<'_> {
    /// Replaces the first match, or all of them.
    pub(super) fn replace(
        self,
        call: &mut Call<'_>,
        text: &str,
        replacement: &Replacement<'_>,
        all: bool,
    ) -> Result<String, Error> {
        let limits = *call.limits();
        let mut out = String::with_capacity(text.len());
        let mut copied = 0;
        let mut start = Some(0);
        while let Some(groups) = start.map_or(Ok(None), |start| self.find(text, start))? {
            call.step()?;
            let found = &groups.whole;
            out.push_str(part(text, copied..found.start));
            match replacement {
                Replacement::Template(template) => {
                    self.expand(template, text, &groups, &mut out, &limits)?;
                }
                Replacement::Table(table) => {
                    if let Some(Value::String(to)) = table.get_str(part(text, found.clone())) {
                        out.push_str(to);
                    }
                }
            }
            limits.check_text(out.len())?;
            copied = found.end;
            // Behind an empty match, the search goes on at the next character.
            start = match text.get(found.end..).and_then(|rest| rest.chars().next()) {
                _ if !all => None,
                _ if !found.is_empty() => Some(found.end),
                Some(next) => Some(found.end.saturating_add(next.len_utf8())),
                None => None,
            };
        }
        out.push_str(part(text, copied..text.len()));
        Ok(out)
    }

    fn find(self, text: &str, start: usize) -> Result<Option<Groups>, Error> {
        match self {
            Self::Regex(regex) => regex.groups_from(text, start),
            Self::Text(sought) => Ok(text.get(start..).and_then(|rest| rest.find(sought)).map(|at| {
                let begin = start.saturating_add(at);
                Groups { whole: begin..begin.saturating_add(sought.len()), others: Vec::new() }
            })),
        }
    }

    /// Appends the template with its references to the match.
    fn expand(
        self,
        template: &str,
        text: &str,
        groups: &Groups,
        out: &mut String,
        limits: &Limits,
    ) -> Result<(), Error> {
        let group = |number: usize| match number.checked_sub(1) {
            None => part(text, groups.whole.clone()),
            Some(index) => groups.others.get(index).cloned().flatten().map_or("", |range| part(text, range)),
        };
        let mut rest = template;
        while let Some((literal, behind)) = rest.split_once('\\') {
            out.push_str(literal);
            limits.check_text(out.len())?;
            let mut chars = behind.chars();
            rest = match chars.next() {
                None => {
                    out.push('\\');
                    ""
                }
                Some('0' | '&') => {
                    out.push_str(group(0));
                    chars.as_str()
                }
                Some(c @ '1'..='9') => {
                    // Where groups have names, there are none with numbers.
                    if matches!(self, Self::Regex(regex) if !regex.has_named_groups()) {
                        out.push_str(group(c.to_digit(10).map_or(0, |digit| digit as usize)));
                    }
                    chars.as_str()
                }
                Some('`') => {
                    out.push_str(part(text, 0..groups.whole.start));
                    chars.as_str()
                }
                Some('\'') => {
                    out.push_str(part(text, groups.whole.end..text.len()));
                    chars.as_str()
                }
                Some('\\') => {
                    out.push('\\');
                    chars.as_str()
                }
                Some('k') if chars.as_str().starts_with('<') => {
                    let name = chars.as_str().get(1..).unwrap_or_default();
                    let (name, behind) = name.split_once('>').ok_or_else(|| {
                        Error::new(ErrorKind::Evaluation, "invalid group name reference format")
                            .with_details(RaisedAs("RuntimeError"))
                    })?;
                    out.push_str(group(self.number_of(name)?));
                    behind
                }
                Some(other) => {
                    out.push('\\');
                    out.push(other);
                    chars.as_str()
                }
            };
        }
        out.push_str(rest);
        Ok(())
    }

    fn number_of(self, name: &str) -> Result<usize, Error> {
        let number = if let Self::Regex(regex) = self { regex.group_named(name) } else { None };
        number.ok_or_else(|| {
            let message = format!("undefined group name reference: {name}");
            Error::new(ErrorKind::Evaluation, message).with_details(RaisedAs("IndexError"))
        })
    }
}

fn part(text: &str, range: Range<usize>) -> &str {
    text.get(range).unwrap_or_default()
}
