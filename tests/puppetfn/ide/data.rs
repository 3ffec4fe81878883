//! Keys of Hiera's data and the parameters that they are for.
#![allow(clippy::unwrap_used, reason = "tests")]

use super::support::{Project, project};

const CLASS: &str = "# @param port where to listen\nclass m::web(\n  Integer $port,\n  Enum['a', 'on'] $mode,\n) {\n  notice($port)\n  notice(lookup('m::extra'))\n}\n";

fn with_data(text: &str) -> Project {
    let other = "m::web::port: 1\nm::extra: 2\nm::text: \"%{lookup('m::extra')}\"\n";
    project(&[("data/a.yaml", text), ("data/b.yaml", other), ("manifests/web.pp", CLASS)])
}

fn in_class(before: &str) -> Project {
    let at = CLASS.find(before).unwrap();
    let class = format!("{}¦{}", &CLASS[..at], &CLASS[at..]);
    project(&[("manifests/web.pp", &class), ("data/a.yaml", "x: 1\n'm::web::port': 80\nm::extra: 2\n")])
}

#[test]
fn a_key_leads_to_its_parameter_and_its_class() {
    let data = with_data("m::web::po¦rt: 80\n");
    let found = data.ide.definitions(&data.path, data.offset);
    assert_eq!(data.shown(&found), ["manifests/web.pp:3 port"]);
    assert!(data.hover().contains("Integer port"), "{}", data.hover());
    assert!(data.hover().contains("where to listen"), "{}", data.hover());

    let data = with_data("m::we¦b::port: 80\n");
    assert_eq!(data.shown(&data.ide.definitions(&data.path, data.offset)), ["manifests/web.pp:2 m::web"]);
}

#[test]
fn a_key_that_is_looked_up_leads_to_where_that_is() {
    let data = with_data("m::ex¦tra: 80\n");
    let shown = data.shown(&data.ide.references(&data.path, data.offset, true));
    let all = [
        "data/a.yaml:1 m::extra",
        "data/b.yaml:2 m::extra",
        "data/b.yaml:3 m::extra",
        "manifests/web.pp:7 m::extra",
    ];
    assert_eq!(shown, all);

    let class = in_class("extra");
    assert_eq!(class.shown(&class.ide.definitions(&class.path, class.offset)), ["data/a.yaml:3 m::extra"]);
}

#[test]
fn a_parameter_knows_its_data() {
    let class = in_class("port,");
    let shown = class.shown(&class.ide.references(&class.path, class.offset, false));
    assert_eq!(shown, ["data/a.yaml:2 port", "manifests/web.pp:6 port"]);
    assert!(class.hover().ends_with("Data: `data/a.yaml`, line 2"), "{}", class.hover());
    let lenses = class.ide.lenses(&class.path);
    assert_eq!(lenses[0].title, "not declared or named in this project");
}

#[test]
fn what_is_renamed_is_renamed_in_data() {
    let texts = |project: &Project, name: &str| {
        let rename = project.ide.rename(&project.path, project.offset, name).unwrap();
        let texts = rename.edits.into_iter().map(|(path, edits)| {
            let mut text = project.ide.text(&path).unwrap().to_string();
            edits.iter().rev().for_each(|edit| {
                text.replace_range(edit.span.start as usize..edit.span.end as usize, &edit.text);
            });
            text
        });
        texts.collect::<Vec<_>>()
    };
    let class = in_class("port,");
    assert_eq!(texts(&class, "listen")[0], "x: 1\n'm::web::listen': 80\nm::extra: 2\n");
    let class = in_class("web(");
    assert_eq!(texts(&class, "m::site")[0], "x: 1\n'm::site::port': 80\nm::extra: 2\n");
    let data = with_data("m::web::po¦rt: 80\n");
    assert_eq!(
        texts(&data, "listen")[1],
        "m::web::listen: 1\nm::extra: 2\nm::text: \"%{lookup('m::extra')}\"\n"
    );
}

#[test]
fn keys_and_values_are_completed() {
    let written = |text: &str| {
        let data = with_data(text);
        let found = data.ide.completions(&data.path, data.offset);
        found.into_iter().map(|one| one.insert).collect::<Vec<_>>()
    };
    assert_eq!(written("m::w¦"), ["m::web::port: ", "m::web::mode: "]);
    assert_eq!(written("m::web::port: 1\nm::web::¦"), ["m::web::mode: "]);
    assert_eq!(written("m::web::p¦: 1\n"), ["m::web::port"]);
    assert_eq!(written("\"m::web::p¦\": 1\n"), ["m::web::port"]);
    assert_eq!(written("lookup_options:\n  m::web::p¦\n"), ["m::web::port: "]);
    assert_eq!(written("other:\n  m::web::p¦\n"), [""; 0]);
    assert_eq!(written("m::web::mode: ¦\n"), ["a", "'on'"]);
    assert_eq!(written("m::web::mode: 'o¦'\n"), ["on"]);
    assert_eq!(written("m::web::mode: [a¦\n"), [""; 0]);

    let class = project(&[("manifests/a.pp", "notice(lookup('m::e¦'))"), ("data/a.yaml", "m::extra: 1\n")]);
    assert_eq!(class.completions(), ["m::extra"]);
}

#[test]
fn a_key_says_its_values_and_lookups() {
    let said = "```puppet\nlookup('m::extra')\n```\n\n---\n\nData:\n\n- `a.yaml`, line 1: `80`\n- `b.yaml`, line 2: `2`\n\nLookups:\n\n\
                - `b.yaml`, line 3\n- `manifests/web.pp`, line 7";
    let data = with_data("m::ex¦tra: 80\n");
    assert_eq!(data.hover(), said);
    let class = in_class("extra");
    assert!(class.hover().contains("- `data/a.yaml`, line 3: `2`"), "{}", class.hover());
    let secret = with_data("m::ex¦tra: ENC[PKCS7,x]\n");
    assert!(!secret.hover().contains("ENC"), "{}", secret.hover());
}
