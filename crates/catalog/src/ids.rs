//! Indices into a catalog in the making.

/// An index into the resources.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ResourceId(pub(crate) u32);

/// An index into the scopes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ScopeId(pub(crate) u32);

/// An index into the sources.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SourceId(pub(crate) u32);

impl ScopeId {
    /// The top scope.
    pub const TOP: Self = Self(0);

    /// Returns the number of the scope, unique within the compilation.
    pub fn number(self) -> u32 {
        self.0
    }
}

impl SourceId {
    /// The top level.
    pub const MAIN: Self = Self(0);
}
