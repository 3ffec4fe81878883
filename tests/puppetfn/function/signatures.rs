//! Puppet's messages for arguments that match no signature: every case of `spec/vectors/function/signatures.jsonl`,
//! recorded with Puppet 7.23.
#![allow(clippy::unwrap_used, missing_docs)]

use puppetfn::function::{Signature, describe_signatures};
use puppetfn::limits::Limits;
use puppetfn::types::ops::describe::Messages;
use puppetfn::types::parse::{NoAliases, parse};
use puppetfn::types::{StringType, Type};
use serde::Deserialize;

#[derive(Deserialize)]
struct Case {
    name: String,
    signatures: Vec<String>,
    /// Types, or strings in single quotes for their exact types.
    arguments: Vec<String>,
    message: String,
}

fn argument(text: &str) -> Type {
    match text.strip_prefix('\'').and_then(|text| text.strip_suffix('\'')) {
        Some(value) => Type::String(StringType::Value(value.into())),
        None => parse(text, &NoAliases, &Limits::DEFAULT).unwrap(),
    }
}

#[test]
fn arguments_that_match_no_signature_are_described_as_in_puppet() {
    for line in include_str!("../../../spec/vectors/function/signatures.jsonl").lines() {
        let case: Case = serde_json::from_str(line).unwrap();
        let signatures: Vec<Signature> = case.signatures.iter().map(|text| text.parse().unwrap()).collect();
        let arguments: Vec<Type> = case.arguments.iter().map(|text| argument(text)).collect();
        assert_eq!(
            describe_signatures(&case.name, &signatures, &arguments, Messages::Puppet),
            case.message,
            "{line}"
        );
    }
}
