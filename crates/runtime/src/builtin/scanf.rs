//! `scanf`.
//!
//! See Puppet's `functions/scanf.rb`.

use puppetfn_types::convert;
use puppetfn_types::function::{Declaration, Deviation, ScopeMethod, native};
use puppetfn_types::value::Value;

pub(super) fn scanf() -> Declaration {
    native("scanf")
        .scope_method(ScopeMethod::with_result(2))
        .doc(
            "Finds values in a text by a format as `%d` or `%s`, and gives those that it found, up to the \
             first that is not there. A block gets them, and gives the result.",
        )
        .example("scanf('10 beers for Ada', '%d beers for %s')", "[10, 'Ada']")
        .example("'12'.scanf('%i') |$found| { $found[0] * 2 }", "24")
        .dispatch::<(&str, &str)>("(String data, String format, Callable block?)", |call, (data, format)| {
            call.deviate(Deviation::from_all("scanf, which needs a library in Puppet"))?;
            let found = Value::from(convert::scanf(data, format)?);
            if call.has_block() { call.call_block(&[found]) } else { Ok(found) }
        })
}
