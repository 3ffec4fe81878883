//! `sprintf`.
//!
//! See Puppet's `parser/functions/sprintf.rb`.

use super::legacy::{LegacyArity, legacy, text};
use puppetfn_types::convert;
use puppetfn_types::function::{Declaration, HostMethod};
use puppetfn_types::types::Type;

pub(super) fn sprintf() -> Declaration {
    legacy("sprintf", LegacyArity::AtLeast(1), |call, arguments| {
        let (format, values) = arguments.split_at_checked(1).unwrap_or_default();
        Ok(convert::sprintf(text(format.first())?, values, call.limits())?.into())
    })
    .host_method(HostMethod::Format)
    .pure()
    .doc("The arguments in a format, as Ruby's `format` shows them; names in it are keys of a hash.")
    .example("sprintf('%05.1f|%-4s|%x', 1.25, 'a', 255)", "'001.2|a   |ff'")
    .example("sprintf('%<a>d %{b}', {'a' => 1, 'b' => 'x'})", "'1 x'")
    .returns(|_| Type::STRING)
}
