//! Completion, hints, colours and the end of input for the line editor.

use std::borrow::Cow;
use std::fmt::Write;

use puppetfn_base::limits::Limits;
use puppetfn_syntax::{LexemeKind, Mode, lexemes};
use puppetfn_types::value::Hash;
use rustyline::completion::{Completer, Pair};
use rustyline::highlight::{CmdKind, Highlighter};
use rustyline::hint::{Hint, Hinter};
use rustyline::validate::{ValidationContext, ValidationResult, Validator};
use rustyline::{Context, Helper};

use crate::commands::{self, COMMANDS, CommandPlace, ConsoleCommand};
use crate::engine::CompletionEngine;
use crate::lines::entries;
use crate::listing;
use crate::statements::is_command;

/// The text before a hint.
const HINT_START: &str = "  # ";

/// The minimum length of a hint, in characters.
const SHORTEST_HINT: usize = 10;

/// The line editor's view of the console.
pub(crate) struct LineHelper {
    limits: Limits,
    colours: bool,
    pub engine: CompletionEngine,
    /// The facts of the node.
    pub facts: Hash,
    /// The columns of the terminal to the right of the prompt.
    pub width: usize,
}

impl LineHelper {
    pub fn new(limits: Limits, colours: bool) -> Self {
        Self { limits, colours, engine: CompletionEngine::empty(), facts: Hash::default(), width: 0 }
    }
}

impl Helper for LineHelper {}

impl Completer for LineHelper {
    type Candidate = Pair;

    fn complete(&self, line: &str, at: usize, _: &Context<'_>) -> rustyline::Result<(usize, Vec<Pair>)> {
        let before = line.get(..at).unwrap_or(line);
        if is_command(line) && !before.contains(char::is_whitespace) {
            let names = COMMANDS.iter().map(|known| format!(":{}", known.name));
            let names = names.filter(|name| name.starts_with(before));
            return Ok((0, names.map(|name| Pair { display: name.clone(), replacement: name }).collect()));
        }
        if let Ok((command @ (ConsoleCommand::Lookup | ConsoleCommand::Facts), argument)) =
            commands::parse(before, CommandPlace::Session)
        {
            let found = if command == ConsoleCommand::Lookup {
                self.engine.keys(argument)
            } else {
                listing::paths_from(&self.facts, argument)
            };
            let pairs = found.into_iter().map(|one| Pair { display: one.clone(), replacement: one });
            return Ok((at.saturating_sub(argument.len()), pairs.collect()));
        }
        let (start, found) = self.engine.completions(line, at);
        let pairs = found.into_iter().map(|one| Pair { display: one.label, replacement: one.insert });
        Ok((start, pairs.collect()))
    }
}

/// The signature of the call around the cursor.
pub(crate) struct SignatureHint(String);

impl Hint for SignatureHint {
    fn display(&self) -> &str {
        &self.0
    }

    fn completion(&self) -> Option<&str> {
        None
    }
}

impl Hinter for LineHelper {
    type Hint = SignatureHint;

    fn hint(&self, line: &str, at: usize, _: &Context<'_>) -> Option<SignatureHint> {
        if !self.colours || at < line.len() || is_command(line) || line.contains('\n') {
            return None;
        }
        let room = self.width.saturating_sub(line.chars().count() + HINT_START.len() + 1);
        let signature = self.engine.signature(line, at).filter(|_| room >= SHORTEST_HINT)?;
        let (cut, rest) =
            signature.char_indices().nth(room).map_or((&*signature, ""), |(end, _)| signature.split_at(end));
        Some(SignatureHint(format!("{HINT_START}{cut}{}", if rest.is_empty() { "" } else { "…" })))
    }
}

impl Highlighter for LineHelper {
    fn highlight<'l>(&self, line: &'l str, _: usize) -> Cow<'l, str> {
        if is_command(line) { line.into() } else { coloured(line) }
    }

    fn highlight_hint<'h>(&self, hint: &'h str) -> Cow<'h, str> {
        format!("\x1b[2m{hint}\x1b[0m").into()
    }

    fn highlight_char(&self, _: &str, _: usize, kind: CmdKind) -> bool {
        self.colours && kind != CmdKind::MoveCursor
    }
}

impl Validator for LineHelper {
    fn validate(&self, context: &mut ValidationContext<'_>) -> rustyline::Result<ValidationResult> {
        let is_unfinished = entries(context.input(), 1, self.limits)?.is_unfinished;
        Ok(if is_unfinished { ValidationResult::Incomplete } else { ValidationResult::Valid(None) })
    }
}

/// Returns code with colours for a terminal. Text that is not code yet has none.
fn coloured(line: &str) -> Cow<'_, str> {
    let mut coloured = String::new();
    let mut at = 0;
    for lexeme in lexemes(line, Mode::default()).map_while(Result::ok) {
        let colour = match lexeme.kind {
            LexemeKind::Keyword => "35",
            LexemeKind::Variable => "36",
            LexemeKind::Number => "33",
            LexemeKind::Text | LexemeKind::Interpolation | LexemeKind::Heredoc => "32",
            LexemeKind::Regexp => "31",
            LexemeKind::Comment | LexemeKind::BlockComment => "2",
            LexemeKind::Name | LexemeKind::Operator | LexemeKind::Sign => continue,
        };
        let (start, end) = (lexeme.span.start as usize, lexeme.span.end as usize);
        let plain = line.get(at..start).unwrap_or_default();
        let word = line.get(start..end).unwrap_or_default();
        // Writing to a text does not fail.
        _ = write!(coloured, "{plain}\x1b[{colour}m{word}\x1b[0m");
        at = end;
    }
    if coloured.is_empty() {
        return line.into();
    }
    coloured.push_str(line.get(at..).unwrap_or_default());
    coloured.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_change_no_text() {
        for line in ["$x = \"a ${b}\" # c", "if $x { 'a", "é → 'ü'", "$x = @(END)", "class a {\n  $y = 1\n}"]
        {
            let shown = coloured(line).into_owned();
            let parts = shown
                .split("\x1b[")
                .enumerate()
                .map(|(index, part)| if index == 0 { part } else { part.split_once('m').unwrap().1 });
            assert_eq!(parts.collect::<String>(), line);
        }
        assert_eq!(coloured("$x = 1"), "\x1b[36m$x\x1b[0m = \x1b[33m1\x1b[0m");
    }
}
