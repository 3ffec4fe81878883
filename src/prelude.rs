//! The names that most programs use: `use puppetfn::prelude::*`.

pub use crate::catalog::{Catalog, Draft, Identity, Selection};
pub use crate::error::{Error, ErrorKind};
pub use crate::eval::{Logs, Manifest, NodeClass, Runtime};
pub use crate::function::native;
pub use crate::limits::Limits;
pub use crate::types::Type;
pub use crate::value::{Hash, Value};
