//! The core as embedding programs use it. The tree mirrors its modules; tests of one function are beside it.
#![allow(missing_docs)]

/// The `metadata.json` of a module, with dependencies in JSON.
macro_rules! metadata {
    ($name:literal) => {
        metadata!($name, "[]")
    };
    ($name:literal, $dependencies:literal) => {
        concat!(
            r#"{"name": ""#,
            $name,
            r#"", "version": "1.0.0", "author": "me", "license": "MIT", "summary": "s", "source": "s", "dependencies": "#,
            $dependencies,
            "}"
        )
    };
}

mod builtin {
    mod arguments;
    mod functions;
    mod signatures;
}
mod catalog;
mod check {
    mod added_comments;
    mod attributes;
    mod automation;
    mod certain;
    mod command;
    mod compiled_data;
    mod data;
    mod explanations;
    mod ignored;
    mod legacy_texts;
    mod markdown;
    mod mended;
    mod messages;
    mod missed;
    mod module_files;
    mod projects;
    mod rules;
    mod style;
    mod unused;
    mod vectors;
}
mod cli {
    mod diagnostics;
}
mod convert {
    mod create;
}
mod cty;
mod doc;
mod entity {
    mod arm7;
    mod definitions;
    mod document;
    mod models;
    mod properties;
    mod types;
}
mod eval {
    mod folds;
    mod limits;
    mod runtime;
    mod strictness;
    mod templates;
    mod uri_operators;
}
mod fmt {
    mod documents;
    mod modules;
    mod rules;
}
mod function {
    mod signatures;
}
mod loader {
    mod modules;
    mod puppet_functions;
}
mod ide {
    mod completion;
    mod data;
    mod editing;
    mod erb;
    mod names;
    mod support;
}
mod limits;
mod lookup;
mod subject;
mod support;
mod syntax {
    mod json;
    mod limits;
}
mod types {
    mod hostile;
    mod limits;
    mod object;
}
mod value {
    mod regex;
}
