//! Advice for programs that pass hashes with Symbols for keys.

use magnus::error::ErrorType;
use magnus::value::ReprValue;
use magnus::{Error, ExceptionClass, RString};

/// The text of a hash with Symbols for keys in messages.
const SHOWN: &str = "Hash[Runtime[ruby, 'Symbol']";
const ADVICE: &str = "use String keys: Puppet has no Symbols";

/// Appends the advice to the message of an error about a hash with Symbols, if the error is of a class.
pub fn advised(error: Error, class: ExceptionClass) -> Error {
    let ErrorType::Exception(exception) = error.error_type() else { return error };
    if !exception.is_kind_of(class) {
        return error;
    }
    let Ok(message) = exception.funcall::<_, _, RString>("message", ()) else { return error };
    let Ok(said) = message.to_string() else { return error };
    if said.contains(SHOWN) && !said.contains(ADVICE) && !message.is_frozen() {
        message.cat(if said.contains('\n') { format!("\n{ADVICE}") } else { format!(" ({ADVICE})") });
    }
    error
}
