//! The names of variables that no code sets: facts, and variables of the runtime.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use regex::Regex;

use super::near::is_slip;
use puppetfn_runtime::loader::Loader;

/// The variables that Puppet itself sets at the top level.
const TOP: [&str; 16] = [
    "name",
    "title",
    "facts",
    "trusted",
    "server_facts",
    "environment",
    "clientcert",
    "clientversion",
    "clientnoop",
    "agent_specified_environment",
    "servername",
    "serverip",
    "serverip6",
    "serverversion",
    "module_name",
    "caller_module_name",
];

/// The facts that Facter finds, including facts of its older versions.
const FACTS: [&str; 123] = [
    "aio_agent_build",
    "aio_agent_version",
    "architecture",
    "augeas",
    "augeasversion",
    "az_metadata",
    "bios_release_date",
    "bios_vendor",
    "bios_version",
    "blockdevices",
    "boardassettag",
    "boardmanufacturer",
    "boardproductname",
    "boardserialnumber",
    "chassisassettag",
    "chassistype",
    "cloud",
    "dhcp_servers",
    "dmi",
    "disks",
    "domain",
    "ec2_metadata",
    "ec2_userdata",
    "env_windows_installdir",
    "facterversion",
    "filesystems",
    "fips_enabled",
    "fqdn",
    "gce",
    "gid",
    "hardwareisa",
    "hardwaremodel",
    "hostname",
    "hypervisors",
    "id",
    "identity",
    "interfaces",
    "ipaddress",
    "ipaddress6",
    "is_virtual",
    "kernel",
    "kernelmajversion",
    "kernelrelease",
    "kernelversion",
    "ldom",
    "load_averages",
    "lsbdistcodename",
    "lsbdistdescription",
    "lsbdistid",
    "lsbdistrelease",
    "lsbmajdistrelease",
    "lsbminordistrelease",
    "lsbrelease",
    "macaddress",
    "manufacturer",
    "memory",
    "memoryfree",
    "memoryfree_mb",
    "memorysize",
    "memorysize_mb",
    "mountpoints",
    "mtu",
    "netmask",
    "netmask6",
    "network",
    "network6",
    "networking",
    "nim_type",
    "operatingsystem",
    "operatingsystemmajrelease",
    "operatingsystemrelease",
    "os",
    "osfamily",
    "package_provider",
    "partitions",
    "path",
    "physicalprocessorcount",
    "processor",
    "processorcount",
    "processors",
    "productname",
    "ps",
    "puppetversion",
    "rackspace",
    "rackspace_id",
    "ruby",
    "rubyplatform",
    "rubysitedir",
    "rubyversion",
    "scope6",
    "selinux",
    "selinux_config_mode",
    "selinux_config_policy",
    "selinux_current_mode",
    "selinux_enforced",
    "selinux_policyversion",
    "serialnumber",
    "service_provider",
    "solaris_zones",
    "ssh",
    "sshdsakey",
    "sshecdsakey",
    "sshed25519key",
    "sshrsakey",
    "swapencrypted",
    "swapfree",
    "swapfree_mb",
    "swapsize",
    "swapsize_mb",
    "system32",
    "system_profiler",
    "system_uptime",
    "timezone",
    "uptime",
    "uptime_days",
    "uptime_hours",
    "uptime_seconds",
    "uuid",
    "virtual",
    "xendomains",
    "zfs_featurenumbers",
    "zfs_version",
    "zonename",
];

/// Returns true for variables of the top scope on all nodes: Puppet's and Facter's.
fn is_everywhere(name: &str) -> bool {
    static NAMES: LazyLock<HashSet<&str>> = LazyLock::new(|| TOP.into_iter().chain(FACTS).collect());
    NAMES.contains(name)
}

/// Structured facts of Facter's schema: a line has a fact or an entry of it, and the names in it; or a type, and the facts
/// and entries that have values of it on all nodes, if they have any.
const STRUCTURE: &str = include_str!("fact_structure.txt");

/// The names in structured facts, and the types of facts, by their paths.
#[derive(Default)]
struct FactStructure {
    members: HashMap<&'static str, Vec<&'static str>>,
    types: HashMap<&'static str, &'static str>,
}

impl FactStructure {
    fn known() -> &'static Self {
        static KNOWN: LazyLock<FactStructure> = LazyLock::new(|| {
            let mut known = FactStructure::default();
            for line in STRUCTURE.lines() {
                if let Some((path, members)) = line.split_once(": ") {
                    known.members.insert(path, members.split(' ').collect());
                    known.types.insert(path, "Hash");
                } else if let Some((t, paths)) = line.split_once(" = ") {
                    known.types.extend(paths.split(' ').map(|path| (path, t)));
                }
            }
            known
        });
        &KNOWN
    }
}

/// Returns the names in a structured fact, or in an entry of one, if they are the same on all nodes.
pub(super) fn members_of_fact(path: &str) -> Option<&'static [&'static str]> {
    FactStructure::known().members.get(path).map(Vec::as_slice)
}

/// Returns the name of the type of a fact, or of an entry of one, as far as it is the same on all nodes that have it.
pub(super) fn type_of_fact(path: &str) -> Option<&'static str> {
    FactStructure::known().types.get(path).copied()
}

/// Prefixes of the names of facts of which there can be several.
const FAMILIES: [&str; 24] = [
    "blockdevice_",
    "cloud_",
    "dhcp_",
    "ec2_",
    "gce_",
    "ipaddress6_",
    "ipaddress_",
    "ldom_",
    "lsb",
    "macaddress_",
    "macosx_",
    "mtu_",
    "netmask6_",
    "netmask_",
    "network6_",
    "network_",
    "processor",
    "rackspace_",
    "scope6_",
    "sp_",
    "sshfp_",
    "windows_",
    "zone_",
    "zpool_",
];

/// The names of facts, including facts that modules add.
#[derive(Debug)]
pub(super) struct FactNames {
    names: HashSet<String>,
    /// Prefixes of the names of facts that Ruby code computes.
    families: Vec<String>,
    /// Whether a module adds facts whose names cannot be told.
    is_open: bool,
}

impl FactNames {
    /// Returns the facts with these modules.
    pub fn of(loader: &Loader) -> Self {
        let mut facts = Self { names: HashSet::new(), families: Vec::new(), is_open: false };
        let Ok(files) = loader.fact_files() else { return Self { is_open: true, ..facts } };
        for file in files {
            match file.extension().and_then(|extension| extension.to_str()) {
                Some("rb") => match loader.read_file(&file) {
                    Ok(text) => facts.add_ruby(&String::from_utf8_lossy(&text)),
                    Err(_) => facts.is_open = true,
                },
                // The facts of a data file or a program are only known by running it.
                _ => facts.is_open |= file.parent().is_some_and(|directory| directory.ends_with("facts.d")),
            }
        }
        facts
    }

    fn add_ruby(&mut self, text: &str) {
        static ADDED: LazyLock<Option<Regex>> = LazyLock::new(|| {
            Regex::new(r#"Facter\s*\.\s*add\s*\(?\s*(?::(\w+)|:?'(\w+)'|:?"(\w*)("|#\{)|(\S))"#).ok()
        });
        let Some(added) = &*ADDED else { return self.is_open = true };
        for found in added.captures_iter(text) {
            let group = |number| found.get(number).map(|group: regex::Match<'_>| group.as_str());
            match (group(1).or(group(2)), group(3), group(4)) {
                (Some(name), ..) => _ = self.names.insert(name.to_lowercase()),
                (None, Some(name), Some("\"")) => _ = self.names.insert(name.to_lowercase()),
                (None, Some(name), _) if !name.is_empty() => self.families.push(name.to_lowercase()),
                _ => self.is_open = true,
            }
        }
    }

    /// Returns all known names.
    pub fn all(&self) -> impl Iterator<Item = &str> {
        FACTS.into_iter().chain(self.names.iter().map(String::as_str))
    }

    /// Returns true if a module adds a fact of this name.
    pub fn is_of_module(&self, name: &str) -> bool {
        self.names.contains(name)
    }

    /// Returns true if a variable of this name may be there though no code sets it.
    pub fn may_be(&self, name: &str) -> bool {
        self.is_open
            || is_everywhere(name)
            || self.names.contains(name)
            || FAMILIES.iter().any(|family| name.starts_with(family))
            || self.families.iter().any(|family| name.starts_with(family))
    }

    /// Returns the fact that is meant by a name that is a slip away from it and that none has.
    pub fn misspelt(&self, name: &str) -> Option<&'static str> {
        let mut near = FACTS.into_iter().filter(|fact| is_slip(name, fact));
        if self.may_be(name) { None } else { near.next() }
    }
}
