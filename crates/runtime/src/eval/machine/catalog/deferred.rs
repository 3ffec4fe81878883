//! Parameters of classes and defined types that are set to `Deferred` calls: the types of their results.
//!
//! See Puppet's `pops/types/type_mismatch_describer.rb`.

use std::sync::Arc;

use super::super::Machine;
use crate::eval::shared::FunctionTarget;
use puppetfn_base::error::{Error, ErrorKind, NO_PLACE};
use puppetfn_catalog::{LaterTypes, ResourceId};
use puppetfn_types::function::{FunctionBody, Signature};
use puppetfn_types::subject::Verdict;
use puppetfn_types::types::Type;
use puppetfn_types::types::ops::callable_with;
use puppetfn_types::value::{Object, Value};

impl Machine {
    /// Returns the result types of the `Deferred` calls that parameters of a class or defined type are set to.
    ///
    /// # Errors
    /// Fails if a call names no function, or has arguments that the function does not accept. The latter has the kind
    /// [`ErrorKind::ArgumentMismatch`].
    pub(super) fn types_of_deferred(&mut self, id: ResourceId) -> Result<LaterTypes, Error> {
        let deferred: Vec<(Arc<str>, Arc<Object>)> = match self.compilation().resource(id) {
            Some(resource) => resource.deferred().collect(),
            None => Vec::new(),
        };
        let mut types = LaterTypes::new();
        for (name, call) in deferred {
            let t = self.type_of_deferred(&call).map_err(|problem| {
                if problem.kind() == &ErrorKind::ArgumentMismatch {
                    return problem;
                }
                let compilation = self.compilation();
                let subject = compilation.resource(id).map(|resource| resource.reference().to_string());
                let subject = subject.unwrap_or_default();
                problem.reworded(|problem| format!("{subject}: parameter '{name}' {problem}"))
            })?;
            types.insert(name, t);
        }
        Ok(types)
    }

    /// Returns the type that the function of a `Deferred` call states for its result.
    fn type_of_deferred(&mut self, call: &Object) -> Result<Option<Type>, Error> {
        let fail = |problem: String| Err(Error::new(ErrorKind::Evaluation, problem));
        let Value::String(name) = call.attribute("name")? else { return Ok(None) };
        if name.starts_with('$') {
            return fail(format!("is given a Deferred of the variable '{name}', whose type is unknown"));
        }
        let Some(signatures) = self.all_signatures(&name)? else {
            return fail(format!("is given a Deferred call of the unknown function '{name}'"));
        };
        // Only Ruby knows the functions of a host that does not tell.
        if signatures.is_empty() {
            return Ok(None);
        }
        let arguments = call.attribute("arguments")?;
        // Puppet checks the list itself: without one, not even a function without parameters accepts the call.
        let list: Option<Vec<&Value>> = match &arguments {
            Value::Array(items) => Some(items.iter().collect()),
            _ => None,
        };
        if let Some(list) = &list {
            for signature in &*signatures {
                if callable_with(signature.callable(), list, None, &self.limits)? != Verdict::No {
                    return Ok(self.stated_result(&name, signature));
                }
            }
        }
        let shown = if list.is_some() { arguments.ruby_inspect(&self.limits)? } else { String::new() };
        let message = format!("No matching arity found for {name} with arguments {shown}");
        Err(Error::new(ErrorKind::ArgumentMismatch, message))
    }

    /// Returns the type that a signature states for the result, and warns if it states none.
    fn stated_result(&self, name: &str, signature: &Signature) -> Option<Type> {
        let returns = signature.callable().returns.clone();
        if returns.is_none() {
            let message = format!(
                "Deferred function {name} has no return_type, unable to guarantee value type during compilation.{NO_PLACE}"
            );
            self.shared.host.warn_once(&format!("{name}_deferred_warning"), &message);
        }
        returns
    }

    /// Returns all signatures of a function, including signatures that report mismatches themselves; `None` if there is no
    /// function of this name.
    fn all_signatures(&mut self, name: &str) -> Result<Option<Arc<[Signature]>>, Error> {
        self.begin();
        let function = match self.target_named(name)? {
            None => return Ok(None),
            Some(FunctionTarget::Routine(_)) => return Ok(self.signatures(name)?.map(Into::into)),
            Some(FunctionTarget::Function(function) | FunctionTarget::Jump(function, _)) => function,
        };
        match function.body() {
            FunctionBody::Host(host) => self.away(None, |shared| shared.host.signatures(host)).map(Some),
            FunctionBody::Native(_) => Ok(Some(function.signatures().into())),
        }
    }
}
