//! `new` of `Binary`.
//!
//! See Puppet's `pops/types/p_binary_type.rb`.

use crate::function::{Call, Declaration, native};
use crate::value::{Binary, Value};
use puppetfn_base::error::Error;

pub(super) fn binary() -> Declaration {
    native("new_Binary")
        .local_type("ByteInteger = Integer[0, 255]")
        .local_type("Base64Format = Enum['%b', '%u', '%B', '%s', '%r']")
        .local_type("StringHash = Struct[{value => String, 'format' => Optional[Base64Format]}]")
        .local_type("ArrayHash = Struct[{value => Array[ByteInteger]}]")
        .local_type("BinaryArgsHash = Variant[StringHash, ArrayHash]")
        .dispatch("(String str, Base64Format format?)", |call, arguments| match arguments {
            [Value::String(text), format @ ..] => binary_of_text(call, text, format.first()),
            _ => Err(call.unexpected_arguments()),
        })
        .dispatch("(Array[ByteInteger] byte_array)", |call, arguments| match arguments {
            [Value::Array(bytes)] => binary_of_bytes(call, bytes),
            _ => Err(call.unexpected_arguments()),
        })
        .dispatch("(BinaryArgsHash hash_args)", |call, arguments| match arguments {
            [Value::Hash(parts)] => match parts.get_str("value") {
                Some(Value::String(text)) => binary_of_text(call, text, parts.get_str("format")),
                Some(Value::Array(bytes)) => binary_of_bytes(call, bytes),
                _ => Err(call.unexpected_arguments()),
            },
            _ => Err(call.unexpected_arguments()),
        })
}

fn binary_of_text(call: &Call<'_>, text: &str, format: Option<&Value>) -> Result<Value, Error> {
    let format = match format {
        Some(Value::String(format)) => format,
        None | Some(Value::Undef) => "%B",
        Some(_) => return Err(call.unexpected_arguments()),
    };
    Ok(Value::Binary(match format {
        "%b" => Binary::from_base64(text),
        "%u" => Binary::from_base64_urlsafe(text)?,
        "%B" => Binary::from_base64_strict(text)?,
        "%s" | "%r" => Binary::new(text.as_bytes()),
        _ => return Err(call.unexpected_arguments()),
    }))
}

fn binary_of_bytes(call: &Call<'_>, bytes: &[Value]) -> Result<Value, Error> {
    let bytes: Option<Vec<u8>> = bytes
        .iter()
        .map(|byte| if let Value::Integer(byte) = byte { u8::try_from(*byte).ok() } else { None })
        .collect();
    bytes.map(|bytes| Value::Binary(Binary::new(bytes))).ok_or_else(|| call.unexpected_arguments())
}
