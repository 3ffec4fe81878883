//! The language server, driven by an editor in the same process.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::disallowed_methods,
    clippy::wildcard_enum_match_arm,
    missing_docs,
    reason = "tests may take the short way"
)]

mod conversation;
mod editor;
mod hierarchies;
mod module_files;
mod projects;
mod pulls;
mod requests;
mod sessions;
