//! Shards: parts of the nodes, for several machines.

use std::fmt;
use std::str::FromStr;

use sha2::{Digest, Sha256};

use crate::{FleetFailure, FleetResult};

/// The variable with the number of shards, for engines that number processes but do not tell how many there are.
const COUNT: &str = "PUPPETFN_SHARDS";

/// A part of the nodes, one of several of about the same size. The name of a node alone decides on its shard, so that an added
/// node moves no other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shard {
    /// The number of this shard, counted from 1.
    index: u32,
    /// The number of shards.
    count: u32,
}

impl Shard {
    /// All nodes.
    pub const ALL: Self = Self { index: 1, count: 1 };

    /// Returns a shard of several; the first one is 1.
    ///
    /// # Errors
    /// Fails if there is no shard of this number.
    pub fn new(index: u32, count: u32) -> FleetResult<Self> {
        if (1..=count).contains(&index) {
            return Ok(Self { index, count });
        }
        Err(FleetFailure::new(format!(
            "there is no shard {index} of {count}: shards are numbered from 1 to {count}"
        )))
    }

    /// Returns the shard that the environment of the process names: in GNU parallel, a Slurm array, a Kubernetes Indexed Job or
    /// GitLab's `parallel`. They are tried in this order, as one may start the other.
    ///
    /// # Errors
    /// Fails if the environment names no shard, or one that does not exist.
    pub fn of_environment(variable: &dyn Fn(&str) -> Option<String>) -> FleetResult<Self> {
        let number = |name: &str| match variable(name).filter(|text| !text.is_empty()) {
            Some(text) => text
                .parse::<u32>()
                .map(Some)
                .map_err(|_| FleetFailure::new(format!("{name}: expected a number, got '{text}'"))),
            None => Ok(None),
        };
        let count = |engine: &str| {
            number(COUNT)?.ok_or_else(|| {
                FleetFailure::new(format!("{engine} does not state the number of shards: set {COUNT}"))
            })
        };
        if let Some(index) = number("PARALLEL_SEQ")? {
            return Self::new(index, count("GNU parallel")?);
        }
        if let Some(task) = number("SLURM_ARRAY_TASK_ID")? {
            let first = number("SLURM_ARRAY_TASK_MIN")?.unwrap_or(1);
            let step = number("SLURM_ARRAY_TASK_STEP")?.unwrap_or(1).max(1);
            let count = match number("SLURM_ARRAY_TASK_COUNT")? {
                Some(count) => count,
                None => count("Slurm")?,
            };
            return Self::new(task.saturating_sub(first) / step + 1, count);
        }
        if let Some(index) = number("JOB_COMPLETION_INDEX")? {
            return Self::new(index.saturating_add(1), count("Kubernetes")?);
        }
        if let Some(index) = number("CI_NODE_INDEX")? {
            let count = number("CI_NODE_TOTAL")?.unwrap_or(1);
            return Self::new(index, count);
        }
        Err(FleetFailure::new(
            "no shard is known: expected PARALLEL_SEQ of GNU parallel, SLURM_ARRAY_TASK_ID of a Slurm array, \
             JOB_COMPLETION_INDEX of a Kubernetes Indexed Job or CI_NODE_INDEX of GitLab, or a shard such as 1/8",
        ))
    }

    /// Returns true if the shard contains a node.
    pub fn contains(self, node: &str) -> bool {
        let digest = Sha256::digest(node.as_bytes());
        let place = digest.iter().take(8).fold(0_u64, |place, byte| (place << 8) | u64::from(*byte));
        // The digests are even over all numbers, so equal ranges of them have about as many nodes.
        (u128::from(place) * u128::from(self.count)) >> 64 == u128::from(self.index - 1)
    }

    /// Returns all shards, this one included.
    pub(crate) fn siblings(self) -> impl Iterator<Item = Self> {
        (1..=self.count).map(move |index| Self { index, ..self })
    }

    /// Returns the name of the shard's journal.
    pub(crate) fn file_name(self) -> String {
        format!("{}-of-{}.jsonl", self.index, self.count)
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.count)
    }
}

impl FromStr for Shard {
    type Err = FleetFailure;

    fn from_str(text: &str) -> FleetResult<Self> {
        let parts =
            text.split_once('/').and_then(|(index, count)| Some((index.parse().ok()?, count.parse().ok()?)));
        let Some((index, count)) = parts else {
            return Err(FleetFailure::new(format!("expected a shard such as 1/8, or auto, got '{text}'")));
        };
        Self::new(index, count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn auto(variables: &[(&str, &str)]) -> String {
        let found = Shard::of_environment(&|name| {
            variables.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned())
        });
        found.map_or_else(|failure| failure.to_string(), |shard| shard.to_string())
    }

    #[test]
    fn parts_are_even_and_have_each_node_once() {
        let names: Vec<String> = (0..10_000).map(|number| format!("web{number}.example.com")).collect();
        let all = Shard::new(1, 8).unwrap();
        let sizes: Vec<usize> =
            all.siblings().map(|shard| names.iter().filter(|name| shard.contains(name)).count()).collect();
        assert_eq!(sizes.iter().sum::<usize>(), names.len());
        assert!(sizes.iter().all(|size| (1_100..1_400).contains(size)), "{sizes:?}");
        assert!(names.iter().all(|name| Shard::ALL.contains(name)));
    }

    #[test]
    fn engines_say_which_part_it_is() {
        assert_eq!(
            auto(&[
                ("SLURM_ARRAY_TASK_ID", "3"),
                ("SLURM_ARRAY_TASK_MIN", "0"),
                ("SLURM_ARRAY_TASK_COUNT", "8")
            ]),
            "4/8"
        );
        assert_eq!(
            auto(&[
                ("SLURM_ARRAY_TASK_ID", "30"),
                ("SLURM_ARRAY_TASK_MIN", "10"),
                ("SLURM_ARRAY_TASK_STEP", "10"),
                ("SLURM_ARRAY_TASK_COUNT", "3")
            ]),
            "3/3"
        );
        assert_eq!(auto(&[("JOB_COMPLETION_INDEX", "0"), ("PUPPETFN_SHARDS", "5")]), "1/5");
        assert_eq!(auto(&[("CI_NODE_INDEX", "2"), ("CI_NODE_TOTAL", "4")]), "2/4");
        assert_eq!(auto(&[("PARALLEL_SEQ", "2"), ("PUPPETFN_SHARDS", "2"), ("CI_NODE_INDEX", "1")]), "2/2");
        assert_eq!(
            auto(&[("PARALLEL_SEQ", "2")]),
            "GNU parallel does not state the number of shards: set PUPPETFN_SHARDS"
        );
        assert_eq!(auto(&[("CI_NODE_INDEX", "x")]), "CI_NODE_INDEX: expected a number, got 'x'");
        assert!(auto(&[]).starts_with("no shard is known: "));
    }

    #[test]
    fn parts_are_named_by_number() {
        assert_eq!("2/3".parse(), Shard::new(2, 3));
        assert_eq!(
            "4/3".parse::<Shard>().unwrap_err().to_string(),
            "there is no shard 4 of 3: shards are numbered from 1 to 3"
        );
        assert_eq!(
            "0/0".parse::<Shard>().unwrap_err().to_string(),
            "there is no shard 0 of 0: shards are numbered from 1 to 0"
        );
        assert_eq!(
            "x".parse::<Shard>().unwrap_err().to_string(),
            "expected a shard such as 1/8, or auto, got 'x'"
        );
    }
}
