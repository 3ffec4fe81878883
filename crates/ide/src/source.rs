//! Texts as they are while somebody writes them: code that is not finished is understood as far as it goes.

use std::ops::Range;
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
        Err(error) => Diagnostic::of_error(&error, text).offset as usize,
    };
    let mut rest = text.to_string();
    for _ in 0..MENDS {
        let mut furthest: Option<(usize, String)> = None;
        for line in lines_to_leave_out(&rest, error.min(text.len())) {
            for keeps_brackets in [false, true] {
                let mended = without(&rest, &line, keeps_brackets);
                let closed = closed(&mended, text.len(), mode);
                match Tree::parse(closed.as_str(), None, mode, limits) {
                    Ok(tree) => return Some(tree),
                    Err(next) => {
                        let next = Diagnostic::of_error(&next, &closed).offset as usize;
                        if mended != rest && furthest.as_ref().is_none_or(|(far, _)| next > *far) {
                            furthest = Some((next, mended));
                        }
                    }
                }
            }
        }
        (error, rest) = furthest?;
    }
    None
}

/// Returns the line of an error, and before it the one above if that is not finished: what comes next is not expected then.
fn lines_to_leave_out(text: &str, at: usize) -> Vec<Range<usize>> {
    let line = |at: usize| {
        let start = text.get(..at).and_then(|before| before.rfind('\n')).map_or(0, |newline| newline + 1);
        let end = text.get(at..).and_then(|rest| rest.find('\n')).map_or(text.len(), |newline| at + newline);
        start..end
    };
    let own = line(at);
    let above = text.get(..own.start).unwrap_or_default().trim_end();
    let is_first = text.get(own.start..at).is_some_and(|before| before.trim().is_empty());
    let is_unfinished = above.ends_with(['.', '=', '>', '+', '-', '*', '?', '$']);
    if above.is_empty() {
        return vec![own];
    }
    let above = line(above.len());
    if is_first && is_unfinished { vec![above, own] } else { vec![own, above] }
}

/// Returns a text of the same length with spaces in the place of a line. If it opens or closes more brackets than it
/// should, so does what can stay in its place.
fn without(text: &str, line: &Range<usize>, keeps_brackets: bool) -> String {
    let written = text.get(line.clone()).unwrap_or_default();
    let count = |bracket: char| written.matches(bracket).count();
    let mut blank = " ".repeat(written.len());
    if keeps_brackets && count('{') > count('}') && written.len() > 5 {
        blank = format!("{:width$}if 1 {{", "", width = written.len() - 6);
    } else if keeps_brackets && count('}') > count('{') {
        blank = format!("{}}}", " ".repeat(written.len() - 1));
    }
    let (before, after) = (text.get(..line.start), text.get(line.end..));
    [before.unwrap_or_default(), &blank, after.unwrap_or_default()].concat()
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
        assert_eq!(
            defined("class a($p) {\n  $x = \n  file { '/t': ensure => }\n  $y = 2\n}\n"),
            ["a", "p", "x", "y"]
        );
        assert_eq!(defined("class a {\n  $x = 1\n  include \n"), ["a", "x"]);
        assert_eq!(defined("$é = 1\n$x = 2\n$y.\n$z = 3"), ["x", "z"]);
        assert_eq!(defined("class a {\n  if $x {\n    $y = [1,\n"), ["a", "y"]);
        assert_eq!(defined("$a = 1\nservice { 'a': require => File['"), ["a"]);
        assert_eq!(defined("}}}"), [""; 0]);
    }
}
