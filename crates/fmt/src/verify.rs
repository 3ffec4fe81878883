//! Formatting, and the proof that it has changed nothing.

use super::layout::{is_within_leeway, lay_out};
use super::marks::mark;
use super::options::FormatOptions;
use super::piece::pieces;
use super::write::{FormattedText, write};
use puppetfn_base::error::{Error, ErrorKind};
use puppetfn_base::limits::Limits;
use puppetfn_syntax::ast::Program;
use puppetfn_syntax::{Lexeme, Mode, lexemes, notation, parse_with};

/// The mark of a byte order at the start of a text, which Puppet does not accept.
pub(super) const BYTE_ORDER_MARK: char = '\u{feff}';

/// Formats a text.
pub(super) fn formatted(
    text: &str,
    options: &FormatOptions,
    limits: &Limits,
) -> Result<FormattedText, Error> {
    let content = text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text);
    let (program, mode) = parsed(content, limits)?;
    let mut formatted = laid_out(&program, mode, lexemes(content, mode), options, limits)?;
    if formatted.text != content {
        compare(&program, mode, &formatted.text, limits)?;
    }
    formatted.anchors.iter_mut().for_each(|(before, _)| *before += text.len() - content.len());
    Ok(formatted)
}

/// Formats a program with these tokens and comments, without the proof.
pub(super) fn laid_out(
    program: &Program<'_>,
    mode: Mode,
    lexemes: impl Iterator<Item = Result<Lexeme, Error>>,
    options: &FormatOptions,
    limits: &Limits,
) -> Result<FormattedText, Error> {
    let content = program.text;
    let mut pieces = pieces(content, lexemes, limits)?;
    mark(&mut pieces, program);
    let mut as_author = pieces.clone();
    lay_out(&mut pieces, options, false);
    let mut formatted = write(content, mode, &pieces, limits)?;
    drop(pieces);
    if formatted.text != content {
        lay_out(&mut as_author, options, true);
        if is_within_leeway(content, &as_author, options.arrow_alignment) {
            formatted.text = content.to_owned();
            formatted.anchors.iter_mut().for_each(|(before, after)| *after = *before);
        }
    }
    Ok(formatted)
}

/// Checks that two texts are the same program, with the same comments.
pub(super) fn same_program(before: &str, after: &str, limits: &Limits) -> Result<(), Error> {
    let before = before.strip_prefix(BYTE_ORDER_MARK).unwrap_or(before);
    let after = after.strip_prefix(BYTE_ORDER_MARK).unwrap_or(after);
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
    let is_same = parse_with(after, mode, limits).is_ok_and(|program| notation(&program) == notation(before))
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
