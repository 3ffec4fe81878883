//! How PuppetDB is reached: Puppet's `puppetdb.conf`, certificates and keys.

use std::path::{Path, PathBuf};
use std::time::Duration;

use nom::Parser;
use nom::branch::alt;
use nom::bytes::complete::{tag, take_while1};
use nom::character::complete::{char, not_line_ending, space0};
use nom::combinator::{all_consuming, map, rest};
use nom::sequence::{delimited, preceded, separated_pair, terminated};
use puppetfn_base::error::{Error, ErrorKind};
use puppetfn_https::ClientCertificates;
use serde::{Deserialize, Serialize};

/// The seconds that a server has to answer, as in Puppet's termini.
const TIMEOUT: Duration = Duration::from_secs(30);

/// The maximum size of an answer in bytes.
const MAX_ANSWER: u64 = 256 << 20;

/// How PuppetDB is reached.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ClientSettings {
    /// The servers, such as `https://puppetdb:8081`. Each that does not answer is followed by the next.
    pub server_urls: Vec<String>,
    /// The time that a server has to answer.
    pub timeout: Duration,
    /// The largest answer, in bytes.
    pub max_answer: u64,
    /// The certificates of the authorities that servers' certificates must come from, in PEM (Puppet's `localcacert`).
    pub ca: Option<PathBuf>,
    /// The revoked certificates, in PEM (Puppet's `hostcrl`).
    pub revocations: Option<PathBuf>,
    /// The certificate and the key that the client has, in PEM (Puppet's `hostcert` and `hostprivkey`).
    pub identity: Option<(PathBuf, PathBuf)>,
    /// Whether a command that no server accepts is logged, instead of being an error.
    pub soft_write_failure: bool,
    /// Whether reports have resources that did not change.
    pub include_unchanged_resources: bool,
    /// Servers that get commands too, but no queries.
    pub submit_only_server_urls: Vec<String>,
    /// Whether all servers get each command, and not only the first that accepts it.
    pub command_broadcast: bool,
    /// The number of servers that have to accept a command.
    pub min_successful_submissions: usize,
}

impl Default for ClientSettings {
    /// Puppet's default server, without certificates.
    fn default() -> Self {
        Self {
            server_urls: vec!["https://puppetdb:8081".to_owned()],
            timeout: TIMEOUT,
            max_answer: MAX_ANSWER,
            ca: None,
            revocations: None,
            identity: None,
            soft_write_failure: false,
            include_unchanged_resources: false,
            submit_only_server_urls: Vec::new(),
            command_broadcast: false,
            min_successful_submissions: 1,
        }
    }
}

/// A line of `puppetdb.conf`.
enum ConfLine<'t> {
    Section(&'t str),
    Setting(&'t str, &'t str),
    Empty,
}

impl ClientSettings {
    /// Returns the settings of a `puppetdb.conf`.
    ///
    /// See `puppet/util/puppetdb/config.rb` of PuppetDB's termini.
    ///
    /// # Errors
    /// [`ErrorKind::Load`] if the file is malformed, names servers that are not reached by HTTPS, or has settings that contradict each other.
    pub fn of_conf(text: &str, path: &Path) -> Result<Self, Error> {
        let wrong = |problem: String| Error::new(ErrorKind::Load, format!("{}: {problem}", path.display()));
        let mut settings = Self::default();
        let mut section = None;
        for (line, number) in text.lines().zip(1..) {
            match read_line(line) {
                Some(ConfLine::Empty) => {}
                Some(ConfLine::Section(name)) => section = Some(name),
                Some(ConfLine::Setting(name, value)) => match section {
                    None => {
                        return Err(wrong(format!("line {number}: the setting '{name}' is in no section")));
                    }
                    Some("main") => settings.set(name, value).map_err(wrong)?,
                    Some(_) => {}
                },
                None => {
                    return Err(wrong(format!("line {number}: neither a section nor a setting: '{line}'")));
                }
            }
        }
        settings.check().map_err(wrong)?;
        Ok(settings)
    }

    /// Returns the certificates of the client.
    pub(super) fn certificates(&self) -> ClientCertificates<'_> {
        let identity = self.identity.as_ref();
        ClientCertificates {
            authorities: self.ca.as_deref(),
            includes_system_store: false,
            revocations: self.revocations.as_deref(),
            identity: identity.map(|(certificate, key)| (certificate.as_path(), key.as_path())),
        }
    }

    fn check(&self) -> Result<(), String> {
        let (number, servers) = (self.min_successful_submissions, self.server_urls.len());
        if self.soft_write_failure && number > 1 {
            return Err(
                "soft_write_failure cannot be enabled when min_successful_submissions is greater than 1"
                    .into(),
            );
        }
        if let Some(url) = self.server_urls.iter().find(|url| self.submit_only_server_urls.contains(url)) {
            return Err(format!(
                "Server URLs must be in either server_urls or submit_only_server_urls, not both. ({url} is in both)"
            ));
        }
        if number > 1 && !self.command_broadcast {
            return Err("command_broadcast must be set to true to use min_successful_submissions".into());
        }
        if number > servers {
            return Err(format!(
                "min_successful_submissions ({number}) must be less than or equal to the number of server_urls ({servers})"
            ));
        }
        Ok(())
    }

    fn set(&mut self, name: &str, value: &str) -> Result<(), String> {
        match name {
            "server_urls" => server_urls(value).map(|urls| self.server_urls = urls),
            "submit_only_server_urls" => server_urls(value).map(|urls| self.submit_only_server_urls = urls),
            "command_broadcast" => boolean(name, value).map(|flag| self.command_broadcast = flag),
            "min_successful_submissions" => {
                let number = value.parse().map_err(|_| format!("{name}: '{value}' is no number of servers"));
                number.map(|number| self.min_successful_submissions = number)
            }
            "server_url_timeout" => {
                let seconds = value
                    .parse()
                    .map_err(|_| format!("server_url_timeout: '{value}' is no number of seconds"))?;
                self.timeout = Duration::from_secs(seconds);
                Ok(())
            }
            "soft_write_failure" => boolean(name, value).map(|flag| self.soft_write_failure = flag),
            "include_unchanged_resources" => {
                boolean(name, value).map(|flag| self.include_unchanged_resources = flag)
            }
            _ => Ok(()),
        }
    }
}

fn server_urls(value: &str) -> Result<Vec<String>, String> {
    let urls: Vec<String> = value.split(',').map(|url| url.trim().to_owned()).collect();
    match urls.iter().find(|url| !url.starts_with("https://")) {
        Some(url) => Err(format!("PuppetDB 'server_urls' must be https, found '{url}'")),
        None => Ok(urls),
    }
}

fn boolean(name: &str, value: &str) -> Result<bool, String> {
    value.parse().map_err(|_| format!("{name}: invalid value for Boolean: \"{value}\""))
}

fn read_line(line: &str) -> Option<ConfLine<'_>> {
    type Failure<'t> = nom::error::Error<&'t str>;
    let line = line.trim();
    let name = || take_while1::<_, _, Failure<'_>>(|c: char| c.is_ascii_alphanumeric() || c == '_');
    let section = map(delimited(char('['), terminated(name(), space0), char(']')), ConfLine::Section);
    let assigned = delimited(space0, char('='), space0);
    let setting = map(separated_pair(name(), assigned, rest), |(name, value)| ConfLine::Setting(name, value));
    let comment = map(preceded(alt((tag("#"), tag(";"))), not_line_ending), |_| ConfLine::Empty);
    if line.is_empty() {
        return Some(ConfLine::Empty);
    }
    all_consuming(alt((section, comment, setting))).parse(line).ok().map(|(_, line)| line)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_puppetdb_conf_names_servers_and_a_timeout() {
        let text = "# servers\n[main]\nserver_urls = https://a:8081, https://b:8081\nserver_url_timeout=5\nsoft_write_failure = true\n\n[other]\nserver_urls = x\n";
        let settings = ClientSettings::of_conf(text, Path::new("puppetdb.conf")).unwrap();
        assert_eq!(settings.server_urls, ["https://a:8081", "https://b:8081"]);
        assert_eq!(settings.timeout, Duration::from_secs(5));
        assert!(settings.soft_write_failure && !settings.include_unchanged_resources);
    }

    #[test]
    fn mistakes_in_a_puppetdb_conf_are_named() {
        for (text, message) in [
            ("server_urls = https://a:8081", "conf: line 1: the setting 'server_urls' is in no section"),
            ("[main]\nserver", "conf: line 2: neither a section nor a setting: 'server'"),
            (
                "[main]\nserver_urls = http://a",
                "conf: PuppetDB 'server_urls' must be https, found 'http://a'",
            ),
            ("[main]\nserver_url_timeout = x", "conf: server_url_timeout: 'x' is no number of seconds"),
            (
                "[main]\nserver_urls = https://a\nsubmit_only_server_urls = https://b, https://a",
                "conf: Server URLs must be in either server_urls or submit_only_server_urls, not both. (https://a is in both)",
            ),
            (
                "[main]\nmin_successful_submissions = 2",
                "conf: command_broadcast must be set to true to use min_successful_submissions",
            ),
            (
                "[main]\nmin_successful_submissions = 2\ncommand_broadcast = true",
                "conf: min_successful_submissions (2) must be less than or equal to the number of server_urls (1)",
            ),
            (
                "[main]\nmin_successful_submissions = 2\nsoft_write_failure = true",
                "conf: soft_write_failure cannot be enabled when min_successful_submissions is greater than 1",
            ),
            (
                "[main]\nsoft_write_failure = maybe",
                "conf: soft_write_failure: invalid value for Boolean: \"maybe\"",
            ),
        ] {
            let error = ClientSettings::of_conf(text, Path::new("conf")).unwrap_err();
            assert_eq!(error.message(), message);
        }
    }
}
