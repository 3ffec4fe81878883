//! Changes with the nodes that they concern.

use std::cmp::Reverse;
use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt::Write;
use std::mem;
use std::rc::Rc;

use puppetfn_graph::Graph;
use sha2::{Digest, Sha256};

use crate::change::{Change, ChangeDigest, ChangeDigests, DigestCache};
use crate::difference::{Differences, SharedChange};
use crate::failure::{self, FailureGroup};
use crate::own_values::NodeValues;
use crate::surroundings::surroundings;
use puppetfn_catalog::{Catalog, Reference};

/// The result of comparing many nodes.
#[derive(Clone, Default, Debug)]
pub struct DiffReport {
    /// The changes, in groups that concern the same nodes; the group with the most nodes comes first. A node is in several
    /// groups if it has changes that other nodes have, too.
    pub groups: Vec<DifferenceGroup>,
    /// The nodes that differ, sorted.
    pub changed: Vec<String>,
    /// The nodes that do not differ.
    pub unchanged: Vec<String>,
    /// The nodes that could not be compared, grouped by reason; the largest group comes first. Callers add them with
    /// [`DiffReport::add_failures`].
    pub failed: Vec<FailureGroup>,
}

/// Changes that concern the same nodes.
#[derive(Clone, Debug)]
pub struct DifferenceGroup {
    /// The names of the nodes, sorted.
    pub nodes: Vec<String>,
    /// The changes, with the source locations and values of the first node.
    pub differences: Differences,
    /// The group's identity, in hexadecimal digits.
    pub digest: String,
    /// The neighbourhood of the resources that differ on the first node, if [`DiffReport::add_surroundings`] has added it.
    pub surroundings: Option<Graph>,
}

/// Groups changes by the nodes that they concern. The same change of two nodes may differ in their names and in addresses.
pub fn group(nodes: impl IntoIterator<Item = (String, Differences)>) -> DiffReport {
    group_by_values(nodes.into_iter().map(|(node, differences)| {
        let values = NodeValues::of_name(&node);
        (node, differences, values)
    }))
}

/// Does the same for nodes with known values, such as facts: the same change of two nodes may differ in these.
///
/// Only one copy of a change is kept, so this takes little more memory than the names of the nodes.
pub fn group_by_values(nodes: impl IntoIterator<Item = (String, Differences, NodeValues)>) -> DiffReport {
    let mut report = DiffReport::default();
    let mut known = KnownChanges::default();
    let mut cache = DigestCache::default();
    for (node, differences, values) in nodes {
        if differences.is_empty() {
            report.unchanged.push(node);
            continue;
        }
        let node = Rc::<str>::from(node);
        report.changed.push(node.to_string());
        for change in Change::all(differences) {
            let digests = cache.digests(&change, &values);
            known.add(KnownChange::new(change, digests, &node));
        }
    }
    let mut together: HashMap<BTreeSet<Rc<str>>, Vec<(ChangeDigest, KnownChange)>> = HashMap::new();
    for (digest, change) in known.of_declarations() {
        together.entry(change.nodes()).or_default().push((digest, change));
    }
    report.groups =
        together.into_iter().map(|(nodes, changes)| DifferenceGroup::of(&nodes, changes)).collect();
    report.groups.sort_by(|a, b| {
        let key = |group: &DifferenceGroup| Reverse(group.nodes.len());
        key(a).cmp(&key(b)).then_with(|| a.nodes.cmp(&b.nodes)).then_with(|| a.digest.cmp(&b.digest))
    });
    report.changed.sort();
    report.unchanged.sort();
    report
}

/// The different changes.
#[derive(Default)]
struct KnownChanges {
    changes: Vec<KnownState>,
    /// The positions of changes by their digests. A value of one node may be a mere word to another, so that the same change has
    /// two digests: exact ones are the same.
    by_digest: HashMap<ChangeDigest, usize>,
}

/// A change, or the position of the earlier one that it turned out to be.
enum KnownState {
    Change(Box<KnownChange>),
    SameAs(usize),
}

impl KnownChanges {
    fn add(&mut self, mut change: KnownChange) {
        let digests = [change.digests.change, change.digests.exact];
        let known = digests.iter().filter_map(|digest| self.by_digest.get(digest));
        let known: BTreeSet<usize> = known.map(|&position| self.position(position)).collect();
        let mut known = known.into_iter();
        let Some(position) = known.next() else {
            self.by_digest.extend(digests.map(|digest| (digest, self.changes.len())));
            self.changes.push(KnownState::Change(Box::new(change)));
            return;
        };
        // This change may show that two others are the same.
        if let Some(other) = known.next().and_then(|other| self.changes.get_mut(other))
            && let KnownState::Change(other) = mem::replace(other, KnownState::SameAs(position))
        {
            change.combine(*other);
        }
        self.by_digest.extend(digests.map(|digest| (digest, position)));
        if let Some(KnownState::Change(known)) = self.changes.get_mut(position) {
            known.combine(change);
        }
    }

    /// Returns the position of the change that a position leads to: an earlier one, if any.
    fn position(&self, mut position: usize) -> usize {
        while let Some(KnownState::SameAs(earlier)) = self.changes.get(position) {
            position = *earlier;
        }
        position
    }

    /// Combines the same changes of resources of one declaration, in a defined type or a loop.
    fn of_declarations(self) -> HashMap<ChangeDigest, KnownChange> {
        let mut combined: HashMap<ChangeDigest, KnownChange> = HashMap::new();
        for state in self.changes {
            let KnownState::Change(change) = state else { continue };
            match combined.entry(change.digests.declaration.unwrap_or(change.digests.change)) {
                Entry::Vacant(entry) => _ = entry.insert(*change),
                Entry::Occupied(mut entry) => entry.get_mut().combine(*change),
            }
        }
        combined
    }
}

/// A change that some nodes have.
struct KnownChange {
    /// The change as the first of these nodes has it, whichever was compared first.
    example: Change,
    example_node: Rc<str>,
    /// The digests of the example.
    digests: ChangeDigests,
    /// Whether the values are not the same everywhere.
    varies: bool,
    /// The nodes by the resources that have the change.
    resources: BTreeMap<Reference, BTreeSet<Rc<str>>>,
}

impl KnownChange {
    fn new(example: Change, digests: ChangeDigests, node: &Rc<str>) -> Self {
        let resources = BTreeMap::from([(example.reference().clone(), BTreeSet::from([Rc::clone(node)]))]);
        Self { example, example_node: Rc::clone(node), digests, varies: false, resources }
    }

    fn combine(&mut self, other: Self) {
        self.varies |= other.varies || self.digests.values != other.digests.values;
        for (reference, nodes) in other.resources {
            self.resources.entry(reference).or_default().extend(nodes);
        }
        if (&other.example_node, other.example.reference()) < (&self.example_node, self.example.reference()) {
            (self.example, self.example_node, self.digests) =
                (other.example, other.example_node, other.digests);
        }
    }

    fn nodes(&self) -> BTreeSet<Rc<str>> {
        self.resources.values().flatten().cloned().collect()
    }

    /// Adds the change to the differences of nodes.
    fn add_to(self, differences: &mut Differences, all: &BTreeSet<Rc<str>>) {
        match self.example {
            Change::Resource(mut resource) => {
                let names = |nodes: &BTreeSet<Rc<str>>| -> Vec<String> {
                    if nodes == all { Vec::new() } else { nodes.iter().map(ToString::to_string).collect() }
                };
                if self.resources.len() > 1 {
                    let shared = self.resources.into_iter();
                    let shared =
                        shared.map(|(reference, nodes)| SharedChange { reference, nodes: names(&nodes) });
                    resource.shared = shared.collect();
                }
                resource.varies = self.varies;
                differences.resources.push(resource);
            }
            Change::Order(order) => differences.ordering.push(order),
            Change::Containment(containment) => differences.containment.push(containment),
            Change::Cycle(cycle, _) => differences.cycles.push(cycle),
        }
    }
}

impl DifferenceGroup {
    fn of(nodes: &BTreeSet<Rc<str>>, mut changes: Vec<(ChangeDigest, KnownChange)>) -> Self {
        changes.sort_by_key(|(digest, _)| *digest);
        let mut digest = Sha256::new();
        let mut differences = Differences::default();
        for (change_digest, change) in changes {
            digest.update(change_digest);
            change.add_to(&mut differences, nodes);
        }
        differences.resources.sort_by(|a, b| a.reference.cmp(&b.reference));
        differences.ordering.sort_by(|a, b| (&a.first, &a.then).cmp(&(&b.first, &b.then)));
        differences.containment.sort_by(|a, b| a.reference.cmp(&b.reference));
        differences.cycles.sort_by(|a, b| a.cycle.resources.cmp(&b.cycle.resources));
        Self {
            nodes: nodes.iter().map(ToString::to_string).collect(),
            differences,
            digest: hexadecimal(&digest.finalize()),
            surroundings: None,
        }
    }
}

impl DiffReport {
    /// Returns the number of nodes that could not be compared.
    pub fn failures(&self) -> usize {
        self.failed.iter().fold(0, |sum, failure| sum.saturating_add(failure.nodes.len()))
    }

    /// Returns the number of all nodes.
    pub fn nodes(&self) -> usize {
        self.changed.len().saturating_add(self.unchanged.len()).saturating_add(self.failures())
    }

    /// Adds nodes that could not be compared, with their messages.
    pub fn add_failures(&mut self, failures: impl IntoIterator<Item = (String, String)>) {
        let known = self.failed.drain(..).flat_map(FailureGroup::apart).collect::<Vec<_>>();
        self.failed = failure::together(known.into_iter().chain(failures));
    }

    /// Adds the neighbourhood of the differing resources to the first groups, up to the given number. `catalogs`
    /// returns the old and the new catalog of a group's first node, of which only a few resources are kept.
    pub fn add_surroundings(
        &mut self,
        groups: usize,
        mut catalogs: impl FnMut(&str) -> Option<(Catalog, Catalog)>,
    ) {
        for group in self.groups.iter_mut().take(groups) {
            let found = group.nodes.first().and_then(|node| catalogs(node));
            group.surroundings = found.map(|(old, new)| surroundings(&old, &new, &group.differences));
        }
    }
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        // Writing to a string does not fail.
        _ = write!(text, "{byte:02x}");
        text
    })
}
