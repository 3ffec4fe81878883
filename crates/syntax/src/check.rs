//! Collects everything that is wrong with a text.

use super::validate::{ModuleFile, ValidationRules, validate};
use super::{Mode, parse_with};
use puppetfn_base::diagnostic::Diagnostic;
use puppetfn_base::limits::Limits;

/// Returns the diagnostics of a text: its syntax error, or its warnings and all violations of Puppet's rules.
///
/// ```
/// use puppetfn::limits::Limits;
/// use puppetfn::syntax::{Mode, check};
///
/// let found = check("$a::b = 1\nfunction f($x, $x) { }", Mode::default(), None, &Limits::DEFAULT);
/// let codes: Vec<&str> = found.iter().map(|diagnostic| diagnostic.code).collect();
/// assert_eq!(codes, ["CROSS_SCOPE_ASSIGNMENT", "DUPLICATE_PARAMETER"]);
/// ```
pub fn check(text: &str, mode: Mode, module_file: Option<&ModuleFile>, limits: &Limits) -> Vec<Diagnostic> {
    match parse_with(text, mode, limits) {
        Ok(program) => {
            let rules = ValidationRules { tasks: mode.tasks, module_file, ..ValidationRules::default() };
            let found = validate(&program, rules, *limits);
            program.warnings.into_iter().chain(found).collect()
        }
        Err(error) => vec![Diagnostic::of_error(&error, text)],
    }
}
