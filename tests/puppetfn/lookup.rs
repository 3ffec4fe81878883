//! Data by keys, in files that are in memory.
#![allow(clippy::unwrap_used, clippy::panic, missing_docs)]

use std::sync::Arc;

use crate::support::files::files;
use puppetfn::eval::{Logs, Runtime};
use puppetfn::function::LookupQuery;
use puppetfn::limits::Limits;
use puppetfn::loader::Loader;
use puppetfn::lookup::Hiera;
use puppetfn::value::Value;

/// Returns a runtime for an environment in `/env` with modules in `/modules`, and its log.
fn runtime(given: &[(&str, &str)]) -> (Runtime, Logs) {
    let loader =
        Arc::new(Loader::new(files(given), vec!["/modules".into()], Some("/env".into()), Limits::DEFAULT));
    let hiera = Hiera::new(Arc::clone(&loader) as Arc<_>)
        .environment("env", Some("/env".into()))
        .global(Some("/global/hiera.yaml".into()));
    let logs = Logs::default();
    let runtime = Runtime::builder()
        .manifests()
        .data(Arc::new(hiera))
        .functions(Arc::clone(&loader))
        .modules(Arc::clone(&loader))
        .files(loader)
        .host(logs.clone())
        .build();
    (runtime, logs)
}

fn shown(runtime: &Runtime, code: &str) -> String {
    match runtime.evaluate(code, None) {
        Ok(value) => value.inspected(),
        Err(error) => error.to_string(),
    }
}

#[test]
fn layers_come_one_after_the_other() {
    let (runtime, _) = runtime(&[
        ("/global/hiera.yaml", "version: 5\nhierarchy: [{name: a, path: a.yaml}]"),
        ("/global/data/a.yaml", "m::list: [global]\nonly: 1"),
        ("/env/hiera.yaml", "version: 5"),
        ("/env/data/common.yaml", "m::list: [env]\nlookup_options: {m::list: {merge: unique}}"),
        ("/modules/m/hiera.yaml", "version: 5"),
        ("/modules/m/data/common.yaml", "m::list: [module, env]"),
    ]);
    assert_eq!(shown(&runtime, "lookup('m::list')"), r#"["global", "env", "module"]"#);
    assert_eq!(shown(&runtime, "lookup('m::list', undef, 'first', 1)"), r#"["global"]"#);
    assert_eq!(shown(&runtime, "lookup('only', String)").lines().count(), 1);
    assert_eq!(shown(&runtime, "lookup('none', { default_value => [lookup('only')] })"), "[1]");
}

#[test]
fn hierarchies_follow_the_variables_that_they_interpolate() {
    let (runtime, _) = runtime(&[
        ("/env/hiera.yaml", "version: 5\nhierarchy: [{name: a, path: '%{role}.yaml'}]"),
        ("/env/data/web.yaml", "x: 1"),
        ("/env/data/db.yaml", "x: 2"),
    ]);
    runtime.set_variable("role", "web".into());
    assert_eq!(shown(&runtime, "lookup('x')"), "1");
    runtime.set_variable("role", "db".into());
    assert_eq!(shown(&runtime, "lookup('x')"), "2");
}

#[test]
fn classes_that_data_names_are_included() {
    let (runtime, logs) = runtime(&[
        ("/env/hiera.yaml", "version: 5"),
        ("/env/data/common.yaml", "classes: [app]\napp::port: 80"),
        ("/modules/app/manifests/init.pp", "class app(Integer $port) { notice(\"port ${port}\") }"),
    ]);
    assert_eq!(shown(&runtime, "hiera_include('classes')"), "[Class[app]]");
    assert_eq!(shown(&runtime, "hiera_include('none', [])"), "nil");
    let messages: Vec<String> = logs.take().into_iter().map(|(_, message)| message).collect();
    assert!(messages.contains(&"port 80".to_owned()), "{messages:?}");
}

#[test]
fn what_needs_a_library_says_so() {
    let (runtime, _) = runtime(&[
        (
            "/env/hiera.yaml",
            "version: 5\nhierarchy:\n  - {name: e, path: e.yaml, lookup_key: eyaml_lookup_key}\n  \
             - {name: j, path: j.json, data_hash: json_data}",
        ),
        ("/env/data/e.yaml", "plain: [\"%{lookup('text')}\"]\nsecret: ENC[PKCS7,abc]"),
        ("/env/data/j.json", "{\"text\": \"json\"}"),
        ("/modules/m/hiera.yaml", "version: 5\nhierarchy: [{name: h, path: h.conf, data_hash: hocon_data}]"),
        ("/modules/m/data/h.conf", "a = 1"),
    ]);
    assert_eq!(shown(&runtime, "lookup('plain')"), r#"["json"]"#);
    assert!(shown(&runtime, "lookup('secret')").contains("hiera_eyaml library is present"));
    assert!(shown(&runtime, "lookup('m::none')").contains("not supported without hocon library"));
}

#[test]
fn data_that_repeats_itself_without_end_is_refused() {
    let doubled: String =
        (1..40).map(|level| format!("k{level}: &k{level} [*k{0}, *k{0}]\n", level - 1)).collect();
    let (runtime, _) = runtime(&[
        ("/env/hiera.yaml", "version: 5"),
        ("/env/data/common.yaml", &format!("k0: &k0 ['%{{x}}']\n{doubled}")),
    ]);
    assert!(
        shown(&runtime, "lookup('k39')").contains("limit 'elements'"),
        "{}",
        shown(&runtime, "lookup('k39')")
    );
}

#[test]
fn an_explanation_ends_with_what_went_wrong() {
    let (runtime, _) =
        runtime(&[("/env/hiera.yaml", "version: 5"), ("/env/data/common.yaml", "a: \"%{lookup('a')}\"")]);
    let name = Value::from("a");
    let text = runtime.explain_lookup(&LookupQuery::new(&name), false).unwrap().text;
    assert!(text.ends_with("Recursive lookup detected in [a]\n"), "{text}");
}

#[test]
fn version_3_is_read_in_the_global_layer_alone() {
    let (runtime, logs) = runtime(&[
        (
            "/global/hiera.yaml",
            ":backends: [yaml, json]\n:yaml:\n  :datadir: /data\n:json:\n  :datadir: /data\n:hierarchy: ['%{role}', \
             common.yaml]\n:merge_behavior: deeper",
        ),
        ("/data/web.yaml", "a: web\nlist: {x: {y: 1}}\nnone: :undef"),
        ("/data/common.yaml", "a: all\nlist: {x: {z: 2}}\nalso: \"%{hiera('c')} %{lookup('none')}\""),
        ("/data/common.yaml.json", r#"{"c": "json"}"#),
    ]);
    runtime.evaluate("$role = 'web'", None).unwrap();
    assert_eq!(shown(&runtime, "[lookup('a'), lookup('also')]"), r#"["web", "json "]"#);
    assert_eq!(shown(&runtime, "lookup('list')"), r#"{"x"=>{"y"=>1}}"#);
    assert_eq!(shown(&runtime, "hiera_hash('list')"), r#"{"x"=>{"z"=>2, "y"=>1}}"#);
    let warnings = logs.take();
    assert!(format!("{warnings:?}").contains("Use of 'hiera.yaml' version 3 is deprecated"), "{warnings:?}");
}
