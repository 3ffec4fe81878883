//! Errors that the static checker misses, as a document: a test fails if another error is missed, and also if a listed
//! one is found.

use std::collections::BTreeMap;

/// Missed errors by reason.
#[derive(Default)]
pub struct Missed {
    found: usize,
    by_reason: BTreeMap<&'static str, Vec<String>>,
}

impl Missed {
    /// Counts an error that is found.
    pub fn count_found(&mut self) {
        self.found += 1;
    }

    /// Adds a missed error: the lines that show it, the first of which names it.
    pub fn add(&mut self, reason: &'static str, lines: &[&str]) {
        self.by_reason.entry(reason).or_default().push(lines.join("\n").replace('\n', "\n    "));
    }

    /// Compares with the document of this name, which `INSTA_UPDATE=always` writes.
    pub fn assert(&self, name: &str, found: &str) {
        let missed: usize = self.by_reason.values().map(Vec::len).sum();
        let mut document = format!("{} of {} {found}. These are not:\n", self.found, self.found + missed);
        for (reason, entries) in &self.by_reason {
            document.push_str(&format!("\n# {reason}: {}\n\n{}\n", entries.len(), entries.join("\n")));
        }
        insta::with_settings!({ prepend_module_to_snapshot => false, omit_expression => true }, {
            insta::assert_snapshot!(name.to_owned(), document);
        });
    }
}
