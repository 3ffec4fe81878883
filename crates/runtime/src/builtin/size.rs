//! How large a value is: `length`, `size` and `empty`.
//!
//! See Puppet's `functions/{length,size,empty}.rb`.

use puppetfn_base::error::Error;
use puppetfn_types::function::{Call, Declaration, Unknowns, native};
use puppetfn_types::types::Type;
use puppetfn_types::value::Value;

pub(super) fn length() -> Declaration {
    native("length")
        .pure()
        .doc(
            "Counts the elements of an array, the entries of a hash, the characters of a string or \
             the bytes of a binary value.",
        )
        .example("length([1, 2, 3])", "3")
        .example("length('héllo')", "5")
        .dispatch("(Collection arg)", count)
        .dispatch("(String arg)", count)
        .dispatch("(Binary arg)", count)
        .returns(|_| Type::integer(Some(0), None))
        .unknowns(Unknowns::AcceptNested)
}

pub(super) fn size() -> Declaration {
    native("size")
        .pure()
        .doc("The same as `length`.")
        .example("size({'a' => 1, 'b' => 2})", "2")
        .dispatch("(Variant[Collection, String, Binary] arg)", count)
        .returns(|_| Type::integer(Some(0), None))
        .unknowns(Unknowns::AcceptNested)
}

fn count(call: &mut Call<'_>, arguments: &[Value]) -> Result<Value, Error> {
    let count = match arguments {
        [Value::Array(items)] => items.len(),
        [Value::Hash(hash)] => hash.len(),
        [Value::String(text)] => text.chars().count(),
        [Value::Binary(binary)] => binary.bytes().len(),
        _ => return Err(call.unexpected_arguments()),
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
        .dispatch("(Collection coll)", is_empty)
        .dispatch("(Sensitive[String] str)", is_empty)
        .dispatch("(String str)", is_empty)
        .dispatch("(Numeric num)", |call, _| {
            let place = call.place();
            let key = format!("empty-from-{place:?}");
            let message = "Calling function empty() with Numeric value is deprecated.";
            call.warn_once(&key, message, place.as_ref());
            Ok(Value::Boolean(false))
        })
        .dispatch("(Binary bin)", is_empty)
        .dispatch("(Undef x)", |_, _| Ok(Value::Boolean(true)))
        .returns(|_| Type::BOOLEAN)
        .unknowns(Unknowns::AcceptNested)
}

fn is_empty(call: &mut Call<'_>, arguments: &[Value]) -> Result<Value, Error> {
    let value = match arguments {
        [Value::Sensitive(inner)] => &**inner,
        [other] => other,
        _ => return Err(call.unexpected_arguments()),
    };
    match value {
        Value::Array(items) => Ok(Value::Boolean(items.is_empty())),
        Value::Hash(hash) => Ok(Value::Boolean(hash.is_empty())),
        Value::String(text) => Ok(Value::Boolean(text.is_empty())),
        Value::Binary(binary) => Ok(Value::Boolean(binary.bytes().is_empty())),
        Value::Unknown(_) => Ok(Value::unknown(Type::BOOLEAN)),
        Value::Undef
        | Value::Default
        | Value::Boolean(_)
        | Value::Integer(_)
        | Value::Float(_)
        | Value::Regexp(_)
        | Value::Type(_)
        | Value::Sensitive(_)
        | Value::Iterator(_)
        | Value::Callable(_)
        | Value::SemVer(_)
        | Value::SemVerRange(_)
        | Value::Uri(_)
        | Value::Timestamp(_)
        | Value::Timespan(_)
        | Value::Object(_)
        | Value::Runtime(_) => Err(call.unexpected_arguments()),
    }
}
