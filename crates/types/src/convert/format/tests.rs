use super::*;
use crate::types::parse::{NoAliases, parse};
use crate::value::{Binary, Regex, Timespan, Uri};

fn show(value: impl Into<Value>, formats: impl Into<Value>) -> String {
    match format(&value.into(), &formats.into(), &Limits::DEFAULT) {
        Ok(text) => text,
        Err(error) => format!("error: {}", error.message()),
    }
}

fn hash(entries: impl IntoIterator<Item = (&'static str, Value)>) -> Value {
    entries.into_iter().map(|(key, value)| (key.into(), value)).collect()
}

fn regex(source: &str) -> Value {
    Value::Regexp(Regex::new(source).unwrap())
}

fn binary(bytes: impl Into<Arc<[u8]>>) -> Value {
    Value::Binary(Binary::new(bytes))
}

fn uri(text: &str) -> Value {
    Value::Uri(Arc::new(Uri::parse(text).unwrap()))
}

/// Formats by types.
fn by_type(formats: impl IntoIterator<Item = (&'static str, Value)>) -> Value {
    let entry = |(t, format)| (Value::from(parse(t, &NoAliases, &Limits::DEFAULT).unwrap()), format);
    formats.into_iter().map(entry).collect()
}

fn nested() -> Value {
    vec![1.into(), vec![2.into(), vec![3.into()].into()].into(), "x".into()].into()
}

#[test]
fn each_kind_has_a_default_format() {
    for (value, text) in [
        (Value::Undef, ""),
        (Value::Default, "default"),
        (true.into(), "true"),
        (255.into(), "255"),
        (1.5.into(), "1.500000"),
        ("it's".into(), "it's"),
        (regex("a/b"), "a/b"),
        (Type::INTEGER.into(), "Integer"),
        (binary(*b"hi"), "aGk="),
        (Value::Timespan(Timespan::from_seconds(90)), "0-00:01:30.0"),
        (Value::Sensitive(Arc::new(1.into())), "Sensitive [value redacted]"),
        (vec!["it's".into(), Value::Undef, 1.5.into()].into(), "['it\\'s', undef, 1.5]"),
        (hash([("a", vec![1.into()].into())]), "{'a' => [1]}"),
    ] {
        assert_eq!(show(value, Value::Default), text);
    }
}

#[test]
fn letters_mean_what_suits_the_kind() {
    for (value, format, text) in [
        (Value::Undef, "%#u", "undefined"),
        (Value::Undef, "%-5v", "n/a  "),
        (Value::Default, "%#D", "\"Default\""),
        (false.into(), "%#Y", "N"),
        (true.into(), "%#x", "0x1"),
        (true.into(), "%.2f", "1.00"),
        (65.into(), "%#5c", "  \"A\""),
        (255.into(), "%#s", "\"255\""),
        (255.into(), "%e", "2.550000e+02"),
        ((-1).into(), "%c", "error: -1 is not the number of a character"),
        (1.5.into(), "%#s", "\"1.5\""),
        ("foo::bar::".into(), "%C", "Foo::Bar"),
        ("  pad\0 ".into(), "%#t", "'pad'"),
        ("ünï".into(), "%10u", "       ÜNÏ"),
        ("a$b".into(), "%#p", "\"a\\$b\""),
        (regex("a/b"), "%-6p", "/a\\/b/"),
        (regex("a"), "%#s", "'a'"),
        (Type::INTEGER.into(), "%#.4s", "\"Int"),
        (binary(*b"hi"), "%5p", "Binary(\" aGk=\")"),
        (binary(*b"hi"), "%#T", "\"BINARY\""),
        (binary([0xC3, 0xA9]), "%s", "é"),
        (binary([0xC3, 0xA9]), "%#s", "\"\\xC3\\xA9\""),
        (binary([0xFB]), "%s", "error: \"\\xFB\" from ASCII-8BIT to UTF-8"),
        (uri("http://a"), "%#p", "URI('http://a')"),
        (uri("http://a"), "%#12s", "  'http://a'"),
        (Value::Timespan(Timespan::from_seconds(90)), "%5d", "   90"),
    ] {
        assert_eq!(show(value, format), text, "{format}");
    }
}

#[test]
fn letters_that_mean_nothing_are_refused() {
    assert_eq!(
        show(regex("x"), "%d"),
        "error: Illegal format 'd' specified for value of Regexp type - expected one of the characters 'sp'"
    );
    for (value, kind, letters) in [
        (Value::Undef, "Undef", "nudxXobBeEfgGaAvVsp"),
        (Value::Default, "Default", "dDsp"),
        (true.into(), "Boolean", "tTyYdxXobBeEfgGaAsp"),
        (1.into(), "Integer", "dxXobBeEfgGaAspc"),
        (1.5.into(), "Float", "dxXobBeEfgGaAsp"),
        ("x".into(), "String", "cCudspt"),
        (Type::Any.into(), "Type", "sp"),
        (binary([]), "Binary", "bButTsp"),
        (uri("x:y"), "URI", "sp"),
        (vec![].into(), "Array", "asp"),
        (hash([]), "Hash", "hasp"),
    ] {
        let message = format!(
            "error: Illegal format 'i' specified for value of {kind} type - expected one of the characters '{letters}'"
        );
        assert_eq!(show(value, "%i"), message);
    }
}

#[test]
fn containers_take_delimiters_and_separators() {
    assert_eq!(show(nested(), "%<a"), "<1, <2, <3>>, 'x'>");
    assert_eq!(show(hash([("a", 1.into())]), "%|h"), "|'a' => 1|");
    assert_eq!(show(hash([("a", 1.into())]), "%(a"), "[['a', 1]]");
    let formats = hash([
        ("format", "% a".into()),
        ("separator", ";".into()),
        ("string_formats", by_type([("Integer", "%#x".into())])),
    ]);
    assert_eq!(show(nested(), by_type([("Array", formats)])), "0x1;0x2;0x3;'x'");
    let formats = hash([("format", "%h".into()), ("separator2", ": ".into())]);
    assert_eq!(show(hash([("a", 1.into())]), by_type([("Hash", formats)])), "{'a': 1}");
}

#[test]
fn the_alternate_form_indents() {
    assert_eq!(show(nested(), "%#a"), "[1,\n  [2,\n    [3]],\n  'x']");
    assert_eq!(show(vec!["aaaa".into(), "bbbb".into()], "%#5a"), "[ 'aaaa',\n  'bbbb']");
    assert_eq!(show(vec!["aaaa".into(), "bbbb".into()], "%#12a"), "['aaaa', 'bbbb']");
    assert_eq!(
        show(hash([("a", hash([("b", vec![].into())]))]), "%#h"),
        "{\n  'a' => {\n    'b' => []\n  }\n}"
    );
}

#[test]
fn the_narrowest_type_tells_the_format() {
    let formats =
        || by_type([("Numeric", "%e".into()), ("Integer[0, 9]", "%#b".into()), ("Any", "%p".into())]);
    assert_eq!(show(3, formats()), "0b11");
    assert_eq!(show(10, formats()), "1.000000e+01");
    assert_eq!(show("x", formats()), "'x'");
    assert_eq!(show("x", by_type([])), "x");
}

#[test]
fn parts_of_formats_are_checked() {
    let formats = |parts| by_type([("Array", hash(parts))]);
    assert_eq!(
        show(vec![], formats(vec![("format", "%a".into()), ("foo", 1.into())])),
        "error: only 'separator', 'separator2', 'format', 'string_formats' are allowed in a container format, \
         got {\"format\"=>\"%a\", \"foo\"=>1}"
    );
    assert_eq!(
        show(vec![], formats(vec![("separator", ";".into())])),
        "error: The format '' is not a valid format on the form '%<flags><width>.<prec><format>'"
    );
    assert_eq!(
        show(1, hash([("a", "%d".into())])),
        "error: top level keys in the format hash must be data types, got instance of 'String'"
    );
    assert_eq!(
        show(1, Value::Undef),
        "error: string conversion expects a Default value or a Hash of type to format mappings, got a 'Undef'"
    );
}

#[test]
#[cfg_attr(miri, ignore = "takes many minutes")]
fn what_is_nested_without_end_or_long_meets_a_limit() {
    let limits = Limits { work: 20_000, ..Limits::DEFAULT };
    let message = |value, letter: &str| format(&value, &letter.into(), &limits).unwrap_err().to_string();
    let deep = (0..1000).fold(Value::Undef, |inner, _| vec![inner].into());
    assert!(message(deep, "%a").contains("limit 'nesting'"));
    let wide = (0..40).fold(Value::Undef, |part, _| vec![part.clone(), part].into());
    assert!(message(wide, "%a").contains("limit 'work'"));
    let long = Value::from("x".repeat(1_000_000));
    assert!(message(vec![long.clone(), long].into(), "%a").contains("limit 'work'"));
}
