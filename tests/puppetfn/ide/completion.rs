//! Completions at the cursor.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "tests")]

use super::support::project;

const CLASS: (&str, &str) = (
    "manifests/init.pp",
    "# Serves pages.\n#\n# @param port\n#   where it listens\n# @param mode how\nclass m(\n  Integer[1, 65535] $port,\n  Enum['a', 'b'] $mode = 'a',\n  Boolean $on = true,\n) { }\n",
);
const DEFINE: (&str, &str) = ("manifests/d.pp", "define m::d(String $x, $y = 1) { }");

fn at(text: &str) -> Vec<String> {
    project(&[CLASS, DEFINE, ("manifests/site.pp", text)]).completions()
}

fn has(found: &[String], wanted: &[&str]) {
    for one in wanted {
        assert!(found.iter().any(|label| label == one), "{one} is not among {found:?}");
    }
}

#[test]
fn variables_are_those_that_were_set_before() {
    let found = at("class m::a($first) {\n  $second = 1\n  notice($¦)\n  $third = 2\n}\n$elsewhere = 1");
    has(&found, &["first", "second", "facts"]);
    assert!(!found.iter().any(|label| label == "third" || label == "elsewhere"), "{found:?}");
    has(&at("notice($m::¦)"), &["m::port", "m::mode"]);
    assert_eq!(at("$one = 1\n$x = \"${o¦}\""), ["one"]);
}

#[test]
fn functions_of_deferred_calls_are_completed() {
    for call in ["Deferred('spri¦')", "$x = Deferred.new('spri¦", "Deferred('spri¦', ['%s'])"] {
        assert_eq!(at(call), ["sprintf"], "{call}");
    }
    assert_eq!(at("Deferred('sprintf', ['spri¦'])"), [""; 0]);
}

#[test]
fn parameters_of_resources_are_those_that_are_not_given_yet() {
    let found = at("m::d { 'a':\n  y => 2,\n  ¦\n}");
    has(&found, &["x", "require"]);
    assert!(!found.iter().any(|label| label == "y"));
    has(&at("class { 'm': p¦ }"), &["port"]);
    has(&at("file { '/a':\n  ensure => file,\n  m¦"), &["mode"]);
    assert_eq!(
        at("class { 'm': mode => ¦ }").into_iter().filter(|label| label == "a" || label == "b").count(),
        2
    );
    has(&at("class { 'm': on => t¦ }"), &["true"]);
    has(&at("file { '/a': ensure => ¦"), &["directory"]);
}

#[test]
fn a_parameter_says_what_it_is() {
    let project = project(&[CLASS, ("manifests/site.pp", "class { 'm':\n  po¦\n}")]);
    let found = project.ide.completions(&project.path, project.offset);
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].detail.as_deref(), Some("Integer[1, 65535] (required)"));
    assert_eq!(found[0].documentation.as_deref(), Some("where it listens"));
    assert_eq!(found[0].insert, "port => ");
}

#[test]
fn a_resource_comes_with_what_it_must_be_given() {
    let project = project(&[DEFINE, ("manifests/site.pp", "m::¦")]);
    let found = project.ide.completions(&project.path, project.offset);
    let define = found.iter().find(|one| one.label == "m::d").unwrap();
    assert!(define.is_snippet);
    assert_eq!(define.insert, "m::d { '${1:title}':\n  x => ${2:value},\n}");
}

#[test]
fn classes_types_and_titles_have_places_of_their_own() {
    assert_eq!(at("include ¦"), ["m"]);
    has(&at("class m::b inherits ¦ { }"), &["m"]);
    has(&at("file { '/one': }\nservice { 'a': require => File['¦"), &["/one"]);
    has(&at("function m::f(Int¦) { }"), &["Integer"]);
    assert_eq!(at("# a comment with inc¦"), [""; 0]);
}

#[test]
fn facts_have_keys() {
    has(&at("$x = $facts['¦']"), &["os", "networking"]);
    has(&at("$x = $facts['os']['¦']"), &["family", "release"]);
    has(&at("$x = $facts['os']['release']['m¦']"), &["major"]);
}

#[test]
fn methods_take_what_is_before_the_dot() {
    let found = at("$x = [1, 2]\n$y = $x.¦");
    has(&found, &["map", "filter", "join"]);
    assert!(!found.iter().any(|label| label == "abs" || label == "split"), "{found:?}");
    has(&at("$x = 'a'\n$x.up¦"), &["upcase"]);
}

#[test]
fn templates_have_names() {
    let files = [
        ("templates/a.epp", "x"),
        ("templates/d/b.epp", "y"),
        ("manifests/init.pp", "class m { $x = epp('m/¦') }"),
    ];
    assert_eq!(project(&files).completions(), ["m/a.epp", "m/d/b.epp"]);
}

#[test]
fn calls_have_signatures() {
    let project = project(&[("manifests/init.pp", "class m { $x = regsubst('a', ¦) }")]);
    let help = project.ide.signature_help(&project.path, project.offset).unwrap();
    assert_eq!(help.parameter, 1);
    let active = &help.signatures[help.active];
    assert_eq!(&active.label[active.parameters[1].clone()], "String pattern");
    assert!(active.label.starts_with("regsubst("), "{}", active.label);
}
