//! Results for unknown values hold for each value that they may be: random code is checked, and evaluated with values
//! of the types of its variables.

use std::sync::Arc;

use proptest::prelude::*;

use super::super::abstraction::{type_of, unknown_of};
use super::super::{Inference, TextOrigin, World};
use super::Walk;
use puppetfn_base::diagnostic::Severity;
use puppetfn_base::limits::Limits;
use puppetfn_runtime::eval::Runtime;
use puppetfn_runtime::loader::{Loader, StdFileSystem};
use puppetfn_syntax::parse;
use puppetfn_types::subject::Verdict;
use puppetfn_types::types::ops::instance;
use puppetfn_types::types::parse::{NoAliases, parse as parse_type};
use puppetfn_types::value::Value;

/// Types, and code of some of their values.
const TYPES: [(&str, &[&str]); 28] = [
    ("Any", &["undef", "1", "'a'", "[1, 'a']", "{'a' => 1}", "default", "/a/", "Integer", "Sensitive('a')"]),
    ("Integer", &["0", "1", "-3", "40"]),
    ("Integer[0, 3]", &["0", "1", "3"]),
    ("Float", &["0.0", "1.5", "-2.0"]),
    ("Numeric", &["1", "2.5"]),
    ("String", &["''", "'a'", "'B'", "'a b'"]),
    ("String[1]", &["'a'", "'xyz'"]),
    ("Enum['a', 'b']", &["'a'", "'b'"]),
    ("Boolean", &["true", "false"]),
    ("Undef", &["undef"]),
    ("Optional[Integer]", &["undef", "1"]),
    ("Optional[String]", &["undef", "'a'"]),
    ("Optional[Enum['a', 'b']]", &["undef", "'a'"]),
    ("Variant[Integer, String]", &["1", "'a'", "''"]),
    ("Variant[Boolean, Array[Integer]]", &["false", "[]", "[1, 2]"]),
    ("Array[Integer]", &["[]", "[1]", "[3, 1, 2]"]),
    ("Array[String, 1]", &["['a']", "['b', 'a', '1']"]),
    ("Array", &["[]", "[undef]", "[1, [2, 'a']]", "[['a', 1]]"]),
    ("Tuple[Integer, String]", &["[1, 'a']"]),
    ("Hash[String, Integer]", &["{}", "{'a' => 1}", "{'b' => 2, 'a' => 3}"]),
    ("Struct[{'a' => Integer, Optional['b'] => String}]", &["{'a' => 1}", "{'a' => 2, 'b' => 'x'}"]),
    ("Collection", &["[]", "{}", "[1]", "{1 => 'a'}"]),
    ("Regexp", &["/a/", "/^b$/"]),
    ("Type", &["Integer", "String[1]", "Array[Integer]"]),
    ("Sensitive[String]", &["Sensitive('a')"]),
    ("Timespan", &["Timespan(1)", "Timespan(1.5)", "Timespan(0)"]),
    ("SemVer", &["SemVer('1.0.0')"]),
    ("Data", &["undef", "1", "'a'", "[1, {'a' => undef}]", "{'a' => [true]}"]),
];

/// Code of which each part is evaluated whenever the whole is.
fn strict() -> impl Strategy<Value = String> {
    leaf().prop_recursive(3, 12, 3, |inner| {
        let pair = (inner.clone(), inner.clone());
        prop_oneof![
            6 => (operator(), pair.clone()).prop_map(|(op, (a, b))| format!("({a} {op} {b})")),
            2 => pair.clone().prop_map(|(a, b)| format!("({a})[{b}]")),
            1 => inner.clone().prop_map(|a| format!("(!{a})")),
            1 => inner.clone().prop_map(|a| format!("(- {a})")),
            1 => pair.clone().prop_map(|(a, b)| format!("[{a}, {b}]")),
            1 => inner.clone().prop_map(|a| format!("[*{a}]")),
            1 => pair.clone().prop_map(|(a, b)| format!("{{{a} => {b}}}")),
            1 => inner.clone().prop_map(|a| format!("\"x${{({a})}}\"")),
            2 => (function(), inner.clone()).prop_map(|(name, a)| format!("{name}({a})")),
            2 => (function_of_two(), pair).prop_map(|(name, (a, b))| format!("{name}({a}, {b})")),
        ]
    })
}

/// Code with paths that may not be taken.
fn lazy() -> impl Strategy<Value = String> {
    strict().prop_recursive(2, 12, 3, |inner| {
        let pair = (inner.clone(), inner.clone());
        let three = (inner.clone(), inner.clone(), inner.clone());
        prop_oneof![
            three.clone().prop_map(|(a, b, c)| format!("(if {a} {{ {b} }} else {{ {c} }})")),
            (test(), pair.clone()).prop_map(|(a, (b, c))| format!("(if {a} {{ {b} }} else {{ {c} }})")),
            (test(), inner.clone()).prop_map(|(a, b)| format!("[{a} and {b}, {a} or {b}]")),
            (options(), three.clone()).prop_map(|(options, (a, b, c))| {
                format!("(case $a {{ {options}: {{ {a} }} undef, Boolean: {{ {b} }} default: {{ {c} }} }})")
            }),
            (options(), three.clone()).prop_map(|(option, (a, b, c))| {
                let option = option.split(", ").next().unwrap_or("1");
                format!("($a ? {{ {option} => {a}, String => {b}, default => {c} }})")
            }),
            pair.clone().prop_map(|(a, b)| format!("(unless {a} {{ {b} }})")),
            three.clone().prop_map(|(a, b, c)| format!("(case {a} {{ {b}: {{ {c} }} 1, 'a': {{ 'x' }} }})")),
            three.prop_map(|(a, b, c)| format!("({a} ? {{ {b} => {c}, default => 2 }})")),
            pair.clone().prop_map(|(a, b)| format!("({a} and {b})")),
            pair.clone().prop_map(|(a, b)| format!("({a} or {b})")),
            (block(), pair.clone()).prop_map(|(name, (a, b))| format!("({a}).{name} |$d| {{ {b} }}")),
            (block(), pair.clone()).prop_map(|(name, (a, b))| format!("({a}).{name} |$d, $e| {{ {b} }}")),
            pair.clone().prop_map(|(a, b)| format!("({a}).map |$d| {{ if $d {{ next({b}) }} $d }}")),
            pair.prop_map(
                |(a, b)| format!("(if {a} {{ $f = {b} }} else {{ $f = 1 }} $f)").replace(" $f)", ")")
            ),
        ]
    })
}

/// Conditions that tell something of a variable.
fn test() -> impl Strategy<Value = String> {
    let simple = prop::sample::select(vec![
        "$a",
        "!$a",
        "$a == undef",
        "$a != undef",
        "$a == true",
        "false == $a",
        "$a == 'a'",
        "$a == 1",
        "$a =~ String",
        "$a !~ String[1]",
        "$a =~ Undef",
        "$a =~ Variant[Integer, Array]",
        "$a =~ Hash[String, Integer]",
        "$a !~ Optional[Integer[1]]",
        "$a =~ Collection",
        "$a =~ Scalar",
        "$a =~ Data",
        "$a =~ /a/",
        "$a !~ /a/",
        "$a =~ NotUndef",
        "$b =~ Integer",
        "$b",
    ]);
    let pair = (simple.clone(), simple.clone());
    prop_oneof![
        2 => simple.prop_map(str::to_owned),
        1 => pair.clone().prop_map(|(a, b)| format!("({a} and {b})")),
        1 => pair.clone().prop_map(|(a, b)| format!("({a} or {b})")),
        1 => pair.prop_map(|(a, b)| format!("(!({a} and {b}))")),
    ]
}

/// Options of a `case`.
fn options() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        "String",
        "Integer, Float",
        "'a', 'b'",
        "undef",
        "true",
        "1, 'a'",
        "/a/",
        "/a/, undef",
        "Array[Integer]",
        "Type",
        "Hash, Undef",
        "Optional[String]",
        "Enum['a']",
        "Boolean[true], 2",
    ])
}

fn leaf() -> impl Strategy<Value = String> {
    let literals = ["1", "'a'", "'1'", "2.5", "undef", "true", "[1, 2]", "{'a' => 1}", "Integer", "/a/", "0"];
    prop_oneof![
        5 => prop::sample::select(vec!["$a", "$b", "$c"]).prop_map(str::to_owned),
        2 => prop::sample::select(literals.to_vec()).prop_map(str::to_owned),
    ]
}

fn operator() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        "+", "-", "*", "/", "%", "<<", ">>", "==", "!=", "<", "<=", ">", ">=", "=~", "!~", "in",
    ])
}

fn function() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        "upcase",
        "downcase",
        "capitalize",
        "length",
        "size",
        "empty",
        "flatten",
        "unique",
        "abs",
        "keys",
        "values",
        "type",
        "String",
        "Integer",
        "Float",
        "Boolean",
        "Array",
        "Numeric",
        "Sensitive",
        "unwrap",
        "sort",
        "max",
        "strip",
        "split",
        "reverse_each",
    ])
}

fn function_of_two() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        "join",
        "split",
        "max",
        "min",
        "compare",
        "versioncmp",
        "dig",
        "get",
        "match",
        "assert_type",
        "convert_to",
        "sprintf",
        "shellquote",
        "slice",
    ])
}

fn block() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        "map",
        "filter",
        "each",
        "with",
        "then",
        "lest",
        "any",
        "all",
        "index",
        "group_by",
        "reduce",
        "partition",
    ])
}

/// Returns the checker's result for code: its value, if any, and whether it is certain to fail.
fn said(world: &World, code: &str, types: [usize; 3]) -> (Option<Value>, bool) {
    let origin = TextOrigin::default();
    let program = parse(code, &Limits::DEFAULT).unwrap();
    let mut walk = Walk::new(world, code, &origin);
    walk.variables.enter();
    for (name, index) in ["a", "b", "c"].into_iter().zip(types) {
        let t = parse_type(TYPES[index].0, &NoAliases, &Limits::DEFAULT).unwrap();
        walk.variables.set(name, unknown_of(&t));
    }
    let value = walk.statements(&program.statements);
    let fails = walk.findings().iter().any(|finding| finding.severity == Severity::Error);
    (value, fails)
}

/// Returns the results of the code for each choice of values.
fn results(code: &str, types: [usize; 3]) -> Vec<Option<Value>> {
    let runtime = Runtime::new();
    let defined = runtime.evaluate(&format!("function environment::t($a, $b, $c) {{ {code} }}"), None);
    // Puppet refuses some code before it is evaluated.
    if defined.is_err() {
        return Vec::new();
    }
    let values = |index: usize| -> Vec<Value> {
        TYPES[index].1.iter().map(|code| runtime.evaluate(&format!("[{code}][0]"), None).unwrap()).collect()
    };
    let [a, b, c] = types.map(values);
    let mut results = Vec::new();
    for (index, a) in a.iter().enumerate() {
        for (other, b) in b.iter().enumerate() {
            let c = &c[(index + other) % c.len()];
            results.push(runtime.call("environment::t", &[a.clone(), b.clone(), c.clone()], None).ok());
        }
    }
    results
}

fn world() -> World {
    let loader = Loader::new(Arc::new(StdFileSystem::DEFAULT), Vec::new(), None, Limits::DEFAULT);
    World::new(Arc::new(loader), Limits::DEFAULT)
}

/// Returns true if a value is possible by the checker's result.
fn is_it(said: &Value, value: &Value) -> bool {
    if !said.contains_unknown() {
        return said == value;
    }
    let t = type_of(said, &Limits::DEFAULT);
    instance(&t, value, &Limits::DEFAULT) != Ok(Verdict::No)
}

fn check(code: &str, types: [usize; 3], is_strict: bool) {
    // A slash may begin a regular expression.
    if parse(code, &Limits::DEFAULT).is_err() {
        return;
    }
    let (said, fails) = said(&world(), code, types);
    let names = types.map(|index| TYPES[index].0);
    for result in results(code, types) {
        let Some(value) = result else { continue };
        // As in Puppet, this is no Float, though it comes of floats.
        if format!("{value:?}").contains("NaN") {
            continue;
        }
        if is_strict {
            assert!(!fails, "{code} of {names:?} was said to fail, but gives {value:?}");
        }
        match &said {
            Some(said) => {
                assert!(is_it(said, &value), "{code} of {names:?} was said to be {said:?}, is {value:?}")
            }
            None => panic!("{code} of {names:?} was said to give nothing, but gives {value:?}"),
        }
    }
}

fn types() -> impl Strategy<Value = [usize; 3]> {
    [0..TYPES.len(), 0..TYPES.len(), 0..TYPES.len()]
}

/// Returns the result of a call of the code with unknown arguments.
fn inferred(code: &str, types: [usize; 3]) -> Option<Value> {
    let loader = Loader::new(Arc::new(StdFileSystem::DEFAULT), Vec::new(), None, Limits::DEFAULT);
    let inference = Inference::new(Arc::new(loader), Limits::DEFAULT);
    let runtime = Runtime::builder().inference(inference).build();
    runtime.evaluate(&format!("function environment::t($a, $b, $c) {{ {code} }}"), None).ok()?;
    let unknown =
        types.map(|index| Value::unknown(parse_type(TYPES[index].0, &NoAliases, &Limits::DEFAULT).unwrap()));
    // Types of a single value are known.
    runtime.call("environment::t", &unknown, None).ok()
}

/// Code that ends its function in some way or other.
fn body() -> impl Strategy<Value = String> {
    (lazy(), lazy(), lazy()).prop_flat_map(|(a, b, c)| {
        prop::sample::select(vec![
            format!("if {a} {{ return({b}) }} {c}"),
            format!("if {a} {{ next({b}) }} {c}"),
            format!("$d = {a} if $d =~ String {{ return($d) }} [$d, {b}]"),
            format!("[1, 2].each |$d| {{ if {a} {{ return({b}) }} }} {c}"),
            format!("$d = {a} unless $d {{ fail('x') }} $d"),
            format!("case {a} {{ Integer: {{ {b} }} String, Undef: {{ 1 }} default: {{ {c} }} }}"),
        ])
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_is_reported_fails_for_all_values(code in strict(), types in types()) {
        check(&code, types, true);
    }

    #[test]
    fn what_functions_give_for_unknown_arguments_holds_for_all(code in body(), types in types()) {
        let Some(inferred) = inferred(&code, types) else { return Ok(()) };
        for value in results(&code, types).into_iter().flatten() {
            if format!("{value:?}").contains("NaN") {
                continue;
            }
            let names = types.map(|index| TYPES[index].0);
            prop_assert!(is_it(&inferred, &value), "{} of {:?} was said to be {:?}, is {:?}", code, names, inferred, value);
        }
    }

    #[test]
    fn ways_that_meet_leave_one_value_or_the_other(code in lazy(), types in types()) {
        check(&code, types, false);
    }
}
