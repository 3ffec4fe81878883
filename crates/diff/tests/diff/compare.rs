//! Differences between two catalogs. The snapshots have the output for people.

use crate::support::{differences, shown};
use puppetfn_diff::{DiffOptions, DifferenceFilter};
use serde_json::{Value, json};

macro_rules! assert_differences {
    ($name:literal, $options:expr, $old:expr, $new:expr $(,)?) => {
        insta::with_settings!({ prepend_module_to_snapshot => false, omit_expression => true }, {
            insta::assert_snapshot!($name, shown(&$old, &$new, &$options));
        });
    };
}

/// Returns the defaults with filters.
fn filtered(filters: &[DifferenceFilter]) -> DiffOptions {
    DiffOptions { filters: filters.to_vec(), ..DiffOptions::default() }
}

#[test]
fn resources_are_added_removed_and_changed() {
    assert_differences!(
        "resources",
        DiffOptions::default(),
        [
            ("Class[Web]", json!({"port": 80, "line": 1})),
            ("File[/etc/a]", json!({"mode": "0644", "owner": "root", "line": 3})),
            ("File[/etc/b]", json!({"ensure": "file", "require": "Package[a]", "line": 4})),
            ("Package[a]", json!({})),
        ],
        [
            ("Class[Web]", json!({"port": "80", "line": 1})),
            ("File[/etc/a]", json!({"mode": "0600", "group": "web", "line": 30})),
            ("Package[a]", json!({"line": 7})),
            ("Service[web]", json!({"ensure": "running", "subscribe": ["File[/etc/a]"], "line": 8})),
        ],
    );
}

#[test]
fn texts_are_compared_line_by_line() {
    let line = |n: u32, changed: &str| if n == 10 { format!("{changed}\n") } else { format!("line {n}\n") };
    let lines = |changed: &str| (1..=20).map(|n| line(n, changed)).collect::<String>();
    assert_differences!(
        "texts",
        DiffOptions::default(),
        [
            ("File[/etc/a]", json!({"content": lines("old")})),
            ("File[/etc/b]", json!({"content": "a\nb"})),
            ("File[/etc/c]", json!({"content": "a\nb\n"})),
            ("File[/etc/long]", json!({"content": format!("{}a{}", "x".repeat(300), "y".repeat(300))})),
        ],
        [
            ("File[/etc/a]", json!({"content": lines("new")})),
            ("File[/etc/b]", json!({"content": "a\nb\n"})),
            ("File[/etc/c]", json!({"source": "puppet:///modules/c"})),
            ("File[/etc/long]", json!({"content": format!("{}b{}", "x".repeat(300), "y".repeat(300))})),
        ],
    );
}

#[test]
fn nested_data_is_compared_by_path() {
    assert_differences!(
        "nested",
        DiffOptions::default(),
        [(
            "My::Type[x]",
            json!({
                "settings": {"a": {"b": 1, "c.d": [1, 2, {"e": "x", "f": true}]}, "gone": {"x": null}},
                "list": ["a", "b", "c", "d"],
                "same": {"b": [], "a": {}},
                "regex": {"__ptype": "Regexp", "__pvalue": "a"},
            })
        )],
        [(
            "My::Type[x]",
            json!({
                "settings": {"a": {"b": 2, "c.d": [1, 2, {"e": "y", "f": true}]}, "there": []},
                "list": ["a", "c", "d", "e"],
                "same": {"a": {}, "b": []},
                "regex": {"__ptype": "Regexp", "__pvalue": "b"},
            })
        )],
    );
}

#[test]
fn order_is_the_same_whichever_parameter_says_it() {
    let old = [
        ("File[/etc/a]", json!({"require": ["Package[a]"], "notify": "Service[a]"})),
        ("Package[a]", json!({"alias": "web"})),
        ("Service[a]", json!({"require": "Package[web]"})),
        ("User[u]", json!({"before": ["File[/etc/a/]", "Package[a]"]})),
        ("Cron[gone]", json!({"before": "Package[a]"})),
    ];
    assert_differences!(
        "order",
        DiffOptions::default(),
        old,
        [
            ("File[/etc/a]", json!({"before": "Service[a]"})),
            (
                "Package[a]",
                json!({"alias": "web", "before": ["File[/etc/a]", "Service[a]"], "notify": "User[u]"})
            ),
            ("Service[a]", json!({})),
            ("User[u]", json!({"before": ["File[/etc/a]"]})),
        ],
    );
    let same = [
        ("File[/etc/a]", json!({})),
        ("Package[a]", json!({"before": ["File[/etc/a]", "Service[a]"]})),
        ("Service[a]", json!({"subscribe": "File[/etc/a]"})),
        ("User[u]", json!({})),
    ];
    let first = [
        ("File[/etc/a]", json!({"require": "Package[a]", "notify": ["Service[a]"]})),
        ("Package[a]", json!({})),
        ("Service[a]", json!({"require": {"type": "package", "title": "a"}})),
        ("User[u]", json!({})),
    ];
    assert!(differences(&first, &same, &DiffOptions::default()).is_empty());
    assert!(
        differences(&old[..4], &same, &DiffOptions { ordering: false, ..DiffOptions::default() })
            .ordering
            .is_empty()
    );
}

#[test]
fn containers_are_shown_unless_they_were_added_or_removed_themselves() {
    assert_differences!(
        "containment",
        DiffOptions::default(),
        [
            ("Class[A]", json!({})),
            ("Class[B]", json!({})),
            ("Class[Old]", json!({})),
            ("File[/moved]", json!({"in": "Class[A]"})),
            ("File[/out]", json!({"in": "Class[A]"})),
            ("File[/renamed]", json!({"in": "Class[Old]"})),
        ],
        [
            ("Class[A]", json!({})),
            ("Class[B]", json!({})),
            ("Class[New]", json!({})),
            ("File[/moved]", json!({"in": "Class[B]"})),
            ("File[/out]", json!({"in": "Class[New]"})),
            ("File[/renamed]", json!({"in": "Class[New]"})),
        ],
    );
}

#[test]
fn what_is_sensitive_is_compared_and_not_shown() {
    let secret = |value: &str| json!({"__ptype": "Sensitive", "__pvalue": value});
    let old = [
        ("File[/a]", json!({"content": "hunter1", "sensitive": ["content"]})),
        ("File[/b]", json!({"content": "hunter1", "sensitive": ["content"]})),
        ("File[/c]", json!({"content": "hunter1"})),
        ("File[/d]", json!({"content": secret("hunter1")})),
        (
            "File[/e]",
            json!({"content": "hunter1", "sensitive": ["content"], "backup": {"k": secret("hunter1")}}),
        ),
        ("File[/f]", json!({"content": "hunter1\nhunter2\n", "sensitive": ["content"]})),
        ("File[/g]", json!({"content": "Sensitive [value redacted]", "sensitive": ["content"]})),
    ];
    let new = [
        ("File[/a]", json!({"content": "hunter2", "sensitive": ["content"]})),
        ("File[/b]", json!({"content": "hunter1", "sensitive": ["content"]})),
        ("File[/c]", json!({"content": "hunter2", "sensitive": ["content"]})),
        ("File[/d]", json!({"content": "hunter1", "sensitive": ["content"]})),
        ("File[/f]", json!({"content": "hunter1\nhunter3\n"})),
        ("File[/g]", json!({"content": "hunter1", "sensitive": ["content"]})),
        ("File[/h]", json!({"content": ["hunter1"], "sensitive": ["content"]})),
    ];
    assert_differences!("sensitive", DiffOptions::default(), old, new);
    let found = differences(&old, &new, &DiffOptions::default());
    for text in [format!("{found:?}"), serde_json::to_string(&found).unwrap()] {
        assert!(!text.contains("hunter"), "{text}");
    }
}

#[test]
fn options_say_what_is_compared() {
    let old = [
        ("Class[A]", json!({"a": 1})),
        ("File[/a]", json!({"tags": ["a", "b"], "mode": 644, "exported": true})),
        ("File[/tagged]", json!({"tags": ["ignored_octocatalog_diff"], "mode": "1"})),
        ("My::Type[tagged]", json!({"tags": ["ignored_octocatalog_diff__my__type"], "mode": "1"})),
        ("File[/of_other_type]", json!({"tags": ["ignored_octocatalog_diff__my__type"], "mode": "1"})),
    ];
    let new = [
        ("Class[A]", json!({"a": 2})),
        ("File[/a]", json!({"tags": ["c", "b"], "mode": "644", "exported": false})),
        ("File[/tagged]", json!({"tags": ["ignored_octocatalog_diff"], "mode": "2"})),
        ("File[/of_other_type]", json!({"tags": ["ignored_octocatalog_diff__my__type"], "mode": "2"})),
    ];
    assert_differences!("options_default", DiffOptions::default(), old, new);
    let other = DiffOptions {
        classes: false,
        tags: true,
        data_types: false,
        ignored_tags: Vec::new(),
        ..DiffOptions::default()
    };
    assert_differences!("options_other", other, old, new);
}

#[test]
fn places_in_files_and_the_order_of_a_catalog_are_no_differences() {
    let a = ("File[/a]", json!({"line": 1, "tags": ["a", "b"]}));
    let b = ("File[/b]", json!({"line": 2, "notify": ["File[/a]", "Package[p]"]}));
    let p = ("Package[p]", json!({"owner": null}));
    let old = [a, b, p];
    let new = [
        ("Package[p]", json!({})),
        ("File[/b]", json!({"line": 20, "notify": ["Package[p]", "File[/a]"]})),
        ("File[/a]", json!({"line": 10, "tags": ["b", "a"]})),
    ];
    assert!(differences(&old, &new, &DiffOptions { tags: true, ..DiffOptions::default() }).is_empty());
}

#[test]
fn filters_leave_out_what_makes_no_difference() {
    let same = |filter: &DifferenceFilter, title: &str, old: Value, new: Value| {
        let title = format!("File[{title}]");
        differences(&[(&title, old)], &[(&title, new)], &filtered(std::slice::from_ref(filter))).is_empty()
    };
    let content = |text: &str| json!({"content": text});
    let json_filter: DifferenceFilter = "json".parse().unwrap();
    assert!(same(&json_filter, "/a.json", content("{\"a\": [1]}"), content("{ \"a\":[ 1 ] }\n")));
    assert!(!same(&json_filter, "/a.json", content("{\"a\": [1]}"), content("{\"a\": [2]}")));
    assert!(!same(&json_filter, "/a.txt", content("[1]"), content("[1 ]")));
    assert!(
        !same(&json_filter, "/a.json", content("["), content("[ ")),
        "what is no JSON is compared as text"
    );

    let yaml_filter: DifferenceFilter = "YAML".parse().unwrap();
    assert!(same(&yaml_filter, "/a.yml", content("a: 1 # one\n"), content("---\na:   1\n")));
    assert!(!same(&yaml_filter, "/a.yaml", content("a: 1\n"), content("a: 2\n")));

    let single: DifferenceFilter = "SingleItemArray".parse().unwrap();
    assert!(same(&single, "/a", json!({"groups": "x"}), json!({"groups": ["x"]})));
    assert!(!same(&single, "/a", json!({"groups": "x"}), json!({"groups": ["x", "y"]})));

    let equivalent: DifferenceFilter = "EquivalentArrayNoDatatypes".parse().unwrap();
    assert!(same(&equivalent, "/a", json!({"l": [0, 1.0, "a"]}), json!({"l": ["0", 1, "a"]})));
    assert!(!same(&equivalent, "/a", json!({"l": [0, 1]}), json!({"l": [1, 0]})));

    let moved = DifferenceFilter::CompilationDir { old: "/tmp/one".into(), new: "/tmp/two".into() };
    assert!(same(&moved, "/a", json!({"l": ["/tmp/one/x"]}), json!({"l": ["/tmp/two/x"]})));
    assert!(!same(&moved, "/a", json!({"l": "/tmp/one/x"}), json!({"l": "/tmp/two/y"})));

    let unknown = "Nonsense".parse::<DifferenceFilter>().unwrap_err();
    assert!(unknown.starts_with("there is no filter 'Nonsense': expected one of AbsentFile, "), "{unknown}");
}

#[test]
fn filters_know_both_catalogs() {
    let absent: DifferenceFilter = "AbsentFile".parse().unwrap();
    assert_differences!(
        "absent_file",
        filtered(&[absent]),
        [
            ("File[/a]", json!({"ensure": "file", "owner": "root", "content": "x"})),
            ("File[/b]", json!({"ensure": "file", "owner": "root"})),
        ],
        [
            ("File[/a]", json!({"ensure": "absent", "owner": "bob"})),
            ("File[/b]", json!({"ensure": "file", "owner": "bob"})),
        ],
    );
    let moved = DifferenceFilter::CompilationDir { old: "/tmp/one".into(), new: "/tmp/two".into() };
    let found = differences(
        &[("File[/tmp/one/a]", json!({})), ("File[/tmp/one/gone]", json!({}))],
        &[("File[/tmp/two/a]", json!({}))],
        &filtered(&[moved]),
    );
    let titles: Vec<&str> = found.resources.iter().map(|resource| &**resource.reference.title()).collect();
    assert_eq!(titles, ["/tmp/one/gone"]);
}

#[test]
fn dependency_cycles_are_differences() {
    let of = |require: Value| {
        [
            ("Notify[a]", json!({"require": require, "line": 3})),
            ("Notify[b]", json!({"require": "Notify[a]", "line": 4})),
        ]
    };
    let (with, without) = (of(json!("Notify[b]")), of(json!([])));
    let options = DiffOptions::default();
    let edges = "    + Notify[b] requires Notify[a] (/code/site.pp:4)\n    + Notify[a] requires Notify[b] (/code/site.pp:3)\n";
    let order = "Order:\n    + Notify[b] -> Notify[a]\n";
    let heading = "+ dependency cycle, so that no agent can apply the catalog:\n";
    assert_eq!(shown(&without, &with, &options), format!("{order}{heading}{edges}"));
    assert!(
        shown(&with, &without, &options)
            .contains("- no dependency cycle any more:\n    - Notify[b] requires")
    );
    assert_eq!(differences(&with, &with, &options).counts().cycles, 0);
    let options = DiffOptions { ordering: false, ..options };
    assert_eq!(shown(&without, &with, &options), "");
}

#[test]
fn resources_with_near_names_are_different_resources() {
    let of = |title: &'static str| [(title, json!({"mode": "0644"}))];
    let found = shown(&of("File[/etc/motd]"), &of("File[/etc/mtod]"), &DiffOptions::default());
    assert_eq!(found, "- File[/etc/motd]\n    - mode: '0644'\n+ File[/etc/mtod]\n    + mode: '0644'\n");
}
