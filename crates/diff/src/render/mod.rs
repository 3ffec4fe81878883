//! Formats of a [`DiffReport`].

mod html;
mod human;
mod json;
mod junit;
mod markdown;
mod rows;

pub use html::{Commit, DiffSide, HtmlReport, html};
pub use human::{TerminalReport, human};
pub use json::{SCHEMA, json};
pub use junit::junit;
pub use markdown::{MarkdownReport, markdown};

use crate::group::DiffReport;

/// The maximum number of node names of a group.
const NODES: usize = 10;

/// Returns the names of nodes; of many nodes only the first.
fn names(nodes: &[String]) -> String {
    let shown: Vec<String> = nodes.iter().take(NODES).map(|name| rows::visible(name)).collect();
    let shown = shown.join(", ");
    match nodes.len().saturating_sub(NODES) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}

/// Returns the address of a message: a single node by its name, several by their number and names.
fn addressed(nodes: &[String]) -> String {
    match nodes {
        [node] => rows::visible(node),
        nodes => format!("{} ({})", counted(nodes.len(), "node"), names(nodes)),
    }
}

/// Returns the summary of a report, in a sentence.
fn summary(report: &DiffReport) -> String {
    let (changed, unchanged, failed) = (report.changed.len(), report.unchanged.len(), report.failures());
    if failed == report.nodes() && failed > 0 {
        return format!("no node could be compared: {failed} failed");
    }
    let mut text = match report.groups.len() {
        0 => format!("{} compared, no differences", counted(unchanged, "node")),
        ways => {
            let differs = if changed == 1 { "differs" } else { "differ" };
            let ways = counted(ways, "way");
            let nodes = counted(changed.saturating_add(unchanged), "node");
            format!("{changed} of {nodes} {differs}, in {ways}")
        }
    };
    if failed > 0 {
        text.push_str(&format!("; {} could not be compared", counted(failed, "node")));
    }
    text
}

fn counted(count: usize, what: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {what}{plural}")
}
