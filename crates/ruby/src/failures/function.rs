//! Functions that Puppet cannot load, or that fail when they are called.

use std::path::Path;

use puppetfn_doc::Api;
use puppetfn_types::types::ops::describe::most_similar;

use super::{CodeFailure, expected_name};
use crate::dispatch::{BLOCKS, INJECTED, POSITIONAL};
use crate::function::FunctionDeclaration;
use crate::lint::{has_known_methods, positional_arity};
use crate::parse::RubyCode;
use crate::source::RubyText;
use crate::tree::{HashPair, RubyBlock, RubyCall, RubyNode, RubyNodeKind};

/// Methods that any Ruby code has.
const OF_RUBY: [&str; 9] = ["raise", "fail", "require", "puts", "p", "warn", "lambda", "proc", "return_type"];

/// Returns the failures of a function's file. `refuses` returns the error of a text that is no type.
#[must_use]
pub fn function_failures(
    path: &Path,
    code: &RubyCode<'_>,
    refuses: &dyn Fn(&str) -> Option<String>,
) -> Vec<CodeFailure> {
    let Some((name, api)) = expected(path) else { return Vec::new() };
    let Some((source, statements)) = code.statements() else { return Vec::new() };
    let mut found = Vec::new();
    misspelt(source, statements, api, &mut found);
    let declarations = FunctionDeclaration::all(source, statements);
    let declarations: Vec<_> = declarations.iter().filter(|one| one.api == api).collect();
    if let Some(other) = declarations.first()
        && declarations.iter().all(|one| one.name.to_lowercase() != name)
    {
        let message = format!("The code produced mis-matched name, expected '{name}', got '{}'", other.name);
        found.push(CodeFailure { is_certain: false, ..CodeFailure::new(other.line(), message) });
    }
    if api == Api::Ruby3x {
        legacy(source, statements, &mut found);
        return found;
    }
    for declaration in declarations {
        DispatchCheck::new(declaration, refuses, &mut found).all(declaration);
        without_method(declaration, &mut found);
        undispatched(declaration, &mut found);
    }
    found
}

/// Returns the name and the API of a function by the path of its file.
fn expected(path: &Path) -> Option<(String, Api)> {
    let path = path.to_string_lossy().replace('\\', "/");
    [("/lib/puppet/functions/", Api::Ruby4x), ("/lib/puppet/parser/functions/", Api::Ruby3x)]
        .into_iter()
        .find_map(|(directory, api)| Some((expected_name(&path, directory)?, api)))
}

/// Reports a method with another name where one that defines functions is called: its only argument before the options is the name.
fn misspelt(source: &RubyText, statements: &[RubyNode], api: Api, found: &mut Vec<CodeFailure>) {
    let (creator, of) = match api {
        Api::Ruby4x => ("create_function", "Puppet::Functions"),
        _ => ("newfunction", "Puppet::Parser::Functions"),
    };
    let is_of_module = |call: &RubyCall| call.is_of(&[of]) || api == Api::Ruby3x && call.receiver.is_none();
    for statement in statements.iter().flat_map(in_modules) {
        let Some(call) = statement.call().filter(|call| is_of_module(call) && call.block.is_some()) else {
            continue;
        };
        let is_near = !most_similar(&call.name, [creator]).is_empty();
        if call.name != creator && is_near {
            let message = format!("undefined method `{}' for {of}; did you mean '{creator}'?", call.name);
            found.push(CodeFailure::new(source.line(call.at), message));
        }
    }
}

/// Returns the statements in the modules that a statement declares, or the statement itself.
fn in_modules(statement: &RubyNode) -> Vec<&RubyNode> {
    match &statement.kind {
        RubyNodeKind::Module(_, _, _, body) => body.iter().flat_map(in_modules).collect(),
        _ => vec![statement],
    }
}

/// Reports a function without a dispatch and without the method that is called then.
fn without_method(declaration: &FunctionDeclaration<'_>, found: &mut Vec<CodeFailure>) {
    let body = &declaration.block.body;
    let adds = |node: &RubyNode| !matches!(node.kind, RubyNodeKind::Method(_));
    if declaration.has_base() || declaration.default_method().is_some() || body.iter().any(adds) {
        return;
    }
    let name = declaration.name.rsplit("::").next().unwrap_or_default();
    let message = format!("The function has neither a dispatch nor a method {name}");
    found.push(CodeFailure::new(declaration.line(), message));
}

/// Reports dispatches to methods that do not exist, or that take other numbers of arguments than each call has.
fn undispatched(declaration: &FunctionDeclaration<'_>, found: &mut Vec<CodeFailure>) {
    for dispatch in declaration.handlers() {
        let Some(name) = &dispatch.method_name else { continue };
        match declaration.method_named(name) {
            Some((_, method)) => {
                let (given, taken) = (dispatch.arity(), positional_arity(&method.code.parameters));
                if given.is_apart_from(taken) {
                    let message = format!(
                        "wrong number of arguments of {name}: the dispatch has {}, the method takes {}",
                        given.in_words(),
                        taken.in_words()
                    );
                    found.push(CodeFailure::new(dispatch.line, message));
                }
            }
            None if has_known_methods(declaration) => {
                found.push(CodeFailure::new(
                    dispatch.line,
                    format!("undefined method `{name}' that a dispatch calls"),
                ));
            }
            None => {}
        }
    }
}

/// Checks options of functions in the 3.x API.
fn legacy(source: &RubyText, statements: &[RubyNode], found: &mut Vec<CodeFailure>) {
    for statement in statements {
        let call = statement.call().filter(|call| call.name == "newfunction" && call.receiver.is_none());
        if let Some(call) = call {
            let message = "newfunction is a method of Puppet::Parser::Functions".to_owned();
            found.push(CodeFailure::new(source.line(call.at), message));
        }
        statement.walk(&mut |node| {
            if let Some(call) = node.call().filter(|call| call.name == "newfunction") {
                found.extend(options(call).map(|message| CodeFailure::new(source.line(call.at), message)));
            }
            true
        });
    }
}

/// Returns the message about options of `newfunction`.
fn options(call: &RubyCall) -> Option<String> {
    let pairs = call.args.iter().skip(1).flat_map(RubyNode::pairs);
    pairs.into_iter().find_map(|pair| {
        let HashPair::Entry(key, Some(value)) = pair else { return None };
        let text = value.literal();
        match (key.literal()?.as_str(), text) {
            ("type", Some(kind)) if kind != "rvalue" && kind != "statement" => {
                Some(format!("Invalid statement type :{kind}"))
            }
            ("arity", Some(arity)) => Some(format!("The arity must be an Integer, not '{arity}'")),
            _ => None,
        }
    })
}

/// The check of the calls in the blocks of `dispatch`.
struct DispatchCheck<'c> {
    source: &'c RubyText,
    refuses: &'c dyn Fn(&str) -> Option<String>,
    /// Whether the function has types of its own.
    has_local_types: bool,
    found: &'c mut Vec<CodeFailure>,
}

impl<'c> DispatchCheck<'c> {
    fn new(
        declaration: &FunctionDeclaration<'c>,
        refuses: &'c dyn Fn(&str) -> Option<String>,
        found: &'c mut Vec<CodeFailure>,
    ) -> Self {
        let is_of_types = |node: &RubyNode| node.call().is_some_and(|call| call.name == "local_types");
        let has_local_types = declaration.block.body.iter().any(is_of_types);
        Self { source: declaration.source, refuses, has_local_types, found }
    }

    fn all(&mut self, declaration: &FunctionDeclaration<'_>) {
        let has_base = declaration.has_base();
        for call in
            declaration.block.body.iter().filter_map(RubyNode::call).filter(|call| call.receiver.is_none())
        {
            let Some(inner) = &call.block else { continue };
            match &*call.name {
                "dispatch" => self.dispatch(inner, has_base),
                "local_types" => self.local_types(inner),
                _ => {}
            }
        }
    }

    fn report(&mut self, call: &RubyCall, message: String) {
        self.found.push(CodeFailure::new(self.source.line(call.at), message));
    }

    fn dispatch(&mut self, block: &RubyBlock, has_base: bool) {
        let (mut has_optional, mut has_repeated, mut has_block) = (false, false, false);
        for call in block.body.iter().filter_map(RubyNode::call).filter(|call| call.receiver.is_none()) {
            let name = &*call.name;
            let is_positional = POSITIONAL.contains(&name);
            let is_known = is_positional || BLOCKS.contains(&name) || INJECTED.contains(&name);
            if !is_known && !has_base && !OF_RUBY.contains(&name) && !call.args.is_empty() {
                self.report(call, format!("undefined method `{name}' in a dispatch"));
                continue;
            }
            let is_required = is_positional && matches!(name, "param" | "required_param");
            if is_positional && has_block {
                self.report(call, "Parameters cannot be added after a block parameter".to_owned());
            } else if is_positional && has_repeated {
                self.report(call, "Parameters cannot be added after a repeated parameter".to_owned());
            } else if is_required && has_optional {
                self.report(
                    call,
                    "A required parameter cannot be added after an optional parameter".to_owned(),
                );
            }
            if BLOCKS.contains(&name) && std::mem::replace(&mut has_block, true) {
                self.report(call, "Attempt to redefine block".to_owned());
            }
            has_optional |= name == "optional_param";
            has_repeated |= name.contains("repeated");
            if is_positional {
                self.parameter(call);
            }
            if is_known || name == "return_type" {
                self.stated_type(call);
            }
        }
    }

    fn parameter(&mut self, call: &RubyCall) {
        match call.args.as_slice() {
            [t, name] => {
                if t.constant().is_some() || matches!(t.kind, RubyNodeKind::Symbol(_)) {
                    self.report(
                        call,
                        "Parameter 'type' must be a String reference to a Puppet Data Type".to_owned(),
                    );
                }
                if matches!(name.kind, RubyNodeKind::Text(_)) {
                    self.report(call, "Parameter name argument must be a Symbol. Got String".to_owned());
                }
            }
            args if args.iter().any(|one| matches!(one.kind, RubyNodeKind::Splat(_))) => {}
            args => {
                let message =
                    format!("wrong number of arguments of {} (given {}, expected 2)", call.name, args.len());
                self.report(call, message);
            }
        }
    }

    /// Checks the type that a parameter or a result has.
    fn stated_type(&mut self, call: &RubyCall) {
        if self.has_local_types {
            return;
        }
        let Some(first) = call.args.first().filter(|one| matches!(one.kind, RubyNodeKind::Text(_))) else {
            return;
        };
        if let Some(message) = first.literal().and_then(|text| (self.refuses)(&text)) {
            self.report(call, message);
        }
    }

    /// Checks the aliases of `local_types`.
    fn local_types(&mut self, block: &RubyBlock) {
        let types = block.body.iter().filter_map(RubyNode::call).filter(|call| call.name == "type");
        for call in types {
            let Some(text) = call.args.first().and_then(RubyNode::literal) else { continue };
            let Some((name, t)) = text.split_once('=') else { continue };
            if !name.trim().starts_with(|first: char| first.is_ascii_uppercase()) {
                self.report(call, format!("'{}' is no name of a type", name.trim()));
            } else if let Some(message) = (self.refuses)(t.trim()) {
                self.report(call, message);
            }
        }
    }
}
