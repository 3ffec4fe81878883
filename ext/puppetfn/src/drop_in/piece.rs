//! The pieces that can be taken over.

/// A piece of Puppet that the core takes over.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DropInPiece {
    Dispatch,
    Types,
    Inference,
    Mismatch,
    TypeParser,
    Parser,
}

impl DropInPiece {
    /// All of them, in the order in which they are reported.
    pub const ALL: [Self; 6] =
        [Self::Dispatch, Self::Types, Self::Inference, Self::Mismatch, Self::TypeParser, Self::Parser];

    /// Returns the name that switches it on and off.
    pub fn name(self) -> &'static str {
        match self {
            Self::Dispatch => "dispatch",
            Self::Types => "types",
            Self::Inference => "inference",
            Self::Mismatch => "mismatch",
            Self::TypeParser => "type_parser",
            Self::Parser => "parser",
        }
    }
}
