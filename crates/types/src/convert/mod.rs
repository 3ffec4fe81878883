//! Values in other forms.

pub mod create;
pub mod dotted;
mod format;
pub mod json;
mod json_text;
pub mod number;
pub mod rich_data;
pub mod rust;
mod scanf;
mod serde;
mod sprintf;
pub mod yaml;

pub use format::format;
pub use json_text::{JsonWriter, to_json_text};
pub use scanf::scanf;
pub use sprintf::sprintf;
