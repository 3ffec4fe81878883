//! No manifest brings the making of a catalog down or keeps it busy, and what was made can be written.
#![no_main]

mod declarations;
#[allow(dead_code, reason = "only its expressions are used here")]
mod program;

use std::sync::{Arc, LazyLock};

use arbitrary::Arbitrary;
use declarations::Declarations;
use libfuzzer_sys::fuzz_target;
use puppetfn::catalog::{Identity, Selection};
use puppetfn::check::{TextOrigin, World};
use puppetfn::convert::json;
use puppetfn::error::ErrorKind;
use puppetfn::eval::Runtime;
use puppetfn::limits::Limits;
use puppetfn::loader::{Loader, StdFileSystem};
use puppetfn::syntax::{Mode, Tree, parse};
use puppetfn::value::Value;

#[derive(Arbitrary, Debug)]
enum Input<'a> {
    /// Any text. Few of them are manifests.
    Text(&'a str),
    /// A manifest.
    Manifest(Declarations),
}

const LIMITS: Limits = Limits {
    fuel: Some(1_000),
    text: 100_000,
    elements: 10_000,
    size: 10_000,
    work: 100_000,
    ..Limits::DEFAULT
};

fuzz_target!(|input: Input<'_>| {
    static LOADER: LazyLock<Arc<Loader>> = LazyLock::new(|| {
        Arc::new(Loader::new(Arc::new(StdFileSystem::new(&LIMITS)), Vec::new(), None, LIMITS))
    });
    let text = match &input {
        Input::Text(text) => (*text).to_owned(),
        Input::Manifest(declarations) => declarations.to_string(),
    };
    let runtime = Runtime::builder().manifests().limits(LIMITS).node("node.example.com").build();
    let made = runtime.evaluate(&text, Some("/fuzz.pp")).and_then(|_| runtime.catalog());
    match &made {
        Ok(catalog) => {
            let identity = Identity {
                environment: "production".into(),
                version: Value::Integer(1),
                code_id: None,
                uuid: String::new(),
            };
            if let Ok(finished) = catalog.finish(identity, Selection::All, &LIMITS) {
                let data = finished.catalog.to_value();
                let json = json::to_json(&data, &LIMITS).expect("data is JSON");
                assert_eq!(json::from_json(&json, &LIMITS), Ok(data));
            }
        }
        Err(error) => assert_ne!(error.kind(), &ErrorKind::Internal, "{error}\n{text}"),
    }
    let world = World::new(Arc::clone(&LOADER), LIMITS);
    let tree = Tree::recover(text.as_str(), None, Mode::default(), &LIMITS);
    assert_eq!(tree.error().is_some(), parse(&text, &LIMITS).is_err(), "{text}");
    world.check(&tree, &TextOrigin::default());
});
