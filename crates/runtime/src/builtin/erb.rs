//! Templates in ERB: `template` and `inline_template`. The host renders templates that need Ruby.
//!
//! See Puppet's `parser/functions/{template,inline_template}.rb`.

#[cfg(feature = "erb")]
mod without_host;

use std::path::{Path, PathBuf};

use super::catalog::only_with_catalog;
use super::files::TEMPLATES;
use super::legacy::{LegacyArity, legacy, text};
use puppetfn_base::error::{Error, ErrorKind};
use puppetfn_types::function::{Call, Caller, Declaration, Library};
use puppetfn_types::value::Value;

pub(super) fn template() -> Declaration {
    legacy("template", LegacyArity::AtLeast(1), |call, arguments| {
        render_each(call, arguments, |call, name| {
            let (path, template) = read(call.caller(), name)?;
            rendered(call, &template, Some((name, &path)))
        })
    })
    .doc(
        "Renders ERB templates. Some need Ruby. A template is named by its path, or as \
         `module/path` where it is in the directory `templates` of a module.",
    )
}

pub(super) fn inline_template() -> Declaration {
    legacy("inline_template", LegacyArity::AtLeast(1), |call, arguments| {
        render_each(call, arguments, |call, template| rendered(call, template.as_bytes(), None))
    })
    .doc("Renders ERB templates. Some need Ruby.")
}

/// Returns the path and the text of a template.
fn read(caller: &dyn Caller, name: &str) -> Result<(PathBuf, Vec<u8>), Error> {
    let files = caller.files();
    let Some(path) = files.find(name, TEMPLATES)? else {
        return Err(Error::new(ErrorKind::Evaluation, format!("Could not find template '{name}'")));
    };
    let template = files.read(&path)?;
    Ok((path, template))
}

/// Returns the text of a template; `None` if it needs Ruby, and the host runs none.
fn rendered(call: &Call<'_>, template: &[u8], file: Option<(&str, &Path)>) -> Result<Option<Value>, Error> {
    let caller = call.caller();
    #[cfg(feature = "erb")]
    if let Some(text) = without_host::render(caller, template) {
        return Ok(Some(text.into()));
    }
    caller.run_library(Library::Erb { template, file })
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
            // The argument may be a String that is not UTF-8.
            Some(text) if arguments.len() == 1 => return Ok(text),
            Some(text) => rendered.push_str(call.value_as::<&str>(&text)?),
            None => {
                let message = format!(
                    "'{}' needs Ruby for this template, which this program does not run; templates in EPP need none",
                    call.name()
                );
                return Err(Error::new(ErrorKind::Evaluation, message));
            }
        }
    }
    Ok(rendered.into())
}
