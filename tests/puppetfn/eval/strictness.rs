//! Puppet's settings `strict` and `strict_variables`, and the initial variables.
#![allow(clippy::unwrap_used, missing_docs)]

use puppetfn::diagnostic::Strict;
use puppetfn::eval::{Logs, Runtime, RuntimeBuilder};
use puppetfn::limits::Limits;
use puppetfn::value::{Hash, Value};

/// Returns the result of code under settings, or its error, with the log.
fn outcome(code: &str, strict: Strict, strict_variables: bool) -> (String, Vec<String>) {
    outcome_of(code, Runtime::builder().strict(strict).strict_variables(strict_variables))
}

fn outcome_of(code: &str, builder: RuntimeBuilder) -> (String, Vec<String>) {
    let logs = Logs::default();
    let runtime = builder.host(logs.clone()).build();
    let result = match runtime.evaluate(code, None) {
        Ok(value) => value.interpolated(&Limits::DEFAULT).unwrap(),
        Err(error) => error.to_string(),
    };
    (result, logs.take().into_iter().map(|(level, message)| format!("{level}: {message}")).collect())
}

/// Expects the error in strict mode, the value with warnings in warning mode, and just the value if strictness is off.
fn expect(code: &str, value: &str, warnings: &[&str], error: &str) {
    let warnings: Vec<String> = warnings.iter().map(|warning| format!("warning: {warning}")).collect();
    assert_eq!(outcome(code, Strict::Off, false), (value.into(), vec![]), "{code}");
    assert_eq!(outcome(code, Strict::Warning, false), (value.into(), warnings), "{code}");
    assert_eq!(outcome(code, Strict::Error, false), (error.into(), vec![]), "{code}");
}

#[test]
fn a_variable_without_a_value_is_undef_where_nothing_is_strict() {
    expect(
        "\"${nosuch}-${a::b}\"",
        "-",
        &["Unknown variable: 'nosuch'.", "Unknown variable: 'a::b'."],
        "Evaluation Error: Unknown variable: 'nosuch'. (line: 1, column: 4)",
    );
}

#[test]
fn strict_variables_decides_alone() {
    for strict in Strict::ALL {
        let (error, logs) = outcome("$nosuch", strict, true);
        assert_eq!(error, "Evaluation Error: Unknown variable: 'nosuch'. (line: 1, column: 1)");
        assert_eq!(logs, Vec::<String>::new());
    }
}

#[test]
fn texts_of_numbers_are_computed_with() {
    let coerced =
        |text: &str| format!("The string '{text}' was automatically coerced to the numerical value {text}");
    let error = |text: &str, at: u32| format!("Evaluation Error: {} (line: 1, column: {at})", coerced(text));
    expect("'1' + '2.5'", "3.5", &[&coerced("1"), &coerced("2.5")], &error("1", 1));
    expect("-'3'", "-3", &[&coerced("3")], &error("3", 1));
    expect("[a, b]['1']", "b", &[&coerced("1")], &error("1", 8));
    for strict in Strict::ALL {
        let not_a_number =
            "Evaluation Error: The value 'x' cannot be converted to Numeric. (line: 1, column: 1)";
        assert_eq!(outcome("'x' + 1", strict, false), (not_a_number.into(), vec![]));
    }
}

#[test]
fn the_last_of_two_equal_keys_counts() {
    expect(
        "{a => 1, b => 2, a => 3}",
        "{a => 3, b => 2}",
        &["The key 'a' is declared more than once"],
        "The key 'a' is declared more than once (line: 1, column: 20)",
    );
}

#[test]
fn a_resource_that_was_evaluated_is_changed() {
    let code = "define d($x = 1) { } class a { d { 'a': } Notify['n'] -> D['a'] } include a notify { 'n': }";
    let logs = Logs::default();
    let change = "class b inherits a { D['a'] { x => 2 } } include b";
    let run = |strict: Strict| {
        let runtime = Runtime::builder().manifests().strict(strict).host(logs.clone()).build();
        runtime.evaluate(code, None).unwrap();
        runtime.catalog().unwrap();
        runtime.evaluate(change, Some("/b.pp")).map_err(|error| error.to_string())?;
        let catalog = runtime.catalog().unwrap();
        let resource = catalog.resources().find(|resource| resource.type_name() == "D").unwrap();
        Ok::<_, String>(resource.get("x").cloned())
    };
    let message = "Attempt to override an already evaluated resource, defined at (line: 1), with new values \
                   (file: /b.pp, line: 1)";
    assert_eq!(run(Strict::Off), Ok(Some(Value::from(2))));
    assert_eq!(logs.take(), vec![]);
    assert_eq!(run(Strict::Warning), Ok(Some(Value::from(2))));
    let logged: Vec<String> = logs.take().into_iter().map(|(_, message)| message).collect();
    assert_eq!(logged, [message]);
    assert!(run(Strict::Error).unwrap_err().contains("already evaluated resource"));
}

fn hash(name: &str, value: impl Into<Value>) -> Hash {
    [(Value::from(name), value.into())].into_iter().collect()
}

#[test]
fn what_is_known_is_there_before_all_code() {
    let builder = || {
        Runtime::builder()
            .facts(hash("kernel", "Linux"))
            .trusted(hash("certname", "web"))
            .server_facts(hash("serverversion", "8.11.0"))
            .settings(hash("confdir", "/etc/puppet"))
            .environment("test")
    };
    for (code, value) in [
        ("$kernel", "Linux"),
        ("$facts['kernel']", "Linux"),
        ("$trusted", "{certname => web}"),
        ("$server_facts", "{serverversion => 8.11.0}"),
        ("$environment", "test"),
        ("$settings::confdir", "/etc/puppet"),
        ("$settings::strict", "error"),
        ("$::settings::strict_variables", "true"),
        ("$settings::environment", "production"),
        ("function f() { [$kernel, $settings::confdir] } f()", "[Linux, /etc/puppet]"),
    ] {
        assert_eq!(outcome_of(code, builder()), (value.into(), vec![]), "{code}");
    }
}

#[test]
fn what_is_known_cannot_be_set() {
    for name in ["facts", "trusted", "server_facts"] {
        let code = format!("${name} = 1");
        let at = name.len() + 3;
        let error = format!(
            "Evaluation Error: Attempt to assign to a reserved variable name: '${name}' (line: 1, column: {at})"
        );
        assert_eq!(outcome(&code, Strict::Off, false), (error, vec![]));
    }
    let facts = || Runtime::builder().facts(hash("kernel", "Linux"));
    let (error, _) = outcome_of("$kernel = 1", facts());
    assert_eq!(error, "Evaluation Error: Cannot reassign variable '$kernel' (line: 1, column: 9)");
    let (error, _) = outcome_of("$settings::x = 1", facts());
    assert!(error.contains("Cannot assign to variables in other namespaces"), "{error}");
}
