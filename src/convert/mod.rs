//! Values in other forms.

pub mod catalog;
pub mod create;
pub(crate) mod dotted;
mod format;
pub mod json;
pub(crate) mod number;
mod rich_data;
mod scanf;
mod sprintf;
pub mod yaml;

pub use format::format;
pub use scanf::scanf;
pub use sprintf::sprintf;
