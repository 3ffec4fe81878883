//! Ruby code that uses parts of Puppet's API that a release no longer has.

use puppetfn_base::target::{Difference, Target};

use super::CodeFailure;
use crate::parse::RubyCode;
use crate::tree::{RubyCall, RubyNode, RubyNodeKind};

/// The methods of `Puppet::Pal` for scripts.
const SCRIPT_METHODS: [&str; 2] = ["evaluate_script_string", "evaluate_script_manifest"];
const HIERA_INDIRECTOR: &str = "Puppet::Indirector::Hiera";

/// Returns the uses of methods, constants, settings and arguments that a release has removed. `lacks_setting` tells whether it has removed
/// a setting.
pub fn removed_uses(
    code: &RubyCode<'_>,
    target: Target,
    lacks_setting: &dyn Fn(&str) -> bool,
) -> Vec<CodeFailure> {
    let mut found = Vec::new();
    if target == Target::default() {
        return found;
    }
    let Some((source, statements)) = code.statements() else { return found };
    for statement in statements {
        statement.walk(&mut |node| {
            let message = match &node.kind {
                RubyNodeKind::Call(call) => removed_call(call, target),
                RubyNodeKind::Index(of, keys) if of.constant() == Some("Puppet") => {
                    let name = keys.first().and_then(RubyNode::literal).filter(|name| lacks_setting(name));
                    name.map(|name| format!("{} has no setting {name}", target.title()))
                }
                _ => removed_constant(node, target),
            };
            found.extend(message.map(|message| CodeFailure::new(source.line(node.start), message)));
            true
        });
    }
    found
}

fn removed_call(call: &RubyCall, target: Target) -> Option<String> {
    let release = target.title();
    let first = call.args.first();
    match (&*call.name, call.receiver.as_ref().and_then(RubyNode::constant)) {
        (name, Some("Puppet::Pal"))
            if SCRIPT_METHODS.contains(&name) && target.has(Difference::NoScriptMethods) =>
        {
            Some(format!("{release} has no method Puppet::Pal.{name}: use with_script_compiler"))
        }
        ("require", None) if target.has(Difference::NoHieraIndirector) => {
            let is_gone = first.and_then(RubyNode::literal).as_deref() == Some("puppet/indirector/hiera");
            is_gone.then(|| format!("{release} has no file puppet/indirector/hiera"))
        }
        ("call_function", _) if target.has(Difference::RegsubstWithoutEncoding) => {
            let is_regsubst = first.and_then(RubyNode::literal).as_deref() == Some("regsubst");
            // The name of the function, and four arguments before the encoding.
            let has_encoding = call.args.len() == 6;
            (is_regsubst && has_encoding)
                .then(|| format!("regsubst of {release} has no parameter for an encoding"))
        }
        _ => None,
    }
}

fn removed_constant(node: &RubyNode, target: Target) -> Option<String> {
    let is_gone = target.has(Difference::NoHieraIndirector) && node.constant() == Some(HIERA_INDIRECTOR);
    is_gone.then(|| {
        format!("{} has no {HIERA_INDIRECTOR}: Puppet::DataBinding::Hiera has its methods", target.title())
    })
}
