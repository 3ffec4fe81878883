//! The values of literals, without evaluation.

use std::sync::Arc;

use puppetfn_syntax::ast::{Expr, ExprKind, KeyedEntry, Program, StringSegment, UnaryOp};
use puppetfn_types::value::{Regex, Value};

/// Returns the value of a text that is one literal: a number, a string, or a collection of such. As in Puppet a
/// name is its text, and an access its keys. `None` for all other texts.
pub fn literal(program: &Program<'_>) -> Option<Value> {
    match &*program.statements {
        [only] => value(only),
        _ => None,
    }
}

#[allow(clippy::wildcard_enum_match_arm, reason = "all that is not named here has to be evaluated")]
fn value(expr: &Expr<'_>) -> Option<Value> {
    Some(match &expr.kind {
        ExprKind::Undef => Value::Undef,
        ExprKind::Default => Value::Default,
        ExprKind::Boolean(truth) => Value::Boolean(*truth),
        ExprKind::Integer(number) => Value::Integer(i64::try_from(*number).ok()?),
        ExprKind::Float(number) => Value::Float(*number),
        ExprKind::String(text) => Value::from(&**text),
        ExprKind::Interpolation(segments) => match &**segments {
            [StringSegment::Text(text, _)] => Value::from(&**text),
            _ => return None,
        },
        ExprKind::Regexp(source) => Value::Regexp(Regex::new(source).ok()?),
        ExprKind::Name(name) => Value::from(*name),
        ExprKind::Reference(name) => Value::from(name.to_lowercase()),
        ExprKind::Unary(UnaryOp::Minus, operand) => negative(operand)?,
        ExprKind::Array(elements) => values(elements)?.into(),
        ExprKind::Hash(entries) => {
            let entry = |entry: &KeyedEntry<'_>| Some((value(&entry.key)?, value(&entry.value)?));
            Value::Hash(Arc::new(entries.iter().map(entry).collect::<Option<_>>()?))
        }
        ExprKind::Access(access) => match &*access.keys {
            [Expr { kind: ExprKind::Array(_), .. }] => return None,
            keys => values(keys)?.into(),
        },
        _ => return None,
    })
}

fn values(exprs: &[Expr<'_>]) -> Option<Vec<Value>> {
    exprs.iter().map(value).collect()
}

/// Returns a literal with a minus in front. As in Ruby, a string stays as it is.
#[allow(clippy::wildcard_enum_match_arm, reason = "no other token has a minus")]
fn negative(operand: &Expr<'_>) -> Option<Value> {
    if let ExprKind::Integer(magnitude) = operand.kind {
        return 0_i64.checked_sub_unsigned(magnitude).map(Value::Integer);
    }
    match value(operand)? {
        Value::Integer(number) => number.checked_neg().map(Value::Integer),
        Value::Float(number) => Some(Value::Float(-number)),
        text @ Value::String(_) => Some(text),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use puppetfn_base::limits::Limits;
    use puppetfn_syntax::{Mode, parse_with};

    fn shown(text: &str) -> Option<String> {
        let program = parse_with(text, Mode::default(), &Limits::DEFAULT).unwrap();
        literal(&program).map(|value| value.inspected())
    }

    #[test]
    fn literals_have_values() {
        for (text, value) in [
            ("[1, {a => undef}]", "[1, {\"a\"=>nil}]"),
            ("-9223372036854775808", "-9223372036854775808"),
            ("--1.5", "1.5"),
            ("\"a\\n\"", "\"a\\n\""),
            ("/a.b/", "/a.b/"),
            ("default", ":default"),
            ("Foo::Bar", "\"foo::bar\""),
            ("Integer[1, 2]", "[1, 2]"),
            ("- 'a'", "\"a\""),
        ] {
            assert_eq!(shown(text).as_deref(), Some(value), "{text}");
        }
    }

    #[test]
    fn all_else_has_none() {
        for text in
            ["", "(1)", "1 + 1", "$x", "\"a${1}\"", "[$x]", "Optional[[String]]", "-true", "!true", "f(1)"]
        {
            assert_eq!(shown(text), None, "{text}");
        }
    }
}
