//! JSON, for programs.

use std::io::{self, Write};

use serde::Serialize;

use crate::detail::{Hunk, ValueDetail};
use crate::difference::{
    AttributeDifference, ChangeKind, ContainmentDifference, Counts, CycleDifference, OrderDifference,
    ResourceDifference, SharedChange, ValuePath,
};
use crate::failure::FailureGroup;
use crate::group::{DiffReport, DifferenceGroup};
use crate::items::{ArrayDetail, ItemDifference};
use crate::value::DiffValue;
use puppetfn_catalog::FileLine;

/// The version of the format that [`json`] writes. It changes if a member changes its meaning or is left out, not if
/// one is added.
pub const SCHEMA: u32 = 2;

/// The lines of context in the texts of `diff`.
const CONTEXT: usize = 3;

#[derive(Serialize)]
struct ReportDocument<'r> {
    schema: u32,
    summary: ReportSummary,
    groups: Vec<GroupEntry<'r>>,
    unchanged: &'r [String],
    failed: &'r [FailureGroup],
}

#[derive(Serialize)]
struct ReportSummary {
    nodes: usize,
    changed: usize,
    unchanged: usize,
    failed: usize,
}

#[derive(Serialize)]
struct GroupEntry<'r> {
    digest: &'r str,
    nodes: &'r [String],
    counts: Counts,
    resources: Vec<ResourceEntry<'r>>,
    ordering: &'r [OrderDifference],
    containment: &'r [ContainmentDifference],
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    cycles: &'r [CycleDifference],
}

#[derive(Serialize)]
struct ResourceEntry<'r> {
    change: ChangeKind,
    #[serde(rename = "type")]
    type_name: &'r str,
    title: &'r str,
    #[serde(skip_serializing_if = "Option::is_none")]
    old_place: Option<&'r FileLine>,
    #[serde(skip_serializing_if = "Option::is_none")]
    new_place: Option<&'r FileLine>,
    attributes: Vec<AttributeEntry<'r>>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    shared: &'r [SharedChange],
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    varies: bool,
}

#[derive(Serialize)]
struct AttributeEntry<'r> {
    path: &'r ValuePath,
    #[serde(skip_serializing_if = "Option::is_none")]
    old: Option<&'r DiffValue>,
    #[serde(skip_serializing_if = "Option::is_none")]
    new: Option<&'r DiffValue>,
    #[serde(skip_serializing_if = "Option::is_none")]
    diff: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    items: Vec<ItemDifference>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    reordered: bool,
}

/// Writes a report as JSON.
///
/// ```text
/// {
///   "schema": 2,
///   "summary": {"nodes": 3, "changed": 2, "unchanged": 1, "failed": 0},
///   "groups": [{                         changes that concern the same nodes; a node may be in several groups
///     "digest": "9f86…",                 what tells this group from others, also of other reports
///     "nodes": ["web1", "web2"],
///     "counts": {"added": 0, "removed": 0, "changed": 1, "ordering": 1, "containment": 1},
///     "resources": [{
///       "change": "changed",             or "added", "removed"
///       "type": "File", "title": "/etc/motd",
///       "old_place": {"file": "/code/site.pp", "line": 3},       left out where it is not known
///       "new_place": {"file": "/code/site.pp", "line": 4},
///       "attributes": [{
///         "path": ["parameters", "content"],   keys of hashes; "tags" or "exported" is alone
///         "old": "a\nb\n", "new": "a\nc\n",    left out where there is no value; null is undef
///         "diff": "@@ -1,2 +1,2 @@\n a\n-b\n+c\n",     of texts of several lines
///         "items": [{"path": [0], "new": "curl"}],       of arrays: elements that differ, by value; a path leads into an
///                                              element, which has its index, or a name: {"key": "name", "value": "web"}
///         "reordered": true                    of arrays: the common elements are in another order; left out otherwise
///       }],
///       "shared": [{"reference": "File[/etc/motd]", "nodes": []}, …],   left out unless several resources of a declaration have this
///                                             change, of which the above is an example; "nodes" is empty for all of the group
///       "varies": true                        other nodes or resources have other values of their own; left out otherwise
///     }],
///     "ordering": [{                     "before" or "notify", null where there was or is no order
///       "first": "Package[ntp]", "then": "Service[ntp]", "old": null, "new": "notify"
///     }],
///     "containment": [{"reference": "File[/etc/motd]", "old": ["Class[A]"], "new": ["Class[B]"]}],
///     "cycles": [{                       dependency cycles, "added" or "removed"; left out where there is none
///       "change": "added", "resources": ["A[a]", "B[b]"], "edges": ["A[a] requires B[b] (/code/site.pp:3)", …]
///     }]
///   }],
///   "unchanged": ["db1"],
///   "failed": [{"nodes": ["db2"], "message": "…"}]      those together that failed for the same reason
/// }
/// ```
///
/// A sensitive value is the text `Sensitive [value redacted]`.
///
/// # Errors
/// Fails if the writer does.
pub fn json(report: &DiffReport, out: &mut dyn Write) -> io::Result<()> {
    let document = ReportDocument {
        schema: SCHEMA,
        summary: ReportSummary {
            nodes: report.nodes(),
            changed: report.changed.len(),
            unchanged: report.unchanged.len(),
            failed: report.failures(),
        },
        groups: report.groups.iter().map(group).collect(),
        unchanged: &report.unchanged,
        failed: &report.failed,
    };
    serde_json::to_writer_pretty(&mut *out, &document)?;
    writeln!(out)
}

fn group(group: &DifferenceGroup) -> GroupEntry<'_> {
    GroupEntry {
        digest: &group.digest,
        nodes: &group.nodes,
        counts: group.differences.counts(),
        resources: group.differences.resources.iter().map(resource).collect(),
        ordering: &group.differences.ordering,
        containment: &group.differences.containment,
        cycles: &group.differences.cycles,
    }
}

fn resource(resource: &ResourceDifference) -> ResourceEntry<'_> {
    ResourceEntry {
        change: resource.change,
        type_name: resource.reference.type_name(),
        title: resource.reference.title(),
        old_place: resource.old_place.as_ref(),
        new_place: resource.new_place.as_ref(),
        attributes: resource.attributes.iter().map(attribute).collect(),
        shared: &resource.shared,
        varies: resource.varies,
    }
}

fn attribute(attribute: &AttributeDifference) -> AttributeEntry<'_> {
    let (old, new) = (attribute.old.as_ref(), attribute.new.as_ref());
    let (diff, ArrayDetail { items, is_reordered }) = match attribute.detail(CONTEXT) {
        // A text that only one catalog has is already in `old` or `new`.
        ValueDetail::Text(hunks) if old.is_some() && new.is_some() => {
            (Some(unified(&hunks)), ArrayDetail::default())
        }
        ValueDetail::Items(detail) => (None, detail),
        ValueDetail::Whole | ValueDetail::Text(_) => (None, ArrayDetail::default()),
    };
    AttributeEntry { path: &attribute.path, old, new, diff, items, reordered: is_reordered }
}

/// Returns a unified diff, without the names of files.
fn unified(hunks: &[Hunk<'_>]) -> String {
    let mut text = String::new();
    for hunk in hunks {
        text.push_str(&hunk.header());
        text.push('\n');
        for line in &hunk.lines {
            text.push(line.sign());
            text.push_str(line.text);
            text.push_str(if line.has_end { "\n" } else { "\n\\ No newline at end of file\n" });
        }
    }
    text
}
