//! Questions with a yes or no that other operations have.

use crate::types::Type;

impl Type {
    /// Tells if undef is an instance.
    pub fn accepts_undef(&self) -> bool {
        self.accepts_undef_within(&mut Vec::new())
    }

    /// `open` has the aliases whose targets are being asked.
    fn accepts_undef_within(&self, open: &mut Vec<usize>) -> bool {
        match self {
            Self::Any | Self::Unit | Self::Undef | Self::Optional(_) => true,
            Self::Variant(types) => types.iter().any(|t| t.accepts_undef_within(open)),
            Self::Alias(alias) => {
                let identity = alias.identity();
                if open.contains(&identity) {
                    return false;
                }
                open.push(identity);
                let accepts =
                    alias.with_target(|target| target.is_some_and(|t| t.accepts_undef_within(open)));
                open.pop();
                accepts
            }
            Self::Default
            | Self::Scalar
            | Self::ScalarData
            | Self::Numeric
            | Self::Integer(_)
            | Self::Float(_)
            | Self::Boolean(_)
            | Self::String(_)
            | Self::Enum(_)
            | Self::Pattern(_)
            | Self::Regexp(_)
            | Self::Collection(_)
            | Self::Array(_)
            | Self::Hash(_)
            | Self::Tuple(_)
            | Self::Struct(_)
            | Self::NotUndef(_)
            | Self::Type(_)
            | Self::Iterable(_)
            | Self::Iterator(_)
            | Self::Sensitive(_)
            | Self::Callable(_)
            | Self::Runtime(_)
            | Self::CatalogEntry
            | Self::Class(_)
            | Self::Resource(_)
            | Self::Reference(_) => false,
        }
    }

    /// Tells if it is a type of functions, or `Optional` or a `Variant` of such: what can be the
    /// type of a block.
    pub fn is_kind_of_callable(&self) -> bool {
        self.is_kind_of_callable_within(&mut Vec::new())
    }

    fn is_kind_of_callable_within(&self, open: &mut Vec<usize>) -> bool {
        match self {
            Self::Callable(_) => true,
            Self::Optional(Some(inner)) => inner.is_kind_of_callable_within(open),
            Self::Variant(types) => types.iter().all(|t| t.is_kind_of_callable_within(open)),
            Self::Alias(alias) => {
                let identity = alias.identity();
                if open.contains(&identity) {
                    return false;
                }
                open.push(identity);
                let is_callable =
                    alias.with_target(|target| target.is_some_and(|t| t.is_kind_of_callable_within(open)));
                open.pop();
                is_callable
            }
            Self::Any
            | Self::Unit
            | Self::Undef
            | Self::Default
            | Self::Scalar
            | Self::ScalarData
            | Self::Numeric
            | Self::Integer(_)
            | Self::Float(_)
            | Self::Boolean(_)
            | Self::String(_)
            | Self::Enum(_)
            | Self::Pattern(_)
            | Self::Regexp(_)
            | Self::Collection(_)
            | Self::Array(_)
            | Self::Hash(_)
            | Self::Tuple(_)
            | Self::Struct(_)
            | Self::Optional(None)
            | Self::NotUndef(_)
            | Self::Type(_)
            | Self::Iterable(_)
            | Self::Iterator(_)
            | Self::Sensitive(_)
            | Self::Runtime(_)
            | Self::CatalogEntry
            | Self::Class(_)
            | Self::Resource(_)
            | Self::Reference(_) => false,
        }
    }
}
