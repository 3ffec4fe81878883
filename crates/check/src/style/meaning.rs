//! The proof that a fix changes no catalog.
//!
//! Both texts are parsed, and their trees are compared in a normal form without the differences that fixes of style
//! make. The order of a resource's attributes, for example, is no part of it.

use std::borrow::Cow;

use super::super::legacy_facts::{is_certain, path};
use puppetfn_base::limits::Limits;
use puppetfn_syntax::{Mode, NotationNode, notation, parse_with};

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
    let (Ok(before), Ok(after)) = (parse_with(before, mode, limits), parse_with(after, mode, limits)) else {
        return false;
    };
    normal_form(notation(&before)) == normal_form(notation(&after))
}

/// Returns a tree without the differences that fixes of style make.
fn normal_form(node: NotationNode<'_>) -> NotationNode<'_> {
    match node {
        NotationNode::Nil | NotationNode::Atom(_) => node,
        NotationNode::Text(text) => NotationNode::Text(without_colons(text)),
        NotationNode::List(elements) => NotationNode::List(normal_forms(elements)),
        NotationNode::Call(name, elements) => normal_call(name, normal_forms(elements)),
        NotationNode::Map(entries) => {
            let normal = |(key, value)| match (key, normal_form(value)) {
                // The order of a resource's attributes makes no difference.
                ("ops", NotationNode::List(mut operations)) => {
                    operations.sort();
                    ("ops", NotationNode::List(operations))
                }
                entry => entry,
            };
            NotationNode::Map(entries.into_iter().map(normal).collect())
        }
    }
}

fn normal_forms(nodes: Vec<NotationNode<'_>>) -> Vec<NotationNode<'_>> {
    nodes.into_iter().map(normal_form).collect()
}

fn without_colons(text: Cow<'_, str>) -> Cow<'_, str> {
    match text {
        Cow::Borrowed(text) => Cow::Borrowed(text.strip_prefix("::").unwrap_or(text)),
        Cow::Owned(text) => Cow::Owned(text.strip_prefix("::").map(str::to_owned).unwrap_or(text)),
    }
}

/// Returns the normal form of an expression whose operands have it.
fn normal_call<'a>(name: &'static str, mut operands: Vec<NotationNode<'a>>) -> NotationNode<'a> {
    match (name, operands.as_mut_slice()) {
        ("qn", [NotationNode::Text(name)]) => NotationNode::Text(std::mem::take(name)),
        ("var", [NotationNode::Text(variable)]) if !variable.contains("::") => fact(std::mem::take(variable)),
        ("concat", [NotationNode::Call("str", value)]) if value.len() == 1 => {
            value.pop().unwrap_or(NotationNode::Nil)
        }
        ("access", [operand, NotationNode::Text(key)]) if is_facts(operand) => fact(std::mem::take(key)),
        ("call-method", [NotationNode::Map(entries)]) if entries.len() == 2 => {
            dug(entries).unwrap_or(NotationNode::Call(name, operands))
        }
        ("<-" | "<~", [_, _]) => {
            operands.reverse();
            NotationNode::Call(if name == "<-" { "->" } else { "~>" }, operands)
        }
        _ => NotationNode::Call(name, operands),
    }
}

fn is_facts(node: &NotationNode<'_>) -> bool {
    matches!(node, NotationNode::Call("var", name)
        if matches!(name.as_slice(), [NotationNode::Text(name)] if name == "facts"))
}

fn variable(name: Cow<'_, str>) -> NotationNode<'_> {
    NotationNode::Call("var", vec![NotationNode::Text(name)])
}

/// Returns the variable that may be a fact: for an old name, the entry of another fact that has its value.
fn fact(name: Cow<'_, str>) -> NotationNode<'_> {
    let Some(path) = path(&name) else { return variable(name) };
    let mut keys = path.split('.').map(|key| match key.parse::<u32>() {
        Ok(index) => NotationNode::Atom(index.to_string()),
        Err(_) => NotationNode::Text(Cow::Owned(key.to_owned())),
    });
    if !is_certain(&path) {
        return NotationNode::Call("dig", keys.collect());
    }
    let first = NotationNode::Call("var", keys.next().into_iter().collect());
    keys.fold(first, |operand, key| NotationNode::Call("access", vec![operand, key]))
}

/// Returns the normal form of a call of `dig` on the facts.
fn dug<'a>(call: &[(&'a str, NotationNode<'a>)]) -> Option<NotationNode<'a>> {
    let [("functor", NotationNode::Call(".", functor)), ("args", NotationNode::List(keys))] = call else {
        return None;
    };
    let [receiver, NotationNode::Text(function)] = functor.as_slice() else { return None };
    (is_facts(receiver) && function == "dig").then(|| NotationNode::Call("dig", keys.clone()))
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
            ("notice($::sshdsakey)", "notice($facts.dig('ssh', 'dsa', 'key'))"),
            ("notice($facts['processor0'])", "notice($facts.dig('processors', 'models', 0))"),
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
            ("notice($::sshdsakey)", "notice($facts['ssh']['dsa']['key'])"),
            ("notice($::processor0)", "notice($facts.dig('processors', 'models', 1))"),
            ("notice($a)", "notice($b)"),
            ("notice('a\\\"b')", "notice('a')"),
            ("notice(1", "notice(1"),
        ] {
            assert!(!same(before, after), "{before} {after}");
        }
    }
}
