//! Forbidden definitions in functions: constants, classes, methods with reserved names.
//!
//! Functions with an explicit base class, like `InternalFunction`, are exempt from some of the rules.

use puppetfn_doc::Api;

use super::LintReport;
use crate::function::FunctionDeclaration;
use crate::tree::{RubyCall, RubyNode, RubyNodeKind};

const RESERVED: [&str; 3] = ["closure_scope", "loader", "call_function"];
/// Methods that define methods whose names are arguments.
const DEFINING: [&str; 8] = [
    "define_method",
    "alias_method",
    "attr",
    "attr_reader",
    "attr_writer",
    "attr_accessor",
    "attr_injected",
    "attr_injected_producer",
];
/// Methods of a scope that change state visible to other code.
const SETTERS: [&str; 2] = ["setvar", "add_resource"];

pub fn check(declaration: &FunctionDeclaration<'_>, report: &mut LintReport<'_>) {
    let mut check = DefinitionCheck { declaration, report };
    if declaration.api == Api::Ruby3x {
        return check.each(|check, node| check.legacy_method(node));
    }
    check.holder();
    check.each(|check, node| {
        check.reserved(node);
        if !check.declaration.has_base() {
            check.constants(node);
            check.nested(node);
            check.state(node);
        }
    });
    check.initialize();
    check.call();
}

struct DefinitionCheck<'c, 'r, 's> {
    declaration: &'c FunctionDeclaration<'c>,
    report: &'r mut LintReport<'s>,
}

impl<'c> DefinitionCheck<'c, '_, '_> {
    /// Visits all nodes of the function.
    fn each(&mut self, mut look: impl FnMut(&mut Self, &'c RubyNode)) {
        let declaration = self.declaration;
        for node in declaration.block.children() {
            node.walk(&mut |node| {
                look(self, node);
                true
            });
        }
    }

    fn report(&mut self, node: &RubyNode, rule: &str, message: String) {
        let line = self.declaration.source.line(node.start);
        self.report.add(line, rule, message);
    }

    /// Reports the function itself, kept in a constant or global variable.
    fn holder(&mut self) {
        let Some(kept) = self.declaration.holder else { return };
        let message = format!(
            "the function is kept in {}, so that a changed file cannot take its place; only call create_function",
            written(kept, self.declaration)
        );
        self.report(kept, "kept_function", message);
    }

    fn constants(&mut self, node: &RubyNode) {
        for target in targets(node) {
            let Some(name) = target.constant() else { continue };
            let message = format!(
                "the constant {name} is defined outside of the function, for all of Ruby, and stays when the file is loaded \
                 again; use a method that returns the value"
            );
            self.report(target, "constant", message);
        }
    }

    fn nested(&mut self, node: &RubyNode) {
        let RubyNodeKind::Module(word, name, ..) = &node.kind else { return };
        let name = written(name, self.declaration);
        let message = format!(
            "the {word} {name} is defined outside of the function, for all of Ruby, and stays when the file is loaded again; use \
             methods of the function, or a file in the module's lib/puppet_x"
        );
        self.report(node, "nested_class", message);
    }

    fn reserved(&mut self, node: &RubyNode) {
        let Some(name) = defined_name(node).filter(|name| RESERVED.contains(&&**name)) else { return };
        let message = format!(
            "the method {name} takes the place of the one that Puppet gives to every function; give it another name"
        );
        self.report(node, "reserved_method", message);
    }

    fn state(&mut self, node: &RubyNode) {
        for target in targets(node) {
            let Some(what) = changed_state(target) else { continue };
            self.report(
                target,
                "global_state",
                format!("{what} is changed for everybody; a function only returns a value"),
            );
        }
        let Some(call) = node.call() else { return };
        if SETTERS.contains(&&*call.name) && call.receiver.as_ref().is_some_and(is_of_scope) {
            let message = format!(
                "`{}` changes what others see in the scope; return a value, or use call_function with a function of Puppet's that \
                 does it",
                call.name
            );
            self.report(node, "global_state", message);
        }
    }

    fn initialize(&mut self) {
        let duty = "it must call super with its arguments, which tell the function its scope and its loader";
        self.overridden("initialize", "initialize_without_super", duty, |_| false);
    }

    fn call(&mut self) {
        let duty = "it must call super or `self.class.dispatcher.dispatch`, or no dispatch is ever used";
        self.overridden("call", "call_without_dispatch", duty, |call| call.name == "dispatcher");
    }

    fn overridden(&mut self, name: &str, rule: &str, duty: &str, calls_on: fn(&RubyCall) -> bool) {
        let Some((node, _)) = self.declaration.method_named(name) else { return };
        let is_right = |node: &RubyNode| {
            matches!(node.kind, RubyNodeKind::Super(_)) || node.call().is_some_and(calls_on)
        };
        if !node.any(&is_right) {
            self.report(node, rule, format!("the method {name} takes the place of Puppet's; {duty}"));
        }
    }

    fn legacy_method(&mut self, node: &RubyNode) {
        let RubyNodeKind::Method(method) = &node.kind else { return };
        let message = format!(
            "the method {} becomes one of the scope and of all functions, so Puppet does not load the file; use a lambda, or write \
             the function with create_function",
            method.name
        );
        self.report(node, "legacy_method", message);
    }
}

/// Returns the name of the method that a node defines.
fn defined_name(node: &RubyNode) -> Option<String> {
    match &node.kind {
        RubyNodeKind::Method(method) => (!method.is_singleton).then(|| method.name.clone()),
        RubyNodeKind::Alias(name, _) => name.literal(),
        RubyNodeKind::Call(call) if call.receiver.is_none() && DEFINING.contains(&&*call.name) => {
            call.args.iter().filter_map(RubyNode::literal).find(|name| RESERVED.contains(&&**name))
        }
        _ => None,
    }
}

/// Returns the targets of an assignment.
fn targets(node: &RubyNode) -> &[RubyNode] {
    match &node.kind {
        RubyNodeKind::Assign(target, ..) => std::slice::from_ref(&**target),
        RubyNodeKind::MultiAssign(targets, _) => targets,
        _ => &[],
    }
}

fn changed_state(target: &RubyNode) -> Option<&str> {
    match &target.kind {
        RubyNodeKind::Global(name) => Some(name),
        RubyNodeKind::Index(receiver, _) if receiver.constant() == Some("ENV") => Some("ENV"),
        RubyNodeKind::Index(receiver, _) if is_of_scope(receiver) => Some("the scope"),
        _ => None,
    }
}

/// Returns true if a node is the scope of the function, or something that it leads to.
fn is_of_scope(node: &RubyNode) -> bool {
    node.call().is_some_and(|call| match &call.receiver {
        Some(receiver) => is_of_scope(receiver),
        None => call.name == "closure_scope",
    })
}

fn written(node: &RubyNode, declaration: &FunctionDeclaration<'_>) -> String {
    node.constant().map_or_else(|| declaration.source.text(node).to_owned(), str::to_owned)
}
