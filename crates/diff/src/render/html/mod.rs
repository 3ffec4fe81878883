//! HTML, for a browser: one file that needs no server, loads nothing, and is complete without its script.
//!
//! The content may come from anybody: templates escape it, invisible characters are made visible, and the page's
//! content security policy allows only its own style and script.

mod attribute;
mod group;
mod overview;

use std::io::{self, Write};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use maud::{DOCTYPE, Markup, PreEscaped, html};
use sha2::{Digest, Sha256};

use super::counted;
use super::rows::visible;
use crate::group::DiffReport;

const STYLE: &str = include_str!("../../../assets/report.css");
const SCRIPT: &str = include_str!("../../../assets/report.js");

/// Options of the HTML page.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HtmlReport {
    /// The old side.
    pub old: DiffSide,
    /// The new side.
    pub new: DiffSide,
    /// The number of context lines around changed lines.
    pub context: usize,
    /// The maximum number of lines of one text, and of items of one array.
    pub lines: usize,
    /// The maximum size of the page, in bytes. A remark counts the parts that are omitted.
    pub limit: usize,
}

impl Default for HtmlReport {
    /// Limits the page to a size that browsers open at once.
    fn default() -> Self {
        let (old, new) = (DiffSide::default(), DiffSide::default());
        Self { old, new, context: 3, lines: 400, limit: 16 << 20 }
    }
}

/// One side of the comparison.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct DiffSide {
    /// The name: a reference of git, a directory or a file.
    pub name: String,
    /// The commit, if the side is one.
    pub commit: Option<Commit>,
}

/// A commit.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Commit {
    /// Its hash, in hexadecimal digits.
    pub hash: String,
    /// The commit date, in the format of ISO 8601.
    pub date: String,
    /// The first line of its message.
    pub subject: String,
}

/// The number of bytes that may still be written.
struct OutputBudget(usize);

impl OutputBudget {
    /// Takes the room for a part, if enough is left.
    fn take(&mut self, part: &Markup) -> bool {
        let left = self.0.checked_sub(part.0.len());
        self.0 = left.unwrap_or(self.0);
        left.is_some()
    }

    /// Returns as many of the parts as fit, and the number of parts that are omitted.
    fn fill(&mut self, parts: impl Iterator<Item = Markup>) -> (Markup, usize) {
        let (mut taken, mut left_out) = (String::new(), 0usize);
        for part in parts {
            // After the first omitted part, all others are omitted, too: only the end is missing.
            if left_out == 0 && self.take(&part) {
                taken.push_str(&part.0);
            } else {
                left_out = left_out.saturating_add(1);
            }
        }
        (PreEscaped(taken), left_out)
    }
}

/// Writes a report as a page of HTML.
///
/// # Errors
/// Fails if the writer does.
pub fn html(report: &DiffReport, how: &HtmlReport, out: &mut dyn Write) -> io::Result<()> {
    let mut room = OutputBudget(how.limit);
    let (head, foot) = (head(report, how), foot());
    _ = room.take(&head) && room.take(&foot);
    let failures = overview::failures(report, &mut room);
    let groups = group::groups(report, how, &mut room);
    let unchanged = overview::unchanged(report, &mut room);
    for part in [head, failures, groups, unchanged, foot] {
        out.write_all(part.0.as_bytes())?;
    }
    Ok(())
}

/// Returns the page up to the first section of the content, which is left open.
fn head(report: &DiffReport, how: &HtmlReport) -> Markup {
    let policy = format!(
        "default-src 'none'; style-src '{}' '{}'; script-src '{}'; img-src data:; base-uri 'none'; form-action 'none'",
        digest(STYLE),
        digest(puppetfn_graph::render::STYLE),
        digest(SCRIPT)
    );
    let title = format!("Catalog differences: {}", super::summary(report));
    let head = html! {
        head {
            meta charset="utf-8";
            meta http-equiv="Content-Security-Policy" content=(policy);
            meta name="viewport" content="width=device-width, initial-scale=1";
            meta name="color-scheme" content="light dark";
            meta name="generator" content="puppetfn";
            title { (title) }
            link rel="icon" href="data:,";
            style { (PreEscaped(STYLE)) }
            style { (PreEscaped(puppetfn_graph::render::STYLE)) }
        }
    };
    PreEscaped(format!(
        "{}<html lang=\"en\">{}<body><a class=\"skip\" href=\"#content\">Skip to the differences</a>{}{}\
         <main id=\"content\" tabindex=\"-1\">",
        DOCTYPE.0,
        head.0,
        overview::header(report, how).0,
        overview::tools(report).0,
    ))
}

/// Returns the end of the page.
fn foot() -> Markup {
    PreEscaped(format!(
        "</main><footer><p>Made by puppetfn {}.</p></footer><script>{SCRIPT}</script></body></html>\n",
        env!("CARGO_PKG_VERSION")
    ))
}

/// Returns the hash of a text for a content security policy.
fn digest(text: &str) -> String {
    format!("sha256-{}", STANDARD.encode(Sha256::digest(text)))
}

/// Returns as many names of nodes as fit.
fn names(nodes: &[String], room: &mut OutputBudget) -> Markup {
    let (names, left_out) = room.fill(nodes.iter().map(|node| html! { li { (visible(node)) } }));
    html! {
        ul.names { (names) }
        @if left_out > 0 { (not_shown(left_out, "node")) }
    }
}

/// Returns a remark on omitted entries.
fn not_shown(count: usize, what: &str) -> Markup {
    let what = counted(count, &format!("more {what}"));
    html! {
        p.more { (what) " not shown here: " code { "--size" } " makes room, " code { "--format json" } " has all." }
    }
}

/// Returns a number with thousands separators.
fn number(count: usize) -> String {
    let digits = count.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && digits.len().saturating_sub(index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}
