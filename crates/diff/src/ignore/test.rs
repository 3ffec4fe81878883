//! What a rule asks of the values of an attribute.

use puppetfn_types::value::Regex;

use crate::detail::changed_lines;
use crate::value::Value;

/// What a rule asks of the values of an attribute. What is sensitive passes only tests that could not find out what it is.
#[derive(Clone, Debug)]
pub(super) enum Test {
    /// `=>`: either is this text.
    Either(String),
    /// `=->`: the old one is.
    Old(String),
    /// `=+>`: the new one is.
    New(String),
    /// `=~>`: a line that was removed or added matches.
    AnyLine(Regex),
    /// `=&>`: all these lines match.
    AllLines(Regex),
    /// `=s>=`: they are arrays of the same items.
    SameItems,
}

impl Test {
    pub(super) fn passes(&self, old: Option<&Value>, new: Option<&Value>) -> bool {
        match self {
            Self::Either(text) => is_text(old, text) || is_text(new, text),
            Self::Old(text) => is_text(old, text),
            Self::New(text) => is_text(new, text),
            Self::AnyLine(regex) => changed_lines(old, new).iter().any(|line| is_match(regex, line)),
            Self::AllLines(regex) => {
                let lines = changed_lines(old, new);
                !lines.is_empty() && lines.iter().all(|line| is_match(regex, line))
            }
            Self::SameItems => match (old, new) {
                (Some(Value::Array(old)), Some(Value::Array(new))) => {
                    let sets =
                        [old, new].map(|items| items.iter().collect::<std::collections::BTreeSet<_>>());
                    let [old_set, new_set] = sets;
                    let has_secrets = |items: &[Value]| items.iter().any(Value::has_secrets);
                    old_set == new_set && !has_secrets(old)
                }
                _ => false,
            },
        }
    }
}

fn is_text(value: Option<&Value>, text: &str) -> bool {
    value.is_some_and(|value| value.scalar_text() == Some(text))
}

/// What takes too many steps to match is not ignored.
fn is_match(regex: &Regex, line: &str) -> bool {
    regex.is_match(line).unwrap_or(false)
}
