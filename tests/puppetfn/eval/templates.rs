//! Templates in EPP: their scope, results and error messages.
#![allow(clippy::unwrap_used, missing_docs)]

use puppetfn::eval::Runtime;
use puppetfn::function::EppTemplate;
use puppetfn::value::{Hash, Value};

/// Returns the value, shown as Puppet code, or the error without the place of the call.
fn answer(code: &str) -> String {
    match Runtime::new().evaluate(code, None) {
        Ok(value) => value.inspected(),
        Err(error) => error.to_string().replace(" (line: 1, column: 1)", ""),
    }
}

const PREFIX: &str = "Evaluation Error: Error while evaluating a Function Call, ";

#[test]
fn templates_see_the_variables_around_the_call() {
    for (code, expected) in [
        ("$x = 'top' inline_epp('<%= $x %>')", r#""top""#),
        ("$x = 'top' with('local') |$x| { inline_epp('<%= $x %>') }", r#""local""#),
        ("function f($x) { $y = $x + 1 inline_epp('<%= $x %>-<%= $y %>') } f(1)", r#""1-2""#),
        ("if 'abc' =~ /(b)/ { inline_epp('<%= $1 %>') }", r#""b""#),
        (
            "function f($x) { inline_epp('<%= inline_epp(\"{<%= \\$x %%>}\".regsubst(\"%%\", \"%\")) %>') } f(1)",
            r#""{1}""#,
        ),
        ("function f() { [1, 2].map |$i| { inline_epp('<%= $i %>') } } f()", r#"["1", "2"]"#),
    ] {
        assert_eq!(answer(code), expected, "{code}");
    }
}

#[test]
fn templates_have_variables_of_their_own() {
    for (code, expected) in [
        ("$b = 3 inline_epp('<% $b = 1 %><%= $b %>')", r#""1""#),
        ("inline_epp('<%= $x %>', {'x' => 1})", r#""1""#),
        ("inline_epp('<%= $x %>', {'x' => undef})", r#""""#),
        ("inline_epp('<% [1, 2].each |$i| { %>(<%= $i %>)<% } %>')", r#""(1)(2)""#),
        (
            "inline_epp('<% $a = 1 %>', {'a' => 2})",
            "Evaluation Error: Cannot reassign variable '$a' (file: inlined-epp-text, line: 1, column: 7)",
        ),
    ] {
        assert_eq!(answer(code), expected, "{code}");
    }
    let runtime = Runtime::new();
    runtime.evaluate("inline_epp('<% $b = 1 %>')", None).unwrap();
    assert_eq!(runtime.variable("b"), None);
}

/// Puppet's lexer loses a text that ends with a comment or `<%%`, and takes the latter for an open tag.
#[test]
fn a_comment_at_the_end_takes_the_text_before_it() {
    for (code, expected) in [
        ("inline_epp('a<%# c %>')", r#""""#),
        ("inline_epp('a<%# c %>b')", r#""ab""#),
        ("inline_epp('a<%# c %> ')", r#""a ""#),
        ("inline_epp('<%= 1 %>a<%%')", r#""1""#),
        ("inline_epp('a<%% ')", r#""a<% ""#),
    ] {
        assert_eq!(answer(code), expected, "{code}");
    }
    let unbalanced = answer("inline_epp(\"a<%%<%# c -%>\\n\")");
    assert!(unbalanced.contains("Unbalanced embedded expression - opening <% and reaching"), "{unbalanced}");
}

#[test]
fn parameters_are_given_by_name() {
    for (parameters, arguments, expected) in [
        ("$a, $b = $a + 1", "{a => 1}", r#""1-2""#),
        ("$a = $b, $b", "{b => 2}", r#""2-2""#),
        ("$a, $b = 3", "{a => 1, b => undef}", r#""1-3""#),
        ("$a, $b", "{a => undef, b => 2}", r#""-2""#),
        ("$a, $b", "{a => 1, b => 2, c => undef}", r#""1-2""#),
        (
            "$a = $b, $b = 3",
            "{}",
            "lambda: default expression for $a tries to illegally access not yet evaluated $b",
        ),
        ("Integer $a, $b", "{a => x, b => 2}", "lambda: parameter 'a' expects an Integer value, got String"),
        ("$a, String $b = 1", "{a => x}", "lambda: parameter 'b' expects a String value, got Integer"),
        ("$a, $b", "{}", "lambda:\n  expects a value for parameter 'a'\n  expects a value for parameter 'b'"),
        ("$a, $b = 1", "{a => 1, c => 2}", "lambda: has no parameter named 'c'"),
        ("", "{a => 1}", "lambda: has no parameter named 'a'"),
        ("$a, $facts", "{a => 1, facts => 2}", "Attempt to assign to a reserved variable name: 'facts'"),
    ] {
        let code = format!("inline_epp('<%- |{parameters}| -%><%= $a %>-<%= $b %>', {arguments})");
        let prefix = if expected.starts_with('"') { "" } else { PREFIX };
        assert_eq!(answer(&code), format!("{prefix}{expected}"), "{code}");
    }
}

#[test]
fn what_is_sensitive_makes_the_text_sensitive() {
    let secret = Runtime::new().evaluate("inline_epp('a<%= Sensitive(\"b\") %>').unwrap", None).unwrap();
    assert_eq!(secret, Value::from("ab"));
    assert_eq!(answer("inline_epp('a<%= Sensitive(\"b\") %>') =~ Sensitive[String]"), "true");
}

#[test]
fn templates_can_be_left() {
    for (code, expected) in [
        ("function f() { $a = inline_epp('<% return(5) %>x') \"f=$a\" } f()", r#""f=5""#),
        ("[1, 2].map |$x| { inline_epp('a<% next(7) %>b', {q => 1}) }", "[7, 7]"),
        ("[1, 2].map |$x| { inline_epp('a<% break() %>b', {q => 1}) }", "[]"),
        ("inline_epp('<%- | $x = 1 | -%>a<% next(\"z\") %>b')", r#""z""#),
        (
            "inline_epp('<%- | $x = 1 | -%>a<% next(7) %>b')",
            "Evaluation Error: Error while evaluating a Function Call, value returned from function \
             'inline_epp' has wrong type, expects a value of type String or Sensitive[String], got Integer",
        ),
    ] {
        assert_eq!(answer(code), expected, "{code}");
    }
}

#[test]
fn errors_are_placed_in_the_template() {
    for (template, expected) in [
        ("a\n<%= 1 / 0 %>", "Evaluation Error: Division by 0 (file: inlined-epp-text, line: 2, column: 9)"),
        (
            "<% [1].foo %>",
            "Evaluation Error: Unknown function: 'foo'. (file: inlined-epp-text, line: 1, column: 7)",
        ),
        (
            "<%= 1 + %>",
            "Evaluation Error: Error while evaluating a Function Call, inline_epp(): Invalid EPP: Syntax error \
             at '%>' (file: inlined-epp-text, line: 1, column: 9)",
        ),
        (
            "<% function foo() {} %>a",
            "Evaluation Error: Error while evaluating a Function Call, inline_epp(): Invalid EPP: A Function \
             Definition may only appear at toplevel (file: inlined-epp-text, line: 1, column: 4)",
        ),
    ] {
        assert_eq!(answer(&format!("inline_epp('{template}')")), expected, "{template}");
    }
}

#[test]
fn classes_have_templates_that_see_their_variables() {
    let runtime = Runtime::builder().manifests().build();
    let code = "
        $y = 'top'
        class c($p) { $x = 'own' notify { 'c': message => inline_epp('<%= $p %> <%= $x %> <%= $y %>') } }
        class { c: p => 1 }
        define d($p) { notify { 'd': message => inline_epp('<%= $p %> <%= $title %>') } }
        d { t: p => 2 }";
    runtime.evaluate(code, None).unwrap();
    let catalog = runtime.catalog().unwrap();
    let message = |title: &str| {
        let found = catalog.resources().find(|resource| resource.title() == title);
        found.unwrap().get("message").cloned().unwrap()
    };
    assert_eq!((message("c"), message("d")), (Value::from("1 own top"), Value::from("2 t")));
}

#[test]
fn templates_are_rendered_without_code_around() {
    let runtime = Runtime::new();
    let template = EppTemplate { text: "<%= $x %>", file: "x.epp", function: "epp", sees_locals: false };
    let arguments: Hash = [(Value::from("x"), Value::from(1))].into_iter().collect();
    assert_eq!(runtime.render(&template, Some(&arguments)).unwrap(), Value::from("1"));
    let error = runtime.render(&template, None).unwrap_err();
    assert_eq!(
        error.to_string(),
        "Evaluation Error: Unknown variable: 'x'. (file: x.epp, line: 1, column: 5)"
    );
}

#[test]
fn templates_that_evaluate_themselves_meet_the_limit() {
    let answer = answer("$t = '<%= inline_epp($t) %>' inline_epp($t)");
    assert!(answer.contains("raise it with Limits"), "{answer}");
}
