//! Rules in HOCON.
//!
//! See `authorization_core.clj` of trapperkeeper-authorization.

use std::collections::{HashMap, HashSet};
use std::path::Path;

use hocon::{HoconValue, ScalarType, ScalarValue};
use indexmap::IndexMap;

use crate::entry::{ALTERNATIVE_NAMES, AccessEntry, ExtensionValue, compile};
use crate::error::AuthorizationError;
use crate::rule::{AuthorizationRule, ClientAccess, RulePath};

const METHODS: [&str; 5] = ["delete", "get", "head", "post", "put"];

type HoconObject = IndexMap<String, HoconValue>;

/// Reads a file, with files that it includes and variables of the environment, as puppetserver does.
pub(crate) fn read_rules(
    path: &Path,
    oid_names: &HashMap<String, String>,
) -> Result<(Vec<AuthorizationRule>, bool), AuthorizationError> {
    rules_of(hocon::parse_file(path), oid_names)
        .map_err(|error| AuthorizationError::new(format!("{}: {error}", path.display())))
}

/// Parses a text.
pub(crate) fn parse_rules(
    text: &str,
    oid_names: &HashMap<String, String>,
) -> Result<(Vec<AuthorizationRule>, bool), AuthorizationError> {
    rules_of(hocon::parse_with_env(text, &HashMap::new()), oid_names)
}

fn rules_of(
    parsed: Result<hocon::Config, hocon::HoconError>,
    oid_names: &HashMap<String, String>,
) -> Result<(Vec<AuthorizationRule>, bool), AuthorizationError> {
    let config = parsed.map_err(|error| AuthorizationError::new(error.to_string()))?;
    let section =
        config.get("authorization").ok_or_else(|| fail("Missing authorization service configuration."))?;
    let section =
        section.as_object().ok_or_else(|| fail("The authorization service configuration is not a map."))?;
    let trusts_headers = match section.get("allow-header-cert-info") {
        None => false,
        Some(value) => boolean(value).ok_or_else(|| fail("allow-header-cert-info is not a boolean."))?,
    };
    if section.get("version").and_then(integer) != Some(1) {
        return Err(fail("Unsupported or missing version in configuration file. Supported versions are: 1"));
    }
    let rules = section.get("rules").and_then(HoconValue::as_array);
    let rules = rules.ok_or_else(|| fail("The authorization service configuration rules is not a list."))?;
    let rules = rules.iter().map(|value| rule(value, oid_names)).collect::<Result<Vec<_>, _>>()?;
    let mut names = HashSet::new();
    if let Some(twice) = rules.iter().find(|rule| !names.insert(&rule.name)) {
        let message = format!("Duplicate rules named '{}'. Rules must be uniquely named.", twice.name);
        return Err(AuthorizationError::new(message));
    }
    Ok((rules, trusts_headers))
}

/// Reads a rule. Errors show its name, where puppetserver shows the whole rule.
fn rule(
    value: &HoconValue,
    oid_names: &HashMap<String, String>,
) -> Result<AuthorizationRule, AuthorizationError> {
    let rule =
        value.as_object().ok_or_else(|| fail("An authorization rule should be specified as a map."))?;
    let request = rule.get("match-request").filter(|request| !request.is_null());
    let request =
        request.ok_or_else(|| fail("An authorization rule must contain a 'match-request' section."))?;
    let name = rule.get("name").and_then(text);
    let shown = name.clone().unwrap_or_else(|| "(without a name)".to_owned());
    let failed =
        |problem: &str| AuthorizationError::new(format!("The authorization rule '{shown}' {problem}"));
    let request =
        request.as_object().ok_or_else(|| failed("has a 'match-request' section that is not a map."))?;
    let missing = |key: &str| failed(&format!("does not contain a '{key}' key."));
    let path = request.get("path").ok_or_else(|| missing("path"))?;
    let kind = request.get("type").ok_or_else(|| missing("type"))?;
    let sort_order = rule.get("sort-order").ok_or_else(|| missing("sort-order"))?;
    let name = name.ok_or_else(|| missing("name"))?;
    let sort_order = integer(sort_order).and_then(|order| u16::try_from(order).ok());
    let sort_order = sort_order.filter(|order| (1..=999).contains(order));
    let sort_order = sort_order
        .ok_or_else(|| failed("has an invalid sort-order. It should be a number from 1 to 999."))?;
    let path = string(path).ok_or_else(|| failed("has an invalid path. It should be a string."))?;
    let path = match string(kind) {
        Some("path") => RulePath::Prefix(path.to_owned()),
        Some("regex") => RulePath::Expression(
            compile(path).map_err(|error| failed(&format!("has an invalid path: {error}")))?,
        ),
        _ => return Err(failed("has an invalid type. It should be set to either 'path' or 'regex'.")),
    };
    let access = access(rule, oid_names, &failed)?;
    check_backreferences(&path, &access, &failed)?;
    Ok(AuthorizationRule {
        name,
        sort_order,
        path,
        methods: methods(request.get("method"), &failed)?,
        query: query(request.get("query-params"), &failed)?,
        access,
    })
}

type ErrorBuilder<'f> = dyn Fn(&str) -> AuthorizationError + 'f;

fn access(
    rule: &HoconObject,
    oid_names: &HashMap<String, String>,
    failed: &ErrorBuilder<'_>,
) -> Result<ClientAccess, AuthorizationError> {
    let is_unauthenticated = match rule.get("allow-unauthenticated") {
        None => false,
        Some(value) => {
            boolean(value).ok_or_else(|| failed("has an allow-unauthenticated that is not a boolean."))?
        }
    };
    let (deny, allow) = (rule.get("deny"), rule.get("allow"));
    match (is_unauthenticated, deny.is_some() || allow.is_some()) {
        (true, true) => Err(failed("cannot have allow or deny if allow-unauthenticated.")),
        (true, false) => Ok(ClientAccess::Unauthenticated),
        (false, false) => Err(failed("must contain either a 'deny' or 'allow' rule.")),
        (false, true) => {
            let list = |key: &str, value: Option<&HoconValue>| {
                let entries = entries(value, oid_names);
                entries.map_err(|error| failed(&format!("has an invalid '{key}' field: {error}")))
            };
            let deny = list("deny", deny)?;
            if deny.iter().any(|entry| matches!(entry, AccessEntry::Permission)) {
                return Err(failed(
                    "has an invalid 'deny' field: RBAC permissions cannot be used to deny access.",
                ));
            }
            Ok(ClientAccess::Entries { deny, allow: list("allow", allow)? })
        }
    }
}

fn entries(
    value: Option<&HoconValue>,
    oid_names: &HashMap<String, String>,
) -> Result<Vec<AccessEntry>, AuthorizationError> {
    match value {
        None => Ok(Vec::new()),
        Some(HoconValue::Array(values)) => values.iter().map(|value| entry(value, oid_names)).collect(),
        Some(value) => Ok(vec![entry(value, oid_names)?]),
    }
}

fn entry(value: &HoconValue, oid_names: &HashMap<String, String>) -> Result<AccessEntry, AuthorizationError> {
    if let Some(text) = string(value) {
        return AccessEntry::parse(text);
    }
    let map = value.as_object().ok_or_else(|| fail("Unable to parse ACL; expected string or map"))?;
    match (map.get("extensions"), map.get("certname"), map.get("rbac")) {
        (Some(extensions), None, None) => self::extensions(extensions, oid_names),
        (None, Some(name), None) => {
            AccessEntry::parse(string(name).ok_or_else(|| fail("certname key should map to a string"))?)
        }
        (None, None, Some(rbac)) => {
            let permission = rbac.as_object().and_then(|rbac| rbac.get("permission")?.as_str());
            let is_permission = permission.is_some_and(|text| text.split(':').count() >= 3);
            is_permission.then_some(AccessEntry::Permission).ok_or_else(|| {
                fail("permission key should map to a string of form 'object_type:action:instance'")
            })
        }
        _ => {
            Err(fail("ACL Definition must contain exactly one of 'certname' or 'extensions' or 'rbac' keys"))
        }
    }
}

fn extensions(
    value: &HoconValue,
    oid_names: &HashMap<String, String>,
) -> Result<AccessEntry, AuthorizationError> {
    let invalid = || fail("extensions key should map an extension to a value or list of values");
    let map = value.as_object().ok_or_else(invalid)?;
    let mut required = Vec::new();
    for (name, value) in map {
        let name = oid_names.get(name).unwrap_or(name);
        let value = if name == ALTERNATIVE_NAMES {
            let kinds = value.as_object().ok_or_else(invalid)?;
            let kinds = kinds.iter().map(|(kind, names)| Some((kind.clone(), texts(names)?)));
            ExtensionValue::AlternativeNames(kinds.collect::<Option<_>>().ok_or_else(invalid)?)
        } else {
            ExtensionValue::Texts(texts(value).ok_or_else(invalid)?)
        };
        required.push((name.clone(), value));
    }
    Ok(AccessEntry::Extensions(required))
}

fn check_backreferences(
    path: &RulePath,
    access: &ClientAccess,
    failed: &ErrorBuilder<'_>,
) -> Result<(), AuthorizationError> {
    let (RulePath::Expression(expression), ClientAccess::Entries { deny, allow }) = (path, access) else {
        return Ok(());
    };
    let groups = expression.captures_len().saturating_sub(1);
    for (key, entries) in [("allow", allow), ("deny", deny)] {
        let greatest = entries.iter().map(AccessEntry::greatest_backreference).max().unwrap_or(0);
        if greatest > groups {
            return Err(failed(&format!(
                "contains in its {key} field the back reference '${greatest}' which refers to a capture group in the regex that \
                 doesn't exist."
            )));
        }
    }
    Ok(())
}

fn methods(
    value: Option<&HoconValue>,
    failed: &ErrorBuilder<'_>,
) -> Result<Option<Vec<String>>, AuthorizationError> {
    let Some(value) = value else { return Ok(None) };
    let methods = texts(value).map(|texts| texts.iter().map(|text| text.to_lowercase()).collect::<Vec<_>>());
    let methods = methods.filter(|methods| methods.iter().all(|method| METHODS.contains(&method.as_str())));
    methods.map(Some).ok_or_else(|| {
        failed(&format!(
            "has an invalid method. The method should be a string or list of strings equal to one of the following: '{}'",
            METHODS.join("', '")
        ))
    })
}

fn query(
    value: Option<&HoconValue>,
    failed: &ErrorBuilder<'_>,
) -> Result<Vec<(String, Vec<String>)>, AuthorizationError> {
    let Some(value) = value.filter(|value| !value.is_null()) else { return Ok(Vec::new()) };
    let parameters = value.as_object().ok_or_else(|| failed("has query-params that are not a map."))?;
    let parameter = |(name, value): (&String, &HoconValue)| {
        let invalid =
            || failed(&format!("has a query-param '{name}' that is not a string or list of strings."));
        Ok((name.clone(), texts(value).ok_or_else(invalid)?))
    };
    parameters.iter().map(parameter).collect()
}

/// Returns the texts of a string or a list of strings.
fn texts(value: &HoconValue) -> Option<Vec<String>> {
    match value.as_array() {
        Some(values) => values.iter().map(|value| string(value).map(str::to_owned)).collect(),
        None => string(value).map(|text| vec![text.to_owned()]),
    }
}

/// Returns a string. Puppetserver makes integers of strings of digits, quoted or not, and strips quotes within quotes.
///
/// See `typesafe.clj` of clj-typesafe-config.
fn string(value: &HoconValue) -> Option<&str> {
    value.as_str().map(without_quotes).filter(|text| text.parse::<i32>().is_err())
}

fn without_quotes(text: &str) -> &str {
    text.strip_prefix('"').and_then(|text| text.strip_suffix('"')).unwrap_or(text)
}

fn scalar(value: &HoconValue) -> Option<&ScalarValue> {
    if let HoconValue::Scalar(scalar) = value { Some(scalar) } else { None }
}

/// Returns the text of a scalar.
fn text(value: &HoconValue) -> Option<String> {
    let scalar = scalar(value).filter(|scalar| scalar.value_type != ScalarType::Null)?;
    Some(without_quotes(&scalar.raw).to_owned())
}

fn integer(value: &HoconValue) -> Option<i64> {
    let is_number = |kind| matches!(kind, ScalarType::Number | ScalarType::String);
    let scalar = scalar(value).filter(|scalar| is_number(scalar.value_type))?;
    without_quotes(&scalar.raw).parse().ok()
}

fn boolean(value: &HoconValue) -> Option<bool> {
    scalar(value).filter(|scalar| scalar.value_type == ScalarType::Boolean)?.raw.parse().ok()
}

fn fail(message: &str) -> AuthorizationError {
    AuthorizationError::new(message)
}
