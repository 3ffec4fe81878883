//! `puppetfn parse`.

use std::io::Write;

use super::args::{Parse, TreeFormat};
use super::report::{ProblemReport, problems};
use super::sources::{for_each, mode};
use super::{CommandFailure, FAILED, OK, Terminals, complain};
use puppetfn_base::diagnostic::Diagnostic;
use puppetfn_project::CodeSource;
use puppetfn_syntax::{parse_with, to_json, to_pn};

pub(super) fn run(
    parse: &Parse,
    terminals: Terminals,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Result<i32, CommandFailure> {
    let sources = parse.files.iter().map(|file| CodeSource::file(file)).collect::<Result<Vec<_>, _>>()?;
    let has_headers = sources.len() > 1 && parse.format == TreeFormat::Pn;
    let is_coloured = terminals.colours_err();
    let mut code = OK;
    for_each(
        &sources,
        terminals.err && parse.quiet,
        |source| tree(source, parse, is_coloured),
        |read| {
            match read {
                Err(problems) => {
                    complain(err, &problems.text);
                    code = FAILED;
                }
                Ok(_) if parse.quiet => {}
                Ok((name, tree)) if has_headers => writeln!(out, "--- {name}\n{tree}")?,
                Ok((_, tree)) => writeln!(out, "{tree}")?,
            }
            Ok(())
        },
    )?;
    Ok(code)
}

/// Returns the name of a text and its tree, unless it has errors.
fn tree(source: &CodeSource, parse: &Parse, is_coloured: bool) -> Result<(String, String), ProblemReport> {
    let name = source.name();
    let text =
        source.read(&parse.bounds.limits()).map_err(|reason| ProblemReport::unreadable(&name, &reason))?;
    let mode = mode(source, parse.language);
    let program = parse_with(&text, mode, &parse.bounds.limits())
        .map_err(|error| problems(&[Diagnostic::of_error(&error, &text)], &text, &name, mode, is_coloured))?;
    let tree = match parse.format {
        _ if parse.quiet => String::new(),
        TreeFormat::Pn => to_pn(&program, false),
        TreeFormat::Json => to_json(&program, source.path().and_then(|path| path.to_str())).to_string(),
    };
    Ok((name.into_owned(), tree))
}
