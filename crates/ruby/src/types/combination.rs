//! Combinations of attributes that the `validate` block of a resource type refuses, derived from its conditions and the
//! errors it raises.

use puppetfn_catalog::{AttributeCondition, RefusedCombination};

use super::evaluation::Evaluation;
use super::validation::{error_message, leaves};
use super::value::StaticClosure;
use crate::tree::{RubyCall, RubyNode, RubyNodeKind};

/// Methods of resources that leave their attributes unchanged.
const HARMLESS: [&str; 9] = ["raise", "fail", "devfail", "warning", "notice", "info", "debug", "err", "_"];
/// Methods that return the value of an attribute by its name.
const READERS: [&str; 2] = ["should", "value"];

/// Methods of the table of attributes that tell whether one is given; the second is of this project's own types, and does not
/// count attributes that are only audited.
const PRESENCE: [&str; 2] = ["include?", "declared"];

/// Returns the combinations in order, up to the first statement that is not understood and may matter.
pub fn refused_combinations(block: &StaticClosure, evaluation: &mut Evaluation) -> Vec<RefusedCombination> {
    let mut found = Vec::new();
    CombinationReader { block, evaluation, found: &mut found }.all(&block.code.body, &[]);
    found
}

struct CombinationReader<'c> {
    block: &'c StaticClosure,
    evaluation: &'c mut Evaluation,
    found: &'c mut Vec<RefusedCombination>,
}

impl CombinationReader<'_> {
    /// Reads statements that are reached under conditions. Returns false if statements after them cannot be read.
    fn all(&mut self, nodes: &[RubyNode], conditions: &[AttributeCondition]) -> bool {
        nodes.iter().all(|node| self.statement(node, conditions) || !may_matter(node))
    }

    /// Returns false for a statement that is not understood.
    fn statement(&mut self, node: &RubyNode, conditions: &[AttributeCondition]) -> bool {
        if let Some(message) = error_message(node, self.block, self.evaluation) {
            let condition = match conditions {
                [only] => only.clone(),
                all => AttributeCondition::All(all.to_vec()),
            };
            self.found.push(RefusedCombination { condition, message });
            return true;
        }
        let RubyNodeKind::If(one) = &node.kind else { return false };
        let Some(condition) = condition(&one.condition).filter(|_| one.is_single) else { return false };
        let condition = if one.negated { AttributeCondition::Not(Box::new(condition)) } else { condition };
        let conditions: Vec<_> = conditions.iter().cloned().chain([condition]).collect();
        self.all(&one.statements, &conditions)
    }
}

/// Returns the condition about attributes that an expression is; `None` if it is not understood.
fn condition(node: &RubyNode) -> Option<AttributeCondition> {
    match &node.kind {
        RubyNodeKind::Parentheses(inner) => match inner.as_slice() {
            [only] => condition(only),
            _ => None,
        },
        RubyNodeKind::Unary(operator, inner) if operator == "!" => negated(inner),
        RubyNodeKind::Binary(left, operator, right) => match &**operator {
            "&&" => Some(AttributeCondition::All(vec![condition(left)?, condition(right)?])),
            "||" => Some(AttributeCondition::Any(vec![condition(left)?, condition(right)?])),
            "==" => Some(AttributeCondition::Is(attribute(left)?, right.literal()?)),
            "!=" => Some(AttributeCondition::Not(Box::new(AttributeCondition::Is(
                attribute(left)?,
                right.literal()?,
            )))),
            _ => None,
        },
        RubyNodeKind::Call(call) if call.name == "nil?" => negated(call.receiver.as_ref()?),
        RubyNodeKind::Call(call) if call.name == "!" => negated(call.receiver.as_ref()?),
        RubyNodeKind::Call(call) if PRESENCE.contains(&&*call.name) => {
            call.receiver.as_ref().filter(|table| is_table(table))?;
            only_symbol(&call.args).map(AttributeCondition::Given)
        }
        _ => attribute(node).map(AttributeCondition::Set),
    }
}

fn negated(node: &RubyNode) -> Option<AttributeCondition> {
    condition(node).map(|inner| AttributeCondition::Not(Box::new(inner)))
}

/// Returns the name of the attribute whose value an expression is: `self[:a]`, `should(:a)` and the like.
fn attribute(node: &RubyNode) -> Option<String> {
    match &node.kind {
        RubyNodeKind::Index(receiver, keys) if is_resource(receiver) => only_symbol(keys),
        RubyNodeKind::Call(call) => match &*call.name {
            "[]" if call.receiver.as_ref().is_some_and(is_resource) => only_symbol(&call.args),
            name if READERS.contains(&name) && is_own(call) => only_symbol(&call.args),
            _ => None,
        },
        _ => None,
    }
}

fn is_resource(node: &RubyNode) -> bool {
    matches!(node.kind, RubyNodeKind::Myself)
}

/// Returns true for the instance variable with the attributes that are set.
fn is_table(node: &RubyNode) -> bool {
    matches!(&node.kind, RubyNodeKind::Instance(name) if name == "@parameters")
}

fn is_own(call: &RubyCall) -> bool {
    call.receiver.as_ref().is_none_or(is_resource)
}

fn only_symbol(nodes: &[RubyNode]) -> Option<String> {
    match nodes {
        [only] if matches!(only.kind, RubyNodeKind::Symbol(_)) => only.literal(),
        _ => None,
    }
}

/// Returns true if a statement may end the block or change attributes.
fn may_matter(node: &RubyNode) -> bool {
    let changes = |part: &RubyNode| match &part.kind {
        RubyNodeKind::Assign(target, ..) => !matches!(target.kind, RubyNodeKind::Local(_)),
        RubyNodeKind::MultiAssign(..) | RubyNodeKind::Super(_) => true,
        RubyNodeKind::Call(call) => {
            let is_reader = READERS.contains(&&*call.name) || HARMLESS.contains(&&*call.name);
            is_own(call) && !is_reader || call.name.ends_with('=') && call.name != "=="
        }
        _ => false,
    };
    leaves(node) || node.any(&changes)
}
