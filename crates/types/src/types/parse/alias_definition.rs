//! Definitions of named types.

use std::cell::OnceCell;
use std::fmt;
use std::sync::Arc;

use super::{Interpreter, TypeLookup};
use crate::types::Type;
use puppetfn_base::error::{Error, ErrorKind, Place};
use puppetfn_base::limits::Limits;
use puppetfn_syntax::ast::{Expr, ExprKind, Program, TypeAlias};

/// The definition of a named type, not resolved yet.
pub trait NamedDefinition {
    /// Returns the name as the definition has it.
    fn name(&self) -> &str;

    /// Returns how deep resolving it goes at most.
    fn nesting(&self) -> u32;

    /// Returns the type. Its definition sees its own name only if `lookup` finds it: `enter` gets what
    /// stands for the type in its own definition.
    ///
    /// # Errors
    /// Where it is not a definition of a type, and those of `lookup`.
    fn define_within(&self, lookup: &dyn TypeLookup, enter: &dyn Fn(Type)) -> Result<Type, Error>;
}

/// The text of a definition, which is read when its type is first looked for.
pub trait DefinitionText: fmt::Debug + Send + Sync {
    /// Returns the text, or one that it is in.
    fn text(&self) -> &str;

    /// Returns the definition.
    ///
    /// # Errors
    /// [`ErrorKind::Syntax`] when it is malformed, and [`ErrorKind::Limit`] when it nests too deep.
    fn read<'t>(&'t self, limits: &Limits) -> Result<Box<dyn NamedDefinition + 't>, Error>;
}

/// A text that begins with the definition of an alias.
impl DefinitionText for Arc<str> {
    fn text(&self) -> &str {
        self
    }

    fn read<'t>(&'t self, limits: &Limits) -> Result<Box<dyn NamedDefinition + 't>, Error> {
        Ok(Box::new(AliasDefinition::first(self, limits)?))
    }
}

/// The definition of an alias: `type Name = ...`, not resolved yet.
#[derive(Clone, Debug)]
pub struct AliasDefinition<'s> {
    text: &'s str,
    alias: TypeAlias<'s>,
    limits: Limits,
}

impl<'s> AliasDefinition<'s> {
    /// Parses a text that is one definition: `type Name = ...`.
    ///
    /// # Errors
    /// [`ErrorKind::Syntax`] when it is not.
    pub fn parse(text: &'s str, limits: &Limits) -> Result<Self, Error> {
        let Program { statements, .. } = puppetfn_syntax::parse(text, limits)?;
        match <[_; 1]>::try_from(statements) {
            Ok([Expr { kind: ExprKind::TypeAlias(alias), .. }]) => Ok(Self::new(text, *alias, limits)),
            Ok(_) | Err(_) => Err(not_a_definition(text)),
        }
    }

    /// Parses a text that begins with a definition.
    ///
    /// # Errors
    /// [`ErrorKind::Syntax`] when it does not.
    pub(super) fn first(text: &'s str, limits: &Limits) -> Result<Self, Error> {
        match puppetfn_syntax::parse(text, limits)?.statements.into_iter().next() {
            Some(Expr { kind: ExprKind::TypeAlias(alias), .. }) => Ok(Self::new(text, *alias, limits)),
            Some(_) | None => Err(not_a_definition(text)),
        }
    }

    /// Returns the definition that a statement of the text is.
    pub fn new(text: &'s str, alias: TypeAlias<'s>, limits: &Limits) -> Self {
        Self { text, alias, limits: *limits }
    }

    /// Returns the name as the definition has it.
    pub fn name(&self) -> &'s str {
        self.alias.name
    }

    /// Returns the type. Its definition sees its own name, and what `lookup` finds.
    ///
    /// # Errors
    /// As [`super::parse`], [`ErrorKind::Load`] when the name stands only for itself, and
    /// [`ErrorKind::TypeAssertion`] when it defines an Object type or type set by a hash that
    /// does not.
    pub fn define(&self, lookup: &dyn TypeLookup) -> Result<Type, Error> {
        let scope = WithOwnName { name: self.alias.name, own: OnceCell::new(), outer: lookup };
        self.define_within(&scope, &|own| _ = scope.own.set(own))
    }
}

impl NamedDefinition for AliasDefinition<'_> {
    fn name(&self) -> &str {
        self.alias.name
    }

    fn nesting(&self) -> u32 {
        nesting(self.alias.value.span.text(self.text))
    }

    fn define_within(&self, lookup: &dyn TypeLookup, enter: &dyn Fn(Type)) -> Result<Type, Error> {
        let interpreter = Interpreter { text: self.text, lookup, limits: &self.limits };
        interpreter.define(self.alias.name, &self.alias.value, enter)
    }
}

/// Returns how deep resolving a text goes at most: its brackets, and the search for it.
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

/// Parses the text of the file `source`, and returns the definition of the type `name` in it, which is
/// all that the file may have.
///
/// # Errors
/// [`ErrorKind::Syntax`] when the text is not Puppet or has anything but definitions of types,
/// [`ErrorKind::Load`] when it does not define that type, or also another one.
pub fn only_type<'s>(text: &'s str, name: &str, source: &str, limits: &Limits) -> Result<Expr<'s>, Error> {
    let program = puppetfn_syntax::parse(text, limits).map_err(|error| error.in_file(source))?;
    let name = name.to_lowercase();
    for statement in &program.statements {
        if defined_name(statement).is_none() {
            let message = format!(
                "This {} is unacceptable as a top level construct in this location",
                statement.kind.label()
            );
            return Err(Error::new(ErrorKind::Syntax, message)
                .at(Place::of(text, statement.span.start))
                .in_file(source));
        }
    }
    let problem = match <[_; 1]>::try_from(program.statements) {
        Ok([statement]) => {
            let actual = defined_name(&statement).unwrap_or_default();
            if actual.to_lowercase() == name {
                return Ok(statement);
            }
            format!("produced type with the wrong name, expected '{name}', actual '{actual}'")
        }
        Err(none) if none.is_empty() => format!("does not define the type '{name}' - it is empty."),
        Err(_) => format!("must contain only the type '{name}' - it has additional definitions."),
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
    Error::new(
        ErrorKind::Syntax,
        format!("Expected a type alias assignment on the form 'type AliasType = T', got '{text}'"),
    )
}

/// What a definition sees: its own name and all that is around it.
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
            .and_then(|definition| definition.define(&NoAliases))
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
        let error = |text| {
            only_type(text, "M::Port", "/m/port.pp", &Limits::default()).map(|_| ()).unwrap_err().to_string()
        };
        let port = only_type("# x\ntype M::PORT = Any # y", "m::port", "f", &Limits::default());
        assert_eq!(defined_name(&port.unwrap()), Some("M::PORT"));
        let members = only_type("type M::Port { attr x }", "m::port", "f", &Limits::default());
        assert_eq!(defined_name(&members.unwrap()), Some("M::Port"));
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
            "This Function Call is unacceptable as a top level construct in this location \
             (file: /m/port.pp, line: 2, column: 2)"
        );
        assert_eq!(
            error("type M::Port =\n  Integer]"),
            "Syntax error at ']' (file: /m/port.pp, line: 2, column: 10)"
        );
        assert_eq!(error("type M::Port = Integer["), "Syntax error at end of input (file: /m/port.pp)");
    }
}
