//! Evaluating texts: state of the runtime, and its limits.
#![allow(clippy::unwrap_used, missing_docs)]

use puppetfn::error::ErrorKind;
use puppetfn::eval::{Logs, Runtime};
use puppetfn::function::LogLevel;
use puppetfn::limits::Limits;
use puppetfn::value::Value;

fn evaluate(code: &str) -> Value {
    Runtime::new().evaluate(code, None).unwrap()
}

fn error(code: &str) -> String {
    Runtime::new().evaluate(code, Some("/a.pp")).unwrap_err().to_string()
}

#[test]
fn a_text_uses_what_earlier_ones_defined() {
    let runtime = Runtime::new();
    runtime.evaluate("type Port = Integer[1, 65535] function port(Port $p) { $p } $x = 80", None).unwrap();
    assert_eq!(runtime.evaluate("port($x)", None).unwrap(), Value::from(80));
    assert_eq!(
        runtime.evaluate("port(0)", None).unwrap_err().to_string(),
        "Evaluation Error: Error while evaluating a Function Call, 'port' parameter 'p' expects a \
         Port = Integer[1, 65535] value, got Integer[0, 0] (line: 1, column: 1)"
    );
}

#[test]
fn an_error_leaves_the_runtime_usable() {
    let runtime = Runtime::new();
    runtime.evaluate("function f($x) { [$x].each |$y| { fail($y) } }", None).unwrap();
    for _ in 0..3 {
        runtime.evaluate("f('no')", None).unwrap_err();
    }
    assert_eq!(runtime.evaluate("[1, 2].map |$x| { $x + 1 }", None).unwrap(), evaluate("[2, 3]"));
}

#[test]
fn errors_are_placed_in_the_text_that_the_code_is_from() {
    let runtime = Runtime::new();
    runtime.evaluate("\n\nfunction f() { 1 / 0 }", Some("/f.pp")).unwrap();
    assert_eq!(
        runtime.evaluate("f()", Some("/g.pp")).unwrap_err().to_string(),
        "Evaluation Error: Division by 0 (file: /f.pp, line: 3, column: 20)"
    );
}

#[test]
fn times_are_equal_to_the_numbers_of_their_seconds() {
    for code in [
        "Timespan(1) == 1",
        "1 == Timespan(1)",
        "Timestamp(1) == 1",
        "Timespan(1.5) == 1",
        "1.5 == Timespan(1.5)",
        "Timespan(1) in [1]",
        "[Timespan(1)] == [1]",
        "Timespan(1) ? { 1 => true, default => false }",
        "Timespan(1) != Timestamp(1)",
        "Timespan(1) != '1'",
        "2 != Timespan(1)",
    ] {
        assert_eq!(evaluate(code), Value::Boolean(true), "{code}");
    }
}

#[test]
fn lambdas_see_the_variables_around_them() {
    for (code, value) in [
        (
            "function f($a) { [1, 2].map |$x| { $y = $x * $a [$y].map |$z| { $z + $a + $x } } } f(10)",
            "[[21], [32]]",
        ),
        ("$a = 1 [1].map |$x| { $a = 2 $a } + [$a]", "[2, 1]"),
        ("function f() { if true { $a = 1 } [2].map |$x| { $a } } f()", "[1]"),
        ("$a = 'top' function f($c) { if $c { $a = 'own' } $a } [f(true), f(false)]", "['own', 'top']"),
        (
            "function f($n) { [$n].map |$x| { if $x == 0 { [] } else { f($x - 1) + [$x] } } } f(2)",
            "[[[[], 1], 2]]",
        ),
    ] {
        assert_eq!(evaluate(code), evaluate(value), "{code}");
    }
}

#[test]
fn logs_go_to_the_host() {
    let logs = Logs::default();
    let runtime = Runtime::builder().host(logs.clone()).build();
    runtime.evaluate("['a', 'b'].each |$x| { notice($x) }", None).unwrap();
    assert_eq!(logs.take(), [(LogLevel::Notice, "a".into()), (LogLevel::Notice, "b".into())]);
}

#[test]
fn calls_nest_a_thousand_deep_and_no_deeper() {
    let depth = "function depth($n) { if $n == 0 { 0 } else { 1 + depth($n - 1) } }";
    let limits = Limits { stack: 1 << 30, ..Limits::DEFAULT };
    let on_a_large_stack = std::thread::Builder::new().stack_size(1 << 28).spawn(move || {
        let runtime = Runtime::builder().limits(limits).build();
        runtime.evaluate(depth, None).unwrap();
        assert_eq!(runtime.evaluate("depth(999)", None).unwrap(), Value::from(999));
        let error = runtime.evaluate("depth(1000)", None).unwrap_err();
        assert_eq!(error.kind(), &ErrorKind::Limit);
        assert!(error.message().contains("limit 'calls'"), "{error}");
    });
    on_a_large_stack.unwrap().join().unwrap();
}

#[test]
fn no_recursion_overflows_the_stack() {
    for code in [
        "function f($n) { f($n + 1) } f(0)",
        "function f($n) { [$n].map |$x| { f($x) } } f(0)",
        "function f($n) { \"${[{'a' => f($n)}]}\" } f(0)",
        "function f($n) { case $n { f($n): { 1 } default: { 2 } } } f(0)",
        "function f($n = f()) { 1 } f()",
    ] {
        assert!(error(code).contains("limit '"), "{code}: {}", error(code));
    }
}

#[test]
fn reserved_variables_are_not_assigned() {
    assert_eq!(
        error("$facts = 1"),
        "Evaluation Error: Attempt to assign to a reserved variable name: '$facts' (file: /a.pp, line: 1, column: 8)"
    );
    let runtime = Runtime::new();
    runtime.set_variable("facts", [("os".into(), "x".into())].into_iter().collect());
    assert_eq!(runtime.evaluate("$facts['os']", None).unwrap(), Value::from("x"));
}

#[test]
fn what_code_puts_together_has_limits() {
    let limits = Limits { text: 1_000, elements: 1_000, ..Limits::DEFAULT };
    let runtime = || Runtime::builder().limits(limits).build();
    let doubling = |start: &str, double: &str| {
        format!("function f($x, $n) {{ if $n == 0 {{ $x }} else {{ f({double}, $n - 1) }} }} f({start}, 40)")
    };
    for (start, double, limit) in [
        ("'ab'", "\"${x}${x}\"", "limit 'text'"),
        ("[1]", "$x + $x", "limit 'elements'"),
        ("[1]", "[*$x, *$x]", "limit 'elements'"),
    ] {
        let error = runtime().evaluate(&doubling(start, double), None).unwrap_err();
        assert!(error.message().contains(limit), "{double}: {error}");
    }
    assert_eq!(runtime().evaluate("\"${'a'}b\"", None).unwrap(), Value::from("ab"));
}

#[test]
fn fuel_is_spent_by_calls_and_given_anew_to_each_evaluation() {
    let limits = Limits { fuel: Some(100), ..Limits::DEFAULT };
    let runtime = Runtime::builder().limits(limits).build();
    for _ in 0..3 {
        runtime.evaluate("Integer[1, 60].map |$x| { $x }", None).unwrap();
    }
    let error = runtime.evaluate("Integer[1, 101].each |$x| { $x }", None).unwrap_err();
    assert_eq!(*error.kind(), ErrorKind::Limit);
    assert!(error.message().contains("limit 'fuel'"), "{error}");
}

/// A host that interrupts long evaluations.
struct Impatient(std::sync::atomic::AtomicU32);

impl puppetfn::function::Host for Impatient {
    fn call_function(
        &self,
        _: &puppetfn::host::HostRef,
        _: &[Value],
        _: Option<&Value>,
    ) -> Result<Value, puppetfn::error::Error> {
        Ok(Value::Undef)
    }

    fn call_block(&self, _: &Value, _: &[Value]) -> Result<Value, puppetfn::error::Error> {
        Ok(Value::Undef)
    }

    fn log(&self, _: LogLevel, _: &str) {}

    fn poll(&self) -> Result<(), puppetfn::error::Error> {
        match self.0.fetch_add(1, std::sync::atomic::Ordering::Relaxed) {
            0..10 => Ok(()),
            _ => Err(puppetfn::error::Error::new(ErrorKind::Evaluation, "interrupted")),
        }
    }
}

#[test]
fn the_host_can_end_an_evaluation() {
    let runtime = Runtime::builder().host(Impatient(0.into())).build();
    let error = runtime.evaluate("Integer[1, 1000000000].each |$x| { $x }", None).unwrap_err();
    assert!(error.message().contains("interrupted"), "{error}");
}

#[test]
fn an_operand_in_parentheses_is_blamed_where_these_begin() {
    for (code, column) in [
        ("1 + ('a')", 5),
        ("(('a')) + 1", 1),
        ("1 - ([1].filter |$x| { false }[0])", 5),
        ("1 + (('a' + 1))", 7),
        ("(undef)[1]", 1),
        ("[1, 2][('a')]", 8),
        ("Integer[('a')]", 9),
        ("'a' =~ (1)", 8),
        ("(1) =~ /a/", 1),
        ("('a') ? { 'b' => 1 }", 1),
    ] {
        let error = error(code);
        assert!(error.ends_with(&format!("column: {column})")), "{code}: {error}");
    }
}

#[test]
fn objects_of_values_in_order_have_one_for_each_attribute_without_its_own() {
    let with =
        |attributes: &str, call: &str| format!("type P = Object[{{attributes => {{{attributes}}}}}]\n{call}");
    let optional =
        "a => {type => Optional[Integer], kind => given_or_derived}, b => {type => String, value => 'x'}";
    for (call, expected) in [("P(undef).b", "x"), ("P(1, 'y').b", "y"), ("P({}).b", "x")] {
        assert_eq!(evaluate(&with(optional, call)), Value::from(expected), "{call}");
    }
    for (attributes, call, missing) in
        [(optional, "P()", "a"), ("a => Any", "P()", "a"), ("a => Integer, c => {type => Any}", "P(1)", "c")]
    {
        let message =
            format!("attribute P[{missing}] has no value; give undef for it, or a hash of attributes");
        assert!(error(&with(attributes, call)).contains(&message), "{call}");
    }
}

#[test]
fn a_tree_is_of_the_type_of_its_containers() {
    for (code, what) in [
        (
            "{a => 1}.tree_each({container_type => Array}).map |$x| { $x }",
            "which is not of the container_type Array",
        ),
        (
            "{a => 1}.tree_each({container_type => Array, order => breadth_first}) |$x| { $x }",
            "the container_type Array",
        ),
        (
            "{a => 1}.tree_each({container_type => Array, include_root => false}) |$x| { $x }",
            "the container_type Array",
        ),
        ("[1].reverse_each.tree_each |$x| { $x }", "Variant[Array, Hash, Object]"),
    ] {
        let error = error(code);
        assert!(error.contains("There is no tree in a value of type") && error.contains(what), "{error}");
    }
    assert_eq!(
        evaluate("[[1], {a => 2}].tree_each({container_type => Array}).map |$x| { $x[0] }"),
        evaluate("[[], [0], [0, 0], [1]]")
    );
}
