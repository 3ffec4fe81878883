//! `new`: conversions between values, and their error messages.
#![allow(clippy::unwrap_used, clippy::panic, missing_docs)]

use std::sync::Arc;

use puppetfn::convert::create::create;
use puppetfn::error::{Error, ErrorKind};
use puppetfn::function::{Caller, Host, LogLevel};
use puppetfn::host::HostRef;
use puppetfn::limits::Limits;
use puppetfn::types::Type;
use puppetfn::types::parse::{AliasDefinition, NoAliases, TypeLookup, parse};
use puppetfn::value::Value;

/// A host with nothing to call.
struct Alone(Limits);

impl Host for Alone {
    fn call_function(&self, _: &HostRef, _: &[Value], _: Option<&Value>) -> Result<Value, Error> {
        Err(Error::new(ErrorKind::Internal, "there are no functions"))
    }

    fn call_block(&self, _: &Value, _: &[Value]) -> Result<Value, Error> {
        Err(Error::new(ErrorKind::Internal, "there are no blocks"))
    }

    fn log(&self, _: LogLevel, _: &str) {}
}

impl Caller for Alone {
    fn host(&self) -> &dyn Host {
        self
    }

    fn limits(&self) -> &Limits {
        &self.0
    }
}

fn of(text: &str) -> Type {
    parse(text, &NoAliases, &Limits::DEFAULT).unwrap()
}

fn new(t: &str, arguments: &[Value]) -> Result<Value, Error> {
    create(&of(t), arguments, &Alone(Limits::DEFAULT))
}

fn message(result: Result<Value, Error>) -> String {
    result.unwrap_err().message().to_owned()
}

fn array(items: impl IntoIterator<Item = Value>) -> Value {
    items.into_iter().collect::<Vec<_>>().into()
}

fn hash<K: Into<Value>>(entries: impl IntoIterator<Item = (K, Value)>) -> Value {
    entries.into_iter().map(|(key, value)| (key.into(), value)).collect()
}

#[test]
fn a_value_of_the_type_is_kept() {
    assert_eq!(new("Variant[Integer, String]", &["5".into()]), Ok("5".into()));
    assert_eq!(new("Optional[Integer]", &[Value::Undef]), Ok(Value::Undef));
    assert_eq!(new("Callable", &[1.into()]).unwrap_err().kind(), &ErrorKind::ArgumentMismatch);
}

#[test]
fn integers_do_not_overflow() {
    let too_large = |t, arguments: &[Value]| new(t, arguments).unwrap_err().kind() == &ErrorKind::Conversion;
    assert!(too_large("Integer", &[i64::MIN.into(), Value::Default, true.into()]));
    assert!(too_large("Numeric", &[i64::MIN.into(), true.into()]));
    for number in [f64::INFINITY, 9_223_372_036_854_775_808.0, -1e19] {
        assert!(too_large("Integer", &[number.into()]), "{number}");
    }
    assert_eq!(new("Integer", &[(-9_223_372_036_854_775_808.0).into()]), Ok(i64::MIN.into()));
    assert_eq!(new("Integer", &["-9223372036854775808".into()]), Ok(i64::MIN.into()));
    // Texts may be of larger ones.
    for text in ["9223372036854775808", "0xFFFFFFFFFFFFFFFFF", "-9223372036854775809"] {
        let number = new("Integer", &[text.into()]).unwrap();
        assert!(number.as_large_integer().is_some(), "{text}");
    }
}

#[test]
fn a_number_without_digits_is_no_number_however_it_is_asked_for() {
    assert_eq!(
        message(new("Numeric", &["0e1".into()])),
        "Converted value from Numeric.new() has wrong type, expects a Numeric value, got Undef"
    );
    assert_eq!(
        message(new("Numeric", &["0e1".into(), true.into()])),
        "'new_numeric' The string '0e1' cannot be converted to Numeric"
    );
}

#[test]
fn what_is_made_of_a_small_value_is_bounded() {
    let host = Alone(Limits { size: 10, ..Limits::DEFAULT });
    assert_eq!(create(&of("Array"), &[10.into()], &host).unwrap(), array((0..10).map(Value::from)));
    let large_range = Value::from(of("Integer[1, 9223372036854775807]"));
    for (t, from) in [("Array", i64::MAX.into()), ("Hash", large_range), ("Array", 11.into())] {
        assert_eq!(create(&of(t), &[from], &host).unwrap_err().kind(), &ErrorKind::Limit);
    }
    // An array within a tree grows up to the index that is set.
    let entry = |path: Value, value: Value| array([path, value]);
    let list = entry(array(["a".into()]), array([1.into()]));
    let set = |index: i64| {
        let entries = array([list.clone(), entry(array(["a".into(), index.into()]), 2.into())]);
        create(&of("Hash"), &[entries, "tree".into()], &host)
    };
    assert_eq!(set(2), Ok(hash([("a", array([1.into(), Value::Undef, 2.into()]))])));
    assert_eq!(set(-1), Ok(hash([("a", array([2.into()]))])));
    assert_eq!(set(i64::MAX).unwrap_err().kind(), &ErrorKind::Limit);
    assert_eq!(set(i64::MIN).unwrap_err().kind(), &ErrorKind::Conversion);
}

#[test]
fn a_path_of_a_tree_leads_through_collections_only() {
    let tree = |entries: &[(&[&str], Value)]| {
        let path = |path: &[&str]| array(path.iter().map(|step| Value::from(*step)));
        let entries = entries.iter().map(|(steps, value)| array([path(steps), value.clone()]));
        new("Hash", &[array(entries), "tree".into()])
    };
    assert_eq!(
        tree(&[(&["a", "b"], 1.into()), (&["a", "c"], 2.into())]),
        Ok(hash([("a", hash([("b", 1.into()), ("c", 2.into())]))]))
    );
    assert_eq!(
        message(tree(&[(&["a"], 1.into()), (&["a", "b"], 2.into())])),
        "no hash or array at the path of a tree before \"b\""
    );
    assert_eq!(
        message(tree(&[(&[], 1.into())])),
        "the value at the root of a tree must be a hash or an array"
    );
    let deep = vec!["a"; 1_000];
    assert_eq!(tree(&[(&deep, 1.into())]).unwrap_err().kind(), &ErrorKind::Limit);
}

#[test]
fn init_makes_what_its_type_makes() {
    let ten = || Value::from("10");
    assert_eq!(new("Init[Integer]", &[ten()]), Ok(10.into()));
    assert_eq!(new("Init[Integer]", &[array([ten(), 16.into()])]), Ok(16.into()));
    assert_eq!(new("Init[Integer, 2]", &[ten()]), Ok(2.into()));
    assert_eq!(new("Init[Array]", &[array([array([]), true.into()])]), Ok(array([array([]), true.into()])));
    assert_eq!(message(new("Init[Integer]", &[ten(), 2.into()])), "'new_Init' expects 1 argument, got 2");
    for t in ["Optional[Integer]", "Init[Integer]", "Callable"] {
        assert_eq!(
            message(new(&format!("Init[{t}]"), &[1.into(), 2.into()])),
            format!("Creation of new instance of type '{t}' is not supported")
        );
    }
    assert_eq!(
        message(new("Init[Integer[1, 2], 'x']", &[1.into()])),
        "The type 'Init[Integer[1, 2], 'x']' does not represent a valid set of parameters for Integer.new()"
    );
}

/// One alias, for types that contain themselves.
struct Named(Type);

impl TypeLookup for Named {
    fn find(&self, name: &str) -> Result<Option<Type>, Error> {
        Ok(name.eq_ignore_ascii_case(self.0.name()).then(|| self.0.clone()))
    }
}

#[test]
fn types_that_make_themselves_end() {
    for definition in ["A = Init[A]", "A = Optional[A]", "A = Optional[Init[A]]", "A = Array[Init[A]]"] {
        let text = format!("type {definition}");
        let alias = AliasDefinition::parse(&text, &Limits::DEFAULT)
            .unwrap()
            .define(&NoAliases, &Limits::DEFAULT)
            .unwrap();
        let init = parse("Init[A]", &Named(alias.clone()), &Limits::DEFAULT).unwrap();
        for t in [alias, init] {
            for argument in [Value::Undef, 1.into(), array([array([1.into()])])] {
                // It has to end, with a value or an error.
                let _ = create(&t, &[argument], &Alone(Limits::DEFAULT));
            }
        }
    }
}

#[test]
fn what_is_not_known_gives_a_value_of_the_type() {
    let port = of("Integer[1, 65535]");
    let unknown = Value::unknown(Type::STRING);
    assert_eq!(new("Integer[1, 65535]", &[unknown]), Ok(Value::Unknown(Arc::new(port))));
}

#[test]
fn versions_are_made_of_their_text_or_parts() {
    for (arguments, text) in [
        (vec!["1.2.3-rc.1+b".into()], "1.2.3-rc.1+b"),
        (vec![1.into(), 2.into(), 3.into(), "rc.1".into()], "1.2.3-rc.1"),
        (
            vec![hash([
                ("major", 1.into()),
                ("minor", 2.into()),
                ("patch", 3.into()),
                ("build", "b".into()),
            ])],
            "1.2.3+b",
        ),
    ] {
        assert_eq!(new("SemVer", &arguments).unwrap().interpolated(&Limits::DEFAULT).unwrap(), text);
    }
    assert_eq!(
        message(new("SemVer", &["1.2".into()])),
        "'new_Version' The string '1.2' cannot be converted to a SemVer"
    );
    assert_eq!(
        message(new("SemVer['1.x']", &["2.0.0".into()])),
        "Converted value from SemVer['1.x'].new() has wrong type, expects a SemVer['1.x'] value, \
         got SemVer['2.0.0 - 2.0.0']"
    );
    // Puppet takes the line break for a part of the prerelease.
    assert!(new("SemVer", &[1.into(), 2.into(), 3.into(), "rc\n".into()]).is_err());
}

#[test]
fn ranges_of_versions_are_made_of_their_text_or_ends() {
    let [one, two] = ["1.0.0", "2.0.0"].map(|text| new("SemVer", &[text.into()]).unwrap());
    for (arguments, text) in [
        (vec!["1.x".into()], ">=1.0.0 <2.0.0"),
        (vec![one.clone(), two.clone(), true.into()], ">=1.0.0 <2.0.0"),
        (vec![Value::Default, two.clone()], "<=2.0.0"),
        (vec![hash([("min", one)])], ">=1.0.0"),
        (vec![hash([("min", Value::Default), ("max", two), ("exclude_max", true.into())])], "<2.0.0"),
    ] {
        assert_eq!(new("SemVerRange", &arguments).unwrap().inspected(), text);
    }
}

#[test]
fn binary_values_are_made_of_text_in_a_format_or_of_bytes() {
    for (arguments, base64) in [
        (vec!["aGk=".into()], "aGk="),
        (vec!["-_8".into(), "%u".into()], "+/8="),
        (vec!["a G k".into(), "%b".into()], "aGk="),
        (vec!["é".into(), "%s".into()], "w6k="),
        (vec![array([104.into(), 105.into()])], "aGk="),
        (vec![hash([("value", "hi".into()), ("format", "%r".into())])], "aGk="),
        (vec![hash([("value", array([0.into()]))])], "AA=="),
    ] {
        assert_eq!(new("Binary", &arguments).unwrap().interpolated(&Limits::DEFAULT).unwrap(), base64);
    }
    assert_eq!(message(new("Binary", &["aGk".into()])), "invalid base64");
    assert!(new("Binary", &[array([256.into()])]).is_err());
}

#[test]
fn uris_are_made_of_their_text_or_parts() {
    for (arguments, text) in [
        (vec!["HTTP://a".into()], "http://a"),
        (vec![hash([("scheme", "http".into()), ("host", "a".into()), ("port", 81.into())])], "http://a:81"),
        (vec![hash::<&str>([])], ""),
    ] {
        assert_eq!(new("URI", &arguments).unwrap().interpolated(&Limits::DEFAULT).unwrap(), text);
    }
    assert_eq!(message(new("URI", &["a b".into()])), "bad URI(is not URI?): \"a b\"");
    assert!(
        message(new("URI", &["".into()])).starts_with("The function 'new_error' was called with arguments")
    );
}
