//! The parts of an `Init` type.

use std::sync::Arc;

use super::Type;
use crate::value::Value;

/// `Init[type, args...]`: what `type.new` takes as its first argument, when the others are `args`.
#[derive(Clone, PartialEq, Eq, Hash, Default, Debug)]
pub struct InitType {
    /// The type of the new value; none for plain `Init`.
    pub t: Option<Type>,
    /// The other arguments.
    pub args: Arc<[Value]>,
}
