//! `join`.
//!
//! See Puppet's `functions/join.rb`.

use puppetfn_types::function::{Declaration, HostMethod, native};
use puppetfn_types::types::Type;
use puppetfn_types::value::{Value, to_s};

pub(super) fn join() -> Declaration {
    native("join")
        .host_method(HostMethod::Join)
        .pure()
        .doc("Joins the elements of an array, and of arrays in it, into a string.")
        .example("join(['a', 'b', ['c', 1]], '-')", "'a-b-c-1'")
        .example("join(['a', undef, true])", "'atrue'")
        .dispatch("(Array arg, String delimiter?)", |call, arguments| match arguments {
            [Value::Array(items)] => Ok(to_s::join(items, "", call.limits())?.into()),
            [Value::Array(items), Value::String(delimiter)] => {
                Ok(to_s::join(items, delimiter, call.limits())?.into())
            }
            _ => Err(call.unexpected_arguments()),
        })
        .returns(|_| Type::STRING)
}
