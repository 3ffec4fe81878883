//! Values as text: as Puppet interpolates them into a string, and as Ruby's `to_s` and `inspect` return them, which many of
//! Puppet's functions display.

use std::fmt::{self, Write};

use super::{InspectedString, Object, Regex, Value, float_to_s};
use puppetfn_base::error::Error;
use puppetfn_base::host::{HostRef, objects};
use puppetfn_base::limits::{Depth, Limits};

/// Which text of a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum StringStyle {
    Interpolated,
    ToS,
    Inspect,
}

impl Value {
    /// Returns the text of `"${value}"`.
    ///
    /// # Errors
    /// Fails with [`puppetfn_base::error::ErrorKind::Limit`] if it nests too deep.
    pub fn interpolated(&self, limits: &Limits) -> Result<String, Error> {
        self.styled(StringStyle::Interpolated, limits)
    }

    /// Adds the text that `"${value}"` has to another.
    #[inline]
    pub fn interpolate_into(&self, text: &mut String, limits: &Limits) -> Result<(), Error> {
        // Fast path for the most frequent parts of texts.
        if let Self::String(part) = self {
            text.push_str(part);
        } else if let Self::Integer(number) = self {
            text.push_str(itoa::Buffer::new().format(*number));
        } else {
            TextWriter { out: text, limits }.value(
                self,
                StringStyle::Interpolated,
                Depth::nesting(limits),
            )?;
        }
        Ok(())
    }

    /// Returns the text that Ruby's `to_s` returns.
    ///
    /// # Errors
    /// Fails with [`puppetfn_base::error::ErrorKind::Limit`] if it nests too deep.
    pub fn ruby_to_s(&self, limits: &Limits) -> Result<String, Error> {
        self.styled(StringStyle::ToS, limits)
    }

    /// Returns the text that Ruby's `inspect` returns.
    ///
    /// # Errors
    /// Fails with [`puppetfn_base::error::ErrorKind::Limit`] if it nests too deep.
    pub fn ruby_inspect(&self, limits: &Limits) -> Result<String, Error> {
        self.styled(StringStyle::Inspect, limits)
    }

    /// Returns the text of Ruby's `inspect` for a message; empty if the value nests deeper than any limit allows.
    pub fn inspected(&self) -> String {
        self.ruby_inspect(&Limits::FURTHEST).unwrap_or_default()
    }

    fn styled(&self, style: StringStyle, limits: &Limits) -> Result<String, Error> {
        let mut text = String::new();
        TextWriter { out: &mut text, limits }.value(self, style, Depth::nesting(limits))?;
        Ok(text)
    }
}

/// The text of `"${value}"`. A Sensitive hides its value; collections that nest deeper than any limit allows are cut off there.
///
/// ```
/// use puppetfn::value::Value;
///
/// let value = Value::hash([("ports", Value::array([80, 443])), ("password", Value::sensitive("secret"))]);
/// assert_eq!(value.to_string(), "{ports => [80, 443], password => Sensitive [value redacted]}");
/// ```
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = String::new();
        let (style, limits) = (StringStyle::Interpolated, &Limits::FURTHEST);
        let written = TextWriter { out: &mut text, limits }.value(self, style, Depth::nesting(limits));
        if written.is_err() {
            text.push_str("...");
        }
        f.pad(&text)
    }
}

/// Joins the texts of values as Ruby's `Array#join` does, including nested arrays.
///
/// # Errors
/// Fails with [`puppetfn_base::error::ErrorKind::Limit`] if they nest too deep, or the text gets too long.
pub fn join(items: &[Value], delimiter: &str, limits: &Limits) -> Result<String, Error> {
    let mut text = String::new();
    TextWriter { out: &mut text, limits }.joined(items, delimiter, Depth::nesting(limits))?;
    Ok(text)
}

/// Writes to a text, which cannot fail, within limits.
struct TextWriter<'w> {
    out: &'w mut String,
    limits: &'w Limits,
}

impl TextWriter<'_> {
    fn joined(&mut self, items: &[Value], delimiter: &str, depth: Depth) -> Result<(), Error> {
        let depth = depth.deeper()?;
        for (index, item) in items.iter().enumerate() {
            if index > 0 {
                self.out.push_str(delimiter);
            }
            if let Value::Array(inner) = item {
                self.joined(inner, delimiter, depth)?;
            } else {
                self.value(item, StringStyle::ToS, depth)?;
            }
            self.limits.check_text(self.out.len())?;
        }
        Ok(())
    }

    fn value(&mut self, value: &Value, style: StringStyle, depth: Depth) -> Result<(), Error> {
        let depth = depth.deeper()?;
        match (value, style) {
            (Value::Undef, StringStyle::Inspect) => self.out.push_str("nil"),
            (Value::Undef, _) => {}
            (Value::Default, StringStyle::Inspect) => self.out.push_str(":default"),
            (Value::Default, _) => self.out.push_str("default"),
            (Value::Boolean(truth), _) => push(self.out, format_args!("{truth}")),
            (Value::Integer(number), _) => self.out.push_str(itoa::Buffer::new().format(*number)),
            (Value::Float(number), _) => self.out.push_str(&float_to_s(*number)),
            (Value::String(text), StringStyle::Inspect) => {
                push(self.out, format_args!("{}", InspectedString(text)))
            }
            (Value::String(text), _) => self.out.push_str(text),
            (Value::Regexp(regex), StringStyle::ToS) => push_regex(self.out, regex),
            (Value::Regexp(regex), _) => push(self.out, format_args!("{regex}")),
            (Value::Array(items), style) => {
                let inner = style.within();
                self.out.push('[');
                self.list(items.iter(), |writer, item| writer.value(item, inner, depth))?;
                self.out.push(']');
            }
            (Value::Hash(hash), style) => {
                let arrow = if style == StringStyle::Interpolated { " => " } else { "=>" };
                let inner = style.within();
                self.out.push('{');
                self.list(hash.iter(), |writer, (key, value)| {
                    writer.value(key, inner, depth)?;
                    writer.out.push_str(arrow);
                    writer.value(value, inner, depth)
                })?;
                self.out.push('}');
            }
            (Value::SemVer(version), _) => push(self.out, format_args!("{version}")),
            (Value::SemVerRange(range), StringStyle::Inspect) => self.out.push_str(&range.canonical()),
            (Value::SemVerRange(range), _) => push(self.out, format_args!("{range}")),
            (Value::Binary(binary), _) => push(self.out, format_args!("{binary}")),
            (Value::Uri(uri), _) => push(self.out, format_args!("{uri}")),
            (Value::Timestamp(time), _) => push(self.out, format_args!("{time}")),
            (Value::Timespan(time), _) => push(self.out, format_args!("{time}")),
            (Value::Type(t), _) => self.out.push_str(&t.ruby_to_s()),
            (Value::Sensitive(_), StringStyle::Inspect) => self.out.push_str("#<Sensitive [value redacted]>"),
            (Value::Sensitive(_), _) => self.out.push_str("Sensitive [value redacted]"),
            (Value::Iterator(iteration), _) => {
                push(self.out, format_args!("Iterator[{}]-Value", iteration.element_type().generalize()));
            }
            (Value::Callable(_), _) => self.out.push_str("#<Proc>"),
            (Value::Object(object), _) => match (object_of_host(object), objects()) {
                (Some(host), Some(objects)) if style == StringStyle::Inspect => {
                    self.out.push_str(&objects.inspect(host)?);
                }
                (Some(host), Some(objects)) => self.out.push_str(&objects.to_s(host)?),
                _ => self.out.push_str(&value.to_literal()),
            },
            (Value::Runtime(object), StringStyle::Interpolated) => match object.contents() {
                Some(contents) => self.value(contents, style, depth)?,
                None => self.out.push_str(&object.to_s()?),
            },
            (Value::Runtime(object), StringStyle::ToS) => self.out.push_str(&object.to_s()?),
            (Value::Runtime(object), StringStyle::Inspect) => self.out.push_str(&object.inspect()?),
            (Value::Unknown(t), _) => push(self.out, format_args!("Unknown[{t}]")),
        }
        Ok(())
    }

    fn list<T>(
        &mut self,
        items: impl Iterator<Item = T>,
        mut write: impl FnMut(&mut Self, T) -> Result<(), Error>,
    ) -> Result<(), Error> {
        for (index, item) in items.enumerate() {
            if index > 0 {
                self.out.push_str(", ");
            }
            write(self, item)?;
            self.limits.check_text(self.out.len())?;
        }
        Ok(())
    }
}

/// Returns the object of the host's that implements an object.
fn object_of_host(object: &Object) -> Option<&HostRef> {
    object.implementation()?.host()
}

/// Writing to a string cannot fail.
fn push(out: &mut String, text: fmt::Arguments<'_>) {
    let _ = out.write_fmt(text);
}

impl StringStyle {
    /// Returns the style of the parts of a value in this style.
    fn within(self) -> Self {
        match self {
            Self::Interpolated => Self::Interpolated,
            Self::ToS | Self::Inspect => Self::Inspect,
        }
    }
}

/// Appends a regular expression as Ruby's `to_s` returns it: with its options, which are not stated
/// again if the expression as a whole states them.
fn push_regex(out: &mut String, regex: &Regex) {
    let source = regex.source();
    let group = source
        .strip_prefix("(?")
        .and_then(|rest| rest.strip_suffix(')'))
        .and_then(|rest| rest.split_once(':'))
        .filter(|(options, _)| options.chars().all(|c| matches!(c, 'm' | 'i' | 'x' | '-')))
        .filter(|(_, inner)| Regex::new(inner).is_ok());
    match group {
        Some(_) => out.push_str(source),
        None => push(out, format_args!("(?-mix:{source})")),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    fn sample() -> Value {
        let hash: Value = [
            ("a".into(), Value::Undef),
            (Value::Default, Value::Float(1.0)),
            (Value::Regexp(Regex::new("x").unwrap()), vec![true.into()].into()),
        ]
        .into_iter()
        .collect();
        vec!["t\"\n#{é".into(), hash, Value::Sensitive(Arc::new("secret".into()))].into()
    }

    #[test]
    fn interpolation_shows_values_without_quotes() {
        assert_eq!(
            sample().interpolated(&Limits::DEFAULT).unwrap(),
            "[t\"\n#{é, {a => , default => 1.0, /x/ => [true]}, Sensitive [value redacted]]"
        );
    }

    #[test]
    fn ruby_shows_values_within_values_as_literals() {
        assert_eq!(
            sample().ruby_to_s(&Limits::DEFAULT).unwrap(),
            "[\"t\\\"\\n\\#{é\", {\"a\"=>nil, :default=>1.0, /x/=>[true]}, #<Sensitive [value redacted]>]"
        );
        assert_eq!(
            Value::from("\u{1}\u{7f}\u{1b}").ruby_to_s(&Limits::DEFAULT).unwrap(),
            "\u{1}\u{7f}\u{1b}"
        );
        assert_eq!(
            Value::from(vec!["\u{1}\u{7f}\u{1b}#$y#z".into()]).ruby_to_s(&Limits::DEFAULT).unwrap(),
            "[\"\\u0001\\u007F\\e\\#$y#z\"]"
        );
    }

    #[test]
    fn regexes_state_their_options_once() {
        for (source, text) in [
            ("x", "(?-mix:x)"),
            ("(?i-mx:x)", "(?i-mx:x)"),
            ("(?mi:x)y", "(?-mix:(?mi:x)y)"),
            ("(?i:a)(b)", "(?-mix:(?i:a)(b))"),
        ] {
            assert_eq!(Value::Regexp(Regex::new(source).unwrap()).ruby_to_s(&Limits::DEFAULT).unwrap(), text);
        }
    }

    #[test]
    fn joining_flattens() {
        let one = |items: Vec<Value>| Value::from(items);
        let items = [one(vec![1.into(), one(vec![2.into(), one(vec![])])]), one(vec![]), Value::Undef];
        assert_eq!(join(&items, "-", &Limits::DEFAULT).unwrap(), "1-2---");
    }
}
