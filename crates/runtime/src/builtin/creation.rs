//! `new` and `convert_to`.
//!
//! See Puppet's `functions/{new,convert_to}.rb`.

use super::legacy::refused;
use puppetfn_base::error::Error;
use puppetfn_types::convert::create::{create, defined_by_features};
use puppetfn_types::function::{Call, Declaration, MaybeUnknown, UnknownHandling, native};
use puppetfn_types::types::Type;
use puppetfn_types::value::Value;

pub(super) fn new() -> Declaration {
    native("new")
        .scope_method(refused(-1, true))
        .pure()
        .doc(
            "Makes a value of the type out of the arguments, as the type defines it. What is of the \
             type already is given as it is. A block gets the value and gives the result.",
        )
        .example("new(Integer, '0xff')", "255")
        .example("new(Hash, [['a', 1], ['b', 2]])", "{'a' => 1, 'b' => 2}")
        .example("new(Array, 3) |$list| { $list }", "[0, 1, 2]")
        .dispatch::<(MaybeUnknown<&Type>, &[Value])>(
            "(Type type, Any args*, Callable block?)",
            |call, (t, arguments)| match t {
                MaybeUnknown::Known(t) => created(call, t, arguments),
                MaybeUnknown::Unknown => Ok(Value::unknown(Type::Any)),
            },
        )
        .returns(|arguments| match arguments {
            [Type::Type(Some(created)), ..] => Type::clone(created),
            _ => Type::Any,
        })
        .unknowns(UnknownHandling::Accept)
}

pub(super) fn convert_to() -> Declaration {
    native("convert_to")
        .pure()
        .doc("The same as `new`, with the value that is converted in front of the type.")
        .example("convert_to('0xff', Integer, 16)", "255")
        .example("convert_to('5', Float) |$x| { $x }", "5.0")
        .dispatch::<(&Value, MaybeUnknown<&Type>, &[Value])>(
            "(Any value, Type type, Any args*, Callable[1, 1] block?)",
            |call, (value, t, rest)| match t {
                MaybeUnknown::Known(t) => {
                    let arguments: Vec<Value> = std::iter::once(value).chain(rest).cloned().collect();
                    created(call, t, &arguments)
                }
                MaybeUnknown::Unknown => Ok(Value::unknown(Type::Any)),
            },
        )
        .returns(|arguments| match arguments {
            [_, Type::Type(Some(created)), ..] => Type::clone(created),
            _ => Type::Any,
        })
        .unknowns(UnknownHandling::Accept)
}

fn created(call: &mut Call<'_>, t: &Type, arguments: &[Value]) -> Result<Value, Error> {
    if let (Some(definition), false) = (defined_by_features(t), matches!(arguments, [Value::Object(_)])) {
        return call.caller().new_instance(&definition, arguments, call.block());
    }
    let value = create(t, arguments, call.caller())?;
    if call.has_block() { call.call_block(&[value]) } else { Ok(value) }
}
