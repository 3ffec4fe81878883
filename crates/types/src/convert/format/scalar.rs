//! Values that contain no others.
//!
//! See Puppet's `pops/types/string_converter.rb`.

use std::sync::Arc;

use super::StringConversion;
use super::directive::{ValueFormat, illegal, invalid};
use super::indentation::Indentation;
use crate::convert::sprintf;
use crate::value::{
    Binary, DoubleQuoted, InspectedBytes, QuotedString, Regex, Uri, Value, capitalize, downcase, float_to_s,
    integer_out_of_range,
};
use puppetfn_base::error::Error;
use puppetfn_base::limits::Limits;

impl StringConversion<'_> {
    /// Shows a value with the text of a format.
    pub(super) fn sprintf(&self, format: &str, value: &Value) -> Result<String, Error> {
        sprintf(format, std::slice::from_ref(value), self.limits)
    }

    /// Pads and truncates a text by the flags, width and precision.
    fn fit(&self, format: &ValueFormat, text: String) -> Result<String, Error> {
        let ValueFormat { left, width, precision, .. } = format;
        if !left && width.is_none() && precision.is_none() {
            return Ok(text);
        }
        let left = if *left { "-" } else { "" };
        let width = width.map(|width| width.to_string()).unwrap_or_default();
        let precision = precision.map(|precision| format!(".{precision}")).unwrap_or_default();
        self.sprintf(&format!("%{left}{width}{precision}s"), &text.into())
    }

    pub(super) fn undef(&self, format: &ValueFormat) -> Result<String, Error> {
        let text = match (format.letter, format.alternate) {
            ('n', false) => "nil",
            ('n', true) => "null",
            ('u', false) => "undef",
            ('u', true) => "undefined",
            ('d' | 'x' | 'X' | 'o' | 'b' | 'B' | 'e' | 'E' | 'f' | 'g' | 'G' | 'a' | 'A', _) => "NaN",
            ('v', _) => "n/a",
            ('V', _) => "N/A",
            ('s', false) => "",
            ('s', true) => "\"\"",
            ('p', false) => "undef",
            ('p', true) => "\"undef\"",
            (letter, _) => return Err(illegal("Undef", letter, "nudxXobBeEfgGaAvVsp")),
        };
        self.fit(format, text.to_owned())
    }

    pub(super) fn default(&self, format: &ValueFormat) -> Result<String, Error> {
        let text = match (format.letter, format.alternate) {
            ('d' | 's' | 'p', false) => "default",
            ('d' | 's' | 'p', true) => "\"default\"",
            ('D', false) => "Default",
            ('D', true) => "\"Default\"",
            (letter, _) => return Err(illegal("Default", letter, "dDsp")),
        };
        self.fit(format, text.to_owned())
    }

    pub(super) fn boolean(&self, format: &Arc<ValueFormat>, truth: bool) -> Result<String, Error> {
        let word = |yes: &str, no: &str| {
            let word = if truth { yes } else { no };
            let shown = if format.alternate { word.chars().take(1).collect() } else { word.to_owned() };
            self.fit(format, shown)
        };
        match format.letter {
            't' => word("true", "false"),
            'T' => word("True", "False"),
            'y' => word("yes", "no"),
            'Y' => word("Yes", "No"),
            'd' | 'x' | 'X' | 'o' | 'b' | 'B' => self.integer(format, i64::from(truth)),
            'e' | 'E' | 'f' | 'g' | 'G' | 'a' | 'A' => self.float(format, f64::from(u8::from(truth))),
            's' | 'p' => self.fit(format, truth.to_string()),
            letter => Err(illegal("Boolean", letter, "tTyYdxXobBeEfgGaAsp")),
        }
    }

    pub(super) fn integer(&self, format: &ValueFormat, number: i64) -> Result<String, Error> {
        match format.letter {
            'd' | 'x' | 'X' | 'o' | 'b' | 'B' | 'p' => self.sprintf(&format.text, &number.into()),
            #[allow(clippy::cast_precision_loss, reason = "Puppet shows the nearest float")]
            'e' | 'E' | 'f' | 'g' | 'G' | 'a' | 'A' => self.sprintf(&format.text, &(number as f64).into()),
            'c' => {
                let Some(c) = u32::try_from(number).ok().and_then(char::from_u32) else {
                    return Err(invalid(format!("{number} is not the number of a character")));
                };
                let text = if format.alternate { format!("\"{c}\"") } else { c.to_string() };
                self.sprintf(&format.with_letter('c', "s"), &text.into())
            }
            's' => {
                let letter = if format.alternate { "p" } else { "s" };
                self.sprintf(&format.with_letter('s', letter), &number.to_string().into())
            }
            letter => Err(illegal("Integer", letter, "dxXobBeEfgGaAspc")),
        }
    }

    pub(super) fn float(&self, format: &ValueFormat, number: f64) -> Result<String, Error> {
        match format.letter {
            'd' | 'x' | 'X' | 'o' | 'b' | 'B' | 'e' | 'E' | 'f' | 'g' | 'G' | 'a' | 'A' | 'p' => {
                self.sprintf(&format.text, &number.into())
            }
            's' => {
                let text = float_to_s(number);
                let text = if format.alternate { format!("\"{text}\"") } else { text };
                self.sprintf(&format.text, &text.into())
            }
            letter => Err(illegal("Float", letter, "dxXobBeEfgGaAsp")),
        }
    }

    pub(super) fn string(&self, format: &ValueFormat, text: &str) -> Result<String, Error> {
        let changed = match format.letter {
            's' => return self.sprintf(&format.text, &text.into()),
            'p' if format.alternate => return self.fit(format, DoubleQuoted(text).to_string()),
            'p' => return self.fit(format, QuotedString(text).to_string()),
            'c' => capitalize(text),
            'C' => segments(text).map(capitalize).collect::<Vec<_>>().join("::"),
            'u' => text.to_uppercase(),
            'd' => downcase(text),
            't' => text.trim_matches(is_space).to_owned(),
            letter => return Err(illegal("String", letter, "cCudspt")),
        };
        if format.alternate {
            self.fit(format, QuotedString(&changed).to_string())
        } else {
            self.sprintf(&format.with_letter(format.letter, "s"), &changed.into())
        }
    }

    pub(super) fn regexp(&self, format: &ValueFormat, regex: &Regex) -> Result<String, Error> {
        match format.letter {
            'p' => self.sprintf(&format.with_letter('p', "s"), &regex.to_string().into()),
            's' if format.alternate => {
                self.sprintf(&format.text, &QuotedString(regex.source()).to_string().into())
            }
            's' => self.sprintf(&format.text, &regex.source().into()),
            letter => Err(illegal("Regexp", letter, "sp")),
        }
    }

    /// Formats the text of a type, or of a class of Ruby's.
    pub(super) fn type_value(&self, format: &ValueFormat, text: String) -> Result<String, Error> {
        match format.letter {
            's' if format.alternate => self.sprintf(&format.text, &format!("\"{text}\"").into()),
            's' => self.sprintf(&format.text, &text.into()),
            'p' => self.sprintf(&format.with_letter('p', "s"), &text.into()),
            letter => Err(illegal("Type", letter, "sp")),
        }
    }

    pub(super) fn binary(&self, format: &ValueFormat, binary: &Binary) -> Result<String, Error> {
        let text = match format.letter {
            's' if format.alternate => InspectedBytes(binary.bytes()).to_string(),
            's' => utf8(binary.bytes())?.to_owned(),
            'p' => {
                let text = self.sprintf(&format.with_letter('p', "s"), &binary.to_string().into())?;
                return Ok(format!("Binary(\"{text}\")"));
            }
            'b' => binary.to_base64_lines(),
            'B' => binary.to_string(),
            'u' => binary.to_base64_urlsafe(),
            't' => "Binary".to_owned(),
            'T' => "BINARY".to_owned(),
            letter => return Err(illegal("Binary", letter, "bButTsp")),
        };
        let letter = if format.alternate && format.letter != 's' { "p" } else { "s" };
        self.sprintf(&format.with_letter(format.letter, letter), &text.into())
    }

    pub(super) fn uri(&self, format: &ValueFormat, uri: &Uri) -> Result<String, Error> {
        let text = uri.to_string();
        match format.letter {
            'p' => Ok(format!("URI({})", QuotedString(&text))),
            's' if format.alternate => self.sprintf(&format.text, &QuotedString(&text).to_string().into()),
            's' => self.sprintf(&format.text, &text.into()),
            letter => Err(illegal("URI", letter, "sp")),
        }
    }

    /// Formats an object of the host, of which only Ruby's texts are available.
    pub(super) fn runtime(&self, format: &ValueFormat, value: &Value) -> Result<String, Error> {
        match format.letter {
            'd' | 'p' | 's' if value.as_large_integer().is_some() => {
                self.fit(format, value.ruby_to_s(self.limits)?)
            }
            _ if let Some(number) = value.as_large_integer() => Err(integer_out_of_range(number)),
            's' => value.ruby_to_s(self.limits),
            'p' => Ok(QuotedString(&value.ruby_to_s(self.limits)?).to_string()),
            'q' => value.ruby_inspect(self.limits),
            letter => Err(illegal("Runtime", letter, "spq")),
        }
    }
}

/// Formats an object as the call that would construct it.
pub(super) fn object(
    format: &ValueFormat,
    value: &Value,
    place: Indentation,
    limits: &Limits,
) -> Result<String, Error> {
    match format.letter {
        'p' if place.or_indenting(format.alternate).is_indenting() => {
            Ok(value.to_indented_literal(place.level()))
        }
        'p' => Ok(value.to_literal()),
        's' => value.ruby_to_s(limits),
        'q' => value.ruby_inspect(limits),
        letter => Err(illegal("Object", letter, "spq")),
    }
}

/// Returns the text that bytes are.
fn utf8(bytes: &[u8]) -> Result<&str, Error> {
    std::str::from_utf8(bytes).map_err(|_| {
        let byte = bytes.iter().find(|byte| !byte.is_ascii()).copied().unwrap_or_default();
        invalid(format!("\"\\x{byte:02X}\" from ASCII-8BIT to UTF-8"))
    })
}

/// Returns the segments of a name; empty ones at the end are ignored.
fn segments(name: &str) -> impl Iterator<Item = &str> {
    let mut end = name;
    while let Some(shorter) = end.strip_suffix("::") {
        end = shorter;
    }
    (!end.is_empty()).then(|| end.split("::")).into_iter().flatten()
}

/// Returns true if a character is trimmed from texts.
pub(super) fn is_space(c: char) -> bool {
    matches!(c, '\0' | '\t'..='\r' | ' ')
}
