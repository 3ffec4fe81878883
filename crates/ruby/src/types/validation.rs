//! Requirements of `validate` and `munge` blocks, derived from their conditions and the errors they raise.

use std::rc::Rc;

use puppetfn_catalog::Requirement;

use super::condition::ConditionReader;
use super::evaluation::Evaluation;
use super::requirements::{CLASS, INSPECTED, SHOWN};
use super::value::{StaticClosure, StaticValue};
use crate::tree::{HashPair, RubyCall, RubyIf, RubyNode, RubyNodeKind, TextPart};

/// The errors that a resource fails with.
const ERRORS: [&str; 3] = ["ArgumentError", "Puppet::Error", "Puppet::ResourceError"];

/// Methods that raise errors.
const RAISING: [&str; 3] = ["raise", "fail", "devfail"];

/// Methods of texts that neither numbers nor Booleans have.
const OF_TEXTS: [&str; 5] = ["empty?", "end_with?", "include?", "match?", "start_with?"];

/// Returns the requirements of the `validate` block of an attribute in order, up to the first statement that is not understood and
/// may matter.
pub fn requirements(block: &StaticClosure, attribute: &str, evaluation: &mut Evaluation) -> Vec<Requirement> {
    let failure = format!("Validate method failed for class {attribute}: ");
    of_block(block, None, &failure, evaluation)
}

/// Returns the requirements of the `munge` block of an attribute. Puppet puts a text in front of errors that are not its own.
pub fn requirements_of_munging(
    block: &StaticClosure,
    attribute: &str,
    evaluation: &mut Evaluation,
) -> Vec<Requirement> {
    let prefix = format!("Munging failed for value {INSPECTED} in class {attribute}: ");
    of_block(block, Some(&prefix), &prefix, evaluation)
}

/// Returns the requirements of a block; `prefix` is put in front of messages of other errors than Puppet's.
fn of_block(
    block: &StaticClosure,
    prefix: Option<&str>,
    failure: &str,
    evaluation: &mut Evaluation,
) -> Vec<Requirement> {
    let name = block.positional().next().and_then(|parameter| parameter.name.clone());
    let Some(name) = name else { return Vec::new() };
    let mut validation = Validation::new(block, &name, evaluation);
    (validation.prefix, validation.failure) = (prefix, failure);
    validation.all(&block.code.body);
    validation.found
}

/// The course of code after a statement.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ControlFlow {
    Continues,
    /// An error is raised.
    Raises,
    /// The block ends before its last statement.
    Leaves,
    /// The statement is not understood, and may end the block or change the value.
    Unknown,
}

/// A condition on the way to a statement: requirements of which a value misses one at least if the condition certainly holds. `None` if
/// that is not known of any value.
type PathCondition = Option<Vec<Requirement>>;

/// Maximum number of requirements of one raised error.
const MOST_REQUIREMENTS: usize = 16;

struct Validation<'v> {
    block: &'v StaticClosure,
    name: &'v str,
    /// The text in front of messages of other errors than Puppet's.
    prefix: Option<&'v str>,
    /// The text in front of the message of a method that a value does not have.
    failure: &'v str,
    evaluation: &'v mut Evaluation,
    /// The conditions under which the statement at hand is reached.
    path: Vec<PathCondition>,
    /// Whether the code is the body of a loop over values.
    is_loop: bool,
    found: Vec<Requirement>,
}

impl<'v> Validation<'v> {
    fn new(block: &'v StaticClosure, name: &'v str, evaluation: &'v mut Evaluation) -> Self {
        let (path, found) = (Vec::new(), Vec::new());
        Self { block, name, prefix: None, failure: "", evaluation, path, is_loop: false, found }
    }

    /// Reads statements, up to the first one after which nothing is known.
    fn all(&mut self, nodes: &[RubyNode]) -> ControlFlow {
        for node in nodes {
            let flow = self.statement(node);
            if flow != ControlFlow::Continues {
                return flow;
            }
        }
        ControlFlow::Continues
    }

    fn statement(&mut self, node: &RubyNode) -> ControlFlow {
        match &node.kind {
            RubyNodeKind::If(_) if self.wraps_value(node) => return ControlFlow::Continues,
            RubyNodeKind::If(one) if !self.changes(&one.condition) => return self.choice(one),
            RubyNodeKind::Case(one) => return self.all(&one.as_conditions()),
            RubyNodeKind::Clause(nodes) | RubyNodeKind::Parentheses(nodes) => return self.all(nodes),
            // It may end the loop, so that the other values are not looked at.
            RubyNodeKind::Leave(_) if self.is_loop => return ControlFlow::Unknown,
            RubyNodeKind::Leave(_) => return ControlFlow::Leaves,
            _ => {}
        }
        if let Some((block, name)) = self.loop_over_values(node).filter(|_| self.path.is_empty()) {
            let mut inner = Validation::new(&block, &name, self.evaluation);
            (inner.prefix, inner.failure, inner.is_loop) = (self.prefix, self.failure, true);
            inner.all(&block.code.body);
            let found = inner.found;
            self.found.extend(found.into_iter().map(|one| Requirement { of_each: true, ..one }));
            return ControlFlow::Continues;
        }
        if let Some(message) = self.raised(node) {
            self.fail(&message);
            return ControlFlow::Raises;
        }
        match node.call() {
            Some(call) if RAISING.contains(&&*call.name) => ControlFlow::Raises,
            _ if leaves(node) || self.changes(node) => ControlFlow::Unknown,
            _ => ControlFlow::Continues,
        }
    }

    /// Reads `if` or `unless`.
    fn choice(&mut self, one: &RubyIf) -> ControlFlow {
        if let Some(found) = self.requirement_of_method(&one.condition) {
            let found = self.on_path(found);
            self.found.extend(found);
        }
        let mut condition =
            ConditionReader { name: self.name, scope: &self.block.scope, evaluation: self.evaluation };
        let (mut holds, mut fails) = (condition.refused(&one.condition), condition.accepted(&one.condition));
        if one.negated {
            std::mem::swap(&mut holds, &mut fails);
        }
        let (then, may_leave) = self.branch(holds.clone(), &one.statements);
        let (otherwise, may_leave_otherwise) = self.branch(fails.clone(), &one.otherwise);
        if may_leave || may_leave_otherwise {
            self.path.push(None);
        }
        match (then, otherwise) {
            (ControlFlow::Unknown, _) | (_, ControlFlow::Unknown) => ControlFlow::Unknown,
            (ControlFlow::Leaves, ControlFlow::Continues) => {
                self.path.push(fails);
                ControlFlow::Continues
            }
            (ControlFlow::Continues, ControlFlow::Leaves) => {
                self.path.push(holds);
                ControlFlow::Continues
            }
            (ControlFlow::Continues, _) | (_, ControlFlow::Continues) => ControlFlow::Continues,
            (ControlFlow::Raises, ControlFlow::Raises) => ControlFlow::Raises,
            _ => ControlFlow::Leaves,
        }
    }

    /// Reads the statements of a branch. Returns true with the course if some values leave the block in it, others not.
    fn branch(&mut self, condition: PathCondition, nodes: &[RubyNode]) -> (ControlFlow, bool) {
        let outer = self.path.len();
        self.path.push(condition);
        let inner = self.path.len();
        let flow = self.all(nodes);
        let may_leave = flow == ControlFlow::Continues && self.path.len() > inner;
        self.path.truncate(outer);
        (flow, may_leave)
    }

    /// Adds the requirements of values for which an error is raised here.
    fn fail(&mut self, message: &str) {
        let any = Requirement { type_text: "Any".to_owned(), is_refused: true, ..Requirement::default() };
        let found = if self.path.is_empty() { vec![any] } else { self.missed() };
        let found = found.into_iter().map(|one| Requirement { message: message.to_owned(), ..one });
        self.found.extend(found);
    }

    /// Returns the requirement, of values that reach the statement at hand.
    fn on_path(&self, found: Requirement) -> Vec<Requirement> {
        if self.path.is_empty() {
            return vec![found];
        }
        self.missed()
            .into_iter()
            .map(|one| Requirement { message: found.message.clone(), ..found.clone().or(one) })
            .collect()
    }

    /// Returns requirements that all values meet which do not certainly reach the statement at hand.
    fn missed(&self) -> Vec<Requirement> {
        let mut joined: Vec<Requirement> = Vec::new();
        for (index, condition) in self.path.iter().enumerate() {
            let Some(condition) = condition else { return Vec::new() };
            joined = match index {
                0 => condition.clone(),
                _ => joined
                    .iter()
                    .flat_map(|one| condition.iter().map(|other| one.clone().or(other.clone())))
                    .collect(),
            };
            if joined.len() > MOST_REQUIREMENTS {
                return Vec::new();
            }
        }
        joined
    }

    /// Returns the requirement of a condition that is a call of a method of texts: other values do not have it.
    fn requirement_of_method(&self, condition: &RubyNode) -> Option<Requirement> {
        let call = condition.call().filter(|call| OF_TEXTS.contains(&&*call.name))?;
        call.receiver.as_ref().filter(|receiver| self.is_value(receiver))?;
        let message = format!("{}undefined method `{}' for {INSPECTED}:{CLASS}", self.failure, call.name);
        let type_text = "Variant[Numeric, Boolean]".to_owned();
        Some(Requirement { type_text, is_refused: true, message, ..Requirement::default() })
    }

    /// Returns the block of a loop over the value, or over its elements if it is an Array, and the name of its parameter.
    fn loop_over_values(&self, node: &RubyNode) -> Option<(StaticClosure, String)> {
        let call = node.call().filter(|call| call.name == "each" && call.args.is_empty())?;
        let code = call.block.as_ref()?;
        let is_list = call.receiver.as_ref().is_some_and(|list| self.is_list_of_values(list));
        let block = StaticClosure { code: Rc::clone(code), scope: self.block.scope.clone() };
        let name = block.positional().next().and_then(|parameter| parameter.name.clone());
        name.filter(|_| is_list && block.arity() == 1).map(|name| (block, name))
    }

    /// Returns true for `[value].flatten`, `Array(value)` and the value itself.
    fn is_list_of_values(&self, node: &RubyNode) -> bool {
        match &node.kind {
            RubyNodeKind::Parentheses(inner) => {
                matches!(inner.as_slice(), [only] if self.is_list_of_values(only))
            }
            _ if self.is_value(node) => true,
            RubyNodeKind::Call(call) => match &*call.name {
                "Array" => call.receiver.is_none() && call.args.iter().all(|item| self.is_value(item)),
                "flatten" => call.receiver.as_ref().is_some_and(|list| self.is_array_of_value(list)),
                _ => false,
            },
            _ => false,
        }
    }

    /// Returns the message of a raised error.
    fn raised(&mut self, node: &RubyNode) -> Option<String> {
        let call = node.call().filter(|call| RAISING.contains(&&*call.name))?;
        if call.receiver.as_ref().is_some_and(|receiver| !matches!(receiver.kind, RubyNodeKind::Myself)) {
            return None;
        }
        let error = call.args.first()?;
        let made = error.call().filter(|made| made.name == "new");
        let (path, text) = match (error.constant(), made) {
            (Some(path), _) => (Some(path), call.args.get(1)),
            (None, Some(made)) => (made.receiver.as_ref().and_then(RubyNode::constant), made.args.first()),
            // `fail` and `devfail` raise Puppet's errors.
            (None, None) if call.name != "raise" => return self.message(error),
            (None, None) => return self.prefixed(error),
        };
        let path = path.filter(|path| ERRORS.contains(path))?;
        if path == "ArgumentError" { self.prefixed(text?) } else { self.message(text?) }
    }

    /// Returns the message of another error than Puppet's.
    fn prefixed(&mut self, text: &RubyNode) -> Option<String> {
        let message = self.message(text)?;
        Some(format!("{}{message}", self.prefix.unwrap_or_default()))
    }

    /// Returns a message, with placeholders for expressions that depend on the value.
    fn message(&mut self, node: &RubyNode) -> Option<String> {
        if let Some(translated) = node.call().filter(|call| call.name == "_") {
            return self.message(translated.args.first()?);
        }
        if let RubyNodeKind::Binary(text, operator, values) = &node.kind
            && operator == "%"
        {
            return self.filled(text, values);
        }
        let RubyNodeKind::Text(parts) = &node.kind else { return None };
        Some(parts.iter().map(|part| self.part(part)).collect())
    }

    fn part(&mut self, part: &TextPart) -> String {
        let TextPart::Code { raw, statements } = part else {
            return part.value().unwrap_or_default().to_owned();
        };
        let known = match statements.as_slice() {
            [only] => self.mark(only).map(str::to_owned).or_else(|| self.known(only)),
            _ => None,
        };
        known.unwrap_or_else(|| raw.clone())
    }

    fn known(&mut self, node: &RubyNode) -> Option<String> {
        let value: StaticValue = self.evaluation.evaluate(node, &self.block.scope);
        value.name().map(str::to_owned)
    }

    fn filled(&mut self, text: &RubyNode, values: &RubyNode) -> Option<String> {
        let mut text = self.message(text)?;
        if !matches!(values.kind, RubyNodeKind::Hash(_)) {
            return None;
        }
        for pair in values.pairs() {
            let HashPair::Entry(key, value) = pair else { continue };
            let Some(key) = key.literal() else { continue };
            let mark = value.as_ref().and_then(|value| self.mark(value));
            let mark = mark.map_or_else(|| format!("#{{{key}}}"), str::to_owned);
            text = text.replace(&format!("%{{{key}}}"), &mark);
        }
        Some(text)
    }

    /// Returns the placeholder for an expression that depends on the value.
    fn mark(&self, node: &RubyNode) -> Option<&'static str> {
        if self.is_value(node) {
            return Some(SHOWN);
        }
        let call = node.call()?;
        let receiver = call.receiver.as_ref()?;
        match &*call.name {
            "inspect" => self.is_value(receiver).then_some(INSPECTED),
            "class" => self.is_value(receiver).then_some(CLASS),
            "to_s" => self.is_value(receiver).then_some(SHOWN),
            "name" => self.mark(receiver).filter(|mark| *mark == CLASS),
            _ => None,
        }
    }

    fn is_array_of_value(&self, node: &RubyNode) -> bool {
        matches!(&node.kind, RubyNodeKind::Array(items) if items.iter().all(|item| self.is_value(item)))
    }

    /// Returns true for `value = [value] unless value.is_a?(Array)`, after which a loop goes over all values.
    fn wraps_value(&self, node: &RubyNode) -> bool {
        let RubyNodeKind::If(one) = &node.kind else { return false };
        let is_test = one.condition.call().is_some_and(|call| call.name == "is_a?");
        let wraps = |node: &RubyNode| {
            matches!(&node.kind, RubyNodeKind::Assign(target, list, None)
                if self.is_value(target) && self.is_array_of_value(list))
        };
        one.negated && one.is_single && is_test && one.statements.iter().all(wraps)
    }

    fn is_value(&self, node: &RubyNode) -> bool {
        node.variable() == Some(self.name)
    }

    /// Returns true if code may change the value or the variable.
    fn changes(&self, node: &RubyNode) -> bool {
        node.any(&|part| match &part.kind {
            RubyNodeKind::Assign(target, ..) => self.mentions(target),
            RubyNodeKind::MultiAssign(targets, _) => targets.iter().any(|target| self.mentions(target)),
            RubyNodeKind::Call(call) => {
                call.name.ends_with('!')
                    && call.receiver.as_ref().is_some_and(|receiver| self.mentions(receiver))
            }
            _ => false,
        })
    }

    fn mentions(&self, node: &RubyNode) -> bool {
        node.any(&|part| match &part.kind {
            RubyNodeKind::Local(name) => name == self.name,
            RubyNodeKind::Call(call) => call.name == self.name,
            _ => false,
        })
    }
}

/// Returns the message of the error that a statement raises, if it does nothing else.
pub fn error_message(node: &RubyNode, block: &StaticClosure, evaluation: &mut Evaluation) -> Option<String> {
    Validation::new(block, "", evaluation).raised(node)
}

/// Returns true if code may leave the block before its end.
pub fn leaves(node: &RubyNode) -> bool {
    node.any(&|part: &RubyNode| matches!(part.kind, RubyNodeKind::Leave(_)))
}

impl RubyCall {
    /// Returns the call of a method that sets something.
    pub fn setter(name: &str, at: usize) -> Self {
        Self {
            receiver: None,
            name: format!("{name}="),
            args: Vec::new(),
            block: None,
            passed_block: None,
            at,
            is_name: false,
        }
    }
}
