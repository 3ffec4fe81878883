//! One format: `%[flags][width][.precision]letter`, and the further parts of a container's format.
//!
//! See Puppet's `pops/types/string_converter.rb`.

use std::sync::Arc;

use super::map::FormatMap;
use nom::bytes::complete::take_while;
use nom::character::complete::{char, satisfy};
use nom::combinator::opt;
use nom::sequence::preceded;
use puppetfn_base::error::{Error, ErrorKind};
use puppetfn_base::recognize::{number, whole};

/// How values of one type are formatted.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct ValueFormat {
    /// The text of the format.
    pub(super) text: Arc<str>,
    /// The letter at the end, which determines the form.
    pub(super) letter: char,
    /// `#`: the alternate form of the letter.
    pub(super) alternate: bool,
    /// `-`: padded at the right.
    pub(super) left: bool,
    /// The least number of characters.
    pub(super) width: Option<usize>,
    /// The largest number of characters, or the number of digits.
    pub(super) precision: Option<usize>,
    /// The delimiters of a container, if the flags choose them.
    pub(super) delimiters: Option<Delimiters>,
    /// The separator between the elements of a container.
    pub(super) separator: Option<Arc<str>>,
    /// The separator between a key and its value.
    pub(super) separator2: Option<Arc<str>>,
    /// The formats for the elements of a container, except elements that are containers themselves.
    pub(super) elements: Option<Arc<FormatMap>>,
}

/// The opening and the closing delimiter of a container.
pub(super) type Delimiters = (&'static str, &'static str);

/// The flags for delimiters.
const DELIMITERS: [(char, Delimiters); 5] =
    [('[', ("[", "]")), ('{', ("{", "}")), ('(', ("(", ")")), ('<', ("<", ">")), ('|', ("|", "|"))];

impl ValueFormat {
    /// Parses a format. In a text of several lines, one line is the format; the others are output unchanged for values that
    /// are not containers.
    ///
    /// # Errors
    /// Fails with [`ErrorKind::Conversion`] if it is malformed.
    pub(super) fn parse(text: &str) -> Result<Self, Error> {
        let Some(parts) = text.split('\n').find_map(DirectiveParts::of) else {
            return Err(invalid(format!(
                "The format '{text}' is not a valid format on the form '%<flags><width>.<prec><format>'"
            )));
        };
        let flags = parts.flags;
        if flags.char_indices().any(|(at, flag)| flags.get(..at).is_some_and(|before| before.contains(flag)))
        {
            return Err(invalid(format!("The same flag can only be used once, got '{text}'")));
        }
        let mut delimiters =
            DELIMITERS.iter().filter(|(flag, _)| flags.contains(*flag)).map(|(_, pair)| *pair);
        let (chosen, other) = (delimiters.next(), delimiters.next());
        if other.is_some() {
            return Err(invalid(format!(
                "Only one of the delimiters [ {{ ( < | can be given in the format flags, got '{text}'"
            )));
        }
        Ok(Self {
            text: text.into(),
            letter: parts.letter,
            alternate: flags.contains('#'),
            left: flags.contains('-'),
            width: parts.width,
            precision: parts.precision,
            delimiters: chosen.or_else(|| flags.contains(' ').then_some(("", ""))),
            separator: None,
            separator2: None,
            elements: None,
        })
    }

    /// Returns this format, overridden by the properties that `higher` sets.
    pub(super) fn merge(&self, higher: &Self) -> Result<Self, Error> {
        let elements = match (&self.elements, &higher.elements) {
            (Some(lower), Some(higher)) => Some(Arc::new(lower.merge(higher)?)),
            (lower, higher) => higher.as_ref().or(lower.as_ref()).cloned(),
        };
        Ok(Self {
            separator: higher.separator.as_ref().or(self.separator.as_ref()).cloned(),
            separator2: higher.separator2.as_ref().or(self.separator2.as_ref()).cloned(),
            elements,
            ..higher.clone()
        })
    }

    /// Returns the text of the format with one letter in place of another.
    pub(super) fn with_letter(&self, letter: char, instead: &str) -> String {
        self.text.replace(letter, instead)
    }
}

/// The parts of the text of a format.
struct DirectiveParts<'a> {
    flags: &'a str,
    width: Option<usize>,
    precision: Option<usize>,
    letter: char,
}

impl<'a> DirectiveParts<'a> {
    fn of(line: &'a str) -> Option<Self> {
        let flags = take_while(|c: char| c.is_ascii_whitespace() || c == '\u{b}' || "[+#0{<(|-".contains(c));
        let precision = preceded(char('.'), number);
        let letter = satisfy(|c| c.is_ascii_alphabetic());
        let (_, flags, width, precision, letter) =
            whole((char('%'), flags, opt(number), opt(precision), letter), line)?;
        Some(Self { flags, width, precision, letter })
    }
}

#[cold]
pub(super) fn invalid(message: impl Into<String>) -> Error {
    Error::new(ErrorKind::Conversion, message)
}

/// Returns the error for a letter that does not apply to values of this kind.
#[cold]
pub(super) fn illegal(kind: &str, letter: char, expected: &str) -> Error {
    invalid(format!(
        "Illegal format '{letter}' specified for value of {kind} type - expected one of the characters '{expected}'"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_have_flags_width_precision_and_letter() {
        let format = ValueFormat::parse("%-#<020.3a").unwrap();
        assert_eq!((format.letter, format.width, format.precision), ('a', Some(20), Some(3)));
        assert!(format.alternate && format.left);
        assert_eq!(format.delimiters, Some(("<", ">")));
        assert_eq!(ValueFormat::parse("% h").unwrap().delimiters, Some(("", "")));
        assert_eq!(ValueFormat::parse("%h").unwrap().delimiters, None);
    }

    #[test]
    fn a_format_is_a_line_of_a_text() {
        assert_eq!(ValueFormat::parse("a\n%5d\nb %s").unwrap().width, Some(5));
        let message = |text| ValueFormat::parse(text).unwrap_err().to_string();
        for text in ["", "d", "%", "%5", " %d", "%d ", "%5.5.5d", "%.d", "%é", "%*d"] {
            assert_eq!(
                message(text),
                format!(
                    "The format '{text}' is not a valid format on the form '%<flags><width>.<prec><format>'"
                )
            );
        }
    }

    #[test]
    fn flags_come_once() {
        let message = |text| ValueFormat::parse(text).unwrap_err().to_string();
        assert_eq!(message("%++d"), "The same flag can only be used once, got '%++d'");
        assert_eq!(
            message("%[<a"),
            "Only one of the delimiters [ { ( < | can be given in the format flags, got '%[<a'"
        );
    }
}
