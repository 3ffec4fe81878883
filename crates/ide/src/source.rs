//! Current texts: the parser recovers from incomplete code.

use std::sync::{Arc, OnceLock};

use puppetfn_base::limits::Limits;
use puppetfn_base::source::LineIndex;
use puppetfn_index::FileIndex;
use puppetfn_syntax::ast::Program;
use puppetfn_syntax::{Mode, Tree};

/// A text with its syntax tree and its names.
#[derive(Debug)]
pub(crate) struct AnalyzedText {
    tree: Arc<Tree>,
    index: OnceLock<Arc<FileIndex>>,
}

impl AnalyzedText {
    /// Parses the text of a file, once for all requests.
    pub fn new(text: &Arc<str>, file: Option<Arc<str>>, mode: Mode, limits: &Limits) -> Self {
        let tree = Tree::recover(Arc::clone(text), file, mode, limits);
        Self { tree, index: OnceLock::new() }
    }

    pub fn tree(&self) -> &Arc<Tree> {
        &self.tree
    }

    pub fn text(&self) -> &Arc<str> {
        self.tree.text()
    }

    pub fn mode(&self) -> Mode {
        self.tree.mode()
    }

    pub fn lines(&self) -> &LineIndex {
        self.tree.lines()
    }

    pub fn program(&self) -> &Program<'_> {
        self.tree.program()
    }

    /// Returns the names in the text.
    pub fn index(&self) -> &Arc<FileIndex> {
        self.index.get_or_init(|| Arc::new(FileIndex::of(self.tree.program())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use puppetfn_index::Role;

    fn defined(text: &str) -> Vec<String> {
        let source = AnalyzedText::new(&text.into(), None, Mode::default(), &Limits::DEFAULT);
        let defined = source.index().occurrences().iter().filter(|one| one.role == Role::Definition);
        defined.map(|one| one.span.text(text).to_owned()).collect()
    }

    #[test]
    fn code_around_a_mistake_is_understood() {
        assert_eq!(
            defined("class a($p) {\n  $x = \n  file { '/t': ensure => }\n  $y = 2\n}\n"),
            ["a", "p", "x", "/t", "y"]
        );
        assert_eq!(defined("class a {\n  $x = 1\n  include \n"), ["a", "x"]);
        assert_eq!(defined("$é = 1\n$x = 2\n$y.\n$z = 3"), ["x", "z"]);
        assert_eq!(defined("class a {\n  if $x {\n    $y = [1,\n"), ["a", "y"]);
        assert_eq!(defined("$a = 1\nservice { 'a': require => File['"), ["a", "a"]);
        assert_eq!(defined("}}}"), [""; 0]);
    }
}
