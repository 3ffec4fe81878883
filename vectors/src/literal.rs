//! The values of expressions that consist of literals and types.

use puppetfn::convert::create::create;
use puppetfn::error::{Error, ErrorKind};
use puppetfn::limits::Limits;
use puppetfn::syntax;
use puppetfn::syntax::ast::{Entry, Expr, ExprKind, UnaryOp};
use puppetfn::types::parse::{TypeLookup, parse};
use puppetfn::value::{Regex, Value};

use puppetfn::function::NoHost;

/// The value of an expression.
pub fn evaluate(text: &str, types: &dyn TypeLookup) -> Result<Value, Error> {
    let program = syntax::parse(text, &Limits::DEFAULT)?;
    match program.statements.as_slice() {
        [expr] => Evaluator { text, types }.value(expr),
        _ => Err(Error::new(ErrorKind::Evaluation, "expected one expression")),
    }
}

struct Evaluator<'a> {
    text: &'a str,
    types: &'a dyn TypeLookup,
}

impl Evaluator<'_> {
    #[allow(clippy::wildcard_enum_match_arm, reason = "all but literals is refused")]
    fn value(&self, expr: &Expr<'_>) -> Result<Value, Error> {
        Ok(match &expr.kind {
            ExprKind::Undef => Value::Undef,
            ExprKind::Default => Value::Default,
            ExprKind::Boolean(truth) => Value::Boolean(*truth),
            ExprKind::Integer(number) => {
                Value::Integer(i64::try_from(*number).map_err(|_| self.not_yet(expr))?)
            }
            ExprKind::Float(number) => Value::Float(*number),
            ExprKind::String(string) => Value::from(&**string),
            ExprKind::Name(name) => Value::from(*name),
            ExprKind::Regexp(source) => Value::Regexp(Regex::new(source)?),
            ExprKind::Array(items) => {
                items.iter().map(|item| self.value(item)).collect::<Result<Vec<_>, _>>()?.into()
            }
            ExprKind::Hash(entries) => {
                let entry = |entry: &Entry<'_>| Ok((self.value(&entry.key)?, self.value(&entry.value)?));
                entries.iter().map(entry).collect::<Result<_, Error>>()?
            }
            ExprKind::Paren(inner) => self.value(inner)?,
            ExprKind::Unary(UnaryOp::Minus, operand) => {
                let operand = self.value(operand)?;
                if let Value::Integer(number) = operand {
                    Value::Integer(number.checked_neg().ok_or_else(|| self.not_yet(expr))?)
                } else if let Value::Float(number) = operand {
                    Value::Float(-number)
                } else {
                    return Err(self.not_yet(expr));
                }
            }
            ExprKind::Call(call) => match self.value(&call.function)? {
                Value::Type(t) => {
                    let arguments = call.arguments.iter().map(|argument| self.value(argument));
                    create(&t, &arguments.collect::<Result<Vec<_>, _>>()?, &NoHost)?
                }
                _ => return Err(self.not_yet(expr)),
            },
            ExprKind::Reference(_) | ExprKind::Access(_) => {
                parse(expr.span.text(self.text), self.types, &Limits::DEFAULT)?.into()
            }
            _ => return Err(self.not_yet(expr)),
        })
    }

    fn not_yet(&self, expr: &Expr<'_>) -> Error {
        Error::new(ErrorKind::Evaluation, format!("not evaluated yet: {}", expr.span.text(self.text)))
    }
}
