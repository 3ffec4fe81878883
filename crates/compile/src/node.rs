//! The data of a node, its server and the settings that code can read.

use puppetfn_base::error::{Error, ErrorKind};
use puppetfn_base::limits::Limits;
use puppetfn_base::target::{Difference, Target};
use puppetfn_types::value::{Hash, Value};

/// Variables that the compiler sets itself: `$facts` and the like before the parameters of a node, and the variables of the main class
/// after these.
const RESERVED: [&str; 2] = ["facts", "server_facts"];
const TRUSTED: &str = "trusted";
const OF_MAIN: [&str; 3] = ["module_name", "title", "name"];
const ENVIRONMENT: &str = "environment";

/// Returns the trusted facts of a node without a certificate, derived from its name.
pub fn trusted(node: &str, facts: &Hash) -> Hash {
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

/// Returns the facts that an agent adds to Facter's. See Puppet's `node/facts.rb`.
pub(crate) fn local_facts(node: &str, facts: &Hash, noop: bool, target: Target) -> Hash {
    let version = facts.get_str("puppetversion").cloned().unwrap_or_else(|| target.version().into());
    let mut all =
        hash([("clientcert", node.into()), ("clientversion", version), ("clientnoop", noop.into())]);
    if target.has(Difference::ImplementationFacts)
        && let Some(name) = target.implementation()
    {
        all.insert("implementation".into(), name.into());
    }
    all
}

/// Adds them to the output of Facter. Other facts are complete as they are.
pub(crate) fn add_local_facts(facts: &mut Hash, local: &Hash) {
    if facts.get_str("facterversion").is_some() {
        for (name, value) in local.iter() {
            facts.get_or_insert_with(name.clone(), || value.clone());
        }
    }
}

/// Returns the variables of the top scope that are not facts: the parameters of the node's classifier, and data about
/// the agent and the server that neither facts nor parameters have.
pub(crate) fn variables(parameters: &Hash, facts: &Hash, local: &Hash, server_facts: &Hash) -> Hash {
    let is_own = |name: &Value| *name != Value::from(ENVIRONMENT) && *name != Value::from(TRUSTED);
    let is_left = |name: &Value| facts.get(name).is_none() && is_own(name);
    let added = local.iter().chain(server_facts.iter()).filter(|(name, _)| is_left(name));
    let own = parameters.iter().filter(|(name, _)| is_own(name));
    added.chain(own).map(|(name, value)| (name.clone(), value.clone())).collect()
}

/// Returns warnings about facts that parameters of the classifier override.
pub(crate) fn overridden(
    node: &str,
    environment: &str,
    parameters: &Hash,
    facts: &Hash,
    limits: &Limits,
) -> Result<Vec<String>, Error> {
    let environment = Value::from(environment);
    let mut warnings = Vec::new();
    for (name, fact) in facts.iter() {
        // The environment of a node is a parameter, whatever the classifier says.
        let set = if *name == Value::from(ENVIRONMENT) { Some(&environment) } else { parameters.get(name) };
        if let Some(set) = set {
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

/// Returns why a node cannot be compiled for the names of its parameters and facts. See Puppet's `Compiler#set_node_parameters` and
/// `Resource::Type#set_resource_parameters`.
pub(crate) fn refusal(parameters: &Hash, facts: &Hash) -> Option<Error> {
    let refused = |message: String| Some(Error::new(ErrorKind::Evaluation, message));
    for (name, value) in parameters.iter().chain(facts.iter()) {
        let Value::String(name) = name else { continue };
        if !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_digit()) {
            return refused(format!("Cannot assign to a numeric match result variable '${name}'"));
        }
        // Puppet takes `trusted` out of the parameters, unless it looks like none.
        let is_absent = matches!(value, Value::Boolean(false) | Value::Undef);
        if RESERVED.contains(&&**name) || **name == *TRUSTED && is_absent {
            return refused(format!("Attempt to assign to a reserved variable name: '{name}'"));
        }
    }
    let is_set = |name: &str| parameters.get_str(name).or_else(|| facts.get_str(name)).is_some();
    let set_again = OF_MAIN.into_iter().find(|name| is_set(name))?;
    refused(format!("Cannot reassign variable '${set_again}'"))
}

fn hash<const N: usize>(entries: [(&str, Value); N]) -> Hash {
    entries.into_iter().map(|(name, value)| (name.into(), value)).collect()
}
