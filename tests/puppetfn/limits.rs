//! Limits are an argument: code that runs for a caller uses the caller's limits, so that raising one raises it
//! everywhere. No lint of Clippy's sees the uses of a constant, so the test reads the sources.
#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "reads the sources that the test is about"
)]

use std::collections::BTreeSet;
use std::path::Path;

use walkdir::WalkDir;

/// Files that create the default limits of a program, or have functions for everyday use, which take no limits.
const DEFAULT: [&str; 13] = [
    "crates/base/src/file_system.rs",
    "crates/check/src/lib.rs",
    "crates/cli/src/args/settings.rs",
    "crates/cli/src/fixtures.rs",
    "crates/compile/src/options.rs",
    "crates/diff/src/options.rs",
    "crates/fmt/src/lib.rs",
    "crates/playground/src/actions.rs",
    "crates/runtime/src/eval/builder.rs",
    "crates/runtime/src/loader/modulepath.rs",
    "crates/types/src/function/caller.rs",
    "crates/types/src/types/parse/mod.rs",
    "ext/puppetfn/src/ruby/limits.rs",
];

/// Files exempt from callers' limits: operations on types that cannot return an error, questions and conversions of programs in Rust,
/// the program's own texts, the words of messages.
const FURTHEST: [&str; 27] = [
    "crates/catalog/src/catalog.rs",
    "crates/doc/src/data_type.rs",
    "crates/doc/src/example.rs",
    "crates/doc/src/lint.rs",
    "crates/runtime/src/builtin/cty.rs",
    "crates/runtime/src/eval/access/mod.rs",
    "crates/runtime/src/eval/machine/entity/code.rs",
    "crates/runtime/src/eval/operators/number.rs",
    "crates/runtime/src/eval/type_definitions.rs",
    "crates/runtime/src/loader/metadata.rs",
    "crates/runtime/src/settings/resolver.rs",
    "crates/types/src/function/argument.rs",
    "crates/types/src/function/local_types.rs",
    "crates/types/src/function/notation.rs",
    "crates/types/src/convert/create/init.rs",
    "crates/types/src/convert/rust.rs",
    "crates/types/src/convert/serde.rs",
    "crates/types/src/types/object/builtin.rs",
    "crates/types/src/types/ops/assert.rs",
    "crates/types/src/types/ops/assignable.rs",
    "crates/types/src/types/ops/describe/find.rs",
    "crates/types/src/types/ops/infer.rs",
    "crates/types/src/types/ops/instance.rs",
    "crates/types/src/types/ops/literal.rs",
    "crates/types/src/types/ops/object_format.rs",
    "crates/types/src/types/parse/mod.rs",
    "crates/types/src/value/to_s.rs",
];

/// Returns the files whose code names one of these constants, without tests and the runner of recorded cases.
fn users(names: &[&str]) -> BTreeSet<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let sources =
        ["crates", "ext", "src"].into_iter().flat_map(|directory| WalkDir::new(root.join(directory)));
    let mut found = BTreeSet::new();
    for entry in sources {
        let entry = entry.unwrap();
        let path = entry.path().strip_prefix(root).unwrap().to_str().unwrap();
        let is_test = ["tests.rs", "testing.rs", "properties.rs"].iter().any(|name| path.ends_with(name))
            || ["/tests/", "/benches/", "/examples/"].iter().any(|part| path.contains(part));
        if !path.ends_with(".rs") || is_test || path.starts_with("crates/vectors/") {
            continue;
        }
        let text = std::fs::read_to_string(entry.path()).unwrap();
        let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
        let mut lines = code.lines().filter(|line| !line.trim_start().starts_with("//"));
        if lines.any(|line| names.iter().any(|name| line.contains(name))) {
            found.insert(path.to_owned());
        }
    }
    found
}

#[test]
fn only_constructors_take_the_default_limits() {
    let expected = DEFAULT.map(str::to_owned).into_iter().collect();
    assert_eq!(users(&["Limits::DEFAULT", "Limits::default()"]), expected);
}

#[test]
fn only_what_nobody_limits_goes_as_far_as_any_limit() {
    let expected = FURTHEST.map(str::to_owned).into_iter().collect();
    assert_eq!(users(&["Limits::FURTHEST"]), expected);
}
