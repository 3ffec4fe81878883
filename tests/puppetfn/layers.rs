//! The extension's layers: `ruby/` is below what Ruby sees. The extension is one crate, so the sources are read.
#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "reads the sources that the test is about"
)]

use std::path::Path;

use walkdir::WalkDir;

#[test]
fn what_wraps_ruby_knows_neither_the_api_nor_the_drop_in() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("ext/puppetfn/src/ruby");
    let mut files = 0;
    for entry in WalkDir::new(directory) {
        let entry = entry.unwrap();
        if entry.path().extension().is_none_or(|extension| extension != "rs") {
            continue;
        }
        files += 1;
        let text = std::fs::read_to_string(entry.path()).unwrap();
        for upper in ["api", "drop_in"] {
            let named = [format!("crate::{upper}"), format!("super::{upper}")];
            let is_named = named.iter().any(|name| text.contains(name));
            assert!(!is_named, "{} names {upper}", entry.path().display());
        }
    }
    assert!(files > 10, "the sources of the extension have been found");
}
