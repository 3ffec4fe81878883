//! Pages for browsers: a table of the files, and a page with the source code of each.
//!
//! Code may come from anybody: templates escape it, and the policy of the pages allows nothing but their style.

use maud::{DOCTYPE, Markup, PreEscaped, html};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

use super::ReportFile;
use crate::ratio::{CoverageKind, Ratio};
use crate::report::{CoverageReport, CoveredBranch, CoveredFile};

const STYLE: &str = include_str!("../../assets/coverage.css");

/// The characters of a path that its address escapes.
const RESERVED: &AsciiSet =
    &NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.').remove(b'~').remove(b'/');

/// Returns the pages. The page of a file has the file's path, with `.html` behind it.
pub fn html(report: &CoverageReport) -> Vec<ReportFile> {
    let index = ReportFile { path: "index.html".to_owned(), text: index(report).0 };
    let page = |file: &CoveredFile| ReportFile { path: format!("{}.html", file.name), text: page(file).0 };
    std::iter::once(index).chain(report.files.iter().map(page)).collect()
}

fn document(title: &str, body: &Markup) -> Markup {
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { (title) }
                style { (PreEscaped(STYLE)) }
            }
            body { (body) }
        }
    }
}

fn index(report: &CoverageReport) -> Markup {
    let body = html! {
        h1 { "Coverage" }
        table.files {
            thead { tr { th { "File" } @for kind in CoverageKind::ALL { th.number { (kind_label(kind)) } } } }
            tbody {
                @for file in &report.files {
                    tr {
                        td { a href=(address(&file.name)) { (file.name) } }
                        @for kind in CoverageKind::ALL { (cell(file.ratio(kind))) }
                    }
                }
            }
            tfoot { tr { th { "All files" } @for kind in CoverageKind::ALL { (cell(report.ratio(kind))) } } }
        }
    };
    document("Coverage", &body)
}

fn kind_label(kind: CoverageKind) -> &'static str {
    match kind {
        CoverageKind::Lines => "Lines",
        CoverageKind::Branches => "Branches",
        CoverageKind::Definitions => "Definitions",
    }
}

fn cell(ratio: Ratio) -> Markup {
    let class = if ratio.covered == ratio.total { "hit" } else { "miss" };
    html! {
        @if ratio.total == 0 { td.number { "–" } } @else {
            td class={ "number " (class) } { (ratio.percent().to_string()) " (" (ratio.covered) "/" (ratio.total) ")" }
        }
    }
}

fn page(file: &CoveredFile) -> Markup {
    let up = "../".repeat(file.name.matches('/').count());
    let missed = file.missed_branches();
    let body = html! {
        p { a href={ (up) "index.html" } { "All files" } }
        h1 { (file.name) }
        p {
            @for kind in CoverageKind::ALL {
                @let ratio = file.ratio(kind);
                span.sum { (kind_label(kind)) ": " (ratio.percent().to_string()) " (" (ratio.covered) "/" (ratio.total) ")" }
            }
        }
        table.code {
            tbody { @for (number, text) in (1u32..).zip(file.text.lines()) { (line(file, number, text, &missed)) } }
        }
    };
    document(&file.name, &body)
}

fn line(file: &CoveredFile, number: u32, text: &str, missed: &[&CoveredBranch]) -> Markup {
    let count = file.lines.get(&number);
    let missed: Vec<&str> =
        missed.iter().filter(|branch| branch.line == number).map(|branch| branch.label.as_str()).collect();
    let class = match count {
        Some(0) => "miss",
        _ if !missed.is_empty() => "part",
        Some(_) => "hit",
        None => "",
    };
    html! {
        tr class=(class) id={ "L" (number) } {
            td.number { a href={ "#L" (number) } { (number) } }
            td.number { @if let Some(count) = count { (count) "×" } }
            td {
                code { (text) }
                @if !missed.is_empty() { span.note { "not taken: " (missed.join(", ")) } }
            }
        }
    }
}

/// Returns the address of a file's page, from the first page.
fn address(name: &str) -> String {
    format!("./{}.html", utf8_percent_encode(name, RESERVED))
}
