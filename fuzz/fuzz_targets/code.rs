//! Any text is Puppet code or an error, read in any way: all that is done with it ends, and soon.
#![no_main]

use libfuzzer_sys::fuzz_target;
use puppetfn::diagnostic::Severity;
use puppetfn::limits::Limits;
use puppetfn::syntax::validate::{ValidationRules, validate};
use puppetfn::syntax::{self, Mode};

fuzz_target!(|input: (u8, &str)| {
    let (flags, text) = input;
    let mode = Mode { tasks: flags & 1 != 0, template: flags & 2 != 0 };
    let limits = Limits::DEFAULT;
    let found = syntax::check(text, mode, None, &limits);
    for diagnostic in found.iter().take(10) {
        let explanation = syntax::explain(text, mode, diagnostic);
        let spans = explanation.labels.iter().map(|(span, _)| *span).chain([explanation.span]);
        for span in spans {
            assert!(text.get(span.start as usize..span.end as usize).is_some(), "{diagnostic:?} {span:?}");
        }
    }
    let Ok(program) = syntax::parse_with(text, mode, &limits) else {
        assert!(found.iter().any(|diagnostic| diagnostic.severity == Severity::Error));
        return;
    };
    // Twice the same.
    assert_eq!(
        validate(&program, ValidationRules { tasks: mode.tasks, ..ValidationRules::default() }, limits).len()
            + program.warnings.len(),
        found.len()
    );
    let notation = syntax::to_pn(&program, false);
    assert!(!notation.is_empty());
    syntax::to_json(&program, None);
});
