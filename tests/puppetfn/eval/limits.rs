//! Code that makes much of little: it ends, soon, with an error that names a limit.
#![allow(clippy::unwrap_used, missing_docs)]

use std::time::{Duration, Instant};

use puppetfn::error::{Error, ErrorKind};
use puppetfn::eval::Runtime;
use puppetfn::limits::Limits;
use puppetfn::value::Value;

fn evaluate(code: &str, limits: Limits) -> Result<Value, Error> {
    Runtime::builder().limits(limits).build().evaluate(code, None)
}

/// Asserts that code ends with the error of a limit, and soon: without the limit it would take years, so
/// that there is no need to know how fast the machine is.
fn hits(limit: &str, code: &str) {
    hits_within(limit, code, Limits::DEFAULT);
}

fn hits_within(limit: &str, code: &str, limits: Limits) {
    let started = Instant::now();
    let error = evaluate(code, limits).unwrap_err();
    assert_eq!(error.kind(), &ErrorKind::Limit, "{code}: {error}");
    assert!(error.message().contains(&format!("(limit '{limit}'; raise it with Limits")), "{code}: {error}");
    assert!(started.elapsed() < Duration::from_secs(60), "{code}");
}

/// Code that applies an operation 100,000 times, starting with `first`.
fn again_and_again(first: &str, code: &str) -> String {
    format!("Integer[1, 100000].reduce({first}) |$x, $n| {{ {code} }}")
}

#[test]
fn collections_that_share_their_parts_have_no_more_elements_than_others() {
    for code in [
        "[$x, $x]",
        "{'a' => $x, 'b' => $x}",
        "[[$x], $x]",
        "$x << $x",
        "$x << [$x]",
        "[$x.reverse_each, $x]",
        "f($x, $x)",
    ] {
        let code = format!("function f(*$all) {{ $all }} {}", again_and_again("[1]", code));
        hits("elements", &code);
    }
    hits("elements", &again_and_again("{}", "{'a' => $x, 'b' => [$x]} + {'c' => $x}"));
}

#[test]
fn what_code_makes_nests_no_deeper_than_what_can_be_looked_at() {
    for code in [
        "[$x]",
        "{'a' => $x}",
        "{$x => 1}",
        "[[], [$x]]",
        "[$x].reverse_each",
        "$x.step(1)",
        "[Sensitive([$x])]",
        "f($x)",
        "[$x].with |*$all| { $all }",
        "Deferred('f', [$x])",
    ] {
        let code = format!("function f(*$all) {{ $all }} {}", again_and_again("[1]", code));
        hits("nesting", &code);
    }
}

#[test]
fn types_that_code_makes_have_bounds_too() {
    for code in [
        "Array[$x]",
        "Optional[Array[$x]]",
        "Tuple[$x]",
        "Struct[{'a' => $x}]",
        "Hash[$x, Integer]",
        "Type[$x]",
        "Callable[$x]",
        "Callable[[Integer], $x]",
        "Iterable[$x]",
        "Sensitive[$x]",
        "Init[Tuple[$x]]",
        "type([$x])",
        "Object[{attributes => {'a' => $x}}]",
    ] {
        hits("nesting", &again_and_again("Integer[0, 1]", code));
    }
    hits("work", &again_and_again("Integer[0, 1]", "Tuple[$x, $x]"));
    hits("work", &again_and_again("Integer[0, 1]", "Struct[{'a' => $x, 'b' => $x}]"));
}

#[test]
fn arguments_are_counted_together() {
    let many = "$a = Array(Integer[1, 1000000])";
    let all = ["*$a"; 20].join(", ");
    hits("elements", &format!("{many} flatten({all})"));
    hits("elements", &format!("{many} function f(*$all) {{ 1 }} f({all})"));
    let all = ["$a"; 20].join(", ");
    hits("elements", &format!("{many} flatten({all})"));
}

#[test]
fn what_blocks_collect_has_no_more_elements_than_other_collections() {
    let limits = Limits { elements: 1_000, ..Limits::DEFAULT };
    for code in [
        "Integer[1, 9223372036854775807].map |$x| { $x }",
        "Integer[1, 9223372036854775807].filter |$x| { true }",
        "Integer[1, 9223372036854775807].reverse_each.map |$x| { [$x] }",
        "Integer[1, 300].map |$x| { [1, [2, 3]] }",
    ] {
        hits_within("elements", code, limits);
    }
}

#[test]
fn what_is_large_takes_no_more_time_than_its_size_demands() {
    let started = Instant::now();
    for code in [
        // One array of hashes of the same size; elements that all differ; trees in which arrays grow.
        "Integer[0, 30000].map |$x| { {'a' => $x} }.unique.size",
        "$a = Array(Integer[0, 30000]) $b = $a.map |$x| { $x + 30001 } size($a - $b)",
        "Hash(Integer[0, 30000].map |$x| { [['a', $x], $x] } + [[['a'], []]], 'tree').size",
    ] {
        let result = evaluate(code, Limits::DEFAULT);
        assert!(matches!(result, Ok(Value::Integer(_))), "{code}: {result:?}");
    }
    assert!(started.elapsed() < Duration::from_secs(60));
}

#[test]
fn texts_that_functions_put_together_have_bounds() {
    let long = "$t = sprintf('%10000s', 'x') $l = Array(Integer[1, 1000])";
    for code in [
        "regsubst($t, ' ', $t, 'G')",
        "regsubst($t, '.', '\\0', 'G').regsubst('.', $t, 'G')",
        "$l.join($t)",
        "$l.map |$x| { $t }.join",
        "\"${$l.map |$x| { $t }}\"",
        "String($l.map |$x| { $t })",
        "sprintf('%s', $l.map |$x| { $t })",
        "inline_epp('<% $l.each |$x| { %><%= $t %><% } %>', {'t' => $t, 'l' => $l})",
        "$l.reduce('a') |$x, $y| { \"${x}${x}\" }",
    ] {
        hits_within("text", &format!("{long} {code}"), Limits { text: 1_000_000, ..Limits::DEFAULT });
    }
}
