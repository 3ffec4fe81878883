//! The comments that puppet-lint heeds: `lint:ignore:NAME` and `lint:endignore`.
//!
//! Behind code, such a comment is about its line; on a line of its own, about the lines up to the matching
//! `lint:endignore`. Errors are reported nevertheless: certain failures are no matter of style.

use std::ops::RangeInclusive;

use super::finding::Finding;
use puppetfn_base::diagnostic::Severity;
use puppetfn_syntax::{Tree, lexemes};

/// The lines in which a check is not reported.
struct IgnoredCheck<'s> {
    /// The name of the check in puppet-lint.
    name: &'s str,
    lines: RangeInclusive<u32>,
}

/// Returns the findings that no comment of puppet-lint's suppresses.
pub(super) fn without_ignored(found: Vec<Finding>, tree: &Tree) -> Vec<Finding> {
    if found.is_empty() || tree.mode().template || !tree.text().contains("lint:ignore:") {
        return found;
    }
    let ignored = ignored(tree);
    let is_ignored = |finding: &Finding| {
        let (line, _) = tree.lines().position(tree.text(), finding.span.start);
        ignored.iter().any(|ignored| ignored.lines.contains(&line) && is_about(ignored.name, finding))
    };
    found.into_iter().filter(|finding| !is_ignored(finding)).collect()
}

/// Returns true if a check with this name reports the finding, as a warning.
fn is_about(name: &str, finding: &Finding) -> bool {
    let is_named = name == finding.rule.name() || finding.rule.puppet_lint_names().contains(&name);
    is_named && finding.severity != Severity::Error
}

fn ignored(tree: &Tree) -> Vec<IgnoredCheck<'_>> {
    let text: &str = tree.text();
    let mut ignored = Vec::new();
    // The comments that begin blocks and have not ended: the names and the line of each.
    let mut open: Vec<(Vec<&str>, u32)> = Vec::new();
    let mut is_first = true;
    for lexeme in lexemes(text, tree.mode()).map_while(Result::ok) {
        let is_behind_code = lexeme.breaks == 0 && !is_first;
        is_first = false;
        if !lexeme.kind.is_comment() {
            continue;
        }
        let (line, _) = tree.lines().position(text, lexeme.span.start);
        let mut names = Vec::new();
        for word in words(lexeme.span.text(text)) {
            match word.strip_prefix("lint:ignore:") {
                Some(name) => names.push(name),
                None => {
                    let (ended, begin) = open.pop().unwrap_or_default();
                    ignored.extend(ended.into_iter().map(|name| IgnoredCheck { name, lines: begin..=line }));
                }
            }
        }
        if is_behind_code {
            ignored.extend(names.into_iter().map(|name| IgnoredCheck { name, lines: line..=line }));
        } else if !names.is_empty() {
            open.push((names, line));
        }
    }
    ignored
}

/// Returns the words of a comment that control puppet-lint. The rest is the reason.
fn words(comment: &str) -> impl Iterator<Item = &str> {
    let content = comment.trim_start_matches(['#', '/', '*']).trim_end_matches(['/', '*']);
    content
        .split_whitespace()
        .take_while(|word| word.starts_with("lint:ignore:") || word.starts_with("lint:endignore"))
}

#[cfg(test)]
mod tests {
    use super::super::rule::Rule;
    use super::*;
    use puppetfn_base::limits::Limits;
    use puppetfn_base::source::Span;
    use puppetfn_syntax::Mode;

    /// Returns the lines of a text in which quoted booleans are still reported.
    fn reported(text: &str) -> Vec<u32> {
        let tree = Tree::recover(text, None, Mode::default(), &Limits::DEFAULT);
        let starts = tree.lines().starts().to_vec();
        let found = starts.iter().map(|start| Finding::new(Rule::QuotedBooleans, "", Span::at(*start)));
        let left = without_ignored(found.collect(), &tree);
        left.iter().map(|finding| tree.lines().position(text, finding.span.start).0).collect()
    }

    #[test]
    fn comments_are_about_their_line_or_a_block() {
        assert_eq!(reported("$a = 1\n$b = 2 # lint:ignore:quoted_booleans -- why\n$c = 3"), [1, 3]);
        let block =
            "$a = 1\n# lint:ignore:140chars lint:ignore:quoted_booleans\n$b = 2\n# lint:endignore\n$c = 3";
        assert_eq!(reported(block), [1, 5]);
        let nested = "# lint:ignore:quoted_booleans\n# lint:ignore:140chars\n$b = 2\n# lint:endignore\n$c = 3\n# lint:endignore\n$d = 1";
        assert_eq!(reported(nested), [7]);
        assert_eq!(reported("$a = '# lint:ignore:quoted_booleans'\n$b = 1"), [1, 2]);
        assert_eq!(reported("# lint:ignore:quoted_booleans\n$b = 1"), [1, 2]);
    }
}
