//! Whether data that is reported is refused: classes are compiled with it.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    missing_docs,
    reason = "a test may take the short way"
)]

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fmt::Write;

use super::command::{Files, command};
use puppetfn_cli::{OK, Standalone, run};
use serde_json::Value as Json;

const TYPES: [&str; 15] = [
    "Integer[1, 9]",
    "String[2]",
    "Array[String]",
    "Array[Integer, 2]",
    "Hash[String, Integer]",
    "Struct[{a => Integer, Optional[b] => String}]",
    "Variant[Integer, Array[String]]",
    "Optional[Enum['x', 'y']]",
    "Boolean",
    "Sensitive[String]",
    "Hash[String, Array[Integer]]",
    "Array[Hash[String, Integer]]",
    "Tuple[String, Integer]",
    "Hash[Enum['a', 'b'], Hash[String, Integer], 2]",
    "Optional[Hash[String, Struct[{a => Integer, b => String}]]]",
];

const VALUES: [&str; 23] = [
    "1",
    "70",
    "x",
    "'1'",
    "'%{facts.x}'",
    "[x]",
    "[1]",
    "[x, 1]",
    "[[x]]",
    "[]",
    "{a: 1}",
    "{a: x}",
    "{b: x}",
    "{c: 1}",
    "{a: [1]}",
    "{a: [x]}",
    "{a: {a: 1}}",
    "{a: {a: x}}",
    "{a: {b: x, c: 1}}",
    "[{a: 1}]",
    "[{a: x}]",
    "true",
    "{}",
];

/// One in this many combinations is compiled.
const EACH: usize = 5;

/// Returns options for all keys, each with the value in a data file of higher precedence, if any.
fn situations(value: &str) -> Vec<(&'static str, Option<&'static str>)> {
    let mut situations = vec![("", None)];
    let merges =
        ["merge: unique", "merge: hash", "merge: deep", "merge: {strategy: deep, merge_hash_arrays: true}"];
    for merge in merges {
        situations.push((merge, None));
        // A value of another shape would shadow this one, so that it is not tested.
        match value.as_bytes().first() {
            Some(b'[') => situations.push((merge, Some("[q]"))),
            Some(b'{') => situations.push((merge, Some("{z: 2}"))),
            _ => {}
        }
    }
    let converted =
        ["convert_to: Integer", "convert_to: String", "convert_to: Array", "convert_to: [Sensitive]"];
    situations.extend(converted.map(|convert_to| (convert_to, None)));
    situations
}

fn repository(value: &str, options: &str, other: Option<&str>) -> Files {
    let mut common = format!("lookup_options:\n  '^app::': {{{options}}}\n");
    let mut node = String::new();
    let mut files = vec![
        (
            "hiera.yaml".to_owned(),
            "version: 5\nhierarchy:\n- {name: a, paths: [node.yaml, common.yaml]}\n".to_owned(),
        ),
        ("environment.conf".to_owned(), "modulepath = modules\n".to_owned()),
        ("manifests/site.pp".to_owned(), "include $facts['class']\n".to_owned()),
    ];
    for (index, t) in TYPES.iter().enumerate() {
        writeln!(common, "app::t{index}::p: {value}").unwrap();
        if let Some(other) = other {
            writeln!(node, "app::t{index}::p: {other}").unwrap();
        }
        let code = format!("class app::t{index}({t} $p = 1) {{ }}\n");
        files.push((format!("modules/app/manifests/t{index}.pp"), code));
        files.push((format!("facts/t{index}.json"), format!(r#"{{"class": "app::t{index}", "x": "1"}}"#)));
    }
    files.push(("data/common.yaml".to_owned(), common));
    files.push(("data/node.yaml".to_owned(), node));
    let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (&**path, &**text)).collect();
    Files::new("compiled_data", &files)
}

/// Returns the numbers of the types of which something in the data is reported.
fn reported(files: &Files) -> BTreeSet<usize> {
    let (_, out, err) = command(&[&files.path("data"), "--data-only", "--format", "json"]);
    let found: Vec<Json> = serde_json::from_str(&out).unwrap_or_else(|error| panic!("{error}: {out}{err}"));
    let values = found.iter().filter(|found| found["rule"] == "data-value");
    let message = |found: &Json| found["related"][0]["file"].as_str().unwrap().to_owned();
    let number = |file: String| file.rsplit_once("/t")?.1.strip_suffix(".pp")?.parse().ok();
    values.map(|found| number(message(found)).unwrap()).collect()
}

fn is_compiled(files: &Files, index: usize) -> bool {
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let (environment, modules) = (files.path(""), files.path("modules"));
    let facts = files.path(&format!("facts/t{index}.json"));
    let arguments = [
        "puppetfn",
        "compile",
        "node",
        "--environment",
        &environment,
        "--modulepath",
        &modules,
        "--facts",
        &facts,
    ];
    run(arguments.map(OsString::from), &mut Standalone, &mut out, &mut err) == OK
}

#[test]
fn what_is_reported_of_data_is_refused() {
    let (mut refused, mut found) = (0, 0);
    for (number, value) in VALUES.iter().enumerate() {
        for (situation, (options, other)) in situations(value).into_iter().enumerate() {
            let files = repository(value, options, other);
            let reported = reported(&files);
            // A sample takes less time, and still has each type in many combinations.
            for index in (0..TYPES.len()).filter(|index| (index + number + situation) % EACH == 0) {
                let is_refused = !is_compiled(&files, index);
                let is_reported = reported.contains(&index);
                let t = TYPES[index];
                assert!(is_refused || !is_reported, "{t} accepts {value} with {options} and {other:?}");
                refused += usize::from(is_refused);
                found += usize::from(is_reported);
            }
        }
    }
    // The rest depends on facts, or on the values merged with them.
    assert!(found * 100 >= refused * 90, "{found} of {refused}");
    println!("{found} of {refused}");
}
