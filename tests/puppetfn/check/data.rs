//! Data of environments and modules.
#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    clippy::indexing_slicing,
    clippy::panic,
    missing_docs,
    reason = "a test may take the short way"
)]

use std::fs;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::command::{Files, command};
use puppetfn_cli::{FAILED, OK};
use serde_json::Value as Json;

const HIERA: &str = "version: 5\nhierarchy:\n- name: nodes\n  path: \"nodes/%{trusted.certname}.yaml\"\n\
                     - name: roles\n  glob: \"roles/*.yaml\"\n- name: common\n  path: common.yaml\n";

const CODE: &str = "class app(
  Integer[1, 65535] $port = 80,
  Array[String[1]] $hosts = [],
  Struct[{a => Integer, Optional[b] => String}] $set = {a => 1},
  Hash[String, Hash[String, Integer]] $users = {},
  Optional[Enum['fast', 'slow']] $mode = undef,
  Sensitive[String] $password = Sensitive('x'),
  Optional[Boolean] $flag = undef,
) { }
";

/// A control repository with a module, and some files.
fn repository(name: &str, files: &[(&str, &str)]) -> Files {
    let own = [
        ("environment.conf", "modulepath = modules\n"),
        ("hiera.yaml", HIERA),
        ("modules/app/metadata.json", metadata!("me-app")),
        ("modules/app/manifests/init.pp", CODE),
        ("modules/app/manifests/thing.pp", "define app::thing($size) { }\n"),
        ("modules/app/manifests/sub.pp", "class app::sub($level = 1) { }\n"),
        ("manifests/site.pp", "include app\n"),
    ];
    Files::new(name, &[&own[..], files].concat())
}

/// Returns the findings below the directory, each with its file and line.
fn found_in(files: &Files, options: &[&str]) -> Vec<Json> {
    let path = files.path("");
    let (_, out, err) = command(&[&[&*path, "--format", "json"], options].concat());
    serde_json::from_str(&out).unwrap_or_else(|error| panic!("{error}: {out}{err}"))
}

/// Returns where each of the findings in `data/common.yaml` is, with its rule.
fn found(data: &str) -> Vec<String> {
    static COUNT: AtomicUsize = AtomicUsize::new(0);
    let name = format!("data/{}", COUNT.fetch_add(1, Ordering::Relaxed));
    let found = found_in(&repository(&name, &[("data/common.yaml", data)]), &["--data-only"]);
    let shown =
        |found: &Json| format!("{}:{} {}", found["line"], found["column"], found["rule"].as_str().unwrap());
    found.iter().map(shown).collect()
}

#[test]
fn keys_that_name_no_parameter_are_found() {
    let files = repository(
        "keys",
        &[(
            "data/nodes/a.example.com.yaml",
            "---\n'app::prot': 1\napp::sbu::level: 1\n\"app::thing::size\": 1\n",
        )],
    );
    let found = found_in(&files, &["--data-only"]);
    let messages: Vec<_> = found.iter().map(|found| found["message"].as_str().unwrap()).collect();
    assert_eq!(
        messages,
        [
            "The class app has no parameter 'prot', and nothing looks this key up; did you mean 'app::port'?",
            "There is no class app::sbu, and nothing looks this key up; did you mean 'app::sub::level'?",
            "app::thing is a defined type, whose parameters are not looked up, and nothing else looks this key up",
        ]
    );
    let place = |found: &Json| (found["file"].as_str().unwrap().to_owned(), found["line"].clone());
    assert_eq!(place(&found[0]), (files.path("data/nodes/a.example.com.yaml"), 2.into()));
    assert_eq!(found[0]["related"][0]["message"], "app is declared here");
    assert_eq!(found[0]["severity"], "warning");
}

#[test]
fn keys_that_something_looks_up_are_left_alone() {
    let data = "app::one: 1\napp::two: 1\napp::three: 1\napp::four: 1\napp::five: \"%{lookup('app::six')}\"\n\
                app::six: 1\napp::unused: 1\nother::x: 1\nplain: 1\napp::sub::deep::level: 1\n";
    let files = repository(
        "used",
        &[
            ("data/common.yaml", data),
            ("modules/app/manifests/use.pp", "class app::use { $x = lookup('app::one') }\n"),
            ("modules/app/lib/puppet/functions/app/f.rb", "call_function('lookup', 'app::two')\n"),
            ("modules/app/templates/t.erb", "<%= scope.call_function('hiera', ['app::three']) %>\n"),
            ("manifests/other.pp", "lookup(\"${x}::four\")\n$y = ['app::five']\nnotice($app::unused)\n"),
        ],
    );
    let found = found_in(&files, &["--data-only"]);
    assert_eq!(found.len(), 1, "{found:#?}");
    assert_eq!(found[0]["line"], 7);
}

#[test]
fn values_are_compared_with_the_types_of_parameters() {
    for (data, expected) in [
        ("app::port: 70000\n", vec!["1:12 data-value"]),
        ("app::port: '80'\n", vec!["1:12 data-value"]),
        ("app::port: 80\n", vec![]),
        ("app::port: ~\n", vec![]),
        ("app::hosts: a\n", vec!["1:13 data-value"]),
        ("app::hosts:\n  - a\n  - 1\n", vec!["2:3 data-value"]),
        ("app::set: {b: x}\n", vec!["1:11 data-value"]),
        ("app::mode: fats\n", vec!["1:12 data-value"]),
        ("app::mode: \"%{facts.mode}\"\n", vec![]),
        ("app::port: \"%{facts.port}\"\n", vec!["1:12 data-value"]),
        ("app::password: secret\n", vec!["1:16 data-value"]),
        ("lookup_options:\n  '^app::.*password$': {convert_to: Sensitive}\napp::password: secret\n", vec![]),
        ("lookup_options:\n  app::port: {convert_to: Integer}\napp::port: '80'\n", vec![]),
        (
            "lookup_options:\n  app::port: {convert_to: Integer}\napp::port: '70000'\n",
            vec!["3:12 data-value"],
        ),
        ("lookup_options:\n  app::port: {convert_to: Integer}\napp::port: many\n", vec!["3:12 data-value"]),
        ("lookup_options:\n  app::port: {convert_to: [Integer, 16]}\napp::port: '0xff'\n", vec![]),
        ("app::port: 1\napp::port: [\n", vec!["3:1 data-syntax"]),
        ("- app::port\n", vec!["1:1 data-syntax"]),
        ("", vec![]),
    ] {
        assert_eq!(found(data), expected, "{data}");
    }
}

#[test]
fn texts_that_no_lookup_returns_as_they_are_meant() {
    for (data, expected) in [
        ("a: \"%{nofn('x')}\"\n", vec!["1:5 data-interpolation"]),
        ("a:\n  - b\n  - c: \"%{alias('b')} tail\"\n", vec!["3:9 data-interpolation"]),
        ("a: \"%{lookup('y'):3306}\"\n", vec!["1:5 data-interpolation"]),
        ("a: \"%{lookup('y..z')}\"\n", vec!["1:5 data-interpolation"]),
        ("a: \"%{lookup('a.b')}\"\n", vec!["1:5 data-interpolation"]),
        ("a: {b: \"%{alias('a')}\"}\n", vec!["1:9 data-interpolation"]),
        ("a: \"%{lookup('b.a')} %{lookup('aa')}\"\n", vec![]),
        ("a: \"%{lookup(b)} %{c\"\n", vec!["1:5 data-interpolation", "1:5 data-interpolation"]),
        ("a: \"%{lookup('y')}:3306 %{alias} %{} %{literal('%')}{x} %{lookup(\\\"y.'z.a'\\\")}\"\n", vec![]),
        ("a: :sym\n", vec!["1:4 data-value"]),
        ("a:\n  b: [':c']\n  :d: e\n", vec![]),
        ("a: ENC[PKCS7,no!]\n", vec!["1:4 data-encryption"]),
        ("a: 'ENC[PKCS7,MIIB'\n", vec!["1:5 data-encryption"]),
        ("a: x ENC[PKCS7,MIIB=] ENC[GPG,abc+/=]\n", vec![]),
        ("a: 1\nb: {c: 1, c: 2}\na: 2\n", vec!["2:11 data-duplicate-key", "3:1 data-duplicate-key"]),
        ("::app::port: 1\n", vec!["1:1 data-key"]),
        ("app:port: 1\n", vec!["1:1 data-key"]),
        ("app::Port: 1\n", vec!["1:1 data-key"]),
        ("app-y::z: 1\n", vec!["1:1 data-key"]),
    ] {
        assert_eq!(found(data), expected, "{data}");
    }
}

#[test]
fn data_elsewhere_is_checked_or_named() {
    let files = repository("elsewhere", &[("data/common.yaml", "app::port: 1\n")]);
    let global = Files::new(
        "global",
        &[
            (
                "hiera.yaml",
                "version: 5\nhierarchy:\n  - {name: own, path: a.yaml, datadir: d}\n  - {name: vault, lookup_key: vault}\n  \
                 - {name: far, path: b.yaml, datadir: /no/such/directory}\n",
            ),
            ("d/a.yaml", "app::port: many\n"),
        ],
    );
    let file = global.path("hiera.yaml");
    let (code, out, err) = command(&[&files.path(""), "--data-only", "--hiera-config", &file]);
    assert!(code == FAILED && out.contains("d/a.yaml:1:12"), "{out}");
    assert!(
        err.contains(&format!("note: data was not checked: {file}: 'vault': `vault` reads it\n")),
        "{err}"
    );
    assert!(err.contains("'far': there is no directory /no/such/directory"), "{err}");
}

#[test]
fn values_that_are_merged_are_refused_for_what_stays_of_them() {
    let merged = |merge: &str, data: &str| {
        found(&format!("lookup_options:\n  '^app::': {{merge: {merge}}}\n{data}\n"))
    };
    for (merge, data, expected) in [
        ("unique", "app::hosts: a", vec![]),
        ("unique", "app::hosts: [a, 1]", vec!["3:13 data-value"]),
        ("unique", "app::hosts: [[a]]", vec![]),
        ("unique", "app::port: [1]", vec!["3:12 data-value"]),
        ("hash", "app::set: {b: x}", vec![]),
        ("hash", "app::set: {c: 1}", vec!["3:11 data-value"]),
        ("hash", "app::set: {a: x}", vec!["3:11 data-value"]),
        ("deep", "app::users: {me: {a: x}}", vec!["3:13 data-value"]),
        ("deep", "app::users: {me: {a: 1}}", vec![]),
        ("deep", "app::hosts: [a, 1]", vec!["3:13 data-value"]),
        ("{strategy: deep, knockout_prefix: '--'}", "app::users: {me: {a: '--'}}", vec![]),
        ("first", "app::set: {b: x}", vec!["3:11 data-value"]),
        ("deeep", "app::set: {a: 1}", vec!["2:13 data-value"]),
    ] {
        assert_eq!(merged(merge, data), expected, "{merge}: {data}");
    }
    // The files have different options.
    let files = repository(
        "differ",
        &[
            ("data/common.yaml", "lookup_options: {app::hosts: {merge: unique}}\n"),
            ("data/nodes/a.yaml", "lookup_options: {app::hosts: {merge: first}}\napp::hosts: a\n"),
        ],
    );
    assert_eq!(found_in(&files, &["--data-only"]), [Json::Null; 0]);
}

#[test]
fn interpolations_whose_values_are_known_are_looked_into() {
    let refused = |text: &str| {
        found(&format!("app::mode: {text}\none: fast\ntwo: fats\nnumber: 1\n")) == ["1:12 data-value"]
    };
    assert!(refused("\"%{literal('f')}ats\""));
    assert!(!refused("\"%{literal('f')}ast\""));
    assert!(refused("\"%{lookup('two')}\""));
    assert!(refused("\"very %{lookup('one')}\""));
    assert!(!refused("\"%{lookup('one')}\""));
    assert!(!refused("\"%{alias('one')}\""));
    assert!(refused("\"%{alias('number')}\""));
    assert!(!refused("\"%{alias('nosuch')}\""));
    assert!(!refused("\"%{lookup('nosuch')}\""));
    // Some node has another value.
    let files = repository(
        "aliases",
        &[
            ("data/common.yaml", "app::mode: \"%{alias('one')}\"\none: 1\n"),
            ("data/nodes/a.yaml", "one: fast\n"),
        ],
    );
    assert_eq!(found_in(&files, &["--data-only"]), [Json::Null; 0]);
}

#[test]
fn code_that_looks_data_up_is_compared_with_it() {
    let rules = |code: &str, others: &[(&str, &str)]| -> Vec<Json> {
        let files = [("manifests/use.pp", code), ("data/common.yaml", "size: 1\nhosts: [a]\nset: {a: 1}\n")];
        let found = found_in(&repository("looked_up", &[&files[..], others].concat()), &[]);
        found.into_iter().filter(|found| found["rule"] == "data-value").collect()
    };
    let wrong = rules("$x = lookup('size', String)\n", &[]);
    assert_eq!(wrong[0]["message"], "Found value has wrong type, expects a String value, got 1");
    assert_eq!(wrong[0]["related"][0]["message"], "'size' has this value here");
    assert_eq!(rules("$x = lookup('set', Hash[String, String], 'deep')\n", &[]).len(), 1);
    for code in [
        "lookup('size', Integer)",
        "lookup('size')",
        "lookup('size', String, 'first', 'x')",
        "lookup('size', String) |$key| { 'x' }",
        "lookup('nosuch', String)",
        "lookup('hosts', Array[String], 'unique')",
        "lookup('set.a', Integer)",
    ] {
        assert_eq!(rules(&format!("$x = {code}\n"), &[]), [Json::Null; 0], "{code}");
    }
    // A node may have another value.
    assert_eq!(
        rules("$x = lookup('size', String)\n", &[("data/nodes/a.yaml", "size: a\n")]),
        [Json::Null; 0]
    );
    // Data may be elsewhere.
    let hiera = format!("{HIERA}- name: other\n  lookup_key: other\n");
    assert_eq!(rules("$x = lookup('size', String)\n", &[("hiera.yaml", &hiera)]), [Json::Null; 0]);
}

#[test]
fn data_of_modules_is_checked_with_theirs() {
    let files = Files::new(
        "modules_data",
        &[
            ("app/metadata.json", metadata!("me-app")),
            ("app/manifests/init.pp", CODE),
            ("app/hiera.yaml", HIERA),
            ("app/data/common.yaml", "app::port: a\nother::x: 1\n"),
            ("app/data/roles/web.yaml", "app::prot: 1 # puppetfn:ignore data-key\n"),
            ("app/spec/fixtures/modules/app/hiera.yaml", HIERA),
            ("app/spec/fixtures/modules/app/data/common.yaml", "app::port: a\n"),
            ("app/spec/fixtures/hiera.yaml", HIERA),
            ("app/spec/fixtures/data/common.yaml", "app::port: a\n"),
        ],
    );
    let found = |path: &str| {
        let (_, out, _) = command(&[&files.path(path), "--format", "json"]);
        let found: Vec<Json> = serde_json::from_str(&out).unwrap();
        found.iter().map(|found| found["message"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let both = [
        "Class[App]: parameter 'port' has wrong type, expects an Integer[1, 65535] value, got 'a'",
        "Hiera ignores this key: keys in the data of module app begin with 'app::'",
    ];
    assert_eq!(found("app"), both);
    assert_eq!(found("app/data"), both);
    assert_eq!(found("app/data/common.yaml"), both);
    assert_eq!(found("app/data/roles/web.yaml"), [""; 0]);
    // A checkout of a module is often named otherwise.
    fs::rename(files.path("app"), files.path("me-app")).unwrap();
    assert_eq!(found("me-app"), both);
    fs::rename(files.path("me-app"), files.path("app")).unwrap();
    let (code, _, err) = command(&[&files.path("app/spec/fixtures/data/common.yaml")]);
    assert_eq!(code, OK);
    assert!(err.ends_with("no hierarchy of an environment or a module reads this file\n"), "{err}");
}

#[test]
fn options_of_keys_that_there_are_not_are_found() {
    for (data, expected) in [
        ("lookup_options:\n  app::hosst: {merge: unique}\n", vec!["2:3 data-key"]),
        ("lookup_options:\n  app::hosts: {merge: unique}\n", vec![]),
        ("lookup_options:\n  app::hosst: {merge: unique}\napp::hosst: 1\n", vec!["3:1 data-key"]),
        ("lookup_options: 1\n", vec!["1:17 data-value"]),
        ("lookup_options:\n  app::hosts: 1\n", vec!["2:15 data-value"]),
        ("lookup_options:\n  '^app::[': {}\n", vec!["2:14 data-value"]),
        ("lookup_options:\n  app::hosts: {convert_to: Nosuch}\n", vec!["2:15 data-value"]),
        ("lookup_options:\n  app::hosts: {convert_to: [5, 2]}\n", vec!["2:15 data-value"]),
        // Puppet ignores a text.
        ("lookup_options:\n  app::hosts: unique\n", vec![]),
    ] {
        assert_eq!(found(data), expected, "{data}");
    }
}

#[test]
fn hierarchies_that_cannot_be_used_are_found() {
    for (hiera, message) in [
        ("---\n:hierarchy: [common]\n", "hiera.yaml version 3 cannot be used in an environment"),
        ("", "hiera.yaml version 3 cannot be used in an environment"),
        ("version: 5\nhierarchy: [\n", "(hiera.yaml): did not find expected node content"),
        ("version: 5\nhierarchy: [{path: a.yaml}]\n", "expects a value for key 'name'"),
        ("version: 5\nhierarchy: [{name: a, pth: a.yaml}]\n", "unrecognized key 'pth'"),
        (
            "version: 5\nhierarchy: [{name: a, path: a.yaml}, {name: a, path: b.yaml}]\n",
            "Hierarchy name 'a' defined more than once.",
        ),
        (
            "version: 5\nhierarchy: [{name: a, paths: [a.yaml, \"%{lookup('b')}.yaml\"]}]\n",
            "Interpolation using method syntax is not allowed in this context",
        ),
    ] {
        let files =
            repository("hierarchies", &[("hiera.yaml", hiera), ("data/common.yaml", "app::port: a\n")]);
        let found = found_in(&files, &["--data-only"]);
        assert_eq!(found.len(), 1, "{hiera}: {found:#?}");
        assert_eq!(
            (&found[0]["rule"], &found[0]["file"]),
            (&"data-syntax".into(), &files.path("hiera.yaml").into())
        );
        assert!(found[0]["message"].as_str().unwrap().contains(message), "{hiera}: {found:#?}");
    }
}
