//! Rules for ignored differences.

use crate::support::differences;
use puppetfn_diff::{DiffOptions, IgnoreRules};
use serde_json::{Value, json};

/// Returns true if a rule ignores all differences between two resources, one of which may be missing.
fn ignores(rule: &str, reference: &str, old: Option<Value>, new: Option<Value>) -> bool {
    let mut rules = IgnoreRules::default();
    rules.add(rule).unwrap();
    let resources = |given: Option<Value>| {
        given.map(|parameters| (reference, parameters)).into_iter().collect::<Vec<_>>()
    };
    differences(&resources(old), &resources(new), &DiffOptions { rules, ..DiffOptions::default() }).is_empty()
}

fn changed(rule: &str, reference: &str, old: Value, new: Value) -> bool {
    ignores(rule, reference, Some(old), Some(new))
}

#[test]
fn rules_name_types_and_titles() {
    for (rule, reference, expected) in [
        ("Exec[*]", "Exec[a]", true),
        ("exec[A]", "Exec[a]", true),
        ("Exec[*]", "File[a]", false),
        ("Your::Custom::Type[*]", "Your::Custom::Type[x]", true),
        ("*[*]", "File[a]", true),
        ("my::*[x]", "My::Type[x]", true),
        ("File[/etc/foo/*]", "File[/etc/foo/.bar]", true),
        ("File[*/foo]", "File[/etc/foo]", true),
        ("File[/etc/*/foo/*]", "File[/etc/a/b/foo/c]", true),
        ("File[/etc/*/foo]", "File[/etc/foo]", false),
        ("My::Type[a[1]b]", "My::Type[a[1]b]", true),
    ] {
        assert_eq!(
            changed(rule, reference, json!({"a": 1}), json!({"a": 2})),
            expected,
            "{rule} {reference}"
        );
        assert_eq!(ignores(rule, reference, None, Some(json!({}))), expected, "{rule} {reference}");
    }
}

#[test]
fn a_list_has_commas_between_rules() {
    let counts = |list: &str| {
        let mut rules = IgnoreRules::default();
        rules.add_list(list).unwrap();
        let old = [("File[/a]", json!({"mode": "aa"})), ("Exec[b, c]", json!({})), ("User[u]", json!({}))];
        let new = [("File[/a]", json!({"mode": "b"}))];
        let counts = differences(&old, &new, &DiffOptions { rules, ..DiffOptions::default() }).counts();
        (counts.changed, counts.removed)
    };
    assert_eq!(counts("File[*],Exec[*], User[*]"), (0, 0));
    assert_eq!(counts("Exec[b, c]"), (1, 1));
    assert_eq!(counts("File[/a]mode=~>a{1,2},Exec[*]"), (0, 1));
}

#[test]
fn rules_may_be_about_what_was_added_or_removed() {
    for (rule, added, removed) in [
        ("File[/a]+", true, false),
        ("File[/a]-", false, true),
        ("File[/a]+-", true, true),
        ("File[/a]-+", true, true),
    ] {
        assert_eq!(ignores(rule, "File[/a]", None, Some(json!({"a": 1}))), added, "{rule}");
        assert_eq!(ignores(rule, "File[/a]", Some(json!({"a": 1})), None), removed, "{rule}");
        assert!(!changed(rule, "File[/a]", json!({}), json!({"a": 1})), "{rule}");
    }
    for (rule, added, removed) in [
        ("File[*]+::parameters::a", true, false),
        ("File[*]-::parameters::a", false, true),
        ("File[*]+::parameters::a=>x", true, false),
    ] {
        assert_eq!(changed(rule, "File[/a]", json!({}), json!({"a": "x"})), added, "{rule}");
        assert_eq!(changed(rule, "File[/a]", json!({"a": "x"}), json!({})), removed, "{rule}");
        assert!(!changed(rule, "File[/a]", json!({"a": "x"}), json!({"a": "y"})), "{rule}");
        assert!(!ignores(rule, "File[/a]", None, Some(json!({"a": "x"}))), "{rule}");
    }
}

#[test]
fn rules_name_attributes_by_their_paths() {
    let (old, new) =
        (json!({"settings": {"Owner": {"name": "a"}}}), json!({"settings": {"Owner": {"name": "b"}}}));
    for (attribute, expected) in [
        ("::parameters::settings", true),
        ("::parameters::settings::owner::name", true),
        ("::settings::owner", true),
        ("::settings", true),
        ("owner", true),
        ("owner::name", true),
        ("parameters", true),
        ("set*", true),
        ("*", true),
        ("::owner", false),
        ("::parameters::owner", false),
        ("settings::name", false),
        ("tags", false),
    ] {
        assert_eq!(
            changed(&format!("File[*]{attribute}"), "File[/a]", old.clone(), new.clone()),
            expected,
            "{attribute}"
        );
        let mut rules = IgnoreRules::default();
        rules.add_attribute(attribute).unwrap();
        let options = DiffOptions { rules, ..DiffOptions::default() };
        let found = differences(&[("A[a]", old.clone())], &[("A[a]", new.clone())], &options);
        assert_eq!(found.is_empty(), expected, "{attribute}");
    }
}

#[test]
fn rules_may_ask_for_values() {
    let owner = |name: &str| json!({"owner": name});
    for (test, old, new, expected) in [
        ("=>root", "root", "joe", true),
        ("=>root", "joe", "root", true),
        ("=>root", "joe", "bob", false),
        ("=>root", "Root", "bob", false),
        ("=+>root", "joe", "root", true),
        ("=+>root", "root", "joe", false),
        ("=->root", "root", "joe", true),
        ("=->root", "joe", "root", false),
        ("=~>^\\+ROOT$", "joe", "root", true),
        ("=~>^-root$", "joe", "root", false),
        ("=~>^[-+](joe|root)$", "joe", "root", true),
        ("=&>^.(joe|root)$", "joe", "root", true),
        ("=&>^.(joe)$", "joe", "root", false),
    ] {
        let rule = format!("File[/tmp/*]::parameters::owner{test}");
        assert_eq!(changed(&rule, "File[/tmp/a]", owner(old), owner(new)), expected, "{test} {old} {new}");
    }
}

#[test]
fn rules_may_ask_for_lines_and_items() {
    let content = |text: &str| json!({"content": text});
    let rule = r"File[/tmp/foo]::parameters::content=&>^[\-\+]This is the line in the (old|new) catalog$";
    let old = content("# Managed\n  This is the line in the old catalog\nImportant\n");
    let new = "# Managed\nThis is the line in the new catalog  \n";
    assert!(!changed(rule, "File[/tmp/foo]", old.clone(), content(new)), "an important line is gone");
    let new = content(&format!("{new}Important\n"));
    assert!(!changed(rule, "File[/tmp/foo]", old, new.clone()), "the sign is in front of spaces");
    let old = content("# Managed\nThis is the line in the old catalog\nImportant\n");
    assert!(changed(rule, "File[/tmp/foo]", old, new));

    let groups = |items: &[&str]| json!({"groups": items});
    let rule = "User[*]::parameters::groups=s>=";
    assert!(changed(rule, "User[a]", groups(&["a", "b"]), groups(&["b", "a"])));
    assert!(!changed(rule, "User[a]", groups(&["a", "b"]), groups(&["b", "c"])));
    assert!(changed("User[*]groups=~>^\\+c", "User[a]", groups(&["a"]), groups(&["a", "c"])));
}

#[test]
fn rules_are_about_order_and_containers_too() {
    let old = [
        ("File[/a]", json!({"require": "Package[p]", "in": "Class[A]"})),
        ("Package[p]", json!({})),
        ("Class[A]", json!({})),
    ];
    let new = [("File[/a]", json!({})), ("Package[p]", json!({})), ("Class[A]", json!({}))];
    let counts = |rules: &[&str]| {
        let mut read = IgnoreRules::default();
        rules.iter().for_each(|rule| read.add(rule).unwrap());
        let counts = differences(&old, &new, &DiffOptions { rules: read, ..DiffOptions::default() }).counts();
        (counts.ordering, counts.containment)
    };
    assert_eq!(counts(&[]), (1, 1));
    assert_eq!(counts(&["*[*]::parameters::require"]), (0, 1));
    assert_eq!(counts(&["File[*]-::require=->Package[p]", "File[*]::container"]), (0, 0));
    assert_eq!(counts(&["Package[p]", "*[*]::parameters::before"]), (1, 1));
    assert_eq!(counts(&["File[/a]"]), (0, 0));
}

#[test]
fn secrets_cannot_be_guessed_with_rules() {
    let of = |value: &str| json!({"content": value, "sensitive": ["content"]});
    for rule in ["File[*]content=>hunter1", "File[*]content=~>hunter1", "File[*]content=&>hunter"] {
        assert!(!changed(rule, "File[/a]", of("hunter1"), of("hunter2")), "{rule}");
    }
    assert!(changed("File[*]content", "File[/a]", of("hunter1"), of("hunter2")));
}

#[test]
fn what_takes_too_long_to_match_is_not_ignored() {
    let of = |end: &str| json!({"content": format!("{}{end}", "a".repeat(60))});
    assert!(!changed(r"File[*]content=~>^.(a+)+\1(?=x)$", "File[/a]", of("b"), of("c")));
}

#[test]
fn errors_say_what_was_expected_and_where() {
    for (rule, expected) in [
        ("File", "expected Type[title], in the rule `File`"),
        ("[a]", "expected the name of a type in front of `[`, in the rule `[a]`"),
        (
            "File[a",
            "expected `]` after the title, and then nothing, `+`, `-`, `~`, `!`, or `::` and an attribute, in the rule `File[a`",
        ),
        (
            "File[]",
            "expected `]` after the title, and then nothing, `+`, `-`, `~`, `!`, or `::` and an attribute, in the rule `File[]`",
        ),
        ("File[a]::", "expected the name of an attribute after `::`, in the rule `File[a]::`"),
        ("File[a]::b::::c", "expected the name of an attribute after `::`, in the rule `File[a]::b::::c`"),
        ("File[a]::b=>", "expected a value after the operator, in the rule `File[a]::b=>`"),
        ("File[a]::b=s>x", "expected `=` after `=s>`, in the rule `File[a]::b=s>x`"),
        (
            "File[a]::b=!>x",
            "expected an attribute, or one of `=>`, `=+>`, `=->`, `=~>`, `=&>`, `=s>` after it, in the rule `File[a]::b=!>x`",
        ),
    ] {
        assert_eq!(IgnoreRules::default().add(rule).unwrap_err().to_string(), expected);
    }
    let text = "# What is known\n\n  File[/a]  \nFile[/b]::content=~>(\n";
    let error = IgnoreRules::default().add_lines(text).unwrap_err().in_file("ignore.txt").to_string();
    let expected = "ignore.txt: line 4: expected a regular expression after `=~>` (";
    assert!(error.starts_with(expected) && !error.contains("(?i"), "{error}");
}
