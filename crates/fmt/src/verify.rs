//! Formatting, and the proof that it has changed nothing.

use super::layout::lay_out;
use super::marks::mark;
use super::piece::pieces;
use super::write::{FormattedText, write};
use puppetfn_base::error::{Error, ErrorKind};
use puppetfn_base::limits::Limits;
use puppetfn_syntax::ast::Program;
use puppetfn_syntax::{Mode, lexemes, parse_with, to_pn};

/// Formats a text.
pub(super) fn formatted(text: &str, limits: &Limits) -> Result<FormattedText, Error> {
    let (program, mode) = parsed(text, limits)?;
    let mut pieces = pieces(text, mode, limits)?;
    mark(&mut pieces, &program);
    lay_out(&mut pieces);
    let formatted = write(text, mode, &pieces, limits)?;
    drop(pieces);
    if formatted.text != text {
        compare(&program, mode, &formatted.text, limits)?;
    }
    Ok(formatted)
}

/// Checks that two texts are the same program, with the same comments.
pub(super) fn same_program(before: &str, after: &str, limits: &Limits) -> Result<(), Error> {
    let (program, mode) = parsed(before, limits)?;
    compare(&program, mode, after, limits)
}

/// Parses a text: as a plan, if it is one.
fn parsed<'s>(text: &'s str, limits: &Limits) -> Result<(Program<'s>, Mode), Error> {
    let plain = Mode::default();
    let error = match parse_with(text, plain, limits) {
        Ok(program) => return Ok((program, plain)),
        Err(error) => error,
    };
    let tasks = Mode { tasks: true, ..plain };
    match parse_with(text, tasks, limits) {
        Ok(program) => Ok((program, tasks)),
        // The mode whose error comes later is the intended one.
        Err(other) => Err(if place(&other) > place(&error) { other } else { error }),
    }
}

fn place(error: &Error) -> Option<(Option<u32>, Option<u32>)> {
    error.place().map(|place| (place.line, place.column))
}

fn compare(before: &Program<'_>, mode: Mode, after: &str, limits: &Limits) -> Result<(), Error> {
    let is_same = parse_with(after, mode, limits)
        .is_ok_and(|program| to_pn(&program, false) == to_pn(before, false))
        && comments(before.text, mode) == comments(after, mode);
    if is_same {
        return Ok(());
    }
    let message = "the formatted code would have another meaning, so the file was not changed: please report this defect of the formatter";
    Err(Error::new(ErrorKind::Internal, message))
}

/// Returns the lines of a text's comments.
fn comments(text: &str, mode: Mode) -> Vec<&str> {
    let comments = lexemes(text, mode).filter_map(Result::ok).filter(|lexeme| lexeme.kind.is_comment());
    comments.flat_map(|comment| comment.span.text(text).split('\n')).map(str::trim_end).collect()
}
