//! Files of a site.

/// A file of a site.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Page {
    /// Where it is within the site, with slashes.
    pub path: String,
    /// What is in it.
    pub text: String,
}
