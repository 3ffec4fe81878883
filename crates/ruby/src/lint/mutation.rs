//! Changes of arguments, which belong to the caller.
//!
//! A method's code is followed from top to bottom. A parameter that is assigned to is not an argument any more from there
//! on, on whatever path; a parameter of a block with the same name is another variable.

use std::collections::HashMap;

use super::LintReport;
use crate::dispatch::DispatchCall;
use crate::function::FunctionDeclaration;
use crate::tree::{RubyBlock, RubyMethod, RubyNode, RubyNodeKind};
use puppetfn_doc::ParameterKind;

/// Methods that change arrays, hashes or strings, whichever of them have the method.
const METHODS: [&str; 19] = [
    "append",
    "clear",
    "compare_by_identity",
    "concat",
    "delete",
    "delete_at",
    "delete_if",
    "fill",
    "force_encoding",
    "insert",
    "keep_if",
    "pop",
    "prepend",
    "push",
    "replace",
    "setbyte",
    "shift",
    "store",
    "unshift",
];
/// Methods whose results are parts of the receiver.
const PARTS: [&str; 5] = ["at", "dig", "fetch", "first", "last"];
const COLLECTIONS: [&str; 5] = ["Array", "Collection", "Hash", "Struct", "Tuple"];
const NUMBERS: [&str; 3] = ["Float", "Integer", "Numeric"];
const STRINGS: [&str; 3] = ["Enum", "Pattern", "String"];

/// Possible types of the arguments that a variable holds.
struct Argument {
    /// The possible types; `None` for an unknown one.
    types: Vec<Option<String>>,
    is_list: bool,
}

pub fn check(declaration: &FunctionDeclaration<'_>, report: &mut LintReport<'_>) {
    let mut entries: Vec<(Option<String>, Vec<DispatchCall<'_>>)> = Vec::new();
    for dispatch in declaration.handlers() {
        match entries.iter_mut().find(|(name, _)| *name == dispatch.method_name) {
            Some((_, dispatches)) => dispatches.push(dispatch),
            None => entries.push((dispatch.method_name.clone(), vec![dispatch])),
        }
    }
    if entries.is_empty()
        && let Some((_, method)) = declaration.default_method()
    {
        follow(method, &[], declaration, report);
    }
    for (name, dispatches) in &entries {
        if let Some((_, method)) = name.as_ref().and_then(|name| declaration.method_named(name)) {
            follow(method, dispatches, declaration, report);
        }
    }
}

fn follow(
    method: &RubyMethod,
    dispatches: &[DispatchCall<'_>],
    declaration: &FunctionDeclaration<'_>,
    report: &mut LintReport<'_>,
) {
    let mut path = MethodWalk { arguments: bound(method, dispatches), declaration, report };
    path.all(&method.code.body);
}

/// Returns the variables that hold arguments, with the possible types.
fn bound(method: &RubyMethod, dispatches: &[DispatchCall<'_>]) -> HashMap<String, Argument> {
    let mut found = HashMap::new();
    let parameters = &method.code.parameters;
    for (index, parameter) in parameters.leading.iter().chain(&parameters.optional).enumerate() {
        let places = if dispatches.is_empty() {
            Some(vec![None])
        } else {
            dispatches.iter().map(|dispatch| place(dispatch, index)).collect()
        };
        if let (Some(name), Some(types)) = (&parameter.name, places) {
            found.insert(name.clone(), Argument { types, is_list: false });
        }
    }
    let is_injected = dispatches.iter().any(|dispatch| dispatch.places().contains(&None));
    let rest = parameters.rest.as_ref().and_then(|rest| rest.name.clone());
    found.extend(
        rest.filter(|_| !is_injected).map(|name| (name, Argument { types: vec![None], is_list: true })),
    );
    found
}

/// Returns the type declared for a parameter's position, if it is known; the outer `None` stands for an injected parameter.
fn place(dispatch: &DispatchCall<'_>, index: usize) -> Option<Option<String>> {
    let places = dispatch.places();
    if let Some(place) = places.get(index) {
        return place.as_ref().map(|one| one.type_text.clone());
    }
    let last = places.last().cloned().flatten().filter(|one| one.kind == ParameterKind::Repeated);
    Some(last.and_then(|one| one.type_text))
}

/// The state while a method's code is followed.
struct MethodWalk<'p, 'r, 's> {
    arguments: HashMap<String, Argument>,
    declaration: &'p FunctionDeclaration<'p>,
    report: &'r mut LintReport<'s>,
}

impl MethodWalk<'_, '_, '_> {
    fn all<'n>(&mut self, nodes: impl IntoIterator<Item = &'n RubyNode>) {
        for node in nodes {
            self.follow(node);
        }
    }

    fn follow(&mut self, node: &RubyNode) {
        match &node.kind {
            RubyNodeKind::Method(_) | RubyNodeKind::Module(..) | RubyNodeKind::Singleton(_) => return,
            RubyNodeKind::Lambda(block) => return self.block(block),
            RubyNodeKind::Call(call) => {
                self.all(call.receiver.iter().chain(&call.args).chain(&call.passed_block));
                if let Some(block) = &call.block {
                    self.block(block);
                }
            }
            _ => self.all(node.children()),
        }
        self.inspect(node);
        let mut assigned = Vec::new();
        match &node.kind {
            RubyNodeKind::Assign(target, ..) | RubyNodeKind::For(target, _) => names(target, &mut assigned),
            RubyNodeKind::MultiAssign(targets, _) => {
                targets.iter().for_each(|target| names(target, &mut assigned))
            }
            _ => {}
        }
        for name in assigned {
            self.arguments.remove(name);
        }
    }

    /// Follows a block. Its parameters shadow the variables outside; its assignments to others stay in effect.
    fn block(&mut self, block: &RubyBlock) {
        let own = &block.parameters.names;
        let hidden: Vec<_> = own.iter().filter_map(|name| self.arguments.remove_entry(name)).collect();
        self.all(block.children());
        self.arguments.extend(hidden);
    }

    fn inspect(&mut self, node: &RubyNode) {
        let Some(change) = ObjectChange::of(node) else { return };
        let (Some(name), is_part) = root(change.receiver) else { return };
        let Some(argument) = self.arguments.get(name) else { return };
        // The list itself is made for the call.
        if argument.is_list && !is_part {
            return;
        }
        let types = if is_part { &[None] } else { argument.types.as_slice() };
        if change.is_certain(types) {
            let part = if is_part { "a part of " } else { "" };
            let message = format!(
                "{part}the argument {name} is changed by `{}`, and with it the value of the caller; {}",
                change.name,
                change.advice()
            );
            self.report.add(self.declaration.source.line(node.start), "mutated_argument", message);
        }
    }
}

/// Adds the names of the variables that an assignment sets.
fn names<'n>(target: &'n RubyNode, found: &mut Vec<&'n str>) {
    match &target.kind {
        RubyNodeKind::Local(name) => found.push(name),
        RubyNodeKind::Splat(Some(inner)) => names(inner, found),
        RubyNodeKind::Other(inner) => inner.iter().for_each(|one| names(one, found)),
        _ => {}
    }
}

/// Returns the variable at the start of a chain of accesses, and whether the chain has any.
fn root(node: &RubyNode) -> (Option<&str>, bool) {
    let mut node = node;
    let mut is_part = false;
    loop {
        while let RubyNodeKind::Parentheses(inner) = &node.kind
            && let Some(last) = inner.last()
        {
            node = last;
        }
        if let Some(name) = node.variable() {
            return (Some(name), is_part);
        }
        let receiver = match &node.kind {
            RubyNodeKind::Index(receiver, _) => Some(&**receiver),
            RubyNodeKind::Call(call) if PARTS.contains(&&*call.name) => call.receiver.as_ref(),
            _ => None,
        };
        let Some(receiver) = receiver else { return (None, is_part) };
        node = receiver;
        is_part = true;
    }
}

/// A change of an object in place.
struct ObjectChange<'n> {
    receiver: &'n RubyNode,
    name: String,
    operand: Option<&'n RubyNode>,
}

impl<'n> ObjectChange<'n> {
    /// Returns the change that a node makes, if its receiver is of a type that the method's name suggests.
    fn of(node: &'n RubyNode) -> Option<Self> {
        match &node.kind {
            RubyNodeKind::Assign(target, ..) => match &target.kind {
                RubyNodeKind::Index(receiver, _) => {
                    Some(Self { receiver, name: "[]=".to_owned(), operand: None })
                }
                RubyNodeKind::Field(receiver, name) => {
                    Some(Self { receiver, name: format!("{name}="), operand: None })
                }
                _ => None,
            },
            RubyNodeKind::Binary(receiver, operator, operand) if operator == "<<" => {
                Some(Self { receiver, name: operator.clone(), operand: Some(operand) })
            }
            RubyNodeKind::Call(call) => {
                let changes =
                    METHODS.contains(&&*call.name) || call.name == "update" || call.name.ends_with('!');
                let receiver = call.receiver.as_ref().filter(|_| changes)?;
                Some(Self { receiver, name: call.name.clone(), operand: call.args.first() })
            }
            _ => None,
        }
    }

    /// Returns true if it changes an object of any of these types.
    fn is_certain(&self, types: &[Option<String>]) -> bool {
        let kinds: Vec<Option<&str>> = types.iter().flat_map(|one| kinds(one.as_deref())).collect();
        let all = |known: &[&[&str]]| {
            kinds.iter().all(|kind| kind.is_some_and(|kind| known.iter().any(|known| known.contains(&kind))))
        };
        match self.name.as_str() {
            "<<" => {
                let no_number = !kinds.iter().flatten().any(|kind| NUMBERS.contains(kind));
                all(&[&COLLECTIONS, &STRINGS]) || no_number && self.operand.is_some_and(is_text_or_list)
            }
            // A String has this method, too, but it does not change the receiver.
            "delete" => all(&[&COLLECTIONS]),
            _ => true,
        }
    }

    /// Returns the suggested replacement.
    fn advice(&self) -> String {
        if let Some(name) = self.name.strip_suffix('!') {
            return format!("use `{name}`, which returns a new one");
        }
        match self.name.as_str() {
            "<<" | "concat" | "push" | "append" => "use `+`, which returns a new one",
            "[]=" | "store" | "update" => "use `merge`, which returns a new one, or work on a copy",
            _ => "work on a copy, like that of `dup`",
        }
        .to_owned()
    }
}

/// Returns the names of the types that a type is or consists of.
fn kinds(text: Option<&str>) -> Vec<Option<&str>> {
    let Some(text) = text else { return vec![None] };
    let wraps =
        |name: &&str| text.strip_prefix(name).and_then(|rest| rest.strip_prefix('[')?.strip_suffix(']'));
    if let Some(inner) = ["Optional", "NotUndef", "Variant"].iter().find_map(wraps) {
        return parameters(inner).into_iter().flat_map(|one| kinds(Some(one))).collect();
    }
    let name = text.trim_start();
    let end = name.find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | ':'))).unwrap_or(name.len());
    vec![name.get(..end).filter(|name| !name.is_empty())]
}

/// Returns the parameters of a type.
fn parameters(text: &str) -> Vec<&str> {
    let mut depth = 0_usize;
    let is_end = |c: char| {
        match c {
            '[' => depth += 1,
            ']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        c == ',' && depth == 0
    };
    text.split(is_end).map(str::trim).collect()
}

fn is_text_or_list(node: &RubyNode) -> bool {
    matches!(node.kind, RubyNodeKind::Text(_) | RubyNodeKind::Array(_) | RubyNodeKind::Hash(_))
}
