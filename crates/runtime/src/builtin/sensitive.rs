//! `unwrap`.
//!
//! See Puppet's `functions/unwrap.rb`.

use puppetfn_types::function::{Declaration, native};
use puppetfn_types::types::Type;
use puppetfn_types::value::Value;

pub(super) fn unwrap() -> Declaration {
    native("unwrap")
        .pure()
        .doc(
            "What a sensitive value hides; any other value as it is. A block gets it and gives the result, so \
             that it need not be in a variable.",
        )
        .example("unwrap(Sensitive('secret'))", "'secret'")
        .example("unwrap(Sensitive('a')) |$x| { length($x) }", "1")
        .dispatch("(Sensitive arg, Callable block?)", |call, arguments| match arguments {
            [Value::Sensitive(inner)] if call.has_block() => call.call_block(&[Value::clone(inner)]),
            [Value::Sensitive(inner)] => Ok(Value::clone(inner)),
            _ => Err(call.unexpected_arguments()),
        })
        .dispatch("(Any arg, Callable block?)", |call, arguments| match arguments {
            arguments @ [_] if call.has_block() => call.call_block(arguments),
            [value] => Ok(value.clone()),
            _ => Err(call.unexpected_arguments()),
        })
        .returns(|arguments| match arguments {
            [Type::Sensitive(Some(inner))] => Type::clone(inner),
            _ => Type::Any,
        })
}
