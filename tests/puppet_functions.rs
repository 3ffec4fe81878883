//! Functions in the Puppet language that modules and environments have in files.
#![allow(clippy::unwrap_used, clippy::panic, missing_docs)]

mod support;

use std::collections::BTreeMap;
use std::sync::Arc;

use puppetfn::error::{Error, ErrorKind};
use puppetfn::eval::{Logs, Runtime};
use puppetfn::limits::Limits;
use puppetfn::loader::{Format, Loader};
use puppetfn::value::Value;
use serde::Deserialize;
use support::files::files;
use support::report::Report;

/// A runtime with the modules below `/modules` and the environment in `/env`.
fn runtime(content: &[(&str, &str)]) -> (Runtime, Logs) {
    let modulepath = vec!["/modules".into(), "/modules2".into()];
    let loader = Loader::new(files(content), modulepath, Some("/env".into()), Limits::DEFAULT);
    let (loader, logs) = (Arc::new(loader), Logs::default());
    let runtime = Runtime::builder().functions(Arc::clone(&loader)).types(loader).host(logs.clone());
    (runtime.build(), logs)
}

fn evaluate(content: &[(&str, &str)], code: &str) -> Result<Value, Error> {
    runtime(content).0.evaluate(code, None)
}

/// A recorded case; those here need no Ruby.
#[derive(Deserialize)]
struct Case {
    id: String,
    files: BTreeMap<String, String>,
    calls: Vec<BTreeMap<String, serde_json::Value>>,
    results: Vec<Recorded>,
}

#[derive(Deserialize)]
struct Recorded {
    result: Option<String>,
    error: Option<String>,
    #[serde(default)]
    logs: Vec<(String, String)>,
}

/// What is recorded of the language is the same here.
#[test]
fn functions_answer_as_recorded() {
    let text = include_str!("../spec/vectors/load/language.jsonl");
    let mut report = Report::new(&[]);
    for case in text.lines().map(|line| serde_json::from_str::<Case>(line).unwrap()) {
        let content: Vec<_> = case.files.iter().map(|(path, text)| (format!("/{path}"), text)).collect();
        let content: Vec<_> = content.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
        let (runtime, logs) = runtime(&content);
        for (index, (call, recorded)) in case.calls.iter().zip(&case.results).enumerate() {
            let code = call["eval"].as_str().unwrap();
            let answer = runtime.evaluate(code, None).and_then(|value| value.ruby_inspect());
            let expected = match (&recorded.result, &recorded.error) {
                (Some(result), _) => result.clone(),
                (None, Some(error)) => {
                    let (_class, message) = error.split_once(": ").unwrap();
                    format!("error: {}", message.replace("<ROOT>/", "/"))
                }
                (None, None) => panic!("{}: nothing recorded", case.id),
            };
            report.check(&format!("{} {index}: {code}", case.id), expected, answer);
            let logged = logs.take().into_iter().map(|(level, text)| (level.to_string(), text));
            assert_eq!(logged.collect::<Vec<_>>(), recorded.logs, "{}", case.id);
        }
    }
    report.finish();
}

#[test]
fn a_file_is_read_when_its_function_is_first_called() {
    let files = files(&[("/modules/m/functions/f.pp", "function m::f($x) { $x + 1 }")]);
    let loader = Loader::new(Arc::clone(&files) as _, vec!["/modules".into()], None, Limits::DEFAULT);
    let runtime = Runtime::builder().functions(Arc::new(loader)).build();
    assert!(files.asked.lock().unwrap().is_empty());
    assert_eq!(runtime.evaluate("[m::f(1), m::f(2)]", None).unwrap(), Value::from(vec![2.into(), 3.into()]));
    assert_eq!(runtime.call("m::f", &[Value::from(1)], None).unwrap(), Value::from(2));
    let asked = files.asked.lock().unwrap();
    assert_eq!(asked.iter().filter(|asked| asked.starts_with("read")).count(), 1, "{asked:?}");
}

#[test]
fn functions_of_files_are_found_and_listed() {
    let files = files(&[
        ("/modules/m/functions/f.pp", ""),
        ("/modules/m/functions/a/g.pp", ""),
        ("/modules/m/lib/puppet/functions/m/f.rb", ""),
        ("/env/functions/h.pp", ""),
        ("/env/functions/environment/i.pp", ""),
        ("/env/functions/other/j.pp", ""),
    ]);
    let loader = Loader::new(files, vec!["/modules".into()], Some("/env".into()), Limits::DEFAULT);
    let names: Vec<String> = loader.functions().unwrap().into_iter().map(|file| file.name).collect();
    assert_eq!(names, ["environment::i", "h", "m::a::g", "m::f"]);
    assert_eq!(loader.find_function("m::f").unwrap().unwrap().format, Format::Ruby);
    assert_eq!(loader.find_function("m::a::g").unwrap().unwrap().format, Format::Puppet);
    assert_eq!(loader.find_function("other::j").unwrap(), None);
}

#[test]
fn what_is_written_in_ruby_needs_ruby() {
    let error = evaluate(&[("/modules/m/lib/puppet/functions/m/f.rb", "")], "m::f()").unwrap_err();
    assert_eq!(*error.kind(), ErrorKind::Load);
    assert!(error.message().contains("written in Ruby (/modules/m/lib/puppet/functions/m/f.rb)"), "{error}");
}

#[test]
fn threads_share_a_runtime() {
    let (runtime, _) = runtime(&[(
        "/modules/m/functions/sum.pp",
        "function m::sum($n) { if $n == 0 { 0 } else { $n + m::sum($n - 1) } }",
    )]);
    std::thread::scope(|scope| {
        for n in 1..5i64 {
            let runtime = &runtime;
            scope.spawn(move || {
                for _ in 0..20 {
                    let sum = runtime.evaluate(&format!("[{n}].map |$x| {{ m::sum($x) }}"), None).unwrap();
                    assert_eq!(sum, Value::from(vec![Value::from(n * (n + 1) / 2)]));
                }
            });
        }
    });
}
