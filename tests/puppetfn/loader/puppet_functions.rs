//! Functions in the Puppet language that modules and environments have in files.
#![allow(clippy::unwrap_used, clippy::panic, missing_docs)]

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::support::files::files;
use crate::support::report::Report;
use puppetfn::error::{Error, ErrorKind};
use puppetfn::eval::{Logs, Runtime};
use puppetfn::limits::Limits;
use puppetfn::loader::{FileLanguage, Loader};
use puppetfn::value::Value;
use serde::Deserialize;

/// Returns a runtime with the modules below `/modules` and the environment in `/env`.
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

/// A recorded case that needs no Ruby.
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

/// The recorded cases of the language have the same results here.
#[test]
fn functions_answer_as_recorded() {
    let text = include_str!("../../../spec/vectors/load/language.jsonl");
    let mut report = Report::new(&[]);
    for case in text.lines().map(|line| serde_json::from_str::<Case>(line).unwrap()) {
        let content: Vec<_> = case.files.iter().map(|(path, text)| (format!("/{path}"), text)).collect();
        let content: Vec<_> = content.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
        let (runtime, logs) = runtime(&content);
        for (index, (call, recorded)) in case.calls.iter().zip(&case.results).enumerate() {
            let code = call["eval"].as_str().unwrap();
            let answer = runtime.evaluate(code, None).map(|value| value.inspected());
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
    assert_eq!(loader.find_function("m::f").unwrap().unwrap().format, FileLanguage::Ruby);
    assert_eq!(loader.find_function("m::a::g").unwrap().unwrap().format, FileLanguage::Puppet);
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

/// Returns the result of code with a function `m::f` of this text, as Ruby's `inspect`.
fn with_function(function: &str, code: &str) -> String {
    match evaluate(&[("/modules/m/functions/f.pp", function)], code).map(|value| value.inspected()) {
        Ok(shown) => shown,
        Err(error) => error.message().to_owned(),
    }
}

#[track_caller]
fn check(function: &str, answers: &[(&str, &str)]) {
    for (code, answer) in answers {
        let given = with_function(function, code);
        assert!(given == *answer || given.ends_with(&format!(", {answer}")), "{code}\n  {answer}\n  {given}");
    }
}

mod rules_of_parameters {
    use super::check;

    #[test]
    fn a_captures_rest_parameter_is_placed_last() {
        let required = "Evaluation Error: Parameter $b is required but appears after optional parameters";
        check("function m::f(*$a, $b) { $a }", &[("m::f(1, 2)", required)]);
    }

    #[test]
    fn a_captures_rest_parameter_that_needs_a_value_is_not_after_one_with_a_default() {
        let required = "Evaluation Error: Parameter $b is required but appears after optional parameters";
        let code = "function m::f($a = 1, Array[String, 1] *$b) { $b }";
        check(code, &[("m::f(1, 'x')", required), ("m::f()", required)]);
        check("function m::f($a = 1, Array[String] *$b) { $b }", &[("m::f(1, 'x')", r#"["x"]"#)]);
    }

    #[test]
    fn a_parameter_with_a_default_is_not_before_one_without() {
        let required = "Evaluation Error: Parameter $b is required but appears after optional parameters";
        check("function m::f($a = 1, $b) { $a }", &[("m::f(1, 2)", required), ("m::f(1)", required)]);
    }

    #[test]
    fn a_default_may_refer_to_parameters_to_the_left() {
        check(
            "function m::f($a, $b = $a + 1, $c = $b * 2) { [$a, $b, $c] }",
            &[("m::f(1)", "[1, 2, 4]"), ("m::f(1, 5)", "[1, 5, 10]")],
        );
    }

    #[test]
    fn a_default_is_evaluated_in_the_closure_scope() {
        check("function m::f($a = $x) { $a }", &[("$x = 'top' with('own') |$x| { m::f() }", "\"top\"")]);
    }

    #[test]
    fn a_default_may_not_name_a_parameter_to_the_right_even_if_it_exists_globally() {
        let error = "m::f: default expression for $a tries to illegally access not yet evaluated $b";
        check("function m::f($a = $b, $b = 1) { $a }", &[("$b = 2 m::f()", error)]);
        check("function m::f($a = $::b, $b = 1) { $a }", &[("$b = 2 m::f()", "2")]);
    }

    #[test]
    fn a_captures_rest_parameter_always_gets_an_array() {
        check("function m::f(*$a) { $a }", &[("m::f()", "[]"), ("m::f(1)", "[1]"), ("m::f([1])", "[[1]]")]);
    }

    #[test]
    fn a_default_of_a_captures_rest_parameter_is_wrapped_in_an_array() {
        check("function m::f(*$a = 1) { $a }", &[("m::f()", "[1]"), ("m::f(2, 3)", "[2, 3]")]);
        check("function m::f(*$a = [1, 2]) { $a }", &[("m::f()", "[1, 2]")]);
    }

    #[test]
    fn the_type_of_a_captures_rest_parameter_is_that_of_an_element() {
        check(
            "function m::f(Integer *$a) { $a }",
            &[
                ("m::f(1, 2)", "[1, 2]"),
                ("m::f(1, 'x')", "'m::f' parameter 'a' expects an Integer value, got String"),
            ],
        );
    }

    #[test]
    fn an_array_type_caps_the_number_of_captured_arguments() {
        check(
            "function m::f(Array[String, 1, 2] *$a) { $a }",
            &[
                ("m::f('a', 'b')", "[\"a\", \"b\"]"),
                ("m::f()", "'m::f' expects between 1 and 2 arguments, got none"),
                ("m::f('a', 'b', 'c')", "'m::f' expects between 1 and 2 arguments, got 3"),
            ],
        );
    }

    #[test]
    fn arrays_are_captured_with_a_type_of_arrays_of_arrays() {
        check(
            "function m::f(Array[Array[Integer]] *$a) { $a }",
            &[
                ("m::f([1], [2, 3])", "[[1], [2, 3]]"),
                ("m::f(1)", "'m::f' parameter 'a' expects an Array value, got Integer"),
            ],
        );
    }

    #[test]
    fn the_result_is_asserted_to_be_of_the_return_type() {
        check(
            "function m::f($a) >> Integer { $a }",
            &[
                ("m::f(1)", "1"),
                (
                    "m::f('a')",
                    "value returned from m::f has wrong type, expects an Integer value, got String",
                ),
            ],
        );
    }

    #[test]
    fn a_lambda_is_refused_where_none_is_declared() {
        let error = "'m::f' does not expect a block";
        check("function m::f($a) { $a }", &[("m::f(1) |$x| { $x }", error)]);
        check(
            "function m::f(Callable $a) { $a }",
            &[("m::f(1) |$x| { $x }", "'m::f' parameter 'a' expects a Callable value, got Integer")],
        );
    }
}

mod rules_of_autoloading {
    use super::*;

    fn result(content: &[(&str, &str)], code: &str) -> String {
        match evaluate(content, code).map(|value| value.inspected()) {
            Ok(shown) => shown,
            Err(error) => error.message().to_owned(),
        }
    }

    #[test]
    fn nested_namespaces_are_directories() {
        let files = [("/modules/m/functions/math/min.pp", "function m::math::min($a) { $a }")];
        assert_eq!(result(&files, "m::math::min(1)"), "1");
    }

    #[test]
    fn an_environment_defines_functions_in_its_own_namespace_and_without_one() {
        let files = [
            ("/env/functions/environment/f.pp", "function environment::f() { 'own' }"),
            ("/env/functions/g.pp", "function g() { 'global' }"),
            ("/env/functions/other/h.pp", "function other::h() { 'other' }"),
        ];
        assert_eq!(result(&files, "[environment::f(), g()]"), "[\"own\", \"global\"]");
        assert_eq!(result(&files, "other::h()"), "Evaluation Error: Unknown function: 'other::h'.");
    }

    #[test]
    fn a_file_has_one_function_with_the_name_that_its_path_says() {
        let two = [("/modules/m/functions/f.pp", "function m::f() { 1 } function m::f::g() { 2 }")];
        assert!(
            result(&two, "m::f()")
                .ends_with("must contain only the function 'm::f' - it has additional definitions.")
        );
        let other = [("/modules/m/functions/f.pp", "function m::g() { 1 }")];
        assert!(
            result(&other, "m::f()").starts_with("Unacceptable location. The name 'm::g' is unacceptable")
        );
    }

    #[test]
    fn init_pp_is_a_file_as_any_other() {
        let files = [("/modules/m/functions/init.pp", "function m::init() { 'i' }")];
        assert_eq!(result(&files, "m::init()"), "\"i\"");
        assert_eq!(result(&files, "m()"), "Evaluation Error: Unknown function: 'm'.");
    }

    #[test]
    fn autoloading_does_not_load_the_manifest_of_the_module() {
        let files = files(&[
            ("/modules/m/functions/f.pp", "function m::f() { 1 }"),
            ("/modules/m/manifests/init.pp", "syntax error"),
        ]);
        let loader = Loader::new(Arc::clone(&files) as _, vec!["/modules".into()], None, Limits::DEFAULT);
        let runtime = Runtime::builder().functions(Arc::new(loader)).build();
        assert_eq!(runtime.evaluate("m::f()", None).unwrap(), Value::from(1));
        assert!(!files.asked.lock().unwrap().iter().any(|asked| asked.contains("manifests")));
    }

    #[test]
    fn functions_of_manifests_exist_once_the_manifest_was_evaluated() {
        let (runtime, _) = runtime(&[]);
        assert!(runtime.evaluate("any::f()", None).is_err());
        runtime.evaluate("function any::f() { 1 }", Some("/env/manifests/site.pp")).unwrap();
        assert_eq!(runtime.evaluate("any::f()", None).unwrap(), Value::from(1));
    }

    #[test]
    fn functions_of_manifests_patch_those_of_modules_and_of_puppet() {
        let files = [("/modules/m/functions/f.pp", "function m::f() { 'module' }")];
        assert_eq!(result(&files, "function m::f() { 'patched' } m::f()"), "\"patched\"");
        assert_eq!(result(&files, "function abs($x) { 'mine' } abs(-1)"), "\"mine\"");
    }
}

mod blocks {
    use super::check;

    const EACH: &str = "function m::f(Array $a, Callable[1, 1] &$block) { $a.map |$x| { $block.call($x) } }";

    #[test]
    fn a_declared_block_is_called_with_call() {
        check(EACH, &[("m::f([1, 2]) |$x| { $x * 10 }", "[10, 20]")]);
        check("function m::f(&$b) { call($b, 1, 2) }", &[("m::f() |$x, $y| { $x + $y }", "3")]);
    }

    #[test]
    fn a_block_has_to_be_of_its_type() {
        check(
            EACH,
            &[
                ("m::f([1])", "'m::f' expects a block"),
                ("m::f([1]) |$x, $y| { 1 }", "'m::f' block expects 1 argument, got 2"),
            ],
        );
    }

    #[test]
    fn an_optional_block_may_be_missing() {
        check(
            "function m::f(Optional[Callable] &$b) { if $b { $b.call() } else { 'none' } }",
            &[("m::f()", "\"none\""), ("m::f() || { 'some' }", "\"some\"")],
        );
    }

    #[test]
    fn a_block_sees_the_variables_around_it() {
        check(EACH, &[("function g($y) { m::f([1, 2]) |$x| { $x + $y } } g(5)", "[6, 7]")]);
    }

    #[test]
    fn next_return_and_break_leave_what_the_block_is_in() {
        check(
            EACH,
            &[
                ("m::f([1, 2]) |$x| { next($x + 1) 0 }", "[2, 3]"),
                ("function g() { m::f([1]) |$x| { return('early') } 'late' } g()", "\"early\""),
                ("m::f([1, 2, 3]) |$x| { if $x == 2 { break() } $x }", "[1]"),
            ],
        );
    }

    #[test]
    fn a_block_parameter_is_the_last_of_a_function() {
        check("function m::f(&$b, $a) { 1 }", &[("m::f(1)", "Syntax error at ','")]);
        check("function m::f() { 1 }", &[("[1].map |&$b| { 1 }", "Syntax error at ''")]);
        check(
            "function m::f(Integer &$b) { 1 }",
            &[(
                "m::f()",
                "Evaluation Error: The type of the block parameter $b must be a Callable, or an Optional of one, got Integer",
            )],
        );
    }
}
