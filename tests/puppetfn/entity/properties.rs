//! For all types, values and documents, the result is a value or an error, never a defect.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use proptest::prelude::*;
use proptest::sample::{Index, select};
use puppetfn::entity::ecore::{ExportOptions, export, import};
use puppetfn::entity::xmi;
use puppetfn::error::{Error, ErrorKind};
use puppetfn::eval::Runtime;
use puppetfn::limits::Limits;
use puppetfn::types::parse::named;
use puppetfn::value::Value;

/// Checks that an error is none of this library.
fn is_answer<T>(result: Result<T, Error>) -> Option<T> {
    match result {
        Ok(value) => Some(value),
        Err(error) => {
            assert_ne!(error.kind(), &ErrorKind::Internal, "{error}");
            None
        }
    }
}

fn name() -> impl Strategy<Value = &'static str> {
    select(vec!["a", "b", "name", "it", "meta", "min", "attr", "has", "invariant", "size", "class"])
}

fn code() -> impl Strategy<Value = &'static str> {
    select(vec![
        "{ true }",
        "{ false }",
        "{ }",
        "{ 'message' }",
        "{ 1 }",
        "$it",
        "$it != 'x'",
        "{ $a == $b }",
        "{ $it + 1 }",
        "|$x| { $x }",
        "|Integer $x| { $x + 1 }",
        "{ $a = 1 }",
        "|$x| { $a += $x $b = $x }",
        "{ $meta[name] }",
        "{ $it.a }",
        "{ T.new({a => $it}) }",
        "{ [1, 2].reduce |$m, $x| { $m + $x } }",
        "{ notice('x') }",
        "{ $it[0] }",
        "|$x, $y| { true }",
        "{ next('no') }",
        "{ [$a, $a, $b] }",
        "{ $it.map |$x| { [$x, $x] } }",
    ])
}

fn setting() -> impl Strategy<Value = String> {
    let number = select(vec!["0", "1", "2", "-1", "unbound", "'1'", "99999999999999999999", "undef"]);
    let flag = select(vec!["true", "false", "1", "'true'"]);
    let default =
        select(vec!["1", "'1'", "'x'", "[1, x]", "undef", "default", "{ a => 1 }", "1.5", "/x/", "$x"]);
    prop_oneof![
        (select(vec!["min", "max"]), number).prop_map(|(name, value)| format!("{name} => {value}")),
        (select(vec!["unsettable", "transient", "setable", "containment", "nosuch"]), flag)
            .prop_map(|(name, value)| format!("{name} => {value}")),
        default.prop_map(|value| format!("default => {value}")),
        (select(vec!["check", "validate", "derived", "set", "get"]), code())
            .prop_map(|(name, code)| format!("{name} => {code}")),
    ]
}

fn member() -> impl Strategy<Value = String> {
    let types = select(vec![
        "",
        ", Integer",
        ", String",
        ", Float",
        ", Boolean",
        ", enum[a, b]",
        ", T",
        ", Base",
        ", Nosuch",
        ", Hash[String, Any]",
        ", Optional[Integer]",
        ", SemVer",
        ", Sensitive",
        ", Variant[Integer, T]",
    ]);
    prop_oneof![
        4 => (select(vec!["attr", "has"]), name(), types, prop::collection::vec(setting(), 0..3)).prop_map(
            |(word, name, t, settings)| format!("{word} {name}{t} {{ {} }}", settings.join(", "))
        ),
        1 => (select(vec!["", "'title' ", "\"${x}\" "]), code()).prop_map(|(title, code)| format!("invariant {title}{code}")),
        1 => Just("abstract".to_owned()),
    ]
}

fn definitions() -> impl Strategy<Value = String> {
    let members = |count| prop::collection::vec(member(), count).prop_map(|members| members.join("\n  "));
    (members(1..3), members(1..4), any::<bool>()).prop_map(|(base, own, inherits)| {
        let parent = if inherits { " inherits Base" } else { "" };
        format!("type Base {{\n  {base}\n}}\ntype T{parent} {{\n  {own}\n}}\n")
    })
}

fn value() -> impl Strategy<Value = String> {
    let leaf = select(vec![
        "1",
        "-1",
        "'x'",
        "''",
        "a",
        "1.5",
        "true",
        "undef",
        "default",
        "'//@a.0'",
        "'#//@b'",
        "'/'",
        "/x/",
        "T",
        "Sensitive(1)",
    ]);
    leaf.prop_map(str::to_owned).prop_recursive(3, 8, 3, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..3).prop_map(|items| format!("[{}]", items.join(", "))),
            prop::collection::vec((name(), inner), 0..3).prop_map(|entries| {
                let entries: Vec<_> =
                    entries.iter().map(|(name, value)| format!("'{name}' => {value}")).collect();
                format!("{{ {} }}", entries.join(", "))
            }),
        ]
    })
}

fn object() -> impl Strategy<Value = String> {
    let statement = (name(), select(vec!["=", "+="]), value())
        .prop_map(|(name, op, value)| format!("$t[{name}] {op} {value}"));
    (prop::collection::vec((name(), value()), 0..4), prop::collection::vec(statement, 0..3)).prop_map(
        |(given, statements)| {
            let given: Vec<_> = given.iter().map(|(name, value)| format!("'{name}' => {value}")).collect();
            format!("T.new({{ {} }}) |$t| {{ {} }}", given.join(", "), statements.join("\n"))
        },
    )
}

/// Returns a text of which a part is another.
fn spoiled(text: &str, from: Index, to: Index, instead: &str) -> String {
    let places: Vec<usize> = text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
    let (a, b) = (*from.get(&places), *to.get(&places));
    let (start, end) = (a.min(b), a.max(b).min(a.min(b) + 12).min(text.len()));
    match (text.get(..start), text.get(end..)) {
        (Some(before), Some(after)) => format!("{before}{instead}{after}"),
        _ => text.to_owned(),
    }
}

const MODEL: &str = "type A { abstract attr name, String { min => 1, check => { $it != '' } } invariant 'x' { true } }
    type B inherits A { attr e, enum[x, y] attr n, Integer[0, 9] { max => 3 } has parts, B { max => unbound } has one, A { containment => false } }";

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn definitions_and_objects_are_accepted_or_refused(definitions in definitions(), object in object(), reads in name()) {
        let runtime = Runtime::new();
        if is_answer(runtime.evaluate(&definitions, None)).is_some()
            && let Some(Value::Object(object)) = is_answer(runtime.evaluate(&object, None))
        {
            is_answer(object.attribute(reads));
            is_answer(object.to_data());
            is_answer(object.fragment());
            assert_eq!(object, object.clone());
            if let Some(text) = is_answer(xmi::write(&object, &Limits::DEFAULT)) {
                is_answer(runtime.object_of_xmi("T", &text));
            }
            let t = named("T", runtime.types()).unwrap();
            if let Some(text) = is_answer(export(&[t], ExportOptions { logic: true, ..ExportOptions::default() })) {
                is_answer(Runtime::new().import_model(&text));
            }
        }
    }

    #[test]
    fn documents_that_are_spoiled_are_read_or_refused(
        from in any::<Index>(), to in any::<Index>(), is_model in any::<bool>(),
        instead in select(vec!["", "<", ">", "\"", "&", "&#0;", "/", " ", "name=\"x\"", "#//A", "-1", "{", "<!--", "]]>", "xsi:"]),
    ) {
        let runtime = Runtime::new();
        runtime.evaluate(MODEL, None).unwrap();
        if is_model {
            let t = named("B", runtime.types()).unwrap();
            let text = spoiled(&export(&[t], ExportOptions { logic: true, ..ExportOptions::default() }).unwrap(), from, to, instead);
            if is_answer(import(&text, &Limits::DEFAULT)).is_some() {
                is_answer(Runtime::new().import_model(&text));
            }
        } else {
            let made = runtime.evaluate("B.new({name => a, e => x, n => [1, 2], one => '//@parts.0', parts => [{name => b}, {name => c, one => '/'}]})", None);
            let Value::Object(object) = made.unwrap() else { unreachable!() };
            let text = spoiled(&xmi::write(&object, &Limits::DEFAULT).unwrap(), from, to, instead);
            is_answer(runtime.object_of_xmi("B", &text));
        }
    }
}
