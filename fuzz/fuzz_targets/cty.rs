//! No arguments bring a function of cty's down, and its result is of the type that it says.
#![no_main]

#[path = "../../crates/vectors/src/cty/codec.rs"]
mod codec;

use libfuzzer_sys::fuzz_target;
use puppetfn::cty::convert::{Conversion, Safety};
use puppetfn::cty::stdlib::function;
use puppetfn::cty::{CtyType, CtyValue};
use puppetfn::error::ErrorKind;
use puppetfn::limits::Limits;
use serde_json::CtyValue as Json;

// A line is the name of a function, the other lines are its arguments, as the recorded cases write them.
fuzz_target!(|text: &str| {
    let limits = Limits { size: 10_000, text: 100_000, elements: 10_000, work: 100_000, ..Limits::DEFAULT };
    let mut lines = text.lines();
    let name = lines.next().unwrap_or_default();
    let Some(function) = function(name) else { return };
    let read = |line| codec::read_value(&serde_json::from_str::<Json>(line).ok()?).ok();
    let Some(arguments) = lines.take(8).map(read).collect::<Option<Vec<CtyValue>>>() else { return };

    let types: Vec<CtyType> = arguments.iter().map(|value| value.ty().clone()).collect();
    let of_types = function.return_type(&types, &limits);
    let of_values = function.return_type_for_values(&arguments, &limits);
    match function.call(&arguments, &limits) {
        Ok(result) => {
            let t = of_values.expect("a function that returns something has a type");
            assert_eq!(result.ty().nonconformance(&t), None, "{t} {result:?}");
            // By the types alone, go-cty's `merge` takes no argument to be null, whose attributes its result does not have.
            if let (Ok(t), true) = (of_types, name != "merge") {
                assert_eq!(result.ty().nonconformance(&t), None, "{t} {result:?}");
            }
            if let Ok(value) = result.to_puppet(&limits) {
                let _ = CtyValue::from_puppet(&value, &limits);
            }
            for t in types {
                if let Some(conversion) = Conversion::find(result.ty(), &t, Safety::Unsafe) {
                    let _ = conversion.apply(&result);
                }
            }
        }
        Err(error) => assert_ne!(error.kind(), &ErrorKind::Internal, "{error}"),
    }
});
