//! cty's functions on hostile input, and properties that hold for all of them.
#![allow(clippy::unwrap_used, clippy::panic, missing_docs)]

use std::sync::Arc;

use proptest::prelude::*;
use puppetfn::builtin;
use puppetfn::cty::{
    CtyFunction, CtyNumber, CtyParameter, CtyType, CtyValue, DigitCount, argument_error, stdlib,
};
use puppetfn::error::{Error, ErrorKind};
use puppetfn::function::NoHost;
use puppetfn::limits::Limits;
use puppetfn::types::{Size, Type as PuppetType};
use puppetfn::value::Value as Puppet;
use serde::Deserialize;

fn text(length: usize) -> CtyValue {
    CtyValue::string("x".repeat(length))
}

fn strings(count: usize) -> CtyValue {
    CtyValue::list(&CtyType::String, (0..count).map(|_| text(1))).unwrap()
}

#[track_caller]
fn assert_limited(result: Result<CtyValue, Error>) {
    assert_eq!(result.unwrap_err().kind(), &ErrorKind::Limit);
}

#[test]
fn what_would_be_huge_is_refused() {
    let many = strings(2_000);
    assert_limited(stdlib::set_product(&[strings(2_000), strings(2_000)], &Limits::DEFAULT));
    assert_limited(stdlib::join(&text(1_000), &[strings(2_000)], &Limits::DEFAULT));
    assert_limited(stdlib::replace(&text(2_000), &"x".into(), &text(1_000), &Limits::DEFAULT));
    assert_limited(stdlib::regex_replace(&text(2_000), &"x".into(), &text(1_000), &Limits::DEFAULT));
    assert_limited(stdlib::indent(&CtyValue::from(1_000_000_000), &"\n".into(), &Limits::DEFAULT));
    for format in ["%9999999999s", "%.9999999999f", "%.999999999f", "%99999999999999999999999d"] {
        assert_limited(stdlib::format(&format.into(), &[CtyValue::from(1)], &Limits::DEFAULT));
    }
    assert_limited(stdlib::format_list(&"%2000s".into(), &[many], &Limits::DEFAULT));
    assert_limited(stdlib::json_encode(
        &CtyValue::number(CtyNumber::parse("1e99999999").unwrap()),
        &Limits::DEFAULT,
    ));
    assert_limited(stdlib::format(&"%d".into(), &[huge()], &Limits::DEFAULT));
}

fn huge() -> CtyValue {
    CtyValue::number(CtyNumber::parse("1e600000000").unwrap())
}

#[test]
fn huge_exponents_take_no_time() {
    let small = CtyValue::number(CtyNumber::parse("1e-600000000").unwrap());
    assert!(stdlib::less_than(&small, &huge(), &Limits::DEFAULT).unwrap().as_bool().unwrap());
    assert!(stdlib::add(&huge(), &small, &Limits::DEFAULT).unwrap().is_same(&huge()).unwrap());
    assert!(stdlib::multiply(&huge(), &huge(), &Limits::DEFAULT).unwrap().as_number().unwrap().is_infinite());
    assert_limited(stdlib::format(&"%f".into(), &[huge()], &Limits::DEFAULT));
    assert_limited(stdlib::modulo(&huge(), &CtyValue::from(3), &Limits::DEFAULT));
}

#[test]
fn regular_expressions_do_not_backtrack() {
    let matched = stdlib::regex(
        &"^(?:a+)+$".into(),
        &CtyValue::string(format!("{}b", "a".repeat(50_000))),
        &Limits::DEFAULT,
    );
    assert!(matched.unwrap_err().message().contains("did not match"));
    let large = stdlib::regex(&"(?:(?:(?:a{1000}){1000}){1000})".into(), &"a".into(), &Limits::DEFAULT);
    assert_eq!(large.unwrap_err().kind(), &ErrorKind::Argument(0));
}

#[test]
fn deep_json_is_an_error() {
    let deep = CtyValue::string(format!("{}{}", "[".repeat(100_000), "]".repeat(100_000)));
    assert!(stdlib::json_decode(&deep, &Limits::DEFAULT).is_err());
}

#[derive(Deserialize)]
struct Signature {
    function: String,
    params: Vec<Parameter>,
    var_param: Option<Parameter>,
}

#[derive(Deserialize, PartialEq, Debug)]
struct Parameter {
    name: String,
    #[serde(rename = "type")]
    t: serde_json::Value,
    allow_null: bool,
    allow_unknown: bool,
    allow_dynamic_type: bool,
    allow_marked: bool,
}

impl From<&puppetfn::cty::CtyParameter> for Parameter {
    fn from(parameter: &puppetfn::cty::CtyParameter) -> Self {
        Self {
            name: parameter.name().to_owned(),
            t: serde_json::from_str(&parameter.ty().to_string()).unwrap(),
            allow_null: parameter.allows_null(),
            allow_unknown: parameter.allows_unknown(),
            allow_dynamic_type: parameter.allows_dynamic_type(),
            allow_marked: parameter.allows_marked(),
        }
    }
}

#[test]
fn the_library_has_the_signatures_of_go_cty() {
    let recorded: Vec<Signature> =
        serde_json::from_str(include_str!("../../spec/vectors/cty/signatures.json")).unwrap();
    assert_eq!(recorded.len(), stdlib::functions().count());
    for signature in recorded {
        let function = stdlib::function(&signature.function).unwrap();
        let parameters: Vec<Parameter> = function.parameters().iter().map(Parameter::from).collect();
        assert_eq!(parameters, signature.params, "{}", signature.function);
        let variadic = function.variadic_parameter().map(Parameter::from);
        assert_eq!(variadic, signature.var_param, "{}", signature.function);
        assert!(!function.description().is_empty(), "{}", signature.function);
    }
}

/// Returns values of many types, known or not.
fn values() -> impl Strategy<Value = CtyValue> {
    let leaf = prop_oneof![
        Just(CtyValue::DYNAMIC),
        Just(CtyValue::null(CtyType::Dynamic)),
        Just(CtyValue::unknown(CtyType::String)),
        Just(CtyValue::unknown(CtyType::list(CtyType::Number))),
        Just(CtyValue::null(CtyType::String)),
        any::<bool>().prop_map(CtyValue::from),
        any::<i64>().prop_map(CtyValue::from),
        (-3..5i64).prop_map(CtyValue::from),
        any::<f64>().prop_filter_map("not a number", CtyNumber::from_f64).prop_map(CtyValue::number),
        ".{0,6}".prop_map(CtyValue::string),
        "[a-z%(*0-9]{0,6}".prop_map(CtyValue::string),
        Just(stdlib::bytes(vec![1, 2, 3])),
    ];
    leaf.prop_recursive(3, 16, 4, |inner| {
        let many = || prop::collection::vec(inner.clone(), 0..4);
        prop_oneof![
            many().prop_map(CtyValue::tuple),
            many().prop_filter_map("several types", |all| CtyValue::list(&CtyType::String, all).ok()),
            many().prop_filter_map("several types", |all| CtyValue::set(&CtyType::Number, all).ok()),
            prop::collection::vec(("[a-c]", inner.clone()), 0..4).prop_map(CtyValue::object),
            prop::collection::vec(("[a-c]", inner.clone()), 0..4)
                .prop_filter_map("several types", |all| CtyValue::map(&CtyType::String, all).ok()),
            inner.prop_map(|value| value.mark("secret")),
        ]
    })
}

/// Returns true if a value of this type is one of that type, taking dynamic parts as any.
fn conforms(value: &CtyValue, t: &CtyType) -> bool {
    value.ty().nonconformance(t).is_none()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn every_function_answers_and_keeps_its_types(arguments in prop::collection::vec(values(), 0..4)) {
        for (name, function) in stdlib::functions() {
            let t = function.return_type_for_values(&arguments, &Limits::DEFAULT);
            match (function.call(&arguments, &Limits::DEFAULT), &t) {
                (Ok(value), Ok(t)) => prop_assert!(conforms(&value, t), "{name}: {value:?} is no {t}"),
                (Ok(value), Err(error)) => prop_assert!(false, "{name}: {value:?} in spite of {error}"),
                (Err(error), _) => {
                    let is_ours = error.kind() == &ErrorKind::Internal
                        || error.message().starts_with("the function returned");
                    prop_assert!(!is_ours, "{name}: {error}");
                }
            }
        }
    }

    #[test]
    fn numbers_are_read_as_they_are_written(number in any::<f64>()) {
        let Some(own) = CtyNumber::from_f64(number) else { return Ok(()) };
        prop_assert_eq!(own.to_f64().to_bits(), number.to_bits());
        let text = own.to_general(DigitCount::Shortest).unwrap();
        let read = CtyNumber::parse(&text).unwrap();
        prop_assert_eq!(read.to_f64().to_bits(), number.to_bits(), "{}", text);
    }

    #[test]
    fn floats_are_calculated_as_by_the_machine(a in -1e100..1e100f64, b in -1e100..1e100f64) {
        let number = |float| CtyNumber::from_f64(float).unwrap();
        prop_assert_eq!(number(a).add(&number(b)).unwrap().to_f64(), a + b);
        prop_assert_eq!(number(a).subtract(&number(b)).unwrap().to_f64(), a - b);
        prop_assert_eq!(number(a).compare(&number(b)), a.partial_cmp(&b).unwrap());
        if b != 0.0 {
            prop_assert_eq!(number(a).divide(&number(b)).unwrap().to_f64(), a / b);
        }
        prop_assert_eq!(number(a).to_fixed(DigitCount::Exactly(3)).unwrap(), format!("{a:.3}"));
    }

    #[test]
    fn a_value_converted_to_its_own_type_is_the_same(value in values()) {
        let t = value.ty().clone();
        prop_assert!(puppetfn::cty::convert::convert(&value, &t).unwrap().is_same(&value).unwrap());
    }
}

/// Returns values that an argument of this type may have, and occasionally other values.
fn near(t: &CtyType) -> BoxedStrategy<CtyValue> {
    let (unknown, null) = (CtyValue::unknown(t.clone()), CtyValue::null(t.clone()));
    prop_oneof![
        8 => of_type(t),
        1 => of_type(t).prop_map(|value| value.mark("one")),
        1 => of_type(t).prop_map(|value| value.mark("two")),
        1 => Just(unknown),
        1 => Just(null),
        1 => values(),
    ]
    .boxed()
}

fn of_type(t: &CtyType) -> BoxedStrategy<CtyValue> {
    let elements = |t: &CtyType| prop::collection::vec(of_type(t), 0..4);
    let t = t.clone();
    match &t {
        CtyType::Bool => any::<bool>().prop_map(CtyValue::from).boxed(),
        CtyType::Number => prop_oneof![(-3..40i64), any::<i64>()].prop_map(CtyValue::from).boxed(),
        CtyType::String => prop_oneof!["[a-z%(*0-9,.: ]{0,6}", ".{0,6}"].prop_map(CtyValue::string).boxed(),
        // Elements of several types form no collection; an empty one takes its place.
        CtyType::List(element) => {
            let t = element.clone();
            let make = move |all| CtyValue::list(&t, all).or_else(|_| CtyValue::list(&t, []));
            elements(element).prop_map(make).prop_map(Result::unwrap).boxed()
        }
        CtyType::Set(element) => {
            let t = element.clone();
            let make = move |all| CtyValue::set(&t, all).or_else(|_| CtyValue::set(&t, []));
            elements(element).prop_map(make).prop_map(Result::unwrap).boxed()
        }
        CtyType::Map(element) => {
            let t = element.clone();
            let make = move |all| CtyValue::map::<&str>(&t, all).or_else(|_| CtyValue::map::<&str>(&t, []));
            let entries = prop::collection::vec((prop_oneof![Just("a"), Just("b")], of_type(element)), 0..4);
            entries.prop_map(make).prop_map(Result::unwrap).boxed()
        }
        CtyType::Capsule(_) => prop::collection::vec(any::<u8>(), 0..5).prop_map(stdlib::bytes).boxed(),
        CtyType::Dynamic | CtyType::Tuple(_) | CtyType::Object(_) => values().boxed(),
    }
}

/// Returns arguments that the function may take.
fn arguments(function: &CtyFunction) -> impl Strategy<Value = Vec<CtyValue>> + use<> {
    let fixed: Vec<_> = function.parameters().iter().map(|parameter| near(parameter.ty())).collect();
    let more = match function.variadic_parameter() {
        Some(parameter) => prop::collection::vec(near(parameter.ty()), 0..4).boxed(),
        None => Just(Vec::new()).boxed(),
    };
    (fixed, more).prop_map(|(fixed, more)| [fixed, more].concat())
}

/// Returns the parameter of the argument of this index.
fn parameter(function: &CtyFunction, index: usize) -> &CtyParameter {
    function.parameters().get(index).or_else(|| function.variadic_parameter()).unwrap()
}

/// The outcome that cty's rules prescribe for a call before the function itself runs: see `ReturnTypeForValues` and
/// `Call` in go-cty's `cty/function/function.go`.
#[derive(PartialEq, Debug)]
enum Ruled {
    /// An argument is refused, and the error has this index. If a variadic argument is of the wrong type, go-cty counts
    /// from the first variadic one.
    Refused(usize),
    /// The result is unknown, and has no marks, if the rule of its type accepts the arguments.
    Unknown,
    /// The function is called, if the rule of its type accepts the arguments.
    Called,
}

fn ruled(function: &CtyFunction, arguments: &[CtyValue]) -> Ruled {
    let all =
        || arguments.iter().enumerate().map(|(index, value)| (index, value, parameter(function, index)));
    for (index, value, parameter) in all() {
        let is_dynamic = *value.ty() == CtyType::Dynamic;
        if value.is_null() && !parameter.allows_null() {
            return Ruled::Refused(index);
        }
        if !is_dynamic && !conforms(value, parameter.ty()) {
            let positional = function.parameters().len();
            return Ruled::Refused(index.checked_sub(positional).unwrap_or(index));
        }
        if is_dynamic && !parameter.allows_dynamic_type() {
            break;
        }
    }
    let unknown = all().any(|(_, value, parameter)| !value.is_known() && !parameter.allows_unknown());
    if unknown { Ruled::Unknown } else { Ruled::Called }
}

/// Returns true if an argument may be of any type where the function has to know it: so may be the result, then.
fn has_dynamic(function: &CtyFunction, arguments: &[CtyValue]) -> bool {
    let mut all = arguments.iter().enumerate();
    all.any(|(index, value)| {
        *value.ty() == CtyType::Dynamic && !parameter(function, index).allows_dynamic_type()
    })
}

/// Checks a call against the rules that hold for all functions.
fn check_rules(name: &str, function: &CtyFunction, arguments: &[CtyValue]) -> Result<(), TestCaseError> {
    let limits = &Limits::DEFAULT;
    let (result, t) = (function.call(arguments, limits), function.return_type_for_values(arguments, limits));
    let said = format!("{name}({arguments:?}) is {result:?}, of {t:?}");
    let rule = ruled(function, arguments);
    if let Ruled::Refused(index) = rule {
        let refused = matches!(&result, Err(error) if error.kind() == &ErrorKind::Argument(index));
        prop_assert!(refused, "{said}");
        return Ok(());
    }
    if has_dynamic(function, arguments) {
        prop_assert_eq!(&t, &Ok(CtyType::Dynamic), "{}", said);
    }
    let Ok(result) = result else { return Ok(()) };
    // The type predicted from the values is the result's, and the type predicted from their types is no narrower,
    // except for types with dynamic parts: these are wider if values are unknown.
    prop_assert!(conforms(&result, t.as_ref().unwrap()), "{said}");
    let types: Vec<_> = arguments.iter().map(|value| value.ty().clone()).collect();
    if let Ok(t) = function.return_type(&types, limits)
        && !types.iter().any(CtyType::has_dynamic)
    {
        prop_assert!(conforms(&result, &t), "{said}, by types {t:?}");
    }
    if rule == Ruled::Unknown {
        prop_assert!(!result.is_known() && !result.contains_marked(), "{said}");
        return Ok(());
    }
    check_marks(&said, function, arguments, &result)
}

/// Marks of arguments are on the result, which is the same without them.
fn check_marks(
    said: &str,
    function: &CtyFunction,
    arguments: &[CtyValue],
    result: &CtyValue,
) -> Result<(), TestCaseError> {
    let kept = |index: usize| parameter(function, index).allows_marked();
    if (0..arguments.len()).any(kept) {
        return Ok(());
    }
    let marks: Vec<_> = arguments.iter().map(|value| value.unmark_deep().1).collect();
    let wanted: std::collections::BTreeSet<&str> = marks.iter().flat_map(|marks| marks.iter()).collect();
    let (plain, own) = result.unmark();
    prop_assert_eq!(own.iter().collect::<std::collections::BTreeSet<_>>(), wanted, "{}", said);
    let unmarked: Vec<_> = arguments.iter().map(|value| value.unmark_deep().0).collect();
    let again = function.call(&unmarked, &Limits::DEFAULT).unwrap();
    // Two objects in capsules are never the same.
    let is_same = matches!(plain.ty(), CtyType::Capsule(_)) || again.is_same(&plain).unwrap();
    prop_assert!(is_same, "{said}, without marks {again:?}");
    Ok(())
}

#[test]
fn the_rules_of_calls_hold_for_every_function() {
    for (name, function) in stdlib::functions() {
        let mut runner = proptest::test_runner::TestRunner::new(ProptestConfig {
            // Nothing is kept of failures: the message has the call.
            failure_persistence: None,
            ..ProptestConfig::with_cases(500)
        });
        runner
            .run(&arguments(function), |arguments| check_rules(name, function, &arguments))
            .unwrap_or_else(|failure| panic!("{failure}"));
    }
}

/// Calls a function with Puppet's values.
fn call(name: &str, arguments: &[Puppet]) -> Result<Puppet, Error> {
    builtin::registry().get(name)?.unwrap().call(&NoHost, arguments, None)
}

#[test]
fn puppet_code_calls_the_functions_with_its_own_values() {
    let array =
        |items: &[&str]| Puppet::from(items.iter().map(|item| Puppet::from(*item)).collect::<Vec<_>>());
    assert_eq!(call("cty::join", &["-".into(), array(&["a", "b"])]).unwrap(), "a-b".into());
    assert_eq!(
        call("cty::setunion", &[array(&["b", "a"]), array(&["a", "c"])]).unwrap(),
        array(&["a", "b", "c"])
    );
    assert_eq!(call("cty::divide", &[1.into(), 4.into()]).unwrap(), 0.25.into());
    let hash: Puppet = [("b".into(), 1.into()), ("a".into(), Puppet::Undef)].into_iter().collect();
    assert_eq!(call("cty::keys", std::slice::from_ref(&hash)).unwrap(), array(&["a", "b"]));
    assert_eq!(call("cty::jsonencode", &[hash]).unwrap(), "{\"a\":null,\"b\":1}".into());
    let secret = Puppet::Sensitive(Arc::new("secret".into()));
    assert_eq!(
        call("cty::upper", std::slice::from_ref(&secret)).unwrap(),
        Puppet::Sensitive(Arc::new("SECRET".into()))
    );
    let hash: Puppet = [("a".into(), secret)].into_iter().collect();
    let other: Puppet = [("b".into(), 1.into())].into_iter().collect();
    let both: Puppet = [("a".into(), Puppet::Sensitive(Arc::new("secret".into()))), ("b".into(), 1.into())]
        .into_iter()
        .collect();
    assert_eq!(call("cty::merge", &[hash, other]).unwrap(), both, "what is sensitive stays where it is");
}

#[test]
fn errors_of_calls_with_puppets_values_name_the_parameter() {
    let message = |name, arguments: &[Puppet]| call(name, arguments).unwrap_err().to_string();
    assert_eq!(
        message("cty::upper", &[Puppet::Undef]),
        "'cty::upper' parameter 'str' expects a NotUndef value, got Undef"
    );
    assert_eq!(message("cty::upper", &[]), "'cty::upper' expects 1 argument, got none");
    assert_eq!(
        message("cty::parseint", &["9223372036854775808".into(), 10.into()]),
        "cty::parseint(): the number 9.223372037e+18 is larger than Puppet's numbers"
    );
    assert_eq!(message("cty::length", &[Puppet::Default]), "cty has no values of the type Default");
}

#[test]
fn panics_and_errors_of_callbacks_come_back_as_errors() {
    let function = || CtyFunction::new("").parameter(CtyParameter::new("x", CtyType::String));
    let panics = |_: &[CtyValue], _: &Limits| -> Result<CtyType, Error> {
        std::panic::resume_unwind(Box::new("the rule panicked"))
    };
    let known = ["a".into()];

    let failed = function().type_rule(panics).return_type(&[CtyType::String], &Limits::DEFAULT).unwrap_err();
    assert!(failed.message().contains("the rule panicked"), "{failed}");
    let failed = function()
        .implement(|[_], _| std::panic::resume_unwind(Box::new("no")))
        .call(&known, &Limits::DEFAULT);
    assert!(failed.unwrap_err().message().contains("no"));
    let failed = function()
        .implement(|[_], _| Err(argument_error(0, "not this")))
        .call(&known, &Limits::DEFAULT)
        .unwrap_err();
    assert_eq!((failed.kind(), failed.message()), (&ErrorKind::Argument(0), "not this"));
    let other = function()
        .returns(CtyType::Number)
        .implement(|[x], _| Ok(x.clone()))
        .call(&known, &Limits::DEFAULT)
        .unwrap_err();
    assert!(other.message().contains("number required, but received string"), "{other}");
    let never = function().returns(CtyType::Number).implement(|[_], _| panic!("called"));
    assert!(!never.call(&[CtyValue::unknown(CtyType::String)], &Limits::DEFAULT).unwrap().is_known());
    assert_eq!(
        never.call(&[CtyValue::null(CtyType::String)], &Limits::DEFAULT).unwrap_err().kind(),
        &ErrorKind::Argument(0)
    );
    assert_eq!(
        never.return_type_for_values(&[CtyValue::DYNAMIC], &Limits::DEFAULT).unwrap(),
        CtyType::Dynamic
    );
    assert_eq!(never.call(&[], &Limits::DEFAULT).unwrap_err().kind(), &ErrorKind::ArgumentMismatch);
}

#[test]
fn errors_do_not_show_what_is_sensitive() {
    let secret = |value: Puppet| Puppet::Sensitive(Arc::new(value));
    let message = |name, arguments: &[Puppet]| call(name, arguments).unwrap_err().to_string();
    assert_eq!(
        message("cty::parseint", &[secret("zz".into()), 10.into()]),
        "cty::parseint(): parameter 'number': what is wrong is not shown, since an argument is sensitive"
    );
    assert_eq!(
        message("cty::multiply", &[secret(Puppet::Integer(1 << 62)), 4.into()]),
        "cty::multiply(): Puppet has no such value as the sensitive one"
    );
    assert_eq!(
        message("cty::upper", &[secret(vec![Puppet::from("a")].into())]),
        "cty::upper(): parameter 'str': string required, but received tuple"
    );
    let formatted = call("cty::jsondecode", &[secret("{secret".into())]).unwrap_err().to_string();
    assert!(formatted.ends_with("is not shown, since an argument is sensitive"), "{formatted}");
}

#[test]
fn unknown_arguments_of_puppets_give_unknown_results() {
    let unknown = Puppet::unknown(PuppetType::STRING);
    let optional = |t| Puppet::unknown(PuppetType::optional(t));
    assert_eq!(call("cty::upper", std::slice::from_ref(&unknown)).unwrap(), optional(PuppetType::STRING));
    assert_eq!(call("cty::equal", &[unknown, 1.into()]).unwrap(), Puppet::from(false));
    let several: Puppet = vec![1.into(), Puppet::unknown(PuppetType::INTEGER)].into();
    let union = call("cty::setunion", &[several]).unwrap();
    assert_eq!(
        union,
        Puppet::unknown(PuppetType::array(
            PuppetType::optional(PuppetType::Numeric),
            Some(Size::new(1, Some(2)))
        )),
        "the elements may be the same"
    );
    let upper = builtin::registry().get("cty::upper").unwrap().unwrap();
    assert_eq!(upper.return_type(&[PuppetType::STRING]), PuppetType::optional(PuppetType::STRING));
}
