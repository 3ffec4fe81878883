//! Calls of Puppet's own functions that fail for reasons that their signatures do not state.
#![allow(
    clippy::wildcard_enum_match_arm,
    reason = "all other arguments are accepted, or refused by the signatures"
)]

use std::sync::LazyLock;

use regex::Regex;

use super::super::rule::Rule;
use super::super::world::Callee;
use super::Walk;
use super::call::{CallArguments, CheckedCall};
use super::references::reference_in;
use puppetfn_base::source::Span;
use puppetfn_hiera::check_merge;
use puppetfn_syntax::{Mode, parse_with};
use puppetfn_types::types::parse::parse;
use puppetfn_types::value::Value;

use super::super::world::VisibleTypes;

/// The mode of templates.
const TEMPLATE: Mode = Mode { tasks: false, template: true };

impl<'s> Walk<'_, 's> {
    /// Reports arguments for which a function always fails.
    pub(super) fn known_call(&mut self, site: &CheckedCall<'_, 's>, arguments: &CallArguments) {
        if !arguments.is_exact {
            return;
        }
        let (name, values) = (site.name.trim_start_matches("::"), arguments.values.as_slice());
        let message = match (name, values) {
            ("import", _) => {
                Some("Use of 'import' has been discontinued in favor of a manifest directory".to_owned())
            }
            ("inline_epp", [Value::String(text), ..]) => parse_with(text, TEMPLATE, self.limits())
                .err()
                .map(|error| format!("inline_epp(): Invalid EPP: {}", error.message())),
            ("generate", [Value::String(command), ..])
                if !command.starts_with('/') && !command.contains(':') =>
            {
                Some("Generators must be fully qualified".to_owned())
            }
            ("assert_type", [Value::String(text), _]) => {
                parse(text, &VisibleTypes::of(self.world), self.limits())
                    .err()
                    .map(|error| error.message().to_owned())
            }
            ("realize", values) => not_realizable(values),
            ("create_resources", [_, resources, ..]) => not_resources(resources),
            ("lookup", values) => self.lookup_options(values),
            ("with", values) => not_enough(site, values.len()),
            ("getvar", [Value::String(path), ..]) if !is_variable_path(path) => {
                Some("'getvar' The given string does not start with a valid variable name".to_owned())
            }
            ("fqdn_rand", [maximum, ..]) if !may_be_positive(maximum) => {
                Some(format!("fqdn_rand(): the maximum {} is no positive number", maximum.inspected()))
            }
            ("call", [Value::String(function), ..]) => return self.called_by_name(function, site.span),
            _ => None,
        };
        if let Some(message) = message {
            self.report(Rule::FailingCall, site.span, message);
        }
    }

    /// Reports the name of a function that does not exist.
    fn called_by_name(&mut self, function: &str, at: Span) {
        if matches!(self.world.function(function, self.origin), Callee::Missing) {
            self.report(Rule::UnknownFunction, at, format!("Unknown function: '{function}'."));
        }
    }

    /// Returns the message about options of `lookup`, in a Hash at the end or as its only argument.
    fn lookup_options(&self, values: &[Value]) -> Option<String> {
        // An undef in its place is a common way to state that there is no default.
        if let [_, _, _, default] = values
            && let [_, Value::Type(t), ..] = values
            && *default != Value::Undef
            && !default.contains_unknown()
            && super::super::abstraction::is_instance(t, default, self.limits()) == Some(false)
        {
            return Some(format!("Default value has wrong type, expects {t}"));
        }
        let [.., Value::Hash(options)] = values else { return None };
        let merge = options.get_str("merge").filter(|merge| !merge.contains_unknown())?;
        let is_merge = matches!(merge, Value::String(_) | Value::Hash(_));
        check_merge(merge, self.limits()).err().filter(|_| is_merge).map(|error| error.message().to_owned())
    }
}

/// Returns true if a text begins as the name of a variable.
fn is_variable_path(path: &str) -> bool {
    static PATH: LazyLock<Option<Regex>> =
        LazyLock::new(|| Regex::new(r"\A(::)?([a-z]\w*::)*[a-z_]\w*(\.|\z)").ok());
    PATH.as_ref().is_none_or(|pattern| pattern.is_match(path))
}

/// Returns true if a value may be a positive number, or the text of one.
fn may_be_positive(value: &Value) -> bool {
    match value {
        Value::Integer(number) => *number > 0,
        Value::String(text) => {
            let digits: String = text.trim_start().chars().take_while(char::is_ascii_digit).collect();
            digits.chars().any(|digit| digit != '0')
        }
        _ => true,
    }
}

/// Returns the message about the first argument of `realize` that is no reference.
fn not_realizable(values: &[Value]) -> Option<String> {
    values.iter().find_map(|value| match value {
        Value::Array(items) => not_realizable(items),
        Value::String(text) if reference_in(text).is_some() => None,
        Value::String(_) | Value::Integer(_) | Value::Float(_) | Value::Boolean(_) => {
            Some(format!("No title provided and {} is not a valid resource reference", value.inspected()))
        }
        _ => None,
    })
}

/// Returns the message about an argument of `create_resources` that is no Hash of Hashes.
fn not_resources(resources: &Value) -> Option<String> {
    match resources {
        Value::Hash(resources) => {
            let wrong = |value: &&Value| {
                matches!(
                    value,
                    Value::String(_)
                        | Value::Integer(_)
                        | Value::Float(_)
                        | Value::Boolean(_)
                        | Value::Array(_)
                )
            };
            let (title, _) = resources.iter().find(|(_, attributes)| wrong(attributes))?;
            Some(format!("create_resources(): the attributes of {} must be a Hash", title.inspected()))
        }
        Value::String(_) | Value::Integer(_) | Value::Float(_) | Value::Boolean(_) | Value::Array(_) => {
            Some("create_resources(): second argument must be a hash".to_owned())
        }
        _ => None,
    }
}

/// Returns the message about a parameter of a block that `with` passes no argument to.
fn not_enough(site: &CheckedCall<'_, '_>, given: usize) -> Option<String> {
    let parameters = &site.lambda?.parameters;
    let missing = parameters.get(given..)?.iter().find(|one| one.default.is_none() && !one.captures_rest)?;
    Some(format!("Parameter ${} is required but no value was given", missing.name))
}
