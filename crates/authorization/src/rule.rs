//! One rule.
//!
//! See `rules.clj` of trapperkeeper-authorization.

use fancy_regex::Regex;

use crate::entry::AccessEntry;
use crate::request::AuthorizationRequest;

/// A rule of an `auth.conf`.
#[derive(Clone, Debug)]
pub(crate) struct AuthorizationRule {
    pub name: String,
    pub sort_order: u16,
    pub path: RulePath,
    /// The methods; `None` for all.
    pub methods: Option<Vec<String>>,
    /// Parameters that the query must have, each with one of its values.
    pub query: Vec<(String, Vec<String>)>,
    pub access: ClientAccess,
}

/// The paths of a rule.
#[derive(Clone, Debug)]
pub(crate) enum RulePath {
    /// How paths begin.
    Prefix(String),
    /// A regular expression, found anywhere in the path.
    Expression(Regex),
}

/// The clients of a rule.
#[derive(Clone, Debug)]
pub(crate) enum ClientAccess {
    /// All, with or without a certificate.
    Unauthenticated,
    /// Clients with a certificate, unless `deny` refuses or `allow` does not admit them.
    Entries { deny: Vec<AccessEntry>, allow: Vec<AccessEntry> },
}

/// The result of matching a rule with a request.
pub(crate) enum RuleMatch {
    /// It is about others.
    None,
    /// It is; captures of the expression, if its path is one.
    Captures(Vec<Option<String>>),
    /// The expression took too long, so nobody knows.
    Unknown,
}

impl AuthorizationRule {
    /// Returns whether the rule is about a request.
    pub fn matches(&self, request: &AuthorizationRequest<'_>) -> RuleMatch {
        let has_method =
            self.methods.as_ref().is_none_or(|methods| methods.iter().any(|method| method == request.method));
        let has_parameter = |(name, values): &(String, Vec<String>)| {
            request.query.iter().any(|(given, value)| given == name && values.contains(value))
        };
        if !has_method || !self.query.iter().all(has_parameter) {
            return RuleMatch::None;
        }
        match &self.path {
            RulePath::Prefix(prefix) if request.path.starts_with(prefix) => RuleMatch::Captures(Vec::new()),
            RulePath::Prefix(_) => RuleMatch::None,
            RulePath::Expression(expression) => match expression.captures(request.path) {
                Ok(Some(found)) => {
                    let captures = found.iter().skip(1);
                    RuleMatch::Captures(
                        captures.map(|group| group.map(|group| group.as_str().to_owned())).collect(),
                    )
                }
                Ok(None) => RuleMatch::None,
                Err(_) => RuleMatch::Unknown,
            },
        }
    }

    /// Returns true if the rule, which is about a request, lets it pass.
    pub fn permits(&self, request: &AuthorizationRequest<'_>, captures: &[Option<String>]) -> bool {
        match (&self.access, request.client) {
            (ClientAccess::Unauthenticated, _) => true,
            (ClientAccess::Entries { .. }, None) => false,
            (ClientAccess::Entries { deny, allow }, Some(client)) => {
                !client.name.is_empty()
                    && !deny.iter().any(|entry| entry.denies(client, captures))
                    && allow
                        .iter()
                        .map(|entry| entry.allows(client, captures))
                        .find(|allows| *allows != Some(false))
                        == Some(Some(true))
            }
        }
    }
}
