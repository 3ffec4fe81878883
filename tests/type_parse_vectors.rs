//! What Puppet makes of type texts: every case of `spec/vectors/types/parse.jsonl`.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stderr, missing_docs)]

use std::collections::{BTreeMap, BTreeSet};

use puppetfn::error::Error;
use puppetfn::limits::Limits;
use puppetfn::types::parse::{AliasDefinition, TypeLookup, parse};
use puppetfn::types::{AliasType, Type};
use serde::Deserialize;

/// Types that Puppet has and the core does not have yet. A case is skipped when its text names one.
const MISSING: &[&str] = &[
    "Binary",
    "Deferred",
    "Error",
    "Init",
    "Object",
    "Pcore",
    "SemVer",
    "SemVerRange",
    "Timespan",
    "Timestamp",
    "TypeAlias",
    "TypeSet",
    "URI",
    "Vt::Circle",
    "Vt::Const",
    "Vt::Point",
    "Vt::Tag",
];

/// Cases that are answered differently, each with the reason.
const DEVIATIONS: &[(&str, &str)] = &[
    ("types/parse/0117", "integers have 64 bits"),
    ("types/parse/0121", "integers have 64 bits"),
    ("types/parse/0131", "the bounds of an Integer are integers"),
    ("types/parse/0288", "regular expressions do not show their encoding yet"),
    ("types/parse/0443", "types of collections are not inferred yet"),
    ("types/parse/0488", "types of collections are not inferred yet"),
    ("types/parse/0631", "types of collections are not inferred yet"),
    ("types/parse/0691", "titles are strings"),
    ("types/parse/0704", "titles are strings"),
    ("types/parse/1063", "heredocs are not parsed yet"),
];

#[derive(Deserialize)]
struct Case {
    id: String,
    #[serde(rename = "type")]
    text: String,
    string: Option<String>,
    error: Option<String>,
    #[serde(default)]
    error_internal: bool,
}

/// The aliases that the cases use.
struct Prelude(BTreeMap<String, Type>);

impl TypeLookup for Prelude {
    fn find(&self, name: &str) -> Result<Option<Type>, Error> {
        Ok(self.0.get(&name.to_lowercase()).cloned())
    }
}

impl Prelude {
    fn load() -> Self {
        let mut prelude = Self(BTreeMap::new());
        for line in include_str!("../spec/vectors/types/prelude.pp").lines() {
            let Some(name) = line.strip_prefix("type ").and_then(|rest| rest.split(' ').next()) else {
                continue;
            };
            if MISSING.contains(&name) || line.contains("Object[") {
                continue;
            }
            let definition = AliasDefinition::parse(line, name, "prelude.pp", &Limits::default()).unwrap();
            let alias = AliasType::define(name, |me| {
                prelude.0.insert(name.to_lowercase(), Type::Alias(me));
                definition.resolve(&prelude)
            });
            prelude.0.insert(name.to_lowercase(), Type::Alias(alias.unwrap()));
        }
        prelude
    }
}

fn shown(text: &str, lookup: &Prelude) -> Result<String, String> {
    match parse(text, lookup, &Limits::default()) {
        Ok(t @ Type::Alias(_)) => Ok(t.to_expanded_string()),
        Ok(t) => Ok(t.to_string()),
        Err(error) => Err(error.to_string()),
    }
}

fn missing_type(text: &str) -> Option<&'static str> {
    let words: Vec<&str> = text.split(|c: char| !c.is_alphanumeric() && c != ':').collect();
    MISSING.iter().copied().find(|missing| {
        words.iter().any(|word| {
            word.eq_ignore_ascii_case(missing)
                || word.get(..missing.len() + 2).is_some_and(|start| start == format!("{missing}::"))
        })
    })
}

#[test]
fn types_parse_and_print_as_in_puppet() {
    let prelude = Prelude::load();
    let mut failures = Vec::new();
    let mut unused_missing: BTreeSet<&str> = MISSING.iter().copied().collect();
    let mut unused_deviations: BTreeMap<&str, &str> = DEVIATIONS.iter().copied().collect();
    for line in include_str!("../spec/vectors/types/parse.jsonl").lines() {
        let case: Case = serde_json::from_str(line).unwrap();
        let actual = shown(&case.text, &prelude);
        let expected = case.string.clone().ok_or_else(|| case.error.clone().unwrap_or_default());
        if actual == expected || case.error_internal {
            continue;
        }
        if let Some(missing) = missing_type(&case.text) {
            unused_missing.remove(missing);
        } else if unused_deviations.remove(&*case.id).is_none() {
            failures
                .push(format!("{} {:?}\n  expected {expected:?}\n  got      {actual:?}", case.id, case.text));
        }
    }
    assert!(failures.is_empty(), "{} cases fail:\n{}", failures.len(), failures.join("\n"));
    assert!(unused_missing.is_empty(), "no longer missing: {unused_missing:?}");
    assert!(unused_deviations.is_empty(), "no longer deviations: {unused_deviations:?}");
}
