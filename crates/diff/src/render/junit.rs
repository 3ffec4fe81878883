//! JUnit reports, for continuous integration.

use std::io::{self, Write};

use super::human::plain;
use super::rows::{RowOptions, rows};
use super::{counted, names};
use crate::group::DiffReport;

/// Writes a report as JUnit's XML: each node is a test case, which fails if the node differs and has an error if it could
/// not be compared.
///
/// # Errors
/// Fails if the writer does.
pub fn junit(report: &DiffReport, out: &mut dyn Write) -> io::Result<()> {
    let (tests, failures, errors) = (report.nodes(), report.changed(), report.failures());
    let counts = format!(r#"name="puppetfn diff" tests="{tests}" failures="{failures}" errors="{errors}""#);
    writeln!(out, r#"<?xml version="1.0" encoding="UTF-8"?>"#)?;
    writeln!(out, "<testsuites {counts}>\n  <testsuite {counts}>")?;
    for group in &report.groups {
        let message = group.differences.counts();
        let body = xml(&plain(&rows(&group.differences, RowOptions { details: false, context: 3 })));
        for node in &group.nodes {
            open(node, out)?;
            writeln!(out, ">\n      <failure type=\"difference\" message=\"{message}\">")?;
            writeln!(out, "{body}      </failure>\n    </testcase>")?;
        }
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
