//! Values as YAML.

use libyaml_safer::{Emitter, Encoding, Event, MappingStyle, ScalarStyle, SequenceStyle};

use super::scalar;
use crate::value::{Hash, Value};
use puppetfn_base::error::{Error, ErrorKind};
use puppetfn_base::limits::{Depth, Limits};

/// The width of lines: they are never folded.
const WIDTH: i32 = -1;

/// Returns the YAML document of a value that is plain data, as Ruby and others read it. What is not data becomes the
/// string that Puppet shows for it, as in JSON.
///
/// ```
/// use puppetfn::convert::yaml::to_yaml;
/// use puppetfn::limits::Limits;
/// use puppetfn::value::Value;
///
/// let hosts = Value::from(vec!["web".into(), "yes".into(), Value::Undef]);
/// let data = [(Value::from("hosts"), hosts)].into_iter().collect::<Value>();
/// assert_eq!(to_yaml(&data, &Limits::DEFAULT)?, "---\nhosts:\n- web\n- 'yes'\n- null\n");
/// # Ok::<(), puppetfn::error::Error>(())
/// ```
///
/// # Errors
/// [`ErrorKind::Limit`] when it nests too deep.
pub fn to_yaml(value: &Value, limits: &Limits) -> Result<String, Error> {
    let mut text = Vec::new();
    let mut emitter = Emitter::new();
    emitter.set_output_string(&mut text);
    emitter.set_unicode(true);
    emitter.set_width(WIDTH);
    let mut writer = Writer { emitter, limits };
    writer.emit(Event::stream_start(Encoding::Utf8))?;
    writer.emit(Event::document_start(None, &[], false))?;
    writer.value(value, Depth::nesting(limits))?;
    writer.emit(Event::document_end(true))?;
    writer.emit(Event::stream_end())?;
    drop(writer);
    String::from_utf8(text).map_err(|error| unwritable(&error))
}

struct Writer<'w> {
    emitter: Emitter<'w>,
    limits: &'w Limits,
}

impl Writer<'_> {
    fn emit(&mut self, event: Event) -> Result<(), Error> {
        self.emitter.emit(event).map_err(|error| unwritable(&error))
    }

    fn value(&mut self, value: &Value, depth: Depth) -> Result<(), Error> {
        let depth = depth.deeper()?;
        match value {
            Value::Undef => self.scalar("null", ScalarStyle::Plain),
            Value::Boolean(truth) => self.scalar(if *truth { "true" } else { "false" }, ScalarStyle::Plain),
            Value::Integer(number) => self.scalar(&number.to_string(), ScalarStyle::Plain),
            Value::Float(number) if number.is_finite() => {
                self.scalar(&value.interpolated(self.limits)?, ScalarStyle::Plain)
            }
            Value::Float(number) if number.is_nan() => self.scalar(".nan", ScalarStyle::Plain),
            Value::Float(number) => {
                self.scalar(if *number > 0.0 { ".inf" } else { "-.inf" }, ScalarStyle::Plain)
            }
            Value::String(text) => self.scalar(text, style(text)),
            Value::Array(items) => {
                self.emit(Event::sequence_start(None, None, true, SequenceStyle::Block))?;
                items.iter().try_for_each(|item| self.value(item, depth))?;
                self.emit(Event::sequence_end())
            }
            Value::Hash(hash) => self.hash(hash, depth),
            Value::Default
            | Value::Regexp(_)
            | Value::SemVer(_)
            | Value::SemVerRange(_)
            | Value::Binary(_)
            | Value::Uri(_)
            | Value::Timestamp(_)
            | Value::Timespan(_)
            | Value::Type(_)
            | Value::Sensitive(_)
            | Value::Iterator(_)
            | Value::Callable(_)
            | Value::Object(_)
            | Value::Runtime(_)
            | Value::Unknown(_) => {
                let text = value.interpolated(self.limits)?;
                self.scalar(&text, style(&text))
            }
        }
    }

    fn hash(&mut self, hash: &Hash, depth: Depth) -> Result<(), Error> {
        self.emit(Event::mapping_start(None, None, true, MappingStyle::Block))?;
        for (key, value) in hash.iter() {
            self.value(key, depth)?;
            self.value(value, depth)?;
        }
        self.emit(Event::mapping_end())
    }

    fn scalar(&mut self, text: &str, style: ScalarStyle) -> Result<(), Error> {
        self.emit(Event::scalar(None, None, text, true, true, style))
    }
}

/// Returns how a string is written so that it is read as one.
fn style(text: &str) -> ScalarStyle {
    if text.contains('\n') {
        ScalarStyle::Literal
    } else if scalar::is_plain_string(text) {
        ScalarStyle::Plain
    } else {
        ScalarStyle::SingleQuoted
    }
}

#[cold]
fn unwritable(error: &dyn std::fmt::Display) -> Error {
    Error::new(ErrorKind::Internal, format!("the YAML cannot be written: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::convert::yaml::parse;

    #[test]
    fn what_is_written_is_read_as_the_same() {
        let texts = [
            "",
            " ",
            "a",
            "a b",
            "a: b",
            "a #b",
            "#",
            "- a",
            "yes",
            "No",
            "y",
            "null",
            "~",
            "1",
            "1.5",
            "1e3",
            "0o17",
            "2001-02-03",
            "1:30",
            ":a",
            "a\nb",
            "a\nb\n",
            "a\n\n",
            "\na",
            " a\n b\n",
            "a \nb",
            "a\tb",
            "\u{7}",
            "'",
            "\"",
            "\\",
            "%a",
            "@a",
            "`a`",
            "&a",
            "*a",
            "!a",
            "|",
            ">",
            "{}",
            "[]",
            "é",
            "\u{1F600}",
            "a\r\nb",
            "<<",
            "=",
            "---",
            "...",
            "\u{85}",
            "\u{2028}x",
            "\u{feff}",
        ];
        let strings: Vec<Value> = texts.iter().map(|text| Value::from(*text)).collect();
        let others = [
            Value::Undef,
            true.into(),
            (-1).into(),
            1.5.into(),
            f64::INFINITY.into(),
            f64::NEG_INFINITY.into(),
            1e20.into(),
            1e-7.into(),
            Vec::new().into(),
        ];
        let keyed: Value = strings.iter().map(|text| (text.clone(), text.clone())).collect();
        let nested =
            Value::from(vec![strings.clone().into(), others.to_vec().into(), keyed, Hash::default().into()]);
        for value in strings.into_iter().chain(others).chain([nested]) {
            let text = to_yaml(&value, &Limits::DEFAULT).unwrap();
            assert_eq!(parse(&text, &Limits::DEFAULT).unwrap(), Ok(value), "{text}");
        }
    }

    #[test]
    fn strings_are_written_as_people_write_them() {
        let texts = ["a b", "/etc/motd", "0644", "y", "it's: so", "a\nb\n"];
        let value = Value::from(texts.map(Value::from).to_vec());
        assert_eq!(
            to_yaml(&value, &Limits::DEFAULT).unwrap(),
            "---\n- a b\n- /etc/motd\n- '0644'\n- 'y'\n- 'it''s: so'\n- |\n  a\n  b\n"
        );
    }
}
