//! Evaluating code where an evaluation is paused.

use super::{PausedEvaluation, StackFrame};
use crate::eval::load::load_snippet;
use crate::eval::machine::Machine;
use crate::eval::templates::TemplateContext;
use puppetfn_base::error::Error;
use puppetfn_catalog::ScopeId;
use puppetfn_types::function::{LookupExplanation, LookupQuery};
use puppetfn_types::value::Value;

impl PausedEvaluation<'_> {
    /// Evaluates a text as if it stood at a frame. Variables that it assigns are gone afterwards, unless they are of the top
    /// scope or a class; resources that it declares stay.
    ///
    /// # Errors
    /// Fails as the code does, or if the text is not Puppet code or defines something.
    pub fn evaluate(&mut self, frame: &StackFrame, text: &str) -> Result<Value, Error> {
        let (names, values): (Vec<Box<str>>, Vec<Value>) =
            self.locals(frame).into_iter().map(|(name, value)| (Box::from(&*name), value)).unzip();
        let machine = &mut *self.machine;
        let (scope, groups) = (machine.scope, machine.groups.clone());
        machine.scope = frame.scope;
        let result = machine.run_snippet(text, frame.is_local(), names, values);
        machine.scope = scope;
        machine.groups = groups;
        result
    }

    /// Explains how the result of a lookup is found.
    ///
    /// # Errors
    /// Fails with the errors that are not about data. The explanation reports all others.
    pub fn explain_lookup(&mut self, query: &LookupQuery<'_>) -> Result<LookupExplanation, Error> {
        self.machine.explain_lookup(query, false)
    }
}

impl Machine {
    fn run_snippet(
        &mut self,
        text: &str,
        is_local: bool,
        names: Vec<Box<str>>,
        values: Vec<Value>,
    ) -> Result<Value, Error> {
        let is_in_class = !self.shared.is_script && self.scope != ScopeId::TOP;
        let class = is_in_class.then(|| self.class_around());
        let context = TemplateContext { locals: names.into(), class, arguments: None };
        let program = load_snippet(&self.shared, text, is_local, &context)?;
        let base = self.stack.len();
        self.stack.extend(values.into_iter().map(Some));
        let depth = self.depth;
        let result = self.in_frame(base, program.frame_size, &program.unit, |machine, frame| {
            machine.eval(&program.body, frame)
        });
        self.depth = depth;
        self.stack.truncate(base);
        result
    }
}
