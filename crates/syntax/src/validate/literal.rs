//! The values of expressions that need no evaluation.
//!
//! See Puppet's `pops/evaluator/literal_evaluator.rb`.
#![allow(clippy::wildcard_enum_match_arm, reason = "all other expressions are no literals")]

use std::borrow::Cow;
use std::fmt;

use crate::ast::{Expr, ExprKind, UnaryOp};
use puppetfn_base::number::float_to_s;

/// The value of an expression that is a literal. A type is its name in lower case.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum Literal<'a> {
    Undef,
    Default,
    Boolean(bool),
    Integer(i128),
    /// By its bits.
    Float(u64),
    String(Cow<'a, str>),
    Regexp(&'a str),
    List(Vec<Literal<'a>>),
    Hash(Vec<(Literal<'a>, Literal<'a>)>),
}

/// Returns the value of an expression; `None` if it is not a literal.
pub(super) fn literal<'a>(expr: &'a Expr<'_>) -> Option<Literal<'a>> {
    Some(match &expr.kind {
        ExprKind::Undef => Literal::Undef,
        ExprKind::Default => Literal::Default,
        ExprKind::Boolean(truth) => Literal::Boolean(*truth),
        ExprKind::Integer(number) => Literal::Integer(i128::from(*number)),
        ExprKind::Float(number) => Literal::Float(number.to_bits()),
        ExprKind::String(text) => Literal::String(Cow::Borrowed(text)),
        ExprKind::Name(name) => Literal::String(Cow::Borrowed(name)),
        ExprKind::Reference(name) => Literal::String(Cow::Owned(name.to_lowercase())),
        ExprKind::Regexp(source) => Literal::Regexp(source),
        ExprKind::Access(access) => match access.keys.as_slice() {
            [Expr { kind: ExprKind::Array(_), .. }] => return None,
            keys => Literal::List(keys.iter().map(literal).collect::<Option<_>>()?),
        },
        ExprKind::Array(elements) => Literal::List(elements.iter().map(literal).collect::<Option<_>>()?),
        ExprKind::Hash(entries) => {
            let entry =
                |entry: &'a crate::ast::KeyedEntry<'_>| Some((literal(&entry.key)?, literal(&entry.value)?));
            Literal::Hash(entries.iter().map(entry).collect::<Option<_>>()?)
        }
        ExprKind::Unary(UnaryOp::Minus, operand) => match literal(operand)? {
            Literal::Integer(number) => Literal::Integer(-number),
            Literal::Float(bits) => Literal::Float((-f64::from_bits(bits)).to_bits()),
            _ => return None,
        },
        _ => return None,
    })
}

/// As Ruby's `to_s`.
impl fmt::Display for Literal<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Undef => Ok(()),
            Self::Default => f.write_str("default"),
            Self::String(text) => f.write_str(text),
            Self::Regexp(source) => write!(f, "(?-mix:{})", source.replace('/', "\\/")),
            _ => self.inspect(f),
        }
    }
}

impl Literal<'_> {
    /// As Ruby's `inspect`.
    fn inspect(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Undef => f.write_str("nil"),
            Self::Default => f.write_str(":default"),
            Self::Boolean(truth) => write!(f, "{truth}"),
            Self::Integer(number) => write!(f, "{number}"),
            Self::Float(bits) => f.write_str(&float_to_s(f64::from_bits(*bits))),
            Self::String(text) => write!(f, "{text:?}"),
            Self::Regexp(source) => write!(f, "/{}/", source.replace('/', "\\/")),
            Self::List(elements) => {
                f.write_str("[")?;
                for (index, element) in elements.iter().enumerate() {
                    f.write_str(if index > 0 { ", " } else { "" })?;
                    element.inspect(f)?;
                }
                f.write_str("]")
            }
            Self::Hash(entries) => {
                f.write_str("{")?;
                for (index, (key, value)) in entries.iter().enumerate() {
                    f.write_str(if index > 0 { ", " } else { "" })?;
                    key.inspect(f)?;
                    f.write_str("=>")?;
                    value.inspect(f)?;
                }
                f.write_str("}")
            }
        }
    }
}
