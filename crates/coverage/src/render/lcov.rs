//! The tracefile of lcov: see `geninfo(1)`.

use std::fmt::Write;

use crate::ratio::{CoverageKind, Ratio};
use crate::report::{CoverageReport, CoveredCondition, CoveredFile};

/// Returns the tracefile. Paths are relative, as services expect them.
pub fn lcov(report: &CoverageReport) -> String {
    let mut out = String::new();
    report.files.iter().for_each(|file| record(file, &mut out));
    out
}

fn record(file: &CoveredFile, out: &mut String) {
    let mut line = |arguments: std::fmt::Arguments<'_>| {
        // Writing to a string cannot fail.
        let _ = out.write_fmt(arguments);
        out.push('\n');
    };
    line(format_args!("TN:\nSF:{}", one_line(&file.name)));
    for definition in &file.definitions {
        line(format_args!("FN:{},{}", definition.line, one_line(&definition.name)));
    }
    for definition in &file.definitions {
        line(format_args!("FNDA:{},{}", definition.count, one_line(&definition.name)));
    }
    let Ratio { covered, total } = file.ratio(CoverageKind::Definitions);
    line(format_args!("FNF:{total}\nFNH:{covered}"));
    for (block, condition) in file.conditions.iter().enumerate() {
        for (index, branch) in condition.branches.iter().enumerate() {
            let taken = if is_reached(condition) { branch.count.to_string() } else { "-".to_owned() };
            line(format_args!("BRDA:{},{block},{index},{taken}", condition.range.start.0));
        }
    }
    let Ratio { covered, total } = file.ratio(CoverageKind::Branches);
    line(format_args!("BRF:{total}\nBRH:{covered}"));
    for (number, count) in &file.lines {
        line(format_args!("DA:{number},{count}"));
    }
    let Ratio { covered, total } = file.ratio(CoverageKind::Lines);
    line(format_args!("LF:{total}\nLH:{covered}\nend_of_record"));
}

/// Returns false if a condition was not evaluated: lcov distinguishes that from a branch that was not taken.
fn is_reached(condition: &CoveredCondition) -> bool {
    condition.branches.iter().any(|branch| branch.count > 0)
}

/// The format has no escapes.
fn one_line(text: &str) -> String {
    text.replace(char::is_control, "\u{fffd}")
}
