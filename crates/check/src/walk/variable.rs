//! Variables: their values where they are used, and assignments.
#![allow(clippy::wildcard_enum_match_arm, reason = "all other kinds count as unknown")]

use super::super::abstraction::{any, entries_of};
use super::super::finding::{Finding, Fix};
use super::super::kinds::ValueKinds;
use super::super::legacy_facts::{access, is_legacy, path, replacement};
use super::super::rule::Rule;
use super::super::variables::VariableState;
use super::{FlowValue, Walk};
use puppetfn_base::source::Span;
use puppetfn_catalog::is_metaparameter;
use puppetfn_runtime::settings;
use puppetfn_syntax::ast::{BinaryExpr, Expr, ExprKind};
use puppetfn_types::types::Type;
use puppetfn_types::value::Value;

/// The variables that only the runtime may set.
const RESERVED: [&str; 3] = ["facts", "trusted", "server_facts"];

/// The class of Puppet's settings.
const SETTINGS: &str = "settings";
/// Its variables that are no settings.
const OF_SETTINGS: [&str; 3] = ["all_local", "name", "title"];

impl<'s> Walk<'_, 's> {
    /// Returns the value of a variable.
    pub(super) fn variable(&mut self, name: &'s str, at: Span) -> Value {
        match self.variables.get(name) {
            Some(VariableState::Certain(value)) => return value,
            // It may also be one of the top scope.
            Some(VariableState::Maybe) => return any(),
            Some(VariableState::NotYet) => return self.not_yet(name, at),
            None => {}
        }
        let is_match = name.bytes().all(|byte| byte.is_ascii_digit());
        if is_match {
            return Value::unknown(Type::optional(Type::STRING));
        }
        if let Some(value) = of_runtime(name) {
            return value;
        }
        match name.strip_prefix("::").unwrap_or(name).rsplit_once("::") {
            Some((class, variable)) => self.class_variable(class, variable, at),
            None if !name.starts_with("::") => self.outer_variable(name, at),
            None => {
                let name = name.trim_start_matches("::");
                self.legacy_variable(name, at);
                self.misspelt_fact(name, at);
                any()
            }
        }
    }

    /// Reports a variable of the top scope that has the name of a fact but for a slip.
    fn misspelt_fact(&mut self, name: &str, at: Span) {
        if let Some(fact) = self.world.misspelt_fact(name) {
            let message = format!("Nothing sets $::{name}; did you mean '{fact}'?");
            self.note(Finding::new(Rule::UnknownVariable, message, at));
        }
    }

    /// Reports a variable that is a fact which is left out by default, if the name belongs to one.
    fn legacy_variable(&mut self, name: &str, at: Span) {
        if !is_legacy(name) {
            return;
        }
        let code = replacement(name);
        let is_bare = self.bare == Some(at);
        // In `${x}`, the variable has no sign of its own.
        let has_sign = at.text(self.text).starts_with('$');
        let text =
            code.as_deref().and_then(|code| code.strip_prefix('$')).map(|path| match (is_bare, has_sign) {
                (true, _) => format!("${{{path}}}"),
                (false, true) => format!("${path}"),
                (false, false) => path.to_owned(),
            });
        self.legacy_fact(name, at, text.map(|text| Fix { span: at, text }));
    }

    /// Reports a key of `$facts` that is left out by default, if the name belongs to such a fact.
    pub(super) fn legacy_key(&mut self, name: &str, facts: &Expr<'s>, key: Span, whole: Span) {
        if !is_legacy(name) {
            return;
        }
        let code = path(name).map(|path| access(facts.span.text(self.text), &path));
        self.legacy_fact(name, key, code.map(|text| Fix { span: whole, text }));
    }

    fn legacy_fact(&mut self, name: &str, at: Span, fix: Option<Fix>) {
        if self.world.has_own_fact(name) {
            return;
        }
        let now = replacement(name).map(|code| format!(": it is {code} now")).unwrap_or_default();
        let message = format!("Puppet 8 leaves the fact '{name}' out by default{now}");
        self.note(Finding { fix, ..Finding::new(Rule::LegacyFact, message, at) });
    }

    /// Checks a variable that no scope around sets.
    fn outer_variable(&mut self, name: &str, at: Span) -> Value {
        let is_inherited = self.surroundings.parent.as_ref().is_some_and(|parent| {
            self.world.class(parent).map_or(true, |parent| self.world.may_set(&parent, name))
        });
        let is_given = self.surroundings.is_resource && is_metaparameter(name);
        if !(self.surroundings.is_open || is_inherited) {
            self.legacy_variable(name, at);
        }
        if self.surroundings.is_open || is_given || is_inherited || self.world.may_be_set(name, self.origin) {
            return any();
        }
        let message = format!("Nothing sets ${name} before this: no enclosing scope, parent class or fact");
        let names = self.variables.names();
        let finding = Finding::new(Rule::UnknownVariable, message, at);
        // It may be set elsewhere, so that nothing is certain to mend it.
        self.note(finding.meant(name, names.iter().copied(), ("", 0)))
    }

    /// Checks `$class::name`.
    fn class_variable(&mut self, class: &str, name: &str, at: Span) -> Value {
        if class == SETTINGS {
            return self.setting(name, at);
        }
        let definition = match self.world.class(class) {
            Ok(definition) => definition,
            Err(true) => {
                let message = format!("Unknown variable: '{class}::{name}'");
                let meant = self.world.class_meant_with(class, name).map(|class| format!("{class}::{name}"));
                self.probably(Rule::UnknownClassVariable, &message, meant, at);
                return any();
            }
            Err(false) => {
                let message = format!("Unknown variable: '{class}::{name}'. There is no class {class}");
                let finding = Finding::new(Rule::UnknownClassVariable, message, at);
                let near = self.world.definitions_near(class, true);
                return self.note(finding.meant(
                    class,
                    near.iter().map(String::as_str),
                    (self.text, at.start.saturating_add(1)),
                ));
            }
        };
        if self.world.may_set(&definition, name) {
            return any();
        }
        let message = format!("Unknown variable: '{class}::{name}'. The class {class} never sets it");
        let before = u32::try_from("$::".len().saturating_add(class.len())).unwrap_or(u32::MAX);
        let name_at = at.start.saturating_add(before);
        let finding = Finding::new(Rule::UnknownClassVariable, message, at)
            .meant(name, definition.variables.iter().map(String::as_str), (self.text, name_at))
            .declared(format!("{class} is declared here"), definition.place.as_ref());
        self.note(finding)
    }

    /// Checks `$settings::name`.
    fn setting(&mut self, name: &str, at: Span) -> Value {
        if OF_SETTINGS.contains(&name) || settings::is_known(name, self.world.target()) {
            return any();
        }
        let target = self.world.target();
        let product = target.title();
        let message = format!("Unknown variable: '{SETTINGS}::{name}'. {product} has no setting {name}");
        let before = u32::try_from("$settings::".len()).unwrap_or(u32::MAX);
        let name_at = at.start.saturating_add(before);
        let names = settings::names(target);
        self.note(Finding::new(Rule::UnknownClassVariable, message, at).meant(
            name,
            names,
            (self.text, name_at),
        ))
    }

    fn not_yet(&mut self, name: &str, at: Span) -> Value {
        let (routine, parameter) = self.surroundings.default.clone().unwrap_or_default();
        let message = format!(
            "{routine}: default expression for ${parameter} tries to illegally access not yet evaluated ${name}"
        );
        self.report(Rule::ParameterOrder, at, message)
    }

    /// Checks `target = value`.
    pub(super) fn assignment(&mut self, binary: &BinaryExpr<'s>) -> FlowValue {
        let value = self.expr(&binary.right)?;
        self.assign(&binary.left, &value, super::operator_span(binary));
        Some(value)
    }

    fn assign(&mut self, target: &Expr<'s>, value: &Value, at: Span) {
        match &target.kind {
            ExprKind::Variable(name) => self.set(name, value.clone(), at),
            ExprKind::Array(targets) => self.assign_all(targets, value, at),
            // Other targets are refused before code is evaluated.
            _ => {}
        }
    }

    fn set(&mut self, name: &'s str, value: Value, at: Span) {
        if RESERVED.contains(&name) {
            let message = format!("Attempt to assign to a reserved variable name: '${name}'");
            self.report(Rule::Reassignment, at, message);
            return;
        }
        if let Some(span) = Span::of_part(self.text, name) {
            self.observe(span, &value);
        }
        if self.variables.set(name, value) {
            self.report(Rule::Reassignment, at, format!("Cannot reassign variable '${name}'"));
        }
    }

    /// Checks `[targets] = value`.
    fn assign_all(&mut self, targets: &[Expr<'s>], value: &Value, at: Span) {
        let kinds = ValueKinds::of(value);
        if let Value::Array(items) = value
            && items.len() != targets.len()
        {
            let message = format!(
                "Mismatched number of assignable entries and values, expected {}, got {}",
                targets.len(),
                items.len()
            );
            self.report(Rule::Assignment, at, message);
        } else if targets.len() > 1
            && !kinds
                .meets(ValueKinds::ARRAY.or(ValueKinds::HASH).or(ValueKinds::TYPE).or(ValueKinds::FOREIGN))
        {
            let message = format!(
                "Mismatched number of assignable entries and values, expected {}, got 1",
                targets.len()
            );
            self.report(Rule::Assignment, at, message);
        }
        let element = match kinds.is_within(ValueKinds::ARRAY.or(ValueKinds::HASH)) {
            true => entries_of(value, self.limits()).map_or_else(any, |(_, element)| Value::unknown(element)),
            false => any(),
        };
        for (index, target) in targets.iter().enumerate() {
            let part = match (value, &target.kind) {
                (Value::Array(items), _) if items.len() == targets.len() => items.get(index).cloned(),
                (Value::Hash(hash), ExprKind::Variable(name)) => {
                    let found = hash.get_str(name).cloned();
                    if found.is_none() {
                        let message = format!(
                            "No value for required key '{name}' in assignment to variables from hash"
                        );
                        self.report(Rule::Assignment, at, message);
                    }
                    found
                }
                _ => None,
            };
            self.assign(target, &part.unwrap_or_else(|| element.clone()), at);
        }
    }
}

/// Returns the value of a variable of the runtime, where its type is certain.
fn of_runtime(name: &str) -> Option<Value> {
    match name.strip_prefix("::").unwrap_or(name) {
        "facts" | "trusted" | "server_facts" => {
            Some(Value::unknown(Type::hash(Type::STRING, Type::Any, None)))
        }
        _ => None,
    }
}
