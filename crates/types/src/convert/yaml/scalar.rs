//! The values of scalars.
//!
//! Regular expressions tell them apart instead of nom, because Psych does so: its numbers and dates are whatever its
//! patterns match in any line of a text, with all their gaps.
//!
//! See Psych's `psych/scalar_scanner.rb`.

use std::sync::LazyLock;

use base64::Engine;
use regex::Regex;

use super::NotYaml;
use super::node::{YamlNode, YamlTag};
use crate::convert::number::integer_of_any_size;
use crate::value::Value;

/// Patterns are Ruby's: `^` and `$` are the ends of any line.
macro_rules! pattern {
    ($name:ident, $text:literal) => {
        fn $name(text: &str) -> bool {
            static PATTERN: LazyLock<Option<Regex>> =
                LazyLock::new(|| Regex::new(concat!("(?m)", $text)).ok());
            PATTERN.as_ref().is_some_and(|pattern| pattern.is_match(text))
        }
    };
}

pattern!(is_word, r"^[^0-9.:\-\n]?[\p{Alphabetic}_ \t\r\n\f\x0B!@#$%\^&*(){}<>|/\\~;=]+");
pattern!(is_no_keyword, r"(?i)^[^ytonf~\n]");
pattern!(is_null, r"(?i)^null$");
pattern!(is_true, r"(?i)^(yes|true|on)$");
pattern!(is_false, r"(?i)^(no|false|off)$");
pattern!(
    is_time,
    r"^-?[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(?:[Tt]|[ \t\r\n\f\x0B]+)[0-9]{1,2}:[0-9][0-9]:[0-9][0-9](?:\.[0-9]*)?(?:[ \t\r\n\f\x0B]*(?:Z|[-+][0-9]{1,2}:?(?:[0-9][0-9])?))?$"
);
pattern!(is_date, r"^[0-9]{4}-(?:1[012]|0[0-9]|[0-9])-(?:[12][0-9]|3[01]|0[0-9]|[0-9])$");
pattern!(is_infinity, r"(?i)^\+?\.inf$");
pattern!(is_negative_infinity, r"(?i)^-\.inf$");
pattern!(is_nan, r"(?i)^\.nan$");
pattern!(is_sexagesimal, r"^[-+]?[0-9][0-9_]*(:[0-5]?[0-9]){1,2}$");
pattern!(is_sexagesimal_fraction, r"^[-+]?[0-9][0-9_]*(:[0-5]?[0-9]){1,2}\.[0-9_]*$");
pattern!(is_float, r"^(?:[-+]?([0-9][0-9_,]*)?\.[0-9]*([eE][-+][0-9]+)?)$");
pattern!(
    is_integer,
    r"^(?:[-+]?0b[0-1_,]+|[-+]?0[0-7_,]+|[-+]?(?:0|[1-9](?:[0-9]|,[0-9]|_[0-9])*)|[-+]?0x[0-9a-fA-F_,]+)$"
);

/// Returns the value of a scalar.
pub(super) fn resolve(text: &str, tag: Option<YamlTag<'_>>, is_quoted: bool) -> Result<YamlNode, NotYaml> {
    match tag {
        _ if is_quoted => Ok(YamlNode::scalar(text)),
        None => plain(text),
        Some(tag) => tagged(text, tag),
    }
}

fn tagged(text: &str, tag: YamlTag<'_>) -> Result<YamlNode, NotYaml> {
    const CLASSES: [(&str, &str); 6] = [
        ("!ruby/object:BigDecimal", "BigDecimal"),
        ("!ruby/object:DateTime", "DateTime"),
        ("!ruby/object:Complex", "Complex"),
        ("!ruby/object:Rational", "Rational"),
        ("!ruby/regexp", "Regexp"),
        ("!ruby/range", "Range"),
    ];
    if tag.is("binary") {
        return binary(text);
    }
    if tag.is("float") {
        return float_of(text);
    }
    let class = tag.class_after("str").or_else(|| tag.class_after("ruby/string"));
    if let Some(class) = class.filter(|class| !class.is_empty()) {
        return Err(NotYaml::Class(class.to_owned()));
    }
    if class.is_some() || tag.is("str") || tag.0 == "!ruby/string" {
        return Ok(YamlNode::tagged_string(text));
    }
    if matches!(tag.0, "!ruby/class" | "!ruby/module" | "!ruby/encoding") {
        return if text.is_empty() { Ok(YamlNode::UNDEF) } else { Err(NotYaml::Class(text.to_owned())) };
    }
    if let Some((_, class)) = CLASSES.into_iter().find(|(name, _)| *name == tag.0) {
        return Err(NotYaml::Class(class.to_owned()));
    }
    if tag.after("ruby/sym").is_some() {
        return Ok(YamlNode::symbol(text));
    }
    plain(text)
}

/// Returns the value of a scalar without a tag.
fn plain(text: &str) -> Result<YamlNode, NotYaml> {
    if text.is_empty() {
        return Ok(YamlNode::UNDEF);
    }
    if is_word(text) || text.contains('\n') {
        return Ok(word(text));
    }
    if is_time(text) {
        return Err(NotYaml::Class("Time".to_owned()));
    }
    if is_date(text) {
        return Err(NotYaml::Class("Date".to_owned()));
    }
    if is_infinity(text) {
        return Ok(YamlNode::scalar(f64::INFINITY));
    }
    if is_negative_infinity(text) {
        return Ok(YamlNode::scalar(f64::NEG_INFINITY));
    }
    if is_nan(text) {
        return Ok(YamlNode::scalar(f64::NAN));
    }
    if let Some(name) = text.strip_prefix(':').filter(|name| !name.is_empty()) {
        return Ok(YamlNode::symbol(symbol_name(name)));
    }
    number(text)
}

/// Returns true if a plain scalar of this text is read as a string.
pub(super) fn is_plain_string(text: &str) -> bool {
    matches!(plain(text), Ok(node) if node.value == Value::from(text))
}

/// A short word may be a keyword.
fn word(text: &str) -> YamlNode {
    if text.chars().count() > 5 || is_no_keyword(text) {
        YamlNode::scalar(text)
    } else if text == "~" || is_null(text) {
        YamlNode::UNDEF
    } else if is_true(text) {
        YamlNode::scalar(true)
    } else if is_false(text) {
        YamlNode::scalar(false)
    } else {
        YamlNode::scalar(text)
    }
}

/// Returns the name of a symbol after its colon, which may be quoted.
fn symbol_name(name: &str) -> &str {
    let quoted = ['"', '\''].into_iter().find_map(|quote| {
        let rest = name.strip_prefix(quote)?;
        rest.rsplit_once(quote).map(|(inner, _)| inner)
    });
    quoted.map_or(name, |inner| inner.strip_prefix(':').unwrap_or(inner))
}

fn number(text: &str) -> Result<YamlNode, NotYaml> {
    if is_sexagesimal(text) {
        let mut sum = Some(0i64);
        for (part, weight) in text.split(':').zip([3600i64, 60, 1]) {
            let part: Option<i64> = part.replace('_', "").parse().ok();
            sum = sum.zip(part).and_then(|(sum, part)| sum.checked_add(part.checked_mul(weight)?));
        }
        return sum.map(YamlNode::scalar).ok_or_else(|| out_of_range(text));
    }
    if is_sexagesimal_fraction(text) {
        let parts = text.split(':').zip([3600.0, 60.0, 1.0]);
        let sum = parts
            .map(|(part, weight)| part.replace('_', "").parse::<f64>().unwrap_or(0.0) * weight)
            .sum::<f64>();
        return Ok(YamlNode::scalar(sum));
    }
    if is_float(text) {
        return if matches!(text, "." | "+." | "-.") { Ok(YamlNode::scalar(text)) } else { float(text) };
    }
    if is_integer(text) { integer(text) } else { Ok(YamlNode::scalar(text)) }
}

fn float(text: &str) -> Result<YamlNode, NotYaml> {
    let digits: String = text.chars().filter(|c| !matches!(c, ',' | '_')).collect();
    let is_number = digits.contains(|c: char| c.is_ascii_digit())
        && digits.trim_start_matches(['+', '-', '.']).starts_with(|c: char| c.is_ascii_digit());
    match digits.parse::<f64>() {
        Ok(number) if is_number => Ok(YamlNode::scalar(number)),
        Ok(_) | Err(_) => Err(invalid("Float", &digits.replace('.', ""))),
    }
}

/// Returns the value of a scalar tagged as a float.
fn float_of(text: &str) -> Result<YamlNode, NotYaml> {
    let value = plain(text)?.value;
    if let Value::Float(_) = value {
        return Ok(YamlNode::scalar(value));
    }
    if let Value::Undef | Value::Boolean(_) = value {
        let shown = value.inspected();
        return Err(NotYaml::Value(format!("can't convert {shown} into Float")));
    }
    let digits = if let Value::Integer(number) = value { number.to_string() } else { text.trim().to_owned() };
    match digits.parse::<f64>() {
        Ok(number) if digits.contains(|c: char| c.is_ascii_digit()) => Ok(YamlNode::scalar(number)),
        Ok(_) | Err(_) => Err(invalid("Float", text)),
    }
}

fn integer(text: &str) -> Result<YamlNode, NotYaml> {
    let text: String = text.chars().filter(|c| !matches!(c, ',' | '_')).collect();
    let (sign, digits) = match text.strip_prefix('-') {
        Some(digits) => ("-", digits),
        None => ("", text.strip_prefix('+').unwrap_or(&text)),
    };
    let (radix, digits) = match digits.as_bytes() {
        [b'0', b'b', ..] => (2, digits.get(2..)),
        [b'0', b'x', ..] => (16, digits.get(2..)),
        [b'0', _, ..] => (8, digits.get(1..)),
        _ => (10, Some(digits)),
    };
    let digits = digits.filter(|digits| !digits.is_empty()).ok_or_else(|| invalid("Integer", &text))?;
    let digits = format!("{sign}{digits}");
    match i64::from_str_radix(&digits, radix) {
        Ok(number) => Ok(YamlNode::scalar(number)),
        Err(_) => integer_of_any_size(&digits, radix)
            .map(YamlNode::scalar)
            .map_err(|error| NotYaml::Value(error.message().to_owned())),
    }
}

fn binary(text: &str) -> Result<YamlNode, NotYaml> {
    use base64::alphabet::STANDARD;
    use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};

    // As in Ruby's `unpack`: characters outside of the alphabet are ignored.
    const LENIENT: GeneralPurpose = GeneralPurpose::new(
        &STANDARD,
        GeneralPurposeConfig::new()
            .with_decode_padding_mode(DecodePaddingMode::Indifferent)
            .with_decode_allow_trailing_bits(true),
    );
    let text: String =
        text.chars().filter(|c| c.is_ascii_alphanumeric() || matches!(c, '+' | '/' | '=')).collect();
    let bytes = LENIENT.decode(text).map_err(|error| NotYaml::Value(error.to_string()))?;
    match String::from_utf8(bytes) {
        Ok(text) => Ok(YamlNode::scalar(text)),
        Err(_) => Err(NotYaml::Value("a binary scalar is not text in UTF-8".to_owned())),
    }
}

fn invalid(kind: &str, text: &str) -> NotYaml {
    NotYaml::Value(format!("invalid value for {kind}(): \"{text}\""))
}

fn out_of_range(text: &str) -> NotYaml {
    NotYaml::Value(format!("the number {text} does not fit into an Integer, which has 64 bits"))
}
