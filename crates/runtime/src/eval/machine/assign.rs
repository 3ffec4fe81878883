//! Assignments.
//!
//! See Puppet's `pops/evaluator/evaluator_impl.rb`.

use super::{EvalResult, Frame, Machine, during, failure};
use crate::eval::code::{Assign, AssignTarget, Node, Op};
use puppetfn_base::error::{Error, ErrorKind};
use puppetfn_catalog::Reference;
use puppetfn_types::types::Type;
use puppetfn_types::value::Value;

impl Machine {
    #[inline(never)]
    pub(super) fn assign(&mut self, assign: &Assign, node: &Node, frame: Frame<'_>) -> EvalResult {
        let value = self.eval(&assign.value, frame)?;
        match &assign.target {
            AssignTarget::Feature(index) => self.assign_own(*index, &value, assign.appends, frame)?,
            AssignTarget::Element(element) => {
                self.assign_element(element, &value, assign.appends, node, frame)?
            }
            target => self.assign_to(target, &value, node, frame)?,
        }
        Ok(value)
    }

    fn assign_to(
        &mut self,
        target: &AssignTarget,
        value: &Value,
        node: &Node,
        frame: Frame<'_>,
    ) -> Result<(), Error> {
        match target {
            AssignTarget::Slot(index, name) => {
                let variable = self.stack.get_mut(frame.base.saturating_add(*index as usize));
                match variable {
                    Some(variable @ None) => *variable = Some(value.clone()),
                    Some(Some(_)) | None => return Err(reassigned(name, node, frame)),
                }
            }
            AssignTarget::Global(id) => {
                if !self.shared.variables.assign(*id, value.clone()) {
                    return Err(reassigned(leaf(&self.shared.variables.name(*id)), node, frame));
                }
            }
            AssignTarget::Reserved { name, is_top: true } => {
                let message = format!("Attempt to assign to a reserved variable name: '${name}'");
                return Err(failure(node, frame, message));
            }
            AssignTarget::Reserved { name, is_top: false } => {
                return Err(during(reserved(name), "a '=' expression", node.at, frame));
            }
            AssignTarget::Forbidden(name) => {
                let message = format!("Attempt to assign variable {name} when evaluating parameters");
                let error = Error::new(ErrorKind::Evaluation, message);
                return Err(during(error, "a '=' expression", node.at, frame));
            }
            AssignTarget::Feature(index) => self.assign_own(*index, value, false, frame)?,
            AssignTarget::Element(element) => self.assign_element(element, value, false, node, frame)?,
            AssignTarget::Several(targets) => self.assign_several(targets, value, node, frame)?,
        }
        Ok(())
    }

    fn assign_several(
        &mut self,
        targets: &[(AssignTarget, Box<str>, u32)],
        value: &Value,
        node: &Node,
        frame: Frame<'_>,
    ) -> Result<(), Error> {
        if let Value::Hash(hash) = value {
            for (target, name, _) in targets {
                let Some(value) = hash.get_str(name) else {
                    let message =
                        format!("No value for required key '{name}' in assignment to variables from hash");
                    return Err(failure(node, frame, message));
                };
                self.assign_to(target, value, node, frame)?;
            }
            return Ok(());
        }
        if let Value::Type(t) = value
            && let Type::Class(class) = &**t
        {
            if self.shared.is_script {
                let message = "The catalog operation 'multi var assignment from class' is only available when compiling a catalog";
                return Err(failure(node, frame, message));
            }
            if let Some(class) = class {
                return self.assign_from_class(targets, class, node, frame);
            }
        }
        let values = if let Value::Array(items) = value { items } else { std::slice::from_ref(value) };
        if values.len() != targets.len() {
            let message = format!(
                "Mismatched number of assignable entries and values, expected {}, got {}",
                targets.len(),
                values.len()
            );
            return Err(failure(node, frame, message));
        }
        for ((target, ..), value) in targets.iter().zip(values) {
            self.assign_to(target, value, node, frame)?;
        }
        Ok(())
    }
}

impl Machine {
    /// Assigns variables of a class to variables of the same names.
    fn assign_from_class(
        &mut self,
        targets: &[(AssignTarget, Box<str>, u32)],
        class: &str,
        node: &Node,
        frame: Frame<'_>,
    ) -> Result<(), Error> {
        if self.compilation().find(&Reference::class(class)).is_none() {
            let Op::Assign(assign) = &node.op else { return Ok(()) };
            return Err(failure(&assign.value, frame, format_args!("Resource not found: Class['{class}']")));
        }
        for (target, name, at) in targets {
            let name = format!("{}::{name}", class.to_lowercase());
            let value = match self.shared.variables.get(&name).map(|variable| variable.value) {
                Some(value) => Some(value),
                None => self.outer_variable(&name)?,
            };
            let Some(value) = value else {
                let message = format!(
                    "No value for required variable '${name}' in assignment to variables from class reference"
                );
                return Err(
                    Error::of_evaluation(ErrorKind::Evaluation, message).at(frame.context.unit.place(*at))
                );
            };
            self.assign_to(target, &value, node, frame)?;
        }
        Ok(())
    }
}

#[cold]
fn reassigned(name: &str, node: &Node, frame: Frame<'_>) -> Error {
    let built_in = if matches!(name, "name" | "title") { "built in (or already assigned) " } else { "" };
    failure(node, frame, format_args!("Cannot reassign {built_in}variable '${name}'"))
}

/// Returns the error of a variable that only the runtime may set.
#[cold]
pub(super) fn reserved(name: &str) -> Error {
    let message = format!("Attempt to assign to a reserved variable name: '{name}'");
    Error::new(ErrorKind::Evaluation, message)
}

/// Returns the name of a variable without its class.
fn leaf(name: &str) -> &str {
    name.rsplit("::").next().unwrap_or(name)
}
