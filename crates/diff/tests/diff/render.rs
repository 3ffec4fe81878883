//! The output of each format for a report.

use crate::support::{catalog, differences, text};
use puppetfn_diff::{DiffOptions, DiffReport, Differences, Sources, compare, group, read_sources, render};
use serde_json::json;

macro_rules! assert_document {
    ($name:literal, $text:expr) => {
        insta::with_settings!({ prepend_module_to_snapshot => false, omit_expression => true }, {
            insta::assert_snapshot!($name, $text);
        });
    };
}

/// Returns the differences of a node that has a file at this line of the code.
fn found(mode: &str, line: u32) -> Differences {
    differences(
        &[
            ("Class[Web]", json!({})),
            (
                "File[/etc/motd]",
                json!({"mode": "0644", "content": "Hello\nold\nworld\n", "line": line, "in": "Class[Web]"}),
            ),
            ("Package[motd]", json!({"ensure": "1.0", "sensitive": ["ensure"]})),
            ("User[joe]", json!({"groups": ["a", "b"]})),
        ],
        &[
            ("Class[Web]", json!({})),
            (
                "File[/etc/motd]",
                json!({"mode": mode, "content": "Hello\nnew <b>\nworld\n", "line": line, "require": "Package[motd]"}),
            ),
            ("Package[motd]", json!({"ensure": "1.1", "sensitive": ["ensure"]})),
            ("Service[web]", json!({"ensure": "running", "line": 9})),
            ("User[joe]", json!({"groups": ["a", "c"]})),
        ],
        &DiffOptions::default(),
    )
}

pub fn sample() -> DiffReport {
    let none = Differences::default;
    let mut report = group([
        ("web2".to_owned(), found("0600", 4)),
        ("db1".to_owned(), none()),
        ("web1".to_owned(), found("0600", 3)),
        ("app_1".to_owned(), found("0640", 3)),
    ]);
    let message = "Evaluation Error: <unknown> `x`\n(file: /code/site.pp, line: 3)".to_owned();
    let lost = |node: &str| (node.to_owned(), format!("facts/{node}.yaml: there are none"));
    report.add_failures([("db2".to_owned(), message), lost("web4"), lost("web3")]);
    report
}

#[test]
fn people_see_what_differs_and_where() {
    let how = render::TerminalReport::default();
    assert_document!("human", text(|out| render::human(&sample(), &how, out)));
    let how = render::TerminalReport { colours: true, details: true, context: 0 };
    assert_document!("human_colours", text(|out| render::human(&sample(), &how, out)).replace('\u{1b}', "␛"));
}

#[test]
fn programs_get_json() {
    assert_document!("json", text(|out| render::json(&sample(), out)));
}

#[test]
fn continuous_integration_gets_junit() {
    assert_document!("junit", text(|out| render::junit(&sample(), out)));
}

#[test]
fn pull_requests_get_markdown() {
    assert_document!(
        "markdown",
        text(|out| render::markdown(&sample(), &render::MarkdownReport::default(), out))
    );
    for (limit, expected) in [
        (0, "5 more entries left out for lack of space."),
        (700, "2 more entries left out for lack of space."),
        (1_200, "Left out for lack of space."),
    ] {
        let how = render::MarkdownReport { limit, ..Default::default() };
        let text = text(|out| render::markdown(&sample(), &how, out));
        assert!(text.len() <= limit.max(200) && text.contains(expected), "{limit}: {text}");
    }
}

#[test]
fn a_report_without_differences_says_so() {
    let report = group([("a".to_owned(), Differences::default()), ("b".to_owned(), Differences::default())]);
    let how = render::TerminalReport::default();
    assert_eq!(text(|out| render::human(&report, &how, out)), "2 nodes compared, no differences\n");
}

#[test]
fn a_report_without_a_comparison_says_so() {
    let mut report = group([]);
    report.add_failures([("a".to_owned(), "no facts".to_owned()), ("b".to_owned(), "no facts".to_owned())]);
    let shown = text(|out| render::human(&report, &render::TerminalReport::default(), out));
    assert!(shown.ends_with("no node could be compared: 2 failed\n"), "{shown}");
}

#[test]
fn nodes_are_grouped_by_what_differs_and_not_by_where_it_is_declared() {
    let report = sample();
    let groups: Vec<&[String]> = report.groups.iter().map(|group| group.nodes.as_slice()).collect();
    let name = |name: &str| name.to_owned();
    let all = [name("app_1"), name("web1"), name("web2")];
    // The mode is a change of the file, which is another one on app_1; all other changes are the same.
    assert_eq!(groups, [all.as_slice(), &[name("web1"), name("web2")], &[name("app_1")]]);
    assert_eq!(report.unchanged, ["db1"]);
    assert_eq!((report.changed.len(), report.nodes()), (3, 7));
}

#[test]
fn texts_that_differ_in_the_same_lines_are_one_group() {
    let motd = |n: usize, text: &str| {
        [("File[/etc/motd]", json!({"content": format!("I am web{n}.\n\n\n\n{text}\n")}))]
    };
    let found = |n| differences(&motd(n, "Hello."), &motd(n, "Welcome."), &DiffOptions::default());
    let report = group((0..3).map(|n| (format!("web{n}"), found(n))));
    assert_eq!(report.groups.len(), 1, "{report:?}");
    let other = differences(&motd(4, "Hello."), &motd(4, "Goodbye."), &DiffOptions::default());
    let nodes = [("web1".to_owned(), found(1)), ("web4".to_owned(), other)];
    assert_eq!(group(nodes).groups.len(), 2);
}

/// A module with a file, and a directory with two.
struct OneFile(&'static [u8]);

impl Sources for OneFile {
    fn file(&self, source: &str) -> Option<Vec<u8>> {
        (source == "puppet:///modules/m/a").then(|| self.0.to_vec())
    }

    fn directory(&self, source: &str) -> Option<Vec<(String, String)>> {
        let content = String::from_utf8_lossy(self.0).into_owned();
        let files = [("x".to_owned(), content.clone()), ("sub/.git".to_owned(), content)];
        (source == "puppet:///modules/m/dir").then(|| files.to_vec())
    }
}

#[test]
fn directories_that_are_copied_have_the_files_in_them() {
    for (parameters, is_compared) in [
        (json!({"recurse": true, "source": "puppet:///modules/m/dir"}), true),
        (
            json!({"recurse": "remote", "source": ["puppet:///modules/m/none", "puppet:///modules/m/dir"]}),
            true,
        ),
        (json!({"recurse": true, "ignore": ["*x*", ".git"], "source": "puppet:///modules/m/dir"}), false),
        (
            json!({"recurse": true, "ignore": ".git", "recurselimit": 1, "source": "puppet:///modules/m/dir"}),
            true,
        ),
        (json!({"recurse": false, "source": "puppet:///modules/m/dir"}), false),
        (json!({"source": "puppet:///modules/m/dir"}), false),
    ] {
        let files = [("File[/d]", parameters.clone())];
        let with = |content: &'static [u8]| {
            let mut found = catalog(&files);
            read_sources(&mut found, &OneFile(content));
            found
        };
        let found = compare(&with(b"one"), &with(b"two"), &DiffOptions::default());
        assert_eq!(group([("web1".to_owned(), found)]).groups.is_empty(), !is_compared, "{parameters}");
    }
}

#[test]
fn files_have_the_content_of_their_source() {
    let files = [("File[/a]", json!({"source": ["puppet:///modules/m/none", "puppet:///modules/m/a"]}))];
    let with = |content: &'static [u8]| {
        let mut found = catalog(&files);
        read_sources(&mut found, &OneFile(content));
        found
    };
    let found = compare(&with(b"one\ntwo\n"), &with(b"one\n"), &DiffOptions::default());
    let report = group([("web1".to_owned(), found)]);
    let shown = text(|out| render::human(&report, &render::TerminalReport::default(), out));
    assert!(shown.contains("~ content:") && shown.contains("-two"), "{shown}");
    let binary = compare(&with(b"\xff"), &with(b"\xfe"), &DiffOptions::default());
    let report = group([("web1".to_owned(), binary)]);
    let shown = text(|out| render::human(&report, &render::TerminalReport::default(), out));
    assert!(
        shown.contains("{sha256}a8100ae6aa1940d0b663bb31cd466142ebbdbd5187131b92d93818987832eb89"),
        "{shown}"
    );
}

#[test]
fn secrets_that_differ_from_node_to_node_are_one_group() {
    let of = |value: &str| [("File[/a]", json!({"content": value, "sensitive": ["content"]}))];
    let found =
        |n: u32| differences(&of(&format!("old {n}")), &of(&format!("new {n}")), &DiffOptions::default());
    let report = group((0..3).map(|n| (format!("web{n}"), found(n))));
    assert_eq!(report.groups.len(), 1);
}

#[test]
fn the_order_of_groups_does_not_depend_on_that_of_nodes() {
    let nodes: Vec<(String, Differences)> =
        (0..20).map(|n| (format!("web{n:02}"), found(&format!("06{}0", n % 3), n))).collect();
    let names = |report: DiffReport| {
        report.groups.into_iter().map(|group| (group.digest, group.nodes)).collect::<Vec<_>>()
    };
    let forward = names(group(nodes.clone()));
    assert_eq!(forward.iter().map(|(_, nodes)| nodes.len()).collect::<Vec<_>>(), [20, 7, 7, 6]);
    assert_eq!(forward, names(group(nodes.clone().into_iter().rev())));
    let shown = |report: DiffReport| text(|out| render::json(&report, out));
    assert_eq!(shown(group(nodes.clone())), shown(group(nodes.into_iter().rev())), "with the same places");
}
