//! The rules that puppetserver installs.
//!
//! See `auth.conf` of puppetserver 8.

use fancy_regex::Regex;

use crate::entry::{AccessEntry, ExtensionValue, NamePattern};
use crate::rule::{AuthorizationRule, ClientAccess, RulePath};

/// The clients of a default rule.
#[derive(Clone, Copy)]
enum DefaultAccess {
    /// Everybody, also without a certificate.
    Everybody,
    /// Every client with a certificate.
    Clients,
    /// The client that the path names.
    Owner,
    /// The certificate of the authority's command.
    AuthorityCommand,
    /// Nobody.
    Nobody,
}

use DefaultAccess::{AuthorityCommand, Clients, Everybody, Nobody, Owner};

/// Names, paths, methods and clients. Paths that begin with `^` are regular expressions.
const RULES: [(&str, &str, &[&str], DefaultAccess); 25] = [
    ("puppetlabs v3 catalog from agents", "^/puppet/v3/catalog/([^/]+)$", &["get", "post"], Owner),
    ("puppetlabs v4 catalog for services", "^/puppet/v4/catalog/?$", &["post"], Nobody),
    ("puppetlabs certificate", "/puppet-ca/v1/certificate/", &["get"], Everybody),
    ("puppetlabs crl", "/puppet-ca/v1/certificate_revocation_list/ca", &["get"], Everybody),
    ("puppetlabs csr", "/puppet-ca/v1/certificate_request", &["get", "put"], Everybody),
    ("puppetlabs certificate renewal", "/puppet-ca/v1/certificate_renewal", &["post"], Clients),
    (
        "puppetlabs cert status",
        "/puppet-ca/v1/certificate_status",
        &["get", "put", "delete"],
        AuthorityCommand,
    ),
    ("puppetlabs CRL update", "^/puppet-ca/v1/certificate_revocation_list$", &["put"], AuthorityCommand),
    ("puppetlabs cert statuses", "/puppet-ca/v1/certificate_statuses", &["get"], AuthorityCommand),
    ("puppetlabs CA cert and CRL expirations", "/puppet-ca/v1/expirations", &["get"], Clients),
    ("puppetlabs cert clean", "/puppet-ca/v1/clean", &["put"], AuthorityCommand),
    ("puppetlabs cert sign", "/puppet-ca/v1/sign", &["post"], AuthorityCommand),
    ("puppetlabs cert sign all", "/puppet-ca/v1/sign/all", &["post"], AuthorityCommand),
    ("puppetlabs status service - full", "/status/v1/services", &["get"], Everybody),
    ("puppetlabs status service - simple", "/status/v1/simple", &["get"], Everybody),
    ("puppetlabs environments", "/puppet/v3/environments", &["get"], Clients),
    ("puppetlabs file bucket file", "/puppet/v3/file_bucket_file", &["get", "head", "post", "put"], Clients),
    ("puppetlabs file content", "/puppet/v3/file_content", &["get", "post"], Clients),
    ("puppetlabs file metadata", "/puppet/v3/file_metadata", &["get", "post"], Clients),
    ("puppetlabs node", "^/puppet/v3/node/([^/]+)$", &["get"], Owner),
    ("puppetlabs report", "^/puppet/v3/report/([^/]+)$", &["put"], Owner),
    ("puppetlabs facts", "^/puppet/v3/facts/([^/]+)$", &["put"], Owner),
    ("puppetlabs static file content", "/puppet/v3/static_file_content", &["get"], Clients),
    ("puppet tasks information", "/puppet/v3/tasks", &[], Clients),
    ("puppetlabs deny all", "/", &[], Nobody),
];

/// Returns the default rules.
pub(crate) fn default_rules() -> Vec<AuthorizationRule> {
    RULES
        .iter()
        .filter_map(|(name, path, methods, access)| default_rule(name, path, methods, *access))
        .collect()
}

fn default_rule(
    name: &str,
    path: &str,
    methods: &[&str],
    access: DefaultAccess,
) -> Option<AuthorizationRule> {
    // A test counts the rules: these expressions compile.
    let expression = path.starts_with('^').then(|| Regex::new(path).ok().map(RulePath::Expression));
    let methods = methods.iter().map(|method| (*method).to_owned()).collect::<Vec<_>>();
    Some(AuthorizationRule {
        name: name.to_owned(),
        sort_order: if path == "/" { 999 } else { 500 },
        path: expression.unwrap_or_else(|| Some(RulePath::Prefix(path.to_owned())))?,
        methods: Some(methods).filter(|methods| !methods.is_empty()),
        query: Vec::new(),
        access: access.into(),
    })
}

impl From<DefaultAccess> for ClientAccess {
    fn from(access: DefaultAccess) -> Self {
        let any = || vec![AccessEntry::Name(NamePattern::Any)];
        let (deny, allow) = match access {
            Everybody => return Self::Unauthenticated,
            Clients => (Vec::new(), any()),
            Owner => (Vec::new(), vec![AccessEntry::Backreference("$1".to_owned())]),
            AuthorityCommand => {
                let value = ExtensionValue::Texts(vec!["true".to_owned()]);
                (Vec::new(), vec![AccessEntry::Extensions(vec![("pp_cli_auth".to_owned(), value)])])
            }
            Nobody => (any(), Vec::new()),
        };
        Self::Entries { deny, allow }
    }
}
