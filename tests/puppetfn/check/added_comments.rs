//! `check --add-ignore`.
#![allow(clippy::disallowed_methods, reason = "the command changes files")]

use std::fs;

use super::command::{Files, command};
use puppetfn_cli::{FAILED, OK, USAGE};

#[test]
fn findings_are_suppressed_where_they_are() {
    let files = Files::new(
        "add-ignore",
        &[
            ("a.pp", "notice(1 + 'a')\nnotice($nosuch, \"\n${facts['osfamily']}\")\nnotice(2)\n"),
            ("b.epp", "a\n<%= 1 + 'b' %>\n"),
            ("c.pp", "notice(\n"),
        ],
    );
    let path = files.path(".");
    let (code, _, err) = command(&[&path, "--add-ignore"]);
    assert_eq!(code, FAILED, "an error of syntax stays");
    assert!(err.ends_with("note: 4 findings suppressed in 2 files\n"), "{err}");
    let read = |path: &str| fs::read_to_string(files.path(path)).unwrap();
    assert_eq!(
        read("a.pp"),
        "# puppetfn:ignore-file legacy-fact\nnotice(1 + 'a') # puppetfn:ignore arithmetic\n\
         # puppetfn:ignore unknown-variable\nnotice($nosuch, \"\n${facts['osfamily']}\")\nnotice(2)\n"
    );
    assert_eq!(read("b.epp"), "a\n<%# puppetfn:ignore arithmetic -%>\n<%= 1 + 'b' %>\n");
    assert_eq!(command(&[&files.path("a.pp"), &files.path("b.epp")]), (OK, String::new(), String::new()));
    assert_eq!(command(&["-", "--add-ignore"]).0, USAGE);
}
