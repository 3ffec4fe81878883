//! Tests of the context at a cursor.

use super::*;

/// Returns the role and the text of the word at the `|` of a text.
fn at(text: &str) -> (CursorPlace, String) {
    let offset = text.find('|').unwrap();
    let whole = text.replacen('|', "", 1);
    let found = context(&whole, Mode::default(), offset as u32);
    (found.place, found.word.text(&whole).to_owned())
}

fn attribute(type_name: &str, title: Option<&str>, given: &[&str]) -> CursorPlace {
    let given = given.iter().map(|one| (*one).to_owned()).collect();
    CursorPlace::Attribute { type_name: type_name.into(), title: title.map(str::to_owned), given }
}

#[test]
fn words_are_what_stands_before_them_says() {
    assert_eq!(at("$x = $ab|"), (CursorPlace::Variable, "ab".into()));
    assert_eq!(at("notice(\"a ${ab|"), (CursorPlace::Variable, "ab".into()));
    assert_eq!(at("notice(\"a $|"), (CursorPlace::Variable, String::new()));
    assert_eq!(at("include ap|"), (CursorPlace::Class, "ap".into()));
    assert_eq!(at("include a, b|"), (CursorPlace::Class, "b".into()));
    assert_eq!(at("class { 'ap|"), (CursorPlace::Class, "ap".into()));
    assert_eq!(at("class a inherits b|"), (CursorPlace::Class, "b".into()));
    assert_eq!(at("Class['a|"), (CursorPlace::Class, "a".into()));
    assert_eq!(at("class a { no|"), (CursorPlace::Expression, "no".into()));
    assert_eq!(at("class a|"), (CursorPlace::Unknown, "a".into()));
    assert_eq!(at("# a comment|").0, CursorPlace::Unknown);
    assert_eq!(
        at("File['|"),
        (CursorPlace::Title { type_name: "file".into(), is_reference: true }, String::new())
    );
    for text in ["$x = 'a'|", "f(\"a${b}\"|", "file { '/a': ensure => 'file'|", "$facts['os'|"] {
        assert_eq!(at(text), (CursorPlace::Unknown, String::new()), "{text}");
    }
    assert_eq!(at("epp('m/|"), (CursorPlace::Argument { function: "epp".into() }, "m/".into()));
    let parameter = |given: &[&str], in_quotes| CursorPlace::TemplateParameter {
        template: "m/t.epp".into(),
        given: given.iter().map(|one| (*one).to_owned()).collect(),
        in_quotes,
    };
    assert_eq!(at("epp('m/t.epp', { |"), (parameter(&[], false), String::new()));
    assert_eq!(at("epp('m/t.epp', { 'a' => {b => 1}, 'c|"), (parameter(&["a"], true), "c".into()));
    assert_eq!(at("epp('m/t.epp', { a => |").0, CursorPlace::Expression);
    assert_eq!(at("f('m/t.epp', { a|").0, CursorPlace::Expression);
    assert_eq!(at("$facts['os']['na|"), (CursorPlace::Fact { path: vec!["os".into()] }, "na".into()));
}

#[test]
fn resources_have_attributes_and_values() {
    assert_eq!(at("file { '/a': |").0, attribute("file", Some("/a"), &[]));
    assert_eq!(at("file { '/a':\n  ensure => file,\n  mo|").0, attribute("file", Some("/a"), &["ensure"]));
    assert_eq!(
        at("class m($x) {\n  file { '/a': ensure => [1, 2], |\n}").0,
        attribute("file", Some("/a"), &["ensure"])
    );
    assert_eq!(at("class { 'm': |").0, attribute("class", Some("m"), &[]));
    assert_eq!(at("File['/a'] { |").0, attribute("file", None, &[]));
    assert_eq!(at("File { |").0, attribute("file", None, &[]));
    assert_eq!(at("user { 'a': uid => 1; 'b': |").0, attribute("user", Some("b"), &[]));
    let value = |in_quotes| CursorPlace::Value {
        type_name: "file".into(),
        title: Some("/a".into()),
        attribute: "ensure".into(),
        in_quotes,
    };
    assert_eq!(at("file { '/a': ensure => |").0, value(false));
    assert_eq!(at("file { '/a': ensure => 'pr|").0, value(true));
}

#[test]
fn methods_have_receivers() {
    let receiver = |text: &str| match context(text, Mode::default(), text.len() as u32).place {
        CursorPlace::Method { receiver } => receiver.text(text).to_owned(),
        other => panic!("{other:?}"),
    };
    assert_eq!(receiver("$x.map"), "$x");
    assert_eq!(receiver("$y = $x[1]['a']."), "$x[1]['a']");
    assert_eq!(receiver("notice([1, 2].filter(1)."), "[1, 2].filter(1)");
}

#[test]
fn calls_are_known_with_their_arguments() {
    let calls = |text: &str| {
        let calls = context(text, Mode::default(), text.len() as u32).calls.into_iter();
        calls.map(|call| format!("{} {}", call.name, call.arguments)).collect::<Vec<_>>()
    };
    assert_eq!(calls("notice(sprintf('%s', [1, 2], "), ["notice 0", "sprintf 2"]);
    assert_eq!(calls("$x.regsubst('a', "), ["regsubst 2"]);
    assert_eq!(calls("if (1 + "), [""; 0]);
}
