//! Definitions of named types.

use std::cell::OnceCell;
use std::fmt;
use std::sync::Arc;

use self_cell::self_cell;

use super::{TypeInterpreter, TypeLookup};
use crate::types::Type;
use puppetfn_base::error::{Error, ErrorKind, SourceLocation};
use puppetfn_base::limits::Limits;
use puppetfn_syntax::ast::{Expr, ExprKind, Program, TypeAlias};
use puppetfn_syntax::{Mode, Tree};

/// The definition of a named type, not resolved yet.
pub trait NamedDefinition: fmt::Debug + Send + Sync {
    /// Returns the name as written in the definition.
    fn name(&self) -> &str;

    /// Returns the location of the definition in its text, for messages.
    fn place(&self) -> SourceLocation;

    /// Returns the maximum depth of its resolution.
    fn nesting(&self) -> u32;

    /// Resolves the definition to a type. `enter` gets the reference to the type for use within its own definition, which
    /// sees its own name only if `lookup` finds it.
    ///
    /// # Errors
    /// Fails if it does not define a type; otherwise with the errors of `lookup`.
    fn define_within(
        &self,
        lookup: &dyn TypeLookup,
        limits: &Limits,
        enter: &dyn Fn(Type),
    ) -> Result<Type, Error>;
}

type AliasSyntax<'t> = &'t TypeAlias<'t>;

self_cell!(
    struct AliasOfTree {
        owner: Arc<Tree>,
        #[covariant]
        dependent: AliasSyntax,
    }

    impl {Debug}
);

/// The definition of an alias: `type Name = ...`, not resolved yet. It shares the syntax tree of its text.
#[derive(Debug)]
pub struct AliasDefinition(AliasOfTree);

impl AliasDefinition {
    /// Parses a text with a single definition: `type Name = ...`.
    ///
    /// # Errors
    /// Fails with [`ErrorKind::Syntax`] if it is not one.
    pub fn parse(text: &str, limits: &Limits) -> Result<Self, Error> {
        let tree = Tree::parse(text, None, Mode::default(), limits)?;
        let definition = if tree.program().statements.len() == 1 { Self::of(&tree, 0) } else { None };
        definition.ok_or_else(|| not_a_definition(text))
    }

    /// Returns the definition that the statement with this index is, if it is one.
    pub fn of(tree: &Arc<Tree>, index: usize) -> Option<Self> {
        let alias =
            AliasOfTree::try_new(Arc::clone(tree), |tree| match tree.program().statements.get(index) {
                Some(Expr { kind: ExprKind::TypeAlias(alias), .. }) => Ok(&**alias),
                Some(_) | None => Err(()),
            });
        alias.ok().map(Self)
    }

    fn text(&self) -> &str {
        self.0.borrow_owner().text()
    }

    fn alias(&self) -> &TypeAlias<'_> {
        self.0.borrow_dependent()
    }

    /// Resolves the definition to a type. The definition sees its own name, and the types that `lookup` finds.
    ///
    /// # Errors
    /// The same errors as [`super::parse`]. Fails too with [`ErrorKind::Load`] if the name is an alias of itself, and with
    /// [`ErrorKind::TypeAssertion`] if the hash of an Object type or type set is invalid.
    pub fn define(&self, lookup: &dyn TypeLookup, limits: &Limits) -> Result<Type, Error> {
        let scope = WithOwnName { name: self.name(), own: OnceCell::new(), outer: lookup };
        self.define_within(&scope, limits, &|own| _ = scope.own.set(own))
    }
}

impl NamedDefinition for AliasDefinition {
    fn name(&self) -> &str {
        self.alias().name
    }

    fn place(&self) -> SourceLocation {
        self.0.borrow_owner().place(self.alias().name_span.start)
    }

    fn nesting(&self) -> u32 {
        nesting(self.alias().value.span.text(self.text()))
    }

    fn define_within(
        &self,
        lookup: &dyn TypeLookup,
        limits: &Limits,
        enter: &dyn Fn(Type),
    ) -> Result<Type, Error> {
        let interpreter = TypeInterpreter { text: self.text(), lookup, limits };
        interpreter.define(self.name(), &self.alias().value, enter)
    }
}

/// Returns the maximum depth of the resolution of a text: the depth of its brackets, and the levels of its lookup.
pub fn nesting(text: &str) -> u32 {
    const SEARCH: u32 = 4;
    let (mut depth, mut deepest) = (0u32, 0);
    for byte in text.bytes() {
        match byte {
            b'[' | b'{' | b'(' => depth = depth.saturating_add(1),
            b']' | b'}' | b')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        deepest = deepest.max(depth);
    }
    deepest.saturating_add(SEARCH)
}

/// Checks that a file defines the type `name`, and nothing else.
///
/// # Errors
/// Fails with [`ErrorKind::Load`] if it does not define that type, or contains anything else.
pub fn only_type(program: &Program<'_>, name: &str, source: &str) -> Result<(), Error> {
    let name = name.to_lowercase();
    let mut definitions = program.statements.iter().filter(|statement| statement.kind.is_definition());
    let problem = match (definitions.next(), definitions.next()) {
        (None, _) => format!("does not define the type '{name}' - it is empty."),
        (Some(_), Some(_)) => format!("must contain only the type '{name}' - it has additional definitions."),
        (Some(definition), None) => match defined_name(definition) {
            None => format!("does not define the type '{name}' - no type alias or type definition found."),
            Some(actual) if actual.to_lowercase() != name => {
                format!("produced type with the wrong name, expected '{name}', actual '{actual}'")
            }
            Some(_) if program.statements.len() > 1 => {
                format!("contains additional logic - can only contain the type '{name}'")
            }
            Some(_) => return Ok(()),
        },
    };
    Err(Error::new(ErrorKind::Load, format!("The code loaded from {source} {problem}")))
}

/// Returns the name of the type that a statement defines.
fn defined_name<'s>(statement: &Expr<'s>) -> Option<&'s str> {
    match &statement.kind {
        ExprKind::TypeAlias(alias) => Some(alias.name),
        ExprKind::TypeDefinition(definition) => definition.members().map(|_| definition.name),
        _ => None,
    }
}

#[cold]
fn not_a_definition(text: &str) -> Error {
    let assignment = text.strip_prefix("type ").unwrap_or(text);
    Error::new(
        ErrorKind::Syntax,
        format!("Expected a type alias assignment on the form 'AliasType = T', got '{assignment}'"),
    )
}

/// Scope of a definition: its own name, and the surrounding scope.
struct WithOwnName<'a> {
    name: &'a str,
    own: OnceCell<Type>,
    outer: &'a dyn TypeLookup,
}

impl TypeLookup for WithOwnName<'_> {
    fn find(&self, name: &str) -> Result<Option<Type>, Error> {
        match self.own.get() {
            Some(own) if name.eq_ignore_ascii_case(self.name) => Ok(Some(own.clone())),
            Some(_) | None => self.outer.find(name),
        }
    }

    fn find_local(&self, name: &str) -> Result<Option<Type>, Error> {
        self.outer.find_local(name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::parse::NoAliases;

    fn defined(text: &str) -> Result<String, String> {
        AliasDefinition::parse(text, &Limits::default())
            .and_then(|definition| definition.define(&NoAliases, &Limits::DEFAULT))
            .map(|t| t.to_expanded_string())
            .map_err(|error| error.to_string())
    }

    #[test]
    fn a_definition_may_contain_itself() {
        assert_eq!(defined("type A = Array[A]"), Ok("A = Array[A]".into()));
        assert_eq!(
            defined("type Tree = Variant[Integer, Array[Tree]]"),
            Ok("Tree = Variant[Integer, Array[Tree]]".into())
        );
    }

    #[test]
    fn alternatives_that_only_repeat_the_name_are_dropped() {
        assert_eq!(defined("type A = Variant[A, String, Variant[A]]"), Ok("A = String".into()));
        assert_eq!(
            defined("type A = Variant[A, String, Integer]"),
            Ok("A = Variant[String, Integer]".into())
        );
    }

    #[test]
    fn a_name_cannot_stand_for_itself() {
        let expected = Err("Type alias 'A' cannot be resolved to a real type".to_owned());
        assert_eq!(defined("type A = A"), expected);
        assert_eq!(defined("type A = Variant[A]"), expected);
    }

    #[test]
    fn a_definition_is_kept_in_its_simplest_form() {
        assert_eq!(
            defined("type A = Variant[Optional[Integer], String]"),
            Ok("A = Optional[Variant[Integer, String]]".into())
        );
    }

    #[test]
    fn a_file_defines_one_type_by_its_name() {
        let checked = |text: &str| {
            let program = puppetfn_syntax::parse(text, &Limits::DEFAULT).unwrap();
            only_type(&program, "M::Port", "/m/port.pp")
        };
        let error = |text| checked(text).unwrap_err().to_string();
        assert_eq!(checked("# x\ntype M::PORT = Any # y"), Ok(()));
        assert_eq!(checked("type M::Port { attr x }"), Ok(()));
        let empty = "The code loaded from /m/port.pp does not define the type 'm::port' - it is empty.";
        assert_eq!(error(""), empty);
        assert_eq!(error("# only a comment"), empty);
        assert_eq!(
            error("type M::Ports = Integer"),
            "The code loaded from /m/port.pp produced type with the wrong name, \
             expected 'm::port', actual 'M::Ports'"
        );
        assert_eq!(
            error("type M::Port = Integer\ntype M::Other = Integer"),
            "The code loaded from /m/port.pp must contain only the type 'm::port' - \
             it has additional definitions."
        );
        assert_eq!(
            error("type M::Port = Integer\n notice('hi')"),
            "The code loaded from /m/port.pp contains additional logic - can only contain the type 'm::port'"
        );
    }
}
