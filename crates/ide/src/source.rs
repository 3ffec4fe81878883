//! Texts as they are while somebody writes them: code that is not finished is understood as far as it goes.

use std::sync::Arc;

use puppetfn_base::diagnostic::Diagnostic;
use puppetfn_base::limits::Limits;
use puppetfn_base::source::LineIndex;
use puppetfn_index::FileIndex;
use puppetfn_syntax::ast::Program;
use puppetfn_syntax::{Mode, Tree, lexemes};

/// How many lines are left out of a text, at most, until the rest is code.
const MENDS: usize = 12;

/// A text and what was understood of it.
#[derive(Debug)]
pub(crate) struct Source {
    pub text: Arc<str>,
    pub mode: Mode,
    pub lines: LineIndex,
    /// Of a text of the same length, where what is not understood is blank.
    tree: Option<Arc<Tree>>,
    pub index: Arc<FileIndex>,
}

impl Source {
    pub fn new(text: &Arc<str>, mode: Mode, limits: &Limits) -> Self {
        let tree = understood(text, mode, limits);
        let index = tree.as_ref().map(|tree| FileIndex::of(tree.program())).unwrap_or_default();
        Self { text: Arc::clone(text), mode, lines: LineIndex::new(text), tree, index: Arc::new(index) }
    }

    /// Returns the syntax tree, if anything was understood.
    pub fn program(&self) -> Option<&Program<'_>> {
        self.tree.as_deref().map(Tree::program)
    }
}

/// Parses a text; where it is wrong, without the lines at which it is.
fn understood(text: &Arc<str>, mode: Mode, limits: &Limits) -> Option<Arc<Tree>> {
    let mut error = match Tree::parse(Arc::clone(text), None, mode, limits) {
        Ok(tree) => return Some(tree),
        Err(error) => error,
    };
    let mut rest = text.to_string();
    let mut before = None;
    for _ in 0..MENDS {
        let at = (Diagnostic::of_error(&error, &rest).offset as usize).min(text.len());
        let start = rest.get(..at)?.rfind('\n').map_or(0, |newline| newline + 1);
        let end = rest.get(at..)?.find('\n').map_or(rest.len(), |newline| at + newline);
        // The brackets of a line stay at first, so that what is around it remains whole.
        let is_again = before.replace(start) == Some(start);
        blank(&mut rest, start, end.min(text.len()), !is_again);
        if is_again && start > 0 {
            // What is missing may be missing at the end of the line above.
            let above = rest.get(..start - 1)?.rfind('\n').map_or(0, |newline| newline + 1);
            blank(&mut rest, above, start - 1, true);
        }
        let closed = closed(&rest, text.len(), mode);
        match Tree::parse(closed.as_str(), None, mode, limits) {
            Ok(tree) => return Some(tree),
            Err(next) => error = next,
        }
        rest = closed;
    }
    None
}

/// Writes spaces in the place of a part of a text.
fn blank(text: &mut String, start: usize, end: usize, keeps_brackets: bool) {
    let blanked: String = text
        .get(start..end)
        .unwrap_or_default()
        .chars()
        .flat_map(|c| match c {
            '{' | '}' if keeps_brackets => std::iter::repeat_n(c, 1),
            c => std::iter::repeat_n(' ', c.len_utf8()),
        })
        .collect();
    if end <= text.len() {
        text.replace_range(start..end, &blanked);
    }
}

/// Returns a text of this length with the brackets after it that it lacks.
fn closed(text: &str, length: usize, mode: Mode) -> String {
    let text = text.get(..length).unwrap_or(text);
    let mut open = Vec::new();
    for lexeme in lexemes(text, mode).map_while(Result::ok) {
        match lexeme.span.text(text) {
            "{" => open.push('}'),
            "[" => open.push(']'),
            "(" => open.push(')'),
            "}" | "]" | ")" => _ = open.pop(),
            _ => {}
        }
    }
    let missing: String = open.into_iter().rev().collect();
    // In a comment, they would be none.
    if missing.is_empty() { text.to_owned() } else { format!("{text}\n{missing}") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use puppetfn_index::Role;

    fn defined(text: &str) -> Vec<String> {
        let source = Source::new(&text.into(), Mode::default(), &Limits::DEFAULT);
        let defined = source.index.occurrences().iter().filter(|one| one.role == Role::Definition);
        defined.map(|one| one.span.text(text).to_owned()).collect()
    }

    #[test]
    fn code_around_a_mistake_is_understood() {
        assert_eq!(defined("class a($p) {\n  $x = \n  file { '/t': ensure => }\n  $y = 2\n}\n"), ["a", "p", "y"]);
        assert_eq!(defined("class a {\n  $x = 1\n  include \n"), ["a", "x"]);
        assert_eq!(defined("$é = 1\n$x = 2\n$y.\n$z = 3"), ["x", "z"]);
        assert_eq!(defined("class a {\n  if $x {\n    $y = [1,\n"), ["a"]);
        assert_eq!(defined("}}}"), [""; 0]);
    }
}
