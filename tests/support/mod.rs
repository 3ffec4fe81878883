//! What the tests of recorded cases share.
#![allow(clippy::unwrap_used, clippy::panic, dead_code, missing_docs)]

pub mod report;

use std::collections::BTreeMap;

use puppetfn::convert::create::create;
use puppetfn::error::Error;
use puppetfn::function::NoHost;
use puppetfn::limits::Limits;
use puppetfn::syntax;
use puppetfn::syntax::ast::{Entry, Expr, ExprKind, UnaryOp};
use puppetfn::types::Type;
use puppetfn::types::parse::{AliasDefinition, TypeLookup, parse};
use puppetfn::value::{Regex, Value};

/// The aliases that the cases use.
pub struct Prelude(BTreeMap<String, Type>);

impl TypeLookup for Prelude {
    fn find(&self, name: &str) -> Result<Option<Type>, Error> {
        Ok(self.0.get(&name.to_lowercase()).cloned())
    }
}

impl Prelude {
    /// Those of the recorded cases.
    pub fn load() -> Self {
        Self::of(include_str!("../../spec/vectors/types/prelude.pp"))
    }

    /// Those that a text defines, one a line.
    pub fn of(text: &str) -> Self {
        let mut prelude = Self(BTreeMap::new());
        for line in text.lines() {
            let Some(name) = line.strip_prefix("type ").and_then(|rest| rest.split(' ').next()) else {
                continue;
            };
            let definition = AliasDefinition::parse(line, &Limits::default()).unwrap();
            let alias = definition.define(&prelude).unwrap();
            prelude.0.insert(name.to_lowercase(), alias);
        }
        prelude
    }
}

/// The value of an expression that consists of literals, types and calls of types; none for other
/// expressions.
pub fn literal(text: &str, prelude: &Prelude) -> Option<Value> {
    let program = syntax::parse(text, &Limits::DEFAULT).ok()?;
    match program.statements.as_slice() {
        [expr] => value(text, expr, prelude),
        _ => None,
    }
}

/// The arguments of a call, by the same rules, and the name of the function.
pub fn call<'s>(text: &'s str, prelude: &Prelude) -> Option<(&'s str, Vec<Value>)> {
    let program = syntax::parse(text, &Limits::DEFAULT).ok()?;
    let [Expr { kind: ExprKind::Call(call), .. }] = program.statements.as_slice() else { return None };
    let ExprKind::Name(name) = call.function.kind else { return None };
    let arguments = call.arguments.iter().map(|argument| value(text, argument, prelude));
    Some((name, arguments.collect::<Option<_>>()?))
}

#[allow(clippy::wildcard_enum_match_arm, reason = "all other expressions are no literals")]
fn value(text: &str, expr: &Expr<'_>, prelude: &Prelude) -> Option<Value> {
    let inner = |expr: &Expr<'_>| value(text, expr, prelude);
    Some(match &expr.kind {
        ExprKind::Undef => Value::Undef,
        ExprKind::Default => Value::Default,
        ExprKind::Boolean(truth) => Value::Boolean(*truth),
        ExprKind::Integer(number) => Value::Integer(i64::try_from(*number).ok()?),
        ExprKind::Float(number) => Value::Float(*number),
        ExprKind::String(string) => Value::from(&**string),
        ExprKind::Name(name) => Value::from(*name),
        ExprKind::Regexp(source) => Value::Regexp(Regex::new(source).ok()?),
        ExprKind::Array(items) => items.iter().map(inner).collect::<Option<Vec<_>>>()?.into(),
        ExprKind::Hash(entries) => {
            let entry = |entry: &Entry<'_>| Some((inner(&entry.key)?, inner(&entry.value)?));
            entries.iter().map(entry).collect::<Option<_>>()?
        }
        ExprKind::Paren(expr) => inner(expr)?,
        ExprKind::Unary(UnaryOp::Minus, operand) => {
            let operand = inner(operand)?;
            if let Value::Integer(number) = operand {
                Value::Integer(number.checked_neg()?)
            } else if let Value::Float(number) = operand {
                Value::Float(-number)
            } else {
                return None;
            }
        }
        ExprKind::Call(call) => {
            let Value::Type(t) = inner(&call.function)? else { return None };
            let arguments = call.arguments.iter().map(inner).collect::<Option<Vec<_>>>()?;
            create(&t, &arguments, &NoHost).ok()?
        }
        ExprKind::Reference(_) | ExprKind::Access(_) => {
            parse(expr.span.text(text), prelude, &Limits::DEFAULT).ok()?.into()
        }
        _ => return None,
    })
}
