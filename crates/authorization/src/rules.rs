//! All rules of a configuration.

use std::collections::HashMap;
use std::path::Path;

use crate::config::{parse_rules, read_rules};
use crate::defaults::default_rules;
use crate::error::AuthorizationError;
use crate::request::AuthorizationRequest;
use crate::rule::{AuthorizationRule, RuleMatch};

/// The rules of an `auth.conf`, in the order in which they are asked.
#[derive(Clone, Debug)]
pub struct AuthorizationRules {
    rules: Vec<AuthorizationRule>,
    trusts_headers: bool,
}

/// Why a request is denied.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Denial {
    /// The text of the response, whose status is 403. Puppetserver sends it as plain text.
    pub message: String,
    /// The message for the server's log.
    pub log: String,
}

impl AuthorizationRules {
    /// Returns the rules that puppetserver 8 installs.
    pub fn puppetserver_defaults() -> Self {
        Self::sorted(default_rules(), false)
    }

    /// Reads an `auth.conf`. Names of extensions can be OIDs with a short name in `oid_names`.
    ///
    /// # Errors
    /// Fails if the file cannot be read, is not HOCON, or has a rule that is incomplete or contradicts itself.
    pub fn read(path: &Path, oid_names: &HashMap<String, String>) -> Result<Self, AuthorizationError> {
        read_rules(path, oid_names).map(|(rules, trusts_headers)| Self::sorted(rules, trusts_headers))
    }

    /// Parses the text of an `auth.conf` without includes.
    ///
    /// # Errors
    /// The same errors as [`Self::read`].
    pub fn parse(text: &str, oid_names: &HashMap<String, String>) -> Result<Self, AuthorizationError> {
        parse_rules(text, oid_names).map(|(rules, trusts_headers)| Self::sorted(rules, trusts_headers))
    }

    fn sorted(mut rules: Vec<AuthorizationRule>, trusts_headers: bool) -> Self {
        rules.sort_by(|a, b| (a.sort_order, &a.name).cmp(&(b.sort_order, &b.name)));
        Self { rules, trusts_headers }
    }

    /// Returns true if the headers `X-Client-Verify`, `X-Client-DN` and `X-Client-Cert` identify clients: `allow-header-cert-info`.
    pub fn trusts_headers(&self) -> bool {
        self.trusts_headers
    }

    /// Authorizes a request.
    ///
    /// # Errors
    /// Fails if the first rule that matches denies the request, or if none matches.
    pub fn authorize(&self, request: &AuthorizationRequest<'_>) -> Result<(), Denial> {
        for rule in &self.rules {
            match rule.matches(request) {
                RuleMatch::None => {}
                RuleMatch::Captures(captures) if rule.permits(request, &captures) => return Ok(()),
                RuleMatch::Captures(_) | RuleMatch::Unknown => return Err(Denial::by_rule(rule, request)),
            }
        }
        let message = "global deny all - no rules matched".to_owned();
        Err(Denial { log: message.clone(), message })
    }
}

impl Denial {
    fn by_rule(rule: &AuthorizationRule, request: &AuthorizationRequest<'_>) -> Self {
        let AuthorizationRequest { method, path, address, client, .. } = request;
        let client = client.filter(|client| !client.name.is_empty());
        let requestor =
            client.map_or_else(|| (*address).to_owned(), |client| format!("{}({address})", client.name));
        let rule = &rule.name;
        Self {
            message: format!(
                "Forbidden request: {path} (method :{method}). Please see the server logs for details."
            ),
            log: format!(
                "Forbidden request: {requestor} access to {path} (method :{method}) (authenticated: {}) denied by rule '{rule}'.",
                client.is_some()
            ),
        }
    }
}
