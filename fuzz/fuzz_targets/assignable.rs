//! A value is an instance of a type if and only if its type is assignable to it.
#![no_main]

mod plain;

use libfuzzer_sys::fuzz_target;
use plain::{Aliases, PlainType, PlainValue};
use puppetfn::limits::Limits;
use puppetfn::subject::Verdict;
use puppetfn::types::ops::{infer_set, instance};
use puppetfn::types::parse::parse;
use puppetfn::value::Value;

fuzz_target!(|input: (PlainType, PlainValue)| {
    let (t, value) = input;
    let limits = Limits::DEFAULT;
    let Ok(t) = parse(&t.to_string(), &Aliases, &limits) else { return };
    let value = Value::from(value);

    let (Ok(verdict), Ok(inferred)) = (instance(&t, &value, &limits), infer_set(&value, &limits)) else {
        return;
    };
    let Ok(assignable) = t.try_assignable(&inferred, &limits) else { return };
    assert_eq!(verdict == Verdict::Yes, assignable, "{t} <- {inferred}");
    assert!(inferred.assignable(&inferred), "{inferred}");
    assert_eq!(instance(&inferred, &value, &limits), Ok(Verdict::Yes), "{inferred}");
});
