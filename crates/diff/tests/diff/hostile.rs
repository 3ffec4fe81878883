//! Invalid and very large catalogs: each leads to a clear error or a result, in bounded time.

use std::time::{Duration, Instant};

use crate::support::{differences, report, text};
use puppetfn_catalog::Relations;
use puppetfn_diff::{Catalog, DiffOptions, ValueDetail, render};
use serde_json::json;

#[test]
fn errors_name_the_file_and_the_place() {
    let cases = [
        ("", "line 1, column 0: expected the JSON of a catalog: EOF while parsing a value"),
        ("{\"resources\": [}", "line 1, column 16: expected the JSON of a catalog: expected value"),
        ("[]", "expected an object, got an array"),
        ("{}", "resources: expected the resources of a catalog, and there are none"),
        (r#"{"resources": 1}"#, "resources: expected an array, got a number"),
        (r#"{"resources": [[]]}"#, "resources[0]: expected an object, got an array"),
        (r#"{"resources": [{}]}"#, "resources[0].type: expected a string, and there is none"),
        (
            r#"{"resources": [{"type": "A", "title": {}}]}"#,
            "resources[0].title: expected a string, got an object",
        ),
        (
            r#"{"resources": [{"type": "A", "title": "a", "parameters": []}]}"#,
            "resources[0].parameters: expected an object, got an array",
        ),
        (
            r#"{"resources": [{"type": "A", "title": "a", "tags": ["a", 1]}]}"#,
            "resources[0].tags[1]: expected a string, got a number",
        ),
        (
            r#"{"resources": [{"type": "A", "title": "a"}, {"type": "a", "title": "a"}]}"#,
            "resources[1]: expected one A[a], got another",
        ),
        (
            r#"{"resources": [], "edges": [{"source": "A[a]"}]}"#,
            "edges[0].target: expected a reference to a resource, and there is none",
        ),
        (
            r#"{"resources": [], "edges": [{"source": "A", "target": "A[a]"}]}"#,
            "edges[0].source: expected a reference such as File[/a], got \"A\"",
        ),
        (r#"{"data": [1]}"#, "data: expected an object, got an array"),
    ];
    for (text, expected) in cases {
        let error = Catalog::of_json(text).unwrap_err().in_file("web1.json");
        assert_eq!(error.to_string(), format!("web1.json: {expected}"), "{text}");
    }
    let giant = json!({"resources": [], "edges": [{"source": "x".repeat(1_000_000), "target": "A[a]"}]});
    assert!(Catalog::of_value(giant).unwrap_err().to_string().len() < 1_100);
    let error = Catalog::of_reader(b"{\"\xff\"}".as_slice()).unwrap_err();
    assert_eq!(error.to_string(), "byte 3: expected UTF-8, got other bytes");
}

#[test]
fn what_is_logged_in_front_and_puppetdbs_form_are_read() {
    let logged = "Notice: Compiled catalog for web1 in environment production in 0.01 seconds\n{\"name\": \"web1\", \"resources\": []}";
    assert_eq!(Catalog::of_json(logged).unwrap().node(), "web1");
    let puppetdb = json!({
        "certname": "web1",
        "resources": {"data": [{"type": "File", "title": "/a"}, {"type": "File", "title": "/b"}]},
        "edges": {"data": [
            {"relationship": "contains", "source_type": "Class", "source_title": "main", "target_type": "File", "target_title": "/a"},
            {"relationship": "before", "source_type": "File", "source_title": "/a", "target_type": "File", "target_title": "/b"},
        ]},
    });
    let catalog = Catalog::of_value(puppetdb).unwrap();
    let containers = |title: &str| {
        let reference = puppetfn_diff::Reference::new("File", title);
        Relations::of(&catalog).containers(&reference).map(ToString::to_string).collect::<Vec<_>>()
    };
    assert_eq!(containers("/a"), ["Class[main]"]);
    assert!(containers("/b").is_empty());
}

/// Returns a catalog with a nested value.
fn nested(depth: usize, inner: &str) -> String {
    let (open, close) = ("[".repeat(depth), "]".repeat(depth));
    format!(
        r#"{{"resources": [{{"type": "A", "title": "a", "parameters": {{"p": {open}{inner}{close}}}}}]}}"#
    )
}

#[test]
fn values_nest_as_deep_as_puppetfn_compiles_them_and_no_deeper() {
    let (old, new) = (nested(490, "1"), nested(490, "2"));
    let (old, new) = (Catalog::of_json(&old).unwrap(), Catalog::of_json(&new).unwrap());
    let found = puppetfn_diff::compare(&old, &new, &DiffOptions::default());
    assert!(
        matches!(found.resources[0].attributes[0].detail(3), ValueDetail::Items(detail) if detail.items.len() == 2)
    );
    let report = puppetfn_diff::group([("a".to_owned(), found)]);
    assert!(!text(|out| render::json(&report, out)).is_empty());
    for depth in [500, 1_000_000] {
        let error = Catalog::of_json(&nested(depth, "")).unwrap_err();
        assert_eq!(error.to_string(), "line 1: expected values that nest at most 500 levels deep, got more");
    }
    let deep = (0..600).fold(json!(1), |inner, _| json!([inner]));
    let error = Catalog::of_value(json!({"resources": deep})).unwrap_err();
    assert!(error.message().contains("nest at most"));
    let error = Catalog::of_json(&"{\"a\":".repeat(1_000_000)).unwrap_err();
    assert!(error.message().contains("nest at most"));
}

#[test]
fn giant_texts_are_compared_soon() {
    let started = Instant::now();
    let of = |content: String| [("File[/a]", json!({"content": content}))];
    let lines = |range: std::ops::Range<usize>, word: &str| {
        range.map(|n| format!("{word} {n}\n")).collect::<String>()
    };
    for (old, new) in [
        // Nothing in common.
        (lines(0..50_000, "old"), lines(0..50_000, "new")),
        // All in another order.
        (lines(0..50_000, "a"), (0..50_000).rev().map(|n| format!("a {n}\n")).collect()),
        // One line.
        ("a".repeat(5_000_000), "b".repeat(5_000_000)),
        // One line of many.
        (lines(0..50_000, "a"), lines(0..50_000, "a").replace("a 25000\n", "b\n")),
    ] {
        let report = report(&of(old), &of(new), &DiffOptions::default());
        let _ = report.groups[0].differences.resources[0].attributes[0].detail(3);
    }
    assert!(started.elapsed() < Duration::from_secs(30), "{:?}", started.elapsed());
}

#[test]
fn a_small_change_in_a_large_text_is_found() {
    let lines = |word: &str| {
        (0..20_000)
            .map(|n| if n % 8_000 == 7_999 { format!("{word}\n") } else { format!("a {n}\n") })
            .collect::<String>()
    };
    let of = |content: String| [("File[/a]", json!({"content": content}))];
    let found = differences(&of(lines("old")), &of(lines("new")), &DiffOptions::default());
    let ValueDetail::Text(hunks) = found.resources[0].attributes[0].detail(1) else {
        panic!("a text has hunks")
    };
    assert_eq!(hunks[0].header(), "@@ -7999,3 +7999,3 @@");
}

#[test]
fn nothing_in_a_catalog_controls_a_terminal_or_ends_a_block() {
    let old = [];
    let new = [
        ("Exec[a\n\u{1b}[31m`````</details>\u{202e}]", json!({"command": "x\n```\n</details>\u{1b}[2J\n"})),
        ("Exec[<script>]", json!({"a\nb": "]]>&\u{0}"})),
    ];
    let report = report(&old, &new, &DiffOptions::default());
    let human = text(|out| {
        render::human(&report, &render::TerminalReport { details: true, ..Default::default() }, out)
    });
    assert!(!human.contains('\u{1b}') && !human.contains('\u{202e}'), "{human}");
    assert!(human.contains(r"Exec[a\n\u{1b}[31m`````</details>\u{202e}]"), "{human}");
    let markdown = text(|out| render::markdown(&report, &render::MarkdownReport::default(), out));
    assert_eq!(markdown.matches("\n``````").count(), 2, "{markdown}");
    let junit = text(|out| render::junit(&report, out));
    assert!(!junit.contains("<script>") && !junit.contains('\u{0}'), "{junit}");
}
