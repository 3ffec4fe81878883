//! Any text is a type or an error, and the text of a type is parsed to a type with the same text.
#![no_main]

use libfuzzer_sys::fuzz_target;
use puppetfn::limits::Limits;
use puppetfn::types::Type;
use puppetfn::types::parse::{NoAliases, parse};

fuzz_target!(|text: &str| {
    let Ok(t) = parse(text, &NoAliases, &Limits::DEFAULT) else { return };
    let printed = t.to_string();
    // Puppet does not double backslashes, so a text with one can be that of several types.
    if printed.contains('\\') {
        return;
    }
    let again = parse(&printed, &NoAliases, &Limits::DEFAULT).map(|t: Type| t.to_string());
    assert_eq!(again.map_err(|error| error.to_string()), Ok(printed));
});
