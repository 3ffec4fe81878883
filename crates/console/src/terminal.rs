//! Input from a terminal.
#![allow(
    clippy::disallowed_methods,
    reason = "the user's variables name the editor and the directory of the history"
)]

use std::collections::VecDeque;
use std::env;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use puppetfn_base::limits::Limits;
use puppetfn_compile::CompileOptions;
use rustyline::error::ReadlineError;
use rustyline::history::FileHistory;
use rustyline::{ColorMode, CompletionType, Config, Editor};

use crate::engine::CompletionEngine;
use crate::frontend::{ConsoleEntry, ConsoleInput};
use crate::line_helper::LineHelper;
use crate::lines::entries;

/// The maximum number of entries in the history.
const HISTORY_SIZE: usize = 1_000;

/// A person at a terminal: entries are edited, with a history, completion and colours.
pub struct TerminalInput {
    editor: Editor<LineHelper, FileHistory>,
    limits: Limits,
    /// The file of the history.
    history: Option<PathBuf>,
    /// The line of the next entry, from 1.
    line: u32,
    /// The rest of the last entry.
    pending: VecDeque<ConsoleEntry>,
}

impl TerminalInput {
    /// Creates the input of the process's terminal.
    ///
    /// # Errors
    /// Fails if the terminal cannot be used.
    pub fn new(limits: Limits, colours: bool, keeps_history: bool) -> io::Result<Self> {
        let mode = if colours { ColorMode::Enabled } else { ColorMode::Disabled };
        let config = Config::builder()
            .max_history_size(HISTORY_SIZE)
            .and_then(|config| config.history_ignore_dups(true))
            .map_err(io::Error::other)?
            .history_ignore_space(true)
            .completion_type(CompletionType::List)
            .color_mode(mode)
            .build();
        let mut editor = Editor::with_config(config).map_err(io::Error::other)?;
        editor.set_helper(Some(LineHelper::new(limits, colours)));
        let history = history_file().filter(|_| keeps_history);
        if let Some(file) = &history {
            // There is none at the first start.
            _ = editor.load_history(file);
        }
        Ok(Self { editor, limits, history, line: 1, pending: VecDeque::new() })
    }

    /// Reads lines up to the end of a statement. Returns `None` if the user gives them up.
    fn read_lines(&mut self, prompt: &str) -> io::Result<Option<String>> {
        let width = self.editor.dimensions().map_or(80, |(columns, _)| usize::from(columns));
        let prompt = format!("{prompt}:{}> ", self.line);
        if let Some(helper) = self.editor.helper_mut() {
            helper.width = width.saturating_sub(prompt.len());
        }
        match self.editor.readline(&prompt) {
            Ok(lines) => Ok(Some(lines)),
            Err(ReadlineError::Interrupted | ReadlineError::Signal(_)) => Ok(Some(String::new())),
            Err(ReadlineError::Eof) => Ok(None),
            Err(ReadlineError::Io(error)) => Err(error),
            Err(error) => Err(io::Error::other(error)),
        }
    }

    /// Adds an entry to the history, and to its file. A history that cannot be written is lost.
    fn remember(&mut self, entry: &str) {
        let Ok(true) = self.editor.add_history_entry(entry) else { return };
        let Some(file) = &self.history else { return };
        if file.parent().is_some_and(|directory| fs::create_dir_all(directory).is_ok()) {
            _ = self.editor.append_history(file);
        }
    }

    fn helper(&mut self) -> Option<&mut LineHelper> {
        self.editor.helper_mut()
    }
}

impl ConsoleInput for TerminalInput {
    fn read(&mut self, prompt: &str) -> io::Result<ConsoleEntry> {
        loop {
            if let Some(entry) = self.pending.pop_front() {
                return Ok(entry);
            }
            let Some(lines) = self.read_lines(prompt)? else { return Ok(ConsoleEntry::End) };
            if lines.trim().is_empty() {
                continue;
            }
            self.remember(lines.trim_end());
            let cut = entries(&lines, self.line, self.limits)?;
            self.line = cut.next_line;
            self.pending = cut.entries.into();
        }
    }

    fn name(&self) -> &'static str {
        "<console>"
    }

    fn is_interactive(&self) -> bool {
        true
    }

    fn begin(&mut self, options: &CompileOptions) {
        // Code can be evaluated without completions, too.
        let engine = CompletionEngine::start(options).unwrap_or_else(|_| CompletionEngine::empty());
        if let Some(helper) = self.helper() {
            helper.engine = engine;
            helper.facts = options.facts.clone();
        }
    }

    fn evaluated(&mut self, text: &str) {
        if let Some(helper) = self.helper() {
            helper.engine.add(text);
        }
    }

    fn set_variables(&mut self, names: Vec<Arc<str>>) {
        if let Some(helper) = self.helper() {
            helper.engine.set_variables(names);
        }
    }

    fn edit(&mut self, file: Option<&Path>, text: &str) -> io::Result<String> {
        let mut copy = tempfile::Builder::new().prefix("puppetfn-").suffix(".pp").tempfile()?;
        copy.write_all(text.as_bytes())?;
        let file = file.unwrap_or(copy.path());
        let editor = ["VISUAL", "EDITOR"].into_iter().filter_map(|name| env::var(name).ok());
        let editor = editor.into_iter().find(|editor| !editor.trim().is_empty());
        let editor = editor.unwrap_or_else(|| "vi".to_owned());
        // The variables have a command with options.
        let status = Command::new("sh").args(["-c", &format!("{editor} \"$1\""), "sh"]).arg(file).status()?;
        if !status.success() {
            return Err(io::Error::other(format!("{editor}: {status}")));
        }
        let text = fs::read_to_string(file)?;
        self.remember(text.trim_end());
        Ok(text)
    }
}

/// Returns the file of the history, in the directory for state of the XDG Base Directory Specification.
fn history_file() -> Option<PathBuf> {
    let absolute = |name: &str| env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let state = absolute("XDG_STATE_HOME").or_else(|| Some(absolute("HOME")?.join(".local/state")))?;
    Some(state.join("puppetfn").join("console_history"))
}
