//! Open documents.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use lsp_types::Uri;

/// An open document.
pub(crate) struct OpenDocument {
    /// The editor's URI.
    pub uri: Uri,
    pub version: i32,
    pub text: Arc<str>,
    pub is_code: bool,
}

/// The open documents, by path.
pub(crate) type Documents = BTreeMap<PathBuf, OpenDocument>;
