//! Settings that Puppet 3.8, 4 or 5 had and Puppet 8 ignores.
//!
//! The names are the ones in `lib/puppet/defaults.rb` of Puppet 3.8.5 and 5.5.10 that 8.11 does not have.

/// Settings that something else replaced: their names, and the replacement.
const REPLACED: [(&str, &str); 39] = [
    ("archive_file_server", NO_INSPECT),
    ("archive_files", NO_INSPECT),
    ("async_storeconfigs", PUPPETDB),
    ("bindaddress", SERVER),
    ("ca", "the services.d/ca.cfg of puppetserver"),
    ("catalog_format", FORMAT),
    ("certdnsnames", "dns_alt_names"),
    ("configtimeout", "http_connect_timeout and http_read_timeout"),
    ("couchdb_url", PUPPETDB),
    ("dbadapter", PUPPETDB),
    ("dbconnections", PUPPETDB),
    ("dblocation", PUPPETDB),
    ("dbmigrate", PUPPETDB),
    ("dbname", PUPPETDB),
    ("dbpassword", PUPPETDB),
    ("dbport", PUPPETDB),
    ("dbserver", PUPPETDB),
    ("dbsocket", PUPPETDB),
    ("dbuser", PUPPETDB),
    ("inventory_port", PUPPETDB),
    ("inventory_server", PUPPETDB),
    ("inventory_terminus", PUPPETDB),
    ("manifestdir", "the manifest of environment.conf"),
    ("masterhttplog", SERVER),
    ("node_name", "node_name_value or node_name_fact"),
    ("queue_source", PUPPETDB),
    ("queue_type", PUPPETDB),
    ("rails_loglevel", PUPPETDB),
    ("railslog", PUPPETDB),
    ("report_serialization_format", FORMAT),
    ("reportfrom", TAGMAIL),
    ("rest_authconfig", "the auth.conf of puppetserver"),
    ("sendmail", TAGMAIL),
    ("smtphelo", TAGMAIL),
    ("smtpport", TAGMAIL),
    ("smtpserver", TAGMAIL),
    ("tagmap", TAGMAIL),
    ("templatedir", "the templates of modules"),
    ("thin_storeconfigs", PUPPETDB),
];

/// Settings that nothing replaces.
const WITHOUT_EFFECT: [&str; 33] = [
    "allow_variables_with_dashes",
    "always_cache_features",
    "app_management",
    "binder",
    "capass",
    "caprivatedir",
    "certificate_expire_warning",
    "cfacter",
    "dynamicfacts",
    "future_features",
    "http_compression",
    "httplog",
    "ignorecache",
    "ignoreimport",
    "immutable_node_data",
    "legacy_query_parameter_serialization",
    "listen",
    "localconfig",
    "masterlog",
    "module_skeleton_dir",
    "ordering",
    "parser",
    "puppetport",
    "req_bits",
    "rrddir",
    "rrdinterval",
    "ssl_client_ca_auth",
    "ssl_server_ca_auth",
    "strict_hostname_checking",
    "stringify_facts",
    "trusted_node_data",
    "trusted_server_facts",
    "zlib",
];

const FORMAT: &str = "preferred_serialization_format";
const NO_INSPECT: &str = "file buckets, as there is no puppet inspect";
const PUPPETDB: &str = "PuppetDB";
const SERVER: &str = "the webserver.conf of puppetserver";
const TAGMAIL: &str = "the module puppetlabs-tagmail";

/// Returns the replacement of a setting that Puppet 8 ignores; empty if there is none, `None` for all other settings.
pub(super) fn replacement(name: &str) -> Option<&'static str> {
    let replaced = REPLACED.iter().find(|(setting, _)| *setting == name);
    replaced.map(|(_, by)| *by).or_else(|| WITHOUT_EFFECT.contains(&name).then_some(""))
}

#[cfg(test)]
mod tests {
    use super::*;
    use puppetfn_base::target::Target;
    use puppetfn_runtime::settings;

    #[test]
    fn no_release_has_them() {
        let names: Vec<&str> = REPLACED.iter().map(|(name, _)| *name).chain(WITHOUT_EFFECT).collect();
        let known = |name: &&str| settings::is_known(name, Target::default());
        assert_eq!(names.into_iter().filter(known).collect::<Vec<_>>(), [""; 0]);
    }
}
