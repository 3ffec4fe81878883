//! Violations of the function API's rules in the code of functions, which Puppet lets pass.

mod definition;
mod mutation;
mod signature;

use puppetfn_doc::{Api, DocFinding};
pub use signature::{has_known_methods, positional_arity};

use crate::function::FunctionDeclaration;
use crate::source::RubyText;

/// Findings in a file.
struct LintReport<'r> {
    source: &'r RubyText,
    findings: Vec<DocFinding>,
}

impl LintReport<'_> {
    fn add(&mut self, line: u32, rule: &str, message: String) {
        let finding = DocFinding { file: self.source.path.to_owned(), line, rule: rule.to_owned(), message };
        if !self.findings.contains(&finding) {
            self.findings.push(finding);
        }
    }
}

/// Returns the violations in the code of a function.
pub fn findings(declaration: &FunctionDeclaration<'_>) -> Vec<DocFinding> {
    let mut report = LintReport { source: declaration.source, findings: Vec::new() };
    definition::check(declaration, &mut report);
    if declaration.api == Api::Ruby4x {
        signature::check(declaration, &mut report);
        if !declaration.has_base() {
            mutation::check(declaration, &mut report);
        }
    }
    report.findings
}
