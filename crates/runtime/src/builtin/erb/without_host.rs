//! Templates in ERB that need no Ruby.

use puppetfn_base::error::Error;
use puppetfn_erb::TemplateScope;
use puppetfn_types::function::Caller;
use puppetfn_types::value::Value;

use super::read;

/// Maximum depth of templates that call each other here; the host has a limit of its own.
const DEEPEST: usize = 10;

/// Returns the text of a template; `None` if the template needs Ruby, or sees other variables than code does.
pub(super) fn render(caller: &dyn Caller, template: &[u8]) -> Option<String> {
    caller
        .shares_variables_with_templates()
        .then(|| of_scope(&CallerScope { caller, depth: 0 }, template))
        .flatten()
}

/// The scope of the code that calls the function.
struct CallerScope<'c> {
    caller: &'c dyn Caller,
    /// The number of templates around the rendered one.
    depth: usize,
}

impl TemplateScope for CallerScope<'_> {
    fn variable(&self, name: &str) -> Result<Option<Value>, Error> {
        self.caller.variable(name)
    }

    fn template(&self, name: &str) -> Result<Option<String>, Error> {
        if self.depth >= DEEPEST {
            return Ok(None);
        }
        let (_, template) = read(self.caller, name)?;
        Ok(of_scope(&CallerScope { caller: self.caller, depth: self.depth + 1 }, &template))
    }

    fn compare_versions(&self, left: &Value, right: &Value) -> Result<Value, Error> {
        self.caller.call_named("versioncmp", &[left.clone(), right.clone()], None)
    }
}

/// Returns the text of a template; `None` if the template needs Ruby.
fn of_scope(scope: &CallerScope<'_>, template: &[u8]) -> Option<String> {
    puppetfn_erb::compiled(str::from_utf8(template).ok()?)?.render(scope, scope.caller.limits())
}
