//! Declarations of a `Puppetfile` that r10k refuses.

use super::CodeFailure;
use crate::parse::RubyCode;
use crate::tree::{HashPair, RubyCall, RubyNode, RubyNodeKind};

/// The options of modules.
const OPTIONS: [&str; 20] = [
    "branch",
    "commit",
    "default_branch",
    "default_branch_override",
    "exclude_spec",
    "git",
    "install_path",
    "local",
    "password",
    "overrides",
    "path",
    "ref",
    "rev",
    "revision",
    "source",
    "svn",
    "tag",
    "type",
    "username",
    "version",
];
/// The options that say where a module comes from.
const ORIGINS: [&str; 4] = ["git", "local", "svn", "type"];
/// The kinds of modules.
const KINDS: [&str; 6] = ["forge", "git", "github_tarball", "local", "svn", "tarball"];
/// Methods that any Ruby code has.
const OF_RUBY: [&str; 8] =
    ["eval", "fail", "instance_eval", "load", "puts", "raise", "require", "require_relative"];

/// Returns the declarations that r10k refuses.
#[must_use]
pub fn puppetfile_failures(code: &RubyCode<'_>) -> Vec<CodeFailure> {
    let Some((source, statements)) = code.statements() else { return Vec::new() };
    let is_method = |node: &RubyNode| matches!(node.kind, RubyNodeKind::Method(_));
    let has_methods = statements.iter().any(is_method);
    let calls = statements.iter().filter_map(RubyNode::call).filter(|call| call.receiver.is_none());
    let message = |call: &RubyCall| match (&*call.name, call.args.as_slice()) {
        ("mod", [name]) => module(name, None),
        ("mod", [name, options]) => module(name, Some(options)),
        ("exclusion" | "forge" | "moduledir", [_]) => None,
        ("mod" | "forge" | "moduledir", args) => {
            Some(format!("wrong number of arguments of {} (given {})", call.name, args.len()))
        }
        (name, _) if has_methods || OF_RUBY.contains(&name) || call.block.is_some() => None,
        (name, _) => Some(format!("unrecognized declaration '{name}'")),
    };
    let failure = |call: &RubyCall| {
        let line = source.line(call.at);
        let refused = message(call).map(|message| CodeFailure::new(line, message));
        // r10k only warns of options that it does not know.
        let ignored = || {
            unknown_option(call)
                .map(|message| CodeFailure { is_certain: false, ..CodeFailure::new(line, message) })
        };
        refused.or_else(ignored)
    };
    calls.filter_map(failure).collect()
}

/// Returns the message about a module that r10k refuses.
fn module(name: &RubyNode, options: Option<&RubyNode>) -> Option<String> {
    let name = name.literal()?;
    let has_author = name.split(['/', '-']).count() == 2;
    let version = match options {
        None => None,
        Some(options) => match &options.kind {
            RubyNodeKind::Text(_) | RubyNodeKind::Symbol(_) => Some(options),
            RubyNodeKind::Hash(_) => return of_options(&name, options),
            RubyNodeKind::Call(call) if call.is_name => {
                return Some(format!("unrecognized declaration '{}'", call.name));
            }
            _ => return None,
        },
    };
    if !has_author {
        return Some(format!("Forge module names must match 'owner/modulename', instead got {name}"));
    }
    let text = version?.literal()?;
    (!is_version(&text)).then(|| format!("Module version {text} is not a valid Forge module version"))
}

/// Returns the options of a module, with their literal values; `None` if some are unknown.
fn options_of(options: &RubyNode) -> Option<Vec<(String, Option<String>)>> {
    let option = |pair: &HashPair| match pair {
        HashPair::Entry(key, value) => Some((key.literal()?, value.as_ref().and_then(RubyNode::literal))),
        HashPair::Splat(_) => None,
    };
    options.pairs().iter().map(option).collect()
}

fn of_options(name: &str, options: &RubyNode) -> Option<String> {
    let given = options_of(options)?;
    let kind = given.iter().find(|(option, _)| option == "type").and_then(|(_, kind)| kind.as_deref());
    let has_origin = given.iter().any(|(option, _)| ORIGINS.contains(&option.as_str()));
    let is_known = has_origin && kind.is_none_or(|kind| KINDS.contains(&kind));
    (!is_known).then(|| {
        format!("Module {name} doesn't have an implementation. (Are you using the right arguments?)")
    })
}

/// Returns the message about an option that r10k does not know.
fn unknown_option(call: &RubyCall) -> Option<String> {
    let [name, options] = call.args.as_slice() else { return None };
    let given = options_of(options).filter(|_| call.name == "mod")?;
    let (option, _) = given.iter().find(|(option, _)| !OPTIONS.contains(&option.as_str()))?;
    Some(format!("Module {} cannot handle option '{option}'", name.literal()?))
}

fn is_version(text: &str) -> bool {
    let base = text.split(['-', '+']).next().unwrap_or_default();
    let parts: Vec<&str> = base.split('.').collect();
    text == "latest"
        || parts.len() == 3
            && parts.iter().all(|part| !part.is_empty() && part.chars().all(|c| c.is_ascii_digit()))
}
