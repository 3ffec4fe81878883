//! Files of a site.

/// A file of a site.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Page {
    /// The path within the site, with slashes.
    pub path: String,
    /// The content.
    pub text: String,
}
