//! Nodes that could not be compared for the same reason.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use serde::Serialize;

/// The placeholder of the node's name in a message. No name has this character.
const NAME: &str = "\0";

/// Nodes that could not be compared, for the same reason.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct FailureGroup {
    /// The names of the nodes, sorted.
    pub nodes: Vec<String>,
    /// The error message. Where messages differ only in the name of the node, the message of the first node.
    pub message: String,
}

impl FailureGroup {
    /// Returns the message of one of the nodes.
    pub fn message_of(&self, node: &str) -> String {
        let first = self.nodes.first().map_or("", String::as_str);
        nameless(&self.message, first).replace(NAME, node)
    }

    /// Returns each node with its own message.
    pub(crate) fn apart(self) -> impl Iterator<Item = (String, String)> {
        let messages: Vec<String> = self.nodes.iter().map(|node| self.message_of(node)).collect();
        self.nodes.into_iter().zip(messages)
    }
}

/// Groups nodes whose messages differ only in the name of the node. Paths of fact and catalog files contain that name,
/// too.
pub(crate) fn together(failures: impl IntoIterator<Item = (String, String)>) -> Vec<FailureGroup> {
    let mut reasons: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (node, message) in failures {
        reasons.entry(nameless(&message, &node)).or_default().push(node);
    }
    let failure = |(message, mut nodes): (String, Vec<String>)| {
        nodes.sort();
        let message = message.replace(NAME, nodes.first().map_or("", String::as_str));
        FailureGroup { nodes, message }
    };
    let mut failures: Vec<FailureGroup> = reasons.into_iter().map(failure).collect();
    failures.sort_by(|a, b| {
        let key = |failure: &FailureGroup| Reverse(failure.nodes.len());
        key(a).cmp(&key(b)).then_with(|| a.nodes.cmp(&b.nodes)).then_with(|| a.message.cmp(&b.message))
    });
    failures
}

/// Returns a message with a placeholder for the node's name. Only whole words are replaced: `cannot` has no `a`.
fn nameless(message: &str, node: &str) -> String {
    if node.is_empty() {
        return message.to_owned();
    }
    let continues = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-');
    let mut text = String::with_capacity(message.len());
    let mut rest = message;
    while let Some((before, after)) = rest.split_once(node) {
        text.push_str(before);
        let is_begun = text.chars().next_back().is_some_and(|c| continues(c) || c == '.');
        let is_own = !is_begun && !after.starts_with(continues);
        text.push_str(if is_own { NAME } else { node });
        rest = after;
    }
    text.push_str(rest);
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grouped(failures: &[(&str, &str)]) -> Vec<(Vec<String>, String)> {
        let failures = failures.iter().map(|(node, message)| ((*node).to_owned(), (*message).to_owned()));
        together(failures).into_iter().map(|failure| (failure.nodes, failure.message)).collect()
    }

    #[test]
    fn messages_about_the_node_itself_are_the_same() {
        let found = grouped(&[
            ("web2.a", "facts/web2.a.yaml: no fact 'role' of web2.a"),
            ("db1.a", "no class db"),
            ("web1.a", "facts/web1.a.yaml: no fact 'role' of web1.a"),
        ]);
        let web = (
            vec!["web1.a".to_owned(), "web2.a".to_owned()],
            "facts/web1.a.yaml: no fact 'role' of web1.a".to_owned(),
        );
        assert_eq!(found, [web.clone(), (vec!["db1.a".to_owned()], "no class db".to_owned())]);
        let failure = FailureGroup { nodes: web.0, message: web.1 };
        assert_eq!(failure.message_of("web2.a"), "facts/web2.a.yaml: no fact 'role' of web2.a");
    }

    #[test]
    fn a_name_within_a_word_is_none() {
        assert_eq!(nameless("cannot a b.a a-b a.yaml /a/", "a"), "cannot \0 b.a a-b \0.yaml /\0/");
        assert_eq!(grouped(&[("a", "of a"), ("b", "of a")]).len(), 2, "that may be another node");
    }
}
