//! JUnit reports, for continuous integration.

use std::collections::BTreeMap;
use std::io::{self, Write};

use super::human::plain;
use super::rows::{RowOptions, rows};
use super::{counted, names};
use crate::difference::{Counts, Differences};
use crate::group::{DiffReport, DifferenceGroup};

/// Writes a report as JUnit's XML: each node is a test case, which fails if the node differs and has an error if it could
/// not be compared.
///
/// # Errors
/// Fails if the writer does.
pub fn junit(report: &DiffReport, out: &mut dyn Write) -> io::Result<()> {
    let (tests, failures, errors) = (report.nodes(), report.changed.len(), report.failures());
    let counts = format!(r#"name="puppetfn diff" tests="{tests}" failures="{failures}" errors="{errors}""#);
    writeln!(out, r#"<?xml version="1.0" encoding="UTF-8"?>"#)?;
    writeln!(out, "<testsuites {counts}>\n  <testsuite {counts}>")?;
    let bodies: Vec<String> = report.groups.iter().map(|group| body(&group.differences)).collect();
    let mut of_node: BTreeMap<&str, Vec<(&DifferenceGroup, &str)>> = BTreeMap::new();
    for (group, body) in report.groups.iter().zip(&bodies) {
        for node in &group.nodes {
            of_node.entry(node).or_default().push((group, body));
        }
    }
    for (node, groups) in of_node {
        let message: Counts = groups.iter().map(|(group, _)| group.differences.counts()).sum();
        open(node, out)?;
        writeln!(out, ">\n      <failure type=\"difference\" message=\"{message}\">")?;
        groups.iter().try_for_each(|(_, body)| write!(out, "{body}"))?;
        writeln!(out, "      </failure>\n    </testcase>")?;
    }
    for failure in &report.failed {
        let shared = match failure.nodes.len() {
            0 | 1 => String::new(),
            others => format!("This holds for {}: {}", counted(others, "node"), xml(&names(&failure.nodes))),
        };
        for node in &failure.nodes {
            open(node, out)?;
            let message = attribute(&failure.message_of(node));
            writeln!(out, ">\n      <error message=\"{message}\">{shared}</error>\n    </testcase>")?;
        }
    }
    for node in &report.unchanged {
        open(node, out)?;
        writeln!(out, "/>")?;
    }
    writeln!(out, "  </testsuite>\n</testsuites>")
}

fn body(differences: &Differences) -> String {
    xml(&plain(&rows(differences, RowOptions { details: false, context: 3 })))
}

/// Writes the start tag of a node.
fn open(node: &str, out: &mut dyn Write) -> io::Result<()> {
    write!(out, r#"    <testcase classname="puppetfn.diff" name="{}""#, attribute(node))
}

fn attribute(text: &str) -> String {
    xml(text).replace('\n', "&#10;")
}

/// Returns a text escaped for XML. Characters that XML does not allow are replaced.
fn xml(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\n' | '\t' => escaped.push(c),
            '\u{fffe}' | '\u{ffff}' => escaped.push('\u{fffd}'),
            c if c.is_control() => escaped.push('\u{fffd}'),
            c => escaped.push(c),
        }
    }
    escaped
}
