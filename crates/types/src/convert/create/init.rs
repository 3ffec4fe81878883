//! `new` of `Init`, and the values that it accepts.
//!
//! See Puppet's `pops/types/p_init_type.rb`.

use std::sync::Arc;

use super::{constructed, create, declared, unsupported};
use crate::function::{Call, Function, native};
use crate::subject::Verdict;
use crate::types::ops::{infer_set, instance};
use crate::types::{InitArguments, InitType, Size, TupleType, Type};
use crate::value::{Array, Value};
use puppetfn_base::error::{Error, ErrorKind};
use puppetfn_base::limits::Limits;

/// Makes values of the type that an `Init` is about.
pub(super) fn constructor(init: &Arc<InitType>) -> Result<Arc<Function>, Error> {
    let one = Arc::clone(init);
    let declaration = native("new_Init");
    let declaration = if init.args().is_empty() {
        let all = Arc::clone(init);
        declaration
            .dispatch::<&Array>("(Array value)", move |call, items| {
                let value = Value::Array(items.clone());
                match is_one(call, &all, &value)? {
                    true => new(call, &all, &[value]),
                    false => new(call, &all, items),
                }
            })
            .dispatch::<&Value>("(Any value)", move |call, value| {
                new(call, &one, std::slice::from_ref(value))
            })
    } else {
        declaration.dispatch::<&Value>("(Any value)", move |call, value| {
            let arguments: Vec<Value> = std::iter::once(value).chain(one.args()).cloned().collect();
            new(call, &one, &arguments)
        })
    };
    declaration.build().map(Arc::new)
}

/// Returns true if an array is a single argument, not the list of all arguments.
fn is_one(call: &Call<'_>, init: &InitType, value: &Value) -> Result<bool, Error> {
    match init.accepted()? {
        Some(accepted) => Ok(instance(&accepted.one, value, call.limits())? == Verdict::Yes),
        None => Ok(true),
    }
}

fn new(call: &Call<'_>, init: &InitType, arguments: &[Value]) -> Result<Value, Error> {
    match init.t() {
        Some(t) => create(t, arguments, call.caller()),
        None => Err(call.unfit_body()),
    }
}

impl InitType {
    /// Returns the arguments that a value can be created from; `None` for plain `Init`, which accepts any value.
    ///
    /// # Errors
    /// Fails with [`ErrorKind::ArgumentMismatch`] if no signature of `new` takes these arguments after a first one.
    pub(crate) fn accepted(&self) -> Result<Option<&InitArguments>, Error> {
        let Some(t) = &self.t else { return Ok(None) };
        let accepted = self.accepted.get_or_init(|| self.find_accepted(t));
        accepted.as_ref().map(Some).map_err(Clone::clone)
    }

    fn find_accepted(&self, t: &Type) -> Result<InitArguments, Error> {
        if let Type::Init(_) | Type::Optional(_) | Type::NotUndef(_) = t {
            return Err(unsupported(t));
        }
        let constructor = declared(&constructed(t))?;
        let signatures = constructor.signatures().iter().filter(|signature| !signature.handles_mismatch());
        let tuples = signatures.filter_map(|signature| signature.callable().params.as_ref());
        if self.args.is_empty() {
            let (one, all): (Vec<&TupleType>, Vec<&TupleType>) =
                tuples.partition(|tuple| tuple.size() == Size::exactly(1));
            return Ok(InitArguments {
                one: one_of(t, &one),
                first_of_all: all.iter().any(|tuple| tuple.size().min == 1),
                all: all.into_iter().cloned().map(Arc::new).collect(),
            });
        }
        let mut taking = Vec::new();
        for tuple in tuples {
            if self.is_taken(tuple)? {
                taking.push(tuple);
            }
        }
        if taking.is_empty() {
            let (init, name) =
                (Type::Init(Arc::new(Self::new(t.clone(), self.args.clone()))), t.generalize());
            let message = format!(
                "The type '{init}' does not represent a valid set of parameters for {}.new()",
                name.name()
            );
            return Err(Error::new(ErrorKind::ArgumentMismatch, message));
        }
        Ok(InitArguments { one: one_of(t, &taking), all: Vec::new(), first_of_all: false })
    }

    /// Returns true if parameters take any first argument of theirs and then the arguments after it.
    fn is_taken(&self, tuple: &TupleType) -> Result<bool, Error> {
        let Some(first) = tuple.types.first() else { return Ok(false) };
        let mut types = vec![first.clone()];
        for arg in &*self.args {
            types.push(infer_set(arg, &Limits::FURTHEST)?);
        }
        let given = Type::tuple(types, None);
        let count = Size::exactly(self.args.len().saturating_add(1));
        if !tuple.size().includes(count) {
            return Ok(false);
        }
        Type::Tuple(Arc::new(tuple.clone())).try_assignable(&given, &Limits::FURTHEST)
    }
}

/// Returns the type itself, or the types of the first parameters.
fn one_of(t: &Type, tuples: &[&TupleType]) -> Type {
    let first = tuples.iter().filter_map(|tuple| tuple.types.first());
    Type::one_of(std::iter::once(t).chain(first).cloned())
}
