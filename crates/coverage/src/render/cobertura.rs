//! Cobertura's XML: <http://cobertura.sourceforge.net/xml/coverage-04.dtd>.

use std::collections::BTreeMap;
use std::io;

use quick_xml::Writer;
use quick_xml::events::{BytesDecl, BytesText, Event};

use crate::ratio::{CoverageKind, Ratio};
use crate::report::{CoverageReport, CoveredBranch, CoveredDefinition, CoveredFile};

const DOCTYPE: &str = r#"coverage SYSTEM "http://cobertura.sourceforge.net/xml/coverage-04.dtd""#;

type Xml = Writer<Vec<u8>>;

/// Returns the document: directories are packages, files are classes, definitions are methods.
///
/// # Errors
/// Fails if the writer does, which writes to memory.
pub fn cobertura(report: &CoverageReport, timestamp: u64) -> io::Result<String> {
    let mut xml = Writer::new_with_indent(Vec::new(), b' ', 2);
    xml.write_event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)))?;
    xml.write_event(Event::DocType(BytesText::from_escaped(DOCTYPE)))?;
    let (lines, branches) = (report.ratio(CoverageKind::Lines), report.ratio(CoverageKind::Branches));
    xml.create_element("coverage")
        .with_attributes([
            ("line-rate", rate(lines).as_str()),
            ("branch-rate", &rate(branches)),
            ("lines-covered", &lines.covered.to_string()),
            ("lines-valid", &lines.total.to_string()),
            ("branches-covered", &branches.covered.to_string()),
            ("branches-valid", &branches.total.to_string()),
            ("complexity", "0"),
            ("version", env!("CARGO_PKG_VERSION")),
            ("timestamp", &timestamp.to_string()),
        ])
        .write_inner_content(|xml| {
            xml.create_element("sources").write_inner_content(|xml| {
                let root = text(&report.root.to_string_lossy());
                xml.create_element("source").write_text_content(BytesText::new(&root)).map(drop)
            })?;
            xml.create_element("packages").write_inner_content(|xml| packages(report, xml)).map(drop)
        })?;
    let mut document = String::from_utf8_lossy(&xml.into_inner()).into_owned();
    document.push('\n');
    Ok(document)
}

fn packages(report: &CoverageReport, xml: &mut Xml) -> io::Result<()> {
    let mut packages: BTreeMap<&str, Vec<&CoveredFile>> = BTreeMap::new();
    for file in &report.files {
        let directory = file.name.rsplit_once('/').map_or("", |(directory, _)| directory);
        packages.entry(directory).or_default().push(file);
    }
    for (name, files) in packages {
        let sum = |kind| rate(files.iter().map(|file| file.ratio(kind)).sum());
        xml.create_element("package")
            .with_attributes([
                ("name", text(name).as_str()),
                ("line-rate", &sum(CoverageKind::Lines)),
                ("branch-rate", &sum(CoverageKind::Branches)),
                ("complexity", "0"),
            ])
            .write_inner_content(|xml| {
                let classes = xml.create_element("classes");
                classes
                    .write_inner_content(|xml| files.iter().try_for_each(|file| class(file, xml)))
                    .map(drop)
            })?;
    }
    Ok(())
}

fn class(file: &CoveredFile, xml: &mut Xml) -> io::Result<()> {
    let name = text(file.name.rsplit_once('/').map_or(&file.name, |(_, name)| name));
    xml.create_element("class")
        .with_attributes([
            ("name", name.as_str()),
            ("filename", &text(&file.name)),
            ("line-rate", &rate(file.ratio(CoverageKind::Lines))),
            ("branch-rate", &rate(file.ratio(CoverageKind::Branches))),
            ("complexity", "0"),
        ])
        .write_inner_content(|xml| {
            let methods = xml.create_element("methods");
            methods.write_inner_content(|xml| {
                file.definitions.iter().try_for_each(|definition| method(definition, xml))
            })?;
            let mut branches: BTreeMap<u32, Vec<&CoveredBranch>> = BTreeMap::new();
            for condition in &file.conditions {
                branches.entry(condition.range.start.0).or_default().extend(&condition.branches);
            }
            xml.create_element("lines")
                .write_inner_content(|xml| {
                    file.lines.iter().try_for_each(|(number, count)| {
                        line(*number, *count, branches.get(number).map_or(&[][..], Vec::as_slice), xml)
                    })
                })
                .map(drop)
        })?;
    Ok(())
}

fn method(definition: &CoveredDefinition, xml: &mut Xml) -> io::Result<()> {
    let rate = if definition.count > 0 { "1" } else { "0" };
    xml.create_element("method")
        .with_attributes([
            ("name", text(&definition.name).as_str()),
            ("signature", ""),
            ("line-rate", rate),
            ("branch-rate", rate),
            ("complexity", "0"),
        ])
        .write_inner_content(|xml| {
            let lines = xml.create_element("lines");
            lines.write_inner_content(|xml| line(definition.line, definition.count, &[], xml)).map(drop)
        })?;
    Ok(())
}

fn line(number: u32, count: u64, branches: &[&CoveredBranch], xml: &mut Xml) -> io::Result<()> {
    let (number, hits) = (number.to_string(), count.to_string());
    let line = xml.create_element("line").with_attributes([("number", number.as_str()), ("hits", &hits)]);
    if branches.is_empty() {
        return line.with_attribute(("branch", "false")).write_empty().map(drop);
    }
    let covered = Ratio::of(branches.iter().map(|branch| branch.count > 0));
    let coverage = format!("{} ({}/{})", whole_percent(covered), covered.covered, covered.total);
    line.with_attributes([("branch", "true"), ("condition-coverage", coverage.as_str())])
        .write_inner_content(|xml| {
            xml.create_element("conditions")
                .write_inner_content(|xml| {
                    xml.create_element("condition")
                        .with_attributes([
                            ("number", "0"),
                            ("type", "jump"),
                            ("coverage", whole_percent(covered).as_str()),
                        ])
                        .write_empty()
                        .map(drop)
                })
                .map(drop)
        })
        .map(drop)
}

fn rate(ratio: Ratio) -> String {
    let share = ratio.scaled(10_000);
    format!("{}.{:04}", share / 10_000, share % 10_000)
}

fn whole_percent(ratio: Ratio) -> String {
    format!("{}%", ratio.scaled(100))
}

/// Replaces characters that XML cannot have. The writer escapes the rest.
fn text(text: &str) -> String {
    text.replace(|c: char| c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}'), "\u{fffd}")
}
