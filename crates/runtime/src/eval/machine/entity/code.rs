//! Running the code of types.

use std::sync::Arc;

use super::super::{EvalResult, Machine, failure};
use crate::eval::entity::EntityCode;
use puppetfn_base::limits::Limits;
use puppetfn_types::subject::Verdict;
use puppetfn_types::types::ops::{infer, infer_set, instance};
use puppetfn_types::value::{Object, Value};

impl Machine {
    /// Runs code about an object and a value.
    pub(super) fn run_code(&mut self, code: &EntityCode, object: &Arc<Object>, value: &Value) -> EvalResult {
        self.enter(&code.name)?;
        let base = self.stack.len();
        let groups = self.groups.take();
        self.stack.push(Some(Value::Object(Arc::clone(object))));
        self.stack.push(Some(value.clone()));
        if code.has_own_name {
            self.stack.push(Some(value.clone()));
        }
        let result = self.in_frame(base, code.frame_size, &code.unit, |machine, frame| {
            if let Some(parameter_type) = &code.parameter_type {
                let Value::Type(expected) = machine.eval(parameter_type, frame)? else {
                    return Err(failure(parameter_type, frame, "The type of a parameter must be a Type"));
                };
                if instance(&expected, value, &machine.limits)? == Verdict::No {
                    let actual = infer_set(value, &machine.limits)?;
                    return Err(machine
                        .shared
                        .host
                        .messages()
                        .assertion_error(&code.name, &expected, actual));
                }
            }
            machine.value_of(&code.body, frame)
        });
        self.groups = groups;
        self.depth = self.depth.saturating_sub(1);
        self.stack.truncate(base);
        result
    }
}

/// Returns the problem that a check or an invariant has found, if any. `standard` is the message if the code has none.
pub(super) fn verdict(
    code: &EntityCode,
    outcome: Value,
    standard: impl FnOnce() -> String,
) -> Option<String> {
    match outcome {
        Value::Undef | Value::Boolean(true) => None,
        Value::Boolean(false) => Some(standard()),
        Value::String(message) => Some(message.to_string()),
        other => {
            let given = infer(&other, &Limits::FURTHEST).map_or("Any", |t| t.simple_name());
            Some(format!(
                "the {} gave a value of type {given}, where a String, a Boolean or undef is expected",
                code.name
            ))
        }
    }
}
