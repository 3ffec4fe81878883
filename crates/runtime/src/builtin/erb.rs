//! Templates in ERB: `template` and `inline_template`. The host renders templates that need Ruby.
//!
//! See Puppet's `parser/functions/{template,inline_template}.rb`.

use std::path::{Path, PathBuf};

use super::catalog::only_with_catalog;
use super::files::TEMPLATES;
use super::legacy::{Arity, legacy, text};
use puppetfn_base::error::{Error, ErrorKind};
use puppetfn_erb::Scope;
use puppetfn_types::function::{Call, Caller, Declaration, Library};
use puppetfn_types::value::Value;

pub(super) fn template() -> Declaration {
    legacy("template", Arity::AtLeast(1), |call, arguments| {
        render_each(call, arguments, |call, name| {
            let (path, template) = read(call.caller(), name)?;
            rendered(call, &template, Some((name, &path)))
        })
    })
    .doc(
        "Gives the text of templates in ERB. Some need Ruby. A template is named by its path, or as \
         `module/path` where it is in the directory `templates` of a module.",
    )
}

pub(super) fn inline_template() -> Declaration {
    legacy("inline_template", Arity::AtLeast(1), |call, arguments| {
        render_each(call, arguments, |call, template| rendered(call, template.as_bytes(), None))
    })
    .doc("Gives the text of templates in ERB. Some need Ruby.")
}

/// How deep templates may call each other here; the host has a limit of its own.
const DEEPEST: usize = 10;

/// Returns the path and the text of a template.
fn read(caller: &dyn Caller, name: &str) -> Result<(PathBuf, Vec<u8>), Error> {
    let files = caller.files();
    let Some(path) = files.find(name, TEMPLATES)? else {
        return Err(Error::new(ErrorKind::Evaluation, format!("Could not find template '{name}'")));
    };
    let template = files.read(&path)?;
    Ok((path, template))
}

/// The scope of the code that calls the function.
struct CallerScope<'c> {
    caller: &'c dyn Caller,
    /// The number of templates around the rendered one.
    depth: usize,
}

impl Scope for CallerScope<'_> {
    fn variable(&self, name: &str) -> Result<Option<Value>, Error> {
        self.caller.variable(name)
    }

    fn template(&self, name: &str) -> Result<Option<String>, Error> {
        if self.depth >= DEEPEST {
            return Ok(None);
        }
        let (_, template) = read(self.caller, name)?;
        Ok(without_host(&CallerScope { caller: self.caller, depth: self.depth + 1 }, &template))
    }

    fn compare_versions(&self, left: &Value, right: &Value) -> Result<Value, Error> {
        self.caller.call_named("versioncmp", &[left.clone(), right.clone()], None)
    }
}

/// Returns the text of a template; `None` if the template needs Ruby.
fn without_host(scope: &CallerScope<'_>, template: &[u8]) -> Option<String> {
    puppetfn_erb::compiled(str::from_utf8(template).ok()?)?.render(scope, scope.caller.limits())
}

/// Returns the text of a template; `None` if it needs Ruby, and the host runs none.
fn rendered(call: &Call<'_>, template: &[u8], file: Option<(&str, &Path)>) -> Result<Option<Value>, Error> {
    let caller = call.caller();
    if caller.shares_variables_with_templates() {
        let scope = CallerScope { caller, depth: 0 };
        if let Some(text) = without_host(&scope, template) {
            return Ok(Some(text.into()));
        }
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
            // It may be a String that is not UTF-8.
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
