//! Functions, whatever they are written in.

use std::sync::Arc;

use super::host::Host;
use super::native::{Native, types_of};
use super::{Signature, return_error};
use crate::error::Error;
use crate::host::HostRef;
use crate::limits::Limits;
use crate::subject::Verdict;
use crate::types::Type;
use crate::types::ops::{infer_set, instance};
use crate::value::Value;

/// Something that can be called by name.
#[derive(Debug)]
pub struct Function {
    name: Arc<str>,
    signatures: Arc<[Signature]>,
    body: Body,
}

/// What is run when a function is called.
#[derive(Debug)]
pub enum Body {
    /// Code of this library.
    Native(Native),
    /// Code of the host's, a Ruby function for example.
    Host(HostRef),
}

impl Function {
    /// A function. The signatures are tried in this order.
    pub fn new(name: impl Into<Arc<str>>, signatures: impl Into<Arc<[Signature]>>, body: Body) -> Self {
        Self { name: name.into(), signatures: signatures.into(), body }
    }

    /// The name, with its namespaces.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What it can be called with, also the signatures that only word mismatches.
    pub fn signatures(&self) -> &[Signature] {
        &self.signatures
    }

    pub(super) fn shared_signatures(&self) -> &Arc<[Signature]> {
        &self.signatures
    }

    /// What is run.
    pub fn body(&self) -> &Body {
        &self.body
    }

    /// Calls the function.
    ///
    /// If an argument that the result depends on is not known, the result is not known either, and
    /// nothing is run.
    ///
    /// # Errors
    /// [`crate::error::ErrorKind::ArgumentMismatch`] when no signature accepts the arguments, and
    /// whatever the function fails with.
    pub fn call(&self, host: &dyn Host, arguments: &[Value], block: Option<&Value>) -> Result<Value, Error> {
        match &self.body {
            Body::Native(native) => native.call(self, host, arguments, block),
            Body::Host(function) => {
                for argument in arguments {
                    if argument.contains_unknown() {
                        return self.unknown_result(&arguments.iter().collect::<Vec<_>>(), host.limits());
                    }
                }
                host.call_function(function, arguments, block)
            }
        }
    }

    /// The type of what the function returns for arguments of these types.
    pub fn return_type(&self, arguments: &[Type]) -> Type {
        if let Body::Native(native) = &self.body
            && let Some(rule) = native.return_rule()
        {
            return rule.apply(arguments);
        }
        let stated = self.signatures.iter().filter(|signature| !signature.handles_mismatch());
        match stated.map(|signature| signature.return_type().cloned()).collect::<Option<Vec<_>>>() {
            Some(types) => Type::one_of(types).normalize(),
            None => Type::Any,
        }
    }

    pub(super) fn unknown_result(&self, arguments: &[&Value], limits: &Limits) -> Result<Value, Error> {
        Ok(Value::unknown(self.return_type(&types_of(arguments, limits)?)))
    }

    /// Checks that what the implementation of a signature returned has the type that it states.
    ///
    /// # Errors
    /// [`crate::error::ErrorKind::TypeAssertion`] when it has another.
    pub(super) fn check_result(&self, index: usize, result: &Value, host: &dyn Host) -> Result<(), Error> {
        let limits = host.limits();
        let Some(expected) = self.signatures.get(index).and_then(Signature::return_type) else {
            return Ok(());
        };
        match instance(expected, result, limits)? {
            Verdict::Yes | Verdict::Maybe => Ok(()),
            Verdict::No => {
                let actual = infer_set(result, limits)?;
                Err(return_error(&self.name, expected, actual, host.messages()))
            }
        }
    }
}
