//! Variables in templates in ERB.
#![allow(clippy::unwrap_used, reason = "tests")]

use super::support::{Project, project};

const TEMPLATE: &str = "<%# @port -%>\nlisten <%= @port %>;\n<% if @hosts.any? -%>x@port<%= scope['m::web::port'] %>\n<%= scope.lookupvar('::m::web::hosts').join %>\n";

fn web(class: &str, template: &str) -> Project {
    project(&[
        ("manifests/web.pp", class),
        ("templates/web.erb", template),
        ("templates/other.erb", TEMPLATE),
    ])
}

const CLASS: &str = "# @param port where to listen\nclass m::web(Integer $port) {\n  $hosts = []\n  file { '/web': content => template(\"${module_name}/web.erb\") }\n}\n";

#[test]
fn a_variable_of_a_template_is_that_of_the_class_that_uses_it() {
    let template = web(CLASS, &TEMPLATE.replace("<%= @port", "<%= @po¦rt"));
    let shown = template.shown(&template.ide.definitions(&template.path, template.offset));
    assert_eq!(shown, ["manifests/web.pp:2 port"]);
    assert!(template.hover().contains("Integer $port"), "{}", template.hover());
    assert!(template.hover().contains("where to listen"), "{}", template.hover());

    let template = web(CLASS, &TEMPLATE.replace("::hosts", "::ho¦sts"));
    let shown = template.shown(&template.ide.references(&template.path, template.offset, true));
    let all = [
        "manifests/web.pp:3 hosts",
        "templates/other.erb:4 hosts",
        "templates/web.erb:3 hosts",
        "templates/web.erb:4 hosts",
    ];
    assert_eq!(shown, all);
}

#[test]
fn what_is_renamed_is_renamed_in_templates() {
    for cursor in [true, false] {
        let in_class = if cursor { CLASS.replace("$port)", "$po¦rt)") } else { CLASS.to_owned() };
        let in_template =
            if cursor { TEMPLATE.to_owned() } else { TEMPLATE.replacen("= @port", "= @¦port", 1) };
        let web = web(&in_class, &in_template);
        let rename = web.ide.rename(&web.path, web.offset, "listen").unwrap();
        let changed: Vec<_> = rename
            .edits
            .iter()
            .map(|(path, edits)| (path.file_name().unwrap().to_str().unwrap(), edits.len()))
            .collect();
        assert_eq!(changed, [("web.pp", 1), ("other.erb", 1), ("web.erb", 2)]);
        assert!(rename.edits.iter().flat_map(|(_, edits)| edits).all(|edit| edit.text == "listen"));
    }
}

#[test]
fn a_variable_that_nobody_sets_leads_nowhere() {
    let template = web("class m::web { }", "<%= @po¦rt %> <% @open");
    assert_eq!(template.ide.definitions(&template.path, template.offset), []);
    assert!(template.ide.rename(&template.path, template.offset, "x").is_err());
}

#[test]
fn a_template_completes_the_variables_of_its_class() {
    let completions = |template: &str| web(CLASS, template).completions();
    assert_eq!(completions("<%= @po¦ %>"), ["port"]);
    assert_eq!(completions("<% if @ho¦"), ["hosts"]);
    assert_eq!(completions("<%= scope['ho¦'] %>"), ["hosts"]);
    assert_eq!(completions("<%= scope.lookupvar(\"m::web::p¦ %>"), ["m::web::port"]);
    assert_eq!(completions("a@po¦ <%= @port %>"), [""; 0]);
    let template = web(CLASS, "<%= @po¦ %>");
    let found = template.ide.completions(&template.path, template.offset);
    assert_eq!(found[0].detail.as_deref(), Some("Integer"));
    assert_eq!(found[0].documentation.as_deref(), Some("where to listen"));
    let derived = format!("{CLASS}class m::sub inherits m::web {{ notice(template('m/other.erb')) }}\n");
    let project = project(&[("manifests/web.pp", &derived), ("templates/other.erb", "<%= @ho¦")]);
    assert_eq!(project.completions(), ["hosts"]);
}

#[test]
fn a_template_says_the_type_of_an_assigned_variable() {
    let template = web(CLASS, "<%= @ho¦sts %>");
    assert!(template.hover().contains("Array[0, 0] $hosts"), "{}", template.hover());
}
