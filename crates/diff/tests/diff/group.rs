//! Groups of changes.

use crate::support::{differences, text};
use puppetfn_diff::{DiffOptions, DiffReport, Differences, NodeValues, group, group_by_values, render};
use serde_json::{Value, json};

fn changed(old: &[(&str, Value)], new: &[(&str, Value)]) -> Differences {
    differences(old, new, &DiffOptions::default())
}

/// Returns the resources and nodes of each group.
fn groups(report: &DiffReport) -> Vec<(Vec<String>, usize)> {
    let resources = |differences: &Differences| {
        differences.resources.iter().map(|found| found.reference.to_string()).collect()
    };
    report.groups.iter().map(|group| (resources(&group.differences), group.nodes.len())).collect()
}

#[test]
fn a_change_that_nodes_share_is_one_group_whatever_else_they_change() {
    let node = |n: usize| {
        let file = format!("File[/etc/own{n}]");
        let of = |mode: &str, own: &str| {
            [("File[/etc/motd]", json!({"mode": mode})), (file.as_str(), json!({"mode": own}))]
        };
        (format!("web{n}"), changed(&of("0644", "0644"), &of("0600", "0640")))
    };
    let report = group((0..4).map(node));
    let names = |names: &[&str]| names.iter().map(ToString::to_string).collect::<Vec<_>>();
    assert_eq!(groups(&report)[0], (names(&["File[/etc/motd]"]), 4));
    assert_eq!(groups(&report)[1], (names(&["File[/etc/own0]"]), 1));
    assert_eq!((report.groups.len(), report.changed.len(), report.nodes()), (5, 4, 4));
    let junit = text(|out| render::junit(&report, out));
    assert_eq!((junit.matches("<testcase").count(), junit.matches("2 changed").count()), (4, 4), "{junit}");
}

#[test]
fn values_of_the_node_make_no_other_change() {
    let found = |ip: &str, name: &str, other: &str| {
        let file = |text: String| [("File[/etc/issue]", json!({"content": text}))];
        let new = format!("{name} {ip} on {other}\nrest\n");
        changed(&file("rest\n".to_owned()), &file(new))
    };
    let with = |node: &str, facts: &[&str]| {
        let mut values = NodeValues::of_name(node);
        facts.iter().for_each(|fact| values.add(fact));
        values
    };
    let nodes = |facts: [&[&str]; 2]| {
        let [one, two] = facts;
        [
            ("web2.a.com".to_owned(), found("10.0.0.2", "web2", "Rocky"), with("web2.a.com", two)),
            ("web1.a.com".to_owned(), found("10.0.0.1", "web1", "Debian"), with("web1.a.com", one)),
        ]
    };
    let report = group_by_values(nodes([&["Debian"], &["Rocky"]]));
    assert_eq!(report.groups.len(), 1);
    let shown = text(|out| render::human(&report, &render::TerminalReport::default(), out));
    assert!(shown.contains("File[/etc/issue]  (an example: values differ by node)"), "{shown}");
    assert!(shown.contains("+web1 10.0.0.1 on Debian") && !shown.contains("web2 10"), "{shown}");
    // Nothing says that these belong to the nodes.
    assert_eq!(group_by_values(nodes([&[], &[]])).groups.len(), 2);
    let alone = group([("a".to_owned(), found("10.0.0.1", "x", "y"))]);
    assert!(!alone.groups[0].differences.resources[0].varies);
}

#[test]
fn a_name_may_be_of_one_node_and_a_mere_text_to_another() {
    let found = || {
        changed(
            &[("File[conf of web1]", json!({"mode": "0644"}))],
            &[("File[conf of web1]", json!({"mode": "0600"}))],
        )
    };
    let nodes = |names: [&str; 3]| group(names.map(|name| (name.to_owned(), found())));
    for names in [["web1", "lb", "db"], ["lb", "db", "web1"], ["lb", "web1", "db"]] {
        assert_eq!(groups(&nodes(names)), [(vec!["File[conf of web1]".to_owned()], 3)], "{names:?}");
    }
}

#[test]
fn resources_of_one_declaration_share_a_change() {
    let node = |node: &str, checks: &[&str]| {
        let of = |more: &str| -> Vec<(String, Value)> {
            let content =
                |check: &str| json!({"content": format!("[{check}]\nrun {check}{more}\n"), "line": 5});
            checks.iter().map(|check| (format!("Fragment[{check}]"), content(check))).collect()
        };
        let (old, new) = (of(""), of(" --retry"));
        let borrowed = |all: &[(String, Value)]| -> Vec<(&'static str, Value)> {
            all.iter().map(|(name, value)| (&*name.clone().leak(), value.clone())).collect()
        };
        (node.to_owned(), changed(&borrowed(&old), &borrowed(&new)))
    };
    let report =
        group([node("web1", &["load", "disk"]), node("web2", &["load"]), node("db1", &["disk", "ntp"])]);
    assert_eq!(groups(&report), [(vec!["Fragment[disk]".to_owned()], 3)]);
    let shared = &report.groups[0].differences.resources[0].shared;
    let named: Vec<String> =
        shared.iter().map(|one| format!("{} {}", one.reference, one.nodes.join(" "))).collect();
    assert_eq!(named, ["Fragment[disk] db1 web1", "Fragment[load] web1 web2", "Fragment[ntp] db1"]);
    let shown = text(|out| render::human(&report, &render::TerminalReport::default(), out));
    assert!(
        shown.contains("(3 changed)") && shown.contains("~ Fragment[disk] and 2 more  (/code/site.pp:5"),
        "{shown}"
    );
    let json: Value = serde_json::from_str(&text(|out| render::json(&report, out))).unwrap();
    assert_eq!(
        json["groups"][0]["resources"][0]["shared"][2],
        json!({"reference": "Fragment[ntp]", "nodes": ["db1"]})
    );
    // Additions are about the titles.
    let added =
        |node: &str, title: &'static str| (node.to_owned(), changed(&[], &[(title, json!({"line": 5}))]));
    assert_eq!(group([added("a", "Package[a]"), added("b", "Package[b]")]).groups.len(), 2);
}

#[test]
fn the_same_element_of_different_arrays_is_one_change() {
    let node = |node: &str, packages: &[&str]| {
        let with = [packages, &["curl"]].concat();
        let of = |packages: &[&str]| [("Class[Base]", json!({"packages": packages}))];
        (node.to_owned(), changed(&of(packages), &of(&with)))
    };
    let report = group([node("a", &["vim"]), node("b", &["emacs", "ed"])]);
    assert_eq!(report.groups.len(), 1);
    let shown = text(|out| render::human(&report, &render::TerminalReport::default(), out));
    assert!(shown.contains("      ~ packages:\n          + 'curl'\n"), "{shown}");
}
