//! The values of a node that a change may contain: its name, its addresses, its facts.

use std::borrow::Cow;
use std::collections::{BTreeSet, HashSet};
use std::iter;
use std::net::IpAddr;
use std::sync::Arc;

/// The placeholder of such a value. No text has this character.
const OWN: char = '\0';

/// The characters between the parts of a word.
const SEPARATORS: [char; 3] = ['.', ':', '-'];

/// The minimum length of a fact's value that counts: single digits and letters are everywhere.
const SHORTEST: usize = 2;

/// The values that belong to one node, by which the same change of two nodes may differ.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct NodeValues(HashSet<Arc<str>>);

impl NodeValues {
    /// Returns the values in a node's name: the name, the name of the host, and the domain.
    pub fn of_name(node: &str) -> Self {
        let mut values = Self::default();
        values.add(node);
        if let Some((host, domain)) = node.split_once('.') {
            values.add(host);
            values.add(domain);
        }
        values
    }

    /// Adds the value of a fact.
    pub fn add(&mut self, value: &str) {
        if value.len() >= SHORTEST {
            self.0.insert(value.into());
        }
    }

    /// Returns a text in which placeholders replace the values of the node, names of a resource, and addresses.
    pub(crate) fn masked<'t>(&self, text: &'t str, names: &[&str]) -> Cow<'t, str> {
        if self.has(text, names) {
            return OWN.to_string().into();
        }
        let mut masked = String::new();
        let mut copied = 0usize;
        for (start, word) in words(text) {
            let Some(short) = self.replaced(word, names) else { continue };
            masked.push_str(text.get(copied..start).unwrap_or_default());
            masked.push_str(&short);
            copied = start.saturating_add(word.len());
        }
        if copied == 0 {
            return text.into();
        }
        masked.push_str(text.get(copied..).unwrap_or_default());
        masked.into()
    }

    /// Returns true if one of some words is a value of the node.
    pub(crate) fn has_any(&self, words: &BTreeSet<Box<str>>) -> bool {
        words.iter().any(|word| self.0.contains(&**word))
    }

    fn has(&self, text: &str, names: &[&str]) -> bool {
        self.0.contains(text) || names.contains(&text)
    }

    /// Returns a word with placeholders, if it is or contains a value.
    fn replaced(&self, word: &str, names: &[&str]) -> Option<String> {
        let core = word.trim_matches(SEPARATORS);
        if core.is_empty() {
            return None;
        }
        if self.has(core, names) || is_address(core) {
            return Some(word.replacen(core, &OWN.to_string(), 1));
        }
        if let Some((address, _)) = core.rsplit_once(':').filter(|(address, _)| is_address(address)) {
            return Some(word.replacen(address, &OWN.to_string(), 1));
        }
        let mut is_replaced = false;
        let parts: String = core
            .split_inclusive(SEPARATORS)
            .map(|part| {
                let name = part.trim_end_matches(SEPARATORS);
                if self.has(name, names) {
                    is_replaced = true;
                    Cow::Owned(part.replacen(name, &OWN.to_string(), 1))
                } else {
                    Cow::Borrowed(part)
                }
            })
            .collect();
        is_replaced.then(|| word.replacen(core, &parts, 1))
    }
}

/// Returns the parts of a text that a node may have as values: the text, its words, and their parts.
pub(crate) fn candidates(text: &str) -> impl Iterator<Item = &str> {
    let parts = words(text).flat_map(|(_, word)| {
        let core = word.trim_matches(SEPARATORS);
        iter::once(core).chain(core.split(SEPARATORS))
    });
    iter::once(text).chain(parts)
}

/// Returns the words of a text that may be names and addresses, with their positions.
fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '.' | ':' | '-' | '_');
    let mut rest = 0usize;
    iter::from_fn(move || {
        let tail = text.get(rest..)?;
        let start = rest.saturating_add(tail.find(is_part)?);
        let tail = text.get(start..)?;
        let end = tail.find(|c| !is_part(c)).unwrap_or(tail.len());
        rest = start.saturating_add(end);
        Some((start, tail.get(..end)?))
    })
}

/// Returns true for an address of a network or a network card.
fn is_address(word: &str) -> bool {
    let is_card = || {
        let parts = || word.split(':');
        parts().count() == 6
            && parts().all(|part| part.len() == 2 && part.bytes().all(|b| b.is_ascii_hexdigit()))
    };
    let has_digits = word.bytes().any(|b| b.is_ascii_digit());
    has_digits && word.parse::<IpAddr>().is_ok() || is_card()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_the_node_are_replaced_as_words() {
        let mut values = NodeValues::of_name("web1.example.com");
        values.add("Debian");
        values.add("4");
        for (text, expected) in [
            ("web1.example.com: Debian 12 Debianized", "\0: \0 12 Debianized"),
            ("on web1 and web1-a, not web12, nor aweb1", "on \0 and \0-a, not web12, nor aweb1"),
            ("listen 10.0.0.1:80, fe80::1, 10.0.0, 52:54:00:aa:bb:cc.", "listen \0:80, \0, 10.0.0, \0."),
            ("class cafe::face, [nginx] /srv/nginx", "class cafe::face, [\0] /srv/\0"),
            ("4 of 4", "4 of 4"),
            ("example.com", "\0"),
            ("/srv/web1/ä", "/srv/\0/ä"),
            ("", ""),
        ] {
            assert_eq!(values.masked(text, &["nginx"]), expected, "{text}");
            let words = candidates(text).map(Box::from).collect();
            let is_own = values.masked(text, &[]) != NodeValues::default().masked(text, &[]);
            assert_eq!(values.has_any(&words), is_own, "{text}");
        }
    }
}
