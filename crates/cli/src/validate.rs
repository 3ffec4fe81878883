//! `puppetfn validate`.

use std::io::Write;
use std::path::PathBuf;

use super::args::Validate;
use super::args::settings::directories;
use super::report::{ProblemReport, problems};
use super::sources::{for_each, mode};
use super::{CommandFailure, FAILED, OK, Terminals, complain};
use puppetfn_compile::check_directories;
use puppetfn_project::CodeSource;
use puppetfn_syntax::check;
use puppetfn_syntax::validate::ModuleFile;

pub(super) fn run(
    validate: &Validate,
    terminals: Terminals,
    err: &mut dyn Write,
) -> Result<i32, CommandFailure> {
    let modulepath = directories(&validate.modulepath);
    check_directories("modulepath", &modulepath)?;
    let sources =
        validate.paths.iter().map(|path| CodeSource::all(path)).collect::<Result<Vec<_>, _>>()?.concat();
    let is_coloured = terminals.colours_err();
    let mut code = OK;
    for_each(
        &sources,
        terminals.err,
        |source| examine(source, validate, &modulepath, is_coloured),
        |found| {
            if !found.text.is_empty() {
                complain(err, &found.text);
            }
            if found.has_errors {
                code = FAILED;
            }
            Ok(())
        },
    )?;
    Ok(code)
}

/// Finds all that is wrong with a text.
fn examine(
    source: &CodeSource,
    validate: &Validate,
    modulepath: &[PathBuf],
    is_coloured: bool,
) -> ProblemReport {
    let name = source.name();
    let text = match source.read(&validate.bounds.limits()) {
        Ok(text) => text,
        Err(reason) => return ProblemReport::unreadable(&name, &reason),
    };
    let mode = mode(source, validate.language);
    let module_file = source.path().and_then(|path| ModuleFile::locate(path, modulepath));
    let found = check(&text, mode, module_file.as_ref(), &validate.bounds.limits());
    problems(&found, &text, &name, mode, is_coloured)
}
