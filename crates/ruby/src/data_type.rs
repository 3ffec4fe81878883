//! Data types that are made with `Puppet::DataTypes.create_type`.

use puppetfn_doc::DeclaredDataType;

use crate::source::RubyText;
use crate::tree::{RubyCall, RubyNode};

/// Returns the data types that a file declares, in order.
pub fn all(source: &RubyText, statements: &[RubyNode]) -> Vec<DeclaredDataType> {
    let mut found = Vec::new();
    for statement in statements {
        statement.walk(&mut |node| {
            let Some(call) = node.call() else { return true };
            if call.name != "create_type" || !call.is_of(&["Puppet::DataTypes", "DataTypes"]) {
                return true;
            }
            let line = source.line(node.start);
            found.extend(call.args.first().and_then(RubyNode::literal).map(|name| DeclaredDataType {
                name,
                line,
                comment: source.comment_above(line),
                interface: interface(call),
            }));
            false
        });
    }
    found
}

/// Returns the text that `interface` is given first.
fn interface(call: &RubyCall) -> Option<String> {
    let mut found = None;
    for node in call.block.iter().flat_map(|block| block.children()) {
        node.walk(&mut |node| {
            let given =
                node.call().filter(|call| call.name == "interface").and_then(|call| call.args.first());
            found = found.take().or(given.map(RubyNode::prose));
            found.is_none()
        });
    }
    found.flatten()
}
