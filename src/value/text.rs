//! Values as text.

use std::fmt::{self, Write};

/// A string as a literal, in single quotes where they do.
pub(crate) struct Quoted<'a>(pub &'a str);

impl fmt::Display for Quoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.chars().any(|c| c < ' ') { double_quoted(self.0, f) } else { single_quoted(self.0, f) }
    }
}

/// A string as a literal in double quotes.
pub(crate) struct DoubleQuoted<'a>(pub &'a str);

impl fmt::Display for DoubleQuoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        double_quoted(self.0, f)
    }
}

/// As Puppet quotes: a backslash is never doubled, and the character behind one is not escaped.
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
pub(crate) struct Inspected<'a>(pub &'a str);

impl fmt::Display for Inspected<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        ruby_quoted(self.0, f, |c, f| match c {
            c if c.is_control() || matches!(c, '\u{2028}' | '\u{2029}') => {
                write!(f, "\\u{:04X}", u32::from(c))
            }
            c => f.write_char(c),
        })
    }
}

/// A string in double quotes and ASCII, as Ruby's `dump` shows it.
pub(crate) struct Dumped<'a>(pub &'a str);

impl fmt::Display for Dumped<'_> {
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
pub(crate) struct InspectedBytes<'a>(pub &'a [u8]);

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

/// A float as Ruby shows it: in full from 0.0001 up to 15 digits or a fraction, else with an exponent.
pub(crate) fn float_to_s(number: f64) -> String {
    if !number.is_finite() {
        return if number.is_nan() {
            "NaN"
        } else if number > 0.0 {
            "Infinity"
        } else {
            "-Infinity"
        }
        .to_owned();
    }
    let scientific = shortest(number);
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let fraction = mantissa.split_once('.').map_or(0, |(_, fraction)| fraction.len());
    // Of numbers from 10^15 on, those with a fraction are shown in full.
    let is_large = exponent > 15 || (exponent == 15 && fraction <= 15);
    if number == 0.0 || (exponent >= -4 && !is_large) {
        let places = i32::try_from(fraction).unwrap_or(0) - exponent;
        return format!("{number:.places$}", places = usize::try_from(places).unwrap_or(1).max(1));
    }
    let point = if fraction == 0 { ".0" } else { "" };
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{mantissa}{point}e{sign}{:02}", exponent.unsigned_abs())
}

/// The fewest digits that tell a float from all others, with an exponent. Of two that are as near,
/// the even one.
fn shortest(number: f64) -> String {
    let shown = format!("{number:e}");
    let fraction = shown.split(['.', 'e']).nth(1).filter(|_| shown.contains('.')).map_or(0, str::len);
    let even = format!("{number:.fraction$e}");
    if even.parse() == Ok(number) { even } else { shown }
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
            assert_eq!(Quoted(text).to_string(), quoted);
        }
    }

    #[test]
    fn strings_are_dumped_in_ascii() {
        assert_eq!(Dumped("é\u{1f600}\u{1}\n\"#{~").to_string(), r#""\u00E9\u{1F600}\x01\n\"\#{~""#);
    }

    #[test]
    fn bytes_are_shown_as_a_binary_string() {
        assert_eq!(InspectedBytes(b"a\"\n\x01\x7f\xc3#{#").to_string(), r##""a\"\n\x01\x7F\xC3\#{#""##);
    }

    #[test]
    fn floats_are_shown_as_ruby_does() {
        for (number, shown) in [
            (1.0, "1.0"),
            (-0.0, "-0.0"),
            (0.0001, "0.0001"),
            (0.00001, "1.0e-05"),
            (1e14, "100000000000000.0"),
            (1e15, "1.0e+15"),
            (9_007_199_254_740_992.0, "9.007199254740992e+15"),
            (1.5e-10, "1.5e-10"),
            (1e100, "1.0e+100"),
            (5e-324, "5.0e-324"),
            (f64::from_bits(0x42d3_218c_5cd0_c6e8), "84139238966043.62"),
            (f64::from_bits(0x4311_8b54_f22a_eb01), "1234567890123456.2"),
            (1_234_567_890_123_456.0, "1.234567890123456e+15"),
            (9.5e22, "9.5e+22"),
        ] {
            assert_eq!(float_to_s(number), shown);
        }
    }
}
