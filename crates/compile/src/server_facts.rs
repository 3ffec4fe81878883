//! Facts of the server that compiles: `$server_facts`. See Puppet's `node/server_facts.rb`.

use std::collections::BTreeMap;
use std::net::UdpSocket;
use std::sync::LazyLock;

use puppetfn_base::target::{Difference, Target};
use puppetfn_runtime::settings::machine_name;
use puppetfn_types::value::Hash;
use serde::{Deserialize, Serialize};

const ENVIRONMENT: &str = "environment";
const VERSION: &str = "serverversion";
const IMPLEMENTATION: &str = "serverimplementation";
/// The facts besides the environment, in Puppet's order.
const NAMES: [&str; 5] = [VERSION, IMPLEMENTATION, "servername", "serverip", "serverip6"];

/// Facts of the server by name: `servername`, `serverip`, `serverip6`, `serverversion`, `serverimplementation`. They override the facts of this machine; a fact
/// without a value is left out.
///
/// ```
/// use puppetfn_base::target::Target;
/// use puppetfn_compile::ServerFacts;
/// use puppetfn_types::value::Value;
///
/// let mut facts = ServerFacts::default();
/// facts.set("servername", "puppet.example.com")?;
/// let found = facts.of_environment("production", Target::Puppet8);
/// assert_eq!(found.get_str("servername"), Some(&Value::from("puppet.example.com")));
/// assert_eq!(found.get_str("environment"), Some(&Value::from("production")));
/// assert!(facts.set("hostname", "puppet").is_err());
/// # Ok::<(), String>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ServerFacts(BTreeMap<String, String>);

/// The facts of this machine, without the software on it.
static OF_MACHINE: LazyLock<Vec<(&'static str, String)>> = LazyLock::new(|| {
    let found =
        [Some(machine_name()), address("0.0.0.0:0", "192.0.2.1:9"), address("[::]:0", "[2001:db8::1]:9")];
    NAMES.into_iter().skip(2).zip(found).filter_map(|(name, value)| Some((name, value?))).collect()
});

impl ServerFacts {
    /// Sets a fact; an empty value leaves it out.
    ///
    /// # Errors
    /// Fails if the fact does not exist.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), String> {
        if !NAMES.contains(&name) {
            return Err(format!("expected {}, got '{name}'", NAMES.join(", ")));
        }
        self.0.insert(name.to_owned(), value.to_owned());
        Ok(())
    }

    /// Returns `$server_facts` for nodes of an environment, on a server of a release.
    pub fn of_environment(&self, environment: &str, target: Target) -> Hash {
        let own = |name: &str| self.0.get(name).map(String::as_str);
        let machine = |name: &str| match name {
            VERSION => Some(target.version()),
            IMPLEMENTATION => target.implementation().filter(|_| target.has(Difference::ImplementationFacts)),
            _ => {
                let mut found = OF_MACHINE.iter().filter(|(known, _)| *known == name);
                found.next().map(|(_, value)| value.as_str())
            }
        };
        let facts = NAMES.into_iter().filter_map(|name| {
            let value = own(name).or_else(|| machine(name)).filter(|value| !value.is_empty())?;
            Some((name.into(), value.into()))
        });
        facts.chain([(ENVIRONMENT.into(), environment.into())]).collect()
    }
}

/// Returns the address of the interface that traffic to other networks leaves by. Nothing is sent.
fn address(own: &str, other: &str) -> Option<String> {
    let socket = UdpSocket::bind(own).ok()?;
    socket.connect(other).ok()?;
    Some(socket.local_addr().ok()?.ip().to_string())
}
