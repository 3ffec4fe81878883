//! `type` and `assert_type`.
//!
//! See Puppet's `functions/{type,assert_type}.rb`.

use super::legacy::refused;
use puppetfn_base::error::Error;
use puppetfn_types::function::{Call, Declaration, MaybeUnknown, UnknownHandling, native};
use puppetfn_types::subject::Verdict;
use puppetfn_types::types::Type;
use puppetfn_types::types::ops::describe::AssertedTypes;
use puppetfn_types::types::ops::{infer, infer_set, instance};
use puppetfn_types::types::parse::{NoAliases, parse};
use puppetfn_types::value::Value;

pub(super) fn type_of() -> Declaration {
    native("type")
        .scope_method(refused(-1, true))
        .pure()
        .doc(
            "The type of a value: in full, with the elements of a collection reduced to one type \
             (`reduced`), or without the value's own sizes and ranges (`generalized`).",
        )
        .example("type([1, 'a'])", "Tuple[Integer[1, 1], String]")
        .example("type([1, 2], 'reduced')", "Array[Integer[1, 2], 2, 2]")
        .example("type([1, 2], 'generalized')", "Array[Integer]")
        .dispatch::<(&Value, Option<&str>)>(
            "(Any value, Enum['detailed'] inference_method?)",
            |call, (value, _)| Ok(infer_set(value, call.limits())?.into()),
        )
        .dispatch::<(&Value, &str)>("(Any value, Enum['reduced'] inference_method)", |call, (value, _)| {
            Ok(infer(value, call.limits())?.into())
        })
        .dispatch::<(&Value, &str)>(
            "(Any value, Enum['generalized'] inference_method)",
            |call, (value, _)| Ok(infer(value, call.limits())?.generalize().into()),
        )
        .returns(|arguments| match arguments {
            [value] => Type::type_of(value.clone()),
            _ => Type::Type(None),
        })
}

pub(super) fn assert_type() -> Declaration {
    native("assert_type")
        .scope_method(refused(-3, true))
        .for_types()
        .doc(
            "Gives the value if it is of the type. If it is not, fails, or gives what the block \
             makes of the expected and the actual type.",
        )
        .example("assert_type(Integer, 5)", "5")
        .example("assert_type('Array[Integer]', [5])", "[5]")
        .example("assert_type(Integer, 'a') |$expected, $actual| { $expected }", "Integer")
        .dispatch::<(MaybeUnknown<&Type>, &Value)>(
            "(Type type, Any value, Callable[Type, Type] block?)",
            |call, (expected, value)| match expected {
                MaybeUnknown::Known(expected) => assert_instance(call, expected, value),
                MaybeUnknown::Unknown => Ok(Value::unknown(Type::Any)),
            },
        )
        .dispatch::<(MaybeUnknown<&str>, &Value)>(
            "(String type_string, Any value, Callable[Type, Type] block?)",
            |call, (text, value)| match text {
                MaybeUnknown::Known(text) => {
                    assert_instance(call, &parse(text, &NoAliases, call.limits())?, value)
                }
                MaybeUnknown::Unknown => Ok(Value::unknown(Type::Any)),
            },
        )
        .returns(|arguments| match arguments {
            [Type::Type(Some(expected)), ..] => Type::clone(expected),
            _ => Type::Any,
        })
        .unknowns(UnknownHandling::Accept)
}

fn assert_instance(call: &mut Call<'_>, expected: &Type, value: &Value) -> Result<Value, Error> {
    match instance(expected, value, call.limits())? {
        Verdict::Yes => Ok(value.clone()),
        Verdict::Maybe => Ok(Value::unknown(expected.clone())),
        Verdict::No => {
            let actual = infer_set(value, call.limits())?;
            if call.has_block() {
                return call.call_block(&[expected.clone().into(), actual.into()]);
            }
            let message = call.host().messages().describe("assert_type():", expected, &actual);
            Err(AssertedTypes { expected: expected.clone(), actual }.error(message))
        }
    }
}
