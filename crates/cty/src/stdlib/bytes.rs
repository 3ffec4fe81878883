//! Bytes, which are capsules.
//!
//! See go-cty's `cty/function/stdlib/bytes.go`.

use super::{FunctionFamily, failure, number};
use crate::function::{CtyFunction, CtyParameter};
use crate::types::{BYTES, CtyType, bytes_type};
use crate::value::CtyValue;
use puppetfn_base::error::Error;

/// Returns a string of bytes; [`CtyValue::as_capsule`] with `Vec<u8>` gives them back.
pub fn bytes(bytes: Vec<u8>) -> CtyValue {
    CtyValue::capsule(&BYTES, bytes)
}

pub(super) fn functions() -> FunctionFamily {
    let buffer = || CtyParameter::new("buf", bytes_type()).allow_dynamic_type();
    vec![
        (
            "byteslen",
            CtyFunction::new("Returns how many bytes there are.")
                .parameter(buffer())
                .returns(CtyType::Number)
                .implement(|[buf], _| Ok(CtyValue::number(buf.as_capsule::<Vec<u8>>()?.len()))),
        ),
        (
            "bytesslice",
            CtyFunction::new("Returns a part of the bytes.")
                .parameter(buffer())
                .parameter(number("offset").allow_dynamic_type())
                .parameter(number("length").allow_dynamic_type())
                .returns(bytes_type())
                .implement(|[buf, offset, length], _| slice(buf, offset, length)),
        ),
    ]
}

fn slice(buf: &CtyValue, offset: &CtyValue, length: &CtyValue) -> Result<CtyValue, Error> {
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
