//! Any text is JSON, YAML or an error, and data that is written is read as the same data.
#![no_main]

use libfuzzer_sys::fuzz_target;
use puppetfn::convert::{json, yaml};
use puppetfn::limits::Limits;
use puppetfn::value::Value;

fuzz_target!(|text: &str| {
    let limits = Limits { work: 100_000, elements: 10_000, ..Limits::DEFAULT };
    if let Ok(Ok(value)) = json::parse(text, &limits) {
        let Ok(written) = json::to_json(&value, &limits) else { return };
        let again = json::from_json(&written, &limits);
        assert_eq!(again.map(|value| value.inspected()), Ok(value.inspected()));
        is_read_as_written(&value, &limits);
    }
    if let Ok(Ok(value)) = yaml::parse(text, &limits) {
        is_read_as_written(&value, &limits);
    }
    yaml::key_places(text);
});

/// Compares texts, since what is not a number is not equal to itself. Objects that YAML names, such as symbols, are unknown
/// values, which are written as text.
fn is_read_as_written(value: &Value, limits: &Limits) {
    if value.inspected().contains("Unknown[") {
        return;
    }
    let Ok(written) = yaml::to_yaml(value, limits) else { return };
    let again = yaml::parse(&written, limits).map(|read| read.map(|value| value.inspected()));
    assert_eq!(again, Ok(Ok(value.inspected())), "{written}");
}
