//! Whether expressions are known to have no effect.
//!
//! See Puppet's `pops/validation/checker4_0.rb`.

use crate::ast::{BinaryOp, Block, Expr, ExprKind, OperatorFamily};

/// Returns true if the evaluation of an expression is known to have no effects. That includes all strings and
/// selectors, whatever their parts.
pub(super) fn is_idem(expr: &Expr<'_>) -> bool {
    match &expr.kind {
        ExprKind::Undef
        | ExprKind::Default
        | ExprKind::Boolean(_)
        | ExprKind::Integer(_)
        | ExprKind::Float(_)
        | ExprKind::String(_)
        | ExprKind::Interpolation(_)
        | ExprKind::Heredoc(_)
        | ExprKind::Regexp(_)
        | ExprKind::Name(_)
        | ExprKind::Reference(_)
        | ExprKind::Variable(_)
        | ExprKind::Reserved(_)
        | ExprKind::Array(_)
        | ExprKind::Hash(_)
        | ExprKind::Access(_)
        | ExprKind::Unary(..)
        | ExprKind::Selector(_) => true,
        ExprKind::Paren(inner) => is_idem(inner),
        ExprKind::Binary(binary) => has_no_effect(binary.op),
        ExprKind::If(conditional) => {
            conditional.branches.iter().all(|branch| is_idem(&branch.test) && is_idem_block(&branch.then))
                && conditional.otherwise.as_ref().is_none_or(is_idem_block)
        }
        ExprKind::Unless(unless) => {
            is_idem(&unless.test)
                && is_idem_block(&unless.then)
                && unless.otherwise.as_ref().is_none_or(is_idem_block)
        }
        ExprKind::Case(case) => {
            is_idem(&case.test)
                && case
                    .options
                    .iter()
                    .all(|option| option.values.iter().all(is_idem) && is_idem_block(&option.then))
        }
        ExprKind::Block(statements) => statements.iter().all(is_idem),
        ExprKind::Error(_)
        | ExprKind::Call(_)
        | ExprKind::Method(_)
        | ExprKind::Function(_)
        | ExprKind::Plan(_)
        | ExprKind::TypeAlias(_)
        | ExprKind::TypeMapping(_)
        | ExprKind::TypeDefinition(_)
        | ExprKind::Class(_)
        | ExprKind::ResourceType(_)
        | ExprKind::Node(_)
        | ExprKind::Resource(_)
        | ExprKind::ResourceDefaults(_)
        | ExprKind::ResourceOverride(_)
        | ExprKind::Collector(_)
        | ExprKind::Apply(_)
        | ExprKind::Template(_)
        | ExprKind::RenderText(_)
        | ExprKind::Render(_) => false,
    }
}

fn is_idem_block(block: &Block<'_>) -> bool {
    block.statements.iter().all(is_idem)
}

/// Matches set the variables `$0`, `$1` and so on.
fn has_no_effect(op: BinaryOp) -> bool {
    !matches!(op.family(), OperatorFamily::Assignment | OperatorFamily::Relationship | OperatorFamily::Match)
}
