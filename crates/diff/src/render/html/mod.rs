//! For a browser: one file that needs no server and loads nothing, and says all without its script.
//!
//! What is shown may come from anybody: templates escape it, what cannot be seen is made visible, and the policy of the page
//! allows nothing but the style and the script that are here.

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
use crate::group::Report;

const STYLE: &str = include_str!("../../../assets/report.css");
const SCRIPT: &str = include_str!("../../../assets/report.js");

/// How differences are shown in HTML.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Html {
    /// What was.
    pub old: Side,
    /// What is.
    pub new: Side,
    /// How many lines of texts are shown around those that differ.
    pub context: usize,
    /// How many lines of one text are shown, and items of one array.
    pub lines: usize,
    /// How many bytes the page may have. What is more is left out, and it is said how much that is.
    pub limit: usize,
}

impl Default for Html {
    /// What browsers open at once.
    fn default() -> Self {
        let (old, new) = (Side::default(), Side::default());
        Self { old, new, context: 3, lines: 400, limit: 16 << 20 }
    }
}

/// What was compared with something else.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Side {
    /// What it is called: a reference of git, a directory or a file.
    pub name: String,
    /// The commit that it is, if it is one.
    pub commit: Option<Commit>,
}

/// A commit.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Commit {
    /// Its hash, in hexadecimal digits.
    pub hash: String,
    /// When it was made, as ISO 8601 has it.
    pub date: String,
    /// The first line of its message.
    pub subject: String,
}

/// How much may still be written.
struct Room(usize);

impl Room {
    /// Takes the room that a part needs, if there is as much.
    fn take(&mut self, part: &Markup) -> bool {
        let left = self.0.checked_sub(part.0.len());
        self.0 = left.unwrap_or(self.0);
        left.is_some()
    }

    /// Returns as many of the parts as there is room for, and how many are left out.
    fn fill(&mut self, parts: impl Iterator<Item = Markup>) -> (Markup, usize) {
        let (mut taken, mut left_out) = (String::new(), 0usize);
        for part in parts {
            // What comes after something that is left out is so, too: it is the end that is missing.
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
pub fn html(report: &Report, how: &Html, out: &mut dyn Write) -> io::Result<()> {
    let mut room = Room(how.limit);
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

/// Returns all up to the first section of the content, which is left open.
fn head(report: &Report, how: &Html) -> Markup {
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

/// Returns what ends the page.
fn foot() -> Markup {
    PreEscaped(format!(
        "</main><footer><p>Made by puppetfn {}.</p></footer><script>{SCRIPT}</script></body></html>\n",
        env!("CARGO_PKG_VERSION")
    ))
}

/// Returns what a policy calls a text.
fn digest(text: &str) -> String {
    format!("sha256-{}", STANDARD.encode(Sha256::digest(text)))
}

/// Returns names of nodes, as many as there is room for.
fn names(nodes: &[String], room: &mut Room) -> Markup {
    let (names, left_out) = room.fill(nodes.iter().map(|node| html! { li { (visible(node)) } }));
    html! {
        ul.names { (names) }
        @if left_out > 0 { (not_shown(left_out, "node")) }
    }
}

/// Returns a remark on what there is no room for.
fn not_shown(count: usize, what: &str) -> Markup {
    let what = counted(count, &format!("more {what}"));
    html! {
        p.more { (what) " not shown here: " code { "--size" } " makes room, " code { "--format json" } " has all." }
    }
}

/// Returns a number with its thousands apart.
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
