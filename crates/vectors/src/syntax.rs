//! Cases of the parser: the tree in Puppet Notation, or the error.

use puppetfn::diagnostic::{Diagnostic, Severity, logged, refuse_errors};
use puppetfn::error::Error;
use puppetfn::limits::Limits;
use puppetfn::syntax;
use puppetfn::syntax::validate::{ValidationRules, validate};
use serde::Deserialize;

use crate::expectation::CaseResult;

/// The name of the file that all cases are said to be from.
const FILE: &str = "/test.pp";

/// A text that is read.
#[derive(Deserialize)]
pub struct SyntaxCase {
    code: String,
    pn: Option<String>,
    error: Option<String>,
    /// The words of the error are Ruby's.
    #[serde(default)]
    host_error: bool,
    #[serde(default)]
    logs: Vec<(String, String)>,
}

impl SyntaxCase {
    /// Reads the text.
    pub fn run(&self) -> CaseResult {
        let mut logs = Vec::new();
        let answer = read(&self.code, &mut logs).map_err(|error| error.in_file(FILE).to_string());
        let same = match (&self.pn, &self.error, &answer) {
            (Some(expected), _, Ok(pn)) => expected == pn,
            (None, Some(expected), Err(error)) => self.host_error || expected == error,
            // A case without an error is only known to be valid.
            (None, None, Ok(_)) => true,
            (Some(_), _, Err(_)) | (None, Some(_), Ok(_)) | (None, None, Err(_)) => false,
        };
        if !same {
            let expected = self.pn.as_deref().or(self.error.as_deref()).unwrap_or("no error");
            let (Ok(actual) | Err(actual)) = answer;
            return Err(format!("expected {expected}\ngot      {actual}"));
        }
        if logs == self.logs {
            return Ok(());
        }
        Err(format!("expected the logs {:?}\ngot               {logs:?}", self.logs))
    }
}

/// Returns valid code in Puppet Notation, and logs its diagnostics.
fn read(code: &str, logs: &mut Vec<(String, String)>) -> Result<String, Error> {
    let mut log = |diagnostic: &Diagnostic| {
        let level = if diagnostic.severity == Severity::Error { "err" } else { "warning" };
        logs.push((level.to_owned(), diagnostic.message.clone()));
    };
    let program = syntax::parse(code, &Limits::DEFAULT)?;
    program.warnings.iter().for_each(&mut log);
    let found = validate(&program, ValidationRules::default(), Limits::DEFAULT);
    logged(&found).for_each(log);
    refuse_errors(&found, code)?;
    Ok(syntax::to_pn(&program, false))
}
