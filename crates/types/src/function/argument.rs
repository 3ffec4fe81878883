//! How native functions treat arguments that are not plain values.

use std::sync::Arc;

use super::any_function::{Function, FunctionBody};
use super::{Signature, UnknownHandling};
use crate::subject::Verdict;
use crate::types::Type;
use crate::types::ops::instance;
use crate::value::Value;
use puppetfn_base::limits::Limits;

/// How a parameter treats arguments that are undef, sensitive or unknown.
///
/// The policy follows from the declaration: the parameter's type decides whether undef and sensitive values are accepted,
/// and [`Declaration::unknowns`] decides about unknown values. An unknown value of type `Any` is assumed to be of any one
/// of the accepted types, so the result holds for all of them.
///
/// [`Declaration::unknowns`]: super::Declaration::unknowns
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ArgumentPolicy {
    /// Undef is accepted; otherwise it is an argument that does not match.
    pub accepts_undef: bool,
    /// A sensitive value is accepted, and passed to the function as it is; otherwise it does not match.
    pub accepts_sensitive: bool,
    /// Treatment of a value that is unknown, or contains an unknown one.
    pub unknowns: UnknownHandling,
}

impl Function {
    /// Returns the policy for the argument at this index; `None` if no signature takes an argument there, and for functions
    /// that are not native.
    ///
    /// ```
    /// use puppetfn::builtin::registry;
    ///
    /// let split = registry().get("split")?.unwrap();
    /// let policies: Vec<_> = (0..3).map_while(|index| split.argument_policy(index)).collect();
    /// assert_eq!(policies.len(), 2);
    /// assert!(policies[0].accepts_sensitive && !policies[0].accepts_undef);
    /// # Ok::<(), puppetfn::error::Error>(())
    /// ```
    pub fn argument_policy(&self, index: usize) -> Option<ArgumentPolicy> {
        let FunctionBody::Native(native) = self.body() else { return None };
        let calling = self.signatures().iter().filter(|signature| !signature.handles_mismatch());
        let types: Vec<&Type> = calling.filter_map(|signature| parameter_type(signature, index)).collect();
        if types.is_empty() {
            return None;
        }
        let accepts = |value: &Value| {
            types
                .iter()
                .any(|t| instance(t, value, &Limits::FURTHEST).is_ok_and(|verdict| verdict != Verdict::No))
        };
        Some(ArgumentPolicy {
            accepts_undef: accepts(&Value::Undef),
            accepts_sensitive: accepts(&Value::Sensitive(Arc::new(Value::unknown(Type::Any)))),
            unknowns: native.unknowns_of(index),
        })
    }
}

/// Returns the type of the parameter that takes the argument at this index.
fn parameter_type(signature: &Signature, index: usize) -> Option<&Type> {
    let is_taken = signature.callable().size().max.is_none_or(|max| (index as u64) < max);
    let types = signature.parameter_types();
    if is_taken { types.get(index).or_else(|| types.last()) } else { None }
}
