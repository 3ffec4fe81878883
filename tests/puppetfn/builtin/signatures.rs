//! The signatures of the built-in functions, compared with Puppet's.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, missing_docs)]

use puppetfn::builtin::registry;
use puppetfn::function::{NoHost, Signature};
use puppetfn::types::Type;
use puppetfn::value::Value;
use serde_json::Value as Json;

/// A type that is only used within other types, where the list has just its name.
const STRING_DATA: &str =
    "StringData = Variant[String, Numeric, Array[StringData], Hash[StringData, StringData]]";

/// Returns the functions of Puppet's as its documents and its loader list them.
fn recorded() -> Json {
    serde_json::from_str(include_str!("../../../spec/vectors/function/builtins.json")).unwrap()
}

fn list<'j>(json: &'j Json, key: &str) -> &'j [Json] {
    json[key].as_array().unwrap()
}

fn name(json: &Json) -> &str {
    json["name"].as_str().unwrap()
}

/// Returns the text of a type; just the name for an Object type that the list has by name.
fn shortened(t: &str) -> &str {
    if t.starts_with("Object[{name => 'Puppet::LookupContext'") { "Puppet::LookupContext" } else { t }
}

/// Returns the compared parts of a signature.
fn ours(signature: &Signature) -> String {
    let callable = signature.callable();
    let size = callable.size();
    let count = signature.parameter_names().len();
    let names = signature.parameter_names().iter().zip(signature.parameter_types()).enumerate();
    let parameters = names.map(|(index, (name, t))| {
        let is_repeated = size.max.is_none() && index + 1 == count;
        let mark = if is_repeated {
            "*"
        } else if index as u64 >= size.min {
            "?"
        } else {
            ""
        };
        format!("{} {name}{mark}", shortened(&t.ruby_to_s()))
    });
    let block = callable.block.as_ref().map(Type::ruby_to_s).unwrap_or_default();
    let returns = callable.returns.as_ref().map(Type::to_expanded_string).unwrap_or_default();
    let parameters: Vec<String> = parameters.collect();
    format!("({}) {block} >> {returns}, {}", parameters.join(", "), signature.handles_mismatch())
}

fn theirs(signature: &Json) -> String {
    let parameters = list(signature, "params").iter().map(|parameter| {
        let mark = if parameter["repeated"] == true {
            "*"
        } else if parameter["optional"] == true {
            "?"
        } else {
            ""
        };
        format!("{} {}{mark}", shortened(parameter["type"].as_str().unwrap()), name(parameter))
    });
    let block = signature["block"]["type"].as_str().unwrap_or_default();
    let returns = signature["return_type"].as_str().unwrap_or_default();
    let parameters: Vec<String> = parameters.collect();
    format!("({}) {block} >> {returns}, {}", parameters.join(", "), signature["argument_mismatch"])
}

#[test]
fn signatures_are_those_of_puppet() {
    let mut wrong = Vec::new();
    for function in list(&recorded(), "functions_4x") {
        let name = name(function);
        let found = registry().get(name).unwrap().unwrap();
        let ours: Vec<String> = found.signatures().iter().map(ours).collect();
        let ours: Vec<String> = ours.iter().map(|text| text.replace(STRING_DATA, "StringData")).collect();
        let theirs: Vec<String> = list(function, "signatures").iter().map(theirs).collect();
        if ours != theirs {
            wrong.push(format!("{name}\n  ours   {ours:#?}\n  theirs {theirs:#?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn functions_of_the_old_api_count_their_arguments() {
    for function in list(&recorded(), "functions_3x").iter().filter(|f| f["shadowed_by_4x"] == false) {
        let name = name(function);
        let Some(found) = registry().get(name).unwrap() else { continue };
        let arity = function["arity"].as_i64().unwrap();
        let (given, expected) = match usize::try_from(arity) {
            Ok(count) => (count + 1, count.to_string()),
            Err(_) if arity == -1 => continue,
            Err(_) => {
                let least = usize::try_from(-arity - 1).unwrap();
                (least - 1, format!("minimum {least}"))
            }
        };
        let error = found.call(&NoHost, &vec![Value::Integer(1); given], None).unwrap_err();
        let message = format!("{name}(): Wrong number of arguments given ({given} for {expected})");
        assert_eq!(error.message(), message);
    }
}

#[test]
fn all_functions_of_puppet_are_there() {
    let recorded = recorded();
    let names: Vec<&str> =
        list(&recorded, "functions_4x").iter().chain(list(&recorded, "functions_3x")).map(name).collect();
    let missing: Vec<_> = names.iter().filter(|name| registry().get(name).unwrap().is_none()).collect();
    assert!(missing.is_empty(), "{missing:?}");
    for name in registry().names().filter(|name| !name.starts_with("cty::")) {
        assert!(names.contains(&name), "Puppet has no function {name}");
    }
}
