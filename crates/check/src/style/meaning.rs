//! The proof that a fix changes no catalog.
//!
//! Both texts are parsed, and their trees are compared in a normal form without the differences that fixes of style
//! make. The order of a resource's attributes, for example, is no part of it.

use super::super::legacy_facts::replacement;
use puppetfn_base::limits::Limits;
use puppetfn_syntax::{Mode, parse_with, to_pn};

/// Returns true if two texts are programs that make the same catalogs: programs with the same tree, except for quotes
/// around words, `::` before names, the order of attributes, the direction of arrows and other names for the same fact.
///
/// ```
/// use puppetfn::check::same_meaning;
/// use puppetfn::limits::Limits;
/// use puppetfn::syntax::Mode;
///
/// let same = |before, after| same_meaning(before, after, Mode::default(), &Limits::DEFAULT);
/// assert!(same("file { a: mode => '0644', ensure => file }", "file { 'a': ensure => file, mode => '0644' }"));
/// assert!(!same("file { a: mode => '0644' }", "file { a: mode => '644' }"));
/// ```
pub fn same_meaning(before: &str, after: &str, mode: Mode, limits: &Limits) -> bool {
    let normal = |text| {
        let program = parse_with(text, mode, limits).ok()?;
        normal_form(&to_pn(&program, false))
    };
    normal(before).is_some_and(|form| normal(after) == Some(form))
}

/// A part of a tree in Puppet Notation.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Node {
    /// A kind of bracket, and the nodes in it.
    List(u8, Vec<Node>),
    Text(String),
    /// A name, a number or a key.
    Atom(String),
}

fn normal_form(notation: &str) -> Option<Node> {
    Reader { rest: notation }.node()
}

/// Reads Puppet Notation, and normalizes each part when it is complete.
struct Reader<'s> {
    rest: &'s str,
}

impl Reader<'_> {
    fn node(&mut self) -> Option<Node> {
        self.rest = self.rest.trim_start();
        let first = *self.rest.as_bytes().first()?;
        match first {
            b'(' | b'[' | b'{' => {
                self.rest = self.rest.get(1..)?;
                let mut parts = Vec::new();
                loop {
                    self.rest = self.rest.trim_start();
                    if self.rest.starts_with([')', ']', '}']) {
                        self.rest = self.rest.get(1..)?;
                        return Some(normalized(first, parts));
                    }
                    parts.push(self.node()?);
                }
            }
            b'"' => self.text(),
            _ => {
                let end = self.rest.find([' ', ')', ']', '}']).unwrap_or(self.rest.len());
                let (atom, rest) = self.rest.split_at_checked(end)?;
                self.rest = rest;
                Some(Node::Atom(atom.to_owned()))
            }
        }
    }

    /// Reads a string. Escapes are kept, as both trees have the same ones.
    fn text(&mut self) -> Option<Node> {
        let content = self.rest.get(1..)?;
        let mut is_escaped = false;
        let end = content.find(|c| {
            let is_end = c == '"' && !is_escaped;
            is_escaped = c == '\\' && !is_escaped;
            is_end
        })?;
        let (text, rest) = content.split_at_checked(end)?;
        self.rest = rest.get(1..)?;
        Some(Node::Text(text.strip_prefix("::").unwrap_or(text).to_owned()))
    }
}

/// Returns a list with its normal form in its place.
fn normalized(bracket: u8, mut parts: Vec<Node>) -> Node {
    let name = match parts.first() {
        Some(Node::Atom(name)) => name.clone(),
        _ => String::new(),
    };
    match (name.as_str(), parts.as_slice()) {
        ("qn", [_, Node::Text(name)]) => return Node::Text(name.clone()),
        ("var", [_, Node::Text(variable)]) if !variable.contains("::") => return fact(variable),
        ("concat", [_, Node::List(_, segment)]) => {
            if let [Node::Atom(kind), value] = segment.as_slice()
                && kind == "str"
            {
                return value.clone();
            }
        }
        ("access", [_, operand, Node::Text(key)]) if *operand == variable("facts") => return fact(key),
        ("<-" | "<~", [_, left, right]) => {
            let arrow = if name == "<-" { "->" } else { "~>" };
            return Node::List(bracket, vec![Node::Atom(arrow.to_owned()), right.clone(), left.clone()]);
        }
        _ => {}
    }
    // The attributes of a resource follow the key.
    let is_ops = |node: &Node| *node == Node::Atom(":ops".to_owned());
    let ops = parts.iter().position(is_ops).and_then(|index| parts.get_mut(index + 1));
    if let Some(Node::List(_, operations)) = ops {
        operations.sort();
    }
    Node::List(bracket, parts)
}

fn variable(name: &str) -> Node {
    Node::List(b'(', vec![Node::Atom("var".to_owned()), Node::Text(name.to_owned())])
}

/// Returns the variable that may be a fact: of one with an old name, the part of another that has its value.
fn fact(name: &str) -> Node {
    let Some(code) = replacement(name) else { return variable(name) };
    // The names in `$facts['os']['name']`.
    let mut names = code.split('\'').skip(1).step_by(2);
    let first = variable(names.next().unwrap_or(name));
    names.fold(first, |operand, name| {
        Node::List(b'(', vec![Node::Atom("access".to_owned()), operand, Node::Text(name.to_owned())])
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn same(before: &str, after: &str) -> bool {
        same_meaning(before, after, Mode::default(), &Limits::DEFAULT)
    }

    #[test]
    fn what_fixes_change_is_the_same() {
        for (before, after) in [
            ("user { bob: }", "user { 'bob': }"),
            ("notice(\"a $b\")", "notice(\"a ${b}\")"),
            ("notice(\"${b}\")", "notice($b)"),
            ("include ::a", "include a"),
            ("class { '::a': }", "class { 'a': }"),
            ("notice($::a::b)", "notice($a::b)"),
            ("File['a'] <- File['b']", "File['b'] -> File['a']"),
            ("notice($::osfamily)", "notice($facts['os']['family'])"),
            ("notice($::kernel)", "notice($facts['kernel'])"),
            ("notice($facts['osfamily'])", "notice($facts['os']['family'])"),
            ("file { 'a': b => 1, c => 2 }", "file { 'a': c => 2, b => 1 }"),
        ] {
            assert!(same(before, after), "{before} {after}");
        }
    }

    #[test]
    fn what_changes_a_catalog_is_not() {
        for (before, after) in [
            ("file { 'a': b => 'true' }", "file { 'a': b => true }"),
            ("file { 'a': b => 1, c => 2 }", "file { 'a': b => 2, c => 1 }"),
            ("File['a'] <- File['b']", "File['a'] -> File['b']"),
            ("notice([1, 2])", "notice([2, 1])"),
            ("notice($a)", "notice($b)"),
            ("notice('a\\\"b')", "notice('a')"),
            ("notice(1", "notice(1"),
        ] {
            assert!(!same(before, after), "{before} {after}");
        }
    }
}
