//! The cases of the language; `spec/vectors/lang/README.md` describes them.

use std::fmt::Display;

use puppetfn::convert::json::from_json;
use puppetfn::limits::Limits;
use puppetfn::types::ops::infer_set;
use puppetfn::value::Value;
use serde::Deserialize;

use crate::expectation::CaseResult;
use crate::world::{CaseWorld, program_text, shown};

/// The name of the file that all cases are said to be from.
const FILE: &str = "/test.pp";

/// A text that is evaluated.
#[derive(Deserialize)]
pub struct LanguageCase {
    code: String,
    #[serde(default)]
    facts: serde_json::Value,
    value: Option<String>,
    #[serde(rename = "type")]
    t: Option<String>,
    error: Option<String>,
    /// A part of the error's text is not Puppet's own, and need not be the same.
    #[serde(default)]
    host_error: bool,
    #[serde(default)]
    logs: Vec<[String; 2]>,
}

impl LanguageCase {
    /// Evaluates the text, in a world of its own.
    pub fn run(&self) -> CaseResult {
        let world = CaseWorld::default();
        if !self.facts.is_null() {
            world.set_facts(from_json(&self.facts, &Limits::DEFAULT).map_err(|error| error.to_string())?);
        }
        // The recorded result is the value's text, and rendering it can fail as well.
        let answer = world.evaluate_file(&self.code, Some(FILE)).and_then(|value| match &self.error {
            Some(_) => program_text(&value).map(|_| value),
            None => Ok(value),
        });
        let difference = match (&self.error, &answer) {
            (Some(_), Err(_)) if self.host_error => return Ok(()),
            (Some(expected), Err(error)) if *expected == error.to_string() => None,
            (Some(expected), Err(error)) => Some((expected.clone(), error.to_string())),
            (Some(expected), Ok(value)) => Some((expected.clone(), format!("{value:?}"))),
            (None, Err(error)) => {
                Some((self.value.clone().unwrap_or_default(), format!("the error: {error}")))
            }
            (None, Ok(value)) => {
                let recorded = self.value.as_deref().unwrap_or_default();
                let same = program_text(value).is_ok_and(|text| text == recorded)
                    || string_text(value).is_some_and(|text| text == recorded)
                    || CaseWorld::default().evaluate(recorded).is_ok_and(|recorded| recorded == *value);
                let t = infer_set(value, &Limits::DEFAULT).map(|t| shown(&t)).unwrap_or_default();
                let expected = self.t.clone().unwrap_or_default();
                if same && t == expected {
                    None
                } else {
                    let value = value.inspected();
                    Some((format!("{recorded} of type {expected}"), format!("{value} of type {t}")))
                }
            }
        };
        if let Some((expected, actual)) = difference {
            return Err(format!("expected {expected}\ngot      {actual}"));
        }
        let logs = world.take_logs();
        if logs == self.logs {
            return Ok(());
        }
        Err(format!("expected the logs {:?}\ngot               {logs:?}", self.logs))
    }
}

/// Returns the recorded text of a value whose type is rendered as a string. The text need not parse to the same value:
/// a range between two versions is rendered with its end first.
fn string_text(value: &Value) -> Option<String> {
    let (name, text): (_, &dyn Display) = if let Value::Timestamp(time) = value {
        ("Timestamp", time)
    } else if let Value::Timespan(span) = value {
        ("Timespan", span)
    } else if let Value::SemVerRange(range) = value {
        ("SemVerRange", range)
    } else {
        return None;
    };
    Some(format!("{name}('{text}')"))
}
