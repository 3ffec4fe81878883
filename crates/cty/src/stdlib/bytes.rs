//! Bytes, which are capsules.
//!
//! See go-cty's `cty/function/stdlib/bytes.go`.

use super::{Family, failure, number};
use crate::function::{Function, Parameter};
use crate::types::{BYTES, Type, bytes_type};
use crate::value::Value;
use puppetfn_base::error::Error;

/// Returns a string of bytes; [`Value::as_capsule`] with `Vec<u8>` gives them back.
pub fn bytes(bytes: Vec<u8>) -> Value {
    Value::capsule(&BYTES, bytes)
}

pub(super) fn functions() -> Family {
    let buffer = || Parameter::new("buf", bytes_type()).allow_dynamic_type();
    vec![
        (
            "byteslen",
            Function::new("Returns how many bytes there are.")
                .parameter(buffer())
                .returns(Type::Number)
                .implement(|[buf], _| Ok(Value::number(buf.as_capsule::<Vec<u8>>()?.len()))),
        ),
        (
            "bytesslice",
            Function::new("Returns a part of the bytes.")
                .parameter(buffer())
                .parameter(number("offset").allow_dynamic_type())
                .parameter(number("length").allow_dynamic_type())
                .returns(bytes_type())
                .implement(|[buf, offset, length], _| slice(buf, offset, length)),
        ),
    ]
}

fn slice(buf: &Value, offset: &Value, length: &Value) -> Result<Value, Error> {
    let buffer: &Vec<u8> = buf.as_capsule()?;
    let (offset, length) = (offset.as_i64()?, length.as_i64()?);
    let (Ok(start), Ok(count)) = (usize::try_from(offset), usize::try_from(length)) else {
        return Err(failure("offset and length must be non-negative"));
    };
    let total = buffer.len();
    let Some(tail) = buffer.get(start..) else {
        return Err(failure(format!("offset {offset} is greater than total buffer length {total}")));
    };
    let Some(part) = tail.get(..count) else {
        return Err(failure(format!(
            "offset {offset} + length {length} is greater than total buffer length {total}"
        )));
    };
    Ok(bytes(part.to_vec()))
}
