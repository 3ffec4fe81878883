//! What code can know of a node, its server and the settings.

use puppetfn_base::error::Error;
use puppetfn_base::limits::Limits;
use puppetfn_project::Environment;
use puppetfn_types::value::{Hash, Value};

/// The version of Puppet that this behaves as.
const SERVER_VERSION: &str = "8.11.0";

/// Returns what is certain of a node of which nothing else is known: its name.
pub(super) fn trusted(node: &str, facts: &Hash) -> Hash {
    let certname = match facts.get_str("clientcert") {
        Some(Value::String(name)) => name.to_string(),
        _ => node.to_owned(),
    };
    let (hostname, domain) = match certname.split_once('.') {
        Some((hostname, domain)) => (hostname.to_owned(), Value::from(domain)),
        None => (certname.clone(), Value::Undef),
    };
    hash([
        ("authenticated", "local".into()),
        ("certname", certname.into()),
        ("extensions", Hash::default().into()),
        ("hostname", hostname.into()),
        ("domain", domain),
        ("external", Hash::default().into()),
    ])
}

/// Returns what is known of the server: `$server_facts`.
pub(super) fn server_facts(environment: &str) -> Hash {
    hash([("serverversion", SERVER_VERSION.into()), ("environment", environment.into())])
}

/// Returns the variables of the top scope that are not facts: the parameters of the node's classifier, and what is
/// known of the server where neither of them says that.
pub(super) fn variables(parameters: &Hash, facts: &Hash, server_facts: &Hash) -> Hash {
    let is_left = |name: &Value| facts.get(name).is_none() && *name != Value::from("environment");
    let server = server_facts.iter().filter(|(name, _)| is_left(name));
    let own = parameters.iter().filter(|(name, _)| **name != Value::from("environment"));
    server.chain(own).map(|(name, value)| (name.clone(), value.clone())).collect()
}

/// Returns what is to be said of facts that parameters of the classifier take the place of.
pub(super) fn overridden(
    node: &str,
    parameters: &Hash,
    facts: &Hash,
    limits: &Limits,
) -> Result<Vec<String>, Error> {
    let mut warnings = Vec::new();
    for (name, fact) in facts.iter() {
        if let Some(set) = parameters.get(name) {
            let (name, set, fact) =
                (name.ruby_to_s(limits)?, set.ruby_to_s(limits)?, fact.ruby_to_s(limits)?);
            warnings.push(format!(
                "The node parameter '{name}' for node '{node}' was already set to '{set}'. It could not be set to \
                 '{fact}'"
            ));
        }
    }
    Ok(warnings)
}

/// Returns what code sees as `$settings::name`.
pub(super) fn settings(environment: &Environment) -> Hash {
    let path = |path: &std::path::Path| Value::from(path.to_string_lossy().into_owned());
    let mut settings = hash([]);
    let modulepath = std::env::join_paths(&environment.modulepath).unwrap_or_default();
    settings.insert("modulepath".into(), modulepath.to_string_lossy().into_owned().into());
    if let Some(manifest) = &environment.manifest {
        settings.insert("manifest".into(), path(manifest));
    }
    if let Some(environments) = environment.directory.as_deref().and_then(std::path::Path::parent) {
        settings.insert("environmentpath".into(), path(environments));
    }
    settings
}

fn hash<const N: usize>(entries: [(&str, Value); N]) -> Hash {
    entries.into_iter().map(|(name, value)| (name.into(), value)).collect()
}
