//! Values in other forms.

pub mod create;
pub mod json;
mod number;
