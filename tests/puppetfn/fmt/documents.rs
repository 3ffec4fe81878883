//! Layout of formatted code: `tests/cases/fmt/`, each with its own document in `snapshots/` beside this.
#![allow(clippy::unwrap_used, clippy::disallowed_methods, missing_docs)]

use std::fs;

use puppetfn::fmt::format;

const CASES: &str = "tests/cases/fmt";

#[test]
fn code_is_laid_out_by_the_style_guide() {
    let cases = fs::read_dir(CASES).unwrap().map(|case| case.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> = cases.collect();
    names.sort();
    assert!(names.len() > 5, "the cases have been found");
    for name in names {
        let source = fs::read_to_string(format!("{CASES}/{name}")).unwrap();
        let formatted = format(&source).unwrap();
        assert_eq!(format(&formatted).unwrap(), formatted, "{name}, a second time");
        insta::with_settings!({ prepend_module_to_snapshot => false, omit_expression => true }, {
            insta::assert_snapshot!(name, format!("{source}\n------------ formatted ------------\n\n{formatted}"));
        });
    }
}
