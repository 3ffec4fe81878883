//! The wording of type mismatches.

use puppetfn_types::types::Type;
use puppetfn_types::types::ops::describe::Messages;

/// The maximum length of an alias's type to show, as text.
const LONGEST: usize = 80;

/// Returns the message that a value is not of a type, with the value and the accepted type.
pub(super) fn refused(subject: &str, t: &Type, actual: Type) -> String {
    let error = Messages::Rich.assertion_error(subject, t, actual);
    let message = error.message().trim();
    let stands_for = if let Type::Alias(alias) = t {
        let target = alias.with_target(|target| target.map(ToString::to_string));
        target.map(|target| (alias.name().to_string(), target))
    } else {
        None
    };
    match stands_for.filter(|(name, target)| target.len() <= LONGEST && message.contains(name)) {
        Some((name, target)) => format!("{message} ({name} is {target})"),
        None => message.to_owned(),
    }
}
