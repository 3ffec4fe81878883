//! Definitions, references and hovers of names.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "tests")]

use super::support::{Project, project};

const FILES: [(&str, &str); 4] = [
    (
        "manifests/init.pp",
        "# Does it.\nclass m(Integer $port = 80) {\n  $next = $port + 1\n  m::d { 'a': x => $next }\n}\n",
    ),
    ("manifests/d.pp", "define m::d($x) {\n  notice(m::f($x), $m::port)\n}\n"),
    (
        "functions/f.pp",
        "# Adds one.\n# @param n the number\n# @return more\nfunction m::f(Numeric $n) >> Numeric {\n  $n + 1\n}\n",
    ),
    ("types/port.pp", "type M::Port = Integer[1, 65535]"),
];

/// Puts the cursor before a part of a file.
fn with_cursor(name: &str, before: &str) -> Project {
    let mut files = FILES.map(|(file, text)| (file, text.to_owned()));
    let text = &mut files.iter_mut().find(|(file, _)| *file == name).unwrap().1;
    *text = text.replacen(before, &format!("¦{before}"), 1);
    let files: Vec<_> = files.iter().map(|(file, text)| (*file, text.as_str())).collect();
    project(&files)
}

fn definitions(project: &Project) -> Vec<String> {
    project.shown(&project.ide.definitions(&project.path, project.offset))
}

#[test]
fn names_lead_to_their_definitions() {
    assert_eq!(definitions(&with_cursor("manifests/init.pp", "port + 1")), ["manifests/init.pp:2 port"]);
    assert_eq!(definitions(&with_cursor("manifests/init.pp", "m::d {")), ["manifests/d.pp:1 m::d"]);
    assert_eq!(definitions(&with_cursor("manifests/init.pp", "x =>")), ["manifests/d.pp:1 x"]);
    assert_eq!(definitions(&with_cursor("manifests/d.pp", "m::f")), ["functions/f.pp:4 m::f"]);
    assert_eq!(definitions(&with_cursor("manifests/d.pp", "m::port")), ["manifests/init.pp:2 port"]);
}

#[test]
fn definitions_lead_to_where_they_are_used() {
    let project = with_cursor("manifests/init.pp", "port = 80");
    let all = project.ide.references(&project.path, project.offset, true);
    assert_eq!(
        project.shown(&all),
        ["manifests/d.pp:2 m::port", "manifests/init.pp:2 port", "manifests/init.pp:3 port"]
    );
    let lenses = project.ide.lenses(&project.path);
    assert_eq!(lenses[0].title, "not declared or named in this project");
    let callers = with_cursor("functions/f.pp", "m::f(");
    let item = callers.ide.call_items(&callers.path, callers.offset).remove(0);
    let calls = callers.ide.callers(&item);
    assert_eq!(calls.iter().map(|call| call.item.name.as_str()).collect::<Vec<_>>(), ["m::d"]);
    let callees = callers.ide.callees(&calls[0].item);
    assert_eq!(callees.iter().map(|call| call.item.name.as_str()).collect::<Vec<_>>(), ["m::f"]);
}

#[test]
fn what_is_said_of_names() {
    assert_eq!(with_cursor("manifests/init.pp", "port + 1").hover(), "```puppet\nInteger $port\n```");
    assert_eq!(with_cursor("manifests/init.pp", "next }").hover(), "```puppet\nInteger $next\n```");
    let function = with_cursor("manifests/d.pp", "m::f").hover();
    assert_eq!(
        function,
        "```puppet\nm::f(Numeric n) >> Numeric\n```\n\n---\n\nAdds one.\n\n- `n`: the number\n\nReturns more"
    );
    let define = with_cursor("manifests/init.pp", "m::d {").hover();
    assert!(define.starts_with("```puppet\ndefine m::d($x)"), "{define}");
    assert!(with_cursor("manifests/d.pp", "notice").hover().contains("notice("));
    let t = project(&[("manifests/init.pp", "class m(M::¦Port $p) { }"), FILES[3]]);
    assert!(t.hover().contains("type M::Port = Integer[1, 65535]"), "{}", t.hover());
}

#[test]
fn names_can_be_changed_everywhere() {
    let project = with_cursor("manifests/init.pp", "port = 80");
    let rename = project.ide.rename(&project.path, project.offset, "listen").unwrap();
    let changed: usize = rename.edits.iter().map(|(_, edits)| edits.len()).sum();
    assert_eq!((changed, rename.moves.len()), (3, 0));
    assert!(rename.edits.iter().flat_map(|(_, edits)| edits).any(|edit| edit.text == "m::listen"));

    let project = with_cursor("functions/f.pp", "m::f(");
    let rename = project.ide.rename(&project.path, project.offset, "m::deep::g").unwrap();
    assert_eq!(rename.moves, [("/modules/m/functions/f.pp".into(), "/modules/m/functions/deep/g.pp".into())]);
    let refused = project.ide.rename(&project.path, project.offset, "M f").unwrap_err();
    assert_eq!(refused, "'M f' is not a valid name: expected names in lower case with :: between them");
    let taken = with_cursor("manifests/init.pp", "port = 80");
    assert!(taken.ide.rename(&taken.path, taken.offset, "next").is_err());
    let native = with_cursor("manifests/d.pp", "notice");
    assert_eq!(native.ide.renamed(&native.path, native.offset), None);
}

#[test]
fn symbols_of_the_project_are_found_by_their_letters() {
    let project = with_cursor("manifests/init.pp", "port = 80");
    let names = |query: &str| {
        let found = project.ide.workspace_symbols(query).into_iter();
        found.map(|(one, _)| one.name).collect::<Vec<_>>()
    };
    assert_eq!(names("mf"), ["m::f"]);
    assert_eq!(names("m::"), ["m::d", "m::f", "M::Port"]);
    assert_eq!(project.ide.outline(&project.path)[0].children.len(), 3);
}

#[test]
fn words_have_kinds() {
    let text = "class m { # c\n  $x = \"a ${facts['os']} b\"\n  notify { 'a': message => $x }\n}";
    let project = project(&[("manifests/init.pp", text)]);
    let shown: Vec<_> = project
        .ide
        .tokens(&project.path)
        .into_iter()
        .map(|token| format!("{:?} {}", token.kind, token.span.text(text)))
        .collect();
    assert_eq!(
        shown,
        [
            "Keyword class",
            "Class m",
            "Comment # c",
            "Variable $x",
            "Operator =",
            "String \"a ${",
            "Variable facts",
            "String ['os']} b\"",
            "Type notify",
            "String 'a'",
            "Property message",
            "Variable $x",
        ]
    );
}

#[test]
fn hints_say_what_the_text_does_not() {
    let text = "class m($p) {\n  $x = [1, 2].map |$y| { \"${y}\" }\n  $z = regsubst($p, 'a', 'b')\n}";
    let project = project(&[("manifests/init.pp", text)]);
    let whole = puppetfn::source::Span::new(0, text.len() as u32);
    let shown: Vec<_> = project
        .ide
        .hints(&project.path, whole)
        .into_iter()
        .map(|hint| (text[..hint.offset as usize].lines().count(), hint.label))
        .collect();
    assert_eq!(
        shown,
        [(2, ": Array[String]".to_owned()), (3, "pattern: ".into()), (3, "replacement: ".into())]
    );
}

#[test]
fn files_are_linked() {
    let project = project(&[
        (
            "manifests/init.pp",
            "class m {\n  $x = epp('m/a.epp')\n  file { '/a': source => 'puppet:///modules/m/b' }\n}",
        ),
        ("templates/a.epp", "x"),
        ("files/b", "y"),
    ]);
    let links = project.ide.links(&project.path);
    let paths: Vec<_> = links.iter().map(|(_, path)| path.display().to_string()).collect();
    assert_eq!(paths, ["/modules/m/templates/a.epp", "/modules/m/files/b"]);
}

#[test]
fn sources_of_files_lead_to_them() {
    let source = |text: &str| {
        project(&[
            ("manifests/init.pp", &format!("file {{ '/a': source => '{text}' }}")),
            ("files/sub/a.conf", ""),
        ])
    };
    let named = source("puppet:///modules/m/su¦b/a.conf");
    assert_eq!(definitions(&named), ["files/sub/a.conf"]);
    assert_eq!(source("puppet:///mod¦").completions(), ["puppet:///modules/m/sub/a.conf"]);
    assert_eq!(source("puppet:///modules/m/x¦").completions(), [""; 0]);
}
