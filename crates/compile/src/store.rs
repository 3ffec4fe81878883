//! Stores facts and catalogs in a live PuppetDB, as a server does that compiles a catalog for an agent.

use jiff::Timestamp;
use puppetfn_base::error::Error;
use puppetfn_catalog::{Draft, Identity};
use puppetfn_puppetdb::client::Client;
use puppetfn_puppetdb::commands::{Sender, StoredCatalog, replace_catalog, replace_facts};
use puppetfn_runtime::settings;
use puppetfn_types::value::Value;

use crate::{LogEntry, Options};

/// Submits the commands that replace the facts and the catalog of a node.
///
/// # Errors
/// Fails if PuppetDB does not accept them, or the catalog has a relationship that it does not accept.
pub(crate) fn store(
    client: &Client,
    draft: &Draft,
    identity: &Identity,
    transaction_uuid: Option<&str>,
    options: &Options,
    log: &mut Vec<LogEntry>,
) -> Result<(), Error> {
    let Options { facts, trusted, limits, .. } = options;
    let producer = match settings::resolve(&options.settings)?.get_str("certname") {
        Some(Value::String(name)) => name.to_string(),
        _ => String::new(),
    };
    let sender = Sender { producer, time: Timestamp::now() };
    let catalog = StoredCatalog {
        draft,
        environment: &identity.environment,
        version: &identity.version,
        uuid: &identity.uuid,
        code_id: identity.code_id.as_deref(),
        transaction_uuid,
    };
    let mut warn = |warning| log.push(LogEntry::warning(warning));
    let facts = replace_facts(draft.node(), &identity.environment, facts, trusted, &sender, limits)?;
    let catalog = replace_catalog(&catalog, &sender, limits)?;
    client.submit(&facts, &mut warn)?;
    client.submit(&catalog, &mut warn)
}
