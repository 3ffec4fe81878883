//! `inline_epp`.

use crate::function::{Declaration, Template, native};
use crate::types::Type;
use crate::value::Value;

/// What messages name as the file of a template that is from none.
const INLINE: &str = "inlined-epp-text";

pub(super) fn inline_epp() -> Declaration {
    native("inline_epp")
        .doc(
            "The text that a template in EPP gives. It sees the variables around the call, and has the \
             parameters as variables; those that it declares must be given.",
        )
        .example("inline_epp('<%- | $x, $y = 2 | -%><%= $x %> and <%= $y %>', {'x' => 1})", "'1 and 2'")
        .example("inline_epp('<% [1, 2].each |$x| { %>(<%= $x %>)<% } %>')", "'(1)(2)'")
        .dispatch(
            "(String template, Hash[Pattern[/^\\w+$/], Any] parameters?) >> Variant[String, Sensitive[String]]",
            |call, arguments| {
                let (text, parameters) = match arguments {
                    [Value::String(text)] => (text, None),
                    [Value::String(text), Value::Hash(parameters)] => (text, Some(&**parameters)),
                    _ => return Err(call.unexpected_arguments()),
                };
                let template = Template { text, file: INLINE, function: call.name(), sees_locals: true };
                call.host().render(&template, parameters)
            },
        )
        .returns(|_| Type::Any)
}
