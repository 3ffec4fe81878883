//! Forbidden definitions in functions: constants, classes, methods with reserved names.
//!
//! Functions with an explicit base class, like `InternalFunction`, are exempt from some of the rules.

use puppetfn_doc::Api;

use super::Report;
use crate::function::Declaration;
use crate::tree::{Call, Kind, Node};

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

pub fn check(declaration: &Declaration<'_>, report: &mut Report<'_>) {
    let mut check = Check { declaration, report };
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

struct Check<'c, 'r, 's> {
    declaration: &'c Declaration<'c>,
    report: &'r mut Report<'s>,
}

impl<'c> Check<'c, '_, '_> {
    /// Visits all nodes of the function.
    fn each(&mut self, mut look: impl FnMut(&mut Self, &'c Node)) {
        let declaration = self.declaration;
        for node in declaration.block.children() {
            node.walk(&mut |node| {
                look(self, node);
                true
            });
        }
    }

    fn report(&mut self, node: &Node, rule: &str, message: String) {
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

    fn constants(&mut self, node: &Node) {
        for target in targets(node) {
            let Some(name) = target.constant() else { continue };
            let message = format!(
                "the constant {name} is defined outside of the function, for all of Ruby, and stays when the file is loaded \
                 again; use a method that returns the value"
            );
            self.report(target, "constant", message);
        }
    }

    fn nested(&mut self, node: &Node) {
        let Kind::Module(word, name, ..) = &node.kind else { return };
        let name = written(name, self.declaration);
        let message = format!(
            "the {word} {name} is defined outside of the function, for all of Ruby, and stays when the file is loaded again; use \
             methods of the function, or a file in the module's lib/puppet_x"
        );
        self.report(node, "nested_class", message);
    }

    fn reserved(&mut self, node: &Node) {
        let Some(name) = defined_name(node).filter(|name| RESERVED.contains(&&**name)) else { return };
        let message = format!(
            "the method {name} takes the place of the one that Puppet gives to every function; give it another name"
        );
        self.report(node, "reserved_method", message);
    }

    fn state(&mut self, node: &Node) {
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

    fn overridden(&mut self, name: &str, rule: &str, duty: &str, calls_on: fn(&Call) -> bool) {
        let Some((node, _)) = self.declaration.method_named(name) else { return };
        let is_right = |node: &Node| matches!(node.kind, Kind::Super(_)) || node.call().is_some_and(calls_on);
        if !node.any(&is_right) {
            self.report(node, rule, format!("the method {name} takes the place of Puppet's; {duty}"));
        }
    }

    fn legacy_method(&mut self, node: &Node) {
        let Kind::Method(method) = &node.kind else { return };
        let message = format!(
            "the method {} becomes one of the scope and of all functions, so Puppet does not load the file; use a lambda, or write \
             the function with create_function",
            method.name
        );
        self.report(node, "legacy_method", message);
    }
}

/// Returns the name of the method that a node defines.
fn defined_name(node: &Node) -> Option<String> {
    match &node.kind {
        Kind::Method(method) => (!method.is_singleton).then(|| method.name.clone()),
        Kind::Alias(name, _) => name.literal(),
        Kind::Call(call) if call.receiver.is_none() && DEFINING.contains(&&*call.name) => {
            call.args.iter().filter_map(Node::literal).find(|name| RESERVED.contains(&&**name))
        }
        _ => None,
    }
}

/// Returns the targets of an assignment.
fn targets(node: &Node) -> &[Node] {
    match &node.kind {
        Kind::Assign(target, ..) => std::slice::from_ref(&**target),
        Kind::MultiAssign(targets, _) => targets,
        _ => &[],
    }
}

fn changed_state(target: &Node) -> Option<&str> {
    match &target.kind {
        Kind::Global(name) => Some(name),
        Kind::Index(receiver, _) if receiver.constant() == Some("ENV") => Some("ENV"),
        Kind::Index(receiver, _) if is_of_scope(receiver) => Some("the scope"),
        _ => None,
    }
}

/// Returns true if a node is the scope of the function, or something that it leads to.
fn is_of_scope(node: &Node) -> bool {
    node.call().is_some_and(|call| match &call.receiver {
        Some(receiver) => is_of_scope(receiver),
        None => call.name == "closure_scope",
    })
}

fn written(node: &Node, declaration: &Declaration<'_>) -> String {
    node.constant().map_or_else(|| declaration.source.text(node).to_owned(), str::to_owned)
}
