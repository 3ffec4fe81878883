//! Any text is a regular expression or an error, and a match ends soon, whatever is matched.
#![no_main]

use libfuzzer_sys::fuzz_target;
use puppetfn::value::Regex;

// What is before the first NUL is the regular expression, and the rest is what it is matched with.
fuzz_target!(|input: &str| {
    let Some((source, text)) = input.split_once('\0') else { return };
    let Ok(regex) = Regex::new(source) else { return };
    assert_eq!(regex.source(), source);
    let found = regex.groups_from(text, 0);
    // Some matches are found without groups and backtrack too much with them.
    let (Ok(found), Ok(matches), Ok(captures)) = (found, regex.is_match(text), regex.captures(text)) else {
        return;
    };
    assert_eq!(found.is_some(), matches);
    assert_eq!(found.is_some(), captures.is_some());
    if let (Some(found), Some(captures)) = (found, captures) {
        assert_eq!(text.get(found.whole), captures[0]);
        let others: Vec<_> =
            found.others.into_iter().map(|range| range.and_then(|range| text.get(range))).collect();
        assert_eq!(others, captures[1..]);
    }
});
