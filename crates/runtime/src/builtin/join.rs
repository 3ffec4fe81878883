//! `join`.
//!
//! See Puppet's `functions/join.rb`.

use puppetfn_types::function::{Declaration, HostMethod, native};
use puppetfn_types::types::Type;
use puppetfn_types::value::{Array, to_s};

pub(super) fn join() -> Declaration {
    native("join")
        .host_method(HostMethod::Join)
        .pure()
        .doc("Joins the elements of an array, and of arrays in it, into a string.")
        .example("join(['a', 'b', ['c', 1]], '-')", "'a-b-c-1'")
        .example("join(['a', undef, true])", "'atrue'")
        .dispatch::<(&Array, Option<&str>)>("(Array arg, String delimiter?)", |call, (items, delimiter)| {
            Ok(to_s::join(items, delimiter.unwrap_or_default(), call.limits())?.into())
        })
        .returns(|_| Type::STRING)
}
