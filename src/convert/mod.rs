//! Values in other forms.

pub mod create;
mod format;
pub mod json;
mod number;
mod sprintf;

pub use format::format;
pub use sprintf::sprintf;
