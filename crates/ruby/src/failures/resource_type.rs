//! Resource types that Puppet cannot load, or does not find.

use std::collections::HashSet;
use std::path::Path;

use super::{CodeFailure, expected_name};
use crate::parse::RubyCode;
use crate::tree::{RubyCall, RubyNode};

/// The directory of resource types in a module.
const DIRECTORY: &str = "/lib/puppet/type/";
/// Methods that declare attributes.
const DECLARING: [&str; 2] = ["newparam", "newproperty"];

/// Returns the failures of a resource type's file.
#[must_use]
pub fn resource_type_failures(path: &Path, code: &RubyCode<'_>) -> Vec<CodeFailure> {
    let name = expected_name(&path.to_string_lossy().replace('\\', "/"), DIRECTORY);
    // Files below directories of types are parts of these.
    let Some(name) = name.filter(|name| !name.contains("::")) else { return Vec::new() };
    let Some((source, statements)) = code.statements() else { return Vec::new() };
    let mut found = Vec::new();
    for statement in statements {
        statement.walk(&mut |node| {
            let Some(call) = declaration(node) else { return true };
            let declared = call.args.first().and_then(RubyNode::literal);
            if let Some(declared) = declared.filter(|declared| *declared != name) {
                let message = format!(
                    "The file declares the type '{declared}', so that Puppet does not find the type '{name}'"
                );
                found.push(CodeFailure {
                    is_certain: false,
                    ..CodeFailure::new(source.line(call.at), message)
                });
            }
            let twice = repeated_attribute(call);
            found.extend(twice.map(|(one, name)| {
                CodeFailure::new(source.line(one.at), format!("The attribute '{name}' is already defined"))
            }));
            false
        });
    }
    found
}

fn declaration(node: &RubyNode) -> Option<&RubyCall> {
    let call = node.call().filter(|call| call.name == "newtype")?;
    call.is_of(&["Puppet::Type", "Type"]).then_some(call)
}

/// Returns the second declaration of an attribute.
fn repeated_attribute(call: &RubyCall) -> Option<(&RubyCall, String)> {
    let mut known = HashSet::new();
    let body = call.block.as_ref().map(|block| block.body.as_slice()).unwrap_or_default();
    let calls = body.iter().filter_map(RubyNode::call).filter(|call| call.receiver.is_none());
    calls.filter(|call| DECLARING.contains(&&*call.name)).find_map(|call| {
        let name = call.args.first()?.literal()?;
        (!known.insert(name.clone())).then_some((call, name))
    })
}
