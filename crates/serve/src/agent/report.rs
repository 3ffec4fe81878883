//! Reports of agents.

use std::fs::{self, DirBuilder, OpenOptions, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::process;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use axum::response::Response;
use jiff::Timestamp;
use puppetfn_base::limits::Limits;
use puppetfn_types::convert::json;
use puppetfn_types::convert::yaml::to_yaml;
use tokio::task::spawn_blocking;
use tracing::error;

use super::request::AgentRequest;
use super::{AgentState, bad_request, environment_name, json_answer, server_error};

/// A store of reports, as Puppet's setting `reportdir` names it.
#[derive(Clone, Debug)]
pub(crate) struct ReportStore {
    /// The directory; `None` if reports are not stored.
    pub directory: Option<PathBuf>,
    pub limits: Limits,
}

impl ReportStore {
    /// Stores a report in JSON as YAML. See Puppet's `reports/store.rb`.
    fn store(&self, name: &str, body: &[u8]) -> Result<(), StoreFailure> {
        let Some(directory) = &self.directory else { return Ok(()) };
        let text = std::str::from_utf8(body).map_err(|error| StoreFailure::Malformed(error.to_string()))?;
        let report = json::parse(text, &self.limits);
        let report = report.map_err(|error| StoreFailure::Malformed(error.to_string()))?;
        let report = report.map_err(|error| StoreFailure::Malformed(error.to_string()))?;
        let yaml =
            to_yaml(&report, &self.limits).map_err(|error| StoreFailure::Malformed(error.to_string()))?;
        let directory = directory.join(name);
        DirBuilder::new().recursive(true).mode(0o750).create(&directory)?;
        let file = format!("{}.yaml", Timestamp::now().strftime("%Y%m%d%H%M"));
        Ok(replace(&directory.join(file), yaml.as_bytes())?)
    }
}

/// Why a report is not stored.
enum StoreFailure {
    Malformed(String),
    System(io::Error),
}

impl From<io::Error> for StoreFailure {
    fn from(error: io::Error) -> Self {
        Self::System(error)
    }
}

/// Writes a file in place of another, which may be being read.
fn replace(path: &Path, content: &[u8]) -> io::Result<()> {
    static NUMBER: AtomicU64 = AtomicU64::new(0);
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let unfinished = path.with_extension(format!("{}-{number}.new", process::id()));
    let write = || {
        let mut file = OpenOptions::new().write(true).create_new(true).mode(0o640).open(&unfinished)?;
        file.write_all(content)?;
        file.set_permissions(Permissions::from_mode(0o640))?;
        fs::rename(&unfinished, path)
    };
    write().inspect_err(|_| _ = fs::remove_file(&unfinished))
}

/// Stores the report of a node.
pub(super) async fn store(state: &Arc<AgentState>, request: &AgentRequest, name: &str) -> Response {
    if let Err(response) = environment_name(request) {
        return response;
    }
    // A name of a directory: the rules allow no other node's.
    if matches!(name, "." | "..") || name.contains(['/', '\\']) {
        return server_error(&format!("Invalid node name {name:?}"));
    }
    let (state, owner, body) = (Arc::clone(state), name.to_owned(), request.body.clone());
    let stored = spawn_blocking(move || state.reports.store(&owner, &body)).await;
    match stored {
        Ok(Ok(())) => json_answer("[\"store\"]"),
        Ok(Err(StoreFailure::Malformed(problem))) => {
            bad_request(&format!("The request body is invalid: {problem}"))
        }
        Ok(Err(StoreFailure::System(problem))) => {
            error!(node = name, %problem, "the report cannot be stored");
            server_error(&format!("the report cannot be stored: {problem}"))
        }
        Err(problem) => server_error(&problem.to_string()),
    }
}
