//! Keys of structured facts.
#![allow(clippy::wildcard_enum_match_arm, reason = "all other expressions are no facts")]

use super::super::facts::{members_of_fact, type_of_fact};
use super::super::finding::Finding;
use super::super::rule::Rule;
use super::Walk;
use puppetfn_syntax::ast::{Access, Expr, ExprKind};
use puppetfn_types::types::Type;
use puppetfn_types::value::Value;

impl<'s> Walk<'_, 's> {
    /// Returns the value of a fact, which a node need not have, if its type is known.
    pub(super) fn fact_value(&self, code: &Access<'s>) -> Option<Value> {
        let [key] = code.keys.as_slice() else { return None };
        let mut path = path_of(&code.operand)?;
        path.push(key.kind.as_constant_string()?);
        // Modules may replace facts.
        if path.first().is_none_or(|fact| self.world.has_own_fact(fact)) {
            return None;
        }
        let t = match type_of_fact(&path.join("."))? {
            "String" => Type::STRING,
            "Integer" => Type::INTEGER,
            "Boolean" => Type::Boolean(None),
            "Hash" => Type::hash(Type::STRING, Type::Any, None),
            _ => return None,
        };
        Some(Value::unknown(Type::optional(t)))
    }

    /// Reports the name of a fact, or of an entry in a structured fact, that is a slip away from another one.
    pub(super) fn misspelt_key(&mut self, code: &Access<'s>) {
        let [key] = code.keys.as_slice() else { return };
        let Some(name) = key.kind.as_constant_string() else { return };
        let Some(path) = path_of(&code.operand) else { return };
        if path.is_empty() {
            if let Some(meant) = self.world.misspelt_fact(name) {
                let message = format!("There is no fact '{name}'; did you mean '{meant}'?");
                self.report(Rule::UnknownFact, key.span, message);
            }
            return;
        }
        if let Some((finding, true)) = self.missing_member(code) {
            // Newer versions of Facter may have entries that are not known here.
            self.note(finding);
        }
        if let ExprKind::Access(operand) = &code.operand.kind
            && let Some((finding, false)) = self.missing_member(operand)
        {
            // Nothing can be accessed in an entry that a node does not have.
            self.note(finding);
        }
    }

    /// Returns the finding about an entry that a structured fact of Facter's does not have, and whether it is a slip away from
    /// another one.
    fn missing_member(&self, code: &Access<'s>) -> Option<(Finding, bool)> {
        let [key] = code.keys.as_slice() else { return None };
        let name = key.kind.as_constant_string()?;
        let path = path_of(&code.operand)?;
        // Modules may add entries to facts.
        if self.world.has_own_fact(path.first()?) {
            return None;
        }
        let members = members_of_fact(&path.join(".")).filter(|members| !members.contains(&name))?;
        let message = format!("The fact '{}' has no '{name}'", path.join("."));
        let finding = Finding::new(Rule::UnknownFact, message.clone(), key.span);
        let written = (self.text, key.span.start.saturating_add(1));
        let finding = finding.meant(name, members.iter().copied(), written);
        let is_slip = finding.message != message;
        Some((finding, is_slip))
    }
}

/// Returns the names between `$facts` and the end of an expression.
fn path_of<'e>(expr: &'e Expr<'_>) -> Option<Vec<&'e str>> {
    match &expr.kind {
        ExprKind::Variable("facts" | "::facts") => Some(Vec::new()),
        ExprKind::Variable(name) => {
            name.strip_prefix("::").filter(|name| !name.contains(':')).map(|name| vec![name])
        }
        ExprKind::Access(access) => {
            let [key] = access.keys.as_slice() else { return None };
            let mut path = path_of(&access.operand)?;
            path.push(key.kind.as_constant_string()?);
            Some(path)
        }
        _ => None,
    }
}
