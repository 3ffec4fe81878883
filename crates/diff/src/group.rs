//! Nodes that differ in the same way.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::fmt::Write;

use puppetfn_graph::Graph;

use crate::difference::Differences;
use crate::failure::{self, FailureGroup};
use crate::surroundings::surroundings;
use puppetfn_catalog::Catalog;

/// The result of comparing many nodes.
#[derive(Clone, Default, Debug)]
pub struct DiffReport {
    /// Nodes that differ, grouped by equal differences; the largest group comes first.
    pub groups: Vec<DifferenceGroup>,
    /// The nodes that do not differ.
    pub unchanged: Vec<String>,
    /// The nodes that could not be compared, grouped by reason; the largest group comes first. Callers add them with
    /// [`DiffReport::add_failures`].
    pub failed: Vec<FailureGroup>,
}

/// Nodes that differ in the same way.
#[derive(Clone, Debug)]
pub struct DifferenceGroup {
    /// The names of the nodes, sorted.
    pub nodes: Vec<String>,
    /// The differences, with the source locations of the first node.
    pub differences: Differences,
    /// The group's identity, in hexadecimal digits.
    pub digest: String,
    /// The neighbourhood of the resources that differ on the first node, if [`DiffReport::add_surroundings`] has added it.
    pub surroundings: Option<Graph>,
}

/// Groups nodes with equal differences. Only one copy of the differences is kept for each group, so this takes little
/// more memory than the names of the nodes.
pub fn group(nodes: impl IntoIterator<Item = (String, Differences)>) -> DiffReport {
    let mut report = DiffReport::default();
    let mut known: HashMap<[u8; 32], DifferenceGroup> = HashMap::new();
    for (node, differences) in nodes {
        if differences.is_empty() {
            report.unchanged.push(node);
            continue;
        }
        let digest = differences.digest();
        match known.entry(digest) {
            Entry::Vacant(entry) => {
                let digest = hexadecimal(&digest);
                entry.insert(DifferenceGroup { nodes: vec![node], differences, digest, surroundings: None });
            }
            Entry::Occupied(mut entry) => entry.get_mut().add(node, differences),
        }
    }
    report.groups = known.into_values().collect();
    report.groups.iter_mut().for_each(|group| group.nodes.sort());
    report.groups.sort_by(|a, b| {
        let key = |group: &DifferenceGroup| Reverse(group.nodes.len());
        key(a).cmp(&key(b)).then_with(|| a.nodes.cmp(&b.nodes)).then_with(|| a.digest.cmp(&b.digest))
    });
    report.unchanged.sort();
    report
}

impl DifferenceGroup {
    /// Adds a node. The first name stays at the front with its source locations, whichever node was compared first.
    fn add(&mut self, node: String, differences: Differences) {
        self.nodes.push(node);
        let last = self.nodes.len().saturating_sub(1);
        if self.nodes.first() > self.nodes.last() {
            self.nodes.swap(0, last);
            self.differences = differences;
        }
    }
}

impl DiffReport {
    /// Returns the number of nodes with differences.
    pub fn changed(&self) -> usize {
        self.groups.iter().fold(0, |sum, group| sum.saturating_add(group.nodes.len()))
    }

    /// Returns the number of nodes that could not be compared.
    pub fn failures(&self) -> usize {
        self.failed.iter().fold(0, |sum, failure| sum.saturating_add(failure.nodes.len()))
    }

    /// Returns the number of all nodes.
    pub fn nodes(&self) -> usize {
        self.changed().saturating_add(self.unchanged.len()).saturating_add(self.failures())
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
