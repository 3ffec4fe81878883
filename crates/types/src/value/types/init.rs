//! The parts of an `Init` type.
//!
//! See Puppet's `pops/types/p_init_type.rb`.

use std::hash::{Hash, Hasher};
use std::sync::{Arc, OnceLock};

use super::{TupleType, Type};
use crate::value::Value;
use puppetfn_base::error::Error;

/// `Init[type, args...]`: values that `type.new` accepts as first argument, with `args` as the others.
#[derive(Default, Debug)]
pub struct InitType {
    /// The type of the new value; `None` for plain `Init`.
    pub(crate) t: Option<Type>,
    pub(crate) args: Arc<[Value]>,
    /// The arguments that its constructor accepts, determined on first use.
    pub(crate) accepted: OnceLock<Result<InitArguments, Error>>,
}

/// Arguments that a value can be created from.
#[derive(Debug)]
pub(crate) struct InitArguments {
    /// A value of the type already, or an only argument of its constructor.
    pub one: Type,
    /// All arguments of its constructor, as an array.
    pub all: Vec<Arc<TupleType>>,
    /// Whether the first argument alone is accepted, too, in place of the array.
    pub first_of_all: bool,
}

impl InitArguments {
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
