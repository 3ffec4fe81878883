//! The page for a browser.

use std::time::{Duration, Instant};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use puppetfn_diff::render::{Commit, DiffSide, HtmlReport, html};
use puppetfn_diff::{DiffOptions, DiffReport, Differences, compare, group};
use serde_json::json;
use sha2::{Digest, Sha256};

use crate::render::sample;
use crate::support::{catalog, differences, report, text};

fn page(report: &DiffReport, how: &HtmlReport) -> String {
    text(|out| html(report, how, out))
}

/// Returns the texts between tags.
fn within<'p>(page: &'p str, open: &str, close: &str) -> Vec<&'p str> {
    page.split(open).skip(1).map(|rest| rest.split_once(close).unwrap().0).collect()
}

fn named() -> HtmlReport {
    let commit = Commit {
        hash: "0123456789abcdef0123456789abcdef01234567".into(),
        date: "2026-01-02T03:04:05+00:00".into(),
        subject: "Be <nice>".into(),
    };
    let old = DiffSide { name: "main".into(), commit: Some(commit) };
    HtmlReport {
        old,
        new: DiffSide { name: "../working tree".into(), commit: None },
        ..HtmlReport::default()
    }
}

#[test]
fn a_page_has_all_of_a_report() {
    let shown = page(&sample(), &named());
    let body = shown.split_once("<body>").unwrap().1.split_once("<script>").unwrap().0;
    insta::with_settings!({ prepend_module_to_snapshot => false, omit_expression => true }, {
        insta::assert_snapshot!("html", body.replace("><", ">\n<"));
    });
}

#[test]
fn the_policy_allows_the_style_and_the_script_of_the_page_and_nothing_else() {
    let shown = page(&sample(), &HtmlReport::default());
    let policy = within(&shown, "Content-Security-Policy\" content=\"", "\"")[0];
    let hash = |text: &&str| format!("'sha256-{}'", STANDARD.encode(Sha256::digest(text)));
    let styles: Vec<String> = within(&shown, "<style>", "</style>").iter().map(hash).collect();
    let scripts: Vec<String> = within(&shown, "<script>", "</script>").iter().map(hash).collect();
    assert!(policy.starts_with("default-src 'none';"), "{policy}");
    assert!(policy.contains(&format!("style-src {};", styles.join(" "))), "{policy}");
    assert!(policy.contains(&format!("script-src {};", scripts.join(" "))), "{policy}");
    assert!(!shown.contains(" style=") && !shown.contains(" onclick="));
}

#[test]
fn nothing_in_a_catalog_becomes_part_of_the_page() {
    let new = [
        ("Exec[</script><img src=x onerror=alert(1)>]", json!({"command": "</style>\n<b>\u{202e}\u{7}\n"})),
        ("Foo\" onclick=\"alert(1)[\u{200b}x]", json!({"a<b>": "\"'><i>"})),
    ];
    let mut report = report(&[], &new, &DiffOptions::default());
    report.add_failures([("<i>web2".to_owned(), "</pre><script>\u{2066}".to_owned())]);
    let catalogs = (catalog(&[]), catalog(&new));
    report.add_surroundings(1, |_| Some(catalogs.clone()));
    let side =
        DiffSide { name: "<u>".into(), commit: Some(Commit { subject: "<u>".into(), ..Commit::default() }) };
    let shown = page(&report, &HtmlReport { old: side, ..HtmlReport::default() });
    for hostile in ["<img", "<b>", "<i>", "<u>", "\" onclick", "\u{202e}", "\u{2066}", "\u{200b}", "\u{7}"] {
        assert!(!shown.contains(hostile), "{hostile:?}");
    }
    assert_eq!(shown.matches("<script").count(), 1);
    assert!(shown.contains(r"\u{202e}") && shown.contains("&lt;img src=x onerror=alert(1)&gt;"));
}

#[test]
fn nothing_sensitive_is_in_a_page() {
    let of = |secret: &str| {
        let hidden = json!({"__ptype": "Sensitive", "__pvalue": secret});
        [
            ("File[/a]", json!({"content": secret, "sensitive": ["content"]})),
            ("User[a]", json!({"keys": [hidden, 1], "password": hidden})),
            ("File[/b]", json!({"require": "User[a]"})),
        ]
    };
    let (old, new) = (of("hunter1\nhunter1"), of("hunter2\nhunter2"));
    let mut report = report(&old, &new, &DiffOptions::default());
    report.add_surroundings(1, |_| Some((catalog(&old), catalog(&new))));
    let shown = page(&report, &HtmlReport::default());
    assert!(shown.contains("File[/b]") && shown.contains("Sensitive [value redacted]"));
    assert!(!shown.contains("hunter"));
}

#[test]
fn words_that_differ_are_marked_within_lines() {
    let of = |count: u32| [("File[/a]", json!({"content": format!("user www;\nworkers {count};\n")}))];
    let shown = page(&report(&of(4), &of(16), &DiffOptions::default()), &HtmlReport::default());
    assert!(shown.contains("workers <del>4</del>;") && shown.contains("workers <ins>16</ins>;"));
}

#[test]
fn the_graph_has_what_is_around_a_difference() {
    let rest = |mode: &str| {
        let mut all = vec![
            ("Class[Web]", json!({})),
            ("Package[web]", json!({"in": "Class[Web]", "before": "File[/etc/web]"})),
            ("File[/etc/web]", json!({"in": "Class[Web]", "mode": mode})),
            ("Service[far]", json!({})),
        ];
        if mode == "0600" {
            all.push(("Service[web]", json!({"in": "Class[Web]", "subscribe": "File[/etc/web]"})));
        }
        catalog(&all)
    };
    let (old, new) = (rest("0644"), rest("0600"));
    let mut report = group([("web1".to_owned(), compare(&old, &new, &DiffOptions::default()))]);
    report.add_surroundings(1, |_| Some((old.clone(), new.clone())));
    let graph = report.groups[0].surroundings.as_ref().unwrap();
    let mut nodes: Vec<String> =
        graph.nodes().map(|(_, node)| format!("{} {:?}", node.label, node.mark)).collect();
    nodes.sort();
    let expected = ["Class[Web] None", "File[/etc/web] Changed", "Package[web] None", "Service[web] Added"];
    assert_eq!(nodes, expected);
    let shown = page(&report, &HtmlReport::default());
    assert!(shown.contains("File[/etc/web] comes before, and notifies, Service[web] (added)"));
    assert!(!shown.contains("Service[far]"));
}

#[test]
fn a_page_is_no_larger_than_it_may_be_and_says_what_is_missing() {
    let file = |n: usize, text: &str| (format!("File[/etc/{n}]"), json!({"content": text.repeat(40)}));
    let of = |text: &str| (0..500).map(|n| file(n, text)).collect::<Vec<_>>();
    let [old, new] = ["old\n", "new\n"].map(of);
    let borrowed = |all: &'_ [(String, serde_json::Value)]| {
        catalog(&all.iter().map(|(name, parameters)| (name.as_str(), parameters.clone())).collect::<Vec<_>>())
    };
    let found = compare(&borrowed(&old), &borrowed(&new), &DiffOptions::default());
    let mut nodes: Vec<(String, Differences)> =
        (0..300).map(|n| (format!("web{n}"), found.clone())).collect();
    nodes.push(("db1".to_owned(), differences(&[], &[("File[/a]", json!({}))], &DiffOptions::default())));
    let report = group(nodes);
    for limit in [60_000, 200_000, 1_000_000] {
        let shown = page(&report, &HtmlReport { limit, ..HtmlReport::default() });
        assert!(shown.len() <= limit + 500, "{limit}: {}", shown.len());
        assert!(shown.contains("not shown here") && shown.contains("File[/a]"), "{limit}");
        assert!(shown.ends_with("</html>\n"));
    }
    let shown = page(&report, &HtmlReport::default());
    assert!(!shown.contains("not shown here") && shown.contains("<li>web299</li>"));
    let shown = page(&report, &HtmlReport { lines: 10, ..HtmlReport::default() });
    assert!(shown.contains("70 more lines not shown here"), "{}", shown.len());
}

#[test]
fn thousands_of_nodes_are_a_page_soon() {
    let started = Instant::now();
    let found = |n: usize| {
        let of =
            |mode: &str| [("File[/etc/motd]", json!({"mode": mode, "content": format!("a\n{mode}\nb\n")}))];
        differences(&of("0644"), &of(&format!("{:04o}", n % 2_000)), &DiffOptions::default())
    };
    let report = group((0..5_000).map(|n| (format!("node{n}.example.com"), found(n))));
    assert_eq!(report.groups.len(), 1_999);
    let shown = page(&report, &HtmlReport::default());
    assert!(shown.len() < 6_000_000 && !shown.contains("not shown here"), "{}", shown.len());
    for limit in [100_000, 1_000_000, 3_000_000] {
        let shown = page(&report, &HtmlReport { limit, ..HtmlReport::default() });
        assert!(shown.len() <= limit && shown.contains("not shown here"), "{limit}: {}", shown.len());
    }
    assert!(started.elapsed() < Duration::from_secs(20), "{:?}", started.elapsed());
}
