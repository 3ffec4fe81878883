//! Objects of types that are defined by their features in XMI, the exchange format of Ecore models.

mod read;
mod write;

pub use read::read;
pub use write::write;
