//! Types of functions and lambdas.

use super::{Size, TupleType, Type};

/// `Callable[[params..., min, max, block], return]`.
///
/// Source: "The Callable Type" in the Puppet type system's description: a callable is assignable
/// where it can be called with everything that the expected callable promises to call it with.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct CallableType {
    /// The parameters; `None` for a callable with unknown parameters.
    pub params: Option<TupleType>,
    /// The block: a callable type, or `Optional` of one; `None` if no block is accepted.
    pub block: Option<Type>,
    /// The return type; `None` if not declared.
    pub returns: Option<Type>,
}

impl CallableType {
    /// Returns the number of accepted arguments.
    #[inline]
    pub fn size(&self) -> Size {
        self.params.as_ref().map_or(Size::ANY, TupleType::size)
    }
}
