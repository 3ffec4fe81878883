//! Any text is a model in Ecore, an object in XMI or an error, and what is written is read as the same.
#![no_main]

use libfuzzer_sys::fuzz_target;
use puppetfn::entity::ecore::{ExportOptions, export};
use puppetfn::entity::{TypeOutline, xmi};
use puppetfn::error::ErrorKind;
use puppetfn::eval::Runtime;
use puppetfn::limits::Limits;
use puppetfn::types::Type;
use puppetfn::types::parse::named;

/// The types that an object in XMI may be of.
const PARTS: &str = "type Part { attr n, Integer attr text, String
  attr kind, enum[red, green] has sub, Part { max => unbound }
  has next, Part { containment => false } }
type Special inherits Part { attr versions, SemVer { max => unbound } attr data, Hash
  attr pattern, Regexp attr length, Integer { derived => { 1 } } }";

fuzz_target!(|text: &str| {
    let limits = Limits {
        fuel: Some(1_000),
        text: 100_000,
        elements: 10_000,
        size: 10_000,
        work: 100_000,
        ..Limits::DEFAULT
    };
    let runtime = Runtime::builder().limits(limits).build();
    runtime.evaluate(PARTS, None).expect("the definitions are right");
    match runtime.object_of_xmi("Part", text) {
        Ok(object) => {
            if let Ok(written) = xmi::write(&object, &limits) {
                let again = runtime.object_of_xmi("Part", &written).expect("what was written is an object");
                assert_eq!(xmi::write(&again, &limits).as_deref(), Ok(&*written));
            }
        }
        Err(error) => assert_ne!(error.kind(), &ErrorKind::Internal, "{error}"),
    }

    let runtime = Runtime::builder().limits(limits).build();
    match runtime.import_model(text) {
        Ok(imported) => {
            let Some(written) = exported(&runtime, &imported.types, limits) else { return };
            let runtime = Runtime::builder().limits(limits).build();
            let again = runtime.import_model(&written).expect("what was exported is a model");
            assert_eq!(exported(&runtime, &again.types, limits).as_deref(), Some(&*written));
        }
        Err(error) => assert_ne!(error.kind(), &ErrorKind::Internal, "{error}"),
    }
});

/// Returns the document of types that were imported, if they can be written.
fn exported(runtime: &Runtime, outlines: &[TypeOutline], limits: Limits) -> Option<String> {
    let types = outlines.iter().map(|outline| named(&outline.name, runtime.types()));
    export(&types.collect::<Result<Vec<Type>, _>>().ok()?, ExportOptions { logic: true, limits }).ok()
}
