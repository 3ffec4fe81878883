//! Heredocs: texts below the line they are used in.
//!
//! See Puppet's `pops/parser/heredoc_support.rb`.

use std::borrow::Cow;

use super::escape::{self, Escapes};
use super::interpolation::{Quote, SegmentEnd};
use super::template::TemplateState;
use super::word::variable_length;
use super::{Lexer, NextUp, Position, is_blank, is_word, refuse_byte_order_mark};
use crate::token::{HeredocTag, Token, TokenKind};
use puppetfn_base::error::Error;

/// A heredoc's text, with its options.
#[derive(Clone, Debug)]
pub(super) struct HeredocText<'s> {
    start: usize,
    /// The end of the text, before the line that ends it.
    end: usize,
    /// The indentation that is removed from the lines which have it.
    margin: &'s str,
    escapes: Escapes,
    interpolates: bool,
    /// The lexer's state after the text.
    outer: OuterLexer<'s>,
}

/// State of the lexer before a heredoc's text, restored after it.
#[derive(Clone, Debug)]
struct OuterLexer<'s> {
    text: &'s str,
    position: Position,
    braces: u32,
    template: TemplateState,
}

/// A heredoc's tag: the contents of the parentheses in `@("END":syntax/escapes)`.
struct HeredocHeader<'s> {
    name: &'s str,
    interpolates: bool,
    syntax: Option<&'s str>,
    escapes: Option<&'s str>,
}

/// The line that ends a heredoc.
struct EndLine<'s> {
    /// The space before the tag.
    indent: &'s str,
    /// `|`: the indent is not part of the text.
    has_margin: bool,
    /// `-`: the last line break is not part of the text.
    removes_break: bool,
}

impl<'s> Lexer<'s> {
    /// Reads a tag, and makes its text the next one to read.
    pub(super) fn heredoc(&mut self) -> Result<TokenKind<'s>, Error> {
        let Some(length) = self.rest().find(')') else {
            let followed_by = self.followed_by();
            let message = format!("Unclosed parenthesis after '@(' followed by '{followed_by}'");
            return Err(self.unfinished(self.at, message));
        };
        let spec = self.rest().get(2..length).unwrap_or_default();
        self.at += length + 1;
        let Some(tag) = HeredocHeader::parse(spec) else {
            return Err(
                self.error(self.at, "Invalid syntax in heredoc expected @(endtag[:syntax][/escapes])")
            );
        };
        if tag.name.is_empty() {
            return Err(self.error(self.at, "Heredoc with an empty endtag"));
        }
        let escapes = self.heredoc_escapes(&tag)?;
        let start = match self.next_line {
            Some(start) => start,
            None => match self.rest().find('\n') {
                Some(length) => self.at + length + 1,
                None => {
                    return Err(self.unfinished(self.at, "Heredoc without any following lines of text"));
                }
            },
        };
        let (end, line, next_line) = self.heredoc_end(start, tag.name)?;
        self.next_line = Some(next_line);
        let margin = if line.has_margin { line.indent } else { "" };
        let mut heredoc = HeredocText {
            start,
            end,
            margin,
            escapes,
            interpolates: tag.interpolates,
            outer: OuterLexer {
                text: self.text,
                position: self.position(),
                braces: self.braces,
                template: self.template,
            },
        };
        if line.removes_break {
            let text = self.text.get(start..end).unwrap_or_default();
            let text = text.strip_suffix('\n').map_or(text, |text| text.strip_suffix('\r').unwrap_or(text));
            heredoc.end = start + text.len();
        }
        self.next_up = NextUp::HeredocText(Box::new(heredoc));
        Ok(TokenKind::Heredoc(Box::new(HeredocTag { syntax: tag.syntax, margin })))
    }

    fn heredoc_escapes(&self, tag: &HeredocHeader<'s>) -> Result<Escapes, Error> {
        let Some(chars) = tag.escapes else { return Ok(Escapes::default()) };
        let chars = if chars.is_empty() { "trnsuL$" } else { chars };
        if chars.char_indices().any(|(at, c)| chars.get(..at).unwrap_or_default().contains(c)) {
            let chars = chars.chars().map(String::from).collect::<Vec<_>>().join(", ");
            let message = format!("An escape char for @() may only appear once. Got '{chars}'");
            return Err(self.error(self.at, message));
        }
        let mut escapes = Escapes::BACKSLASH;
        for c in chars.chars() {
            let Some(more) = "trnsuL$".contains(c).then(|| escapes.with(c)).flatten() else {
                return Err(self.error(
                    self.at,
                    format!("Invalid heredoc escape char. Only t, r, n, s,  u, L, $ allowed. Got '{c}'"),
                ));
            };
            escapes = more;
        }
        Ok(escapes)
    }

    /// Returns where the text that starts at an offset ends, the line that ends it, and where the line
    /// after that starts.
    fn heredoc_end(&self, start: usize, tag: &str) -> Result<(usize, EndLine<'s>, usize), Error> {
        let mut end = start;
        for line in self.text.get(start..).unwrap_or_default().split_inclusive('\n') {
            if let Some(end_line) = EndLine::parse(line, tag) {
                return Ok((end, end_line, end + line.len()));
            }
            end += line.len();
        }
        Err(self.unfinished(start, "Heredoc without end-tagged line"))
    }

    /// Reads a heredoc's text, or its first part.
    pub(super) fn heredoc_text(&mut self, heredoc: HeredocText<'s>) -> Result<Token<'s>, Error> {
        let start = heredoc.start;
        self.text = self.text.get(..heredoc.end).unwrap_or_default();
        self.at = start;
        self.is_line_start = false;
        self.next_line = None;
        self.template = TemplateState::None;
        self.after_operand = false;
        let text = self.rest();
        refuse_byte_order_mark(text.strip_prefix(heredoc.margin).unwrap_or(text).as_bytes())?;
        self.heredocs.push(heredoc);
        let (text, ending) = self.heredoc_part()?;
        let span = self.span(start);
        if ending == SegmentEnd::End {
            self.leave_heredoc();
            self.after_operand = true;
            return Ok(Token { kind: TokenKind::String(text), span });
        }
        self.interrupt(ending, Quote::Heredoc);
        Ok(Token { kind: TokenKind::StringStart(text), span })
    }

    /// Reads the text of a heredoc from here up to an interpolation or the end.
    pub(super) fn heredoc_part(&mut self) -> Result<(Cow<'s, str>, SegmentEnd), Error> {
        let (interpolates, escapes) = match self.heredocs.last() {
            Some(heredoc) => (heredoc.interpolates, heredoc.escapes),
            None => (false, Escapes::default()),
        };
        let start = self.at;
        let (end, ending) = if interpolates {
            self.next_interpolation(start, escapes.has('$'))
        } else {
            (self.text.len(), SegmentEnd::End)
        };
        self.at = if ending == SegmentEnd::Brace { end + 2 } else { end };
        Ok((self.unescaped(start, end, escapes, false)?, ending))
    }

    /// Returns where the text of a heredoc from an offset on is interrupted, and how. The dollar may be one
    /// that can be escaped.
    fn next_interpolation(&self, from: usize, escapable: bool) -> (usize, SegmentEnd) {
        let mut end = from;
        loop {
            let rest = self.text.get(end..).unwrap_or_default();
            let Some(length) = (if escapable { escape::unquoted(rest) } else { rest.find('$') }) else {
                return (self.text.len(), SegmentEnd::End);
            };
            end += length;
            let behind = self.text.get(end + 1..).unwrap_or_default();
            if behind.starts_with('{') {
                return (end, SegmentEnd::Brace);
            }
            if variable_length(behind) > 0 {
                return (end, SegmentEnd::Variable);
            }
            // Just a dollar.
            end += 1;
        }
    }

    /// Goes back to just after the tag of the innermost heredoc.
    pub(super) fn leave_heredoc(&mut self) {
        if let Some(HeredocText { outer, .. }) = self.heredocs.pop() {
            self.text = outer.text;
            self.at = outer.position.at;
            self.is_line_start = false;
            self.next_line = outer.position.next_line;
            self.braces = outer.braces;
            self.template = outer.template;
        }
    }

    /// Returns a part of the text, without the margin of the heredoc that it is in.
    pub(super) fn without_margins(&self, start: usize, end: usize) -> Cow<'s, str> {
        let text = self.text.get(start..end).unwrap_or_default();
        let Some(heredoc) = self.heredocs.last().filter(|heredoc| !heredoc.margin.is_empty()) else {
            return Cow::Borrowed(text);
        };
        let strip = |line: &'s str| line.strip_prefix(heredoc.margin).unwrap_or(line);
        let mut lines = text.split_inclusive('\n');
        let first = lines.next().unwrap_or_default();
        let mut stripped = Cow::Borrowed(if start == heredoc.start { strip(first) } else { first });
        for line in lines {
            stripped.to_mut().push_str(strip(line));
        }
        stripped
    }
}

impl<'s> HeredocHeader<'s> {
    /// `name:syntax/escapes`; `None` if it has another form.
    fn parse(spec: &'s str) -> Option<Self> {
        let (rest, escapes) = match spec.split_once('/') {
            Some((rest, escapes)) => (rest, Some(escapes.trim_end_matches(is_blank))),
            None => (spec, None),
        };
        let (name, syntax) = match rest.split_once(':') {
            Some((name, syntax)) => (name, Some(syntax.trim_matches(is_blank))),
            None => (rest, None),
        };
        let is_syntax = |syntax: &str| {
            syntax.len() > 1
                && syntax.starts_with(|c: char| c.is_ascii_lowercase())
                && syntax.bytes().all(|byte| is_word(byte) || byte == b'+')
        };
        if name.is_empty()
            || name.contains(['\r', '\n'])
            || !syntax.is_none_or(is_syntax)
            || !escapes.is_none_or(|escapes| escapes.bytes().all(|byte| is_word(byte) || byte == b'$'))
        {
            return None;
        }
        let name = trim(name);
        let quoted = name.strip_prefix('"').and_then(|name| name.strip_suffix('"'));
        Some(Self { name: trim(quoted.unwrap_or(name)), interpolates: quoted.is_some(), syntax, escapes })
    }
}

impl<'s> EndLine<'s> {
    /// `| - END`, of which only the tag has to be there; `None` if the line does not end with it.
    fn parse(line: &'s str, tag: &str) -> Option<Self> {
        let line = line.strip_suffix('\n').unwrap_or(line);
        let line = line.strip_suffix('\r').unwrap_or(line).trim_end_matches(is_blank);
        let mut before = line.strip_suffix(tag)?;
        let mut strip = |mark: char| match before.trim_end_matches(is_blank).strip_suffix(mark) {
            Some(rest) => {
                before = rest;
                true
            }
            None => false,
        };
        let removes_break = strip('-');
        let has_margin = strip('|');
        let indent = before.get(before.trim_end_matches(is_blank).len()..).unwrap_or_default();
        Some(Self { indent, has_margin, removes_break })
    }
}

/// Trims the same characters as Ruby's `strip`.
fn trim(text: &str) -> &str {
    text.trim_start_matches(|c: char| matches!(c, '\0' | '\t'..='\r' | ' '))
        .trim_end_matches(|c: char| matches!(c, '\0' | '\t'..='\r' | ' '))
}
