//! Calls that work, or worked once, but that are not intended any more.
#![allow(clippy::wildcard_enum_match_arm, reason = "all other kinds count as unknown")]

use super::super::finding::Finding;
use super::super::kinds::ValueKinds;
use super::super::rule::Rule;
use super::Walk;
use super::attribute::invalid_tag;
use super::call::{CallArguments, CheckedCall};
use puppetfn_types::function::{Function, ScopeMethodKind};

/// Functions that puppetlabs-stdlib 9 removed, each with its replacement.
const REMOVED: [(&str, &str); 34] = [
    ("dig44", "dig()"),
    ("has_key", "the operator `in`"),
    ("hash", "Hash()"),
    ("is_absolute_path", "the type Stdlib::Absolutepath"),
    ("is_array", "the type Array"),
    ("is_bool", "the type Boolean"),
    ("is_domain_name", "the type Stdlib::Fqdn"),
    ("is_email_address", "the type Stdlib::Email"),
    ("is_float", "the type Float"),
    ("is_function_available", "a dependency of the module"),
    ("is_hash", "the type Hash"),
    ("is_integer", "the type Integer"),
    ("is_ip_address", "the type Stdlib::IP::Address"),
    ("is_ipv4_address", "the type Stdlib::IP::Address::V4"),
    ("is_ipv6_address", "the type Stdlib::IP::Address::V6"),
    ("is_mac_address", "the type Stdlib::MAC"),
    ("is_numeric", "the type Numeric"),
    ("is_string", "the type String"),
    ("private", "assert_private()"),
    ("sprintf_hash", "sprintf()"),
    ("try_get_value", "get()"),
    ("type3x", "type()"),
    ("validate_absolute_path", "the type Stdlib::Absolutepath"),
    ("validate_array", "the type Array"),
    ("validate_bool", "the type Boolean"),
    ("validate_hash", "the type Hash"),
    ("validate_integer", "the type Integer"),
    ("validate_ip_address", "the type Stdlib::IP::Address"),
    ("validate_ipv4_address", "the type Stdlib::IP::Address::V4"),
    ("validate_ipv6_address", "the type Stdlib::IP::Address::V6"),
    ("validate_numeric", "the type Numeric"),
    ("validate_re", "the type Pattern"),
    ("validate_slength", "the type String with a size"),
    ("validate_string", "the type String"),
];

/// The reason for an unknown function that stdlib had.
pub(super) const REMOVAL: &str = "Version 9 of stdlib removed it";

/// The functions of Hiera 3, each with the call that replaces it.
const OF_HIERA_3: [(&str, &str); 4] = [
    ("hiera", "lookup('KEY')"),
    ("hiera_array", "lookup('KEY', Array, 'unique')"),
    ("hiera_hash", "lookup('KEY', Hash, 'hash')"),
    ("hiera_include", "lookup('KEY', Array[String], 'unique').include"),
];

/// Returns the message about a function that stdlib removed.
pub(super) fn lacks(name: &str, replacement: &str) -> String {
    format!("Version 9 of stdlib has no function '{name}'; use {replacement}")
}

/// Returns true if a finding about an unknown function is about one that stdlib removed.
pub fn is_about_removed_function(finding: &Finding) -> bool {
    finding.message.contains(REMOVAL)
}

/// Returns the replacement of a function that stdlib removed.
pub(super) fn replacement_of(name: &str) -> Option<&'static str> {
    let name = name.trim_start_matches("::");
    REMOVED.iter().find(|(removed, _)| *removed == name).map(|(_, replacement)| *replacement)
}

impl<'s> Walk<'_, 's> {
    /// Reports calls of Puppet's own functions that have a replacement or do nothing.
    pub(super) fn advise(&mut self, site: &CheckedCall<'_, 's>, arguments: &CallArguments) {
        let name = site.name.trim_start_matches("::");
        if let Some((_, replacement)) = OF_HIERA_3.iter().find(|(old, _)| *old == name) {
            let message = format!("{name}() is deprecated: call {replacement}");
            self.report(Rule::DeprecatedFunction, site.name_span, message);
        }
        if name == "tag"
            && let Some(message) = arguments.values.iter().find_map(invalid_tag)
        {
            self.report(Rule::FailingCall, site.span, message);
        }
        let maybe_sensitive = ValueKinds::SENSITIVE.or(ValueKinds::FOREIGN);
        if let ("unwrap", [value]) = (name, arguments.values.as_slice())
            && arguments.is_exact
            && !ValueKinds::of(value).meets(maybe_sensitive)
        {
            let message = format!("The value is never Sensitive, but {}", self.shown(value));
            self.report(Rule::NeedlessUnwrap, site.name_span, message);
        }
    }

    /// Reports a function of stdlib that exists, but fails in Puppet 8: it reports its deprecation, which is an error by default.
    pub(super) fn removed_function(&mut self, site: &CheckedCall<'_, 's>) {
        let Some(replacement) = replacement_of(site.name) else { return };
        let message = if site.name.starts_with("validate_") {
            format!("{}() is deprecated, which is an error to Puppet 8: use {replacement}", site.name)
        } else if self.world.leaves_function(site.name) {
            lacks(site.name, replacement)
        } else {
            return;
        };
        self.report(Rule::DeprecatedFunction, site.name_span, message);
    }

    /// Reports a wrong number of arguments of a function in the 3.x API, which counts them itself.
    pub(super) fn legacy_arity(
        &mut self,
        function: &Function,
        site: &CheckedCall<'_, 's>,
        arguments: &CallArguments,
    ) -> bool {
        let [signature] = function.signatures() else { return false };
        let is_legacy =
            signature.captures_rest() && matches!(signature.parameter_names(), [name] if **name == *"args");
        let Some(method) = function.scope_method().filter(|_| is_legacy && arguments.is_exact) else {
            return false;
        };
        if method.kind != ScopeMethodKind::Calls {
            return false;
        }
        self.wrong_arity(i64::from(method.arity), site, arguments.values.len())
    }

    /// Reports a number of arguments that differs from the arity, which is negative for a minimum, as in Ruby.
    pub(super) fn wrong_arity(&mut self, arity: i64, site: &CheckedCall<'_, 's>, given: usize) -> bool {
        let given = i64::try_from(given).unwrap_or(i64::MAX);
        let least = arity.saturating_neg().saturating_sub(1);
        let expected = match arity {
            0.. if given != arity => arity.to_string(),
            ..0 if given < least => format!("minimum {least}"),
            _ => return false,
        };
        let name = site.name.trim_start_matches("::");
        let message = format!("{name}(): Wrong number of arguments given ({given} for {expected})");
        self.report(Rule::ArgumentMismatch, site.span, message);
        true
    }
}
