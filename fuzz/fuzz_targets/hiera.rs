//! No data and no description of it bring a lookup down or keep it busy.
#![no_main]

#[path = "../../tests/puppetfn/support/files.rs"]
#[allow(dead_code, reason = "the tests use more of it")]
mod files;

use std::sync::Arc;

use libfuzzer_sys::fuzz_target;
use puppetfn::check::{DataLayer, World};
use puppetfn::convert::yaml;
use puppetfn::error::ErrorKind;
use puppetfn::eval::Runtime;
use puppetfn::function::LookupQuery;
use puppetfn::limits::Limits;
use puppetfn::loader::Loader;
use puppetfn::lookup::Hiera;
use puppetfn::value::Value;

/// The files that the parts of an input are.
const FILES: [&str; 7] = [
    "/env/hiera.yaml",
    "/env/data/common.yaml",
    "/env/data/other.yaml",
    "/env/data/other.json",
    "/modules/app/hiera.yaml",
    "/modules/app/data/common.yaml",
    "/global/hiera.yaml",
];

fuzz_target!(|text: &str| {
    let parts: Vec<(&str, &str)> = FILES.into_iter().zip(text.split('\0')).collect();
    let limits = Limits {
        fuel: Some(1_000),
        text: 100_000,
        elements: 10_000,
        size: 10_000,
        work: 100_000,
        ..Limits::DEFAULT
    };
    let loader = Loader::new(files::files(&parts), vec!["/modules".into()], Some("/env".into()), limits);
    let loader = Arc::new(loader);
    let hiera = Hiera::new(Arc::clone(&loader) as Arc<_>)
        .environment("env", Some("/env".into()))
        .global(Some("/global/hiera.yaml".into()));
    let runtime =
        Runtime::builder().data(Arc::new(hiera)).files(Arc::clone(&loader) as Arc<_>).limits(limits).build();
    for (name, value) in [("role", "common"), ("environment", "env"), ("module_name", "app")] {
        runtime.set_variable(name, value.into());
    }

    let read = |text: &&str| yaml::parse(text, &limits).ok()?.ok();
    let keys = parts.iter().filter_map(|(_, text)| match read(text)? {
        Value::Hash(data) => {
            Some(data.iter().map(|(key, _)| key.interpolated(&limits)).take(5).collect::<Vec<_>>())
        }
        _ => None,
    });
    let keys: Vec<_> = keys.flatten().flatten().collect();
    for key in keys.iter().map(|key| &**key).chain(["app::port", "lookup_options", "a.b.0"]).take(12) {
        let key = Value::from(key);
        for merge in [None, Some(Value::from("deep"))] {
            let arguments = [key.clone(), Value::Undef, merge.clone().unwrap_or(Value::Undef)];
            if let Err(error) = runtime.call("lookup", &arguments, None) {
                assert_ne!(error.kind(), &ErrorKind::Internal, "{error}");
            }
            let query = LookupQuery { merge: merge.as_ref(), ..LookupQuery::new(&key) };
            let _ = runtime.explain_lookup(&query, false);
        }
    }

    let mut world = World::new(loader, limits);
    let layer = |index| if index < 5 { DataLayer::Environment } else { DataLayer::Module("app".into()) };
    let texts: Vec<_> = parts
        .iter()
        .enumerate()
        .map(|(index, (file, text))| world.read_data(text, Some(file), layer(index)))
        .collect();
    texts.iter().for_each(|data| world.add_data(data));
    for data in &texts {
        world.check_data(data);
    }
});
