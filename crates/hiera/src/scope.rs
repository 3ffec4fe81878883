//! The variables that interpolations see.
//!
//! See Puppet's `pops/lookup/invocation.rb`.

use std::cell::OnceCell;
use std::sync::Arc;

use super::dig::sub_lookup;
use super::error::{failure, found};
use super::explain::ExplainNode;
use super::invocation::{InterpolatedVariable, Invocation};
use super::key::split;
use super::lock::locked;
use puppetfn_base::diagnostic::Strict;
use puppetfn_base::error::{Error, ErrorKind, NO_PLACE};
use puppetfn_base::recognize::{numeral, whole};
use puppetfn_types::function::Deviation;
use puppetfn_types::value::Value;

/// Variables that need no value.
const BUILT_IN: [&str; 2] = ["module_name", "caller_module_name"];

impl Invocation<'_> {
    /// Returns the value of a variable, or the part of it that a dotted path names. Errors quote `text`, which has the
    /// interpolation.
    pub fn scope_value(&self, key: &str, text: &str) -> Result<Option<Value>, Error> {
        let (root, segments) =
            split(key)?.ok_or_else(|| failure(format!("Syntax error in string: {text}")))?;
        let outer = self.with(|| ExplainNode::scope("Global Scope"), || self.root_value(&root))?;
        let mut value = outer.clone();
        if let Some(outer) = outer.as_ref()
            && !segments.is_empty()
        {
            value = found(sub_lookup(key, self, &segments, outer.clone()))?;
        }
        if let Some(memory) = &self.settings.memory
            && !(value.is_some() && key.starts_with("::"))
        {
            locked(memory).push(InterpolatedVariable {
                key: key.into(),
                root,
                segments,
                outer,
                value: value.clone(),
            });
        }
        Ok(value)
    }

    fn root_value(&self, root: &Arc<str>) -> Result<Option<Value>, Error> {
        if let Some(value) = self.settings.overrides.get_str(root) {
            self.explain(|explainer| explainer.found(root.to_string(), self.shown(value), " in overrides"));
            return Ok(Some(value.clone()));
        }
        let default = self.settings.default_values.get_str(root);
        match (self.variable(root)?, default) {
            (Some(value), _) => Ok(Some(self.found(&**root, value))),
            (None, Some(value)) => {
                self.explain(|explainer| {
                    explainer.found(root.to_string(), self.shown(value), " in defaults")
                });
                Ok(Some(value.clone()))
            }
            (None, None) => self.undefined(root).map(|()| None),
        }
    }

    /// Returns the value of a variable, if it has one.
    fn variable(&self, name: &str) -> Result<Option<Value>, Error> {
        match &self.settings.local {
            Some((local, value)) if **local == *name => Ok(Some(value.clone())),
            Some(_) | None => self.caller.variable(name.strip_prefix("::").unwrap_or(name)),
        }
    }

    fn undefined(&self, name: &str) -> Result<(), Error> {
        if BUILT_IN.contains(&name) || whole(numeral, name).is_some() {
            return Ok(());
        }
        let bare = name.strip_prefix("::").unwrap_or(name);
        let (name, reason) = match bare.rsplit_once("::") {
            Some((class, _)) => match self.missing_class(class)? {
                Some(reason) => (bare.to_owned(), reason),
                None => (format!("::{bare}"), String::new()),
            },
            None => (name.to_owned(), String::new()),
        };
        let problem = format!("Undefined variable '{name}'; {reason}");
        let warning = match self.caller.strict() {
            Strict::Off => return Ok(()),
            Strict::Warning => problem,
            Strict::Error if self.settings.is_lenient => {
                let case = "an undefined variable in the locations of hiera.yaml";
                self.caller.host().deviate(Deviation::before(8, case))?;
                format!("Interpolation failed with '{name}', but compilation continuing; {reason}")
            }
            Strict::Error => return Err(Error::new(ErrorKind::ArgumentMismatch, problem)),
        };
        self.caller.host().warn_once(&format!("Variable: {name}"), &format!("{warning}{NO_PLACE}"));
        Ok(())
    }

    /// Returns why a class has no variables, if it has none.
    fn missing_class(&self, class: &str) -> Result<Option<String>, Error> {
        let exists = self.caller.compiler().map_or(Ok(false), |compiler| compiler.has_class(class))?;
        Ok(match (exists, self.caller.variable(&format!("{class}::title"))?) {
            (false, _) => Some(format!("class {class} could not be found")),
            (true, None) => Some(format!("class {class} has not been evaluated")),
            (true, Some(_)) => None,
        })
    }

    /// Returns true if the recorded variables still have the same values.
    pub fn is_stable(&self, memory: &[InterpolatedVariable]) -> Result<bool, Error> {
        let quiet = OnceCell::new();
        let quiet = || {
            quiet.get_or_init(|| {
                self.with_settings(|settings| {
                    settings.explainer = None;
                    settings.is_lenient = true;
                })
            })
        };
        // Most variables of a hiera.yaml are parts of `facts` and `trusted`.
        let mut known: Option<(&str, Option<Value>)> = None;
        for InterpolatedVariable { key, root, segments, outer, value: before } in memory {
            let now = match known {
                Some((name, now)) if name == &**root => now,
                _ => self.variable(root)?,
            };
            known = Some((root, now.clone()));
            if is_same(now.as_ref(), outer.as_ref()) {
                continue;
            }
            let mut value = now;
            if value.is_none() {
                quiet().undefined(root)?;
            }
            if let Some(outer) = value.as_ref()
                && !segments.is_empty()
            {
                value = found(sub_lookup(key, quiet(), segments, outer.clone()))?;
            }
            if value != *before {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// Returns true if both are the same value, rather than equal ones.
fn is_same(one: Option<&Value>, other: Option<&Value>) -> bool {
    match (one, other) {
        (Some(Value::String(one)), Some(Value::String(other))) => Arc::ptr_eq(one, other),
        (Some(Value::Hash(one)), Some(Value::Hash(other))) => Arc::ptr_eq(one, other),
        (Some(Value::Array(one)), Some(Value::Array(other))) => one.is_same(other),
        _ => false,
    }
}
