//! Relationships of the resources of a class, defined type or node that form a cycle.

use std::collections::{HashMap, HashSet};

use petgraph::algo::toposort;
use petgraph::graph::{DiGraph, NodeIndex};

use super::super::declare::named;
use super::super::rule::Rule;
use super::Walk;
use super::body_resources::{ResourceKey, constants, key, references, shown};
use puppetfn_base::source::Span;
use puppetfn_catalog::RELATIONSHIPS;
use puppetfn_syntax::ast::{BinaryOp, Expr, ExprKind, ResourceBody, ResourceForm};

/// The largest number of findings about the relationships of one body: each takes another search.
const MOST_CYCLES: usize = 100;

/// Resources that come before others.
struct Relationship<'s> {
    before: Vec<ResourceKey<'s>>,
    after: Vec<ResourceKey<'s>>,
    at: Span,
}

/// A relationship that closes a cycle with earlier ones.
struct Cycle<'s> {
    /// The index of the relationship.
    closing: usize,
    /// A resource before it.
    before: ResourceKey<'s>,
    /// A resource after it, which comes before the other one, too.
    after: ResourceKey<'s>,
    at: Span,
}

impl<'s> Walk<'_, 's> {
    /// Reports relationships that close a cycle with earlier ones, as far as they are certain.
    pub(super) fn cycles_in(&mut self, statements: &[Expr<'s>]) {
        let mut all = Vec::new();
        for statement in statements {
            self.relationships_of(statement, &mut all);
        }
        for _ in 0..MOST_CYCLES {
            let Some(cycle) = first_cycle(&all) else { break };
            self.report(Rule::DependencyCycle, cycle.at, cycle.message());
            // The others are cycles without it.
            if let Some(closing) = all.get_mut(cycle.closing) {
                closing.after.retain(|one| *one != cycle.after);
            }
        }
    }

    /// Collects the relationships of a statement. Returns the resources to which a following arrow applies.
    fn relationships_of(
        &self,
        statement: &Expr<'s>,
        all: &mut Vec<Relationship<'s>>,
    ) -> Vec<ResourceKey<'s>> {
        if let ExprKind::Paren(inner) = &statement.kind {
            self.relationships_of(inner, all)
        } else if let ExprKind::Binary(binary) = &statement.kind
            && matches!(binary.op, BinaryOp::Before | BinaryOp::Notify)
        {
            let before = self.relationships_of(&binary.left, all);
            let after = self.relationships_of(&binary.right, all);
            all.push(Relationship { before, after: after.clone(), at: super::operator_span(binary) });
            after
        } else if let ExprKind::Resource(resource) = &statement.kind
            && resource.form == ResourceForm::Regular
        {
            let ExprKind::Name(name) = resource.type_name.kind else { return Vec::new() };
            let name = name.trim_start_matches("::").to_lowercase();
            resource.bodies.iter().flat_map(|body| self.relationships_of_body(&name, body, all)).collect()
        } else {
            references(statement)
        }
    }

    fn relationships_of_body(
        &self,
        type_name: &str,
        body: &ResourceBody<'s>,
        all: &mut Vec<Relationship<'s>>,
    ) -> Vec<ResourceKey<'s>> {
        let own: Vec<ResourceKey<'s>> =
            constants(&body.title).into_iter().flatten().map(|title| key(type_name, title)).collect();
        for operation in &body.operations {
            let Some(name) = named(operation.attribute).filter(|name| RELATIONSHIPS.contains(name)) else {
                continue;
            };
            let is_certain =
                |(_, title): &&ResourceKey<'s>| !self.world.is_overridden(type_name, Some(title), name);
            let own = own.iter().filter(is_certain).cloned().collect();
            let others = references(&operation.value);
            let is_before = matches!(name, "before" | "notify");
            let (before, after) = if is_before { (own, others) } else { (others, own) };
            all.push(Relationship { before, after, at: operation.span });
        }
        own
    }
}

impl Cycle<'_> {
    fn message(&self) -> String {
        let (first, second) = (shown(&self.before), shown(&self.after));
        if self.before == self.after {
            format!("Dependency cycle: {first} comes before {second}, and so before itself")
        } else {
            format!("Dependency cycle: {first} comes before {second}, and {second} before {first}")
        }
    }
}

/// Returns the first cycle: the relationships from the beginning that have one, as few as possible.
fn first_cycle<'s>(all: &[Relationship<'s>]) -> Option<Cycle<'s>> {
    if !is_cyclic(all) {
        return None;
    }
    let (mut acyclic, mut cyclic) = (0, all.len());
    while cyclic - acyclic > 1 {
        let middle = acyclic.midpoint(cyclic);
        if is_cyclic(all.get(..middle)?) { cyclic = middle } else { acyclic = middle }
    }
    let (closing, earlier) = all.get(..cyclic)?.split_last()?;
    let (before, after) = closed_pair(closing, earlier)?;
    Some(Cycle { closing: acyclic, before: before.clone(), after: after.clone(), at: closing.at })
}

/// Returns true if a resource comes before itself. A graph has the resources, and a node for each relationship between the resources
/// before and after it: two lists have an edge for each resource, not for each pair.
fn is_cyclic(relationships: &[Relationship<'_>]) -> bool {
    let mut graph: DiGraph<(), ()> = DiGraph::new();
    let mut resources: HashMap<&ResourceKey<'_>, NodeIndex> = HashMap::new();
    for relationship in relationships {
        let between = graph.add_node(());
        for resource in &relationship.before {
            let node = *resources.entry(resource).or_insert_with(|| graph.add_node(()));
            graph.add_edge(node, between, ());
        }
        for resource in &relationship.after {
            let node = *resources.entry(resource).or_insert_with(|| graph.add_node(()));
            graph.add_edge(between, node, ());
        }
    }
    toposort(&graph, None).is_err()
}

/// Returns a resource before and one after a relationship, of which the latter comes before the former by earlier relationships.
fn closed_pair<'r, 's>(
    closing: &'r Relationship<'s>,
    earlier: &'r [Relationship<'s>],
) -> Option<(&'r ResourceKey<'s>, &'r ResourceKey<'s>)> {
    let mut followers: HashMap<&ResourceKey<'s>, Vec<&'r Relationship<'s>>> = HashMap::new();
    for relationship in earlier {
        relationship.before.iter().for_each(|one| followers.entry(one).or_default().push(relationship));
    }
    let targets: HashSet<&ResourceKey<'s>> = closing.before.iter().collect();
    let mut seen = HashSet::new();
    let mut left: Vec<_> = closing.after.iter().map(|one| (one, one)).collect();
    while let Some((one, origin)) = left.pop() {
        if let Some(found) = targets.get(one) {
            return Some((found, origin));
        }
        if seen.insert(one) {
            let next = followers.get(one).into_iter().flatten().flat_map(|relationship| &relationship.after);
            left.extend(next.map(|next| (next, origin)));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use puppetfn_base::limits::Limits;
    use puppetfn_runtime::loader::Loader;

    use crate::World;

    fn cycles(code: &str) -> Vec<(String, String)> {
        let world = World::new(Arc::new(Loader::of_modulepath::<&str>([])), Limits::DEFAULT);
        let found = world.check_text(code).into_iter().filter(|one| one.rule.name() == "dependency-cycle");
        found.map(|one| (one.message, one.span.text(code).to_owned())).collect()
    }

    #[test]
    fn relationships_that_close_a_cycle_are_reported() {
        let code = "class a {
          Notify['x'] -> Notify['y']
          Notify['y'] ~> Notify['z', 'x']
          Notify['z'] -> Notify['x']
          notify { 'own': before => Notify['own'] }
          Notify['b'] -> Notify['c']
        }";
        let found: Vec<_> = cycles(code);
        let expected = [
            (
                "Dependency cycle: Notify[y] comes before Notify[x], and Notify[x] before Notify[y]",
                "~> Notify['z', 'x']",
            ),
            (
                "Dependency cycle: Notify[z] comes before Notify[x], and Notify[x] before Notify[z]",
                "-> Notify['x']",
            ),
            (
                "Dependency cycle: Notify[own] comes before Notify[own], and so before itself",
                "before => Notify['own']",
            ),
        ];
        assert_eq!(found, expected.map(|(message, text)| (message.to_owned(), text.to_owned())));
    }

    #[test]
    fn long_lists_and_chains_take_little_time_and_memory() {
        let list = |name: &str| (0..5_000).map(|i| format!("'{name}{i}'")).collect::<Vec<_>>().join(", ");
        let lists = format!("class a {{ Notify[{}] -> Notify[{}] }}", list("x"), list("y"));
        assert_eq!(cycles(&lists), []);
        let chain = (0..5_000).map(|i| format!("Notify['x{}'] -> Notify['x{i}']\n", i + 1));
        let code = format!("class a {{ {}\nNotify['x0'] -> Notify['x5000'] }}", chain.collect::<String>());
        assert_eq!(cycles(&code).len(), 1);
    }
}
