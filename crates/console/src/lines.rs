//! Input line by line.

use std::io::{self, BufRead, Write};

use puppetfn_base::limits::Limits;

use crate::frontend::{ConsoleEntry, ConsoleInput};
use crate::statements::{GrowingText, Verdict, continues, is_command};

/// The prompt for the lines of a statement after the first.
const CONTINUATION: &str = "...";

/// Lines of a file, a pipe or a terminal. Lines up to a complete statement are one entry, with the lines after it that can only continue
/// it, so that the code means the same as in a manifest. A person at a terminal gets the result of a complete statement at once.
#[derive(Debug)]
pub struct LineInput<R> {
    lines: io::Lines<R>,
    /// The line that was read ahead.
    next: Option<String>,
    /// The number of lines that were returned.
    line: u32,
    limits: Limits,
    is_interactive: bool,
    /// Whether the last entry ended too early.
    is_unfinished: bool,
}

impl<R: BufRead> LineInput<R> {
    /// Creates the input of a reader.
    pub fn new(reader: R, limits: Limits) -> Self {
        Self {
            lines: reader.lines(),
            next: None,
            line: 0,
            limits,
            is_interactive: false,
            is_unfinished: false,
        }
    }

    /// Creates the input of a terminal: it prints prompts to standard error.
    pub fn interactive(reader: R, limits: Limits) -> Self {
        Self { is_interactive: true, ..Self::new(reader, limits) }
    }

    fn prompt(&self, prompt: &str) -> io::Result<()> {
        if self.is_interactive {
            let mut terminal = io::stderr().lock();
            write!(terminal, "{prompt}> ")?;
            terminal.flush()?;
        }
        Ok(())
    }

    fn peek(&mut self) -> io::Result<Option<&str>> {
        if self.next.is_none() {
            self.next = self.lines.next().transpose()?;
        }
        Ok(self.next.as_deref())
    }

    fn take(&mut self) -> io::Result<Option<String>> {
        self.peek()?;
        self.line = self.line.saturating_add(u32::from(self.next.is_some()));
        Ok(self.next.take())
    }

    /// Returns true if the next line can only continue the statement before it.
    fn goes_on(&mut self) -> io::Result<bool> {
        Ok(!self.is_interactive && self.peek()?.is_some_and(continues))
    }
}

impl<R: BufRead> ConsoleInput for LineInput<R> {
    fn read(&mut self, prompt: &str) -> io::Result<ConsoleEntry> {
        let mut text = GrowingText::default();
        let mut begin = 1;
        let mut state = Verdict::Empty;
        self.prompt(prompt)?;
        while let Some(line) = self.take()? {
            if state == Verdict::Empty && is_command(&line) {
                return Ok(ConsoleEntry::Command(line.trim().to_owned()));
            }
            if text.text().is_empty() {
                begin = self.line;
            }
            state = text.push(&line, &self.limits);
            let ends = match state {
                Verdict::Complete => !self.goes_on()?,
                Verdict::Wrong => true,
                Verdict::Empty | Verdict::Unfinished => false,
            };
            if ends {
                break;
            }
            self.prompt(if state == Verdict::Empty { prompt } else { CONTINUATION })?;
        }
        self.is_unfinished = state == Verdict::Unfinished;
        Ok(match state {
            Verdict::Empty => ConsoleEntry::End,
            Verdict::Complete | Verdict::Unfinished | Verdict::Wrong => {
                ConsoleEntry::Code { text: text.take(), line: begin }
            }
        })
    }

    fn name(&self) -> &'static str {
        "<stdin>"
    }

    fn is_interactive(&self) -> bool {
        self.is_interactive
    }
}

/// The entries of a text.
pub(crate) struct CutText {
    pub entries: Vec<ConsoleEntry>,
    /// Whether the last entry ends too early.
    pub is_unfinished: bool,
    /// The line after the text.
    pub next_line: u32,
}

/// Cuts a text that begins at a line into entries.
pub(crate) fn entries(text: &str, line: u32, limits: Limits) -> io::Result<CutText> {
    let mut input = LineInput { line: line.saturating_sub(1), ..LineInput::new(text.as_bytes(), limits) };
    let (mut entries, mut is_unfinished) = (Vec::new(), false);
    loop {
        match input.read("")? {
            ConsoleEntry::End => break,
            entry @ (ConsoleEntry::Code { .. } | ConsoleEntry::Command(_)) => entries.push(entry),
        }
        is_unfinished = input.is_unfinished;
    }
    Ok(CutText { entries, is_unfinished, next_line: input.line.saturating_add(1) })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entries(text: &str) -> Vec<ConsoleEntry> {
        let mut input = LineInput::new(text.as_bytes(), Limits::DEFAULT);
        std::iter::from_fn(|| Some(input.read("").unwrap()).filter(|entry| *entry != ConsoleEntry::End))
            .collect()
    }

    fn code(text: &str, line: u32) -> ConsoleEntry {
        ConsoleEntry::Code { text: text.to_owned(), line }
    }

    #[test]
    fn statements_end_where_the_parser_says() {
        assert_eq!(
            entries("$x = [\n  1,\n]\n# Doc.\nfunction f() {\n}\n:ls\n\nif $x { 1 }\nelse { 2 }\n3"),
            [
                code("$x = [\n  1,\n]\n", 1),
                code("# Doc.\nfunction f() {\n}\n", 4),
                ConsoleEntry::Command(":ls".to_owned()),
                code("\nif $x { 1 }\nelse { 2 }\n", 8),
                code("3\n", 11),
            ]
        );
    }

    #[test]
    fn a_person_gets_results_at_once() {
        let mut input = LineInput::interactive("if $x { 1 }\nelse".as_bytes(), Limits::DEFAULT);
        assert_eq!(input.read("").unwrap(), code("if $x { 1 }\n", 1));
        assert!(input.is_interactive());
    }

    #[test]
    fn an_error_ends_a_statement() {
        assert_eq!(entries("$x = )\n1\n'a"), [code("$x = )\n", 1), code("1\n", 2), code("'a\n", 3)]);
    }
}
