//! Spans of names in syntax trees.
#![allow(clippy::wildcard_enum_match_arm, reason = "only definitions have names")]

use puppetfn_base::source::Span;
use puppetfn_syntax::ast::{Expr, ExprKind};

/// Returns the span of a definition's name; `None` for an expression without one.
pub fn name_span(text: &str, definition: &Expr<'_>) -> Option<Span> {
    match &definition.kind {
        ExprKind::TypeAlias(alias) => Some(alias.name_span),
        ExprKind::TypeDefinition(definition) => Span::of_part(text, definition.name),
        ExprKind::TypeMapping(mapping) => Some(mapping.type_expr.span),
        ExprKind::Class(_) | ExprKind::ResourceType(_) | ExprKind::Function(_) | ExprKind::Plan(_) => {
            after_keyword(text, definition.span)
        }
        ExprKind::Node(node) => {
            let first = node.matches.first()?;
            node.matches.last().map(|last| first.span.to(last.span))
        }
        _ => None,
    }
}

/// Returns the span of the second word.
fn after_keyword(text: &str, span: Span) -> Option<Span> {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | ':');
    let all = span.text(text);
    let mut rest = all.trim_start_matches(is_part);
    loop {
        rest = rest.trim_start();
        if rest.starts_with('#') {
            rest = rest.split_once('\n')?.1;
        } else if rest.starts_with("/*") {
            rest = rest.split_once("*/")?.1;
        } else {
            break;
        }
    }
    let start = span.start + (all.len() - rest.len()) as u32;
    let length = rest.len() - rest.trim_start_matches(is_part).len();
    (length > 0).then(|| Span::new(start, start + length as u32))
}
