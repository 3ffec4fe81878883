//! The report processor `store`.

use std::fs::DirBuilder;
use std::io;
use std::os::unix::fs::DirBuilderExt;
use std::path::Path;

use jiff::Timestamp;

use super::AgentReport;
use crate::agent::replace::replace_file;

/// Stores a report as YAML below a directory. See Puppet's `reports/store.rb`.
pub(super) fn store(directory: &Path, report: &AgentReport) -> io::Result<()> {
    let yaml = report.to_yaml().map_err(|error| io::Error::other(error.to_string()))?;
    let directory = directory.join(&report.host);
    DirBuilder::new().recursive(true).mode(0o750).create(&directory)?;
    let file = format!("{}.yaml", Timestamp::now().strftime("%Y%m%d%H%M"));
    replace_file(&directory.join(file), 0o640, yaml.as_bytes())
}
