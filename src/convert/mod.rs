//! Values in other forms.

pub mod create;
mod format;
pub mod json;
pub(crate) mod number;
mod sprintf;

pub use format::format;
pub use sprintf::sprintf;
