//! Requests of clients and their options.

use std::fmt::Write as _;

use crate::error::FileError;

/// A request for the metadata or the content of a file.
#[derive(Clone, Debug, Default)]
pub struct FileRequest {
    /// The path after the name of the indirection, decoded: `modules/ntp/ntp.conf`.
    pub key: String,
    /// The certificate's name of the client, if it has one.
    pub node: Option<String>,
    /// The parameters of the query but `environment`, `node` and `ip`, in order: see [`query_options`].
    pub options: Vec<(String, QueryValue)>,
}

/// The value of a parameter of a query, as Puppet's HTTP handler converts it.
#[derive(Clone, PartialEq, Debug)]
pub enum QueryValue {
    /// `true` or `false`.
    Boolean(bool),
    /// Digits.
    Integer(i64),
    /// Digits with a point.
    Float(f64),
    /// Any other text.
    String(String),
    /// The values of a parameter that is repeated.
    Array(Vec<QueryValue>),
}

/// Returns the options of a query's parameters, which are decoded. Parameters that a client may not set are left out.
///
/// # Errors
/// Fails if a number is too large, or has a leading zero and digits that are not octal.
///
/// See `decode_params` in Puppet's `network/http/handler.rb`.
pub fn query_options<'p>(
    parameters: impl IntoIterator<Item = (&'p str, &'p str)>,
) -> Result<Vec<(String, QueryValue)>, FileError> {
    let mut options: Vec<(String, QueryValue)> = Vec::new();
    for (name, text) in parameters {
        if matches!(name, "" | "environment" | "node" | "ip" | "bucket_path") {
            continue;
        }
        let value = QueryValue::parse(text)?;
        match options.iter_mut().find(|(known, _)| known == name) {
            None => options.push((name.to_owned(), value)),
            Some((_, QueryValue::Array(values))) => values.push(value),
            Some((_, first)) => {
                let old = std::mem::replace(first, QueryValue::Boolean(false));
                *first = QueryValue::Array(vec![old, value]);
            }
        }
    }
    Ok(options)
}

impl QueryValue {
    fn parse(text: &str) -> Result<Self, FileError> {
        let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        Ok(match text {
            "true" => Self::Boolean(true),
            "false" => Self::Boolean(false),
            digits if is_number(digits) => Self::Integer(integer(digits)?),
            text => match text.split_once('.') {
                Some((whole, fraction)) if is_number(whole) && is_number(fraction) => {
                    Self::Float(text.parse().unwrap_or(f64::MAX))
                }
                _ => Self::String(text.to_owned()),
            },
        })
    }

    /// Returns the value as Ruby's `to_s` shows it.
    pub(crate) fn text(&self) -> String {
        match self {
            Self::Boolean(truth) => truth.to_string(),
            Self::Integer(number) => number.to_string(),
            Self::Float(number) => puppetfn_base::number::float_to_s(*number),
            Self::String(text) => text.clone(),
            Self::Array(_) => self.inspect(),
        }
    }

    /// Returns the value as Ruby's `inspect` shows it.
    fn inspect(&self) -> String {
        match self {
            Self::Array(values) => {
                format!("[{}]", values.iter().map(Self::inspect).collect::<Vec<_>>().join(", "))
            }
            Self::String(text) => inspect_string(text),
            Self::Boolean(_) | Self::Integer(_) | Self::Float(_) => self.text(),
        }
    }

    /// Returns the number, if the value is one.
    pub(crate) fn number(&self) -> Option<f64> {
        match self {
            #[allow(clippy::cast_precision_loss, reason = "it is compared with small numbers")]
            Self::Integer(number) => Some(*number as f64),
            Self::Float(number) => Some(*number),
            Self::Boolean(_) | Self::String(_) | Self::Array(_) => None,
        }
    }
}

impl FileRequest {
    /// Returns the value of an option. `false` counts as none, as in `if request.options[:links]`.
    pub(crate) fn truthy(&self, name: &str) -> Option<&QueryValue> {
        self.option(name).filter(|value| **value != QueryValue::Boolean(false))
    }

    /// Returns the value of an option.
    pub(crate) fn option(&self, name: &str) -> Option<&QueryValue> {
        self.options.iter().find(|(known, _)| known == name).map(|(_, value)| value)
    }

    /// Returns the options as Ruby's `inspect` shows the hash; empty if there are none.
    pub(crate) fn inspect_options(&self) -> String {
        if self.options.is_empty() {
            return String::new();
        }
        let mut text = String::new();
        for (name, value) in &self.options {
            let is_plain = |name: &str| name.chars().all(|c| c.is_alphanumeric() || c == '_');
            let symbol = if is_plain(name) && !name.starts_with(|c: char| c.is_ascii_digit()) {
                name.clone()
            } else {
                inspect_string(name)
            };
            let separator = if text.is_empty() { "" } else { ", " };
            _ = write!(text, "{separator}:{symbol}=>{}", value.inspect());
        }
        format!("{{{text}}}")
    }
}

/// Parses digits as Ruby's `Integer` does: a leading zero makes them octal.
fn integer(digits: &str) -> Result<i64, FileError> {
    let parsed = match digits.strip_prefix('0') {
        Some(octal) if !octal.is_empty() => i64::from_str_radix(octal, 8),
        _ => digits.parse(),
    };
    parsed.map_err(|_| FileError::failed(format!("invalid value for Integer(): {}", inspect_string(digits))))
}

/// Returns a text as Ruby's `String#inspect` shows it.
fn inspect_string(text: &str) -> String {
    let mut shown = String::from('"');
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        match c {
            '"' => shown.push_str("\\\""),
            '\\' => shown.push_str("\\\\"),
            '#' if matches!(rest.peek(), Some('{' | '$' | '@')) => shown.push_str("\\#"),
            '\n' => shown.push_str("\\n"),
            '\t' => shown.push_str("\\t"),
            '\r' => shown.push_str("\\r"),
            '\u{7}' => shown.push_str("\\a"),
            '\u{8}' => shown.push_str("\\b"),
            '\u{b}' => shown.push_str("\\v"),
            '\u{c}' => shown.push_str("\\f"),
            '\u{1b}' => shown.push_str("\\e"),
            c if c.is_ascii_control() => _ = write!(shown, "\\x{:02X}", u32::from(c)),
            c if c.is_control() => _ = write!(shown, "\\u{:04X}", u32::from(c)),
            c => shown.push(c),
        }
    }
    shown.push('"');
    shown
}
