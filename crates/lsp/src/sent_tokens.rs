//! The semantic tokens that the editor has.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::path::{Path, PathBuf};

use lsp_types::{SemanticToken, SemanticTokens, SemanticTokensEdit};

/// The tokens that the editor has, by document.
#[derive(Default)]
pub(crate) struct SentTokens {
    count: Cell<u64>,
    files: RefCell<HashMap<PathBuf, SemanticTokens>>,
}

impl SentTokens {
    /// Numbers the tokens of a document that are sent now, and returns the ones that were sent before. Documents that are not kept are
    /// forgotten.
    pub fn replace(
        &self,
        path: &Path,
        tokens: &mut SemanticTokens,
        is_kept: impl Fn(&Path) -> bool,
    ) -> Option<SemanticTokens> {
        let count = self.count.get().wrapping_add(1);
        self.count.set(count);
        tokens.result_id = Some(count.to_string());
        let mut files = self.files.borrow_mut();
        files.retain(|path, _| is_kept(path));
        files.insert(path.to_owned(), tokens.clone())
    }
}

/// Returns the edit that turns tokens into others: it replaces the tokens between the first and the last difference.
pub(crate) fn difference(before: &[SemanticToken], after: &[SemanticToken]) -> Vec<SemanticTokensEdit> {
    /// The number of integers of a token.
    const TOKEN: u32 = 5;
    let same = |(one, other): &(&SemanticToken, &SemanticToken)| one == other;
    let first = before.iter().zip(after).take_while(same).count();
    let (before, after) = (before.get(first..).unwrap_or_default(), after.get(first..).unwrap_or_default());
    let last = before.iter().rev().zip(after.iter().rev()).take_while(same).count();
    let (removed, added) = (before.len() - last, after.get(..after.len() - last).unwrap_or_default());
    if removed == 0 && added.is_empty() {
        return Vec::new();
    }
    let data = Some(added.to_vec()).filter(|added| !added.is_empty());
    vec![SemanticTokensEdit { start: first as u32 * TOKEN, delete_count: removed as u32 * TOKEN, data }]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(lengths: &[u32]) -> Vec<SemanticToken> {
        let token = |length: &u32| SemanticToken { length: *length, ..SemanticToken::default() };
        lengths.iter().map(token).collect()
    }

    #[test]
    fn a_difference_turns_tokens_into_others() {
        for (before, after) in [
            (&[1, 2, 3][..], &[1, 2, 3][..]),
            (&[1, 2, 3], &[1, 3]),
            (&[1, 3], &[1, 2, 3]),
            (&[1, 1], &[1, 1, 1]),
            (&[1, 2, 3], &[4, 5]),
            (&[], &[1]),
            (&[1], &[]),
        ] {
            let mut edited = tokens(before);
            let edits = difference(&tokens(before), &tokens(after));
            assert_eq!(edits.is_empty(), before == after);
            for edit in edits {
                let start = edit.start as usize / 5;
                let end = start + edit.delete_count as usize / 5;
                edited.splice(start..end, edit.data.unwrap_or_default());
            }
            assert_eq!(edited, tokens(after));
        }
    }
}
