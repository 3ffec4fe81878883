//! Requests, and the clients that send them.

use std::collections::HashMap;

/// A request to be authorized.
#[derive(Clone, Copy, Debug)]
pub struct AuthorizationRequest<'r> {
    /// The HTTP method in small letters.
    pub method: &'r str,
    /// The path, decoded once and without `.` and `..`, so that rules see the path that is served.
    pub path: &'r str,
    /// The decoded parameters of the query, in order.
    pub query: &'r [(String, String)],
    /// The client, if its certificate was verified and has a name.
    pub client: Option<&'r ClientIdentity>,
    /// The address of the client, for the log.
    pub address: &'r str,
}

/// The verified certificate of a client.
#[derive(Clone, Debug, Default)]
pub struct ClientIdentity {
    /// The common name.
    pub name: String,
    /// Extensions by short name, such as `pp_cli_auth`, or by OID if they have none.
    pub extensions: HashMap<String, String>,
    /// Alternative names by puppetserver's name of their kind: `dns-name`, `ip`.
    pub alternative_names: HashMap<String, Vec<String>>,
}

/// The kind of alternative names that count as names of the client.
pub(crate) const DNS_NAME: &str = "dns-name";

impl ClientIdentity {
    /// Returns the names by which entries can mean the client: the common name and the alternative DNS names.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        let alternatives = self.alternative_names.get(DNS_NAME).into_iter().flatten();
        std::iter::once(self.name.as_str()).chain(alternatives.map(String::as_str))
    }
}
