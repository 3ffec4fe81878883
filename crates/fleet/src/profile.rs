//! The times of evaluated code.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// The times of classes, defined types and functions in all catalogs together, without the calls that they make.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct TimeProfile {
    parts: BTreeMap<String, ProfileTimes>,
}

/// The number of evaluations of a class, type or function, and their time.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct ProfileTimes {
    /// The number of evaluations.
    pub count: u64,
    /// Their time, in seconds.
    pub seconds: f64,
}

impl TimeProfile {
    /// Adds evaluations of a class, type or function, such as `class ntp`.
    pub fn add(&mut self, name: impl Into<String>, times: ProfileTimes) {
        let known = self.parts.entry(name.into()).or_default();
        known.count += times.count;
        known.seconds += times.seconds;
    }

    /// Adds all of another profile.
    pub fn merge(&mut self, other: Self) {
        other.parts.into_iter().for_each(|(name, times)| self.add(name, times));
    }

    /// Returns the slowest classes, defined types and functions, slowest first.
    pub fn slowest(&self, count: usize) -> Vec<(&str, ProfileTimes)> {
        let mut parts: Vec<_> = self.parts.iter().map(|(name, times)| (&**name, *times)).collect();
        parts.sort_by(|(_, a), (_, b)| b.seconds.total_cmp(&a.seconds));
        parts.truncate(count);
        parts
    }
}
