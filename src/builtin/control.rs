//! `next`, `return` and `break`, and `call`.

use crate::function::{Call, Declaration, native};
use crate::types::Type;
use crate::value::Value;

/// The evaluator leaves a block or a function when one of these is called; what they do here is to
/// state their signatures.
pub(super) fn next() -> Declaration {
    native("next")
        .doc("Leaves the block or function, which gives the value.")
        .example("[1, 2].map |$x| { next($x * 10) 0 }", "[10, 20]")
        .dispatch("(Any value?)", |_, _| Ok(Value::Undef))
}

pub(super) fn return_() -> Declaration {
    native("return")
        .doc("Leaves the function that the code is in, also from within a block. The function gives the value.")
        .example("function first() { [1, 2].each |$x| { return($x) } } first()", "1")
        .dispatch("(Any value?)", |_, _| Ok(Value::Undef))
}

pub(super) fn break_() -> Declaration {
    native("break")
        .doc("Ends the iteration that calls the block.")
        .example("[1, 2, 3].map |$x| { if $x == 2 { break() } $x }", "[1]")
        .dispatch("()", |_, _| Ok(Value::Undef))
}

pub(super) fn call() -> Declaration {
    native("call")
        .doc("Calls the function of that name.")
        .example("call('join', ['a', 'b'], '-')", "'a-b'")
        .dispatch(
            "(String function_name, Any arguments*, Callable block?)",
            |call: &mut Call<'_>, arguments| match arguments {
                [Value::String(name), arguments @ ..] => call.call_named(name, arguments),
                _ => Err(call.unexpected_arguments()),
            },
        )
        .returns(|_| Type::Any)
}
