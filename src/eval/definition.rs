//! The types that a text defines.

use crate::error::Error;
use crate::limits::Limits;
use crate::syntax::ast::{ExprKind, Program};
use crate::types::parse::{AliasDefinition, Definitions, NamedTypes, TypeLookup};

/// The types that a text defines, which may use each other in any way.
///
/// # Errors
/// When a definition is not a type.
pub(super) fn types_of(
    program: &Program<'_>,
    outer: &dyn TypeLookup,
    limits: &Limits,
) -> Result<NamedTypes, Error> {
    let aliases = program.statements.iter().filter_map(|statement| {
        let ExprKind::TypeAlias(alias) = &statement.kind else { return None };
        Some(AliasDefinition::new(program.text, alias))
    });
    aliases.collect::<Definitions<'_>>().resolve_all(outer, limits)
}
