//! Comparison of actual results with recorded ones.

use std::fmt::{Debug, Display};

use puppetfn::error::Error;
use serde::Deserialize;

/// `Ok` if the actual result equals the recorded one, otherwise both of them.
pub type CaseResult = Result<(), String>;

/// The error that was recorded, if there was one.
#[derive(Deserialize)]
pub struct ExpectedFailure {
    error: Option<String>,
    /// The error is an accident of the recorded implementation. Any answer will do.
    #[serde(default)]
    error_internal: bool,
}

impl ExpectedFailure {
    /// Expects this error, or none.
    pub fn new(error: Option<String>, error_internal: bool) -> Self {
        Self { error, error_internal }
    }

    /// Compares with the recorded error, or else with the recorded `result`.
    pub fn or_result<T: PartialEq + Debug>(
        &self,
        result: Option<&T>,
        actual: Result<T, Error>,
    ) -> CaseResult {
        if self.error_internal {
            return Ok(());
        }
        match (&self.error, result, actual) {
            (Some(error), _, Err(actual)) if *error == actual.to_string() => Ok(()),
            (None, Some(result), Ok(actual)) if *result == actual => Ok(()),
            (Some(error), _, actual) => differs(error, &shown(&actual)),
            (None, Some(result), actual) => differs(format_args!("{result:?}"), &shown(&actual)),
            (None, None, _) => Err("the case has neither a result nor an error".to_owned()),
        }
    }
}

fn shown<T: Debug>(actual: &Result<T, Error>) -> String {
    match actual {
        Ok(answer) => format!("{answer:?}"),
        Err(error) => format!("the error: {error}"),
    }
}

fn differs(expected: impl Display, actual: &str) -> CaseResult {
    Err(format!("expected {expected}\ngot      {actual}"))
}

/// Compares a row of Boolean answers with the recorded one: a character for each of `items`. An `E` marks an accident
/// of the recorded implementation.
pub fn check_row(
    recorded: &str,
    items: &[String],
    answer: impl Fn(&str) -> Result<bool, Error>,
) -> CaseResult {
    if recorded.len() != items.len() {
        return Err(format!("the case has {} answers for {} items", recorded.len(), items.len()));
    }
    let differing: Vec<String> = items
        .iter()
        .zip(recorded.chars())
        .filter_map(|(item, expected)| {
            let actual = match answer(item) {
                Ok(true) => "1".to_owned(),
                Ok(false) => "0".to_owned(),
                Err(error) => error.to_string(),
            };
            (expected != 'E' && actual != expected.to_string())
                .then(|| format!("{item}: expected {expected}, got {actual}"))
        })
        .collect();
    if differing.is_empty() {
        return Ok(());
    }
    Err(format!("{} of {} differ:\n{}", differing.len(), items.len(), differing.join("\n")))
}
