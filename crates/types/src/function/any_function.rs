//! Functions, in whatever language they are written.

use std::sync::Arc;

use super::behavior::{BlockUse, Control, HostMethod, NativeBehavior, ScopeMethod};
use super::caller::Caller;
use super::native::{Native, types_of};
use super::{Signature, mismatch_error, possible_result, return_error};
use crate::subject::Verdict;
use crate::types::Type;
use crate::types::ops::describe::Messages;
use crate::types::ops::{infer_set, instance};
use crate::value::Value;
use puppetfn_base::error::Error;
use puppetfn_base::host::HostRef;
use puppetfn_base::limits::Limits;

/// Something that can be called by name.
#[derive(Debug)]
pub struct Function {
    name: Arc<str>,
    signatures: Arc<[Signature]>,
    body: FunctionBody,
}

/// Implementation of a function.
#[derive(Debug)]
pub enum FunctionBody {
    /// Code of this library.
    Native(Native),
    /// Code of the host's, a Ruby function for example.
    Host(HostRef),
}

impl Function {
    /// Creates a function. The signatures are tried in this order.
    pub fn new(
        name: impl Into<Arc<str>>,
        signatures: impl Into<Arc<[Signature]>>,
        body: FunctionBody,
    ) -> Self {
        Self { name: name.into(), signatures: signatures.into(), body }
    }

    /// Returns the name, with its namespaces.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the signatures in order, including the ones that only word mismatches.
    pub fn signatures(&self) -> &[Signature] {
        &self.signatures
    }

    pub(super) fn shared_signatures(&self) -> &Arc<[Signature]> {
        &self.signatures
    }

    /// Returns the implementation.
    pub fn body(&self) -> &FunctionBody {
        &self.body
    }

    /// Calls the function.
    ///
    /// If the result depends on an unknown argument, the result is unknown and the function does not run.
    ///
    /// # Errors
    /// Fails with [`puppetfn_base::error::ErrorKind::ArgumentMismatch`] if no signature accepts the arguments, and with the
    /// errors of the implementation.
    pub fn call(
        &self,
        caller: &dyn Caller,
        arguments: &[Value],
        block: Option<&Value>,
    ) -> Result<Value, Error> {
        match &self.body {
            FunctionBody::Native(native) => native.call(self, caller, arguments, block),
            FunctionBody::Host(function) => {
                for argument in arguments {
                    if argument.contains_unknown() {
                        let references: Vec<&Value> = arguments.iter().collect();
                        return self.unknown_result(&references, block, caller.limits());
                    }
                }
                caller.call_function(function, arguments, block)
            }
        }
    }

    /// Returns true if the function is pure, as declared by [`Declaration::pure`].
    ///
    /// [`Declaration::pure`]: super::Declaration::pure
    pub fn is_pure(&self) -> bool {
        match &self.body {
            FunctionBody::Native(native) => native.is_pure(),
            FunctionBody::Host(_) => false,
        }
    }

    fn behavior(&self) -> Option<&NativeBehavior> {
        match &self.body {
            FunctionBody::Native(native) => Some(native.behavior()),
            FunctionBody::Host(_) => None,
        }
    }

    /// Returns where execution continues after a call that does not return; `None` for most functions.
    pub fn control(&self) -> Option<Control> {
        self.behavior()?.control
    }

    /// Returns when the function calls its block, and with which arguments.
    pub fn block_use(&self) -> BlockUse {
        self.behavior().map_or(BlockUse::Unknown, |behavior| behavior.block_use)
    }

    /// Returns the method that a host may call in its place, if any.
    pub fn host_method(&self) -> Option<HostMethod> {
        self.behavior()?.host_method
    }

    /// Returns the method that calls it from code in Puppet's 3.x API, if that API has it.
    pub fn scope_method(&self) -> Option<ScopeMethod> {
        self.behavior()?.scope_method
    }

    /// Returns true if the code of types that are defined by their features can call it.
    pub fn is_for_types(&self) -> bool {
        self.is_pure() || self.behavior().is_some_and(|behavior| behavior.is_for_types)
    }

    /// Returns true if its arguments name classes.
    pub fn names_classes(&self) -> bool {
        self.behavior().is_some_and(|behavior| behavior.names_classes)
    }

    /// Returns the type of the result for arguments of these types.
    pub fn return_type(&self, arguments: &[Type]) -> Type {
        if let Some(t) = self.ruled(arguments, &Type::Any) {
            return t;
        }
        let stated = self.signatures.iter().filter(|signature| !signature.handles_mismatch());
        match stated.map(|signature| signature.return_type().cloned()).collect::<Option<Vec<_>>>() {
            Some(types) => Type::one_of(types).normalize(),
            None => Type::Any,
        }
    }

    /// Returns the type of the result for these arguments, any of which may be unknown. The function is not called.
    ///
    /// ```
    /// use puppetfn::builtin::registry;
    /// use puppetfn::limits::Limits;
    /// use puppetfn::types::Type;
    /// use puppetfn::value::Value;
    ///
    /// let split = registry().get("split")?.unwrap();
    /// let known = split.return_type_for(&[Value::unknown(Type::STRING), ",".into()], None, &Limits::DEFAULT)?;
    /// assert_eq!(known.to_string(), "Array[String]");
    /// assert!(split.return_type_for(&[1.into(), ",".into()], None, &Limits::DEFAULT).is_err());
    /// # Ok::<(), puppetfn::error::Error>(())
    /// ```
    ///
    /// # Errors
    /// Fails with [`puppetfn_base::error::ErrorKind::ArgumentMismatch`] if no signature can accept the arguments.
    pub fn return_type_for(
        &self,
        arguments: &[Value],
        block: Option<&Value>,
        limits: &Limits,
    ) -> Result<Type, Error> {
        let references: Vec<&Value> = arguments.iter().collect();
        self.type_of_result(&references, block, limits)
    }

    fn type_of_result(
        &self,
        arguments: &[&Value],
        block: Option<&Value>,
        limits: &Limits,
    ) -> Result<Type, Error> {
        let Some(stated) = possible_result(&self.signatures, arguments, block, limits)? else {
            let signatures = self.shared_signatures();
            return Err(mismatch_error(self.name(), signatures, arguments, block, limits, Messages::Puppet));
        };
        let of_block = block.and_then(result_of).unwrap_or(Type::Any);
        let ruled = self.ruled(&types_of(arguments, limits)?, &of_block).filter(|t| *t != Type::Any);
        Ok(ruled.unwrap_or(stated))
    }

    /// Returns the result type by the rule of a native function, if it has one.
    fn ruled(&self, arguments: &[Type], block: &Type) -> Option<Type> {
        match &self.body {
            FunctionBody::Native(native) => native.return_rule().map(|rule| rule.apply(arguments, block)),
            FunctionBody::Host(_) => None,
        }
    }

    pub(super) fn unknown_result(
        &self,
        arguments: &[&Value],
        block: Option<&Value>,
        limits: &Limits,
    ) -> Result<Value, Error> {
        self.type_of_result(arguments, block, limits).map(Value::unknown)
    }

    /// Checks that a result has the return type of its signature.
    ///
    /// # Errors
    /// Fails with [`puppetfn_base::error::ErrorKind::TypeAssertion`] if it does not.
    pub(super) fn check_result(
        &self,
        index: usize,
        result: &Value,
        caller: &dyn Caller,
    ) -> Result<(), Error> {
        let limits = caller.limits();
        let Some(expected) = self.signatures.get(index).and_then(Signature::return_type) else {
            return Ok(());
        };
        match instance(expected, result, limits)? {
            Verdict::Yes | Verdict::Maybe => Ok(()),
            Verdict::No => {
                let actual = infer_set(result, limits)?;
                Err(return_error(&self.name, expected, actual, caller.host().messages()))
            }
        }
    }
}

/// Returns the return type of a block, if declared.
#[allow(clippy::wildcard_enum_match_arm, reason = "a block is a callable, and has one signature")]
fn result_of(block: &Value) -> Option<Type> {
    match block {
        Value::Callable(callable) => match &callable.signature {
            Type::Callable(signature) => signature.returns.clone(),
            _ => None,
        },
        _ => None,
    }
}
