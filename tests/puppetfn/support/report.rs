//! Comparison of results with recorded ones, with known deviations.

use std::collections::BTreeMap;

use puppetfn::error::Error;

/// The failures of one file's cases, with the known deviations.
pub struct Report {
    failures: Vec<String>,
    deviations: BTreeMap<&'static str, &'static str>,
    checked: usize,
}

impl Report {
    /// `deviations` are cases that are answered differently, each with the reason.
    pub fn new(deviations: &[(&'static str, &'static str)]) -> Self {
        Self { failures: Vec::new(), deviations: deviations.iter().copied().collect(), checked: 0 }
    }

    /// Records the answer to a case. A wrong answer is excused if the case is a known deviation.
    pub fn check(&mut self, id: &str, expected: impl ToString, actual: Result<impl ToString, Error>) {
        self.checked += 1;
        let actual = actual.map_or_else(|error| format!("error: {error}"), |actual| actual.to_string());
        let expected = expected.to_string();
        if actual != expected && self.deviations.remove(id).is_none() {
            self.failures.push(format!("{id}\n  expected {expected}\n  got      {actual}"));
        }
    }

    /// Fails when an answer was wrong, or when an excuse is no longer needed.
    pub fn finish(self) {
        assert!(self.checked > 0, "no case was checked");
        let count = self.failures.len();
        assert!(count == 0, "{count} of {} answers are wrong:\n{}", self.checked, self.failures.join("\n"));
        assert!(self.deviations.is_empty(), "no longer deviations: {:?}", self.deviations);
    }
}
