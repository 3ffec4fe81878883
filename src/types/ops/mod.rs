//! What can be asked of types: one operation a file, one exhaustive match each.

mod format;
mod traits;
