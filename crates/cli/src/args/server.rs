//! The options of a server that compiles catalogs.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, ValueHint};
use puppetfn_compile::{Configuration, ServerFacts};

use super::settings::directories;

/// Modules, facts and PuppetDB of a server.
#[derive(Args, Clone, Debug)]
pub(crate) struct ServerOptions {
    /// Value of `$basemodulepath` in environment.conf
    #[arg(long, value_name = "DIR[:DIR]", value_hint = ValueHint::DirPath)]
    pub basemodulepath: Vec<OsString>,

    /// Set a server fact: servername, serverip, serverip6, serverversion or serverimplementation; an empty value removes the fact
    #[arg(long = "server-fact", value_name = "NAME=VALUE", value_parser = server_fact)]
    pub server_facts: Vec<(String, String)>,

    /// PuppetDB data for exported resources and queries: an output directory of `compile --nodes`, a directory of facts, JSON answers of
    /// /pdb/query/v4/resources and other endpoints, or an archive of `puppet db export`; repeatable [default with --nodes: the data of
    /// these nodes]
    #[arg(long, value_name = "DIR|FILE", value_hint = ValueHint::AnyPath)]
    pub exports: Vec<PathBuf>,

    /// Live PuppetDB for exported resources and queries; if one server does not answer, the next is tried. Puppet's settings name the
    /// certificates: --setting ssldir=DIR, or --config
    #[arg(
        long,
        value_name = "URL[,URL]",
        value_delimiter = ',',
        conflicts_with = "exports",
        group = "puppetdb"
    )]
    pub puppetdb_url: Vec<String>,

    /// puppetdb.conf that names the servers of a live PuppetDB
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, conflicts_with = "exports", group = "puppetdb")]
    pub puppetdb_conf: Option<PathBuf>,

    /// Do not run the command `config_version` of environment.conf
    #[arg(long)]
    pub no_config_version: bool,
}

fn server_fact(text: &str) -> Result<(String, String), String> {
    let parts = text.split_once('=');
    let (name, value) = parts.ok_or("expected a name and a value, as in servername=puppet.example.com")?;
    ServerFacts::default().set(name, value)?;
    Ok((name.to_owned(), value.to_owned()))
}

impl ServerOptions {
    /// Returns a configuration with these options.
    pub fn configured(&self, configuration: Configuration) -> Configuration {
        Configuration {
            basemodulepath: directories(&self.basemodulepath),
            no_config_version: self.no_config_version,
            server_facts: self.server_facts(),
            exports: self.exports.clone(),
            puppetdb_urls: self.puppetdb_url.clone(),
            puppetdb_conf: self.puppetdb_conf.clone(),
            ..configuration
        }
    }

    fn server_facts(&self) -> ServerFacts {
        let mut facts = ServerFacts::default();
        for (name, value) in &self.server_facts {
            // It was tried as the arguments were read.
            let _ = facts.set(name, value);
        }
        facts
    }
}
