//! Definitions of named types.

use std::cell::OnceCell;

use super::{Interpreter, TypeLookup};
use crate::error::{Error, ErrorKind, Place};
use crate::limits::Limits;
use crate::syntax;
use crate::syntax::ast::{Expr, ExprKind, Program, TypeAlias};
use crate::types::Type;

/// The definition of a named type: `type Name = ...`, not resolved yet.
#[derive(Clone, Debug)]
pub struct AliasDefinition<'s> {
    text: &'s str,
    alias: TypeAlias<'s>,
}

impl<'s> AliasDefinition<'s> {
    /// Parses a text that is one definition: `type Name = ...`.
    ///
    /// # Errors
    /// [`ErrorKind::Syntax`] when it is not.
    pub fn parse(text: &'s str, limits: &Limits) -> Result<Self, Error> {
        let Program { statements, .. } = syntax::parse(text, limits)?;
        match <[_; 1]>::try_from(statements) {
            Ok([Expr { kind: ExprKind::TypeAlias(alias), .. }]) => Ok(Self { text, alias: *alias }),
            Ok(_) | Err(_) => Err(not_a_definition(text)),
        }
    }

    /// Parses a text that begins with a definition.
    ///
    /// # Errors
    /// [`ErrorKind::Syntax`] when it does not.
    pub(super) fn first(text: &'s str, limits: &Limits) -> Result<Self, Error> {
        match syntax::parse(text, limits)?.statements.into_iter().next() {
            Some(Expr { kind: ExprKind::TypeAlias(alias), .. }) => Ok(Self { text, alias: *alias }),
            Some(_) | None => Err(not_a_definition(text)),
        }
    }

    /// Parses the text of the file `source`, which has to define the named type `name` and nothing
    /// else.
    ///
    /// # Errors
    /// [`ErrorKind::Syntax`] when the text is not Puppet or has anything but definitions of types,
    /// [`ErrorKind::Load`] when it does not define that type, or also another one.
    pub fn parse_file(text: &'s str, name: &str, source: &str, limits: &Limits) -> Result<Self, Error> {
        let program = syntax::parse(text, limits).map_err(|error| error.in_file(source))?;
        let name = name.to_lowercase();
        let mut aliases = Vec::with_capacity(1);
        for Expr { kind, span } in program.statements {
            match kind {
                ExprKind::TypeAlias(alias) => aliases.push(*alias),
                other => {
                    let message = format!(
                        "This {} is unacceptable as a top level construct in this location",
                        other.label()
                    );
                    return Err(Error::new(ErrorKind::Syntax, message)
                        .at(Place::of(text, span.start))
                        .in_file(source));
                }
            }
        }
        let problem = match <[_; 1]>::try_from(aliases) {
            Ok([alias]) if alias.name.to_lowercase() == name => return Ok(Self { text, alias }),
            Ok([alias]) => {
                format!("produced type with the wrong name, expected '{name}', actual '{}'", alias.name)
            }
            Err(none) if none.is_empty() => format!("does not define the type '{name}' - it is empty."),
            Err(_) => format!("must contain only the type '{name}' - it has additional definitions."),
        };
        Err(Error::new(ErrorKind::Load, format!("The code loaded from {source} {problem}")))
    }

    /// The name as the definition has it.
    pub fn name(&self) -> &'s str {
        self.alias.name
    }

    /// How deep resolving it goes at most: its brackets, and the search for it.
    pub(crate) fn nesting(&self) -> u32 {
        const SEARCH: u32 = 4;
        let (mut depth, mut deepest) = (0u32, 0);
        for byte in self.alias.value.span.text(self.text).bytes() {
            match byte {
                b'[' | b'{' | b'(' => depth = depth.saturating_add(1),
                b']' | b'}' | b')' => depth = depth.saturating_sub(1),
                _ => {}
            }
            deepest = deepest.max(depth);
        }
        deepest.saturating_add(SEARCH)
    }

    /// The type. Its definition sees its own name, and what `lookup` finds.
    ///
    /// # Errors
    /// As [`super::parse`], [`ErrorKind::Load`] when the name stands only for itself, and
    /// [`ErrorKind::TypeAssertion`] when it defines an Object type or set of types by a hash that
    /// does not.
    pub fn define(&self, lookup: &dyn TypeLookup) -> Result<Type, Error> {
        let scope = WithOwnName { name: self.name(), own: OnceCell::new(), outer: lookup };
        self.define_within(&scope, &|own| _ = scope.own.set(own))
    }

    /// The type. Its definition sees its own name only if `lookup` finds it: `enter` gets what
    /// stands for the type in its own definition.
    ///
    /// # Errors
    /// As [`AliasDefinition::define`].
    pub fn define_within(&self, lookup: &dyn TypeLookup, enter: &dyn Fn(Type)) -> Result<Type, Error> {
        Interpreter { text: self.text, lookup }.define(self.name(), &self.alias.value, enter)
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
            let definition = AliasDefinition::parse_file(text, "M::Port", "/m/port.pp", &Limits::default());
            definition.map(|definition| definition.name().to_owned()).unwrap_err().to_string()
        };
        let port =
            AliasDefinition::parse_file("# x\ntype M::PORT = Any # y", "m::port", "f", &Limits::default());
        assert_eq!(port.unwrap().name(), "M::PORT");
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
