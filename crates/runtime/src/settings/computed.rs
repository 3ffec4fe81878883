//! Default values that depend on the machine and on the user who runs the program. See Puppet's `util/run_mode.rb` and
//! `defaults.rb`.
#![allow(
    clippy::disallowed_methods,
    reason = "Puppet's defaults depend on the machine: its name, the user's home, files of an installation"
)]

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use puppetfn_base::target::{Difference, Target};
use puppetfn_types::value::Value;

/// Digests of machines without the restrictions of FIPS 140-2.
const DIGESTS: [&str; 5] = ["sha256", "sha384", "sha512", "sha224", "md5"];
/// The one that FIPS 140-2 does not allow, the last of [`DIGESTS`].
const WITHOUT_FIPS: &str = "md5";
const FIPS: &str = "/proc/sys/crypto/fips_enabled";

/// Returns the default of a setting of a release. `other` gives the value of another setting as text.
pub(super) fn default(name: &str, target: Target, other: &mut dyn FnMut(&str) -> Option<String>) -> Value {
    match name {
        "confdir" => place("/etc/puppetlabs/puppet", "etc/puppet"),
        "codedir" => place("/etc/puppetlabs/code", "etc/code"),
        "vardir" => place("/opt/puppetlabs/puppet/cache", "opt/puppet/cache"),
        "publicdir" => place("/opt/puppetlabs/puppet/public", "opt/puppet/public"),
        "rundir" => rundir(target),
        "server" => if MACHINE.is_root { "puppet" } else { "" }.into(),
        "logdir" => place("/var/log/puppetlabs/puppet", "var/log"),
        "diff_args" => "-u".into(),
        "digest_algorithm" => "sha256".into(),
        "supported_checksum_types" => digests(),
        "basemodulepath" => "$codedir/modules:/opt/puppetlabs/puppet/modules".into(),
        "vendormoduledir" => "/opt/puppetlabs/puppet/vendor_modules".into(),
        "http_user_agent" => format!("Puppet/{}", target.version()).into(),
        "certname" => MACHINE.certname().into(),
        "srv_domain" => MACHINE.domain.clone().map_or(Value::Undef, Value::from),
        "cadir" => cadir(other("ssldir")),
        "hiera_config" => hiera_config(other("codedir"), other("confdir")),
        _ => Value::Undef,
    }
}

fn rundir(target: Target) -> Value {
    let of_service = || env::var("RUNTIME_DIRECTORY").ok();
    match target.has(Difference::RuntimeDirectory).then(of_service).flatten() {
        Some(directory) => directory.into(),
        None => place("/var/run/puppetlabs", "var/run"),
    }
}

/// Returns a directory of the system for root, and one below the home directory for other users.
fn place(system: &str, of_user: &str) -> Value {
    if MACHINE.is_root { system.into() } else { format!("~/.puppetlabs/{of_user}").into() }
}

/// Returns the home directory of the user.
pub(super) fn home() -> PathBuf {
    std::env::home_dir().unwrap_or_else(|| PathBuf::from("/"))
}

fn digests() -> Value {
    let is_restricted = fs::read(FIPS).is_ok_and(|text| text.starts_with(b"1"));
    let allowed = DIGESTS.iter().filter(|name| !is_restricted || **name != WITHOUT_FIPS);
    Value::Array(allowed.map(|name| Value::from(*name)).collect::<Vec<_>>().into())
}

fn cadir(ssldir: Option<String>) -> Value {
    let old = PathBuf::from(ssldir.unwrap_or_default()).join("ca");
    if !old.exists() {
        return "/etc/puppetlabs/puppetserver/ca".into();
    }
    fs::read_link(&old).unwrap_or(old).to_string_lossy().into_owned().into()
}

fn hiera_config(codedir: Option<String>, confdir: Option<String>) -> Value {
    let file = |directory: String| Path::new(&directory).join("hiera.yaml");
    let of_code = codedir.map(file).filter(|file| file.exists());
    let found = of_code.or_else(|| confdir.map(file)).unwrap_or_default();
    found.to_string_lossy().into_owned().into()
}

/// The machine that the program runs on.
struct HostMachine {
    is_root: bool,
    hostname: String,
    domain: Option<String>,
}

/// Returns the name of this machine with its domain, as Facter finds it where no name server has to be asked.
pub fn machine_name() -> String {
    MACHINE.qualified()
}

static MACHINE: LazyLock<HostMachine> = LazyLock::new(|| {
    let name = node_name();
    let (hostname, domain) = match name.split_once('.') {
        Some((hostname, domain)) => (hostname.to_owned(), Some(domain.to_owned())),
        None => (name.clone(), domain_of(&name)),
    };
    HostMachine { is_root: is_root(), hostname, domain }
});

impl HostMachine {
    fn qualified(&self) -> String {
        match &self.domain {
            Some(domain) => format!("{}.{domain}", self.hostname),
            None => self.hostname.clone(),
        }
    }

    fn certname(&self) -> String {
        self.qualified().trim_end_matches('.').to_lowercase()
    }
}

#[cfg(unix)]
fn is_root() -> bool {
    rustix::process::geteuid().is_root()
}

#[cfg(not(unix))]
fn is_root() -> bool {
    false
}

#[cfg(unix)]
fn node_name() -> String {
    rustix::system::uname().nodename().to_string_lossy().into_owned()
}

#[cfg(not(unix))]
fn node_name() -> String {
    "localhost".to_owned()
}

/// Returns the domain of a machine, as Facter finds it where no server of names has to be asked: from `/etc/hosts` and
/// `/etc/resolv.conf`.
fn domain_of(hostname: &str) -> Option<String> {
    let hosts = fs::read_to_string("/etc/hosts").unwrap_or_default();
    let resolver = fs::read_to_string("/etc/resolv.conf").unwrap_or_default();
    domain_in_hosts(hostname, &hosts).or_else(|| domain_in_resolver(&resolver))
}

fn domain_in_hosts(hostname: &str, hosts: &str) -> Option<String> {
    let lines = hosts.lines().map(|line| line.split('#').next().unwrap_or_default());
    let names = lines.filter_map(|line| {
        let names: Vec<&str> = line.split_whitespace().skip(1).collect();
        names.contains(&hostname).then(|| names.first().copied()).flatten()
    });
    names.into_iter().find_map(|name| Some(name.strip_prefix(hostname)?.strip_prefix('.')?.to_owned()))
}

fn domain_in_resolver(resolver: &str) -> Option<String> {
    let entry = |keyword: &str| {
        resolver.lines().find_map(|line| {
            let mut words = line.split_whitespace();
            (words.next() == Some(keyword)).then(|| words.next()).flatten()
        })
    };
    entry("domain").or_else(|| entry("search")).map(|name| name.trim_end_matches('.').to_owned())
}

#[cfg(test)]
mod tests {
    use super::{domain_in_hosts, domain_in_resolver};

    #[test]
    fn the_domain_is_that_of_the_hosts_file_or_of_the_resolver() {
        let hosts = "127.0.0.1 localhost # web\n10.0.0.1 web.example.com web\n";
        assert_eq!(domain_in_hosts("web", hosts).as_deref(), Some("example.com"));
        assert_eq!(domain_in_hosts("db", hosts), None);
        assert_eq!(domain_in_resolver("search a.example. b\n").as_deref(), Some("a.example"));
        assert_eq!(domain_in_resolver("search a\ndomain c\n").as_deref(), Some("c"));
        assert_eq!(domain_in_resolver("nameserver 10.0.0.2\n"), None);
    }
}
