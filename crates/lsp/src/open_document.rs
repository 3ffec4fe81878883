//! Documents that the editor has open.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use lsp_types::Uri;

/// A document that the editor has open.
pub(crate) struct Document {
    /// The editor's address of it.
    pub uri: Uri,
    pub version: i32,
    pub text: Arc<str>,
    pub is_code: bool,
}

/// The documents that are open, by their paths.
pub(crate) type Documents = BTreeMap<PathBuf, Document>;
