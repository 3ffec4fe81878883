//! Diagnostics of the command line for invalid files: `tests/cases/diagnostics/`, each with its own document in
//! `snapshots/` beside this.
#![allow(clippy::unwrap_used, clippy::disallowed_methods, missing_docs)]

use std::fs;

use puppetfn_cli::Standalone;

const CASES: &str = "tests/cases/diagnostics";

fn puppetfn(args: &[&str]) -> (i32, String, String) {
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let args = std::iter::once(&"puppetfn").chain(args).map(Into::into);
    let code = puppetfn_cli::run(args, &mut Standalone, &mut out, &mut err);
    (code, String::from_utf8(out).unwrap(), String::from_utf8(err).unwrap())
}

#[test]
fn problems_are_shown_with_what_was_likely_meant() {
    let mut names: Vec<String> =
        fs::read_dir(CASES).unwrap().map(|case| case.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    for name in names {
        let path = format!("{CASES}/{name}");
        let (code, out, err) = puppetfn(&["validate", &path]);
        assert_eq!((code, out.as_str()), (1, ""), "{name}");
        // The source is in the document, so that it can be read on its own.
        let source = fs::read_to_string(&path).unwrap();
        let shown: String = source.lines().map(|line| format!("{:.100}\n", line)).collect();
        insta::with_settings!({ prepend_module_to_snapshot => false, omit_expression => true }, {
            insta::assert_snapshot!(name, format!("{shown}\n{err}"));
        });
    }
}
