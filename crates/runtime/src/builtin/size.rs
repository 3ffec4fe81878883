//! Sizes of values: `length`, `size` and `empty`.
//!
//! See Puppet's `functions/{length,size,empty}.rb`.

use puppetfn_base::error::Error;
use puppetfn_types::function::{Call, Declaration, SensitiveArgument, UnknownHandling, native, one_of};
use puppetfn_types::types::Type;
use puppetfn_types::value::{Array, Binary, Hash, Value};

pub(super) fn length() -> Declaration {
    native("length")
        .pure()
        .doc(
            "Counts the elements of an array, the entries of a hash, the characters of a string or \
             the bytes of a binary value.",
        )
        .example("length([1, 2, 3])", "3")
        .example("length('héllo')", "5")
        .dispatch::<SizedValue>("(Collection arg)", count)
        .dispatch::<&Value>("(String arg)", count_text)
        .dispatch::<SizedValue>("(Binary arg)", count)
        .returns(|_| Type::integer(Some(0), None))
        .unknowns(UnknownHandling::AcceptNested)
}

pub(super) fn size() -> Declaration {
    native("size")
        .pure()
        .doc("The same as `length`.")
        .example("size({'a' => 1, 'b' => 2})", "2")
        .dispatch::<&Value>("(Variant[Collection, String, Binary] arg)", |call, value| {
            count_text(call, value)
        })
        .returns(|_| Type::integer(Some(0), None))
        .unknowns(UnknownHandling::AcceptNested)
}

one_of! {
    enum SizedValue<'v> {
        Array(&'v Array),
        Hash(&'v Hash),
        String(&'v str),
        Binary(&'v Binary),
    }
}

/// Counts the parts of a value, which may be a String that is not UTF-8.
fn count_text(call: &mut Call<'_>, value: &Value) -> Result<Value, Error> {
    if let Some(text) = value.as_byte_text() {
        return Ok(Value::Integer(i64::try_from(text.length()).unwrap_or(i64::MAX)));
    }
    let countable = call.value_as::<SizedValue>(value)?;
    count(call, countable)
}

fn count(_: &mut Call<'_>, value: SizedValue<'_>) -> Result<Value, Error> {
    let count = match value {
        SizedValue::Array(items) => items.len(),
        SizedValue::Hash(hash) => hash.len(),
        SizedValue::String(text) => text.chars().count(),
        SizedValue::Binary(binary) => binary.bytes().len(),
    };
    Ok(Value::Integer(i64::try_from(count).unwrap_or(i64::MAX)))
}

pub(super) fn empty() -> Declaration {
    native("empty")
        .pure()
        .doc(
            "Returns true if an array or hash has no elements, a string (also a sensitive one) no characters, \
             or a binary value no bytes. Undef is empty; a number is not, and giving one is deprecated.",
        )
        .example("empty([])", "true")
        .example("empty('a')", "false")
        .example("empty(undef)", "true")
        .dispatch::<SizedValue>("(Collection coll)", is_empty)
        .dispatch::<SensitiveArgument<&str>>("(Sensitive[String] str)", |_, SensitiveArgument(text)| Ok(Value::Boolean(text.is_empty())))
        .dispatch::<SizedValue>("(String str)", is_empty)
        .dispatch::<&Value>("(Numeric num)", |call, _| {
            let place = call.place();
            let key = format!("empty-from-{place:?}");
            let message = "Calling function empty() with Numeric value is deprecated.";
            call.warn_once(&key, message, place.as_ref());
            Ok(Value::Boolean(false))
        })
        .dispatch::<SizedValue>("(Binary bin)", is_empty)
        .dispatch::<&Value>("(Undef x)", |_, _| Ok(Value::Boolean(true)))
        .returns(|_| Type::BOOLEAN)
        .unknowns(UnknownHandling::AcceptNested)
}

fn is_empty(_: &mut Call<'_>, value: SizedValue<'_>) -> Result<Value, Error> {
    Ok(Value::Boolean(match value {
        SizedValue::Array(items) => items.is_empty(),
        SizedValue::Hash(hash) => hash.is_empty(),
        SizedValue::String(text) => text.is_empty(),
        SizedValue::Binary(binary) => binary.bytes().is_empty(),
    }))
}
