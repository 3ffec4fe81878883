//! Values in other forms.

pub mod json;
