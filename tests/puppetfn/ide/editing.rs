//! Features while texts change.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "tests")]

use puppetfn::ide::{ActionKind, SourceEdit};
use puppetfn::source::Span;

use super::support::{file, project};

fn apply(text: &str, edits: &[SourceEdit]) -> String {
    let mut text = text.to_owned();
    let mut edits = edits.to_vec();
    edits.sort_by_key(|edit| std::cmp::Reverse(edit.span.start));
    for SourceEdit { span, text: new } in edits {
        text.replace_range(span.start as usize..span.end as usize, &new);
    }
    text
}

/// Returns the text after the change that is proposed at the cursor with a title that begins so.
fn acted(text: &str, title: &str) -> String {
    let project = project(&[
        ("manifests/init.pp", text),
        ("manifests/d.pp", "define m::d(String $name_of_it, $b, $c = 1) { }"),
    ]);
    let within = Span::new(project.offset, project.offset);
    let actions = project.ide.actions(&project.path, within);
    let titles: Vec<_> = actions.iter().map(|action| action.title.clone()).collect();
    let action = actions.into_iter().find(|action| action.title.starts_with(title));
    let action = action.unwrap_or_else(|| panic!("{title} is not among {titles:?}"));
    apply(project.ide.text(&project.path).unwrap(), &action.edits)
}

#[test]
fn a_module_is_renamed_with_all_its_names() {
    let files = [
        (
            "manifests/init.pp",
            "class m¦($port = $m::b::x) inherits ::m::b {\n  m::d { 'm': y => epp('m/a.epp'), z => template(\"${module_name}/t.erb\") }\n  M::D['m'] -> Class['m::b']\n  file { '/m': source => 'puppet:///modules/m/f' }\n  $m = [m::f(lookup('m::k')), Deferred('m::f'), 'm::text', mm::g()]\n}\n",
        ),
        ("manifests/b.pp", "class m::b { $x = 1 }\n"),
        ("manifests/d.pp", "define m::d($y, $z) { }\n"),
        ("functions/f.pp", "function m::f($x) { $x }\n"),
        ("lib/puppet/functions/m/g.rb", "Puppet::Functions.create_function(:'m::g') { }\n"),
        ("templates/t.erb", "<%= scope['m::b::x'] %> <%= @port %>"),
        ("data/a.yaml", "m::port: 80\nm::k: \"%{lookup('m::k')}\"\nmm::k: 1\n"),
        ("metadata.json", "{\"author\": \"m\", \"name\": \"me-m\"}"),
    ];
    let project = project(&files);
    let rename = project.ide.rename(&project.path, project.offset, "web").unwrap();
    let texts = rename.edits.iter().map(|(path, edits)| {
        let name = path.strip_prefix("/modules/m").unwrap().to_str().unwrap();
        let (_, text) = files.iter().find(|(file, _)| *file == name).unwrap();
        apply(&text.replace('¦', ""), edits)
    });
    assert_eq!(
        texts.collect::<Vec<_>>(),
        [
            "web::port: 80\nweb::k: \"%{lookup('web::k')}\"\nmm::k: 1\n",
            "function web::f($x) { $x }\n",
            "Puppet::Functions.create_function(:'web::g') { }\n",
            "class web::b { $x = 1 }\n",
            "define web::d($y, $z) { }\n",
            "class web($port = $web::b::x) inherits ::web::b {\n  web::d { 'm': y => epp('web/a.epp'), z => template(\"${module_name}/t.erb\") }\n  Web::D['m'] -> Class['web::b']\n  file { '/m': source => 'puppet:///modules/web/f' }\n  $m = [web::f(lookup('web::k')), Deferred('web::f'), 'm::text', mm::g()]\n}\n",
            "{\"author\": \"m\", \"name\": \"me-web\"}",
            "<%= scope['web::b::x'] %> <%= @port %>",
        ]
    );
    let moves = rename.moves.iter().map(|(old, new)| format!("{} {}", old.display(), new.display()));
    assert_eq!(
        moves.collect::<Vec<_>>(),
        ["/modules/m/lib/puppet/functions/m /modules/m/lib/puppet/functions/web", "/modules/m /modules/web"]
    );
    assert!(
        project.ide.rename(&project.path, project.offset, "m::web").is_ok_and(|one| one.moves.is_empty())
    );
}

#[test]
fn changes_are_proposed() {
    assert_eq!(
        acted("class m {\n  m::d { 'a¦':\n    c => 2\n  }\n}", "Add the required"),
        "class m {\n  m::d { 'a':\n    c => 2,\n    name_of_it => undef,\n    b          => undef,\n  }\n}"
    );
    assert_eq!(
        acted("m::d { ¦'a': }", "Add"),
        "m::d { 'a':\n  name_of_it => undef,\n  b          => undef, }"
    );
    assert_eq!(acted("$x = $osfam¦ily", "Replace"), "$x = $facts['os']['family']");
    assert_eq!(acted("$x = \"a $osfam¦ily b\"", "Replace"), "$x = \"a ${facts['os']['family']} b\"");
    assert_eq!(acted("$x = \"a ${osfam¦ily} b\"", "Replace"), "$x = \"a ${facts['os']['family']} b\"");
    assert_eq!(acted("class m¦($x) { }", "Document"), "# @summary\n#\n# @param x\nclass m($x) { }");
}

#[test]
fn what_the_checker_proposes_is_a_fix() {
    let project = project(&[("manifests/init.pp", "class m {\n  fil¦ee { '/a': }\n}")]);
    let actions = project.ide.actions(&project.path, Span::new(project.offset, project.offset));
    let fixes: Vec<_> = actions.iter().filter(|action| action.kind == ActionKind::Fix).collect();
    let findings = project.ide.check(&project.path);
    assert_eq!(fixes.len(), findings.iter().filter(|finding| finding.fix.is_some()).count());
}

#[test]
fn findings_are_those_of_a_fresh_check() {
    let mut project = project(&[
        ("manifests/init.pp", "class m($x) { m::d { 'a': y => 1 } }"),
        ("manifests/d.pp", "define m::d($z) { }"),
    ]);
    let before: Vec<_> =
        project.ide.check(&project.path).into_iter().map(|finding| finding.rule.name()).collect();
    assert_eq!(before, ["missing-parameter", "unknown-parameter"]);
    let define = "/modules/m/manifests/d.pp";
    project.ide.set(file(define, "define m::d($y) { }"));
    assert_eq!(project.ide.check(&project.path), []);
    project.ide.remove(define.as_ref());
    project.ide.set(file(define, "define m::d(String $y) { }"));
    let after: Vec<_> =
        project.ide.check(&project.path).into_iter().map(|finding| finding.rule.name()).collect();
    assert_eq!(after, ["parameter-type"]);
}

#[test]
fn code_that_is_being_written_is_understood() {
    let project = project(&[("manifests/init.pp", "class m($port) {\n  $x = \n  notice($po¦rt)\n")]);
    let found = project.ide.definitions(&project.path, project.offset);
    assert_eq!(project.shown(&found), ["manifests/init.pp:1 port"]);
    assert_eq!(project.ide.outline(&project.path)[0].name, "m");
}

/// Every query at every position of every text has an answer.
#[test]
fn no_place_is_too_strange() {
    let texts = [
        "",
        "é",
        "}}}{{{",
        "$",
        "${",
        "\"${",
        "'",
        "@(A)\n",
        "class",
        "class m(",
        "file { '/a': ensure => ",
        "$facts['",
        "a.b.c.",
        "[[[[",
        "epp('",
        "node 'a' { include }",
        "# é\n/* x",
        "type X = ",
        "$é = \"é${é}é\"",
        "File[",
        "Class['",
        "@@a { 'b': } <| |>",
    ];
    for text in texts {
        let project = project(&[("manifests/init.pp", text)]);
        let whole = Span::new(0, text.len() as u32);
        for offset in
            (0..=text.len() as u32 + 1).filter(|at| text.is_char_boundary((*at as usize).min(text.len())))
        {
            let (ide, path) = (&project.ide, &project.path);
            _ = (ide.hover(path, offset), ide.completions(path, offset), ide.signature_help(path, offset));
            _ = (
                ide.definitions(path, offset),
                ide.type_definitions(path, offset),
                ide.references(path, offset, true),
            );
            _ = (ide.highlights(path, offset), ide.rename(path, offset, "x"), ide.selections(path, offset));
            _ = (ide.call_items(path, offset), ide.actions(path, Span::new(offset, offset)));
        }
        let (ide, path) = (&project.ide, &project.path);
        _ = (
            ide.tokens(path),
            ide.hints(path, whole),
            ide.links(path),
            ide.lenses(path),
            ide.foldings(path),
            ide.outline(path),
        );
    }
}
