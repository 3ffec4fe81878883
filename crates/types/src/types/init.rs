//! The parts of an `Init` type.
//!
//! See Puppet's `pops/types/p_init_type.rb`.

use std::hash::{Hash, Hasher};
use std::sync::{Arc, OnceLock};

use super::ops::infer_set;
use super::{Size, TupleType, Type};
use crate::convert::create;
use crate::value::Value;
use puppetfn_base::error::{Error, ErrorKind};
use puppetfn_base::limits::Limits;

/// `Init[type, args...]`: what `type.new` takes as its first argument, when the others are `args`.
#[derive(Default, Debug)]
pub struct InitType {
    /// The type of the new value; `None` for plain `Init`.
    t: Option<Type>,
    args: Arc<[Value]>,
    accepted: OnceLock<Result<Accepted, Error>>,
}

/// What a value can be made of.
#[derive(Debug)]
pub(crate) struct Accepted {
    /// A value of the type already, or an only argument of its constructor.
    pub one: Type,
    /// All arguments of its constructor, as an array.
    pub all: Vec<Arc<TupleType>>,
    /// Whether the first of them will do, as it is.
    first_of_all: bool,
}

impl Accepted {
    /// Returns the type of the first argument, if it will do in place of the array.
    pub fn first<'t>(&self, all: &'t TupleType) -> Option<&'t Type> {
        all.types.first().filter(|_| self.first_of_all && all.size().contains(1))
    }
}

impl InitType {
    /// `Init[t, args...]`.
    pub fn new(t: Type, args: impl Into<Arc<[Value]>>) -> Self {
        Self { t: Some(t), args: args.into(), accepted: OnceLock::new() }
    }

    /// Returns the type of the new value; `None` for plain `Init`.
    pub fn t(&self) -> Option<&Type> {
        self.t.as_ref()
    }

    /// Returns the arguments after the first.
    pub fn args(&self) -> &[Value] {
        &self.args
    }

    /// Returns what a value can be made of; `None` for plain `Init`, which says nothing of it.
    ///
    /// # Errors
    /// [`ErrorKind::ArgumentMismatch`] when there are no values that `new` makes with these
    /// arguments.
    pub(crate) fn accepted(&self) -> Result<Option<&Accepted>, Error> {
        let Some(t) = &self.t else { return Ok(None) };
        let accepted = self.accepted.get_or_init(|| self.find_accepted(t));
        accepted.as_ref().map(Some).map_err(Clone::clone)
    }

    fn find_accepted(&self, t: &Type) -> Result<Accepted, Error> {
        if let Type::Init(_) | Type::Optional(_) | Type::NotUndef(_) = t {
            return Err(create::unsupported(t));
        }
        let constructor = create::declared(&create::constructed(t))?;
        let signatures = constructor.signatures().iter().filter(|signature| !signature.handles_mismatch());
        let tuples = signatures.filter_map(|signature| signature.callable().params.as_ref());
        if self.args.is_empty() {
            let (one, all): (Vec<&TupleType>, Vec<&TupleType>) =
                tuples.partition(|tuple| tuple.size() == Size::exactly(1));
            return Ok(Accepted {
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
        Ok(Accepted { one: one_of(t, &taking), all: Vec::new(), first_of_all: false })
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

/// Returns the type itself, or what the first parameters take.
fn one_of(t: &Type, tuples: &[&TupleType]) -> Type {
    let first = tuples.iter().filter_map(|tuple| tuple.types.first());
    Type::one_of(std::iter::once(t).chain(first).cloned())
}

impl PartialEq for InitType {
    fn eq(&self, other: &Self) -> bool {
        self.t == other.t && self.args == other.args
    }
}

impl Eq for InitType {}

impl Hash for InitType {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.t.hash(state);
        self.args.hash(state);
    }
}
