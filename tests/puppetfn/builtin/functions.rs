//! The table of built-in functions, walked: every declaration is complete and true.
#![allow(clippy::unwrap_used, clippy::panic, missing_docs)]

use std::cell::RefCell;
use std::sync::Arc;

use puppetfn::builtin::registry;
use puppetfn::error::{Error, ErrorKind};
use puppetfn::eval::Runtime;
use puppetfn::function::{Caller, Function, FunctionBody, Host, LogLevel, Native, Signature};
use puppetfn::host::{HostId, HostRef, ReleasedSlots};
use puppetfn::limits::Limits;
use puppetfn::syntax;
use puppetfn::syntax::ast::{Expr, ExprKind};
use puppetfn::types::parse::{NoAliases, TypeLookup, parse};
use puppetfn::types::{Alias, Size, Type};
use puppetfn::value::{Binary, Callable, Value};

/// A host without functions and blocks that records log messages.
#[derive(Default)]
struct TestHost {
    logs: RefCell<Vec<(LogLevel, String)>>,
}

impl Host for TestHost {
    fn call_function(&self, _: &HostRef, _: &[Value], _: Option<&Value>) -> Result<Value, Error> {
        Err(Error::new(ErrorKind::Internal, "the test host has no functions"))
    }

    fn call_block(&self, _: &Value, _: &[Value]) -> Result<Value, Error> {
        Err(Error::new(ErrorKind::Internal, "the test host has no blocks"))
    }

    fn log(&self, level: LogLevel, message: &str) {
        self.logs.borrow_mut().push((level, message.to_owned()));
    }
}

impl Caller for TestHost {
    fn host(&self) -> &dyn Host {
        self
    }
}

/// Returns a block that takes this many arguments.
fn block(parameters: usize) -> Value {
    let count = Size::exactly(parameters);
    let signature = Signature::untyped(count, []).callable_type();
    let host = HostRef::new(HostId::new(0), Arc::new(ReleasedSlots::default()));
    Value::Callable(Arc::new(Callable::of_host(host, signature)))
}

fn function(name: &str) -> &'static Function {
    registry().get(name).unwrap().unwrap_or_else(|| panic!("no function '{name}'"))
}

/// Types that only inference makes print as the nearest that can be written.
fn shown(value: &Value) -> String {
    Value::from(vec![value.clone()]).ruby_to_s(&Limits::DEFAULT).unwrap()
}

/// Returns the name of the function that a text calls, and the arguments; `None` unless the text is just a call.
fn call(code: &str) -> Option<(&str, Vec<Value>)> {
    let program = syntax::parse(code, &Limits::DEFAULT).unwrap();
    let [Expr { kind: ExprKind::Call(call), .. }] = program.statements.as_slice() else { return None };
    let ExprKind::Name(name) = call.function.kind else { return None };
    let value = |argument: &Expr<'_>| Runtime::new().evaluate(argument.span.text(code), None).unwrap();
    Some((name, call.arguments.iter().map(value).collect()))
}

fn native(function: &Function) -> &Native {
    match function.body() {
        FunctionBody::Native(native) => native,
        FunctionBody::Host(_) => panic!("'{}' is not native", function.name()),
    }
}

fn run(name: &str, arguments: &[Value]) -> (Result<Value, String>, Vec<(LogLevel, String)>) {
    let host = TestHost::default();
    let result = function(name).call(&host, arguments, None).map_err(|error| error.to_string());
    (result, host.logs.into_inner())
}

#[test]
fn every_function_is_documented_and_has_the_name_it_is_found_by() {
    for name in registry().names() {
        let function = function(name);
        assert_eq!(function.name(), name);
        assert!(native(function).doc().ends_with('.'), "{name} needs a doc of whole sentences");
        assert!(!function.signatures().is_empty(), "{name} needs a signature");
        assert!(
            !native(function).examples().is_empty()
                || matches!(
                    name,
                    "eyaml_lookup_key"
                        | "fail"
                        | "generate"
                        | "hocon_data"
                        | "import"
                        | "inline_template"
                        | "json_data"
                        | "template"
                        | "yaml_data"
                ),
            "{name} needs an example"
        );
    }
}

#[test]
fn every_function_has_recorded_cases() {
    let cases = [
        include_str!("../../../spec/vectors/lang/builtins.jsonl"),
        include_str!("../../../spec/vectors/lang/control.jsonl"),
        include_str!("../../../spec/vectors/lang/functions.jsonl"),
        include_str!("../../../spec/vectors/lang/lambdas.jsonl"),
        include_str!("../../../spec/vectors/lang/resources.jsonl"),
    ];
    // Functions that need files or a program are tested elsewhere: `tests/lookup.rs`, `spec/unit/files_spec.rb`.
    let others =
        ["eyaml_lookup_key", "generate", "hiera_include", "hocon_data", "json_data", "scanf", "yaml_data"];
    for name in registry().names().filter(|name| !name.starts_with("cty::")) {
        let is_called =
            |text: &&str| text.contains(&format!("{name}(")) || text.contains(&format!("{name} "));
        assert_eq!(cases.iter().any(is_called), !others.contains(&name), "{name}");
    }
}

/// Knows the names of the types that some functions define for their signatures. Aliases are equal by
/// their names.
struct LocalNames;

impl TypeLookup for LocalNames {
    fn find(&self, name: &str) -> Result<Option<Type>, Error> {
        let names = [
            "BlockType",
            "Comparable",
            "DefaultValueType",
            "MergeType",
            "NameType",
            "OptionsType",
            "OptionsWithName",
            "OptionsWithoutName",
            "StringData",
            "ValueType",
        ];
        let t = || {
            if name == "BlockType" { parse("Callable", &NoAliases, &Limits::DEFAULT) } else { Ok(Type::Any) }
        };
        names.contains(&name).then(|| Ok(Type::Alias(Alias::new(name, t()?)))).transpose()
    }
}

#[test]
fn every_signature_prints_and_parses_back() {
    for name in registry().names() {
        for signature in function(name).signatures() {
            let types = |t: &str| parse(t, &LocalNames, &Limits::DEFAULT);
            let again = Signature::parse(&signature.to_string(), types).unwrap();
            assert_eq!(again.handling_mismatch(signature.handles_mismatch()), *signature, "{name}");
        }
    }
}

#[test]
fn every_example_is_true() {
    for name in registry().names() {
        for example in native(function(name)).examples() {
            // Some declare resources, which scripts cannot.
            let runtime = || Runtime::builder().manifests().build();
            let value = |code: &str| runtime().evaluate(code, None).unwrap();
            assert!(example.code.contains(name), "{} does not call {name}", example.code);
            assert_eq!(shown(&value(&example.code)), shown(&value(&example.result)), "{}", example.code);
        }
    }
}

#[test]
fn every_return_rule_holds_for_the_examples() {
    for name in registry().names() {
        for example in native(function(name)).examples().iter().filter(|example| !example.code.contains('|'))
        {
            // Some examples are more than a call.
            let Some((_, arguments)) = call(&example.code) else { continue };
            let infer = |value: &Value| puppetfn::types::ops::infer_set(value, &Limits::DEFAULT).unwrap();
            let types: Vec<Type> = arguments.iter().map(infer).collect();
            let promised = function(name).return_type(&types);
            let result = Runtime::new().evaluate(&example.code, None).unwrap();
            assert!(promised.assignable(&infer(&result)), "{name} promises {promised}, gives {result:?}");
        }
    }
}

#[test]
fn logs_are_written_as_puppet_interpolates() {
    for (arguments, message) in [
        ("notice()", ""),
        ("notice(1, 2.5, true, undef, default)", "1 2.5 true  default"),
        ("notice(Sensitive('secret'))", "Sensitive [value redacted]"),
        ("notice([undef])", "[]"),
        ("notice({a => undef})", "{a => }"),
        ("notice({}, [], /x/)", "{} [] /x/"),
        ("notice(1e20, 1.0, 100.5)", "1.0e+20 1.0 100.5"),
    ] {
        let (_, arguments) = call(arguments).unwrap();
        assert_eq!(run("notice", &arguments), (Ok(Value::Undef), vec![(LogLevel::Notice, message.into())]));
    }
}

#[test]
fn errors_are_worded_as_in_puppet() {
    for (code, message) in [
        ("fail(1, 2, 3)", "1 2 3"),
        ("fail(true, 'x')", "true x"),
        ("fail(Sensitive('x'))", "Sensitive [value redacted]"),
        ("fail(/x/, ['a', undef])", r#"/x/ ["a", nil]"#),
        ("join()", "'join' expects between 1 and 2 arguments, got none"),
        ("join({a => 1}, ',')", "'join' parameter 'arg' expects an Array value, got Struct"),
        ("join(['a', 'b'], 1)", "'join' parameter 'delimiter' expects a String value, got Integer"),
        (
            "type(5, 'bogus')",
            "'type' parameter 'inference_method' expects a match for \
             Enum['detailed', 'generalized', 'reduced'], got 'bogus'",
        ),
        ("assert_type(Integer[1, 3], 5)", "assert_type(): expects an Integer[1, 3] value, got Integer[5, 5]"),
        (
            "assert_type(Array[Integer], [1, 'a'])",
            "assert_type(): index 1 expects an Integer value, got String",
        ),
        (
            "assert_type(Struct[{a => Integer}], {b => 1})",
            " assert_type(): expects a value for key 'a'\n  assert_type(): unrecognized key 'b'",
        ),
        ("assert_type(Integer)", "'assert_type' expects 2 arguments, got 1"),
        ("assert_type('Integer[', 5)", "Syntax error at end of input"),
        ("lest(undef)", "'lest' expects a block"),
        ("with(5)", "'with' expects a block"),
        ("strftime(Timespan(0), '%X')", "Bad format specifier '%' in '%X', at position 1"),
        ("strftime(Timestamp(0), '%F', 'Europe/Stockholm')", "Illegal timezone 'Europe/Stockholm'"),
        (
            "strftime(5)",
            "The function 'strftime' was called with arguments it does not accept. It expects one of:\n  \
             (Timespan time_object, String format)\n    rejected: expects 2 arguments, got 1\n  \
             (Timestamp time_object, String format, String timezone?)\n    rejected: expects between 2 and 3 \
             arguments, got 1\n  \
             (String format, String timezone?)\n    rejected: parameter 'format' expects a String value, got \
             Integer",
        ),
    ] {
        let (name, arguments) = call(code).unwrap();
        assert_eq!(run(name, &arguments).0, Err(message.to_owned()), "{code}");
    }
}

#[test]
fn the_number_of_arguments_of_a_block_is_checked() {
    let host = TestHost::default();
    let arguments = [Value::from(Type::INTEGER), "a".into()];
    let error = function("assert_type").call(&host, &arguments, Some(&block(1))).unwrap_err();
    assert_eq!(error.message(), "'assert_type' block expects 2 arguments, got 1");
    let error = function("length").call(&host, &["a".into()], Some(&block(1))).unwrap_err();
    assert_eq!(error.message(), "'length' does not expect a block");
}

#[test]
fn a_number_is_not_empty_but_deprecated() {
    let warning =
        "Calling function empty() with Numeric value is deprecated.\n   (file & line not available)"
            .to_owned();
    assert_eq!(run("empty", &[5.into()]), (Ok(Value::Boolean(false)), vec![(LogLevel::Warning, warning)]));
}

#[test]
fn the_present_time_is_formatted_with_a_warning() {
    let (text, logs) = run("strftime", &["at %%".into(), "UTC".into()]);
    assert_eq!(text, Ok("at %".into()));
    assert!(
        matches!(&*logs, [(LogLevel::Warning, message)] if message.contains("is deprecated for #strftime"))
    );
}

#[test]
fn what_is_not_known_is_not_given_to_a_function() {
    let unknown = |t: &str| Value::unknown(parse(t, &NoAliases, &Limits::DEFAULT).unwrap());
    let list = |item: Value| Value::from(vec![item]);
    for (name, arguments, result) in [
        ("length", vec![unknown("String")], unknown("Integer[0]")),
        ("length", vec![list(unknown("String"))], 1.into()),
        ("length", vec![unknown("Any")], unknown("Integer[0]")),
        ("join", vec![list(unknown("String"))], unknown("String")),
        ("notice", vec![unknown("String")], Value::Undef),
        ("type", vec![unknown("Integer")], unknown("Type[Integer]")),
        ("assert_type", vec![Type::INTEGER.into(), unknown("Integer[1, 2]")], unknown("Integer[1, 2]")),
        ("assert_type", vec![Type::INTEGER.into(), unknown("Numeric")], unknown("Integer")),
        ("assert_type", vec![unknown("String"), 1.into()], unknown("Any")),
    ] {
        let (answer, logs) = run(name, &arguments);
        assert_eq!((answer, logs), (Ok(result), vec![]), "{name}");
    }
    let (answer, _) = run("length", &[unknown("Integer")]);
    assert!(answer.unwrap_err().starts_with("'length' parameter 'arg' expects"));
}

#[test]
fn what_would_not_fit_into_memory_is_refused() {
    for code in ["unique(9223372036854775807)", "slice(Integer[0, 99999999999], 2)", "upcase(['a'])[0]"] {
        let result = Runtime::new().evaluate(code, None);
        assert_eq!(
            result.is_err_and(|error| *error.kind() == ErrorKind::Limit),
            !code.starts_with("up"),
            "{code}"
        );
    }
}

#[test]
fn the_size_of_a_binary_value_is_its_bytes() {
    for (bytes, count) in [(&b""[..], 0), (&[0xC3, 0xA9], 2)] {
        let arguments = [Value::Binary(Binary::new(bytes))];
        assert_eq!(run("length", &arguments).0, Ok(Value::Integer(count)));
        assert_eq!(run("size", &arguments).0, Ok(Value::Integer(count)));
        assert_eq!(run("empty", &arguments).0, Ok(Value::Boolean(count == 0)));
    }
}

#[test]
fn numbers_are_sorted_however_far_apart_they_lie() {
    let lists: [&[i64]; 7] = [
        &[],
        &[7],
        &[3, -1, 2, 3, -1],
        &[i64::MAX, i64::MAX - 2, i64::MAX],
        &[i64::MIN + 1, i64::MIN, i64::MIN + 3],
        &[i64::MAX, 0, i64::MIN, -1],
        &[1 << 40, 5, -(1 << 40), 5],
    ];
    for list in lists {
        let numbers: Vec<Value> = list.iter().copied().map(Value::Integer).collect();
        let mut sorted = list.to_vec();
        sorted.sort_unstable();
        let sorted: Vec<Value> = sorted.into_iter().map(Value::Integer).collect();
        assert_eq!(run("sort", &[numbers.into()]).0, Ok(sorted.into()), "{list:?}");
    }
}
