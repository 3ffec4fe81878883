//! Catalogs: declared resources, and errors of declarations.
#![allow(clippy::unwrap_used, clippy::panic, missing_docs)]

use std::sync::Arc;

use crate::support::files::files;
use puppetfn::catalog::{Draft, Reference};
use puppetfn::error::Error;
use puppetfn::eval::Runtime;
use puppetfn::limits::Limits;
use puppetfn::loader::Loader;

fn runtime() -> Runtime {
    Runtime::builder().manifests().node("web.example.com").build()
}

fn compile(code: &str) -> Result<Draft, Error> {
    let runtime = runtime();
    runtime.evaluate(code, Some("/site.pp"))?;
    runtime.catalog()
}

fn error(code: &str) -> String {
    compile(code).unwrap_err().to_string()
}

/// Returns the declared resources in short, without the initial ones.
fn declared(catalog: &Draft) -> Vec<String> {
    let own = catalog.resources().skip(3).filter(|resource| !resource.is_virtual());
    own.map(|resource| {
        let parameters: Vec<String> = resource
            .parameters()
            .iter()
            .skip(1)
            .map(|(name, value)| format!("{name}={}", value.ruby_to_s(&Limits::DEFAULT).unwrap()))
            .collect();
        format!("{} {}", resource.reference(), parameters.join(" ")).trim_end().to_owned()
    })
    .collect()
}

fn edges(catalog: &Draft) -> Vec<String> {
    let shown = |(from, to): (&puppetfn::catalog::Resource, &puppetfn::catalog::Resource)| {
        format!("{} -> {}", from.reference(), to.reference())
    };
    catalog.edges().map(shown).collect()
}

#[test]
fn what_is_declared_is_contained_in_what_declares_it() {
    let catalog = compile(
        "class app { file { '/a': } contain part } class part { notify { 'n': } } \
         define site() { file { \"/s/${title}\": } } include app site { 'x': }",
    )
    .unwrap();
    assert_eq!(
        edges(&catalog)[2..],
        [
            "Stage[main] -> Class[App]",
            "Class[App] -> File[/a]",
            "Stage[main] -> Class[Part]",
            "Class[App] -> Class[Part]",
            "Class[Part] -> Notify[n]",
            "Class[main] -> Site[x]",
            "Site[x] -> File[/s/x]",
        ]
    );
    assert_eq!(catalog.classes().collect::<Vec<_>>(), ["settings", "app", "part"]);
}

#[test]
fn tags_come_from_the_names_of_classes_and_from_what_contains_a_resource() {
    let catalog = compile("class a::b { tag('own') file { '/x': tag => 'given' } } include a::b").unwrap();
    let file = catalog.resource(&Reference::new("file", "/x")).unwrap();
    let tags: Vec<&str> = file.tags().iter().map(|tag| &**tag).collect();
    assert_eq!(tags, ["given", "file", "class", "a::b", "a", "b", "own"]);
    assert!(catalog.tags().contains("a::b"));

    let catalog = compile("file { '/x': tag => { 'key' => ['one', 'two'] } }").unwrap();
    let file = catalog.resource(&Reference::new("file", "/x")).unwrap();
    let tags: Vec<&str> = file.tags().iter().map(|tag| &**tag).collect();
    assert_eq!(tags, ["key", "one", "two", "file", "class"]);
}

#[test]
fn classes_see_the_variables_of_those_they_build_on_and_of_the_node() {
    let catalog = compile(
        "node 'web.example.com' { $role = 'web' include derived } \
         class base { $port = 80 } class derived inherits base { notify { \"${role} ${port} ${derived::port}\": } }",
    )
    .unwrap();
    assert!(catalog.resource(&Reference::new("notify", "web 80 80")).is_some());
}

#[test]
fn the_variables_of_a_class_are_known_by_its_name_only() {
    assert_eq!(
        error("class a { $x = 1 } include a notice($x)"),
        "Evaluation Error: Unknown variable: 'x'. (file: /site.pp, line: 1, column: 37)"
    );
    assert_eq!(
        error("class a { $x = 1 $x = 2 } include a"),
        "Evaluation Error: Cannot reassign variable '$x' (file: /site.pp, line: 1, column: 21)"
    );
}

#[test]
fn nodes_are_found_by_name_then_by_regular_expression() {
    let code = "node /^(\\w+)\\.example/ { notify { $1: } } node default { notify { 'default': } }";
    assert_eq!(declared(&compile(code).unwrap()), ["Node[__node_regexp__w.example]", "Notify[web]"]);
    let exact = format!("{code} node 'WEB.example.com' {{ notify {{ 'exact': }} }}");
    assert_eq!(declared(&compile(&exact).unwrap()), ["Node[web.example.com]", "Notify[exact]"]);
    assert_eq!(
        error("node 'other' { }"),
        "Could not find node statement with name 'default' or 'web.example.com'"
    );
}

#[test]
fn functions_declare_in_the_top_scope_and_blocks_where_they_are_written() {
    let catalog = compile(
        "function f() { notify { 'f': } } class a { f() [1].each |$i| { notify { \"block ${i}\": } } } include a",
    )
    .unwrap();
    let edges = edges(&catalog);
    assert!(edges.contains(&"Class[main] -> Notify[f]".to_owned()), "{edges:?}");
    assert!(edges.contains(&"Class[A] -> Notify[block 1]".to_owned()), "{edges:?}");
}

#[test]
fn classes_and_defined_types_are_found_in_modules() {
    let content = [
        ("/modules/app/manifests/init.pp", "class app(Integer $port = 80) { include app::sub::part }"),
        (
            "/modules/app/manifests/sub/part.pp",
            "class app::sub::part { app::site { 'x': } notify { $module_name: } }",
        ),
        (
            "/modules/app/manifests/site.pp",
            "define app::site() { foreign { \"${caller_module_name} ${name}\": any => 1 } }",
        ),
        ("/modules/app/lib/puppet/type/foreign.rb", ""),
    ];
    let loader = Loader::new(files(&content), vec!["/modules".into()], None, Limits::DEFAULT);
    let loader = Arc::new(loader);
    let runtime = Runtime::builder().functions(Arc::clone(&loader)).modules(loader).manifests().build();
    runtime.evaluate("include app", None).unwrap();
    assert_eq!(
        declared(&runtime.catalog().unwrap()),
        [
            "Class[App] port=80",
            "Class[App::Sub::Part]",
            "App::Site[x]",
            "Notify[app]",
            "Foreign[app x] any=1"
        ]
    );
}

#[test]
fn metaparameters_are_variables_and_reach_what_is_contained() {
    let catalog =
        compile("define d() { notify { \"loglevel ${loglevel}\": } } d { 'x': loglevel => 'debug' }");
    assert_eq!(declared(&catalog.unwrap()), ["D[x] loglevel=debug", "Notify[loglevel debug] loglevel=debug"]);
}

#[test]
fn subclasses_and_collectors_may_override() {
    let catalog = compile(
        "class base { notify { 'n': message => 'base', tag => 'a' } } \
         class derived inherits base { Notify['n'] { message => 'derived', tag +> 'b' } } include derived",
    );
    assert_eq!(
        declared(&catalog.unwrap())[1..],
        ["Class[Derived]", "Notify[n] message=derived tag=[\"a\", \"b\"]"]
    );
    assert_eq!(
        error("notify { 'n': message => 'a' } Notify['n'] { message => 'b' }"),
        "Parameter 'message' is already set on Notify[n] at (file: /site.pp, line: 1); cannot redefine \
         (file: /site.pp, line: 1)"
    );
    assert_eq!(
        error("Notify['x'] { message => 'b' }"),
        "Could not find resource(s) Notify[x] for overriding"
    );
}

#[test]
fn collectors_in_chains_stand_for_what_they_collect() {
    let catalog = compile(
        "@user { 'u': } notify { ['a', 'b']: } User<| |> -> Notify['a'] -> Package<| |> -> Notify['b']",
    );
    assert_eq!(
        declared(&catalog.unwrap()),
        [r#"User[u] before=["Notify[a]"]"#, r#"Notify[a] before=["Notify[b]"]"#, "Notify[b]"]
    );
}

#[test]
fn what_is_not_there_is_told() {
    for (code, expected) in [
        (
            "notify { 'a': require => Notify['b'] }",
            "Could not find resource 'Notify[b]' in parameter 'require' (file: /site.pp, line: 1)",
        ),
        ("class { 'nope': }", "Could not find declared class nope (file"),
        ("notify { 'a': tag => 'x y' }", "Invalid tag 'x y' (file: /site.pp, line: 1)"),
        ("realize(Notify['a'])", "Failed to realize virtual resources Notify[a]"),
        (
            "notify { 'a': bogus => 1 }",
            "no parameter named 'bogus' (file: /site.pp, line: 1) on Notify[a] (file: /site.pp, line: 1)",
        ),
        (
            "notify { 'a': } -> Notify['b']",
            "Could not find resource 'Notify[b]' for relationship from 'Notify[a]'",
        ),
        (
            "define d() { d { \"x${title}\": } } d { 'a': }",
            "Somehow looped more than 1000 times while evaluating host catalog",
        ),
        ("class a inherits b { } class b inherits a { } include a", "nested too deep"),
    ] {
        let error = error(code);
        assert!(error.contains(expected), "{code}\n{error}");
    }
}

#[test]
fn files_cannot_be_declared_twice_by_their_paths() {
    assert_eq!(
        error("file { '/a': } file { 'b': path => '/a' }"),
        "Evaluation Error: Error while evaluating a Resource Statement, Cannot alias File[b] to [\"/a\"] at \
         (file: /site.pp, line: 1); resource [\"File\", \"/a\"] already declared (file: /site.pp, line: 1) \
         (file: /site.pp, line: 1, column: 16)"
    );
}

#[test]
fn scripts_declare_nothing() {
    let error = Runtime::new().evaluate("include('a')", Some("/a.pp")).unwrap_err();
    assert_eq!(
        error.to_string(),
        "The catalog operation 'include' is only available when compiling a catalog (file: /a.pp, line: 1)"
    );
    assert!(Runtime::new().catalog().is_err());
}

#[test]
fn a_catalog_grows_as_more_is_evaluated() {
    let runtime = runtime();
    runtime.evaluate("define d() { notify { $title: } } d { 'a': }", None).unwrap();
    assert_eq!(declared(&runtime.catalog().unwrap()), ["D[a]", "Notify[a]"]);
    runtime.evaluate("d { 'b': } Notify['a'] -> Notify['b']", None).unwrap();
    assert_eq!(
        declared(&runtime.catalog().unwrap()),
        ["D[a]", r#"Notify[a] before=["Notify[b]"]"#, "D[b]", "Notify[b]"]
    );
}
