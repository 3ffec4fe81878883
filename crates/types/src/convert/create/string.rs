//! `new` of `String`: any value as text, according to formats.
//!
//! See Puppet's `pops/types/string_converter.rb`.

use crate::convert::format;
use crate::function::{Declaration, native};
use crate::value::Value;

pub(super) fn string() -> Declaration {
    native("new_string")
        .local_type(r"Format = Pattern[/^%([\s\[+#0{<(|-]*)([1-9][0-9]*)?(?:\.([0-9]+))?([a-zA-Z])$/]")
        .local_type(concat!(
            "ContainerFormat = Struct[{Optional[format] => Format, Optional[separator] => String, ",
            "Optional[separator2] => String, Optional[string_formats] => Hash[Type, Format]}]"
        ))
        .local_type("TypeMap = Hash[Type, Variant[Format, ContainerFormat]]")
        .local_type("Convertible = Any")
        .local_type("Formats = Variant[Default, String[1], TypeMap]")
        .dispatch::<(&Value, Option<&Value>)>(
            "(Convertible from, Formats string_formats?)",
            |call, (value, formats)| {
                format(value, formats.unwrap_or(&Value::Default), call.limits()).map(Value::from)
            },
        )
}
