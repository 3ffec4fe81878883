//! What the tests that run Puppet's recorded answers share.
#![allow(dead_code, missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use puppetfn::error::Error;
use puppetfn::host::{HostId, HostRef, Released};
use puppetfn::limits::Limits;
use puppetfn::syntax;
use puppetfn::syntax::ast::{Expr, ExprKind, UnaryOp};
use puppetfn::types::Type;
use puppetfn::types::parse::{AliasDefinition, TypeLookup, parse};
use puppetfn::value::{Callable, Regex, Value};

/// Types that Puppet has and the core does not have yet.
const MISSING: &[&str] = &[
    "Binary",
    "Deferred",
    "Error",
    "Init",
    "Object",
    "Pcore",
    "SemVer",
    "SemVerRange",
    "Timespan",
    "Timestamp",
    "TypeAlias",
    "TypeSet",
    "URI",
    "Vt::Circle",
    "Vt::Const",
    "Vt::Point",
    "Vt::Shape",
    "Vt::Tag",
];

/// The cases of one file, what went wrong with them, and what excuses it.
pub struct Report {
    failures: Vec<String>,
    missing: BTreeMap<&'static str, bool>,
    deviations: BTreeMap<&'static str, &'static str>,
    checked: usize,
}

impl Report {
    /// `missing` are the types, of those that the core does not have, that the cases name.
    /// `deviations` are cases that are answered differently, each with the reason.
    pub fn new(missing: &[&'static str], deviations: &[(&'static str, &'static str)]) -> Self {
        for name in missing {
            assert!(MISSING.contains(name), "{name} is not among the missing types");
        }
        Self {
            failures: Vec::new(),
            missing: missing.iter().map(|name| (*name, false)).collect(),
            deviations: deviations.iter().copied().collect(),
            checked: 0,
        }
    }

    /// Notes the answer to a case. A wrong one is excused when one of the texts of the case names a
    /// missing type, or when the case is a known deviation.
    pub fn check(
        &mut self,
        id: &str,
        texts: &[&str],
        expected: impl ToString,
        actual: Result<impl ToString, Error>,
    ) {
        self.checked += 1;
        let actual = actual.map_or_else(|error| format!("error: {error}"), |actual| actual.to_string());
        let expected = expected.to_string();
        if actual == expected {
            return;
        }
        let named = self.missing.iter_mut().find(|(name, _)| texts.iter().any(|text| names(text, name)));
        if let Some((_, used)) = named {
            *used = true;
        } else if self.deviations.remove(id).is_none() {
            self.failures.push(format!("{id} {texts:?}\n  expected {expected}\n  got      {actual}"));
        }
    }

    /// Fails when an answer was wrong, or when an excuse is no longer needed.
    pub fn finish(self) {
        assert!(self.checked > 0, "no case was checked");
        let count = self.failures.len();
        assert!(count == 0, "{count} of {} answers are wrong:\n{}", self.checked, self.failures.join("\n"));
        let unused: BTreeSet<_> =
            self.missing.iter().filter(|(_, used)| !**used).map(|(name, _)| name).collect();
        assert!(unused.is_empty(), "no longer missing: {unused:?}");
        assert!(self.deviations.is_empty(), "no longer deviations: {:?}", self.deviations);
    }
}

/// Tells if a text names a type, or something within it (`Error::Something`).
fn names(text: &str, name: &str) -> bool {
    text.split(|c: char| !c.is_alphanumeric() && c != ':').any(|word| {
        let (start, rest) = word.split_at_checked(name.len()).unwrap_or(("", ""));
        start.eq_ignore_ascii_case(name) && (rest.is_empty() || rest.starts_with("::"))
    })
}

/// The named types of `spec/vectors/types/prelude.pp`.
pub struct Prelude(BTreeMap<String, Type>);

impl TypeLookup for Prelude {
    fn find(&self, name: &str) -> Result<Option<Type>, Error> {
        Ok(self.0.get(&name.to_lowercase()).cloned())
    }
}

impl Prelude {
    pub fn load() -> Self {
        let mut prelude = Self(BTreeMap::new());
        for line in include_str!("../../spec/vectors/types/prelude.pp").lines() {
            let Some(name) = line.strip_prefix("type ").and_then(|rest| rest.split(' ').next()) else {
                continue;
            };
            if MISSING.contains(&name) {
                continue;
            }
            let definition = AliasDefinition::parse(line, &Limits::default()).unwrap();
            let alias = definition.define(&prelude).unwrap();
            prelude.0.insert(name.to_lowercase(), alias);
        }
        prelude
    }

    pub fn parse(&self, text: &str) -> Result<Type, Error> {
        parse(text, self, &Limits::default())
    }

    /// The value of a literal: of anything but an operator or a call. None for other expressions.
    pub fn literal(&self, text: &str) -> Option<Value> {
        let program = syntax::parse(text, &Limits::default()).ok()?;
        let [expr] = &*program.statements else { return None };
        self.value(text, expr)
    }

    fn value(&self, text: &str, expr: &Expr<'_>) -> Option<Value> {
        Some(match &expr.kind {
            ExprKind::Undef => Value::Undef,
            ExprKind::Default => Value::Default,
            ExprKind::Boolean(truth) => Value::Boolean(*truth),
            ExprKind::Integer(number) => Value::Integer(i64::try_from(*number).ok()?),
            ExprKind::Float(number) => Value::Float(*number),
            ExprKind::String(string) => Value::from(&**string),
            ExprKind::Name(name) => Value::from(*name),
            ExprKind::Regexp(source) => Value::Regexp(Regex::new(source).ok()?),
            ExprKind::Paren(inner) => self.value(text, inner)?,
            ExprKind::Array(items) => {
                items.iter().map(|item| self.value(text, item)).collect::<Option<Vec<_>>>()?.into()
            }
            ExprKind::Hash(entries) => entries
                .iter()
                .map(|entry| Some((self.value(text, &entry.key)?, self.value(text, &entry.value)?)))
                .collect::<Option<Vec<_>>>()?
                .into_iter()
                .collect(),
            ExprKind::Unary(UnaryOp::Minus, operand) => match (self.value(text, operand)?, &operand.kind) {
                (Value::Float(number), _) => Value::Float(-number),
                (Value::Integer(number), _) => Value::Integer(-number),
                _ => return None,
            },
            ExprKind::Call(call) => match (&call.function.kind, &*call.arguments) {
                (ExprKind::Reference("Sensitive"), [hidden]) => {
                    Value::Sensitive(Arc::new(self.value(text, hidden)?))
                }
                _ => return None,
            },
            ExprKind::Reference(_) | ExprKind::Access(_) => self.parse(expr.span.text(text)).ok()?.into(),
            ExprKind::Interpolation(_)
            | ExprKind::Variable(_)
            | ExprKind::Method(_)
            | ExprKind::Unary(UnaryOp::Not | UnaryOp::Splat, _)
            | ExprKind::Binary(..)
            | ExprKind::Selector(_)
            | ExprKind::TypeAlias(_) => return None,
        })
    }
}

/// A callable of this type.
pub fn callable(signature: Type) -> Value {
    let host = HostRef::new(HostId::new(0), Arc::new(Released::default()));
    Value::Callable(Arc::new(Callable { host, signature }))
}
