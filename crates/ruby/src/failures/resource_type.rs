//! Resource types that Puppet cannot load, or does not find.

use std::collections::HashSet;
use std::path::Path;

use super::{CodeFailure, expected_name};
use crate::parse::RubyCode;
use crate::tree::{RubyCall, RubyNode, RubyNodeKind};
use puppetfn_types::types::ops::describe::most_similar;
use puppetfn_types::types::parse::capitalize_segments;

/// The directory of resource types in a module.
const DIRECTORY: &str = "/lib/puppet/type/";
/// Methods that declare attributes.
const DECLARING: [&str; 2] = ["newparam", "newproperty"];

/// Methods that the blocks of types call.
const DECLARATIONS: [&str; 19] = [
    "apply_to",
    "apply_to_all",
    "apply_to_device",
    "apply_to_host",
    "autobefore",
    "autonotify",
    "autorequire",
    "autosubscribe",
    "ensurable",
    "feature",
    "newcheck",
    "newmetaparam",
    "newparam",
    "newproperty",
    "newstate",
    "provide",
    "providify",
    "title_patterns",
    "validate",
];
/// Methods that may define others.
const DEFINING: [&str; 8] =
    ["include", "extend", "prepend", "define_method", "instance_eval", "class_eval", "alias_method", "send"];

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
            let misspelt = misspelt_declarations(call, &name).into_iter();
            // Other code may define the method.
            found.extend(misspelt.map(|(one, message)| CodeFailure {
                is_certain: false,
                ..CodeFailure::new(source.line(one.at), message)
            }));
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

/// Returns the calls in the block of a type that are a slip away from declarations, each with the error that they raise. Types
/// that may get methods from elsewhere have none.
fn misspelt_declarations<'c>(call: &'c RubyCall, type_name: &str) -> Vec<(&'c RubyCall, String)> {
    let body = call.block.as_ref().map(|block| block.body.as_slice()).unwrap_or_default();
    let may_define = |node: &RubyNode| match &node.kind {
        RubyNodeKind::Method(_) | RubyNodeKind::Singleton(_) => true,
        RubyNodeKind::Call(call) => DEFINING.contains(&&*call.name),
        _ => false,
    };
    if body.iter().any(|node| node.any(&may_define)) {
        return Vec::new();
    }
    let calls = body.iter().filter_map(RubyNode::call).filter(|call| call.receiver.is_none());
    let misspelt = calls.filter_map(|call| {
        let is_known = DECLARATIONS.contains(&&*call.name);
        let meant = most_similar(&call.name, DECLARATIONS).into_iter().next().filter(|_| !is_known)?;
        let message = format!(
            "undefined method `{}' for Puppet::Type::{}; did you mean '{meant}'?",
            call.name,
            capitalize_segments(type_name)
        );
        Some((call, message))
    });
    misspelt.collect()
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
