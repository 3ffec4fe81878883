//! Reports of agents, and their processors.

mod http;
mod store;

use std::path::PathBuf;
use std::sync::Arc;

use axum::response::Response;
use puppetfn_base::error::Error;
use puppetfn_base::limits::Limits;
use puppetfn_compile::NodeStore;
use puppetfn_types::convert::json::{self, to_json};
use puppetfn_types::convert::yaml::to_yaml;
use puppetfn_types::value::Value;
use serde_json::Value as Json;
use tokio::task::spawn_blocking;
use tracing::error;

pub use self::http::ReportAddress;
use self::http::{client, send};
use self::store::store;
use super::log::{write_entries, write_line};
use super::request::AgentRequest;
use super::{AgentState, TlsFiles, bad_request, existing_environment, json_answer, server_error};

/// The first line of the YAML that Ruby writes for a report.
const YAML_HEAD: &str = "--- !ruby/object:Puppet::Transaction::Report";

/// A report processor of Puppet's setting `reports`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ReportProcessor {
    /// Stores reports as YAML in a directory.
    Store(PathBuf),
    /// Sends reports to an address.
    Http(ReportAddress),
    /// Stores reports in PuppetDB.
    PuppetDb,
    /// Writes the log of reports to the log of the service.
    Log,
}

impl ReportProcessor {
    /// Returns Puppet's name.
    fn name(&self) -> &'static str {
        match self {
            Self::Store(_) => "store",
            Self::Http(_) => "http",
            Self::PuppetDb => "puppetdb",
            Self::Log => "log",
        }
    }
}

/// The processors of reports.
#[derive(Debug)]
pub(crate) struct ReportProcessors {
    pub all: Vec<ReportProcessor>,
    /// The PuppetDB that stores reports.
    pub store: Option<Arc<NodeStore>>,
    /// The certificates for HTTPS.
    pub tls: TlsFiles,
    pub limits: Limits,
}

/// A report in the form in which agents send it.
struct AgentReport {
    host: String,
    value: Value,
    limits: Limits,
}

impl AgentReport {
    /// Parses the report of a node. The error is for the client.
    fn parse(name: &str, body: &[u8], limits: Limits) -> Result<Self, String> {
        let text = std::str::from_utf8(body).map_err(|error| error.to_string())?;
        let value = json::parse(text, &limits).map_err(|error| error.to_string())?;
        let value = value.map_err(|error| error.to_string())?;
        let Value::Hash(members) = &value else { return Err("expected a JSON object".to_owned()) };
        // Rules allow the node that the path names.
        match members.get_str("host") {
            Some(Value::String(host)) if **host == *name => {}
            _ => return Err(format!("expected the report of the host '{name}'")),
        }
        for (member, is_list) in [("metrics", false), ("logs", true), ("resource_statuses", false)] {
            let is_there = match members.get_str(member) {
                Some(Value::Array(_)) => is_list,
                Some(Value::Hash(_)) => !is_list,
                _ => false,
            };
            if !is_there {
                let kind = if is_list { "an array" } else { "an object" };
                return Err(format!("{member}: expected {kind}"));
            }
        }
        Ok(Self { host: name.to_owned(), value, limits })
    }

    /// Returns the YAML of Ruby's object.
    fn to_yaml(&self) -> Result<String, Error> {
        let yaml = to_yaml(&self.value, &self.limits)?;
        Ok(match yaml.strip_prefix("---") {
            Some(rest) => format!("{YAML_HEAD}{rest}"),
            None => yaml,
        })
    }

    fn to_json(&self) -> Result<Json, Error> {
        to_json(&self.value, &self.limits)
    }

    /// Writes the log as Puppet's `reports/log.rb` does.
    fn write_log(&self) -> Result<(), Error> {
        let report = self.to_json()?;
        for entry in report.get("logs").and_then(Json::as_array).into_iter().flatten() {
            let text = |name| entry.get(name).and_then(Json::as_str).unwrap_or_default();
            let source = format!("//{}/{}", self.host, text("source"));
            write_line(&self.host, text("level"), Some(&source), text("message"));
        }
        Ok(())
    }
}

/// Gives the report of a node to all processors. Their failures are logged.
pub(super) async fn process(state: &Arc<AgentState>, request: &AgentRequest, name: &str) -> Response {
    if let Err(response) = existing_environment(state, request) {
        return response;
    }
    // A name of a directory: the rules allow no other node's.
    if matches!(name, "." | "..") || name.contains(['/', '\\']) {
        return server_error(&format!("Invalid node name {name:?}"));
    }
    let (owner, body, limits) = (name.to_owned(), request.body.clone(), state.reports.limits);
    let parsed = match spawn_blocking(move || AgentReport::parse(&owner, &body, limits)).await {
        Ok(parsed) => parsed,
        Err(problem) => return server_error(&problem.to_string()),
    };
    let report = match parsed {
        Ok(report) => Arc::new(report),
        Err(problem) => return bad_request(&format!("The request body is invalid: {problem}")),
    };
    for processor in &state.reports.all {
        if let Err(problem) = run(processor, state, &report).await {
            let processor = processor.name();
            error!(node = name, processor, "Report {processor} failed: {problem}");
        }
    }
    let names: Vec<Json> = state.reports.all.iter().map(|processor| processor.name().into()).collect();
    json_answer(Json::from(names).to_string())
}

/// Runs a processor. The error is for the log.
async fn run(
    processor: &ReportProcessor,
    state: &Arc<AgentState>,
    report: &Arc<AgentReport>,
) -> Result<(), String> {
    let (state, report) = (Arc::clone(state), Arc::clone(report));
    if let ReportProcessor::Http(address) = processor {
        let receiver = address.clone();
        let prepared = spawn_blocking(move || {
            Ok::<_, Error>((client(&receiver, &state.reports.tls)?, report.to_yaml()?))
        });
        let prepared = prepared.await.map_err(|problem| problem.to_string())?;
        let (client, yaml) = prepared.map_err(|error| error.to_string())?;
        return send(address, client, yaml).await;
    }
    let processor = processor.clone();
    let processed = spawn_blocking(move || match processor {
        ReportProcessor::Store(directory) => store(&directory, &report).map_err(|error| error.to_string()),
        ReportProcessor::PuppetDb => {
            let Some(store) = &state.reports.store else { return Err("no PuppetDB is configured".into()) };
            let mut log = Vec::new();
            let stored = report.to_json().and_then(|report| store.store_report(&report, &mut log));
            write_entries(&report.host, &log);
            stored.map_err(|error| error.to_string())
        }
        ReportProcessor::Log => report.write_log().map_err(|error| error.to_string()),
        ReportProcessor::Http(_) => Ok(()),
    });
    processed.await.map_err(|problem| problem.to_string())?
}
