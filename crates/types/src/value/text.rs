//! Values as text.

use std::fmt::{self, Write};

/// A string as a literal, in single quotes where these suffice.
pub struct QuotedString<'a>(pub &'a str);

impl fmt::Display for QuotedString<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.chars().any(|c| c < ' ') { double_quoted(self.0, f) } else { single_quoted(self.0, f) }
    }
}

/// A string as a literal in double quotes.
pub struct DoubleQuoted<'a>(pub &'a str);

impl fmt::Display for DoubleQuoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        double_quoted(self.0, f)
    }
}

/// Quotes as Puppet does: a backslash is never doubled, and the character after one is not escaped.
fn single_quoted(text: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    f.write_char('\'')?;
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' => {
                f.write_char('\\')?;
                chars.next().map_or(Ok(()), |c| f.write_char(c))?;
            }
            '\'' => f.write_str("\\'")?,
            c => f.write_char(c)?,
        }
    }
    f.write_char('\'')
}

fn double_quoted(text: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    f.write_char('"')?;
    for c in text.chars() {
        match c {
            '\t' => f.write_str("\\t")?,
            '\n' => f.write_str("\\n")?,
            '\r' => f.write_str("\\r")?,
            '"' | '$' | '\\' => write!(f, "\\{c}")?,
            c if c < ' ' => write!(f, "\\u{{{:X}}}", u32::from(c))?,
            c => f.write_char(c)?,
        }
    }
    f.write_char('"')
}

/// A string in double quotes, as Ruby's `inspect` shows it.
pub struct InspectedString<'a>(pub &'a str);

impl fmt::Display for InspectedString<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        ruby_quoted(self.0, f, |c, f| match c {
            // Ruby takes this one for printable.
            '\u{85}' => f.write_char(c),
            c if c.is_control() || matches!(c, '\u{2028}' | '\u{2029}') => {
                write!(f, "\\u{:04X}", u32::from(c))
            }
            c => f.write_char(c),
        })
    }
}

/// A string in double quotes and ASCII, as Ruby's `dump` shows it.
pub struct DumpedString<'a>(pub &'a str);

impl fmt::Display for DumpedString<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        ruby_quoted(self.0, f, |c, f| match u32::from(c) {
            code if c.is_ascii_control() => write!(f, "\\x{code:02X}"),
            _ if c.is_ascii() => f.write_char(c),
            code if code > 0xffff => write!(f, "\\u{{{code:X}}}"),
            code => write!(f, "\\u{code:04X}"),
        })
    }
}

/// Bytes in double quotes, as Ruby's `inspect` shows a binary string.
pub struct InspectedBytes<'a>(pub &'a [u8]);

impl fmt::Display for InspectedBytes<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text: String = self.0.iter().map(|byte| char::from(*byte)).collect();
        ruby_quoted(&text, f, |c, f| match u32::from(c) {
            _ if c.is_ascii() && !c.is_control() => f.write_char(c),
            code => write!(f, "\\x{code:02X}"),
        })
    }
}

fn ruby_quoted(
    text: &str,
    f: &mut fmt::Formatter<'_>,
    write_other: impl Fn(char, &mut fmt::Formatter<'_>) -> fmt::Result,
) -> fmt::Result {
    f.write_char('"')?;
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '"' | '\\' => write!(f, "\\{c}")?,
            '#' if matches!(chars.peek(), Some('{' | '$' | '@')) => f.write_str("\\#")?,
            '\n' => f.write_str("\\n")?,
            '\t' => f.write_str("\\t")?,
            '\r' => f.write_str("\\r")?,
            '\u{7}' => f.write_str("\\a")?,
            '\u{8}' => f.write_str("\\b")?,
            '\u{b}' => f.write_str("\\v")?,
            '\u{c}' => f.write_str("\\f")?,
            '\u{1b}' => f.write_str("\\e")?,
            c => write_other(c, f)?,
        }
    }
    f.write_char('"')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_are_quoted_as_puppet_does() {
        for (text, quoted) in [
            ("a", "'a'"),
            ("it's", r"'it\'s'"),
            (r"back\slash", r"'back\slash'"),
            (r"tail\", r"'tail\'"),
            ("a\nb", r#""a\nb""#),
            ("a\n$\"\\\u{1}é", "\"a\\n\\$\\\"\\\\\\u{1}é\""),
        ] {
            assert_eq!(QuotedString(text).to_string(), quoted);
        }
    }

    #[test]
    fn strings_are_dumped_in_ascii() {
        assert_eq!(DumpedString("é\u{1f600}\u{1}\n\"#{~").to_string(), r#""\u00E9\u{1F600}\x01\n\"\#{~""#);
    }

    #[test]
    fn bytes_are_shown_as_a_binary_string() {
        assert_eq!(InspectedBytes(b"a\"\n\x01\x7f\xc3#{#").to_string(), r##""a\"\n\x01\x7F\xC3\#{#""##);
    }
}
