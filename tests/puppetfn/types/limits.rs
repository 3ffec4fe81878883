//! Types and values that are nested deep, contain themselves or take much work.
#![allow(clippy::unwrap_used, missing_docs)]

use std::sync::Arc;

use puppetfn::error::{Error, ErrorKind};
use puppetfn::limits::Limits;
use puppetfn::subject::Verdict;
use puppetfn::types::ops::{infer, infer_set, instance};
use puppetfn::types::parse::{NoAliases, parse};
use puppetfn::types::{Alias, Type, builtin};
use puppetfn::value::Value;

const LIMITS: Limits = Limits::DEFAULT;
const DEEP: usize = 10_000;

/// Runs `test` where making and freeing deep nesting is not a problem, and gives it a means to run
/// something on the stack that a thread of Ruby has.
fn on_small_stack(test: impl FnOnce(&dyn Fn(&(dyn Fn() + Sync))) + Send) {
    // Without optimizations, all takes more.
    const SMALL: usize = if cfg!(debug_assertions) { 3 << 20 } else { 1 << 20 };
    let run = |check: &(dyn Fn() + Sync)| {
        std::thread::scope(|scope| {
            std::thread::Builder::new().stack_size(SMALL).spawn_scoped(scope, check).unwrap();
        });
    };
    std::thread::scope(|scope| {
        std::thread::Builder::new().stack_size(64 << 20).spawn_scoped(scope, || test(&run)).unwrap();
    });
}

fn nest<T>(inner: T, wrap: impl Fn(T) -> T) -> T {
    (0..DEEP).fold(inner, |inner, _| wrap(inner))
}

fn hits<T: std::fmt::Debug>(answer: Result<T, Error>, limit: &str) {
    let error = answer.unwrap_err();
    assert_eq!(error.kind(), &ErrorKind::Limit);
    assert!(error.message().contains(&format!("limit '{limit}'")), "{error}");
}

#[test]
fn deep_types_are_an_error_not_a_crash() {
    on_small_stack(|run| {
        let wraps: [fn(Type) -> Type; 8] = [
            |t| Type::array(t, None),
            |t| Type::hash(t.clone(), t, None),
            |t| Type::tuple([t], None),
            |t| Type::variant([Type::Undef, t]),
            Type::optional,
            Type::not_undef,
            Type::type_of,
            |t| Type::Iterable(Some(Arc::new(t))),
        ];
        for wrap in wraps {
            let (a, b) = (nest(Type::INTEGER, wrap), nest(Type::FLOAT, wrap));
            run(&|| {
                hits(a.try_assignable(&b, &LIMITS), "nesting");
                assert!(!a.assignable(&b));
            });
        }
        let array = nest(Type::integer(Some(1), None), |t| Type::array(t, None));
        let value = nest(Value::Integer(1), |value| vec![value].into());
        run(&|| {
            for t in [array.normalize(), array.generalize(), array.common(&Type::array(Type::Any, None))] {
                assert!(matches!(t, Type::Array(_)));
            }
            assert_eq!(array.unresolved(), None);
            hits(instance(&array, &value, &LIMITS), "nesting");
        });
    });
}

#[test]
fn deep_values_are_an_error_not_a_crash() {
    on_small_stack(|run| {
        let wraps: [fn(Value) -> Value; 3] = [
            |value| vec![value].into(),
            |value| [(Value::from("a"), value)].into_iter().collect(),
            |value| Value::Sensitive(Arc::new(value)),
        ];
        for wrap in wraps {
            let value = nest(Value::Integer(1), wrap);
            run(&|| {
                hits(infer(&value, &LIMITS), "nesting");
                hits(infer_set(&value, &LIMITS), "nesting");
            });
        }
        let value = nest(Value::Integer(1), |value| vec![value].into());
        run(&|| {
            hits(instance(&builtin::data(), &value, &LIMITS), "nesting");
            assert_eq!(instance(&Type::Any, &value, &LIMITS), Ok(Verdict::Yes));
            assert_eq!(instance(&Type::STRING, &value, &LIMITS), Ok(Verdict::No));
        });
    });
}

#[test]
fn the_deepest_that_is_allowed_fits_on_a_small_stack() {
    on_small_stack(|run| {
        let levels = LIMITS.nesting as usize - 1;
        let value = (0..levels).fold(Value::Integer(1), |value, _| vec![value].into());
        run(&|| {
            for t in [builtin::data(), builtin::rich_data()] {
                assert_eq!(instance(&t, &value, &LIMITS), Ok(Verdict::Yes));
            }
            for t in [infer(&value, &LIMITS).unwrap(), infer_set(&value, &LIMITS).unwrap()] {
                assert_eq!(t.try_assignable(&t, &LIMITS), Ok(true));
                assert_eq!(t.normalize(), t);
                assert_ne!(t.generalize(), t);
            }
        });
    });
}

fn alias(name: &str, resolve: impl FnOnce(Type) -> Type) -> Type {
    Type::Alias(Alias::define(name, |me| Ok(resolve(Type::Alias(me)))).unwrap())
}

#[test]
fn a_circle_of_types_accepts_what_is_beside_it() {
    let circle = alias("A", |a| Type::variant([alias("B", |_| Type::optional(a)), Type::INTEGER]));
    for (value, expected) in
        [(Value::Integer(1), Verdict::Yes), (Value::Undef, Verdict::Yes), (Value::from("x"), Verdict::No)]
    {
        assert_eq!(instance(&circle, &value, &LIMITS), Ok(expected), "{value:?}");
    }
    assert!(circle.assignable(&Type::INTEGER) && circle.assignable(&circle));
    assert!(!circle.assignable(&Type::STRING));
}

#[test]
fn types_that_contain_each_other_accept_their_values() {
    let list = alias("List", |list| {
        Type::variant([
            Type::INTEGER,
            Type::array(alias("Item", |_| Type::variant([Type::STRING, list])), None),
        ])
    });
    let value = |text: &str| Value::from(vec![Value::Integer(1), Value::from(vec![Value::from(text)])]);
    assert_eq!(instance(&list, &value("a"), &LIMITS), Ok(Verdict::Yes));
    assert_eq!(instance(&list, &Value::from(vec![Value::Float(1.0)]), &LIMITS), Ok(Verdict::No));
}

#[test]
fn an_alias_that_stands_for_nothing_accepts_nothing() {
    let nothing = alias("A", |a| alias("B", |_| a));
    assert_eq!(instance(&nothing, &Value::Integer(1), &LIMITS), Ok(Verdict::No));
    assert!(!nothing.assignable(&Type::INTEGER));
    assert!(!nothing.is_iterable() && !nothing.is_callable_kind(true));
}

#[test]
fn work_that_grows_exponentially_is_cut_off() {
    let limits = Limits { work: 100_000, ..Limits::DEFAULT };
    let tree = alias("Tree", |tree| {
        Type::variant([Type::array(tree.clone(), None), Type::tuple([tree], None), Type::INTEGER])
    });
    let odd = (0..60).fold(Value::from("odd"), |value, _| vec![value].into());
    hits(instance(&tree, &odd, &limits), "work");

    let shared = (0..60).fold(Value::Integer(1), |value, _| vec![value.clone(), value].into());
    hits(instance(&builtin::data(), &shared, &limits), "work");
    hits(infer(&shared, &limits), "work");
    hits(infer_set(&shared, &limits), "work");

    let doubled = |inner| (0..60).fold(inner, |t: Type, _| Type::tuple([t.clone(), t], None));
    hits(doubled(Type::INTEGER).try_assignable(&doubled(Type::integer(Some(1), None)), &limits), "work");
    let unknown = Value::Unknown(Arc::new(doubled(Type::integer(Some(1), None))));
    assert_eq!(instance(&doubled(Type::INTEGER), &unknown, &limits), Ok(Verdict::Maybe));
}

#[test]
fn the_deepest_text_fits_on_a_small_stack() {
    // The stack of a Ruby fiber; unoptimized code takes more.
    const STACK: usize = if cfg!(debug_assertions) { 2 << 20 } else { 512 << 10 };
    let parse_on_small_stack = |text: String| {
        let parse = move || parse(&text, &NoAliases, &LIMITS).map(|t| t.to_string().len());
        std::thread::Builder::new().stack_size(STACK).spawn(parse).unwrap().join().unwrap()
    };
    let nested = |open: &str, inner: &str, close: &str, depth: usize| {
        open.repeat(depth) + inner + &close.repeat(depth)
    };
    assert!(parse_on_small_stack(nested("Array[", "Any", "]", 200)).is_ok());
    for (open, close) in [("Array[", "]"), ("Struct[{a => ", "}]"), ("[", "]"), ("-", ""), ("(", ")")] {
        let error = parse_on_small_stack(nested(open, "Any", close, 5000)).unwrap_err();
        assert_eq!(error.kind(), &ErrorKind::Limit, "{open}");
    }
    for link in [".a", "[1]", "(1)", " + 1", " ? a => 1"] {
        let error = parse_on_small_stack("Any".to_owned() + &link.repeat(5000)).unwrap_err();
        assert_eq!(error.kind(), &ErrorKind::Limit, "{link}");
    }
}
