//! Templates in ERB, which are Ruby: `template` and `inline_template`.
//!
//! See Puppet's `parser/functions/{template,inline_template}.rb`.

use super::catalog::only_with_catalog;
use super::files::TEMPLATES;
use super::legacy::{Arity, legacy, text};
use puppetfn_base::error::{Error, ErrorKind};
use puppetfn_types::function::{Call, Declaration, Library};
use puppetfn_types::value::Value;

pub(super) fn template() -> Declaration {
    legacy("template", Arity::AtLeast(1), |call, arguments| {
        render_each(call, arguments, |call, name| {
            let files = call.caller().files();
            let Some(path) = files.find(name, TEMPLATES)? else {
                return Err(Error::new(ErrorKind::Evaluation, format!("Could not find template '{name}'")));
            };
            let template = files.read(&path)?;
            call.caller().run_library(Library::Erb { template: &template, file: Some((name, &path)) })
        })
    })
    .doc(
        "Gives the text of templates in ERB, which needs Ruby. A template is named by its path, or as \
         `module/path` where it is in the directory `templates` of a module.",
    )
}

pub(super) fn inline_template() -> Declaration {
    legacy("inline_template", Arity::AtLeast(1), |call, arguments| {
        render_each(call, arguments, |call, template| {
            call.caller().run_library(Library::Erb { template: template.as_bytes(), file: None })
        })
    })
    .doc("Gives the text of templates in ERB, which needs Ruby.")
}

/// Returns the results for all arguments, one after the other.
fn render_each(
    call: &Call<'_>,
    arguments: &[Value],
    render: impl Fn(&Call<'_>, &str) -> Result<Option<Value>, Error>,
) -> Result<Value, Error> {
    if call.compiler().is_some_and(|compiler| !compiler.makes_catalog()) {
        return Err(only_with_catalog(call, &format!("The feature 'ERB {}'", call.name())));
    }
    let mut rendered = String::new();
    for argument in arguments {
        match render(call, text(Some(argument))?)? {
            // It may be a String that is not UTF-8.
            Some(text) if arguments.len() == 1 => return Ok(text),
            Some(text) => rendered.push_str(call.value_as::<&str>(&text)?),
            None => {
                let message = format!(
                    "'{}' needs Ruby, which this program does not run; templates in EPP need none",
                    call.name()
                );
                return Err(Error::new(ErrorKind::Evaluation, message));
            }
        }
    }
    Ok(rendered.into())
}
