//! Unused variables and parameters.
#![allow(clippy::unwrap_used, reason = "a failure here is a failure of the test")]

use super::command::{Files, command};

/// Returns the messages of a rule in some files.
fn messages(name: &str, rule: &str, files: &[(&str, &str)]) -> Vec<String> {
    let files = Files::new(name, files);
    let (_, out, _) = command(&[&files.path("."), "--select", rule, "--format", "json"]);
    let found: serde_json::Value = serde_json::from_str(&out).unwrap();
    found.as_array().unwrap().iter().map(|one| one["message"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn unused_variables_are_those_that_nothing_can_read() {
    let unused = |code: &str, more: &[(&str, &str)]| {
        let mut files = vec![("modules/app/manifests/init.pp", code)];
        files.extend(more);
        messages("unused-variables", "unused-variable", &files)
    };
    let app = ["Nothing reads the variable 'spare'"];
    assert_eq!(unused("class app { $spare = 1 }", &[]), app);
    assert_eq!(unused("define app::d { if true { [1].each |$x| { $spare = $x } } }", &[]), app);
    assert_eq!(unused("function app::f() { $spare = 1 2 }", &[]), app);
    for code in [
        "class app { $spare = 1 notice($spare) }",
        "class app { $spare = 1 notice(\"${spare}\") }",
        "class app { $spare = 1 notice(inline_epp('<%= $spare %>')) }",
        "class app { $spare = 1 notice(lookup('a')) }",
        "class app { $_spare = 1 }",
        "$spare = 1",
        "class app { $spare = 1 notice(template($file)) }",
        "class app { $spare = 1 notice(template('other/a.erb')) }",
    ] {
        assert_eq!(unused(code, &[]), [""; 0], "{code}");
    }
    for (path, text) in [
        ("modules/app/templates/a.erb", "<%= @spare %>"),
        ("modules/app/manifests/b.pp", "class app::b { notice($app::spare) }"),
        ("modules/app/manifests/b.pp", "class app::b inherits app { notice($spare) }"),
        ("modules/app/templates/b.epp", "<%= $app::spare %>"),
    ] {
        assert_eq!(unused("class app { $spare = 1 }", &[(path, text)]), [""; 0], "{path}");
    }
    let erb = ("modules/app/templates/a.erb", "<%= @other %>");
    assert_eq!(unused("class app { $spare = 1 $x = template('app/a.erb') notice($x) }", &[erb]), app);
}

#[test]
fn unused_parameters_are_those_of_classes_and_defined_types() {
    let code = "class app (Integer $spare, Integer $port = 1, $own = $port) { notice($own) }\n";
    let other = ("modules/app/manifests/d.pp", "define app::d ($spare, $used) { notice($used) }");
    let message = "Nothing reads the parameter 'spare'";
    let files = [("modules/app/manifests/init.pp", code), other];
    assert_eq!(messages("unused-parameters", "unused-parameter", &files), [message; 2]);
    let reader = ("modules/app/manifests/e.pp", "class app::e { notice($::app::spare) }");
    assert_eq!(messages("unused-parameters-read", "unused-parameter", &[files[0], reader]), [""; 0]);
}
