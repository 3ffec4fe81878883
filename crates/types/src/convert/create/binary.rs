//! `new` of `Binary`.
//!
//! See Puppet's `pops/types/p_binary_type.rb`.

use crate::function::{Call, Declaration, native, one_of};
use crate::value::{Array, Binary, Hash, Value};
use puppetfn_base::error::Error;

one_of! {
    /// The `value` entry of a hash argument.
    enum BinaryContent<'v> {
        Text(&'v str),
        Bytes(&'v Array),
    }
}

pub(super) fn binary() -> Declaration {
    native("new_Binary")
        .local_type("ByteInteger = Integer[0, 255]")
        .local_type("Base64Format = Enum['%b', '%u', '%B', '%s', '%r']")
        .local_type("StringHash = Struct[{value => String, 'format' => Optional[Base64Format]}]")
        .local_type("ArrayHash = Struct[{value => Array[ByteInteger]}]")
        .local_type("BinaryArgsHash = Variant[StringHash, ArrayHash]")
        .dispatch::<(&str, Option<&str>)>("(String str, Base64Format format?)", |_, (text, format)| {
            binary_of_text(text, format)
        })
        .dispatch::<&Array>("(Array[ByteInteger] byte_array)", |call, bytes| binary_of_bytes(call, bytes))
        .dispatch::<&Hash>("(BinaryArgsHash hash_args)", |call, parts| {
            match call.entry_as::<BinaryContent>(parts, "value")? {
                BinaryContent::Text(text) => {
                    binary_of_text(text, call.entry_as::<Option<&str>>(parts, "format")?)
                }
                BinaryContent::Bytes(bytes) => binary_of_bytes(call, bytes),
            }
        })
}

fn binary_of_text(text: &str, format: Option<&str>) -> Result<Value, Error> {
    Ok(Value::Binary(match format {
        Some("%b") => Binary::from_base64(text),
        Some("%u") => Binary::from_base64_urlsafe(text)?,
        Some("%s" | "%r") => Binary::new(text.as_bytes()),
        // `%B`
        Some(_) | None => Binary::from_base64_strict(text)?,
    }))
}

fn binary_of_bytes(call: &Call<'_>, bytes: &[Value]) -> Result<Value, Error> {
    let bytes: Result<Vec<u8>, Error> = bytes.iter().map(|byte| call.value_as::<u8>(byte)).collect();
    Ok(Value::Binary(Binary::new(bytes?)))
}
