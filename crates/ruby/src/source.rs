//! The text of a Ruby file: its lines, and its comments.

use std::collections::BTreeMap;

use puppetfn_doc::Comment;
use ruby_prism::{CommentType, ParseResult};

use crate::tree::RubyNode;

/// A Ruby file.
pub struct RubyText {
    /// The path, for messages.
    pub path: String,
    text: String,
    /// Offsets of the lines, in bytes.
    starts: Vec<usize>,
    /// Its comments, by their last lines.
    comments: BTreeMap<usize, CommentLines>,
}

/// Lines of comments, one right below the other, without the marks.
struct CommentLines {
    text: String,
    first: usize,
    column: usize,
}

impl RubyText {
    /// Takes the comments of a file whose code starts at `code`, in bytes.
    pub fn new(path: &str, text: &str, parsed: &ParseResult<'_>, code: usize) -> Self {
        let starts = [0].into_iter().chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
        let mut source =
            Self { path: path.to_owned(), text: text.to_owned(), starts, comments: BTreeMap::new() };
        for comment in parsed.comments() {
            let location = comment.location();
            let (start, end) = (location.start() as usize, location.end() as usize);
            let written = text.get(start..end).unwrap_or_default();
            match comment.type_() {
                CommentType::EmbDocComment => source.add_document(start, written),
                CommentType::InlineComment => source.add_line(start, written, start >= code),
            }
        }
        source
    }

    /// Returns the line that a place is in, counted from 1.
    pub fn line(&self, at: usize) -> u32 {
        u32::try_from(self.line_of(at)).unwrap_or(u32::MAX)
    }

    fn line_of(&self, at: usize) -> usize {
        self.starts.partition_point(|start| *start <= at)
    }

    /// Returns the text of a line, which is counted from 1.
    fn text_of(&self, line: usize) -> &str {
        let Some(start) = line.checked_sub(1).and_then(|index| self.starts.get(index)) else { return "" };
        let end = self.starts.get(line).copied().unwrap_or(self.text.len());
        self.text.get(*start..end).unwrap_or_default()
    }

    fn column(&self, at: usize) -> usize {
        let start = self.line_of(at).checked_sub(1).and_then(|index| self.starts.get(index));
        at.saturating_sub(start.copied().unwrap_or_default())
    }

    /// Adds a comment of one line, unless code precedes it on the line or it is a magic comment.
    fn add_line(&mut self, start: usize, written: &str, is_below_code: bool) {
        let (line, column) = (self.line_of(start), self.column(start));
        let stands_alone = self.text_of(line).get(..column).is_some_and(|before| before.trim().is_empty());
        if !stands_alone || !is_below_code && is_magic(written) {
            return;
        }
        let written = written.trim_end_matches(['\r', '\n']);
        let said = if is_directive(written) { "" } else { without_mark(written) };
        let above = line
            .checked_sub(1)
            .filter(|above| self.comments.get(above).is_some_and(|lines| lines.column == column));
        let lines = match above.and_then(|above| self.comments.remove(&above)) {
            Some(above) => CommentLines { text: format!("{}\n{said}", above.text), ..above },
            None => CommentLines { text: said.to_owned(), first: line, column },
        };
        self.comments.insert(line, lines);
    }

    /// Adds a comment between `=begin` and `=end`.
    fn add_document(&mut self, start: usize, written: &str) {
        let first = self.line_of(start);
        let text = written.split_inclusive('\n').skip(1);
        let text: String = text.take_while(|line| !line.starts_with("=end")).collect();
        let last = first + written.trim_end_matches('\n').matches('\n').count();
        self.comments.insert(last, CommentLines { text, first: first + 1, column: 0 });
    }

    /// Returns the comment that documents the declaration on a line: directly above it, or separated by one empty line. If
    /// there is none, the comment is empty and has the declaration's line.
    pub fn comment_above(&self, line: u32) -> Comment {
        self.lines_above(line).map_or_else(
            || Comment { text: String::new(), line },
            |lines| Comment { text: lines.text.clone(), line: u32::try_from(lines.first).unwrap_or(line) },
        )
    }

    /// Returns the text of the comment above a line, if there is one.
    pub fn text_above(&self, line: u32) -> Option<String> {
        self.lines_above(line).map(|lines| lines.text.clone())
    }

    fn lines_above(&self, line: u32) -> Option<&CommentLines> {
        let above = (line as usize).checked_sub(1)?;
        let is_apart = || self.text_of(above).trim().is_empty();
        self.comments.get(&above).or_else(|| self.comments.get(&above.checked_sub(1)?).filter(|_| is_apart()))
    }

    /// Returns the text of a node.
    pub fn text(&self, node: &RubyNode) -> &str {
        self.text.get(node.start..node.end).unwrap_or_default()
    }

    /// Returns the text between two places, indented no more than its last line is.
    pub fn text_between(&self, start: usize, end: usize) -> String {
        let last = self.text_of(self.line_of(end.saturating_sub(1)));
        let indent = last.len() - last.trim_start_matches([' ', '\t']).len();
        let indent = last.get(..indent).unwrap_or_default();
        let text = self.text.get(start..end).unwrap_or_default();
        text.split_inclusive('\n').map(|line| line.strip_prefix(indent).unwrap_or(line)).collect()
    }
}

/// Returns true if a comment above all code is a magic comment of Ruby's.
fn is_magic(comment: &str) -> bool {
    let said = comment.trim_start_matches('#');
    let start = said.trim_start().to_ascii_lowercase();
    let is_frozen =
        ["frozen_string_literal:", "frozen-string-literal:"].iter().any(|word| start.starts_with(word));
    said.starts_with('!')
        || start.starts_with("-*-")
        || is_frozen
        || start.contains("coding:")
        || start.contains("coding=")
}

/// Returns true if a comment is a directive for other programs.
fn is_directive(comment: &str) -> bool {
    let said = comment.strip_prefix('#').unwrap_or(comment).trim_start();
    ["vi:", "vim:", "ex:", "rubocop:", ":nocov:", "steep:", "sorbet:"]
        .iter()
        .any(|word| said.starts_with(word))
}

fn without_mark(comment: &str) -> &str {
    let said = comment.trim_start_matches('#');
    said.strip_prefix(char::is_whitespace).unwrap_or(said)
}

/// Returns a text that is indented like the code around it, on the first line maybe less, without that.
pub fn unindented(text: &str) -> String {
    let lines: Vec<&str> =
        if text.trim().contains('\n') { text.split_inclusive('\n').collect() } else { vec![text] };
    let Some((first, others)) = lines.split_first() else { return String::new() };
    let indent = others
        .iter()
        .filter(|line| !line.trim().is_empty())
        .map(|line| indentation(line))
        .min_by_key(|indent| indent.len());
    let indent = indent.unwrap_or_default();
    let mut found = vec![first.trim()];
    found.extend(others.iter().map(|line| line.strip_prefix(indent).unwrap_or(line).trim_end()));
    found.join("\n").trim().to_owned()
}

fn indentation(line: &str) -> &str {
    let length = line.len() - line.trim_start_matches([' ', '\t']).len();
    line.get(..length).unwrap_or_default()
}
