//! Reading on after errors.

use super::template::TemplateState;
use super::{Lexer, NextUp};
use crate::token::TokenKind;

/// The maximum distance of an unclosed quote from an error, in tokens.
const NEAR: usize = 5;

impl Lexer<'_> {
    /// Returns how many braces are open.
    pub fn braces(&self) -> u32 {
        self.braces
    }

    /// Returns true if the next token is within a string.
    pub fn is_in_string(&self) -> bool {
        !self.interpolations.is_empty() || !self.heredocs.is_empty()
    }

    /// Returns how many braces are open outside of the string that is being read.
    pub fn braces_outside(&self) -> u32 {
        self.interpolations.first().map_or(self.braces, |outermost| outermost.braces)
    }

    /// Sets the number of open braces. A string whose interpolation began within the closed braces is left.
    pub fn set_braces(&mut self, braces: u32) {
        if self.interpolations.last().is_some_and(|last| last.braces >= braces) {
            self.interpolations.clear();
        }
        self.braces = braces;
    }

    /// Continues with the line after an offset, outside of strings, where this many braces are open. The rest of a
    /// template is left out.
    pub fn resume_after(&mut self, offset: usize, braces: u32) {
        let rest = self.source.get(offset..).unwrap_or_default();
        let line = if self.mode.template { rest.len() } else { rest.find('\n').unwrap_or(rest.len()) };
        self.text = self.source;
        self.at = offset + line;
        self.next_line = self.next_line.filter(|next| *next > self.at);
        self.next_up = NextUp::Code;
        self.template = TemplateState::None;
        (self.after_operand, self.after_question) = (false, false);
        self.interpolations.clear();
        self.heredocs.clear();
        self.braces = braces;
    }

    /// Returns where a string with line breaks starts that is among the last tokens between two offsets, and how many
    /// braces are open there.
    pub fn long_string(&self, from: u32, to: u32, braces: u32) -> Option<(usize, u32)> {
        let mut lexer = Self::new(self.source, self.mode).ok().filter(|_| !self.mode.template)?;
        (lexer.at, lexer.braces) = (from as usize, braces);
        let (mut found, mut since) = (None, 0);
        loop {
            let braces = lexer.braces;
            let token =
                lexer.next().ok().filter(|token| token.span.start < to && token.kind != TokenKind::End);
            let Some(token) = token else { break };
            let text = token.span.text(self.source);
            since += 1;
            if text.starts_with(['\'', '"']) && text.contains('\n') && lexer.heredocs.is_empty() {
                (found, since) = (Some((token.span.start as usize, braces)), 0);
            }
        }
        found.filter(|_| since < NEAR)
    }
}
