//! Generators of types and values for property tests.

use std::sync::Arc;

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;

use crate::convert::create::create;
use crate::function::NoHost;
use crate::types::parse::{NoAliases, parse};
use crate::types::{CallableType, PatternType, ResourceType, RuntimeType, Size, StringType, StructMember};
use crate::types::{TupleType, Type};
use crate::value::{Regex, Value};
use puppetfn_base::limits::Limits;

/// Types that can be written, so that their text parses to an equal type.
pub(crate) fn types() -> impl Strategy<Value = Type> {
    simple_type().prop_recursive(3, 24, 4, |inner| {
        prop_oneof![
            (inner.clone(), option::of(size())).prop_map(|(element, size)| Type::array(element, size)),
            (inner.clone(), inner.clone(), option::of(size()))
                .prop_map(|(k, v, size)| Type::hash(k, v, size)),
            (vec(inner.clone(), 1..4), option::of(size())).prop_map(|(types, size)| Type::tuple(types, size)),
            vec((text(), any::<bool>(), inner.clone()), 0..4).prop_map(struct_type),
            vec(inner.clone(), 2..4).prop_map(Type::one_of),
            inner.clone().prop_map(Type::optional),
            inner.clone().prop_map(Type::not_undef),
            text().prop_map(|text| Type::optional(Type::string_value(text))),
            inner.clone().prop_map(Type::type_of),
            inner.clone().prop_map(|t| Type::Iterable(Some(Arc::new(t)))),
            inner.clone().prop_map(|t| Type::Iterator(Some(Arc::new(t)))),
            callable_type(inner),
        ]
    })
}

/// Types of the kinds of which a few examples will do.
const EXAMPLES: &[&str] = &[
    "Timestamp",
    "Timestamp['2000-01-01', '2010-01-01']",
    "Timestamp[default, '2005-06-07']",
    "Timespan",
    "Timespan[-1, 10]",
    "Timespan[5]",
    "SemVer",
    "SemVer['>=1.0.0 <2.0.0']",
    "SemVer['1.x', '3.0.0']",
    "SemVerRange",
    "Binary",
    "URI",
    "URI[{'scheme' => 'https'}]",
    "Object",
    "TypeSet",
    "Deferred",
    "Error",
    "Init",
    "Init[Integer]",
    "Init[Timespan]",
    "Init[String, '%d']",
    "SemVer",
    "SemVer['1.x', '3.x']",
    "SemVer['>=1.2.3-a']",
    "SemVerRange",
    "Binary",
    "URI",
    "URI['http://A:80/x']",
    "URI['mailto:a@b']",
    "URI[{scheme => Enum['http', 'x'], port => 80}]",
];

fn simple_type() -> impl Strategy<Value = Type> {
    prop_oneof![
        prop::sample::select(EXAMPLES).prop_map(|text| parse(text, &NoAliases, &Limits::DEFAULT).unwrap()),
        prop::sample::select(vec![
            Type::Any,
            Type::Undef,
            Type::Default,
            Type::Scalar,
            Type::ScalarData,
            Type::Numeric,
            Type::INTEGER,
            Type::STRING,
            Type::BOOLEAN,
            Type::Regexp(None),
            Type::Collection(None),
            Type::Optional(None),
            Type::NotUndef(None),
            Type::Type(None),
            Type::Iterable(None),
            Type::Sensitive(None),
            Type::sensitive(Type::STRING),
            Type::Callable(Arc::default()),
            Type::Runtime(Arc::default()),
            Type::CatalogEntry,
            Type::Class(None),
            Type::Class(Some("a::b".into())),
            Type::ruby("Some::Class"),
            Type::variant([]),
            Type::tuple([], None),
        ]),
        (option::of(-9..0i64), option::of(0..9i64)).prop_map(|(min, max)| Type::integer(min, max)),
        (option::of(-9.5..0.0), option::of(0.0..9.5))
            .prop_map(|(min, max)| { Type::Float(crate::types::FloatRange { min, max }) }),
        any::<bool>().prop_map(|truth| Type::Boolean(Some(truth))),
        size().prop_map(|size| Type::String(StringType::Sized(Some(size)))),
        size().prop_map(|size| Type::Collection(Some(size))),
        (vec(text(), 1..4), any::<bool>())
            .prop_map(|(values, fold)| Type::enumeration(values.into_iter().map(Into::into), fold)),
        vec(regex(), 1..3).prop_map(|mut patterns| {
            patterns.dedup();
            Type::Pattern(Arc::new(PatternType { patterns: patterns.into() }))
        }),
        regex().prop_map(|regex| Type::Regexp(Some(regex))),
        option::of(text()).prop_map(|title| {
            let title = title.map(Into::into);
            Type::Resource(Arc::new(ResourceType::new(Some("File".into()), title)))
        }),
        (regex(), text()).prop_map(|(pattern, replacement)| {
            let pattern = Some((pattern, replacement.into()));
            Type::Runtime(Arc::new(RuntimeType { runtime: Some("ruby".into()), name: None, pattern }))
        }),
    ]
}

fn struct_type(members: Vec<(String, bool, Type)>) -> Type {
    let mut names: Vec<String> = Vec::new();
    let mut unique = Vec::new();
    for (name, optional, value) in members {
        if !names.contains(&name) {
            names.push(name.clone());
            unique.push(StructMember { name: name.into(), optional, value });
        }
    }
    Type::struct_of(unique)
}

fn callable_type(t: impl Strategy<Value = Type> + Clone) -> impl Strategy<Value = Type> {
    let block = prop::sample::select(vec![
        None,
        Some(Type::Callable(Arc::default())),
        Some(Type::optional(Type::Callable(Arc::default()))),
    ]);
    (vec(t.clone(), 0..3), size(), block, option::of(t)).prop_map(|(types, size, block, returns)| {
        // Without parameter types, only their count can be written.
        let types = if types.is_empty() && size != Size::EMPTY { vec![Type::Unit] } else { types };
        Type::Callable(Arc::new(CallableType {
            params: Some(TupleType { types: types.into(), size: Some(size) }),
            block,
            returns: returns.filter(|t| *t != Type::Any),
        }))
    })
}

fn size() -> impl Strategy<Value = Size> {
    (0..3u64, option::of(0..3u64)).prop_map(|(min, more)| Size::new(min, more.map(|more| min + more)))
}

/// Returns texts that Puppet's quoting keeps: it does not double backslashes.
fn text() -> impl Strategy<Value = String> {
    "[a-cé '\"$\n\t]{1,4}"
}

fn regex() -> impl Strategy<Value = Regex> {
    prop::sample::select(vec!["", "a", r"\Aa/b\z", "^[a-z]+$", "(?i-mx:x)", r"\d{2,3}"])
        .prop_map(|source| Regex::new(source).unwrap())
}

/// Returns values of plain data, and of the kinds that are next to it.
pub(crate) fn values() -> impl Strategy<Value = Value> {
    let simple = prop_oneof![
        Just(Value::Undef),
        Just(Value::Default),
        any::<bool>().prop_map(Value::Boolean),
        (-9..9i64).prop_map(Value::Integer),
        (-9.5..9.5).prop_map(Value::Float),
        "[a-cé]{0,3}".prop_map(Value::from),
        regex().prop_map(Value::Regexp),
        example(),
        simple_type().prop_map(Value::from),
    ];
    simple.prop_recursive(3, 24, 4, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..4).prop_map(Value::from),
            vec(("[a-c]{1,2}".prop_map(Value::from), inner.clone()), 0..4).prop_map(Value::from_iter),
            vec((inner.clone(), inner.clone()), 0..3).prop_map(Value::from_iter),
            inner.prop_map(|value| Value::Sensitive(Arc::new(value))),
        ]
    })
}

/// Returns values of the kinds that are written as calls of their types.
fn example() -> impl Strategy<Value = Value> {
    let examples: &[(&str, &str)] = &[
        ("Timestamp", "2004-05-06"),
        ("Timestamp", "2020-01-02"),
        ("Timespan", "0-00:00:01"),
        ("Timespan", "7-00:00:00"),
        ("SemVer", "1.2.3"),
        ("SemVer", "3.0.0-rc1"),
        ("SemVerRange", "1.x"),
        ("Binary", "AQI="),
        ("URI", "https://example.com/a"),
        ("SemVer", "1.2.3-rc.1"),
        ("SemVer", "1.2.3+b"),
        ("SemVerRange", "1.x || 3.x"),
        ("Binary", "aGk="),
        ("URI", "http://a"),
        ("URI", "https://a:81/x?y#z"),
        ("URI", "mailto:a@b"),
    ];
    prop::sample::select(examples).prop_map(|(t, text)| {
        let t = parse(t, &NoAliases, &Limits::DEFAULT).unwrap();
        create(&t, &[text.into()], &NoHost).unwrap()
    })
}

/// Returns values that JSON can express, without empty keys: Puppet describes hashes with such keys less well.
pub(crate) fn data() -> impl Strategy<Value = Value> {
    let simple = prop_oneof![
        Just(Value::Undef),
        any::<bool>().prop_map(Value::Boolean),
        (-9..9i64).prop_map(Value::Integer),
        (-9.5..9.5).prop_map(Value::Float),
        "[a-cé]{0,3}".prop_map(Value::from),
    ];
    simple.prop_recursive(3, 24, 4, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..4).prop_map(Value::from),
            vec(("[a-c]{1,2}".prop_map(Value::from), inner), 0..4).prop_map(Value::from_iter),
        ]
    })
}
