//! Values in other forms.

pub mod create;
mod format;
pub mod json;
pub(crate) mod number;
mod scanf;
mod sprintf;

pub use format::format;
pub use scanf::scanf;
pub use sprintf::sprintf;
