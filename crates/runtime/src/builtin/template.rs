//! Templates in EPP: `epp` and `inline_epp`.
//!
//! See Puppet's `functions/{inline_epp,epp}.rb`.

use std::path::Path;

use super::files::TEMPLATES;
use super::legacy::refused;
use puppetfn_base::error::{Error, ErrorKind};
use puppetfn_types::function::{Declaration, EppTemplate, native};
use puppetfn_types::types::Type;
use puppetfn_types::value::Hash;

/// The file name in messages about an inline template.
const INLINE: &str = "inlined-epp-text";

pub(super) fn inline_epp() -> Declaration {
    native("inline_epp").scope_method(refused(-2, true))
        .doc(
            "The text that a template in EPP gives. It sees the variables around the call, and has the \
             parameters as variables; those that it declares must be given.",
        )
        .example("inline_epp('<%- | $x, $y = 2 | -%><%= $x %> and <%= $y %>', {'x' => 1})", "'1 and 2'")
        .example("inline_epp('<% [1, 2].each |$x| { %>(<%= $x %>)<% } %>')", "'(1)(2)'")
        .dispatch::<(&str, Option<&Hash>)>(
            "(String template, Hash[Pattern[/^\\w+$/], Any] parameters?) >> Variant[String, Sensitive[String]]",
            |call, (text, parameters)| {
                let template = EppTemplate { text, file: INLINE, function: call.name(), sees_locals: true };
                call.caller().render(&template, parameters)
            },
        )
        .returns(|_| Type::Any)
}

pub(super) fn epp() -> Declaration {
    native("epp").scope_method(refused(-2, true))
        .doc(
            "The text that a template in EPP gives. A template is named by its path, or as `module/path` where it \
             is in the directory `templates` of a module; the extension may be missing. It sees the variables of \
             the top scope, and has the parameters as variables.",
        )
        .example("epp('/dev/null')", "''")
        .dispatch::<(&str, Option<&Hash>)>(
            "(String path, Hash[Pattern[/^\\w+$/], Any] parameters?) >> Variant[String, Sensitive[String]]",
            |call, (name, parameters)| {
                let files = call.caller().files();
                let mut name = name.to_string();
                if !files.file_system().exists(Path::new(&name)) && !name.lines().any(|line| line.ends_with(".epp")) {
                    name.push_str(".epp");
                }
                let Some(path) = files.find(&name, TEMPLATES)? else {
                    return Err(Error::new(ErrorKind::Evaluation, format!("Could not find template '{name}'")));
                };
                let (text, file) = (String::from_utf8(files.read(&path)?), path.to_string_lossy());
                let text = text.map_err(|_| Error::new(ErrorKind::Evaluation, "invalid byte sequence in UTF-8"))?;
                let template = EppTemplate { text: &text, file: &file, function: call.name(), sees_locals: false };
                call.caller().render(&template, parameters)
            },
        )
        .returns(|_| Type::Any)
}
