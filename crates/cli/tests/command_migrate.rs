//! `puppetfn migrate`.
#![allow(clippy::unwrap_used, clippy::disallowed_methods, clippy::indexing_slicing)]

mod support;

use std::fs;
use std::path::Path;

use support::{directory, puppetfn};
use tempfile::TempDir;

fn read(root: &TempDir, path: &str) -> String {
    fs::read_to_string(root.path().join(path)).unwrap()
}

const INIT: &str = "class app (\n  $list,\n) {\n  validate_array($list)\n  if has_key($facts['os'], 'family') and $::osfamily == 'Debian' {\n    \
                    notice(hiera('app::x', $::kernel))\n  }\n  notice(is_integer($list))\n}\n";

fn module() -> TempDir {
    directory(&[
        ("app/metadata.json", r#"{"name": "me-app"}"#),
        ("app/manifests/init.pp", INIT),
        ("app/templates/a.epp", "<%= $facts['fqdn'] %>\n"),
        ("app/templates/b.erb", "<%= @hostname %> <%= scope['::fqdn'] %>\n"),
        ("app/data/common.yaml", "app::name: \"%{::hostname}\"\n"),
        (
            "app/hiera.yaml",
            "version: 5\nhierarchy:\n  - {name: os, path: \"%{facts.osfamily}.yaml\"}\n  - {name: c, path: common.yaml}\n",
        ),
    ])
}

#[test]
fn a_diff_changes_nothing_and_writing_does() {
    let root = module();
    let (diff, summary, code) = puppetfn(root.path(), &["migrate", "app"]);
    assert_eq!(code, Some(0), "{summary}");
    assert_eq!(read(&root, "app/manifests/init.pp"), INIT);
    assert!(diff.contains("--- app/manifests/init.pp\n+++ app/manifests/init.pp\n"), "{diff}");
    assert!(diff.contains("+  assert_type(Array, $list)\n"), "{diff}");
    assert!(diff.contains("app/manifests/init.pp:8: "), "{diff}");
    assert!(summary.ends_with("5 files to change, 1 place left\n"), "{summary}");
    assert_eq!(puppetfn(root.path(), &["migrate", "--check", "app"]).2, Some(1));

    let (names, summary, code) = puppetfn(root.path(), &["migrate", "--write", "app"]);
    assert_eq!(code, Some(0), "{names}{summary}");
    assert!(names.starts_with("app/data/common.yaml\napp/hiera.yaml\napp/manifests/init.pp\n"), "{names}");
    assert_eq!(
        read(&root, "app/manifests/init.pp"),
        "class app (\n  $list,\n) {\n  assert_type(Array, $list)\n  if ('family' in $facts['os']) and $facts['os']['family'] == 'Debian' {\n    \
         notice(lookup('app::x', Any, 'first', $facts['kernel']))\n  }\n  notice(is_integer($list))\n}\n"
    );
    assert_eq!(read(&root, "app/templates/a.epp"), "<%= $facts['networking']['fqdn'] %>\n");
    assert_eq!(
        read(&root, "app/templates/b.erb"),
        "<%= @facts['networking']['hostname'] %> <%= scope['facts']['networking']['fqdn'] %>\n"
    );
    assert_eq!(read(&root, "app/data/common.yaml"), "app::name: \"%{facts.networking.hostname}\"\n");
    assert!(read(&root, "app/hiera.yaml").contains("%{facts.os.family}.yaml"));

    let (left, summary, _) = puppetfn(root.path(), &["migrate", "app"]);
    assert!(left.starts_with("app/manifests/init.pp:8: ") && left.lines().count() == 1, "{left}");
    assert_eq!(summary.lines().last(), Some("0 files to change, 1 place left"));
}

#[test]
fn functions_of_an_installed_stdlib_are_left_too() {
    let root = directory(&[
        ("app/metadata.json", r#"{"name": "me-app"}"#),
        ("app/manifests/init.pp", "class app($a) { if is_hash($a) { notice($mesage) } }\n"),
        (
            "stdlib/lib/puppet/parser/functions/is_hash.rb",
            "module Puppet::Parser::Functions\n  newfunction(:is_hash, type: :rvalue) { |args| args[0].is_a?(Hash) }\nend\n",
        ),
    ]);
    let (_, summary, code) = puppetfn(root.path(), &["migrate", "--write", "app"]);
    assert_eq!(code, Some(0), "{summary}");
    assert_eq!(read(&root, "app/manifests/init.pp"), "class app($a) { if $a =~ Hash { notice($mesage) } }\n");
    let (left, _, code) = puppetfn(root.path(), &["migrate", "--check", "app"]);
    assert_eq!(code, Some(1));
    assert!(left.contains("app/manifests/init.pp:1: ") && left.contains("[unknown-variable]"), "{left}");
}

#[test]
fn settings_that_puppet_8_ignores_are_removed() {
    let root = directory(&[
        (
            "puppet.conf",
            "[main]\nstringify_facts = true\nserver = puppet\n  parser=future\n[agent]\nlisten = false\n\
             own = $listen\nconfigtimeout = 5m\nmine = 1\n",
        ),
        ("environment.conf", "manifest = site.pp\nparser = future\nstrict = off\n"),
    ]);
    let (left, summary, _) = puppetfn(root.path(), &["migrate", "--write"]);
    assert_eq!(
        read(&root, "puppet.conf"),
        "[main]\nserver = puppet\n[agent]\nlisten = false\nown = $listen\nconfigtimeout = 5m\nmine = 1\n"
    );
    assert_eq!(read(&root, "environment.conf"), "manifest = site.pp\nstrict = off\n");
    assert!(summary.ends_with("2 files changed, 3 places left\n"), "{left}{summary}");
    assert!(
        left.contains("has no setting configtimeout; it is replaced by http_connect_timeout and"),
        "{left}"
    );
}

#[test]
fn a_hierarchy_of_version_4_has_the_same_lookups_in_version_5() {
    let root = directory(&[
        ("environment/hieradata/web1.yaml", "first: node\n"),
        ("environment/hieradata/common.yaml", "first: common\nlist: [a]\n"),
        ("environment/other/common.json", r#"{"list": ["b"]}"#),
        (
            "environment/hiera.yaml",
            "version: 4\ndatadir: hieradata\nhierarchy:\n  - {name: node, backend: yaml, path: '%{node}'}\n  \
             - {name: common, backend: yaml}\n  - {name: json, backend: json, datadir: other, path: common}\n",
        ),
        ("facts.yaml", "node: web1\n"),
    ]);
    let lookups = || {
        let arguments =
            ["eval", "[lookup('first'), lookup('list', Any, 'unique')]", "--environment", "environment"];
        puppetfn(root.path(), &[&arguments[..], &["--facts", "facts.yaml", "--json"]].concat())
    };
    let (before, _, _) = lookups();
    assert!(before.contains("\"node\"") && before.contains("\"b\""), "{before}");
    let (out, _, _) = puppetfn(root.path(), &["migrate", "--write", "environment"]);
    assert_eq!(out, "environment/hiera.yaml\n");
    let (after, warnings, _) = lookups();
    assert_eq!((after, warnings), (before, String::new()));
}

/// The results of lookups in a global layer.
fn lookups(root: &Path, hash: &str) -> Vec<String> {
    let mut results = Vec::new();
    for key in ["first", "both", "list", "tree", "name"] {
        for merge in ["first", "unique", "hash", "deep"] {
            let (out, err, code) = puppetfn(
                root,
                &[
                    "lookup",
                    key,
                    "--merge",
                    merge,
                    "--hiera-config",
                    "hiera.yaml",
                    "--facts",
                    "facts.yaml",
                    "--node",
                    "web1",
                ],
            );
            let err = err
                .lines()
                .filter(|line| !line.contains("deprecated") && !line.contains("(file: "))
                .collect::<String>();
            results.push(format!("{key} {merge}: {code:?} {out}{err}"));
        }
    }
    let code = format!("[lookup('first'), {hash}]");
    let (out, _, _) =
        puppetfn(root, &["eval", &code, "--json", "--hiera-config", "hiera.yaml", "--facts", "facts.yaml"]);
    results.push(out);
    results
}

#[test]
fn a_hierarchy_of_version_3_has_the_same_lookups_in_version_5() {
    let root = directory(&[
        ("facts.yaml", "os: {family: Debian}\nnetworking: {fqdn: web1}\nfqdn: web1\n"),
        (
            "data/nodes/web1.yaml",
            "both: node\nlist: [a, b]\ntree: {x: {a: [1]}, y: 1}\nname: \"%{::fqdn}\"\n",
        ),
        (
            "data/common.yaml",
            "first: common\nboth: common\nlist: [b, c]\ntree: {x: {a: [2], b: '--'}, z: 2}\n",
        ),
        ("json/common.json", r#"{"both": "json", "list": "d", "tree": {"x": {"a": [3]}}}"#),
    ]);
    let data = root.path().join("data");
    let json = root.path().join("json");
    let three = format!(
        "# Data of all nodes\n---\n:backends:\n  - yaml\n  - json\n:yaml:\n  :datadir: {}\n:json:\n  :datadir: {}\n:hierarchy:\n  \
         - nodes/%{{::fqdn}}\n  - common\n:merge_behavior: deeper\n:deep_merge_options:\n  :knockout_prefix: '--'\n",
        data.display(),
        json.display()
    );
    fs::write(root.path().join("hiera.yaml"), three).unwrap();
    fs::write(root.path().join("site.pp"), "hiera_hash('tree')\n").unwrap();
    let before = lookups(root.path(), "hiera_hash('tree')");
    assert!(before[0].contains("Some(0) --- common"), "{before:?}");

    let (out, _, _) = puppetfn(root.path(), &["migrate", "--write"]);
    assert!(out.contains("hiera.yaml:13: version 5 has no merge_behavior"), "{out}");
    let converted = read(&root, "hiera.yaml");
    assert!(converted.starts_with("# Data of all nodes\n---\nversion: 5\n"), "{converted}");
    assert!(converted.contains("- nodes/%{facts.networking.fqdn}.yaml\n"), "{converted}");
    let call = read(&root, "site.pp");
    assert_eq!(call, "lookup('tree', Any, {'strategy' => 'deep', 'knockout_prefix' => '--'})\n");
    assert_eq!(lookups(root.path(), call.trim()), before);
}
