//! No code brings the evaluator down, and none keeps it busy: it stops at its limits.
#![no_main]

mod program;

use arbitrary::Arbitrary;
use libfuzzer_sys::fuzz_target;
use program::Program;
use puppetfn::error::ErrorKind;
use puppetfn::eval::Runtime;
use puppetfn::limits::Limits;
use puppetfn::types::ops::infer_set;

#[derive(Arbitrary, Debug)]
enum Input<'a> {
    /// Any text. Few of them are code.
    Text(&'a str),
    /// A program.
    Program(Program),
}

fuzz_target!(|input: Input<'_>| {
    let text = match &input {
        Input::Text(text) => (*text).to_owned(),
        Input::Program(program) => program.to_string(),
    };
    let limits = Limits {
        fuel: Some(1_000),
        text: 100_000,
        elements: 10_000,
        size: 10_000,
        work: 100_000,
        ..Limits::DEFAULT
    };
    let runtime = Runtime::builder().limits(limits).build();
    match runtime.evaluate(&text, Some("/fuzz.pp")) {
        Ok(value) => {
            let _ = (value.interpolated(&limits), infer_set(&value, &limits));
            assert_eq!(value, value.clone());
        }
        Err(error) => assert_ne!(error.kind(), &ErrorKind::Internal, "{error}\n{text}"),
    }
});
