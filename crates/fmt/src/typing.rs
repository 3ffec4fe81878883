//! The indentation of a line while it is typed. The text need not be Puppet yet: only its tokens are looked at.

use super::edit::RangeEdit;
use super::layout::HEADS;
use puppetfn_base::error::Error;
use puppetfn_base::limits::Limits;
use puppetfn_syntax::{Lexeme, LexemeKind, Mode, lexemes};

/// Indents the line on which something has just been typed, by steps of this width.
pub(super) fn indented(
    text: &str,
    offset: usize,
    typed: char,
    step: u32,
    limits: &Limits,
) -> Result<Vec<RangeEdit>, Error> {
    limits.check_text(text.len())?;
    let start = text.get(..offset).and_then(|before| before.rfind('\n')).map_or(0, |end| end + 1);
    let line = text.get(start..).and_then(|rest| rest.split('\n').next()).unwrap_or_default();
    let line = line.strip_suffix('\r').unwrap_or(line);
    let code = line.trim_start();
    let is_asked = match typed {
        '\n' => true,
        '}' | ')' | ']' => code.starts_with(typed),
        _ => false,
    };
    let written = start..start + line.len() - code.len();
    let wanted = is_asked
        .then(|| indentation(text, start, code, step))
        .flatten()
        .map(|count| " ".repeat(count as usize));
    let edit = wanted.filter(|wanted| text.get(written.clone()) != Some(wanted));
    Ok(edit.map(|text| RangeEdit { range: written, text }).into_iter().collect())
}

/// The state of a pair of brackets.
struct TypingLevel {
    /// The indentation of the opening bracket's line.
    outside: u32,
    /// The indentation of lines within.
    inside: u32,
    /// The indentation of the line with the keyword of a block.
    head: Option<u32>,
    /// The line of the opening bracket, not counting lines that begin with no token.
    line: usize,
    /// Whether attributes follow a title that begins a line.
    is_title_above: bool,
    /// Whether it is a block behind a colon.
    is_option: bool,
}

/// Returns the indentation of the line that starts at an offset; `None` within a token, and if it is
/// undetermined.
fn indentation(text: &str, start: usize, code: &str, step: u32) -> Option<u32> {
    let mut levels = vec![TypingLevel {
        outside: 0,
        inside: 0,
        head: None,
        line: 0,
        is_title_above: false,
        is_option: false,
    }];
    // How far the line is indented that a bracket would belong to, and which line that is.
    let (mut current, mut number) = (0, 0);
    let mut last: Option<Lexeme> = None;
    for lexeme in lexemes(text, Mode::default()) {
        let lexeme = lexeme.ok()?;
        let is_around = |end: u32| (end as usize) > start;
        if lexeme.span.start as usize >= start {
            break;
        }
        if is_around(lexeme.span.end) || lexeme.below.is_some_and(|below| is_around(below.end)) {
            return None;
        }
        if last.is_none() || lexeme.breaks > 0 {
            current = written(text, lexeme.span.start as usize);
            number += 1;
        }
        if !lexeme.kind.is_comment() {
            let is_option = last.is_some_and(|last| last.span.text(text) == ":");
            let place = TypingPlace { line: number, is_option, step };
            pass(&mut levels, lexeme, text, &mut current, place);
        }
        last = Some(lexeme).filter(|lexeme| !lexeme.kind.is_comment()).or(last);
    }
    let level = levels.last()?;
    if code.starts_with(['}', ')', ']']) {
        return Some(level.outside);
    }
    let inside = level.inside + if level.is_title_above { step } else { 0 };
    let goes_on = last.is_some_and(|last| {
        last.kind == LexemeKind::Operator || matches!(last.span.text(text), "=>" | "+>" | "?" | ".")
    });
    Some(match goes_on {
        true if current > inside => current,
        true => inside + step,
        false => inside,
    })
}

/// The place of a token.
struct TypingPlace {
    /// Its line, not counting lines that begin with no token.
    line: usize,
    /// Whether it follows a colon.
    is_option: bool,
    /// The width of a level of indentation.
    step: u32,
}

/// Takes note of a token.
fn pass(
    levels: &mut Vec<TypingLevel>,
    token: Lexeme,
    text: &str,
    current: &mut u32,
    TypingPlace { line, is_option, step }: TypingPlace,
) {
    let is_nested = levels.len() > 1;
    let Some(level) = levels.last_mut() else { return };
    let word = token.span.text(text);
    match (token.kind, word) {
        (LexemeKind::Keyword, _) if HEADS.contains(&word) => level.head = Some(*current),
        (LexemeKind::Sign, "{" | "(" | "[") => {
            let head = if word == "{" { level.head.take() } else { None };
            let outside = head.unwrap_or(*current);
            levels.push(TypingLevel {
                outside,
                inside: outside + step,
                head: None,
                line,
                is_title_above: false,
                is_option,
            });
        }
        (LexemeKind::Sign, "}" | ")" | "]") if is_nested => {
            let Some(closed) = levels.pop() else { return };
            *current = closed.outside;
            if let Some(around) = levels.last_mut().filter(|_| closed.is_option) {
                around.is_title_above = false;
            }
        }
        (LexemeKind::Sign, ":") => level.is_title_above = level.line != line,
        (LexemeKind::Sign, ";") => level.is_title_above = false,
        _ => {}
    }
}

/// Returns how far the line of an offset is indented.
fn written(text: &str, offset: usize) -> u32 {
    let line = text.get(..offset).and_then(|before| before.rsplit('\n').next()).unwrap_or_default();
    line.chars().take_while(|c| c.is_whitespace()).count() as u32
}
