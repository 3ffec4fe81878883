//! Any text is the configuration of a project or an error that the checker reports.
#![no_main]

use std::fs;
use std::path::PathBuf;
use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use puppetfn_cli::{FAILED, OK, Standalone, USAGE, run};

/// A directory of this process alone, with a manifest to check.
static PROJECT: LazyLock<PathBuf> = LazyLock::new(|| {
    let project = std::env::temp_dir().join(format!("puppetfn-fuzz-{}", std::process::id()));
    fs::create_dir_all(project.join("modules")).expect("there is room for a directory");
    fs::write(project.join("a.pp"), "$unused = 1 + 'x'\nnotice($nosuch)\n")
        .expect("there is room for a file");
    project
});

fuzz_target!(|text: &str| {
    let file = PROJECT.join("puppetfn.toml");
    fs::write(&file, text).expect("there is room for a file");
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let args = ["puppetfn".into(), "check".into(), PROJECT.join("a.pp").into()];
    let code = run(args, &mut Standalone, &mut out, &mut err);
    assert!([OK, FAILED, USAGE].contains(&code), "{code}");
    assert!(!out.is_empty() || !err.is_empty() || code == OK);
});
