//! The outcome of all nodes together.

use std::collections::BTreeMap;
use std::fmt;

use serde::Serialize;

use crate::{NodeOutcome, NodeProblem, ProfileTimes, TimeProfile};

/// Maximum number of nodes that a line names.
const NAMED: usize = 3;
/// Number of slowest nodes to keep.
const SLOWEST: usize = 10;

/// A summary of outcomes, whose size does not depend on the number of nodes.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct FleetSummary {
    /// The number of nodes.
    pub nodes: usize,
    /// The number of nodes with a catalog.
    pub compiled: usize,
    /// The number of nodes without one.
    pub failed: usize,
    /// The number of resources in the catalogs.
    pub resources: usize,
    /// The number of logged warnings.
    pub warnings: usize,
    /// The duration of the compilations one after the other, in seconds.
    pub seconds: f64,
    /// The slowest nodes, with seconds.
    pub slowest: Vec<(String, f64)>,
    /// The times of evaluated code.
    pub profile: TimeProfile,
    /// The reasons for missing catalogs, the most frequent one first.
    pub problems: Vec<AffectedNodes>,
    /// The dependency cycles of catalogs, the most frequent one first.
    pub cycles: Vec<AffectedNodes>,
    #[serde(skip)]
    by_problem: BTreeMap<NodeProblem, Vec<String>>,
    #[serde(skip)]
    by_cycle: BTreeMap<NodeProblem, Vec<String>>,
}

/// A reason for missing catalogs or a dependency cycle, with its nodes.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct AffectedNodes {
    /// The reason or the cycle.
    #[serde(flatten)]
    pub problem: NodeProblem,
    /// The nodes.
    pub nodes: Vec<String>,
}

impl FleetSummary {
    /// Adds the outcome of a node.
    pub fn add(&mut self, outcome: NodeOutcome) {
        self.nodes += 1;
        self.resources += outcome.resources;
        self.warnings += outcome.warnings;
        self.seconds += outcome.seconds;
        let NodeOutcome { node, seconds, error, cycles, .. } = outcome;
        self.add_slow(&node, seconds);
        for message in cycles {
            self.by_cycle.entry(NodeProblem { message }).or_default().push(node.clone());
        }
        match error {
            Some(problem) => {
                self.failed += 1;
                self.by_problem.entry(problem).or_default().push(node);
            }
            None => self.compiled += 1,
        }
    }

    fn add_slow(&mut self, node: &str, seconds: f64) {
        let place = self.slowest.partition_point(|(_, known)| *known >= seconds);
        if place < SLOWEST {
            self.slowest.insert(place, (node.to_owned(), seconds));
            self.slowest.truncate(SLOWEST);
        }
    }

    /// Returns the figures as JSON.
    pub fn to_json(&self) -> serde_json::Value {
        serde_json::to_value(self).unwrap_or_default()
    }

    /// Returns the same with the problems in order.
    #[must_use]
    pub fn finish(mut self) -> Self {
        self.problems = most_frequent_first(std::mem::take(&mut self.by_problem));
        self.cycles = most_frequent_first(std::mem::take(&mut self.by_cycle));
        self
    }
}

fn most_frequent_first(known: BTreeMap<NodeProblem, Vec<String>>) -> Vec<AffectedNodes> {
    let affected = known.into_iter().map(|(problem, mut nodes)| {
        nodes.sort();
        AffectedNodes { problem, nodes }
    });
    let mut affected: Vec<AffectedNodes> = affected.collect();
    affected.sort_by_key(|affected| std::cmp::Reverse(affected.nodes.len()));
    affected
}

impl fmt::Display for FleetSummary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { nodes, compiled, failed, resources, warnings, seconds, .. } = self;
        writeln!(f, "{}: {compiled} compiled, {failed} failed", counted(*nodes, "node"))?;
        #[allow(clippy::cast_precision_loss, reason = "these are for people")]
        let mean = |sum: f64| sum / (*nodes).max(1) as f64;
        #[allow(clippy::cast_precision_loss, reason = "these are for people")]
        let each = mean(*resources as f64);
        writeln!(
            f,
            "{}, {each:.0} per node; {}",
            counted(*resources, "resource"),
            counted(*warnings, "warning")
        )?;
        writeln!(f, "{:.1} ms per node", mean(*seconds) * 1000.0)?;
        let slowest: Vec<_> = self
            .slowest
            .iter()
            .take(NAMED)
            .map(|(node, seconds)| format!("{node} ({:.0} ms)", seconds * 1000.0))
            .collect();
        if *nodes > NAMED {
            writeln!(f, "slowest: {}", slowest.join(", "))?;
        }
        let parts = self.profile.slowest(SLOWEST);
        if !parts.is_empty() {
            writeln!(f, "\nslowest parts over all nodes:")?;
        }
        for (name, ProfileTimes { count, seconds }) in parts {
            writeln!(
                f,
                "{seconds:>8.2} s  {name}, {}",
                if count == 1 { "once".to_owned() } else { format!("{count} times") }
            )?;
        }
        for AffectedNodes { problem, nodes } in self.problems.iter().chain(&self.cycles) {
            writeln!(f, "\n{}", problem.message)?;
            writeln!(f, "  on {}: {}", counted(nodes.len(), "node"), named(nodes))?;
        }
        Ok(())
    }
}

fn counted(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

/// Returns the names of a few nodes, and how many others there are.
fn named(nodes: &[String]) -> String {
    let some = nodes.iter().take(NAMED).map(String::as_str).collect::<Vec<_>>().join(", ");
    match nodes.len().saturating_sub(NAMED) {
        0 => some,
        others => format!("{some} and {}", counted(others, "other")),
    }
}
