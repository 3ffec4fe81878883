//! Templates.

use puppetfn_base::limits::Limits;

use crate::expression::Expression;
use crate::scope::TemplateScope;
use crate::{compile, evaluate, scan};

/// The stack for parsing, in bytes: Prism recurses for code that nests, up to a limit of its own.
const STACK: usize = 16 << 20;

/// A template.
#[derive(Debug)]
pub struct ErbTemplate {
    body: Expression,
    /// The number of local variables.
    locals: usize,
}

impl ErbTemplate {
    /// Compiles a template, whose trim mode is `-` as in Puppet. Returns `None` if it has Ruby code outside of the subset.
    pub fn parse(text: &str) -> Option<Self> {
        let source = scan::ruby_source(text)?;
        // A stack for the deepest code that Prism accepts.
        std::thread::scope(|scope| {
            let compile = std::thread::Builder::new().stack_size(STACK);
            compile.spawn_scoped(scope, || compile::template(&source)).ok()?.join().ok()?
        })
        .map(|(body, locals)| Self { body, locals })
    }

    /// Renders the template. Returns `None` if the result is not certain to be Ruby's, or takes more than the limits allow.
    pub fn render(&self, scope: &dyn TemplateScope, limits: &Limits) -> Option<String> {
        evaluate::render(&self.body, self.locals, scope, limits)
    }
}
