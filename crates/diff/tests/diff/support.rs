//! Small catalogs.

use puppetfn_diff::{Catalog, DiffOptions, DiffReport, Differences, compare, group, render};
use serde_json::{Value, json};

/// Creates a catalog of resources `Type[title]` with their parameters. The keys `tags`, `sensitive`, `in`, `line` and
/// `exported` belong to the resource; `in` names its container.
pub fn catalog(resources: &[(&str, Value)]) -> Catalog {
    Catalog::of_value(document(resources)).unwrap()
}

pub fn document(resources: &[(&str, Value)]) -> Value {
    let mut edges = Vec::new();
    let mut made = Vec::new();
    for (reference, parameters) in resources {
        let (type_name, title) = reference.trim_end_matches(']').split_once('[').unwrap();
        let mut parameters = parameters.as_object().unwrap().clone();
        let mut take = |name: &str| parameters.remove(name).unwrap_or_default();
        let (tags, sensitive, line) = (take("tags"), take("sensitive"), take("line"));
        let exported = take("exported");
        if let Some(container) = take("in").as_str() {
            edges.push(json!({"source": container, "target": reference}));
        }
        let file = if line.is_null() { Value::Null } else { json!("/code/site.pp") };
        made.push(json!({
            "type": type_name, "title": title, "tags": tags, "file": file, "line": line, "exported": exported,
            "parameters": parameters, "sensitive_parameters": sensitive,
        }));
    }
    json!({"name": "web1", "resources": made, "edges": edges})
}

pub fn differences(old: &[(&str, Value)], new: &[(&str, Value)], options: &DiffOptions) -> Differences {
    compare(&catalog(old), &catalog(new), options)
}

/// Returns a report of one node.
pub fn report(old: &[(&str, Value)], new: &[(&str, Value)], options: &DiffOptions) -> DiffReport {
    group([("web1".to_owned(), differences(old, new, options))])
}

/// Returns the output for people, without the heading.
pub fn shown(old: &[(&str, Value)], new: &[(&str, Value)], options: &DiffOptions) -> String {
    let how = render::TerminalReport { details: true, ..render::TerminalReport::default() };
    let text = text(|out| render::human(&report(old, new, options), &how, out));
    let lines: Vec<&str> = text.lines().collect();
    lines
        .iter()
        .filter(|line| line.starts_with(' '))
        .map(|line| format!("{}\n", line.get(2..).unwrap()))
        .collect()
}

pub fn text(write: impl FnOnce(&mut dyn std::io::Write) -> std::io::Result<()>) -> String {
    let mut out = Vec::new();
    write(&mut out).unwrap();
    String::from_utf8(out).unwrap()
}
