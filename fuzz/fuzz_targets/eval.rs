//! No text brings the evaluator down, and none keeps it busy: it stops at its limits.
#![no_main]

use libfuzzer_sys::fuzz_target;
use puppetfn::eval::Runtime;
use puppetfn::limits::Limits;

fuzz_target!(|text: &str| {
    let limits = Limits {
        fuel: Some(10_000),
        text: 100_000,
        elements: 10_000,
        size: 10_000,
        work: 100_000,
        ..Limits::DEFAULT
    };
    let runtime = Runtime::builder().limits(limits).build();
    if let Ok(value) = runtime.evaluate(text, Some("/fuzz.pp")) {
        let _ = value.interpolated();
    }
});
