//! Any text is a type or an error, and the text of a type is parsed to a type with the same text.
#![no_main]

use libfuzzer_sys::fuzz_target;
use puppetfn::limits::Limits;
use puppetfn::types::Type;
use puppetfn::types::parse::{NoAliases, parse};

/// What Puppet prints so that it does not read it again, or as something else: references, names
/// without quotes, large floats, backslashes that are not doubled, what is generalized each time, ports
/// that become strings, and ranges without a version.
const UNREADABLE: &[&str] =
    &["TypeReference[", "Class[", "Runtime[", "e+", "\\", "Sensitive[", "URI[{", "Infinity"];

fuzz_target!(|text: &str| {
    let Ok(t) = parse(text, &NoAliases, &Limits::DEFAULT) else { return };
    let printed = t.to_string();
    if UNREADABLE.iter().any(|part| printed.contains(part)) {
        return;
    }
    let again = parse(&printed, &NoAliases, &Limits::DEFAULT).map(|t: Type| t.to_string());
    // Puppet prints a resource type by its name alone, which another world may not know.
    if again.as_ref().is_ok_and(|again| again.contains("TypeReference[")) {
        return;
    }
    assert_eq!(again.map_err(|error| error.to_string()), Ok(printed));
});
