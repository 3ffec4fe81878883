//! Cuts a text into tokens, one at a time, as the parser asks for them.

use super::ast::BinaryOp;
use super::number::{self, Malformed};
use super::string;
use super::token::{Interpolation, Keyword, Token, TokenKind};
use crate::error::{Error, ErrorKind, Place};
use crate::source::Span;

pub(super) struct Lexer<'s> {
    text: &'s str,
    at: usize,
    /// Whether a slash would divide what was before it, not start a regular expression.
    after_operand: bool,
}

impl<'s> Lexer<'s> {
    /// # Errors
    /// [`ErrorKind::Limit`] for a text whose offsets do not fit into spans, [`ErrorKind::Syntax`]
    /// for one that starts with a byte order mark.
    pub fn new(text: &'s str) -> Result<Self, Error> {
        if u32::try_from(text.len()).is_err() {
            return Err(Error::new(ErrorKind::Limit, "a text of 4 GB or more cannot be parsed"));
        }
        if text.starts_with('\u{feff}') {
            return Err(Error::new(
                ErrorKind::Syntax,
                "Illegal UTF-8 Byte Order mark at beginning of input: [EF BB BF] - remove these from the puppet source",
            ));
        }
        Ok(Self { text, at: 0, after_operand: false })
    }

    pub fn text(&self) -> &'s str {
        self.text
    }

    /// The next token; [`TokenKind::End`] at the end, again and again.
    pub fn next(&mut self) -> Result<Token<'s>, Error> {
        self.skip_space()?;
        let start = self.at;
        let kind = self.scan()?;
        self.after_operand = matches!(
            kind,
            TokenKind::Name(_)
                | TokenKind::Word(_)
                | TokenKind::Reference(_)
                | TokenKind::Variable(_)
                | TokenKind::Integer(_)
                | TokenKind::Float(_)
                | TokenKind::String(_)
                | TokenKind::Regexp(_)
                | TokenKind::Keyword(Keyword::True | Keyword::False)
                | TokenKind::RightBracket
                | TokenKind::RightParen
        );
        Ok(Token { kind, span: self.span(start) })
    }

    /// Goes on with a string behind an interpolation: the text up to the next one, or to the end.
    pub fn resume_string(&mut self) -> Result<Token<'s>, Error> {
        let start = self.at;
        let kind = self.double_quoted()?;
        self.after_operand = true;
        Ok(Token { kind, span: self.span(start) })
    }

    /// The variable that an [`Interpolation::Variable`] names.
    pub fn interpolated_variable(&mut self) -> Token<'s> {
        let start = self.at;
        self.at += variable_length(self.rest());
        Token { kind: TokenKind::Variable(self.since(start)), span: self.span(start) }
    }

    /// A syntax error at an offset.
    #[cold]
    pub fn error(&self, offset: usize, message: impl Into<String>) -> Error {
        Error::new(ErrorKind::Syntax, message).at(Place::of(self.text, offset as u32))
    }

    fn rest(&self) -> &'s str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn since(&self, start: usize) -> &'s str {
        self.text.get(start..self.at).unwrap_or_default()
    }

    fn span(&self, start: usize) -> Span {
        Span::new(start as u32, self.at as u32)
    }

    fn byte(&self, ahead: usize) -> u8 {
        self.text.as_bytes().get(self.at + ahead).copied().unwrap_or(0)
    }

    fn skip_space(&mut self) -> Result<(), Error> {
        loop {
            match self.byte(0) {
                b' ' | b'\t' | b'\r' | b'\n' => self.at += 1,
                b'#' => self.at += self.rest().find('\n').unwrap_or(self.rest().len()),
                b'/' if self.byte(1) == b'*' => match self.rest().find("*/") {
                    // In `/*/`, the comment has only been opened.
                    Some(end) if end > 1 => self.at += end + 2,
                    _ => match self.rest().get(3..).and_then(|rest| rest.find("*/")) {
                        Some(end) => self.at += 3 + end + 2,
                        None => return Err(self.error(self.at, "Unclosed multiline comment")),
                    },
                },
                byte if byte < 0x80 => return Ok(()),
                _ => match self.rest().chars().next() {
                    Some(c) if is_blank(c) => self.at += c.len_utf8(),
                    _ => return Ok(()),
                },
            }
        }
    }

    fn scan(&mut self) -> Result<TokenKind<'s>, Error> {
        match self.byte(0) {
            0 if self.at >= self.text.len() => Ok(TokenKind::End),
            b'A'..=b'Z' => self.reference(),
            b'a'..=b'z' | b'_' => Ok(self.name()),
            b'0'..=b'9' => self.number(),
            b'\'' => self.single_quoted(),
            b'"' => {
                self.at += 1;
                self.double_quoted()
            }
            b'$' => {
                let length = variable_length(self.rest().get(1..).unwrap_or_default());
                self.at += 1;
                let start = self.at;
                self.at += length;
                Ok(TokenKind::Variable(self.since(start)))
            }
            b':' if self.byte(1) == b':' => self.qualified(),
            b'/' if !self.after_operand => Ok(self.regexp()),
            _ => Ok(self.symbol()),
        }
    }

    /// `Foo::Bar`, also with a leading `::`.
    fn reference(&mut self) -> Result<TokenKind<'s>, Error> {
        let start = self.at;
        loop {
            let colons = if self.byte(0) == b':' && self.byte(1) == b':' { 2 } else { 0 };
            if !self.byte(colons).is_ascii_uppercase() {
                break;
            }
            self.at += colons;
            while is_word(self.byte(0)) {
                self.at += 1;
            }
        }
        if self.byte(0) == b':' && self.byte(1) == b':' {
            return Err(if self.text.as_bytes().get(start) == Some(&b':') {
                self.error(self.at + 3, "Illegal fully qualified class reference")
            } else {
                self.error(self.at + 1, "Illegal class reference")
            });
        }
        Ok(TokenKind::Reference(self.since(start)))
    }

    fn qualified(&mut self) -> Result<TokenKind<'s>, Error> {
        match self.byte(2) {
            b'A'..=b'Z' => self.reference(),
            b'a'..=b'z' | b'_' => Ok(self.name()),
            _ => Err(self.error(self.at + 2, "Illegal fully qualified name")),
        }
    }

    /// A name, keyword or bare word. Words may have inner dashes, and segments that start with `_`.
    fn name(&mut self) -> TokenKind<'s> {
        let start = self.at;
        let mut is_name = true;
        loop {
            let colons = if self.byte(0) == b':' && self.byte(1) == b':' { 2 } else { 0 };
            match self.byte(colons) {
                b'a'..=b'z' => {}
                b'_' => is_name = false,
                _ => break,
            }
            self.at += colons;
            let segment = self.rest().bytes().take_while(|&byte| is_word(byte) || byte == b'-');
            let length = segment.count();
            let text = self.rest().get(..length).unwrap_or_default().trim_end_matches('-');
            is_name &= !text.contains('-');
            self.at += text.len();
        }
        let text = self.since(start);
        if !is_name {
            return TokenKind::Word(text);
        }
        match text {
            "and" => TokenKind::Operator(BinaryOp::And),
            "or" => TokenKind::Operator(BinaryOp::Or),
            "in" => TokenKind::Operator(BinaryOp::In),
            _ => Keyword::find(text).map_or(TokenKind::Name(text), TokenKind::Keyword),
        }
    }

    fn number(&mut self) -> Result<TokenKind<'s>, Error> {
        let mut start = self.at;
        let text = if let Some(length) = number::length(self.rest().as_bytes()) {
            self.at += length;
            self.since(start)
        } else {
            self.at += self.rest().bytes().take_while(|&byte| is_word(byte)).count();
            // Digits before a dot belong to the number that is shown.
            let before = self.text.get(..start).unwrap_or_default();
            if let Some(before) = before.strip_suffix('.') {
                start = before.trim_end_matches(|c: char| c.is_ascii_digit()).len();
            }
            self.since(start)
        };
        number::value(text).map_err(|malformed| {
            let (offset, message) = match malformed {
                Malformed::Hex => (start, format!("Not a valid hex number {text}")),
                Malformed::Octal => (start, format!("Not a valid octal number {text}")),
                Malformed::Decimal => (start, format!("Not a valid decimal number {text}")),
                Malformed::Other => (start, format!("Illegal number '{text}'")),
                Malformed::OutOfRange => (
                    start,
                    format!("The number {text} is too large: integers have 64 bits, floats end at 1.8e308"),
                ),
            };
            self.error(offset, message)
        })
    }

    fn single_quoted(&mut self) -> Result<TokenKind<'s>, Error> {
        self.at += 1;
        let Some(length) = string::single_quoted(self.rest()) else { return Err(self.unclosed("\"'\"")) };
        let content = self.rest().get(..length).unwrap_or_default();
        self.at += length + 1;
        Ok(TokenKind::String(string::unescape_single(content)))
    }

    fn double_quoted(&mut self) -> Result<TokenKind<'s>, Error> {
        let start = self.at;
        let mut end = self.at;
        loop {
            let rest = self.text.get(end..).unwrap_or_default();
            let Some(length) = string::double_quoted(rest) else { return Err(self.unclosed("'\"'")) };
            end += length;
            let content = self.text.get(start..end).unwrap_or_default();
            let after = self.text.get(end + 1..).unwrap_or_default();
            let interpolation = if rest.as_bytes().get(length) == Some(&b'"') {
                None
            } else if after.starts_with('{') {
                Some(Interpolation::Braced)
            } else if variable_length(after) > 0 {
                Some(Interpolation::Variable)
            } else {
                end += 1;
                continue;
            };
            let value = string::unescape_double(content).map_err(|string::IllegalUnicode| {
                self.error(
                    start,
                    "Unicode escape '\\u' was not followed by 4 hex digits or 1-6 hex digits in {} or was > 10ffff",
                )
            })?;
            self.at = end + if interpolation == Some(Interpolation::Braced) { 2 } else { 1 };
            return Ok(match interpolation {
                Some(interpolation) => TokenKind::StringStart(value, interpolation),
                None => TokenKind::String(value),
            });
        }
    }

    #[cold]
    fn unclosed(&self, quote: &str) -> Error {
        let followed_by = if self.rest().is_empty() {
            "<eof>".to_owned()
        } else {
            let next: String = self.rest().chars().take(5).collect();
            next.replace('\t', "\\t").replace('\n', "\\n").replace('\r', "\\r") + "..."
        };
        self.error(self.at, format!("Unclosed quote after {quote} followed by '{followed_by}'"))
    }

    fn regexp(&mut self) -> TokenKind<'s> {
        let content = self.rest().get(1..).unwrap_or_default();
        let Some(length) = string::regexp(content) else { return self.symbol() };
        self.at += length + 2;
        TokenKind::Regexp(string::unescape_regexp(content.get(..length).unwrap_or_default()))
    }

    fn symbol(&mut self) -> TokenKind<'s> {
        let (length, kind) = match (self.byte(0), self.byte(1)) {
            (b'[', _) => (1, if self.after_space() { TokenKind::ListStart } else { TokenKind::LeftBracket }),
            (b']', _) => (1, TokenKind::RightBracket),
            (b'{', _) => (1, TokenKind::LeftBrace),
            (b'}', _) => (1, TokenKind::RightBrace),
            (b'(', _) => (1, if self.first_on_line() { TokenKind::GroupStart } else { TokenKind::LeftParen }),
            (b')', _) => (1, TokenKind::RightParen),
            (b',', _) => (1, TokenKind::Comma),
            (b';', _) => (1, TokenKind::Semicolon),
            (b'.', _) => (1, TokenKind::Dot),
            (b'?', _) => (1, TokenKind::Question),
            (b'=', b'>') => (2, TokenKind::FatArrow),
            (b'=', b'=') => (2, TokenKind::Operator(BinaryOp::Equal)),
            (b'=', b'~') => (2, TokenKind::Operator(BinaryOp::Match)),
            (b'=', _) => (1, TokenKind::Operator(BinaryOp::Assign)),
            (b'!', b'=') => (2, TokenKind::Operator(BinaryOp::NotEqual)),
            (b'!', b'~') => (2, TokenKind::Operator(BinaryOp::NotMatch)),
            (b'!', _) => (1, TokenKind::Not),
            (b'+', b'=') => (2, TokenKind::Operator(BinaryOp::Append)),
            (b'+', b'>') => (2, TokenKind::Other("+>")),
            (b'+', _) => (1, TokenKind::Operator(BinaryOp::Add)),
            (b'-', b'=') => (2, TokenKind::Operator(BinaryOp::Delete)),
            (b'-', b'>') => (2, TokenKind::Operator(BinaryOp::Before)),
            (b'-', _) => (1, TokenKind::Operator(BinaryOp::Subtract)),
            (b'~', b'>') => (2, TokenKind::Operator(BinaryOp::Notify)),
            (b'*', _) => (1, TokenKind::Operator(BinaryOp::Multiply)),
            (b'/', _) => (1, TokenKind::Operator(BinaryOp::Divide)),
            (b'%', _) => (1, TokenKind::Operator(BinaryOp::Modulo)),
            (b'<', b'<') if self.byte(2) == b'|' => (3, TokenKind::Other("<<|")),
            (b'<', b'<') => (2, TokenKind::Operator(BinaryOp::ShiftLeft)),
            (b'<', b'=') => (2, TokenKind::Operator(BinaryOp::LessOrEqual)),
            (b'<', b'|') => (2, TokenKind::Other("<|")),
            (b'<', b'-') => (2, TokenKind::Operator(BinaryOp::After)),
            (b'<', b'~') => (2, TokenKind::Operator(BinaryOp::Subscribe)),
            (b'<', _) => (1, TokenKind::Operator(BinaryOp::Less)),
            (b'>', b'>') => (2, TokenKind::Operator(BinaryOp::ShiftRight)),
            (b'>', b'=') => (2, TokenKind::Operator(BinaryOp::GreaterOrEqual)),
            (b'>', _) => (1, TokenKind::Operator(BinaryOp::Greater)),
            (b'|', b'>') if self.byte(2) == b'>' => (3, TokenKind::Other("|>>")),
            (b'|', b'>') => (2, TokenKind::Other("|>")),
            (b'|', _) => (1, TokenKind::Other("|")),
            (b'@', b'@') => (2, TokenKind::Other("@@")),
            (b'@', _) => (1, TokenKind::Other("@")),
            (b':', _) => (1, TokenKind::Other(":")),
            (b'~', _) => (1, TokenKind::Other("~")),
            // Puppet shows no text of a character that it does not know.
            _ => (self.rest().chars().next().map_or(0, char::len_utf8), TokenKind::Other("")),
        };
        self.at += length;
        kind
    }

    fn first_on_line(&self) -> bool {
        let before = self.text.get(..self.at).unwrap_or_default();
        before.trim_end_matches(|c| c == '\r' || is_blank(c)).chars().next_back().is_none_or(|c| c == '\n')
    }

    fn after_space(&self) -> bool {
        let before = self.text.get(..self.at).unwrap_or_default();
        before.chars().next_back().is_none_or(|c| c == '\n' || c == '\r' || c == '\t' || is_blank(c))
    }
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

fn is_blank(c: char) -> bool {
    matches!(
        c,
        ' ' | '\t' | '\u{a0}' | '\u{1680}' | '\u{2000}'..='\u{200a}' | '\u{202f}' | '\u{205f}' | '\u{3000}'
    )
}

/// The length of the variable name that `text` starts with, maybe qualified; 0 if there is none.
fn variable_length(text: &str) -> usize {
    let word =
        |from: usize| text.get(from..).unwrap_or_default().bytes().take_while(|&byte| is_word(byte)).count();
    let start = if text.starts_with("::") { 2 } else { 0 };
    let mut end = start + word(start);
    if end == start {
        return 0;
    }
    while text.get(end..).is_some_and(|rest| rest.starts_with("::")) && word(end + 2) > 0 {
        end += 2 + word(end + 2);
    }
    end
}
