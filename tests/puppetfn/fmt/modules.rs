//! Formatting of all manifests that Debian packages: none of them changes as a program.
#![allow(clippy::unwrap_used, clippy::disallowed_methods, missing_docs)]

use std::fs;

use puppetfn::error::ErrorKind;
use puppetfn::fmt::{edits, format};
use puppetfn::limits::Limits;
use puppetfn::syntax::{Mode, parse_with, to_pn};
use walkdir::WalkDir;

const MODULES: &str = "/usr/share/puppet/modules";

#[test]
fn programs_stay_the_same_and_a_second_time_changes_nothing() {
    let modules = WalkDir::new(MODULES).follow_links(true).into_iter().filter_map(Result::ok);
    for file in modules.filter(|entry| entry.path().extension() == Some("pp".as_ref())) {
        let Ok(text) = fs::read_to_string(file.path()) else { continue };
        let name = file.path().display();
        let formatted = match format(&text) {
            Ok(formatted) => formatted,
            Err(error) => {
                assert_eq!(*error.kind(), ErrorKind::Syntax, "{name}: {error}");
                continue;
            }
        };
        let notation = |text: &str| {
            let program = parse_with(text, Mode::default(), &Limits::DEFAULT);
            program.map(|program| to_pn(&program, false)).ok()
        };
        assert_eq!(notation(&text), notation(&formatted), "{name}");
        assert!(format(&formatted).unwrap() == formatted, "{name}, a second time");
        assert!(edits(&formatted).unwrap().is_empty(), "{name}");
        for line in formatted.lines() {
            assert!(line.trim_end() == line || text.contains(line), "{name}: space at the end of '{line}'");
        }
    }
}
