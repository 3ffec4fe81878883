//! Scans values from a string, as Ruby's library `scanf` does.
//!
//! Formats and texts are matched with regular expressions and not with nom, as in the library: with a width, a
//! directive looks ahead for a number of any length, and then takes as many characters as the width allows.
//!
//! See the library `scanf`, `scanf.rb`.

use super::number;
use crate::value::{Regex, Value};
use puppetfn_base::error::Error;

/// Returns the values that the directives of a format find in a text, up to the first that finds nothing.
///
/// # Errors
/// Fails if an integer has more than 64 bits, or a set of characters is malformed.
pub fn scanf(text: &str, format: &str) -> Result<Vec<Value>, Error> {
    let mut found = Vec::new();
    let (mut text, mut format) = (text, format);
    while let Some((directive, rest)) = ScanDirective::next(format)? {
        let Some((matched, behind)) = directive.find(text)? else { break };
        if !directive.is_suppressed {
            found.extend(directive.kind.value(matched)?);
        }
        (text, format) = (behind, rest);
        if text.is_empty() {
            break;
        }
    }
    Ok(found)
}

/// A directive, or a word that the text must have.
struct ScanDirective {
    kind: ScanKind,
    is_suppressed: bool,
    /// The regular expression that the text must begin with.
    pattern: String,
    skips_space: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum ScanKind {
    Word,
    Text,
    Decimal,
    /// An integer whose prefix states its radix.
    Prefixed,
    Radix(u32),
    Float,
}

/// The regular expression of a float.
const FLOAT: &str =
    r"[-+]?(?:0[xX](?:\.\h+|\h+(?:\.\h*)?)[pP][-+]?\d+|\d+(?![\d.])|\d*\.\d*(?:[eE][-+]?\d+)?)";

impl ScanDirective {
    /// Returns the first directive of a format, and the rest of the format.
    fn next(format: &str) -> Result<Option<(Self, &str)>, Error> {
        // An option, the field width and the conversion: a set, a class in a set, or a letter.
        let directive = Regex::new(
            r"\A\s*(?:%(\*)?(\d+)?(?:(\[\[:\w+:\]\]|\[[^\]]*\])|([diuxofegscaDIUXOFEGSCA]))|(%%|[^%\s]+))",
        )?;
        let mut format = format;
        while !format.trim_start().is_empty() {
            if let Some(groups) = directive.captures(format)?
                && let [Some(whole), option, width, set, letter, word] = groups.as_slice()
            {
                let rest = format.get(whole.len()..).unwrap_or_default();
                let width = width.map(|width| width.parse().unwrap_or(usize::MAX));
                let made = match (set, letter, word) {
                    (Some(set), ..) => Self::of_set(set, width),
                    (None, Some(letter), _) => {
                        Self::of_letter(letter, width, whole.starts_with(char::is_whitespace))
                    }
                    (None, None, word) => Self::of_word(word.unwrap_or_default()),
                };
                return Ok(Some((Self { is_suppressed: option.is_some(), ..made }, rest)));
            }
            // A percent sign without a directive is ignored.
            format = format.trim_start().get(1..).unwrap_or_default();
        }
        Ok(None)
    }

    fn new(kind: ScanKind, pattern: String) -> Self {
        Self { kind, is_suppressed: false, pattern, skips_space: true }
    }

    fn of_word(word: &str) -> Self {
        let literal = if word == "%%" { "%".to_owned() } else { escaped(word) };
        Self::new(ScanKind::Word, literal)
    }

    fn of_set(set: &str, width: Option<usize>) -> Self {
        Self { skips_space: false, ..Self::new(ScanKind::Text, format!("{set}{}", up_to(width))) }
    }

    fn of_letter(letter: &str, width: Option<usize>, is_behind_space: bool) -> Self {
        match letter.to_ascii_lowercase().as_str() {
            "c" => Self {
                skips_space: is_behind_space,
                ..Self::new(ScanKind::Text, format!("(?m:.){{1,{}}}", width.unwrap_or(1)))
            },
            "s" => Self::new(ScanKind::Text, format!(r"\S{}", up_to(width))),
            "d" | "u" => Self::new(ScanKind::Decimal, integer(r"\d", width)),
            "o" => Self::new(ScanKind::Radix(8), integer("[0-7]", width)),
            "x" => Self::new(
                ScanKind::Radix(16),
                match width {
                    None => r"[-+]?(?:0[Xx])?\h+".to_owned(),
                    Some(width) => format!(r"(?=(?:[-+]?(?:0[Xx])?\h+))[-+]?[\hXx]{{1,{width}}}"),
                },
            ),
            "i" => Self::new(
                ScanKind::Prefixed,
                match width {
                    None => r"[-+]?(?:0[Xx]\h+|0[0-7]+|[1-9]\d*|0)".to_owned(),
                    Some(width) => format!(r"(?=[-+]?\d)[-+]?[\hXx]{{1,{width}}}"),
                },
            ),
            _ => Self::new(
                ScanKind::Float,
                match width {
                    None => FLOAT.to_owned(),
                    Some(width) => format!(r"(?={FLOAT})\S{{1,{width}}}"),
                },
            ),
        }
    }

    /// Returns the match at the beginning of a text, and the rest of the text.
    fn find<'t>(&self, text: &'t str) -> Result<Option<(&'t str, &'t str)>, Error> {
        let text = if self.skips_space { text.trim_start_matches(is_space) } else { text };
        let Some(groups) = Regex::new(&format!(r"\A(?:{})", self.pattern))?.captures(text)? else {
            return Ok(None);
        };
        let matched = groups.first().copied().flatten().unwrap_or_default();
        Ok(Some(text.split_at_checked(matched.len()).unwrap_or_default()))
    }
}

impl ScanKind {
    /// Returns the value of a matched text; `None` for words.
    fn value(self, matched: &str) -> Result<Option<Value>, Error> {
        Ok(Some(match self {
            Self::Word => return Ok(None),
            Self::Text => matched.into(),
            Self::Decimal => Value::Integer(number::leading_integer(matched)?),
            Self::Prefixed => Value::Integer(number::integer(matched, None)?),
            Self::Radix(radix) => Value::Integer(number::integer(matched, Some(radix))?),
            Self::Float => Value::Float(number::leading_float(matched)),
        }))
    }
}

/// Returns a sign and digits, all of which the width counts.
fn integer(digit: &str, width: Option<usize>) -> String {
    match width {
        None => format!("[-+]?{digit}+"),
        Some(0 | 1) => digit.to_owned(),
        Some(width) => {
            format!("(?:[-+]{digit}{}|{digit}{})", up_to(Some(width.saturating_sub(1))), up_to(Some(width)))
        }
    }
}

fn up_to(width: Option<usize>) -> String {
    width.map_or_else(|| "+".to_owned(), |width| format!("{{1,{width}}}"))
}

/// Returns true if `\s` matches a character.
fn is_space(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\r' | '\n' | '\u{b}' | '\u{c}')
}

/// Returns a text in which no character has a meaning for regular expressions.
fn escaped(text: &str) -> String {
    text.chars()
        .flat_map(|c| {
            let escape = (c.is_ascii_punctuation()).then_some('\\');
            escape.into_iter().chain([c])
        })
        .collect()
}
