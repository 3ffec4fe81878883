//! Which values are instances of which types, by `spec/vectors/contract`. The same cases run on
//! Ruby's values.
#![allow(clippy::unwrap_used, clippy::panic, missing_docs)]

use std::sync::Arc;

use crate::support::report::Report;
use puppetfn::eval::Runtime;
use puppetfn::host::{HostId, HostRef, ReleasedSlots};
use puppetfn::limits::Limits;
use puppetfn::subject::Verdict;
use puppetfn::types::ops::instance;
use puppetfn::types::parse::parse;
use puppetfn::value::{Callable, RuntimeObject, Value};
use serde::Deserialize;

#[derive(Deserialize)]
struct Case {
    ruby: String,
    puppet: Option<String>,
    callable: Option<String>,
    ancestors: Option<Vec<String>>,
}

#[derive(Deserialize)]
struct Row {
    #[serde(rename = "type")]
    t: String,
    result: String,
}

impl Case {
    fn value(&self, runtime: &Runtime) -> Value {
        let host = || HostRef::new(HostId::new(0), Arc::new(ReleasedSlots::default()));
        if let Some(text) = &self.puppet {
            runtime.evaluate(text, None).unwrap()
        } else if let Some(text) = &self.callable {
            let signature = parse(text, runtime.types(), &Limits::DEFAULT).unwrap();
            Value::Callable(Arc::new(Callable::of_host(host(), signature)))
        } else if let Some(ancestry) = &self.ancestors {
            let ancestry = ancestry.iter().map(|name| name.as_str().into()).collect();
            Value::Runtime(Arc::new(RuntimeObject::new(host(), ancestry, None)))
        } else {
            panic!("{} is made from nothing", self.ruby)
        }
    }
}

#[test]
fn values_are_instances_as_the_contract_says() {
    let runtime = Runtime::new();
    runtime.evaluate(include_str!("../../spec/vectors/contract/aliases.pp"), None).unwrap();
    let cases: Vec<Case> = include_str!("../../spec/vectors/contract/values.jsonl")
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let mut report = Report::new(&[]);
    for row in include_str!("../../spec/vectors/contract/instance.jsonl").lines() {
        let row: Row = serde_json::from_str(row).unwrap();
        assert_eq!(row.result.len(), cases.len(), "{}", row.t);
        let t = parse(&row.t, runtime.types(), &Limits::DEFAULT).unwrap();
        for (case, expected) in cases.iter().zip(row.result.chars()).filter(|(_, expected)| *expected != 'E')
        {
            let verdict = instance(&t, &case.value(&runtime), &Limits::DEFAULT);
            let expected = if expected == '1' { Verdict::Yes } else { Verdict::No };
            let id = format!("{}/{}", row.t, case.ruby);
            report.check(&id, format!("{expected:?}"), verdict.map(|verdict| format!("{verdict:?}")));
        }
    }
    report.finish();
}
