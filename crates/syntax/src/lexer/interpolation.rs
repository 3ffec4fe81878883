//! Quoted strings, and the code within them.
//!
//! See Puppet's `pops/parser/interpolation_support.rb`.

use std::borrow::Cow;

use super::escape::{self, EscapeFlaw, Escapes};
use super::word::variable_length;
use super::{Lexer, NextUp, is_blank};
use crate::token::{Keyword, Token, TokenKind};
use puppetfn_base::error::Error;

/// Kind of string that an interpolation interrupts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Quote {
    /// A string in double quotes.
    Double,
    /// The text of the innermost heredoc.
    Heredoc,
}

/// A `${` that is open.
#[derive(Clone, Copy, Debug)]
pub(super) struct Interpolation {
    /// Offset of the code.
    start: usize,
    /// Number of braces that were open before it.
    pub braces: u32,
    quote: Quote,
}

/// End of a part of a string.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum SegmentEnd {
    /// With the string.
    End,
    /// With a `$` before the name of a variable.
    Variable,
    /// With `${`.
    Brace,
}

/// The syntax before a part of a string.
#[derive(Clone, Copy, Debug)]
pub(super) enum SegmentStart {
    /// The opening quote.
    Quote,
    /// The name of a variable, which starts here.
    Variable(usize),
    /// The code of an interpolation, which starts here.
    Code(usize),
}

impl<'s> Lexer<'s> {
    pub(super) fn single_quoted(&mut self) -> Result<TokenKind<'s>, Error> {
        self.at += 1;
        let Some(length) = escape::single_quoted(self.rest()) else { return Err(self.unclosed("'")) };
        let content = self.without_margins(self.at, self.at + length);
        self.at += length + 1;
        Ok(TokenKind::String(match content {
            Cow::Borrowed(content) => escape::unescape_single(content),
            Cow::Owned(content) => Cow::Owned(escape::unescape_single(&content).into_owned()),
        }))
    }

    pub(super) fn double_quoted(&mut self) -> Result<TokenKind<'s>, Error> {
        self.at += 1;
        let (text, ending) = self.double_quoted_part(SegmentStart::Quote)?;
        if ending == SegmentEnd::End {
            return Ok(TokenKind::String(text));
        }
        self.interrupt(ending, Quote::Double);
        Ok(TokenKind::StringStart(text))
    }

    /// Reads the text of a double-quoted string from here up to an interpolation or the end. The lexer moves past the
    /// delimiter, except the `$` of a variable.
    fn double_quoted_part(&mut self, before: SegmentStart) -> Result<(Cow<'s, str>, SegmentEnd), Error> {
        let start = self.at;
        let mut end = start;
        let mut lone_dollars = Vec::new();
        let ending = loop {
            let rest = self.text.get(end..).unwrap_or_default();
            let Some(length) = escape::double_quoted(rest) else {
                let before = if end == start { self.text_before(before) } else { "" };
                self.at = end;
                return Err(self.unclosed(before));
            };
            end += length;
            match rest.as_bytes().get(length..) {
                Some([b'"', ..]) => break SegmentEnd::End,
                Some([b'$', b'{', ..]) => break SegmentEnd::Brace,
                _ if variable_length(self.text.get(end + 1..).unwrap_or_default()) > 0 => {
                    break SegmentEnd::Variable;
                }
                // Just a dollar.
                _ => {
                    end += 1;
                    lone_dollars.push(end);
                }
            }
        };
        // Puppet reports a wrong escape sequence behind the next dollar or quote (`slurp` in slurp_support.rb).
        self.at = match ending {
            SegmentEnd::End | SegmentEnd::Variable => end + 1,
            SegmentEnd::Brace => end + 2,
        };
        let text = self.unescaped_between(start, &lone_dollars, end)?;
        if matches!(ending, SegmentEnd::Variable) {
            self.at = end;
        }
        Ok((text, ending))
    }

    /// Reads the value of a part of a string in double quotes, with positions behind the dollars in it that begin no variable.
    fn unescaped_between(
        &mut self,
        start: usize,
        lone_dollars: &[usize],
        end: usize,
    ) -> Result<Cow<'s, str>, Error> {
        let has_escapes = self.text.get(start..end).is_some_and(|part| part.contains('\\'));
        if lone_dollars.is_empty() || !has_escapes {
            return self.unescaped(start, end, Escapes::DOUBLE_QUOTED, true);
        }
        let behind = self.at;
        let mut text = String::with_capacity(end - start);
        let mut from = start;
        for &dollar in lone_dollars {
            self.at = dollar;
            text.push_str(&self.unescaped(from, dollar, Escapes::DOUBLE_QUOTED, true)?);
            from = dollar;
        }
        self.at = behind;
        text.push_str(&self.unescaped(from, end, Escapes::DOUBLE_QUOTED, true)?);
        Ok(Cow::Owned(text))
    }

    /// Reads the value of a part of the text. Some strings may have only escapes that mean something.
    pub(super) fn unescaped(
        &mut self,
        start: usize,
        end: usize,
        escapes: Escapes,
        strict: bool,
    ) -> Result<Cow<'s, str>, Error> {
        let content = self.without_margins(start, end);
        if !content.contains('\\') {
            return Ok(content);
        }
        let mut flaws = Vec::new();
        let value = match content {
            Cow::Borrowed(content) => escape::unescape(content, escapes, |flaw| flaws.push(flaw)),
            Cow::Owned(content) => escape::unescape(&content, escapes, |flaw| flaws.push(flaw))
                .map(|value| Cow::Owned(value.into_owned())),
        };
        for flaw in flaws {
            match flaw {
                EscapeFlaw::Unrecognized(c) if strict => {
                    let message = format!("Unrecognized escape sequence '\\{c}'");
                    self.warn(self.at, "UNRECOGNIZED_ESCAPE", message);
                }
                EscapeFlaw::Unrecognized(_) => {}
                EscapeFlaw::NoUnicode => self.warn(self.at, "ILLEGAL_UNICODE_ESCAPE", ILLEGAL_UNICODE),
            }
        }
        value.map_err(|escape::IllegalUnicode| self.error(self.at, ILLEGAL_UNICODE))
    }

    /// Makes the interruption of a string the next token.
    pub(super) fn interrupt(&mut self, ending: SegmentEnd, quote: Quote) {
        match ending {
            SegmentEnd::End => {}
            SegmentEnd::Variable => self.next_up = NextUp::Variable(quote),
            SegmentEnd::Brace => {
                self.interpolations.push(Interpolation { start: self.at, braces: self.braces, quote });
                self.braces = self.braces.wrapping_add(1);
                self.next_up = NextUp::Interpolated;
            }
        }
    }

    /// Returns the variable of a `$name` in a string, with the dollar.
    pub(super) fn interpolated_variable(&mut self, quote: Quote) -> Token<'s> {
        let start = self.at;
        let kind = self.variable();
        self.next_up = NextUp::Tail(quote, SegmentStart::Variable(start + 1));
        Token { kind, span: self.span(start) }
    }

    /// Reads the first token after `${`. A word is a variable if it is alone in the braces, or if it is accessed or has
    /// a method called on it.
    pub(super) fn interpolated(&mut self) -> Result<Token<'s>, Error> {
        let token = self.code()?;
        let text = token.span.text(self.text);
        let is_word = matches!(token.kind, TokenKind::Name(_)) || text.starts_with(is_lower_word);
        if is_word && self.makes_variable() {
            if let TokenKind::Keyword(Keyword::True | Keyword::False) = token.kind {
                let message = format!("'{text}' is no variable: write ${{${text}}}, or only the text");
                return Err(self.error(token.span.start as usize, message));
            }
            self.after_operand = true;
            return Ok(Token { kind: TokenKind::Variable(text), ..token });
        }
        Ok(token)
    }

    /// Returns true if the next characters turn a word after `${` into a variable.
    fn makes_variable(&self) -> bool {
        let mut ahead = self.position();
        // The next token reports an error in this space.
        if self.skip_space_from(&mut ahead).is_err() {
            return false;
        }
        match self.text.as_bytes().get(ahead.at) {
            Some(b'}' | b'.') => true,
            Some(b'[') => !self.is_after_space(ahead.at),
            _ => false,
        }
    }

    /// Continues a string whose interpolation ends here, if there is one.
    pub(super) fn resume(&mut self) -> Option<Result<Token<'s>, Error>> {
        let Interpolation { start, quote, .. } = self.interpolations.pop()?;
        Some(self.tail(quote, SegmentStart::Code(start)))
    }

    /// Goes on with a string after an interpolation.
    pub(super) fn tail(&mut self, quote: Quote, before: SegmentStart) -> Result<Token<'s>, Error> {
        let start = self.at;
        let (text, ending) = match quote {
            Quote::Double => self.double_quoted_part(before)?,
            Quote::Heredoc => self.heredoc_part()?,
        };
        let span = self.span(start);
        if ending == SegmentEnd::End {
            if quote == Quote::Heredoc {
                self.leave_heredoc();
            }
            self.end_string();
            return Ok(Token { kind: TokenKind::StringEnd(text), span });
        }
        self.interrupt(ending, quote);
        Ok(Token { kind: TokenKind::StringMiddle(text), span })
    }

    /// Records the end of a string with interpolations. A string nested in another's interpolation leaves
    /// `after_operand` unchanged.
    fn end_string(&mut self) {
        self.after_operand |= self.interpolations.is_empty();
    }

    /// Returns an error for a quote that is not closed, with the text that Puppet's lexer saw last.
    #[cold]
    fn unclosed(&self, before: &str) -> Error {
        let before = if before == "'" { "\"'\"".to_owned() } else { format!("'{before}'") };
        let followed_by = self.followed_by();
        self.unfinished(self.at, format!("Unclosed quote after {before} followed by '{followed_by}'"))
    }

    /// Returns the next characters, for messages.
    #[cold]
    pub(super) fn followed_by(&self) -> String {
        if self.rest().is_empty() {
            return "<eof>".to_owned();
        }
        let next: String = self.rest().chars().take(5).collect();
        next.replace('\t', "\\t").replace('\n', "\\n").replace('\r', "\\r") + "..."
    }

    /// Returns the last text before a string's part that Puppet's lexer recognized: a word, or space after
    /// a line break.
    #[cold]
    fn text_before(&self, before: SegmentStart) -> &'s str {
        match before {
            SegmentStart::Quote => "\"",
            SegmentStart::Variable(start) => self.since(start),
            SegmentStart::Code(start) => {
                let code = self.since(start);
                let code = code.strip_suffix('}').unwrap_or(code);
                let trimmed = code.trim_end_matches(is_blank);
                if trimmed.len() < code.len() {
                    let is_line_start = trimmed.is_empty() || trimmed.ends_with('\n');
                    return code.get(trimmed.len()..).filter(|_| is_line_start).unwrap_or_default();
                }
                if let Some(string) = code.strip_suffix(['\'', '"']) {
                    let last = string.chars().next_back().filter(|c| !matches!(c, '\'' | '"'));
                    let start = string.len() - last.map_or(0, char::len_utf8);
                    return code.get(start..).unwrap_or_default();
                }
                let words = code.trim_end_matches(|c: char| c.is_ascii_punctuation() && c != '_');
                let word =
                    words.trim_end_matches(|c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | ':'));
                words.get(word.strip_suffix('$').unwrap_or(word).len()..).unwrap_or_default()
            }
        }
    }
}

/// Returns true if a character may start a name, a keyword or a number.
fn is_lower_word(c: char) -> bool {
    c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_'
}

const ILLEGAL_UNICODE: &str =
    "Unicode escape '\\u' was not followed by 4 hex digits or 1-6 hex digits in {} or was > 10ffff";
