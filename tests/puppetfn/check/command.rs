//! The static checker: the examples of its documentation, and its command.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::disallowed_methods,
    missing_docs,
    reason = "a test reads and writes files of its own, and may take the short way"
)]

use std::ffi::OsString;
use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

use puppetfn::check::{Finding, Rule, TextOrigin, World};
use puppetfn::doc::{Api, Comment, DeclaredFunction, DeclaredParameter, DeclaredSignature, ParameterKind};
use puppetfn::limits::Limits;
use puppetfn::loader::{Loader, StdFileSystem};
use puppetfn::syntax::{Mode, Tree};
use puppetfn_cli::{FAILED, OK, Standalone, USAGE, run};
use serde_json::Value as Json;

pub(super) fn modules() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/cases/check/modules")
}

pub(super) fn check(text: &str) -> Vec<Finding> {
    let loader = Loader::new(Arc::new(StdFileSystem::DEFAULT), vec![modules()], None, Limits::DEFAULT);
    let mut world = World::new(Arc::new(loader), Limits::DEFAULT);
    let tree = Tree::recover(text, None, Mode::default(), &Limits::DEFAULT);
    let definitions = world.declarations(&tree);
    world.add(definitions);
    world.check(&tree, &TextOrigin::default())
}

/// Returns the rules that code in a class with the parameter `$x` of a type breaks.
fn broken(t: &str, code: &str) -> Vec<&'static str> {
    check(&format!("class app({t} $x) {{ {code} }}")).iter().map(|finding| finding.rule.name()).collect()
}

#[test]
fn conditions_tell_what_variables_are() {
    let (optional, either) = ("Optional[Integer]", "Variant[Integer, String, Undef]");
    for (t, code, rules) in [
        (optional, "if $x { $y = $x + 1 } else { $y = $x + 1 }", vec!["arithmetic"]),
        (optional, "unless $x { $y = $x + 1 } else { $y = $x + 2 }", vec!["arithmetic"]),
        (optional, "unless $x { fail('no') } $y = $x['a']", vec!["access"]),
        (optional, "if $x == undef { fail('no') } $y = $x =~ /a/", vec!["match"]),
        (optional, "if $x != undef and $x =~ /a/ { notice(1) }", vec!["match"]),
        (optional, "if !$x or $x =~ /a/ { notice(1) }", vec!["match"]),
        (
            either,
            "if $x =~ String { $y = $x + 1 } elsif $x { $y = $x['a'] } else { $y = $x + 2 }",
            vec!["arithmetic", "access", "arithmetic"],
        ),
        (either, "if ($x !~ Integer) { $y = $x - 1 }", vec!["arithmetic"]),
        (
            either,
            "case $x { Integer: { $y = $x['a'] } String: { $y = $x * 2 } default: { $y = upcase($x) } }",
            vec!["access", "arithmetic", "argument-mismatch"],
        ),
        (either, "case $x { 1, 2: { $y = $x['a'] } default: { } }", vec!["access"]),
        (
            either,
            "$y = $x ? { String => $x * 2, undef => $x + 1, default => $x['a'] }",
            vec!["arithmetic", "arithmetic", "access"],
        ),
        (either, "[1].each |$i| { if $x =~ Integer { $y = $x['a'] } }", vec!["access"]),
        ("Any", "if $x =~ Integer and $x == 'a' { notice(1) }", vec!["always-false"]),
        ("Any", "if $x =~ Hash { $y = $x + 1 }", vec!["arithmetic"]),
    ] {
        assert_eq!(broken(t, code), rules, "{t}: {code}");
    }
}

#[test]
fn conditions_that_tell_nothing_leave_variables_as_they_are() {
    let either = "Variant[Integer, String, Undef]";
    for code in [
        "if $x =~ String { $y = 1 } $z = $x + 1",
        "if $x =~ String or $facts['a'] { $y = $x + 1 }",
        "if $x =~ Integer and $facts['a'] { $y = 1 } else { $y = $x + 1 }",
        "if !($x =~ String and $facts['a']) { $y = upcase($x) }",
        "case $x { 1: { } default: { $y = $x + 1 } }",
        "case $x { String, $facts['a']: { } default: { $y = upcase($x) } }",
        "case $x { /a/: { } default: { $y = upcase($x) } }",
        "$y = $x ? { 'a' => 1, default => upcase($x) }",
        "[1].each |$i| { if $x =~ Integer { $x = 1 } }",
        "[1].each |$i| { if $x { $y = 1 } $x = 2 }",
        "[1].each |$i| { if $facts['a'] { $x = 'a' } elsif $x =~ Integer { $y = 1 } $z = $x + 1 }",
        "$y = Timespan($x) == 1",
        "$y = Timestamp($x) in [1]",
        "if defined('$of_node') { notice($of_node) }",
        "if defined('$of_node') and $of_node == 1 { notice($of_node) }",
        "if $x == 1.0 { $y = $x + 1 } elsif $x == 'A' { $y = upcase($x) }",
        "if $x =~ Unknown::Type { $y = $x + 1 } else { $y = $x + 1 }",
    ] {
        assert_eq!(broken(either, code), Vec::<&str>::new(), "{code}");
    }
}

/// Returns the messages of the rule `parameter-value` for code.
fn refused(code: &str) -> Vec<String> {
    let found = check(code).into_iter().filter(|finding| finding.rule == Rule::ParameterValue);
    found.map(|finding| finding.message).collect()
}

#[test]
fn values_of_attributes_are_looked_at_wherever_they_are_set() {
    let mode = |of: &str| {
        format!("Parameter mode failed on {of}: The file mode specification must be a string, not 'Integer'")
    };
    for (code, of) in [
        ("file { '/a': mode => 0644 }", "File[/a]"),
        ("file { ['/a', '/b']: mode => 0644 }", "File[/a]"),
        ("class app($x) { file { \"/a/${x}\": mode => 0644 } }", "File[\"/a/${x}\"]"),
        ("$set = {'mode' => 0644, 'owner' => 'a'} file { '/a': * => $set }", "File[/a]"),
        ("file { default: mode => 0644; '/a': }", "File[default]"),
        ("File { mode => 0644 }", "File"),
        ("File['/a'] { mode => 0644 }", "File[/a]"),
        ("File <| owner == 'a' |> { mode => 0644 }", "File"),
        ("create_resources('file', {'/a' => {'mode' => 0644}})", "File[/a]"),
        ("create_resources(file, {'/a' => {'owner' => 'a'}}, {'mode' => 0644})", "File[/a]"),
        ("ensure_resource('file', '/a', {'mode' => 0644})", "File[/a]"),
        ("ensure_resources('file', {'/a' => {}}, {'mode' => 0644})", "File[/a]"),
    ] {
        assert_eq!(refused(code), [mode(of)], "{code}");
    }
}

#[test]
fn values_that_no_resource_need_have_are_left_alone() {
    for code in [
        "@file { '/a': mode => 0644 }",
        "@@file { '/a': mode => 0644 }",
        "file { []: mode => 0644 }",
        "file { '/a': mode => 0644 } File <| |> { mode => '0644' }",
        "class app { file { '/a': mode => 0644 } } class b inherits app { File['/a'] { mode => '0644' } }",
        "file { '/a': mode => undef, mtime => undef }",
        "file { '/a': mode => Sensitive(0644) }",
        "file { '/a': mode => Deferred('mode') }",
        "class app($x, Variant[Integer, String] $y) { file { '/a': mode => $x; '/b': mode => $y } }",
        "class app(Array[Integer] $x) { file { '/a': mode => $x } }",
        "create_resources('file', {'/a' => {'mode' => '0644'}}, {'mode' => 0644})",
        "create_resources('@file', {'/a' => {'mode' => 0644}})",
        "service { 'a': ensure => true, enable => 'delayed', hasstatus => 'false' }",
        "package { 'a': ensure => '1.2-3', configfiles => 'keep' }",
        "exec { 'a b': command => ['/bin/a', 'b'], environment => ['A=b'], umask => '022', logoutput => on_failure }",
    ] {
        assert_eq!(refused(code), Vec::<String>::new(), "{code}");
    }
    // An override of one resource leaves the others as they are.
    assert_eq!(refused("file { '/a': mode => 1 } File['/b'] { mode => '1' }").len(), 1);
}

#[test]
fn attributes_that_there_are_not_are_found_wherever_they_are_set() {
    let found = check(
        "File['/a'] { contnt => 1 } File { ownr => 'a' } create_resources('file', {'/a' => {'x' => 1}})
        notify { 'a': provider => 'b', name => 'c' } package { 'a': provider => 'pip', name => 'c' }",
    );
    let found: Vec<_> = found.iter().map(|finding| (finding.rule.name(), &*finding.message)).collect();
    assert_eq!(
        found,
        [
            ("unknown-parameter", "File has no parameter named 'contnt'; did you mean 'content'?"),
            ("unknown-parameter", "File has no parameter named 'ownr'; did you mean 'owner'?"),
            ("unknown-parameter", "File has no parameter named 'x'"),
            ("unknown-parameter", "Notify has no parameter named 'provider'"),
        ]
    );
}

/// Asserts that each line with `# <rule>` after it is reported for that rule, and that no other line is.
pub fn assert_reported(text: &str) {
    let expected: Vec<(u32, String)> = (1..)
        .zip(text.lines())
        .filter_map(|(line, text)| Some((line, text.split_once("# <")?.1.strip_suffix('>')?.to_owned())))
        .collect();
    let lines = puppetfn::source::LineIndex::new(text);
    let found: Vec<(u32, String)> = check(text)
        .iter()
        .map(|finding| (lines.position(text, finding.span.start).0, finding.rule.name().to_owned()))
        .collect();
    assert_eq!(found, expected, "{:#?}", check(text));
}

#[test]
fn values_are_followed_through_branches_and_blocks() {
    assert_reported(
        "class app(Boolean $b, Array[Integer] $list, Hash[String, Integer] $hash, Optional[String] $maybe) {
           $either = $b ? { true => 1, default => 2.5 }
           $x1 = $either + 1
           $x2 = $either['a']  # <access>
           if $b { $set = 'a' } else { $set = 'b' }
           $x3 = $set + 1  # <arithmetic>
           if $b { $only = 1 }
           $x4 = $only + 'a'
           $x5 = $list.map |$item| { $item['a'] }  # <access>
           $x6 = $list.map |$item| { \"n${item}\" }
           $x7 = ntp::line($x6[0])
           $x8 = ntp::line($x6)  # <argument-mismatch>
           $hash.each |$key, $value| { notice($key + 1) }  # <arithmetic>
           $hash.each |$pair| { notice($pair[0], $pair + 1) }
           [].each |$never| { notice(1 + 'a') }
           $x9 = $maybe.then |$text| { $text + 1 }  # <arithmetic>
           if $maybe =~ Integer { notice(1 + 'a') }  # <always-false>
           case $b { String: { notice(1 + 'a') } Boolean: { notice(2) } default: { notice(1 + 'a') } }
         }",
    );
}

#[test]
fn what_may_succeed_is_not_reported() {
    assert_reported(
        "class app($any, Variant[String, Integer] $either, Optional[Integer] $maybe, Data $data, Type $type) {
           $x1 = $any + 1
           $x2 = $either + 1
           $x3 = $maybe + 1
           $x4 = $any['a']['b'][1]
           $x5 = $data['a']
           $x6 = $type['a']
           $x7 = $any.some_attribute
           $x8 = $any['b'] ? { 'a' => 1 }
           $x9 = ntp::line($either, $any)
           $x10 = ntp::line(*$any)
           $x11 = [*$any, 1].map |$x| { $x + 1 }
           $x12 = Integer($either) + $facts['processors']['count']
           $x13 = lookup('a') + lookup('b', Integer)
           $x14 = File['/a']['mode']
           Ntp::Key { secret => 'a' }
           ntp::key { 'a': }
           @ntp::key { 'b': secret => 1 }
           $x15 = with($any) |$x| { next('a') }
           $x16 = $either =~ /a/
         }",
    );
}

#[test]
fn what_fails_for_all_values_is_reported() {
    assert_reported(
        "class app($any, Optional[String] $text, Variant[Undef, Array] $list, Optional[Hash] $hash) {
           $x1 = $any * 'x'  # <arithmetic>
           $x2 = [$any + 'x', $any - 'x', $any << 'x']
           $x4 = $list['name']  # <access>
           $x5 = [$text[0], $hash['name'], $list[0]]
           $x6 = $ntp::parms::directory  # <unknown-class-variable>
           $x7 = $elsewhere::params::directory
         }",
    );
}

#[test]
fn types_that_grow_take_no_time() {
    let line = |index: usize| {
        let next = index + 1;
        format!(
            "$x{next} = {{'a' => $x{index}, 'b' => [$x{index}]}} $y{next} = [$x{next}].map |$z| {{ [$z, $x{index}] }}\n"
        )
    };
    let code: String = (0..200).map(line).collect();
    assert_reported(&format!("$x0 = $facts['a'] ? {{ 1 => 1, default => 'a' }}\n{code}"));
}

#[test]
fn objects_of_types_with_features_are_not_known() {
    let types = "type Role { attr gid, Integer }
        type User { attr name, String { min => 1, check => { $it != '' } } has roles, Role { max => unbound } }";
    for code in [
        "$u = User.new { name => 'x' } |$t| { $t[name] = 'a' $t[roles] += { gid => 1 } }
         notice($u.name + 1, $u[roles][0].gid + 1, $u.is_set('name'))",
        "$u = new(User, { name => 'x' }) notice($u.roles.map |$r| { $r.gid })",
        "$u = User({ name => 'x' }) if $u =~ User { notice($u.name) }",
        "$u = { name => 'x' }.convert_to(User) notice($u.name)",
        "function environment::f(User $u) >> String { $u.name } environment::f(User.new)",
    ] {
        assert_eq!(check(&format!("{types} {code}")), [], "{code}");
    }
}

#[test]
fn definitions_of_types_with_features_are_checked() {
    assert_reported(
        "type Base { attr a, Integer { default => x } } # <type-definition>
         type Fine { attr a, Integer { check => { $it > 0 } } has other, Other { max => unbound } }
         type Other inherits Fine { attr b, Unknown::Type attr c, Alias has unsure, Alias }
         type Alias = Array[Integer]
         type Plain { attr a }
         type Code { attr a { check => { notice('x') } } } # <type-definition>
         type Twice inherits Plain { attr a } # <type-definition>
         type Lost { attr a, Nosuch } # <type-definition>
         type Text { invariant \"${x}\" { true } } # <type-definition>",
    );
}

#[test]
fn functions_are_left_where_they_say_so() {
    assert_reported(
        "function environment::f(Boolean $b, Boolean $c, Array $list) >> Integer {
           if $b { return('a') }
           $list.each |$x| { if $x { return(1) } }
           unless $c { return(2) }
           $last = $list.map |$x| { next('text') }
           case $last { [1]: { 'one' }  # <return-type>
             default: { fail('none') }
           }
         }
         function environment::early() >> Integer { [1].each |$x| { return('text') } 1 }
         function environment::late() >> Integer { 1 }
         function environment::caller() { [upcase(environment::early()), environment::late()['a']] }  # <access>
         function environment::g() >> Integer { }  # <return-type>
         function environment::h() >> String { return('a') notice('b') }  # <unreachable>",
    );
}

/// Runs the command. Returns its exit code, output and errors.
pub(super) fn command(arguments: &[&str]) -> (i32, String, String) {
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let arguments = ["puppetfn", "check"].iter().chain(arguments).map(OsString::from);
    let code = run(arguments, &mut Standalone, &mut out, &mut err);
    (code, String::from_utf8(out).unwrap(), String::from_utf8(err).unwrap())
}

/// A directory with files.
pub(super) struct Files(PathBuf);

impl Files {
    pub fn new(name: &str, files: &[(&str, &str)]) -> Self {
        let root = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("check").join(name);
        let _ = fs::remove_dir_all(&root);
        for (path, text) in files {
            let path = root.join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        Self(root)
    }

    pub fn path(&self, path: &str) -> String {
        self.0.join(path).to_str().unwrap().to_owned()
    }
}

#[test]
fn the_exit_code_tells_what_was_found() {
    let files = Files::new(
        "codes",
        &[("fine.pp", "notice(1)"), ("odd.pp", "notice($nosuch)"), ("wrong.pp", "notice(1 + 'a')")],
    );
    assert_eq!(command(&[&files.path("fine.pp")]), (OK, String::new(), String::new()));
    assert_eq!(command(&[&files.path("odd.pp")]).0, OK);
    assert_eq!(command(&[&files.path("odd.pp"), "--fail-on-warnings"]).0, FAILED);
    assert_eq!(command(&[&files.path("wrong.pp")]).0, FAILED);
    assert_eq!(command(&[&files.path("none.pp")]).0, USAGE);
}

#[test]
fn findings_are_shown_with_their_lines() {
    let files = Files::new("shown", &[("a.pp", "notice(1 + 'a')\n")]);
    let (_, out, err) = command(&[&files.path("a.pp")]);
    assert_eq!(err, "");
    let file = files.path("a.pp");
    assert_eq!(
        out,
        format!(
            "error: The value 'a' cannot be converted to Numeric. [arithmetic]\n --> {file}:1:10\n  |\n1 | notice(1 + 'a')\n  \
             |          ^\n\n1 error, 0 warnings\n"
        )
    );
}

#[test]
fn findings_are_printed_for_programs() {
    let files =
        Files::new("formats", &[("a b.pp", "notice(1 + 'a')\n\nnotice($x)\n"), ("c.pp", "notice(1)")]);
    let path = files.path("");
    let file = files.path("a b.pp");
    let (code, out, _) = command(&[&path, "--format", "json"]);
    let found: Json = serde_json::from_str(&out).unwrap();
    assert_eq!(code, FAILED);
    assert_eq!(
        found[0],
        serde_json::json!({
            "rule": "arithmetic",
            "severity": "error",
            "message": "The value 'a' cannot be converted to Numeric.",
            "file": file,
            "line": 1,
            "column": 10,
        })
    );
    assert_eq!((&found[1]["severity"], &found[1]["line"]), (&"warning".into(), &3.into()));
    assert_eq!(found.as_array().unwrap().len(), 2);

    let (_, out, _) = command(&[&path, "--format", "sarif"]);
    let sarif: Json = serde_json::from_str(&out).unwrap();
    assert_eq!(sarif["version"], "2.1.0");
    let run = &sarif["runs"][0];
    assert_eq!(run["tool"]["driver"]["rules"].as_array().unwrap().len(), Rule::ALL.len());
    assert_eq!(run["results"][0]["ruleId"], "arithmetic");
    let place = &run["results"][0]["locations"][0]["physicalLocation"];
    assert_eq!(place["region"], serde_json::json!({"startLine": 1, "startColumn": 10}));
    assert!(place["artifactLocation"]["uri"].as_str().unwrap().ends_with("/a%20b.pp"));

    let (_, out, _) = command(&[&path, "--format", "junit"]);
    assert!(out.contains(r#"tests="2" failures="1""#), "{out}");
    assert!(out.contains("error: The value 'a' cannot be converted to Numeric. [arithmetic]"), "{out}");

    let (_, out, _) = command(&[&path, "--format", "github"]);
    let first = out.lines().next().unwrap();
    assert_eq!(
        first,
        format!(
            "::error file={file},line=1,col=10,title=arithmetic::The value 'a' cannot be converted to Numeric."
        )
    );
    assert_eq!(command(&[&files.path("c.pp"), "--format", "json"]).1, "[]\n");
}

#[test]
fn files_are_checked_together_and_with_the_modules_around_them() {
    let files = Files::new(
        "together",
        &[
            (
                "modules/app/metadata.json",
                metadata!("me-app", r#"[{"name": "me/gone", "version_requirement": "1.x"}]"#),
            ),
            (
                "modules/app/manifests/init.pp",
                "class app { app::thing { 'a': nosuch => 1 } nosuch() include lib::gone }",
            ),
            ("modules/app/manifests/thing.pp", "define app::thing { }"),
            ("modules/app/examples/init.pp", "include app"),
            ("modules/lib/metadata.json", metadata!("me-lib")),
            ("modules/lib/manifests/init.pp", "class lib { nosuch() }"),
            ("modules/old/manifests/init.pp", "class old { nosuch() }"),
            ("modules/me-app/metadata.json", metadata!("me-app")),
            ("modules/me-app/manifests/init.pp", "class app { }"),
        ],
    );
    let rules = |path: &str| -> Vec<String> {
        let (_, out, _) = command(&[&files.path(path), "--format", "json"]);
        let found: Json = serde_json::from_str(&out).unwrap();
        found.as_array().unwrap().iter().map(|found| found["rule"].as_str().unwrap().to_owned()).collect()
    };
    // The function may be one of the module that is not there.
    assert_eq!(rules("modules/app"), ["unknown-parameter", "unknown-class"]);
    assert_eq!(rules("modules/lib"), ["unknown-function"]);
    // This module has neither declared nor visible dependencies.
    assert!(rules("modules/old").is_empty());
    let path = files.path("modules");
    let (_, out, _) = command(&[&files.path("modules/old"), "--modulepath", &path, "--format", "github"]);
    assert!(out.contains("title=unknown-function"), "{out}");
    assert!(rules("modules/me-app").is_empty());
}

/// Returns a function in Ruby as its file declares it.
fn ruby(name: &str, t: &str, body: &str) -> DeclaredFunction {
    let parameter = |name: &str, t: &str, kind| DeclaredParameter {
        name: name.to_owned(),
        type_text: Some(t.to_owned()),
        kind,
        ..DeclaredParameter::default()
    };
    DeclaredFunction {
        name: name.to_owned(),
        api: Api::Ruby4x,
        line: 1,
        comment: Comment::default(),
        signatures: vec![DeclaredSignature {
            parameters: vec![
                parameter("x", t, ParameterKind::Single),
                parameter("rest", "Integer", ParameterKind::Repeated),
            ],
            return_type: Some("String".to_owned()),
            ..DeclaredSignature::default()
        }],
        source: Some(body.to_owned()),
    }
}

#[test]
fn functions_in_ruby_are_known_by_what_their_files_declare() {
    let loader = Loader::new(Arc::new(StdFileSystem::DEFAULT), vec![modules()], None, Limits::DEFAULT);
    let mut world = World::new(Arc::new(loader), Limits::DEFAULT);
    world.add_ruby(&ruby("environment::plain", "Ntp::Stratum", "def plain(x)\nend"));
    world.add_ruby(&ruby("environment::local", "LocalName", "def callers(x)\nend"));
    world.add_ruby(&ruby("environment::odd", "Integer", "  def call(scope, *args)\n  end"));
    let found = |code: &str| {
        let tree = Tree::recover(code, None, Mode::default(), &Limits::DEFAULT);
        let found = world.check(&tree, &TextOrigin::default());
        found.into_iter().map(|finding| finding.message).collect::<Vec<_>>()
    };
    assert_eq!(found("environment::plain(3, 4, 5)"), [""; 0]);
    assert_eq!(
        found("environment::plain('3')"),
        ["'environment::plain' parameter 'x' expects a Ntp::Stratum = Integer[1, 15] value, got String"]
    );
    assert_eq!(found("environment::local('3', 4)"), [""; 0]);
    assert_eq!(
        found("environment::local('3', '4')"),
        ["'environment::local' parameter 'rest' expects an Integer value, got String"]
    );
    assert_eq!(found("environment::odd()"), [""; 0]);
    assert_eq!(found("$x = environment::plain(3) + 1").len(), 1, "the return type is known, too");
}

#[test]
fn a_module_whose_dependencies_are_not_there_may_use_anything() {
    let files = Files::new(
        "elsewhere",
        &[
            (
                "puppet-app/metadata.json",
                metadata!("me-app", r#"[{"name": "me/gone", "version_requirement": "1.x"}]"#),
            ),
            (
                "puppet-app/manifests/init.pp",
                "class app($x) { nosuch($misspelt) if $x =~ Thing { notice(1 + 'a') } }",
            ),
        ],
    );
    let (_, out, _) = command(&[&files.path("puppet-app"), "--format", "github"]);
    assert_eq!(out.lines().count(), 1, "{out}");
    assert!(out.contains("title=arithmetic"), "{out}");
}
