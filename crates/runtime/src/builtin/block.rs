//! Functions that only decide whether to call their block, and with which arguments: `with`, `then` and `lest`.
//!
//! See Puppet's `functions/{with,then,lest}.rb`.

use super::legacy::refused;
use puppetfn_types::function::{BlockUse, Declaration, UnknownHandling, native};
use puppetfn_types::types::Type;
use puppetfn_types::value::Value;

pub(super) fn with() -> Declaration {
    native("with")
        .scope_method(refused(-1, true))
        .block_use(BlockUse::Arguments)
        .for_types()
        .doc("Calls the block with the arguments, which gives it variables of its own.")
        .example("with(1, 2) |$x, $y| { $y }", "2")
        .dispatch::<&[Value]>("(Any arg*, Callable block)", |call, arguments| call.call_block(arguments))
        .returns_by_block(|_, block| block.clone())
        .unknowns(UnknownHandling::Accept)
}

pub(super) fn then() -> Declaration {
    native("then")
        .scope_method(refused(-2, true))
        .block_use(BlockUse::UnlessUndef)
        .for_types()
        .doc("Calls the block with the argument, unless it is undef.")
        .example("then(5) |$x| { $x }", "5")
        .example("then(undef) |$x| { 5 }", "undef")
        .dispatch::<&Value>("(Any arg, Callable[1, 1] block)", |call, value| match value {
            Value::Undef => Ok(Value::Undef),
            value => call.call_block(std::slice::from_ref(value)),
        })
        .returns_by_block(|arguments, block| match arguments {
            [Type::Undef] => Type::Undef,
            [argument] if argument.accepts_undef() => Type::optional(block.clone()),
            _ => block.clone(),
        })
        .unknowns(UnknownHandling::AcceptNested)
}

pub(super) fn lest() -> Declaration {
    native("lest")
        .scope_method(refused(-2, true))
        .block_use(BlockUse::IfUndef)
        .for_types()
        .doc("Returns the argument or, if it is undef, the result of the block.")
        .example("lest(5) || { 6 }", "5")
        .example("lest(undef) || { 6 }", "6")
        .dispatch::<&Value>("(Any arg, Callable[0, 0] block)", |call, value| match value {
            Value::Undef => call.call_block(&[]),
            value => Ok(value.clone()),
        })
        .returns_by_block(|arguments, block| match arguments {
            [Type::Undef] => block.clone(),
            [Type::Optional(Some(inner))] if !inner.accepts_undef() => {
                Type::one_of([Type::clone(inner), block.clone()])
            }
            [known, ..] if !known.accepts_undef() => known.clone(),
            _ => Type::Any,
        })
        .unknowns(UnknownHandling::AcceptNested)
}
