//! `unwrap`.
//!
//! See Puppet's `functions/unwrap.rb`.

use puppetfn_base::error::Error;
use puppetfn_types::function::{Call, Declaration, SensitiveArgument, native};
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
        .dispatch::<SensitiveArgument<&Value>>("(Sensitive arg, Callable block?)", |call, SensitiveArgument(value)| opened(call, value))
        .dispatch::<&Value>("(Any arg, Callable block?)", opened)
        .returns(|arguments| match arguments {
            [Type::Sensitive(Some(inner))] => Type::clone(inner),
            _ => Type::Any,
        })
}

fn opened(call: &mut Call<'_>, value: &Value) -> Result<Value, Error> {
    if call.has_block() { call.call_block(std::slice::from_ref(value)) } else { Ok(value.clone()) }
}
