//! A table for terminals.

use crate::ratio::{CoverageKind, Ratio};
use crate::report::{CoverageReport, CoveredBranch, CoveredFile};

/// A row: the file, the share and number of lines and branches, and the lines and branches that were missed.
type TableRow = [String; 6];

/// Returns the table. Files come in the order of their names, the sums last.
pub fn text(report: &CoverageReport) -> String {
    let mut rows = vec![["File", "Lines", "", "Branches", "", "Missed lines | branches"].map(str::to_owned)];
    for file in &report.files {
        rows.push(row(
            &file.name,
            file.ratio(CoverageKind::Lines),
            file.ratio(CoverageKind::Branches),
            missed(file),
        ));
    }
    let (lines, branches) = (report.ratio(CoverageKind::Lines), report.ratio(CoverageKind::Branches));
    rows.push(row("All files", lines, branches, String::new()));

    let width = |column: usize| {
        rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let [w0, w1, w2, w3, w4] = [0, 1, 2, 3, 4].map(width);
    let line = |[file, line_share, lines, branch_share, branches, missed]: &TableRow| {
        let shares = format!("{line_share:>w1$}  {lines:>w2$}  {branch_share:>w3$}  {branches:>w4$}");
        format!("{}\n", format!("{file:w0$}  {shares}  {missed}").trim_end())
    };
    rows.iter().map(line).collect()
}

fn row(name: &str, lines: Ratio, branches: Ratio, missed: String) -> TableRow {
    let [[line_share, lines], [branch_share, branches]] = [lines, branches].map(cells);
    [name.to_owned(), line_share, lines, branch_share, branches, missed]
}

fn cells(ratio: Ratio) -> [String; 2] {
    if ratio.total == 0 {
        return ["-".to_owned(), String::new()];
    }
    [ratio.percent().to_string(), format!("{}/{}", ratio.covered, ratio.total)]
}

fn missed(file: &CoveredFile) -> String {
    let lines = file.missed_lines().into_iter().map(range).collect::<Vec<_>>().join(", ");
    let branch = |branch: &CoveredBranch| format!("{}: {}", branch.line, branch.label);
    let branches = file.missed_branches().into_iter().map(branch).collect::<Vec<_>>().join(", ");
    if branches.is_empty() { lines } else { format!("{lines} | {branches}").trim_start().to_owned() }
}

fn range((first, last): (u32, u32)) -> String {
    if first == last { first.to_string() } else { format!("{first}-{last}") }
}
