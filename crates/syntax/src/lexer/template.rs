//! Templates: texts with code in tags.
//!
//! See Puppet's `pops/parser/epp_support.rb`.

use std::borrow::Cow;

use super::{Lexer, NextUp};
use crate::token::{Token, TokenKind};
use puppetfn_base::error::Error;

/// Part of a template that the lexer is in.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum TemplateState {
    /// Not a template.
    #[default]
    None,
    /// The text outside of tags.
    Text,
    /// Code in `<% %>`.
    Code,
    /// An expression in `<%= %>`.
    Rendered,
}

impl TemplateState {
    /// Returns true if code is read that a `%>` ends.
    pub fn is_tag(self) -> bool {
        matches!(self, Self::Code | Self::Rendered)
    }
}

impl<'s> Lexer<'s> {
    pub(super) fn template_start(&mut self) -> Token<'s> {
        self.template = TemplateState::Text;
        self.next_up = NextUp::TemplateText { trim: false };
        Token { kind: TokenKind::TemplateStart, span: self.span(self.at) }
    }

    /// Returns the length of `%>` or `-%>` if it comes next and ends a tag.
    pub(super) fn end_tag(&self) -> Option<usize> {
        match (self.byte(0), self.byte(1), self.byte(2)) {
            (b'%', b'>', _) => Some(2),
            (b'-', b'%', b'>') => Some(3),
            _ => None,
        }
    }

    /// Ends a tag of this length. Only a rendering tag has a token for it.
    pub(super) fn leave_tag(&mut self, length: usize) -> Result<Token<'s>, Error> {
        let start = self.at;
        let is_rendered = self.template == TemplateState::Rendered;
        self.at += length;
        self.template = TemplateState::Text;
        self.next_up = NextUp::TemplateText { trim: length == 3 };
        if is_rendered {
            Ok(Token { kind: TokenKind::RenderEnd, span: self.span(start) })
        } else {
            self.next()
        }
    }

    /// Reads the text up to the next tag, or the next token if the text is empty.
    pub(super) fn template_text(&mut self, trim: bool) -> Result<Token<'s>, Error> {
        let start = self.at;
        if self.rest().is_empty() {
            return self.next();
        }
        let Some(text) = self.text_to_tag(trim)? else { return self.next() };
        self.is_line_start = false;
        match self.template {
            TemplateState::Rendered if text.is_empty() => return Ok(self.render_start(start)),
            TemplateState::Rendered => self.next_up = NextUp::Render(start),
            TemplateState::Code if text.is_empty() => return self.next(),
            TemplateState::Code | TemplateState::Text | TemplateState::None => {}
        }
        Ok(Token { kind: TokenKind::RenderText(text), span: self.span(start) })
    }

    /// Returns the token that starts a rendered expression. Puppet places it where the text before it starts.
    pub(super) fn render_start(&mut self, text_start: usize) -> Token<'s> {
        self.after_operand = false;
        Token { kind: TokenKind::RenderStart, span: self.span(text_start) }
    }

    /// Reads a text, and the opening tag after it. Puppet's lexer loses a text that ends with a comment or `<%%`.
    fn text_to_tag(&mut self, mut trim: bool) -> Result<Option<Cow<'s, str>>, Error> {
        let mut text = Cow::Borrowed("");
        while !self.rest().is_empty() {
            let rest = self.rest();
            let length = rest.find("<%");
            let mut part = rest.get(..length.unwrap_or(rest.len())).unwrap_or_default();
            self.at += part.len();
            if trim {
                part = trim_line(part);
            }
            append(&mut text, part);
            if length.is_none() {
                // It also takes `<%%` before a comment for an open tag.
                return if text.ends_with("<%") { Err(self.unbalanced()) } else { Ok(Some(text)) };
            }
            self.at += 2;
            match self.byte(0) {
                _ if self.rest().is_empty() => return Err(self.unbalanced()),
                b'-' => {
                    self.at += 1;
                    self.template = TemplateState::Code;
                    trim_end(&mut text);
                    return Ok(Some(text));
                }
                b'%' => {
                    self.at += 1;
                    append(&mut text, "<%");
                    trim = false;
                }
                b'=' => {
                    self.at += 1;
                    self.template = TemplateState::Rendered;
                    return Ok(Some(text));
                }
                b'#' => {
                    let Some(length) = comment(self.rest()) else {
                        return Err(self.error(self.at, "Reaching end after opening <%# without seeing %>"));
                    };
                    if self.byte(1) == b'-' {
                        trim_end(&mut text);
                    }
                    self.at += length;
                    trim = self.text.get(..self.at).is_some_and(|before| before.ends_with("-%>"));
                }
                _ => {
                    self.template = TemplateState::Code;
                    return Ok(Some(text));
                }
            }
        }
        Ok(None)
    }

    #[cold]
    fn unbalanced(&self) -> Error {
        self.error(self.at, "Unbalanced embedded expression - opening <% and reaching end of input")
    }

    /// Checks that no tag is open at the end of the text.
    pub(super) fn check_template_end(&self) -> Result<(), Error> {
        if self.template.is_tag() {
            return Err(self.error(self.at, "Unbalanced epp tag, reached <eof> without closing tag."));
        }
        Ok(())
    }
}

/// Returns a text after `-%>`, without the rest of the line that the tag is on.
fn trim_line(text: &str) -> &str {
    let text = text.trim_start_matches([' ', '\t']);
    let text = text.strip_prefix('\r').unwrap_or(text);
    text.strip_prefix('\n').unwrap_or(text)
}

/// Removes the space before a tag.
fn trim_end(text: &mut Cow<'_, str>) {
    let length = text.trim_end_matches([' ', '\t']).len();
    match text {
        Cow::Borrowed(text) => *text = text.get(..length).unwrap_or_default(),
        Cow::Owned(text) => text.truncate(length),
    }
}

/// Adds a part of the text, with `%%>` unescaped to `%>`.
fn append<'s>(text: &mut Cow<'s, str>, part: &'s str) {
    let part = if part.contains("%%>") { Cow::Owned(part.replace("%%>", "%>")) } else { Cow::Borrowed(part) };
    if text.is_empty() {
        *text = part;
    } else if !part.is_empty() {
        text.to_mut().push_str(&part);
    }
}

/// Returns the length of a comment from its `#` through its `%>`. A `%%>` does not end it.
fn comment(text: &str) -> Option<usize> {
    let mut from = 1;
    loop {
        let length = from + text.get(from..)?.find("%>")?;
        if text.as_bytes().get(length - 1) != Some(&b'%') {
            return Some(length + 2);
        }
        from = length + 1;
    }
}
