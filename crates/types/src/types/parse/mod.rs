//! Parses types.
//!
//! See Puppet's `pops/types/type_parser.rb`.
#![allow(
    clippy::wildcard_enum_match_arm,
    reason = "an expression that does not fit is an error, whichever it is"
)]

mod alias_definition;
mod cache;
mod define;
mod forward;
pub mod from_values;
mod parameter;
mod parameterized;
mod resolve;
mod rich;
mod time;

use std::borrow::Cow;
use std::str::FromStr;
use std::sync::Arc;

pub use self::alias_definition::{AliasDefinition, NamedDefinition};
pub use self::alias_definition::{nesting, only_type};
pub use self::cache::ParseCache;
pub use self::forward::ForwardReference;
pub use self::forward::ForwardReferences;
pub use self::resolve::Definitions;
pub use self::resolve::too_deep;
pub use crate::value::types::capitalize_segments;

use self::parameter::TypeParam;
use super::{ObjectExtension, Type, TypeKind, builtin};
use crate::value::{Regex, Value};
use puppetfn_base::error::{Error, ErrorKind, SyntaxDetail};
use puppetfn_base::limits::Limits;
use puppetfn_base::source::Span;
use puppetfn_syntax::ast::{Access, Expr, ExprKind, UnaryOp};

/// Finds the named types that are visible where a type is written.
pub trait TypeLookup {
    /// Returns the type with this name, in the written case and without a leading `::`. Puppet ignores the case.
    ///
    /// # Errors
    /// Fails if the definition of the type cannot be loaded.
    fn find(&self, name: &str) -> Result<Option<Type>, Error>;

    /// Returns the type with this name, if it is defined for this place alone and hides a type of Puppet's own.
    ///
    /// # Errors
    /// Fails with the errors of its definition.
    fn find_local(&self, name: &str) -> Result<Option<Type>, Error> {
        let _ = name;
        Ok(None)
    }

    /// Stores a reference to a type, to be resolved when all open definitions are complete. Returns it if the lookup stores
    /// none: then it can be resolved at once.
    fn refer(&self, reference: ForwardReference) -> Option<ForwardReference> {
        Some(reference)
    }

    /// Returns the file of the environment that defines a type found before, so that no other file can define it.
    ///
    /// # Errors
    /// Fails if a directory cannot be listed.
    fn environment_file(&self, name: &str) -> Result<Option<String>, Error> {
        let _ = name;
        Ok(None)
    }
}

/// A lookup that finds only Puppet's own named types.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoAliases;

impl TypeLookup for NoAliases {
    fn find(&self, _name: &str) -> Result<Option<Type>, Error> {
        Ok(None)
    }
}

/// Parses a type of Puppet's own. The name of another type becomes a [`Type::Reference`]: [`parse`] takes a lookup of such types.
///
/// ```
/// use puppetfn::types::Type;
///
/// let list: Type = "Array[Variant[String, Integer]]".parse()?;
/// assert!(list.assignable(&"Array[Integer[0, 9]]".parse()?));
/// # Ok::<(), puppetfn::error::Error>(())
/// ```
impl FromStr for Type {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        parse(text, &NoAliases, &Limits::DEFAULT)
    }
}

/// Parses a type. An undefined name becomes a [`Type::Reference`].
///
/// # Errors
/// Fails with [`ErrorKind::Syntax`] if the text is not a type, with [`ErrorKind::TypeParameters`] if a type does not take
/// its parameters, with [`ErrorKind::Limit`] if it nests too deep; otherwise with the errors of `lookup`.
pub fn parse(text: &str, lookup: &dyn TypeLookup, limits: &Limits) -> Result<Type, Error> {
    // Puppet treats this one text specially, as a minimum size.
    if text == "Array[1]" {
        return Ok(Type::array(Type::Any, Some(super::Size::new(1, None))));
    }
    let program = puppetfn_syntax::parse(text, limits)?;
    let interpreter = TypeInterpreter { text, lookup, limits };
    match program.statements.as_slice() {
        [statement] => interpreter.interpret(statement),
        statements => {
            let span = statements.iter().map(|statement| statement.span).reduce(Span::to);
            Err(interpreter.not_a_type(span.unwrap_or_default()))
        }
    }
}

/// Returns a type that the program itself has the text of, and that needs none but Puppet's own. One that is not a type
/// would be a defect of the program; it matches nothing then.
pub fn known(text: &str) -> Type {
    parse(text, &NoAliases, &Limits::FURTHEST).unwrap_or_else(|_| Type::Reference(text.into()))
}

/// Returns the type that an expression of this text is, as [`parse`] reads it.
///
/// # Errors
/// The same errors as [`parse`].
pub fn of_expr(expr: &Expr<'_>, text: &str, lookup: &dyn TypeLookup, limits: &Limits) -> Result<Type, Error> {
    TypeInterpreter { text, lookup, limits }.interpret(expr)
}

/// Returns the type of a name. An undefined name becomes a [`Type::Reference`].
///
/// # Errors
/// The same errors as `lookup`.
pub fn named(name: &str, lookup: &dyn TypeLookup) -> Result<Type, Error> {
    let simple = name.strip_prefix("::").unwrap_or(name);
    if let Some(kind) = TypeKind::find(simple) {
        return Ok(kind.default_type());
    }
    Ok(match find(simple, lookup)? {
        Some(t) => t,
        None => Type::Reference(name.into()),
    })
}

/// Returns the type of a name that is not one of the basic types.
fn find(name: &str, lookup: &dyn TypeLookup) -> Result<Option<Type>, Error> {
    if let Some(local) = lookup.find_local(name)? {
        return Ok(Some(local));
    }
    match builtin::find(name) {
        Some(t) => Ok(Some(t)),
        None => lookup.find(name),
    }
}

/// Returns the names of the basic types.
pub fn basic_names() -> impl Iterator<Item = &'static str> {
    TypeKind::names()
}

/// Returns true if a name belongs to a basic type, so that no other type can have it.
pub fn is_basic(name: &str) -> bool {
    TypeKind::find(name).is_some()
}

/// Returns the value of an expression in `text` that needs no evaluation.
///
/// # Errors
/// The same errors as [`parse`], where it does.
pub fn literal(
    text: &str,
    expr: &Expr<'_>,
    lookup: &dyn TypeLookup,
    limits: &Limits,
) -> Result<Value, Error> {
    TypeInterpreter { text, lookup, limits }.param(expr).map(TypeParam::into_value)
}

/// Turns syntax trees into types.
struct TypeInterpreter<'a> {
    text: &'a str,
    lookup: &'a dyn TypeLookup,
    limits: &'a Limits,
}

impl TypeInterpreter<'_> {
    fn interpret(&self, expr: &Expr<'_>) -> Result<Type, Error> {
        match self.param(expr)? {
            TypeParam::Type(t) => Ok(t),
            _ => Err(self.not_a_type(expr.span)),
        }
    }

    /// Interprets an expression as a parameter of a type: a type, or a value.
    fn param<'s>(&self, expr: &Expr<'s>) -> Result<TypeParam<'s>, Error> {
        Ok(match &expr.kind {
            ExprKind::Undef => TypeParam::Undef,
            ExprKind::Default => TypeParam::Default,
            ExprKind::Boolean(truth) => TypeParam::Boolean(*truth),
            ExprKind::Integer(magnitude) => {
                TypeParam::Integer(i64::try_from(*magnitude).map_err(|_| self.out_of_range(expr.span))?)
            }
            ExprKind::Float(number) => TypeParam::Float(*number),
            ExprKind::String(text) => TypeParam::String(text.clone()),
            ExprKind::Heredoc(heredoc) => self.param(&heredoc.text)?,
            ExprKind::Name(name) => TypeParam::String(Cow::Borrowed(*name)),
            ExprKind::Regexp(source) => TypeParam::Regexp(Regex::new(source)?),
            ExprKind::Reference(name) => TypeParam::Type(named(name, self.lookup)?),
            ExprKind::Access(access) => self.access(access, expr.span)?,
            ExprKind::Array(items) => TypeParam::Array(self.params(items)?),
            ExprKind::Hash(entries) => TypeParam::Hash(
                entries
                    .iter()
                    .map(|entry| Ok((self.param(&entry.key)?, self.param(&entry.value)?)))
                    .collect::<Result<_, Error>>()?,
            ),
            ExprKind::Unary(UnaryOp::Minus, operand) => self.negated(operand, expr.span)?,
            // A definition within the text of a type does not see itself.
            ExprKind::TypeAlias(alias) => TypeParam::Type(self.define(alias.name, &alias.value, &|_| {})?),
            ExprKind::Unary(UnaryOp::Not | UnaryOp::Splat, _)
            | ExprKind::Interpolation(_)
            | ExprKind::Variable(_)
            | ExprKind::Reserved(_)
            | ExprKind::Error(_)
            | ExprKind::Call(_)
            | ExprKind::Method(_)
            | ExprKind::Paren(_)
            | ExprKind::Binary(_)
            | ExprKind::Selector(_)
            | ExprKind::If(_)
            | ExprKind::Unless(_)
            | ExprKind::Case(_)
            | ExprKind::Block(_)
            | ExprKind::Function(_)
            | ExprKind::Plan(_)
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
            | ExprKind::Render(_) => return Err(self.not_a_type(expr.span)),
        })
    }

    fn params<'s>(&self, exprs: &[Expr<'s>]) -> Result<Vec<TypeParam<'s>>, Error> {
        let mut params = Vec::with_capacity(exprs.len());
        for expr in exprs {
            params.push(self.param(expr)?);
        }
        Ok(params)
    }

    fn negated<'s>(&self, operand: &Expr<'s>, span: Span) -> Result<TypeParam<'s>, Error> {
        match operand.kind {
            ExprKind::Integer(magnitude) => 0i64
                .checked_sub_unsigned(magnitude)
                .map(TypeParam::Integer)
                .ok_or_else(|| self.out_of_range(span)),
            ExprKind::Float(number) => Ok(TypeParam::Float(-number)),
            _ => Err(self.not_a_type(span)),
        }
    }

    /// `Name[params]`.
    fn access<'s>(&self, access: &Access<'s>, span: Span) -> Result<TypeParam<'s>, Error> {
        let params = self.params(&access.keys)?;
        let ExprKind::Reference(name) = access.operand.kind else { return Err(self.not_a_type(span)) };
        if let Some(kind) = TypeKind::find(name) {
            return self.parameterized(kind, params, access, span).map(TypeParam::Type);
        }
        let simple = name.strip_prefix("::").unwrap_or(name);
        if TypeKind::find(simple).is_some() {
            return Err(self.no_parameters(access.operand.span));
        }
        match find(simple, self.lookup)? {
            None => Ok(TypeParam::Type(Type::Reference(span.text(self.text).into()))),
            Some(Type::Resource(resource)) => match <[_; 1]>::try_from(params) {
                Ok([title]) => {
                    parameterized::resource(resource.type_name.clone(), title).map(TypeParam::Type)
                }
                Err(params) => Err(wrong_count(name, "1", params.len())),
            },
            Some(Type::Object(object)) => {
                let params: Vec<Value> = params.into_iter().map(TypeParam::into_value).collect();
                let extension = ObjectExtension::new(&object, &params, self.limits)?;
                Ok(TypeParam::Type(Type::ObjectExtension(Arc::new(extension))))
            }
            Some(_) => Err(self.no_parameters(access.operand.span)),
        }
    }

    #[cold]
    fn not_a_type(&self, span: Span) -> Error {
        let text = span.text(self.text);
        let message = format!("The expression <{text}> is not a valid type specification.");
        Error::new(ErrorKind::Syntax, message).with_details(SyntaxDetail::WithoutIssue)
    }

    #[cold]
    fn no_parameters(&self, span: Span) -> Error {
        let text = span.text(self.text);
        Error::new(ErrorKind::TypeParameters, format!("Not a parameterized type <{text}>"))
    }

    #[cold]
    fn out_of_range(&self, span: Span) -> Error {
        let text = span.text(self.text);
        Error::new(ErrorKind::TypeParameters, format!("The integer {text} does not fit into 64 bits"))
    }
}

#[cold]
fn wrong_count(name: &str, required: &str, given: usize) -> Error {
    Error::new(
        ErrorKind::TypeParameters,
        format!("Invalid number of type parameters specified: {name} requires {required}, {given} provided"),
    )
}
