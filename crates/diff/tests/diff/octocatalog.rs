//! Rules and filters of octocatalog-diff, as its users know them: for each form in its documentation and its code, two
//! small catalogs, the arguments, and the differences that remain.

use crate::support::differences;
use puppetfn_diff::{DiffOptions, DifferenceFilter, IgnoreRules};
use serde_json::{Value, json};

/// Resources with their parameters.
type ResourceList = Vec<(&'static str, Value)>;

/// Two catalogs.
type CatalogLists = (ResourceList, ResourceList);

/// Returns the options for these arguments.
fn options(arguments: &[&str]) -> DiffOptions {
    let (mut rules, mut options) = (IgnoreRules::default(), DiffOptions::default());
    let mut arguments = arguments.iter();
    while let Some(option) = arguments.next() {
        let mut value = || *arguments.next().unwrap();
        match *option {
            "--ignore" => rules.add_list(value()).unwrap(),
            "--ignore-attr" => value().split(',').for_each(|name| rules.add_attribute(name).unwrap()),
            "--ignore-tags" => options.ignored_tags = value().split(',').map(str::to_owned).collect(),
            "--filters" => options
                .filters
                .extend(value().split(',').map(|name| name.parse::<DifferenceFilter>().unwrap())),
            "--include-tags" => options.tags = true,
            other => panic!("{other}"),
        }
    }
    DiffOptions { rules, ..options }
}

/// Returns the differences that remain: `+Type[title]`, `-Type[title]`, and `Type[title] path` of changed resources.
fn remaining((old, new): &CatalogLists, options: &DiffOptions) -> Vec<String> {
    let found = differences(old, new, options);
    let mut lines = Vec::new();
    for resource in &found.resources {
        let (sign, reference) = (resource.change.sign(), &resource.reference);
        match sign {
            '~' => {
                lines.extend(resource.attributes.iter().map(|a| format!("{reference} {}", a.path.shown())))
            }
            _ => lines.push(format!("{sign}{reference}")),
        }
    }
    lines.extend(found.ordering.iter().map(|order| format!("{} -> {}", order.first, order.then)));
    lines
}

/// Asserts the differences that remain with the arguments of each line of a table.
fn assert_table(pair: &CatalogLists, table: &[(&[&str], &[&str])]) {
    for (arguments, expected) in table {
        assert_eq!(remaining(pair, &options(arguments)), *expected, "{arguments:?}");
    }
}

/// Returns true if no difference remains between a resource's old and new parameters.
fn is_silent(arguments: &[&str], reference: &'static str, old: Value, new: Value) -> bool {
    remaining(&(vec![(reference, old)], vec![(reference, new)]), &options(arguments)).is_empty()
}

/// Returns catalogs that differ in one parameter of each of these resources.
fn all_changed(references: &[&'static str]) -> CatalogLists {
    let with = |mode: &str| references.iter().map(|name| (*name, json!({"mode": mode}))).collect();
    (with("0600"), with("0640"))
}

#[test]
fn types_and_titles() {
    let pair = all_changed(&[
        "Exec[reload]",
        "File['/etc/issue']",
        "File[/etc/app.d/.hidden]",
        "File[/etc/app.d/a/b.conf]",
        "File[/etc/appXd/a]",
        "File[/srv/app.d/b.conf]",
        "Site::Vhost[shop]",
    ]);
    let of = |ignored: &[&str]| {
        let left = remaining(&pair, &options(&[]));
        let is_left = |line: &&String| !ignored.iter().any(|name| line.starts_with(name));
        left.iter().filter(is_left).cloned().collect::<Vec<_>>()
    };
    assert_eq!(of(&[]).len(), 7);
    for (rule, ignored) in [
        // Types, in any case.
        ("Exec[*]", &["Exec["][..]),
        ("exec[*]", &["Exec["]),
        ("Site::Vhost[*]", &["Site::"]),
        ("site::vhost[SHOP]", &["Site::"]),
        ("Vhost[*]", &[]),
        ("*[*]", &["Exec", "File", "Site"]),
        ("*[shop]", &["Site::"]),
        // Titles, with stars for any characters, or none; nothing else in them has a meaning.
        ("File[/etc/app.d/a/b.conf]", &["File[/etc/app.d/a/"]),
        ("File[/etc/app.d/*]", &["File[/etc/app.d/"]),
        ("File[*/b.conf]", &["File[/etc/app.d/a/", "File[/srv"]),
        ("File[/etc/*/b.conf]", &["File[/etc/app.d/a/"]),
        ("File[/*/app.d/*.conf]", &["File[/etc/app.d/a/", "File[/srv"]),
        ("File[/etc/app.d/.hidden*]", &["File[/etc/app.d/.hidden"]),
        ("File[/etc/app.d]", &[]),
        ("File[/etc/app?d/*]", &[]),
        ("File[/etc/issue]", &[]),
        ("File['/etc/issue']", &["File['"]),
        // One argument may have several rules.
        ("Exec[*],Site::Vhost[shop]", &["Exec", "Site"]),
        ("Exec[reload],File[/srv/*],File[/etc/appXd/*]::mode", &["Exec", "File[/srv", "File[/etc/appX"]),
    ] {
        assert_eq!(remaining(&pair, &options(&["--ignore", rule])), of(ignored), "{rule}");
    }
    let both = ["--ignore", "Exec[*]", "--ignore", "Site::Vhost[*]", "--ignore", "User[nobody]"];
    assert_eq!(remaining(&pair, &options(&both)), of(&["Exec", "Site"]));
}

#[test]
fn files_by_their_paths() {
    let motd = |mode: &str| vec![("File[motd]", json!({"path": "/etc/motd", "mode": mode}))];
    let gone = (motd("0644"), Vec::new());
    let changed = (motd("0644"), motd("0600"));
    for rule in ["File[/etc/*]", "File[/etc/motd]", "File[motd]"] {
        assert!(remaining(&changed, &options(&["--ignore", rule])).is_empty(), "{rule}");
        assert!(remaining(&gone, &options(&["--ignore", rule])).is_empty(), "{rule}");
    }
    assert_table(&changed, &[(&["--ignore", "File[/srv/*]"], &["File[motd] mode"])]);
}

/// `weight` is a parameter, an entry of a hash, a hash, and an entry of hashes in an array.
fn weights() -> CatalogLists {
    let of = |weight: u32| {
        let backends = json!([{"name": "a", "weight": weight}, {"name": "b", "weight": weight}]);
        vec![
            ("Pool[deep]", json!({"limits": {"parameters": {"weight": weight}}})),
            ("Pool[first]", json!({"weight": weight})),
            ("Pool[list]", json!({"backends": backends})),
            ("Pool[middle]", json!({"limits": {"weight": {"max": weight}}})),
        ]
    };
    (of(1), of(2))
}

#[test]
fn attributes_of_all_resources() {
    let deep = "Pool[deep] limits.parameters.weight";
    let (first, list, middle) =
        ("Pool[first] weight", "Pool[list] backends", "Pool[middle] limits.weight.max");
    assert_table(
        &weights(),
        &[
            (&[], &[deep, first, list, middle]),
            // A name matches wherever it is.
            (&["--ignore-attr", "weight"], &[]),
            (&["--ignore-attr", "WEIGHT"], &[]),
            (&["--ignore", "*[*]weight"], &[]),
            (&["--ignore-attr", "max"], &[deep, first, list]),
            (&["--ignore-attr", "max,backends"], &[deep, first]),
            (&["--ignore-attr", "wei"], &[deep, first, list, middle]),
            // Nested names match wherever they are nested in this way.
            (&["--ignore-attr", "parameters::weight"], &[list, middle]),
            (&["--ignore-attr", "limits::weight"], &[deep, first, list]),
            (&["--ignore-attr", "backends::weight"], &[deep, first, middle]),
            // From the top.
            (&["--ignore-attr", "::parameters::weight"], &[deep, list, middle]),
            (&["--ignore", "*[*]::parameters::weight"], &[deep, list, middle]),
            (&["--ignore-attr", "::parameters::limits::weight"], &[deep, first, list]),
            (&["--ignore-attr", "::parameters::limits"], &[first, list]),
            (&["--ignore-attr", "::parameters"], &[]),
            // As octocatalog-diff writes it in its own output.
            (&["--ignore-attr", r"parameters\fweight"], &[list, middle]),
            (&["--ignore-attr", r"\fparameters\fweight"], &[deep, list, middle]),
        ],
    );
}

#[test]
fn attributes_within_items_of_arrays() {
    let pool = |backends: Value| json!({"backends": backends});
    let is_silent = |rule, old, new| is_silent(&["--ignore", rule], "Pool[a]", pool(old), pool(new));
    let (old, new) = (json!([{"name": "a", "weight": 1}]), json!([{"name": "a", "weight": 2}]));
    assert!(is_silent("Pool[a]::parameters::backends::weight", old.clone(), new.clone()));
    assert!(is_silent("*[*]weight=+>2", old.clone(), new.clone()));
    assert!(!is_silent("*[*]weight=+>1", old.clone(), new));
    // Other differences are not ignored.
    assert!(!is_silent("*[*]weight", old.clone(), json!([{"name": "b", "weight": 2}])));
    assert!(!is_silent("*[*]weight", old.clone(), json!([{"name": "a", "weight": 2}, {"weight": 1}])));
    // A rule for an added array does not apply to its items.
    assert!(!is_silent("*[*]+::parameters::backends", json!(["a"]), json!(["a", "b"])));
    let secret = |value: &str| json!({"__ptype": "Sensitive", "__pvalue": value});
    let (old, new) = (json!([{"weight": 1, "key": secret("a")}]), json!([{"weight": 2, "key": secret("b")}]));
    assert!(!is_silent("*[*]weight", old, new));
}

#[test]
fn attributes_of_some_resources() {
    let file = |owner: &str, group: &str| json!({"owner": owner, "group": group});
    let files = |owner: &str, group: &str| {
        vec![("File[/srv/a]", file(owner, group)), ("File[/srv/b]", file(owner, group))]
    };
    let pair = (files("root", "root"), files("www", "www"));
    let [a_group, a_owner] = ["File[/srv/a] group", "File[/srv/a] owner"];
    let [b_group, b_owner] = ["File[/srv/b] group", "File[/srv/b] owner"];
    assert_table(
        &pair,
        &[
            (&[], &[a_group, a_owner, b_group, b_owner]),
            (&["--ignore", "File[/srv/a]::parameters::owner"], &[a_group, b_group, b_owner]),
            (&["--ignore", "File[/srv/*]::parameters::owner"], &[a_group, b_group]),
            (&["--ignore", "File[/srv/*]parameters::OWNER"], &[a_group, b_group]),
            (&["--ignore", "File[/srv/*]owner,File[/srv/a]group"], &[b_group]),
            (&["--ignore", "File[/srv/b]::parameters::group", "--ignore-attr", "owner"], &[a_group]),
            // A star alone matches any attribute, as if the suffix were omitted.
            (&["--ignore", "File[/srv/a]*"], &[b_group, b_owner]),
        ],
    );
    // A resource is more than its attributes.
    let added = (Vec::new(), vec![("File[/srv/a]", file("www", "www"))]);
    let whole = ["+File[/srv/a]"];
    assert_table(
        &added,
        &[(&["--ignore-attr", "::parameters"], &whole), (&["--ignore", "File[/srv/a]*"], &[])],
    );
}

#[test]
fn what_happened_to_resources() {
    let pair = (
        vec![
            ("File[/tmp/key]", json!({"mode": "0600"})),
            ("File[/tmp/list]", json!({"links": ["a"]})),
            ("File[/tmp/mode]", json!({"mode": "0600"})),
            ("File[/tmp/old]", json!({"mode": "0600"})),
        ],
        vec![
            ("File[/tmp/key]", json!({"mode": "0600", "owner": "root"})),
            ("File[/tmp/list]", json!({"links": ["a", "b"]})),
            ("File[/tmp/mode]", json!({"mode": "0640"})),
            ("File[/tmp/new]", json!({"mode": "0600"})),
        ],
    );
    let (key, list, mode) = ("File[/tmp/key] owner", "File[/tmp/list] links", "File[/tmp/mode] mode");
    let (new, old) = ("+File[/tmp/new]", "-File[/tmp/old]");
    assert_table(
        &pair,
        &[
            (&["--ignore", "File[/tmp/*]+"], &[key, list, mode, old]),
            (&["--ignore", "File[/tmp/*]-"], &[key, list, mode, new]),
            (&["--ignore", "File[/tmp/*]+-"], &[key, list, mode]),
            (&["--ignore", "File[/tmp/*]-+"], &[key, list, mode]),
            (&["--ignore", "File[/tmp/*]+", "--ignore", "File[/tmp/*]-"], &[key, list, mode]),
            (&["--ignore-attr", "+"], &[key, list, mode, old]),
            // A changed value and an addition or a removal within it have signs of their own.
            (&["--ignore", "File[/tmp/*]~"], &[key, list, new, old]),
            (&["--ignore", "File[/tmp/*]!"], &[mode, new, old]),
            (&["--ignore", "File[/tmp/*]~!"], &[new, old]),
            (&["--ignore", "File[/tmp/*]+-~!"], &[]),
            (&["--ignore", "File[/tmp/*]"], &[]),
            // A sign before a name limits the rule to an attribute.
            (&["--ignore", "File[/tmp/*]+mode"], &[key, list, mode, new, old]),
        ],
    );
}

#[test]
fn what_happened_to_attributes() {
    let pair = (
        vec![
            ("Site::Vhost[add]", json!({})),
            ("Site::Vhost[change]", json!({"port": "80"})),
            ("Site::Vhost[drop]", json!({"port": "80"})),
            ("Site::Vhost[nested]", json!({"listen": {"v4": "a"}})),
        ],
        vec![
            ("Site::Vhost[add]", json!({"port": "8080"})),
            ("Site::Vhost[change]", json!({"port": "8080"})),
            ("Site::Vhost[drop]", json!({})),
            ("Site::Vhost[nested]", json!({"listen": {"v4": "a", "port": "8080"}})),
        ],
    );
    let (add, change) = ("Site::Vhost[add] port", "Site::Vhost[change] port");
    let (drop, nested) = ("Site::Vhost[drop] port", "Site::Vhost[nested] listen.port");
    assert_table(
        &pair,
        &[
            (&["--ignore", "Site::Vhost[*]+::parameters::port"], &[change, drop, nested]),
            (&["--ignore", "Site::Vhost[*]-::parameters::port"], &[add, change, nested]),
            (&["--ignore", "Site::Vhost[*]+port"], &[change, drop]),
            (&["--ignore-attr", "+port"], &[change, drop]),
            (&["--ignore-attr", "+parameters::port,-parameters::port"], &[change, nested]),
            (&["--ignore", "Site::Vhost[*]+::parameters::listen::port"], &[add, change, drop]),
            // Together with values.
            (&["--ignore", "Site::Vhost[*]+::parameters::port=>8080"], &[change, drop, nested]),
            (&["--ignore", "Site::Vhost[*]+::parameters::port=>80"], &[add, change, drop, nested]),
            (&["--ignore", "Site::Vhost[*]-::parameters::port=>80"], &[add, change, nested]),
            (&["--ignore", "Site::Vhost[*]-::parameters::port=>8080"], &[add, change, drop, nested]),
        ],
    );
}

#[test]
fn values() {
    let of = |owners: [&str; 3]| {
        let files = ["File[/tmp/from]", "File[/tmp/other]", "File[/tmp/to]"];
        files.into_iter().zip(owners.map(|owner| json!({"owner": owner, "content": "a"}))).collect()
    };
    let pair = (of(["root", "ann", "ann"]), of(["ann", "bob", "root"]));
    let (from, other, to) = ("File[/tmp/from] owner", "File[/tmp/other] owner", "File[/tmp/to] owner");
    assert_table(
        &pair,
        &[
            (&["--ignore", "File[/tmp/*]::parameters::owner=>root"], &[other]),
            (&["--ignore", "File[/tmp/*]::parameters::owner=+>root"], &[from, other]),
            (&["--ignore", "File[/tmp/*]::parameters::owner=->root"], &[other, to]),
            // Texts are compared whole and with their case.
            (&["--ignore", "File[/tmp/*]::parameters::owner=>roo"], &[from, other, to]),
            (&["--ignore", "File[/tmp/*]::parameters::owner=>ROOT"], &[from, other, to]),
            (&["--ignore", "File[/tmp/*]::parameters::content=>root"], &[from, other, to]),
            (&["--ignore-attr", "owner=+>root,owner=->root"], &[other]),
            // Regular expressions are matched against the lines of `diff`, without case.
            (&["--ignore", "File[/tmp/*]::parameters::owner=~>oo"], &[other]),
            (&["--ignore", "File[/tmp/*]::parameters::owner=~>ROOT"], &[other]),
            (&["--ignore", r"File[/tmp/*]::parameters::owner=~>^\+root$"], &[from, other]),
            (&["--ignore", "File[/tmp/*]::parameters::owner=~>^-root$"], &[other, to]),
            (&["--ignore", "File[/tmp/*]::parameters::owner=~>^root"], &[from, other, to]),
            // The removed and the added value.
            (&["--ignore", r"File[/tmp/*]::parameters::owner=&>^(-ann|\+bob)$"], &[from, to]),
            (&["--ignore", r"File[/tmp/*]::parameters::owner=&>^[\-\+](ann|root)$"], &[other]),
        ],
    );
}

#[test]
fn lines_of_texts() {
    let text =
        |lines: &[&str]| json!({"content": lines.iter().map(|l| format!("{l}\n")).collect::<String>()});
    let is_silent = |test: &str, old: &[&str], new: &[&str]| {
        let rule = format!("File[/srv/menu]::parameters::content{test}");
        is_silent(&["--ignore", &rule], "File[/srv/menu]", text(old), text(new))
    };
    let (old, new) =
        (["# menu", "  soup of the day: leek  ", "bread"], ["# menu", "soup of the day: pea", "bread"]);
    let (less, more) =
        (["# menu", "soup of the day: pea"], ["# menu", "soup of the day: pea", "bread", "wine"]);
    for (test, is_changed, is_less, is_more) in [
        // One line is enough.
        ("=~>soup of", true, true, true),
        (r"=~>^\+wine$", false, false, true),
        ("=~>menu", false, false, false),
        // All lines have to match; they have no spaces at their ends.
        ("=&>soup", true, false, false),
        ("=&>leek$", false, false, false),
        (r"=&>^(-\s*soup of the day: leek)|(\+soup of the day: pea)$", true, false, false),
        (r"=&>^[\-\+]\s*soup of the day: (leek|pea)$", true, false, false),
        (r"=&>^\+wine|soup", true, false, true),
        (r"=&>^-bread|soup", true, true, false),
        // Brackets in a regular expression end neither a title nor a rule.
        ("=&>^[-+] *[a-z ]+: [a-z]{3,4}$", true, false, false),
    ] {
        assert_eq!(is_silent(test, &old, &new), is_changed, "{test}");
        assert_eq!(is_silent(test, &old, &less), is_less, "{test}");
        assert_eq!(is_silent(test, &old, &more), is_more, "{test}");
    }
}

#[test]
fn the_end_of_the_last_line() {
    let is_silent = |test: &str, old: &str, new: &str| {
        let rule = format!("File[/a]::parameters::content{test}");
        is_silent(&["--ignore", &rule], "File[/a]", json!({"content": old}), json!({"content": new}))
    };
    assert!(is_silent("=&>^.[ab]$", "a", "b"));
    assert!(is_silent("=&>^.[ab]$", "a\n", "b\n"));
    // A missing newline at the end of only one text is a line of `diff`, too.
    assert!(!is_silent("=&>^.[ab]$", "a", "b\n"));
    assert!(is_silent("=&>^.[ab]$|no newline", "a", "b\n"));
    assert!(is_silent("=~>no newline at end of file", "a", "a\n"));
    assert!(!is_silent("=~>no newline at end of file", "a", "b"));
}

#[test]
fn sets() {
    let is_silent = |old: Value, new: Value| {
        let rule = "Site::Vhost[*]::parameters::names=s>=";
        is_silent(&["--ignore", rule], "Site::Vhost[shop]", json!({"names": old}), json!({"names": new}))
    };
    assert!(is_silent(json!(["a", "b", "c"]), json!(["c", "a", "b"])));
    assert!(is_silent(json!(["a", "b"]), json!(["b", "a", "b"])));
    assert!(is_silent(json!([["a"], {"k": 1}]), json!([{"k": 1}, ["a"]])));
    assert!(!is_silent(json!(["a", "b"]), json!(["b", "c"])));
    assert!(!is_silent(json!(["a"]), json!("a")));
    assert!(!is_silent(json!(["1"]), json!([1])));
    assert!(!is_silent(Value::Null, json!(["a"])));
}

#[test]
fn rules_that_are_none() {
    for (rule, expected) in [
        ("File", "expected Type[title]"),
        ("File[a],Exec", "expected `]` after the title"),
        ("File[a]~::parameters::mode", "expected `+` or `-` in front of an attribute"),
        ("File[a]!mode", "expected `+` or `-` in front of an attribute"),
        ("File[a]::parameters::mode=~>(", "expected a regular expression after `=~>`"),
        ("File[a]::parameters::names=s>a", "expected `=` after `=s>`"),
        ("File[a]::parameters::mode=>", "expected a value after the operator"),
        ("File[a]::parameters::mode =>0600", "expected no space around the name of an attribute"),
        ("File[a]::parameters:: mode", "expected no space around the name of an attribute"),
    ] {
        let error = IgnoreRules::default().add_list(rule).unwrap_err().to_string();
        assert!(error.starts_with(expected), "{rule}: {error}");
    }
    let error = "YAML,Nonsense".split(',').find_map(|name| name.parse::<DifferenceFilter>().err()).unwrap();
    assert!(error.starts_with("there is no filter 'Nonsense'"), "{error}");
}

#[test]
fn what_is_ignored_without_a_word() {
    // Tags, their order, and source locations.
    let pair = (
        vec![("File[/a]", json!({"tags": ["a", "b"], "line": 1})), ("File[/b]", json!({"tags": ["a", "b"]}))],
        vec![("File[/a]", json!({"tags": ["b", "a"], "line": 2})), ("File[/b]", json!({"tags": ["c"]}))],
    );
    assert_table(
        &pair,
        &[
            (&[], &[]),
            (&["--include-tags"], &["File[/b] tags"]),
            (&["--include-tags", "--ignore-attr", "tags"], &[]),
        ],
    );
}

#[test]
fn resources_with_tags() {
    let all = "ignored_octocatalog_diff";
    let own = "ignored_octocatalog_diff__site__vhost";
    let mode = |mode: &str, tags: &[&str]| json!({"mode": mode, "tags": tags});
    let pair = (
        vec![
            ("File[/plain]", mode("0600", &[])),
            ("File[/was_tagged]", mode("0600", &[all])),
            ("File[/within_vhost]", mode("0600", &[own])),
            ("Site::Vhost[removed]", mode("0600", &[own])),
            ("User[own]", mode("0600", &["quiet"])),
        ],
        vec![
            ("File[/added]", mode("0640", &[all])),
            ("File[/plain]", mode("0640", &[])),
            ("File[/was_tagged]", mode("0640", &[])),
            ("File[/within_vhost]", mode("0640", &[own])),
            ("Site::Vhost[added]", mode("0640", &[own])),
            ("User[own]", mode("0640", &["quiet"])),
        ],
    );
    let files = ["File[/plain] mode", "File[/was_tagged] mode", "File[/within_vhost] mode"];
    let [plain, was, within] = files;
    let added = ["+File[/added]", plain, was, within, "+Site::Vhost[added]", "-Site::Vhost[removed]"];
    assert_table(
        &pair,
        &[
            // A tag with the name of a type is about resources of this type, not about resources that inherit the tag.
            (&[], &[plain, was, within, "User[own] mode"]),
            (&["--ignore-tags", "ignored_octocatalog_diff,quiet"], &files),
            (&["--ignore-tags", "quiet"], &added),
        ],
    );
}

#[test]
fn filter_of_absent_files() {
    let ensure = |ensure: Value| json!({"ensure": ensure, "owner": "ann", "mode": "0600", "force": true, "backup": false, "provider": "posix"});
    let pair = |absent: Value| {
        let file = json!({"ensure": "file", "owner": "root", "content": "a", "mode": "0600"});
        let user = json!({"ensure": "present", "shell": "/bin/sh"});
        let old = vec![("File[/a]", file.clone()), ("File[/b]", file.clone()), ("User[u]", user)];
        let other = json!({"ensure": "file", "owner": "ann", "content": "a", "mode": "0600"});
        let gone = json!({"ensure": "absent", "shell": "/bin/zsh"});
        (old, vec![("File[/a]", ensure(absent)), ("File[/b]", other), ("User[u]", gone)])
    };
    let rest = ["File[/b] owner", "User[u] ensure", "User[u] shell"];
    let kept = ["backup", "ensure", "force", "provider"].map(|name| format!("File[/a] {name}"));
    let expected: Vec<&str> = kept.iter().map(String::as_str).chain(rest).collect();
    for absent in [json!("absent"), json!("false"), json!(false)] {
        assert_table(&pair(absent), &[(&["--filters", "AbsentFile"], &expected)]);
    }
    // It was absent before.
    let (old, new) = (json!({"ensure": "absent", "owner": "a"}), json!({"ensure": "absent", "owner": "b"}));
    assert!(is_silent(&["--filters", "AbsentFile"], "File[/a]", old, new));
}

/// Returns true if a filter drops all differences in the content of a resource.
fn is_same_content(name: &str, reference: &'static str, old: &str, new: &str) -> bool {
    is_silent(&["--filters", name], reference, json!({"content": old}), json!({"content": new}))
}

#[test]
fn filter_of_json() {
    let (a, b) = (r#"{"a": "/*x*/ \" // y", "b": [1, 2]}"#, "{ \"b\":[1,2],\n \"a\":\"/*x*/ \\\" // y\" }\n");
    for (reference, old, new, expected) in [
        ("File[/a.json]", a, b, true),
        ("File[/a.JSON]", a, b, true),
        ("File[/a.conf]", a, b, false),
        ("Template[/a.json]", a, b, false),
        ("File[/a.json]", "{\"a\": 1}", "{\"a\": 2}", false),
        ("File[/a.json]", "[1, 2]", "[2, 1]", false),
        // Comments do not count, unless they are in strings or unterminated.
        ("File[/a.json]", "[1] // one", "/* another */ [1 /**/]\n", true),
        ("File[/a.json]", "[1 /*/ , 2 */]", "[1]", true),
        ("File[/a.json]", r#"["/* a */"]"#, r#"["/* b */"]"#, false),
        ("File[/a.json]", "[1] /* a", "[1] /* b", false),
        ("File[/a.json]", "[1] / a", "[1]  / a", false),
        // Invalid JSON is a text.
        ("File[/a.json]", "{", "{ ", false),
        ("File[/a.json]", "", " ", false),
    ] {
        assert_eq!(is_same_content("JSON", reference, old, new), expected, "{reference} {old} {new}");
    }
    let whole = (Vec::new(), vec![("File[/a.json]", json!({"content": "{}"}))]);
    assert_table(&whole, &[(&["--filters", "JSON"], &["+File[/a.json]"])]);
    let owner = |owner: &str| json!({"owner": owner, "content": "{}"});
    assert!(!is_silent(&["--filters", "JSON"], "File[/a.json]", owner("[1]"), owner("[ 1]")));
}

#[test]
fn filter_of_yaml() {
    for (reference, old, new, expected) in [
        ("File[/a.yaml]", "---\n  a: b # c\n", "a:   b\n", true),
        ("File[/a.yml]", "# one\n---\na: [b, c]\n", "# two\n---\na:\n- b\n- c\n", true),
        ("File[/a.yaml]", "a: 1\nb: 2\n", "b: 2\na: 1\n", true),
        ("File[/a.conf]", "a: b", "a:  b", false),
        ("Template[/a.yaml]", "a: b", "a:  b", false),
        ("File[/a.yaml]", "a: b", "a: c", false),
        // Invalid YAML, and YAML with tags, is a text.
        ("File[/a.yaml]", "a: [", "a:  [", false),
        ("File[/a.yaml]", "!ruby/object:Nope\na: b", "!ruby/object:Nope\na:  b", false),
        // There may be more documents than one.
        ("File[/a.yaml]", "a: b\n---\nc: d\n", "a: b\n---\nc: e\n", false),
    ] {
        assert_eq!(is_same_content("YAML", reference, old, new), expected, "{reference} {old} {new}");
    }
    assert!(is_same_content("JSON,YAML", "File[/a.yaml]", "a: b", "a:  b"));
}

#[test]
fn filter_of_single_items() {
    let is_silent = |old: Value, new: Value| {
        is_silent(
            &["--filters", "SingleItemArray"],
            "Exec[a]",
            json!({"unless": old}),
            json!({"unless": new}),
        )
    };
    assert!(is_silent(json!("true"), json!(["true"])));
    assert!(is_silent(json!([{"k": 1}]), json!({"k": 1})));
    assert!(!is_silent(json!("true"), json!(["false"])));
    assert!(!is_silent(json!("true"), json!(["true", "true"])));
    assert!(!is_silent(json!("true"), json!([["true"]])));
    assert!(!is_silent(json!(["1"]), json!([1])));
    // Relationships are the same however they are written, with no filter.
    let of = |notify: Value| vec![("File[/a]", json!({"notify": notify})), ("Service[s]", json!({}))];
    assert_table(&(of(json!("Service[s]")), of(json!(["Service[s]"]))), &[(&[], &[])]);
}

#[test]
fn filter_of_equivalent_arrays() {
    let is_silent = |old: Value, new: Value| {
        let arguments = ["--filters", "EquivalentArrayNoDatatypes"];
        is_silent(&arguments, "Exec[a]", json!({"returns": old}), json!({"returns": new}))
    };
    assert!(is_silent(json!([0, 1, -4]), json!(["0", "1", "-4"])));
    assert!(is_silent(json!([0.0, 1.5, 0.25]), json!(["0.0", "1.5", ".25"])));
    assert!(is_silent(json!([0, "1.000", "a"]), json!([0.0, 1, "a"])));
    assert!(!is_silent(json!([0, 1]), json!(["1", "0"])));
    assert!(!is_silent(json!([1, 2]), json!(["1", "2", "3"])));
    assert!(!is_silent(json!(["1"]), json!(1)));
    assert!(!is_silent(json!(["1x", "1."]), json!([1, 1])));
    // Only numbers have other types.
    assert!(!is_silent(json!([true]), json!(["true"])));
    assert!(!is_silent(json!([[1]]), json!([["1"]])));
    assert!(!is_silent(json!([[], {}]), json!([{}, []])));
    let secret = |value: &str| json!({"__ptype": "Sensitive", "__pvalue": value});
    assert!(!is_silent(json!([1, secret("a")]), json!(["1", secret("b")])));
}

#[test]
fn filter_of_the_directory_of_the_code() {
    let options = DiffOptions {
        filters: vec![DifferenceFilter::CompilationDir { old: "/code/old".into(), new: "/code/new".into() }],
        ..DiffOptions::default()
    };
    let pair = |old: Value, new: Value| (vec![("Exec[a]", old)], vec![("Exec[a]", new)]);
    let is_silent = |old: Value, new: Value| remaining(&pair(old, new), &options).is_empty();
    assert!(is_silent(json!({"cwd": "/code/old/x"}), json!({"cwd": "/code/new/x"})));
    assert!(is_silent(json!({"env": [{"d": "a /code/old"}]}), json!({"env": [{"d": "a /code/new"}]})));
    assert!(!is_silent(json!({"cwd": "/code/old/x"}), json!({"cwd": "/code/new/y"})));
    assert!(!is_silent(json!({"cwd": "/code/new/x"}), json!({"cwd": "/code/old/x"})));
    let old = vec![("File[/code/old/a]", json!({})), ("File[/b]", json!({}))];
    let new = vec![("File[/code/new/a]", json!({}))];
    assert_eq!(remaining(&(old, new), &options), ["-File[/b]"]);
}
