//! Code in documentation: the blocks of Markdown that are marked `puppet`.
#![allow(clippy::disallowed_methods, reason = "the user names these files and directories")]
#![allow(clippy::wildcard_enum_match_arm, reason = "only code blocks of Markdown are checked")]

use std::ops::Range;
use std::path::{Path, PathBuf};

use pulldown_cmark::{CodeBlockKind, Event, Parser, Tag, TagEnd};
use puppetfn_project::is_markdown;
use walkdir::{DirEntry, WalkDir};

/// Returns the documentation below a directory: `README.md`, `REFERENCE.md` and the files in directories `docs`.
pub(super) fn files(directory: &Path) -> Vec<PathBuf> {
    let is_searched = |entry: &DirEntry| {
        let name = entry.file_name();
        entry.depth() == 0 || !name.as_encoded_bytes().starts_with(b".") && name != "fixtures"
    };
    let is_documentation = |path: &Path| {
        let within = path.strip_prefix(directory).unwrap_or(path);
        let is_named = path.file_name().is_some_and(|name| {
            name.eq_ignore_ascii_case("README.md") || name.eq_ignore_ascii_case("REFERENCE.md")
        });
        is_markdown(path) && (is_named || within.components().any(|part| part.as_os_str() == "docs"))
    };
    WalkDir::new(directory)
        .sort_by_file_name()
        .into_iter()
        .filter_entry(is_searched)
        .filter_map(Result::ok)
        .filter(|entry| entry.file_type().is_file() && is_documentation(entry.path()))
        .map(DirEntry::into_path)
        .collect()
}

/// A block of code.
pub(super) struct CodeBlock {
    /// The code, with blanks in place of the text before it, so that offsets are the same in both.
    pub code: String,
    /// Whether something is left out, with lines of dots.
    pub is_partial: bool,
}

/// Returns the blocks of code of a text.
pub(super) fn blocks(text: &str) -> Vec<CodeBlock> {
    let mut blocks = Vec::new();
    let mut open: Option<CodeBlock> = None;
    for (event, range) in Parser::new(text).into_offset_iter() {
        match event {
            Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(info))) if info.trim() == "puppet" => {
                open = Some(CodeBlock { code: String::new(), is_partial: false });
            }
            Event::Text(_) => {
                if let Some(block) = &mut open {
                    block.add(text, range);
                }
            }
            Event::End(TagEnd::CodeBlock) => blocks.extend(open.take()),
            _ => {}
        }
    }
    blocks
}

impl CodeBlock {
    /// Adds a part of a text, at its place.
    fn add(&mut self, text: &str, range: Range<usize>) {
        let blank = |byte: u8| if byte == b'\n' { '\n' } else { ' ' };
        let before = text.get(self.code.len()..range.start).unwrap_or_default();
        self.code.extend(before.bytes().map(blank));
        for line in text.get(range).unwrap_or_default().split_inclusive('\n') {
            if matches!(line.trim(), "..." | "…" | "[...]") {
                self.is_partial = true;
                self.code.extend(line.bytes().map(blank));
            } else {
                self.code.push_str(line);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_where_they_are_in_the_text() {
        let text = "# é\n\n```puppet\n$a = 'é'\n```\n\n```ruby\nb\n```\n\n- x\n\n  ```puppet\n  $c = 1\n    $d = 2\n  ```\n\n> ```puppet\n> $e\n> ```\n";
        let found: Vec<String> = blocks(text).into_iter().map(|block| block.code).collect();
        let places: Vec<_> = ["$a = 'é'", "$c = 1", "$e"].iter().map(|code| text.find(code)).collect();
        assert_eq!(found.iter().map(|block| block.find('$')).collect::<Vec<_>>(), places);
        assert_eq!(found[1].trim(), "$c = 1\n    $d = 2");
        assert!(blocks("```puppet reported\n$a\n```\n    $b\n").is_empty());
        let partial = blocks("```puppet\n$a\n  ...\n$b\n```\n").remove(0);
        assert!(partial.is_partial && !partial.code.contains('.'), "{}", partial.code);
    }
}
