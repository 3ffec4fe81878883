//! Types and objects as models: Ecore and XMI, and `puppetfn model`.
#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a test fails by panicking, and makes files"
)]

use std::fs;
use std::path::PathBuf;

use crate::support::entity::has;
use puppetfn::entity::ecore::{ExportOptions, export, import};
use puppetfn::entity::xmi;
use puppetfn::eval::Runtime;
use puppetfn::limits::Limits;
use puppetfn::types::parse::named;
use puppetfn::value::Value;
use puppetfn_cli::{Standalone, run};

/// Returns an Ecore document with these classifiers.
fn model(classifiers: &str) -> String {
    format!(
        r#"<?xml version="1.0"?>
<ecore:EPackage xmlns:xmi="http://www.omg.org/XMI" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
    xmlns:ecore="http://www.eclipse.org/emf/2002/Ecore" name="lib" nsURI="http://lib" nsPrefix="lib">
{classifiers}
</ecore:EPackage>"#
    )
}

fn class(content: &str) -> String {
    model(&format!(r#"<eClassifiers xsi:type="ecore:EClass" name="A">{content}</eClassifiers>"#))
}

fn attribute(settings: &str) -> String {
    class(&format!(r#"<eStructuralFeatures xsi:type="ecore:EAttribute" {settings}/>"#))
}

/// Returns the definitions of a model.
fn imported(text: &str) -> (Vec<String>, Vec<String>) {
    let imported = import(text, &Limits::DEFAULT).unwrap();
    (imported.types.iter().map(ToString::to_string).collect(), imported.notes)
}

fn import_error(text: &str) -> String {
    import(text, &Limits::DEFAULT).unwrap_err().to_string()
}

/// Returns the types of this code that have these names, as Ecore.
fn exported(code: &str, names: &[&str], logic: bool) -> Result<String, String> {
    let runtime = Runtime::new();
    runtime.evaluate(code, None).unwrap();
    let types: Vec<_> = names.iter().map(|name| named(name, runtime.types()).unwrap()).collect();
    export(&types, ExportOptions { logic, ..ExportOptions::default() }).map_err(|error| error.to_string())
}

#[test]
fn definitions_go_to_ecore_and_back() {
    let code = "type Zoo::Animal {
  abstract
  attr name, String { min => 1, check => { $it != '' }, validate => |$x| { $x != 'x' } }
  attr legs, Integer[0, 100] { default => 4 }
  attr colors, Enum['blue', 'red'] { min => 1, max => 3, unsettable => true, default => ['red'] }
  attr notes, Hash[String, Data] { transient => true }
  attr chip, String { setable => false, get => |$x| { \"<${x}>\" } }
  attr any
  attr full, String { derived => { \"${name}!\" }, set => |$x| { $name = $x } }
  invariant 'it\\'s legs & \"name\"' { $legs > 0 or $name == 'snake' }
  invariant { true }
}
type Zoo::Bird::Parrot inherits Zoo::Animal {
  has friends, Zoo::Bird::Parrot { max => unbound, containment => false, validate => { $it.name != '' } }
  has owner, Zoo::Owner { min => 1 }
}
type Zoo::Owner {
  attr age, Float
}";
    let ecore = exported(code, &["Zoo::Bird::Parrot"], true).unwrap();
    let (types, notes) = imported(&ecore);
    assert!(notes.is_empty(), "{notes:?}");
    let runtime = Runtime::new();
    runtime.import_model(&ecore).unwrap();
    let again: Vec<_> =
        ["Zoo::Bird::Parrot"].iter().map(|name| named(name, runtime.types()).unwrap()).collect();
    assert_eq!(export(&again, ExportOptions { logic: true, ..ExportOptions::default() }).unwrap(), ecore);
    assert_eq!(types.len(), 3);
    let animal = "type Zoo::Animal {\n  abstract\n  \
        attr name, String { min => 1, check => { $it != '' }, validate => |$x| { $x != 'x' } }\n  \
        attr legs, Integer[0, 100] { default => '4' }\n  \
        attr colors, enum['blue', 'red'] { min => 1, max => 3, unsettable => true, default => ['red'] }\n  \
        attr notes, Hash[String, Data] { transient => true }\n  \
        attr chip, String { setable => false, get => |$x| { \"<${x}>\" } }\n  \
        attr any\n  \
        attr full, String { derived => { \"${name}!\" }, set => |$x| { $name = $x } }\n  \
        invariant 'it\\'s legs & \"name\"' { $legs > 0 or $name == 'snake' }\n  \
        invariant { true }\n}";
    assert_eq!(types[0], animal);
    let pure = exported(code, &["Zoo::Bird::Parrot"], false).unwrap();
    assert!(!pure.contains("check") && !pure.contains("invariant") && !pure.contains("$name"), "{pure}");
    // Without logic, attributes stay derived but lose their code.
    assert_eq!(imported(&pure).1, ["Zoo::Animal[full] is derived, but nothing says how"]);
}

#[test]
fn namespaces_are_packages() {
    let ecore = exported("type A { attr x } type B::C { attr y has a, A }", &["A", "B::C"], false).unwrap();
    has(&ecore, r#"name="types" nsURI="puppet:/" nsPrefix="types""#);
    has(&ecore, r#"<eSubpackages name="b" nsURI="puppet:/B" nsPrefix="b">"#);
    has(&ecore, r##"eType="#//A""##);
    let names: Vec<_> = import(&ecore, &Limits::DEFAULT).unwrap().types.into_iter().map(|t| t.name).collect();
    assert_eq!(names, ["A", "B::C"]);
}

#[test]
fn what_cannot_be_exported_is_an_error() {
    let heredoc = "type A { attr x { check => { if $it == 1 { @(E) } } } }\n  no\n  | E\n";
    has(&exported(heredoc, &["A"], true).unwrap_err(), "The code of A[x] has a heredoc in it");
    assert!(exported(heredoc, &["A"], false).is_ok());
    has(&exported("type A = Integer", &["A"], false).unwrap_err(), "A is not defined by its features");
}

#[test]
fn models_of_other_tools_are_imported() {
    let text = model(
        r##"<eClassifiers xsi:type="ecore:EClass" name="Book" eSuperTypes="#//Item">
             <eOperations name="lend"/>
             <eStructuralFeatures xsi:type="ecore:EAttribute" name="pages" lowerBound="2" upperBound="-1"
                 eType="ecore:EDataType http://www.eclipse.org/emf/2002/Ecore#//EInt"/>
             <eStructuralFeatures xsi:type="ecore:EAttribute" name="category" eType="#//Category" defaultValueLiteral="Mystery"/>
             <eStructuralFeatures xsi:type="ecore:EAttribute" name="due" eType="#//Day" derived="true" changeable="false"/>
             <eStructuralFeatures xsi:type="ecore:EReference" name="author" lowerBound="1" eType="#//Writer" eOpposite="#//Writer/books"/>
             <eStructuralFeatures xsi:type="ecore:EReference" name="parts" upperBound="4" eType="#//Book" containment="true"/>
           </eClassifiers>
           <eClassifiers xsi:type="ecore:EClass" name="Item" interface="true"/>
           <eClassifiers xsi:type="ecore:EClass" name="Writer"/>
           <eClassifiers xsi:type="ecore:EEnum" name="Category">
             <eLiterals name="Mystery"/><eLiterals name="SciFi" value="1" literal="Science Fiction"/>
           </eClassifiers>
           <eClassifiers xsi:type="ecore:EDataType" name="Day" instanceClassName="java.time.LocalDate"/>"##,
    );
    let (types, notes) = imported(&text);
    assert_eq!(
        types,
        [
            "type Lib::Book inherits Lib::Item {\n  attr pages, Integer { min => 2 }\n  \
             attr category, enum['Mystery', 'Science Fiction'] { default => 'Mystery' }\n  \
             attr due, String { transient => true, setable => false }\n  \
             has author, Lib::Writer { min => 1, containment => false }\n  has parts, Lib::Book { max => 4 }\n}",
            "type Lib::Item {\n  abstract\n}",
            "type Lib::Writer {\n  invariant { true }\n}",
        ]
    );
    assert_eq!(
        notes,
        [
            "Lib::Book has operations, which types do not have",
            "Lib::Book[due] is of the data type Day: a String",
            "Lib::Book[due] is derived, but nothing says how",
            "Lib::Book[author] has an opposite, which references of types do not have",
        ]
    );
    Runtime::new().import_model(&text).unwrap();
}

#[test]
fn what_cannot_be_imported_is_an_error_with_its_place() {
    let reference =
        |t: &str| class(&format!(r#"<eStructuralFeatures xsi:type="ecore:EReference" name="x" {t}/>"#));
    let int = "ecore:EDataType http://www.eclipse.org/emf/2002/Ecore#//EInt";
    for (text, message) in [
        ("<x/>".to_owned(), "expected an ecore:EPackage, got 'x' (line: 1, column: 1)"),
        (
            model(r#"<eClassifiers xsi:type="ecore:EThing" name="A"/>"#),
            "a classifier of the kind 'EThing' (line: 4",
        ),
        (model(r#"<eClassifiers xsi:type="ecore:EClass"/>"#), "an element 'eClassifiers' without a name"),
        (model(r#"<eClassifiers xsi:type="ecore:EClass" name="a b"/>"#), "'Lib::a b' is no name for a type"),
        (
            model(r##"<eClassifiers xsi:type="ecore:EClass" name="A" eSuperTypes="#//A #//B"/>"##),
            "Lib::A inherits from 2 classes, a type inherits from one at most",
        ),
        (
            model(r##"<eClassifiers xsi:type="ecore:EClass" name="A" eSuperTypes="other.ecore#//B"/>"##),
            "'other.ecore#//B' is no classifier of the same document",
        ),
        (
            attribute(r#"name="X""#),
            "Lib::A[X]: 'X' is no name for a feature, which begins with a small letter",
        ),
        (
            attribute(&format!(r#"name="x" lowerBound="a" eType="{int}""#)),
            "Lib::A[x] has 'a' as its lowerBound",
        ),
        (
            attribute(
                r#"name="x" eType="ecore:EDataType http://www.eclipse.org/emf/2002/Ecore#//EResource""#,
            ),
            "Lib::A[x] is of the type 'EResource'",
        ),
        (attribute(r##"name="x" eType="#//A""##), "Lib::A[x] is an attribute of a class"),
        (reference(""), "Lib::A[x] has no type, or a generic one"),
        (reference(&format!(r#"eType="{int}""#)), "Lib::A[x] is of the type 'EInt'"),
        (
            class(r#"<eStructuralFeatures xsi:type="ecore:EThing" name="x"/>"#),
            "Lib::A[x] is of the kind 'EThing'",
        ),
        (
            model(
                r#"<eAnnotations source="https://github.com/puppetfn/puppetfn/entity-types"><details key="version" value="99"/></eAnnotations>"#,
            ),
            "its code is of version 99, 1 is known",
        ),
    ] {
        has(&import_error(&text), message);
    }
}

#[test]
fn the_code_in_a_model_is_no_more_than_that() {
    let with = |key: &str, value: &str| {
        class(&format!(
            r#"<eStructuralFeatures xsi:type="ecore:EAttribute" name="x"><eAnnotations
              source="https://github.com/puppetfn/puppetfn/entity-types"><details key="{key}" value="{value}"/></eAnnotations></eStructuralFeatures>"#
        ))
    };
    let runtime = Runtime::new();
    for code in [
        "{ true } } } notice('x') type B { attr y { check => { true }",
        "{ true } } } type B { attr y { check => { true }",
        "notice('x')",
        "{ notice('x') }",
        "{ true",
    ] {
        assert!(runtime.import_model(&with("check", code)).is_err(), "{code}");
    }
    assert!(runtime.import_model(&with("check", "{ true }")).is_ok());
}

const PARTS: &str = "type Part { attr n, Integer attr text, String has sub, Part { max => unbound } has next, Part { containment => false } }
    type Special inherits Part { attr versions, SemVer { max => unbound } attr data, Hash attr pattern, Regexp attr secret, Sensitive[String] }";

fn written(code: &str) -> Result<String, String> {
    let runtime = Runtime::new();
    let made = runtime.evaluate(&format!("{PARTS} {code}"), None).unwrap();
    let Value::Object(object) = &made else { unreachable!() };
    let text = xmi::write(object, &Limits::DEFAULT).map_err(|error| error.to_string())?;
    // The written document reads as the same object.
    assert_eq!(Value::Object(runtime.object_of_xmi("Part", &text).unwrap()), made, "{text}");
    Ok(text)
}

#[test]
fn objects_go_to_xmi_and_back() {
    let text = written(
        "Part.new({n => 1, text => \"a\\n<&>\\\"\", next => '//@sub.1', sub => [
           {'__ptype' => 'Special', versions => [SemVer('1.2.3'), SemVer('2.0.0-rc1')], data => {a => [1, undef]}, pattern => /a.b/},
           {n => 2, next => '/', sub => {n => 3, next => '//@sub.0'}}]})",
    )
    .unwrap();
    has(&text, r#"<types:Part xmlns:types="puppet:/" "#);
    has(&text, r#"n="1" text="a&#10;&lt;&amp;&gt;&quot;" next="//@sub.1">"#);
    has(&text, r#"<sub xsi:type="types:Special""#);
    has(&text, r#"<versions>1.2.3</versions>"#);
    has(&text, r#"data="{&quot;a&quot;:[1,null]}""#);
    has(&text, r#"<sub n="3" next="//@sub.0"/>"#);
}

#[test]
fn what_cannot_be_written_is_an_error() {
    let secret = "Special.new({secret => Sensitive('hush')})";
    assert_eq!(written(secret).unwrap_err(), "Special[secret]: a sensitive value is not written to files");
    has(
        &written("$p = Part.new({n => 5}) Part.new({next => $p})").unwrap_err(),
        "Part[next] refers to Part({'n' => 5}), which is not within the same document",
    );
    has(&written("Part.new({text => \"\\u0001\"})").unwrap_err(), "XML cannot have the character U+0001");
    let runtime = Runtime::new();
    let Value::Object(error) = runtime.evaluate("Error('x')", None).unwrap() else { unreachable!() };
    has(
        &xmi::write(&error, &Limits::DEFAULT).unwrap_err().to_string(),
        "Error is not defined by its features",
    );
}

#[test]
fn xmi_that_is_wrong_is_an_error() {
    let runtime = Runtime::new();
    runtime.evaluate(PARTS, None).unwrap();
    let read = |text: &str| runtime.object_of_xmi("Part", text).unwrap_err().to_string();
    for (text, message) in [
        ("<Part", "The text is not XML"),
        ("<Nothing/>", "The XMI cannot be read: there is no object type 'Nothing' (line: 1, column: 1)"),
        ("<Integer/>", "The XMI cannot be read: there is no object type 'Integer'"),
        (r#"<x:XMI xmlns:x="http://www.omg.org/XMI"/>"#, "a document with several objects"),
        (r#"<Part n="a"/>"#, "Part[n] expects an Integer value, got String: 'a'"),
        (r#"<Part m="1" n="2"><k/></Part>"#, "Part has no feature 'm'"),
        (r#"<Part next="other.xmi#//"/>"#, "which is not within the same document"),
        (
            r#"<Part><sub xmlns:i="http://www.w3.org/2001/XMLSchema-instance" i:type="Gone"/></Part>"#,
            "there is no object type 'Gone'",
        ),
    ] {
        has(&read(text), message);
    }
    has(
        &runtime.object_of_xmi("Integer", "<x/>").unwrap_err().to_string(),
        "'Integer' is no type that is defined by its features",
    );
    has(&runtime.object_of_json("Part", "[1]").unwrap_err().to_string(), "The text is JSON, but no object");
    has(&runtime.object_of_json("Part", "{").unwrap_err().to_string(), "The text is not JSON");
}

/// Runs `puppetfn model`. Returns its exit code, output and errors.
fn command(arguments: &[&str]) -> (i32, String, String) {
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let arguments = ["puppetfn", "model"].iter().chain(arguments).map(Into::into);
    let code = run(arguments, &mut Standalone, &mut out, &mut err);
    (code, String::from_utf8(out).unwrap(), String::from_utf8(err).unwrap())
}

#[test]
fn the_command_exchanges_models() {
    let root = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("entity_models");
    let _ = fs::remove_dir_all(&root);
    let types = root.join("modules/shop/types");
    fs::create_dir_all(types.join("deep")).unwrap();
    fs::write(
        types.join("item.pp"),
        "type Shop::Item { attr price, Integer { min => 1, check => { $it > 0 } } }",
    )
    .unwrap();
    fs::write(types.join("deep/box.pp"), "type Shop::Deep::Box { has items, Shop::Item { max => unbound } }")
        .unwrap();
    fs::write(types.join("price.pp"), "type Shop::Price = Integer[1]").unwrap();
    let path = |name: &str| root.join(name).display().to_string();
    let modules = path("modules");

    let (code, ecore, err) = command(&["export", "--ecore", "--logic", "--modulepath", &modules]);
    assert_eq!((code, err.as_str()), (0, ""));
    fs::write(root.join("shop.ecore"), &ecore).unwrap();
    let (code, one, _) = command(&["export", "--ecore", "Shop::Item", "--modulepath", &modules]);
    assert_eq!(code, 0);
    assert!(one.contains("Item") && !one.contains("Box"), "{one}");

    let (code, out, _) = command(&["import", &path("shop.ecore"), "--output", &path("copy/types")]);
    assert_eq!((code, out.lines().count()), (0, 2));
    let copied = fs::read_to_string(root.join("copy/types/item.pp")).unwrap();
    assert_eq!(copied, "type Shop::Item {\n  attr price, Integer { min => 1, check => { $it > 0 } }\n}\n");
    assert!(root.join("copy/types/deep/box.pp").exists());
    let (code, _, err) = command(&["import", &path("shop.ecore"), "--output", &path("copy/types")]);
    assert_eq!(code, 1);
    has(&err, "cannot write");
    let (_, out, _) = command(&["import", &path("shop.ecore")]);
    has(&out, "type Shop::Deep::Box {\n  has items, Shop::Item { max => unbound }\n}\n\ntype Shop::Item {");

    fs::write(root.join("box.json"), r#"{"items": [{"price": 3}]}"#).unwrap();
    let (code, xmi, _) = command(&["write", "Shop::Deep::Box", &path("box.json"), "--modulepath", &modules]);
    assert_eq!(code, 0);
    fs::write(root.join("box.xmi"), &xmi).unwrap();
    let (_, json, _) = command(&["read", "Shop::Deep::Box", &path("box.xmi"), "--modulepath", &modules]);
    assert_eq!(json, "{\"__ptype\":\"Shop::Deep::Box\",\"items\":[{\"price\":3}]}\n");

    fs::write(root.join("bad.json"), r#"{"items": [{"price": 0}, {}]}"#).unwrap();
    let (code, _, err) = command(&["write", "Shop::Deep::Box", &path("bad.json"), "--modulepath", &modules]);
    assert_eq!(code, 1);
    has(&err, "Illegal value: 0 is not an acceptable value for price");
    for (arguments, message) in [
        (&["export", "--ecore", "Nothing"][..], "there is no type 'Nothing'"),
        (&["export", "--ecore", "Integer"], "Integer is not defined by its features"),
        (&["export", "--ecore"], "there are no object types"),
    ] {
        let (code, _, err) = command(arguments);
        assert_eq!(code, 1);
        has(&err, message);
    }
    assert_eq!(command(&["export"]).0, 2);
    assert_eq!(command(&["import", "/nowhere.ecore"]).0, 2);
    fs::write(types.join("broken.pp"), "type Shop::Broken { attr x, Nothing }").unwrap();
    let (code, out, err) = command(&["export", "--ecore", "--modulepath", &modules]);
    assert_eq!((code, out.as_str()), (1, ""));
    has(&err, "error: Shop::Broken: The type of Shop::Broken[x] is not defined: Nothing (file: ");
}
