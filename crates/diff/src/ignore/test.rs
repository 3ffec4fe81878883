//! Conditions of rules on the values of an attribute.

use puppetfn_types::value::Regex;

use crate::detail::changed_lines;
use crate::value::DiffValue;

/// A condition on the values of an attribute. Sensitive values meet only conditions that cannot reveal them.
#[derive(Clone, Debug)]
pub(super) enum ValueTest {
    /// `=>`: the old or the new value is this text.
    Either(String),
    /// `=->`: the old value is this text.
    Old(String),
    /// `=+>`: the new value is this text.
    New(String),
    /// `=~>`: a removed or added line matches.
    AnyLine(Regex),
    /// `=&>`: all removed and added lines match.
    AllLines(Regex),
    /// `=s>=`: the values are arrays of the same items.
    SameItems,
}

impl ValueTest {
    pub(super) fn passes(&self, old: Option<&DiffValue>, new: Option<&DiffValue>) -> bool {
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
                (Some(DiffValue::Array(old)), Some(DiffValue::Array(new))) => {
                    let sets =
                        [old, new].map(|items| items.iter().collect::<std::collections::BTreeSet<_>>());
                    let [old_set, new_set] = sets;
                    let has_secrets = |items: &[DiffValue]| items.iter().any(DiffValue::has_secrets);
                    old_set == new_set && !has_secrets(old)
                }
                _ => false,
            },
        }
    }
}

fn is_text(value: Option<&DiffValue>, text: &str) -> bool {
    value.is_some_and(|value| value.scalar_text() == Some(text))
}

/// A line that takes too many steps to match is not ignored.
fn is_match(regex: &Regex, line: &str) -> bool {
    regex.is_match(line).unwrap_or(false)
}
