//! Puppet's settings of a server for agents.
#![allow(
    clippy::wildcard_enum_match_arm,
    reason = "data is asked for a few kinds of values, and treats all others alike"
)]

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};

use puppetfn_base::file_system::StdFileSystem;
use puppetfn_base::limits::Limits;
use puppetfn_compile::Configuration;
use puppetfn_runtime::settings;
use puppetfn_serve::{AuthorizationRules, FileServerSettings, ReportAddress, ReportProcessor, TlsFiles};
use puppetfn_types::convert::yaml;
use puppetfn_types::value::{Hash, Value};

use crate::CommandFailure;

/// Resolved settings.
pub(super) struct ServerSettings {
    settings: Hash,
    limits: Limits,
}

impl ServerSettings {
    /// Resolves the settings of a configuration.
    pub fn new(configuration: &Configuration) -> Result<Self, CommandFailure> {
        let settings = settings::resolve(&configuration.puppet_settings()?)?;
        let settings = Self { settings, limits: configuration.limits };
        if !settings.optional("trusted_external_command").is_empty() {
            return Err(unsupported(
                "trusted_external_command",
                "agents' catalogs would lack $trusted['external']",
            ));
        }
        Ok(settings)
    }

    /// Returns the files of the certificates.
    pub fn tls_files(&self) -> Result<TlsFiles, CommandFailure> {
        Ok(TlsFiles {
            certificate: self.path("hostcert")?,
            key: self.path("hostprivkey")?,
            authority: self.path("localcacert")?,
            revocations: self.path("hostcrl")?,
        })
    }

    /// Returns the node classifier, if the node terminus is one.
    pub fn classifier(&self) -> Result<Option<PathBuf>, CommandFailure> {
        match self.optional("node_terminus") {
            "exec" => self.path("external_nodes").map(Some),
            "" | "plain" => Ok(None),
            other => Err(unsupported("node_terminus", &format!("expected plain or exec, got {other}"))),
        }
    }

    /// Returns the processors of reports, in the order of the setting. See Puppet's `indirector/report/processor.rb`.
    pub fn reports(&self) -> Result<Vec<ReportProcessor>, CommandFailure> {
        let mut processors = Vec::new();
        // `none` is no processor.
        let names = self.optional("reports").split(',').map(str::trim);
        for name in names.filter(|name| !matches!(*name, "" | "none")) {
            processors.push(match name {
                "store" => ReportProcessor::Store(self.path("reportdir")?),
                "http" => ReportProcessor::Http(self.report_address()?),
                "puppetdb" => ReportProcessor::PuppetDb,
                "log" => ReportProcessor::Log,
                other => {
                    let problem = format!(
                        "expected a list of store, http, puppetdb and log, or none, got {other}; --no-reports ignores reports"
                    );
                    return Err(unsupported("reports", &problem));
                }
            });
        }
        Ok(processors)
    }

    fn report_address(&self) -> Result<ReportAddress, CommandFailure> {
        let address = ReportAddress::parse(self.text("reporturl")?, self.flag("report_include_system_store"));
        address.map_err(|problem| CommandFailure::Usage(format!("Puppet's setting reporturl: {problem}")))
    }

    /// Returns the directory of facts that agents upload. See Puppet's `indirector/json.rb`.
    pub fn facts(&self) -> Result<PathBuf, CommandFailure> {
        Ok(self.path("server_datadir")?.join("facts"))
    }

    /// Returns the directory of the file bucket.
    pub fn bucket(&self) -> Result<PathBuf, CommandFailure> {
        self.path("bucketdir")
    }

    /// Returns true if facts and catalogs are stored in PuppetDB.
    pub fn stores(&self) -> Result<bool, CommandFailure> {
        if !self.flag("storeconfigs") {
            return Ok(false);
        }
        match self.optional("storeconfigs_backend") {
            "puppetdb" => Ok(true),
            other => Err(unsupported("storeconfigs_backend", &format!("expected puppetdb, got {other}"))),
        }
    }

    /// Returns the `puppetdb.conf` of the configuration directory, as PuppetDB's termini find it.
    #[allow(clippy::disallowed_methods, reason = "Puppet's settings name the file")]
    pub fn puppetdb_conf(&self) -> Result<PathBuf, CommandFailure> {
        let path = self.path("confdir")?.join("puppetdb.conf");
        if path.is_file() {
            return Ok(path);
        }
        let path = path.display();
        Err(CommandFailure::Usage(format!(
            "expected --puppetdb-conf, --puppetdb-url or {path} for Puppet's settings storeconfigs and reports"
        )))
    }

    /// Returns the short names of object identifiers. See `parse_custom_oid_file` in Puppet's `ssl/oids.rb`.
    pub fn oid_names(&self) -> Result<BTreeMap<String, String>, CommandFailure> {
        let path = self.path("trusted_oid_mapping_file")?;
        let wrong = |problem: &str| {
            let path = path.display();
            CommandFailure::Usage(format!(
                "Error loading ssl custom OIDs mapping file from '{path}': {problem}"
            ))
        };
        let text = match StdFileSystem::new(&self.limits).read_text(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(BTreeMap::new()),
            Err(error) => return Err(wrong(&error.to_string())),
        };
        let parsed = yaml::parse(&text, &self.limits)?.map_err(|error| wrong(&error.to_string()))?;
        let mapping = match &parsed {
            Value::Hash(all) => all.get_str("oid_mapping").cloned(),
            _ => None,
        };
        let Some(Value::Hash(mapping)) = mapping else { return Err(wrong("no such index 'oid_mapping'")) };
        let mut names = BTreeMap::new();
        for (oid, definition) in mapping.iter() {
            let name = match definition {
                Value::Hash(definition) => definition.get_str("shortname").cloned(),
                _ => None,
            };
            match (oid, name) {
                (Value::String(oid), Some(Value::String(name))) => {
                    names.insert(oid.to_string(), name.to_string());
                }
                (oid, _) => {
                    let oid = oid.ruby_to_s(&self.limits)?;
                    return Err(wrong(&format!("incomplete definition of oid '{oid}'")));
                }
            }
        }
        Ok(names)
    }

    /// Reads the rules of an `auth.conf`.
    pub fn authorization(&self, path: &Path) -> Result<AuthorizationRules, CommandFailure> {
        let names: HashMap<String, String> = self.oid_names()?.into_iter().collect();
        let wrong = |problem: String| CommandFailure::Usage(format!("--auth-conf: {problem}"));
        let rules = AuthorizationRules::read(path, &names).map_err(|error| wrong(error.to_string()))?;
        if rules.trusts_headers() {
            return Err(wrong(format!("{}: allow-header-cert-info is not supported", path.display())));
        }
        Ok(rules)
    }

    /// Returns the settings of the file server.
    pub fn file_server(&self) -> Result<FileServerSettings, CommandFailure> {
        Ok(FileServerSettings {
            configuration: Some(self.path("fileserverconfig")?),
            codedir: self.text("codedir")?.to_owned(),
            digest_algorithm: self.text("digest_algorithm")?.to_owned(),
            host: self.text("certname")?.to_owned(),
            is_strict: self.optional("strict") == "error",
        })
    }

    /// Returns the name of the server.
    pub fn name(&self) -> Result<String, CommandFailure> {
        self.text("certname").map(str::to_owned)
    }

    fn path(&self, name: &str) -> Result<PathBuf, CommandFailure> {
        self.text(name).map(|text| Path::new(text).to_path_buf())
    }

    fn text(&self, name: &str) -> Result<&str, CommandFailure> {
        match self.optional(name) {
            "" => Err(CommandFailure::Usage(format!("expected a value of Puppet's setting {name}"))),
            text => Ok(text),
        }
    }

    fn flag(&self, name: &str) -> bool {
        matches!(self.settings.get_str(name), Some(Value::Boolean(true)))
    }

    fn optional(&self, name: &str) -> &str {
        match self.settings.get_str(name) {
            Some(Value::String(text)) => text,
            _ => "",
        }
    }
}

fn unsupported(name: &str, problem: &str) -> CommandFailure {
    CommandFailure::Usage(format!("Puppet's setting {name} is not supported: {problem}"))
}
