//! How it is said that a value is not of a type.

use puppetfn_types::types::Type;
use puppetfn_types::types::ops::describe::Messages;

/// How long the text of a type may be that an alias stands for, to be shown.
const LONGEST: usize = 80;

/// Says that what is of one type is not of another: with the value, and with what is accepted.
pub(super) fn refused(subject: &str, t: &Type, actual: Type) -> String {
    let error = Messages::Rich.assertion_error(subject, t, actual);
    let message = error.message().trim();
    match t {
        Type::Alias(alias) => {
            let stands_for = alias.with_target(|target| target.map(ToString::to_string));
            let name = alias.name();
            match stands_for.filter(|text| text.len() <= LONGEST && message.contains(&**name)) {
                Some(text) => format!("{message} ({name} is {text})"),
                None => message.to_owned(),
            }
        }
        _ => message.to_owned(),
    }
}
