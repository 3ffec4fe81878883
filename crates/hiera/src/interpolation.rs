//! `%{...}` in data.
//!
//! See Puppet's `pops/lookup/interpolation.rb`.

use std::sync::Arc;

use super::error::{found, misconfigured};
use super::explain::ExplainNode;
use super::invocation::Invocation;
use nom::branch::alt;
use nom::bytes::complete::{take_till1, take_while1};
use nom::character::complete::char;
use nom::sequence::delimited;
use puppetfn_base::error::Error;
use puppetfn_base::limits::{VisitState, Work};
use puppetfn_base::recognize::whole;
use puppetfn_types::value::{Hash, Value};

/// Whether `%{lookup('key')}` and the like may be used, or only variables.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum MethodPolicy {
    Allowed,
    Refused,
}

impl Invocation<'_> {
    /// Returns a value in which the strings are interpolated.
    pub fn interpolated(&self, value: &Value, methods: MethodPolicy) -> Result<Value, Error> {
        let work = Work::new(self.caller.limits());
        self.interpolate(value, methods, VisitState::new(&work))
    }

    /// Returns the same for a text that gives a text.
    pub fn interpolated_text(&self, text: &str, methods: MethodPolicy) -> Result<String, Error> {
        self.interpolated(&text.into(), methods)?.ruby_to_s(self.caller.limits())
    }

    fn interpolate(
        &self,
        value: &Value,
        methods: MethodPolicy,
        visit: VisitState<'_>,
    ) -> Result<Value, Error> {
        match value {
            Value::String(text) if text.contains("%{") => {
                self.with(|| ExplainNode::interpolation(text), || self.text(text, methods, visit.deeper()?))
            }
            Value::Array(items) => {
                let visit = visit.deeper()?;
                let items: Result<Vec<_>, _> =
                    items.iter().map(|item| self.interpolate(item, methods, visit)).collect();
                Ok(items?.into())
            }
            Value::Hash(hash) => {
                let visit = visit.deeper()?;
                let part = |value| self.interpolate(value, methods, visit);
                let hash: Result<Hash, Error> =
                    hash.iter().map(|(key, value)| Ok((part(key)?, part(value)?))).collect();
                Ok(hash?.into())
            }
            other => Ok(other.clone()),
        }
    }

    fn text(&self, text: &Arc<str>, methods: MethodPolicy, visit: VisitState<'_>) -> Result<Value, Error> {
        let mut result = String::new();
        let mut rest: &str = text;
        while let Some((before, behind)) = rest.split_once("%{") {
            let Some((expression, after)) = behind.split_once('}') else { break };
            result.push_str(before);
            match self.expression(expression.trim_matches(is_blank), text, methods, visit)? {
                InterpolatedValue::Alias(value) => return Ok(value),
                InterpolatedValue::Text(text) => result.push_str(&text),
            }
            self.caller.limits().check_text(result.len())?;
            rest = after;
        }
        result.push_str(rest);
        Ok(result.into())
    }

    fn expression(
        &self,
        expression: &str,
        text: &str,
        methods: MethodPolicy,
        visit: VisitState<'_>,
    ) -> Result<InterpolatedValue, Error> {
        if matches!(expression, "" | "::" | "\"\"" | "''" | "\"::\"" | "'::'") {
            return Ok(InterpolatedValue::Text(String::new()));
        }
        let (method, key) = match method_call(expression) {
            Some(_) if methods == MethodPolicy::Refused => {
                return Err(misconfigured(
                    "Interpolation using method syntax is not allowed in this context",
                ));
            }
            Some(call) => call,
            None => ("scope", expression),
        };
        // An alias must be all of the text.
        let is_all = || {
            text.strip_prefix("%{")
                .and_then(|text| text.strip_suffix('}'))
                .is_some_and(|inner| !inner.contains('}'))
        };
        let value = match method {
            "alias" if !is_all() => {
                return Err(misconfigured(
                    "'alias' interpolation is only permitted if the expression is equal to the entire string",
                ));
            }
            "scope" => self.scope_value(key, text)?,
            "literal" => Some(key.into()),
            "lookup" | "hiera" | "alias" => Some(self.lookup_value(key)?),
            _ => return Err(misconfigured(format!("Unknown interpolation method '{method}'"))),
        };
        if method == "alias" {
            return Ok(InterpolatedValue::Alias(value.unwrap_or(Value::Undef)));
        }
        let name = if method == "scope" { format!("scope:{key}") } else { key.to_owned() };
        let value = value.unwrap_or(Value::Undef);
        let value = self.check(&name, |inner| inner.interpolate(&value, methods, visit.deeper()?))?;
        Ok(InterpolatedValue::Text(value.ruby_to_s(self.caller.limits())?))
    }

    /// Returns the value of another key; an empty string where it has none.
    fn lookup_value(&self, key: &str) -> Result<Value, Error> {
        if let Some(value) = self.settings.overrides.get_str(key) {
            return Ok(value.clone());
        }
        let inner = self.with_settings(|settings| {
            settings.local = None;
            settings.memory = None;
            settings.is_lenient = false;
        });
        if let Some(value) = found(self.data.search(key, &inner))? {
            return Ok(value);
        }
        Ok(self.settings.default_values.get_str(key).cloned().unwrap_or_else(|| "".into()))
    }
}

enum InterpolatedValue {
    Text(String),
    /// A value that takes the place of the text.
    Alias(Value),
}

/// Returns the name and the argument of `name("argument")`.
pub(super) fn method_call(expression: &str) -> Option<(&str, &str)> {
    let name = take_while1(|c: char| c.is_ascii_alphanumeric() || c == '_');
    let quoted = |quote| delimited(char(quote), take_till1(move |c| c == quote), char(quote));
    let argument = delimited(char('('), alt((quoted('"'), quoted('\''))), char(')'));
    whole((name, argument), expression)
}

fn is_blank(c: char) -> bool {
    c == '\0' || c.is_ascii_whitespace() || c == '\x0b'
}
