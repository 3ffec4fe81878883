//! Parts of strings and of binaries.
//!
//! See Puppet's `pops/evaluator/access_operator.rb`.

use super::{AccessFault, AccessResult, key_type, slice};
use crate::eval::operators::integer_of_text;
use crate::eval::text::article;
use puppetfn_types::value::{Binary, Value};

/// Characters of a string.
pub(super) fn of_string(string: &str, keys: &[Value]) -> AccessResult {
    if string.is_ascii() {
        let range = part(keys, string.len())?;
        return Ok(string.get(range).unwrap_or_default().into());
    }
    let range = part(keys, string.chars().count())?;
    Ok(Value::from(string.chars().skip(range.start).take(range.len()).collect::<String>()))
}

/// Bytes of a binary.
pub(super) fn of_binary(binary: &Binary, keys: &[Value]) -> AccessResult {
    let range = part(keys, binary.bytes().len())?;
    Ok(Value::Binary(Binary::new(binary.bytes().get(range).unwrap_or_default())))
}

fn part(keys: &[Value], len: usize) -> Result<std::ops::Range<usize>, AccessFault> {
    match keys {
        [key] => {
            let index = index(0, key)?;
            // An index before the start selects nothing, rather than the start.
            let is_before = index < 0 && index.checked_add_unsigned(len as u64).is_none_or(|index| index < 0);
            Ok(if is_before { 0..0 } else { slice(index, 1, len) })
        }
        [from, count] => Ok(slice(index(0, from)?, index(1, count)?, len)),
        _ => Err(AccessFault::whole(format!(
            "String supports [] with one or two arguments. Got {}",
            keys.len()
        ))),
    }
}

fn index(at: usize, key: &Value) -> Result<i64, AccessFault> {
    let number = match key {
        Value::Integer(number) => Some(*number),
        Value::String(text) => integer_of_text(text),
        _ => None,
    };
    number.ok_or_else(|| {
        let actual = key_type(key);
        let article = article(&actual);
        AccessFault::key(
            at,
            format!(
                "A substring operation does not accept {article} {actual} as a character index. Expected an Integer"
            ),
        )
    })
}
