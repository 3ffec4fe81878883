//! Which answers are wrong, and which wrong answers are excused.

use std::collections::{BTreeMap, BTreeSet};

use puppetfn::error::Error;

use super::{MISSING, names};

/// The cases of one file, what went wrong with them, and what excuses it.
pub struct Report {
    failures: Vec<String>,
    missing: BTreeMap<&'static str, bool>,
    deviations: BTreeMap<&'static str, &'static str>,
    checked: usize,
}

impl Report {
    /// `missing` are the types, of those that the core does not have, that the cases name.
    /// `deviations` are cases that are answered differently, each with the reason.
    pub fn new(missing: &[&'static str], deviations: &[(&'static str, &'static str)]) -> Self {
        for name in missing {
            assert!(MISSING.contains(name), "{name} is not among the missing types");
        }
        Self {
            failures: Vec::new(),
            missing: missing.iter().map(|name| (*name, false)).collect(),
            deviations: deviations.iter().copied().collect(),
            checked: 0,
        }
    }

    /// Notes the answer to a case. A wrong one is excused when one of the texts of the case names a
    /// missing type, or when the case is a known deviation.
    pub fn check(
        &mut self,
        id: &str,
        texts: &[&str],
        expected: impl ToString,
        actual: Result<impl ToString, Error>,
    ) {
        self.checked += 1;
        let actual = actual.map_or_else(|error| format!("error: {error}"), |actual| actual.to_string());
        let expected = expected.to_string();
        if actual == expected {
            return;
        }
        let named = self.missing.iter_mut().find(|(name, _)| texts.iter().any(|text| names(text, name)));
        if let Some((_, used)) = named {
            *used = true;
        } else if self.deviations.remove(id).is_none() {
            self.failures.push(format!("{id} {texts:?}\n  expected {expected}\n  got      {actual}"));
        }
    }

    /// Fails when an answer was wrong, or when an excuse is no longer needed.
    pub fn finish(self) {
        assert!(self.checked > 0, "no case was checked");
        let count = self.failures.len();
        assert!(count == 0, "{count} of {} answers are wrong:\n{}", self.checked, self.failures.join("\n"));
        let unused: BTreeSet<_> =
            self.missing.iter().filter(|(_, used)| !**used).map(|(name, _)| name).collect();
        assert!(unused.is_empty(), "no longer missing: {unused:?}");
        assert!(self.deviations.is_empty(), "no longer deviations: {:?}", self.deviations);
    }
}
