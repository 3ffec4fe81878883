//! The facts that Puppet 8 leaves out by default, because structured facts have their values.

use std::collections::HashMap;
use std::sync::LazyLock;

/// The names of such facts, and the paths of their values in present facts.
const LEGACY: [(&str, &str); 104] = [
    ("architecture", "os.architecture"),
    ("augeasversion", "augeas.version"),
    ("bios_release_date", "dmi.bios.release_date"),
    ("bios_vendor", "dmi.bios.vendor"),
    ("bios_version", "dmi.bios.version"),
    ("boardassettag", "dmi.board.asset_tag"),
    ("boardmanufacturer", "dmi.board.manufacturer"),
    ("boardproductname", "dmi.board.product"),
    ("boardserialnumber", "dmi.board.serial_number"),
    ("chassisassettag", "dmi.chassis.asset_tag"),
    ("chassistype", "dmi.chassis.type"),
    ("domain", "networking.domain"),
    ("fqdn", "networking.fqdn"),
    ("gid", "identity.group"),
    ("hardwareisa", "processors.isa"),
    ("hardwaremodel", "os.hardware"),
    ("hostname", "networking.hostname"),
    ("id", "identity.user"),
    ("ipaddress", "networking.ip"),
    ("ipaddress6", "networking.ip6"),
    ("lsbdistcodename", "os.distro.codename"),
    ("lsbdistdescription", "os.distro.description"),
    ("lsbdistid", "os.distro.id"),
    ("lsbdistrelease", "os.distro.release.full"),
    ("lsbmajdistrelease", "os.distro.release.major"),
    ("lsbminordistrelease", "os.distro.release.minor"),
    ("lsbrelease", "os.distro.specification"),
    ("macaddress", "networking.mac"),
    ("macosx_buildversion", "os.macosx.build"),
    ("macosx_productname", "os.macosx.product"),
    ("macosx_productversion", "os.macosx.version.full"),
    ("macosx_productversion_major", "os.macosx.version.major"),
    ("macosx_productversion_minor", "os.macosx.version.minor"),
    ("manufacturer", "dmi.manufacturer"),
    ("memoryfree", "memory.system.available"),
    ("memorysize", "memory.system.total"),
    ("netmask", "networking.netmask"),
    ("netmask6", "networking.netmask6"),
    ("network", "networking.network"),
    ("network6", "networking.network6"),
    ("operatingsystem", "os.name"),
    ("operatingsystemmajrelease", "os.release.major"),
    ("operatingsystemrelease", "os.release.full"),
    ("osfamily", "os.family"),
    ("physicalprocessorcount", "processors.physicalcount"),
    ("processorcount", "processors.count"),
    ("productname", "dmi.product.name"),
    ("rubyplatform", "ruby.platform"),
    ("rubysitedir", "ruby.sitedir"),
    ("rubyversion", "ruby.version"),
    ("scope6", "networking.scope6"),
    ("selinux", "os.selinux.enabled"),
    ("selinux_config_mode", "os.selinux.config_mode"),
    ("selinux_config_policy", "os.selinux.config_policy"),
    ("selinux_current_mode", "os.selinux.current_mode"),
    ("selinux_enforced", "os.selinux.enforced"),
    ("selinux_policyversion", "os.selinux.policy_version"),
    ("serialnumber", "dmi.product.serial_number"),
    ("sp_boot_mode", "system_profiler.boot_mode"),
    ("sp_boot_rom_version", "system_profiler.boot_rom_version"),
    ("sp_boot_volume", "system_profiler.boot_volume"),
    ("sp_cpu_type", "system_profiler.processor_name"),
    ("sp_current_processor_speed", "system_profiler.processor_speed"),
    ("sp_kernel_version", "system_profiler.kernel_version"),
    ("sp_l2_cache_core", "system_profiler.l2_cache_per_core"),
    ("sp_l3_cache", "system_profiler.l3_cache"),
    ("sp_local_host_name", "system_profiler.computer_name"),
    ("sp_machine_model", "system_profiler.model_identifier"),
    ("sp_machine_name", "system_profiler.model_name"),
    ("sp_number_processors", "system_profiler.cores"),
    ("sp_os_version", "system_profiler.system_version"),
    ("sp_packages", "system_profiler.processors"),
    ("sp_physical_memory", "system_profiler.memory"),
    ("sp_platform_uuid", "system_profiler.hardware_uuid"),
    ("sp_secure_vm", "system_profiler.secure_virtual_memory"),
    ("sp_serial_number", "system_profiler.serial_number"),
    ("sp_smc_version_system", "system_profiler.smc_version"),
    ("sp_uptime", "system_profiler.uptime"),
    ("sp_user_name", "system_profiler.username"),
    ("sshdsakey", "ssh.dsa.key"),
    ("sshecdsakey", "ssh.ecdsa.key"),
    ("sshed25519key", "ssh.ed25519.key"),
    ("sshfp_dsa", "ssh.dsa.fingerprints"),
    ("sshfp_ecdsa", "ssh.ecdsa.fingerprints"),
    ("sshfp_ed25519", "ssh.ed25519.fingerprints"),
    ("sshfp_rsa", "ssh.rsa.fingerprints"),
    ("sshrsakey", "ssh.rsa.key"),
    ("swapencrypted", "memory.swap.encrypted"),
    ("swapfree", "memory.swap.available"),
    ("swapsize", "memory.swap.total"),
    ("system32", "os.windows.system32"),
    ("uptime", "system_uptime.uptime"),
    ("uptime_days", "system_uptime.days"),
    ("uptime_hours", "system_uptime.hours"),
    ("uptime_seconds", "system_uptime.seconds"),
    ("uuid", "dmi.product.uuid"),
    ("windows_display_version", "os.windows.display_version"),
    ("windows_edition_id", "os.windows.edition_id"),
    ("windows_installation_type", "os.windows.installation_type"),
    ("windows_product_id", "os.windows.product_id"),
    ("windows_product_name", "os.windows.product_name"),
    ("windows_release_id", "os.windows.release_id"),
    ("xendomains", "xen.domains"),
    ("zonename", "solaris_zones.current"),
];

/// Facts that are left out and have no other with the same value.
const GONE: [&str; 11] = [
    "blockdevices",
    "cfkey",
    "dhcp_servers",
    "interfaces",
    "macosx_productversion_patch",
    "memoryfree_mb",
    "memorysize_mb",
    "ps",
    "swapfree_mb",
    "swapsize_mb",
    "zones",
];

/// The facts of each network interface, before its name, and the keys of their values.
const OF_INTERFACES: [(&str, &str); 9] = [
    ("ipaddress_", "ip"),
    ("ipaddress6_", "ip6"),
    ("macaddress_", "mac"),
    ("mtu_", "mtu"),
    ("netmask_", "netmask"),
    ("netmask6_", "netmask6"),
    ("network_", "network"),
    ("network6_", "network6"),
    ("scope6_", "scope6"),
];

/// The facts of each disk, after its name, and the keys of their values.
const OF_DISKS: [(&str, &str); 3] = [("_model", "model"), ("_size", "size_bytes"), ("_vendor", "vendor")];

/// The facts of each zone of Solaris, after its name.
const OF_ZONES: [&str; 7] = ["_brand", "_id", "_iptype", "_name", "_path", "_status", "_uuid"];

/// The hashes in which structured facts of all nodes have their values.
const ON_ALL_NODES: [&str; 6] = ["networking", "os", "os.release", "processors", "ruby", "system_uptime"];

/// Returns true if a fact is left out by default.
pub(super) fn is_legacy(name: &str) -> bool {
    let is_of_many = || {
        let zone = name.strip_prefix("zone_");
        name.starts_with("ldom_")
            || name.starts_with("sp_")
            || zone.is_some_and(|rest| OF_ZONES.iter().any(|end| rest.strip_suffix(end).is_some_and(is_name)))
    };
    simple(name).is_some() || is_of_many() || of_many(name).is_some()
}

/// Returns the path of the value of a fact with a name of its own; `Some(None)` if nothing has the same value.
fn simple(name: &str) -> Option<Option<&'static str>> {
    static PATHS: LazyLock<HashMap<&str, Option<&str>>> = LazyLock::new(|| {
        let gone = GONE.into_iter().map(|name| (name, None));
        LEGACY.into_iter().map(|(name, path)| (name, Some(path))).chain(gone).collect()
    });
    PATHS.get(name).copied()
}

/// Returns the code for the value of a legacy fact, if there is any.
pub(super) fn replacement(name: &str) -> Option<String> {
    Some(access("$facts", &path(name)?))
}

/// Returns the code, in Puppet and Ruby, for a value at a path in a hash of facts: `$facts['os']['family']`, or
/// `$facts.dig('ssh', 'dsa', 'key')` if a node need not have a hash on the way. An entry of a missing hash is an error.
pub(super) fn access(facts: &str, path: &str) -> String {
    let keys = path.split('.').map(key);
    if is_certain(path) {
        keys.fold(facts.to_owned(), |code, key| format!("{code}[{key}]"))
    } else {
        format!("{facts}.dig({})", keys.collect::<Vec<_>>().join(", "))
    }
}

/// Returns true if all nodes have the hash in which a path ends.
pub(super) fn is_certain(path: &str) -> bool {
    path.rsplit_once('.').is_none_or(|(parent, _)| ON_ALL_NODES.contains(&parent))
}

/// Returns the path of the value of a legacy fact in `$facts`, if there is any: `os.family`.
pub(super) fn path(name: &str) -> Option<String> {
    match simple(name) {
        Some(path) => path.map(str::to_owned),
        None => of_many(name),
    }
}

fn key(name: &str) -> String {
    if name.bytes().all(|byte| byte.is_ascii_digit()) { name.to_owned() } else { format!("'{name}'") }
}

/// Returns the path of the value of a fact that there is for each interface, disk or processor.
fn of_many(name: &str) -> Option<String> {
    let of_interface = OF_INTERFACES.iter().find_map(|(start, key)| {
        let interface = name.strip_prefix(start).filter(|interface| is_name(interface))?;
        Some(format!("networking.interfaces.{interface}.{key}"))
    });
    let of_disk = || {
        let rest = name.strip_prefix("blockdevice_")?;
        let (disk, key) = OF_DISKS.iter().find_map(|(end, key)| Some((rest.strip_suffix(end)?, key)))?;
        is_name(disk).then(|| format!("disks.{disk}.{key}"))
    };
    let of_processor = || {
        let number = name.strip_prefix("processor").filter(|number| !number.is_empty())?;
        number.bytes().all(|byte| byte.is_ascii_digit()).then(|| format!("processors.models.{number}"))
    };
    of_interface.or_else(of_disk).or_else(of_processor)
}

/// Returns true for a name that legacy facts have unchanged. An underscore in them may be a dot, a colon or a dash.
fn is_name(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The legacy facts in the source code of Facter 4.3, with an example of each pattern.
    const OF_FACTER: &str = include_str!("legacy_facts/facter_4_3.txt");

    #[test]
    fn all_legacy_facts_of_facter_are_known() {
        assert_eq!(OF_FACTER.lines().count(), 135);
        let unknown: Vec<_> = OF_FACTER.lines().filter(|name| !is_legacy(name)).collect();
        assert_eq!(unknown, [""; 0]);
    }

    #[test]
    fn facts_of_many_have_paths() {
        for (name, code) in [
            ("ipaddress_eth0", "$facts.dig('networking', 'interfaces', 'eth0', 'ip')"),
            ("mtu_lo", "$facts.dig('networking', 'interfaces', 'lo', 'mtu')"),
            ("blockdevice_sda_size", "$facts.dig('disks', 'sda', 'size_bytes')"),
            ("processor0", "$facts.dig('processors', 'models', 0)"),
            ("sshdsakey", "$facts.dig('ssh', 'dsa', 'key')"),
            ("osfamily", "$facts['os']['family']"),
        ] {
            assert_eq!(replacement(name).as_deref(), Some(code));
        }
        for name in ["interfaces", "sp_other", "zone_global_brand", "ldom_domainname", "memorysize_mb"] {
            assert!(is_legacy(name) && replacement(name).is_none(), "{name}");
        }
        for name in
            ["processors", "processorcounts", "kernel", "zone_x", "ipaddress_", "mtu_eth0_100", "networking"]
        {
            assert!(!is_legacy(name), "{name}");
        }
    }
}
