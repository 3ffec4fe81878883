//! Values as YAML, as Ruby's Psych writes them.
//!
//! See Psych's `psych/visitors/yaml_tree.rb`.

use std::collections::HashMap;
use std::sync::LazyLock;

use libyaml_safer::{Emitter, Encoding, Event, MappingStyle, ScalarStyle, SequenceStyle};
use regex::Regex;

use super::scalar;
use crate::value::{Hash, Value};
use puppetfn_base::error::{Error, ErrorKind};
use puppetfn_base::limits::{Depth, Limits};

/// The tag of nil, which is only written where the scalar is no plain one.
const NULL: &str = "tag:yaml.org,2002:null";

/// The tag of a string.
const STRING: &str = "tag:yaml.org,2002:str";

/// Returns the YAML document of plain data, byte for byte as Ruby's `to_yaml`. Other values are converted to the strings
/// that Puppet displays, as in JSON.
///
/// ```
/// use puppetfn::convert::yaml::to_yaml;
/// use puppetfn::limits::Limits;
/// use puppetfn::value::Value;
///
/// let hosts = Value::from(vec!["web".into(), "yes".into(), "y".into(), Value::Undef]);
/// let data = [(Value::from("hosts"), hosts)].into_iter().collect::<Value>();
/// assert_eq!(to_yaml(&data, &Limits::DEFAULT)?, "---\nhosts:\n- web\n- 'yes'\n- \"y\"\n-\n");
/// # Ok::<(), puppetfn::error::Error>(())
/// ```
///
/// # Errors
/// [`ErrorKind::Limit`] when it nests too deep.
pub fn to_yaml(value: &Value, limits: &Limits) -> Result<String, Error> {
    document(value, None, limits)
}

/// Returns the same document, with aliases for repeated arrays and hashes, as Ruby writes an object that it meets again.
///
/// # Errors
/// [`ErrorKind::Limit`] when it nests too deep.
pub fn to_yaml_with_aliases(value: &Value, limits: &Limits) -> Result<String, Error> {
    let mut aliases = YamlAliases::default();
    aliases.visit(value, Depth::nesting(limits))?;
    document(value, Some(aliases), limits)
}

fn document(value: &Value, aliases: Option<YamlAliases>, limits: &Limits) -> Result<String, Error> {
    let mut text = Vec::new();
    let mut emitter = Emitter::new();
    emitter.set_output_string(&mut text);
    emitter.set_unicode(true);
    let mut writer = YamlWriter { emitter, aliases: aliases.unwrap_or_default(), limits };
    writer.emit(Event::stream_start(Encoding::Utf8))?;
    writer.emit(Event::document_start(None, &[], false))?;
    writer.value(value, Depth::nesting(limits))?;
    writer.emit(Event::document_end(true))?;
    writer.emit(Event::stream_end())?;
    drop(writer);
    let text = String::from_utf8(text).map_err(|error| unwritable(&error))?;
    Ok(if text.chars().any(is_astral) { with_escapes(&text) } else { text })
}

/// Returns true if libyaml takes a character for unprintable that others print: its emitter knows sequences of three bytes.
fn is_astral(c: char) -> bool {
    c > '\u{FFFF}'
}

/// Returns the text with escapes for astral characters, which occur only within double quotes.
fn with_escapes(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        if is_astral(c) {
            escaped.push_str(&format!("\\U{:08X}", u32::from(c)));
        } else {
            escaped.push(c);
        }
    }
    escaped
}

/// Arrays and hashes that occur several times, by address.
#[derive(Default)]
struct YamlAliases {
    /// Whether each was seen again while values were counted, and with which number.
    numbers: HashMap<usize, Option<usize>>,
    count: usize,
    /// Whether the anchor was written.
    written: HashMap<usize, bool>,
}

impl YamlAliases {
    /// Counts the value and its elements. They are numbered in the order in which they are met again.
    fn visit(&mut self, value: &Value, depth: Depth) -> Result<(), Error> {
        let Some(address) = value.address() else { return Ok(()) };
        if let Some(number) = self.numbers.get_mut(&address) {
            if number.is_none() {
                self.count += 1;
                *number = Some(self.count);
            }
            return Ok(());
        }
        self.numbers.insert(address, None);
        let depth = depth.deeper()?;
        if let Value::Array(items) = value {
            items.iter().try_for_each(|item| self.visit(item, depth))?;
        } else if let Value::Hash(hash) = value {
            hash.iter().try_for_each(|(key, value)| {
                self.visit(key, depth)?;
                self.visit(value, depth)
            })?;
        }
        Ok(())
    }

    /// Returns the number of a value that occurs several times, and whether it was written before.
    fn number(&mut self, value: &Value) -> Option<(String, bool)> {
        let address = value.address()?;
        let number = self.numbers.get(&address).copied()??;
        Some((number.to_string(), self.written.insert(address, true).is_some()))
    }
}

struct YamlWriter<'w> {
    emitter: Emitter<'w>,
    aliases: YamlAliases,
    limits: &'w Limits,
}

impl YamlWriter<'_> {
    fn emit(&mut self, event: Event) -> Result<(), Error> {
        self.emitter.emit(event).map_err(|error| unwritable(&error))
    }

    fn value(&mut self, value: &Value, depth: Depth) -> Result<(), Error> {
        let depth = depth.deeper()?;
        match value {
            Value::Undef => self.emit(Event::scalar(None, Some(NULL), "", true, false, ScalarStyle::Any)),
            Value::Boolean(truth) => self.plain(if *truth { "true" } else { "false" }),
            Value::Integer(number) => self.plain(&number.to_string()),
            Value::Float(number) if number.is_finite() => self.plain(&value.interpolated(self.limits)?),
            Value::Float(number) if number.is_nan() => self.plain(".nan"),
            Value::Float(number) => self.plain(if *number > 0.0 { ".inf" } else { "-.inf" }),
            Value::String(text) => self.string(text),
            Value::Array(_) | Value::Hash(_) => self.collection(value, depth),
            Value::Runtime(object) => match object.as_symbol() {
                Some(name) if !name.is_empty() => self.plain(&format!(":{name}")),
                None if object.as_integer().is_some() => self.plain(&object.to_s()?),
                _ => self.string(&value.interpolated(self.limits)?),
            },
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
            | Value::Unknown(_) => self.string(&value.interpolated(self.limits)?),
        }
    }

    fn collection(&mut self, value: &Value, depth: Depth) -> Result<(), Error> {
        let number = self.aliases.number(value);
        if let Some((anchor, true)) = &number {
            return self.emit(Event::alias(anchor));
        }
        let anchor = number.as_ref().map(|(anchor, _)| anchor.as_str());
        if let Value::Array(items) = value {
            self.emit(Event::sequence_start(anchor, None, true, SequenceStyle::Block))?;
            items.iter().try_for_each(|item| self.value(item, depth))?;
            return self.emit(Event::sequence_end());
        }
        let Value::Hash(hash) = value else { return Ok(()) };
        self.hash(hash, anchor, depth)
    }

    fn hash(&mut self, hash: &Hash, anchor: Option<&str>, depth: Depth) -> Result<(), Error> {
        self.emit(Event::mapping_start(anchor, None, true, MappingStyle::Block))?;
        for (key, value) in hash.iter() {
            self.value(key, depth)?;
            self.value(value, depth)?;
        }
        self.emit(Event::mapping_end())
    }

    fn plain(&mut self, text: &str) -> Result<(), Error> {
        self.emit(Event::scalar(None, None, text, true, false, ScalarStyle::Any))
    }

    fn string(&mut self, text: &str) -> Result<(), Error> {
        if text == "<<" {
            return self.emit(Event::scalar(
                None,
                Some(STRING),
                text,
                false,
                false,
                ScalarStyle::SingleQuoted,
            ));
        }
        self.emit(Event::scalar(None, None, text, true, true, style(text)))
    }
}

/// Returns the style that Psych asks for; the emitter takes another where that cannot hold the text.
fn style(text: &str) -> ScalarStyle {
    // Psych's patterns, whose `^` and `$` are the ends of any line.
    static BEGINS_WITH_NO_WORD: LazyLock<Option<Regex>> =
        LazyLock::new(|| Regex::new(r#"(?m)^\W[^"]*$"#).ok());
    static LIKE_OCTAL: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"\A0[0-7]*[89]").ok());
    let matches = |pattern: &Option<Regex>| pattern.as_ref().is_some_and(|pattern| pattern.is_match(text));
    if text.chars().any(is_astral) {
        ScalarStyle::DoubleQuoted
    } else if has_inner_break(text) {
        ScalarStyle::Literal
    } else if matches!(text, "y" | "n") || matches(&BEGINS_WITH_NO_WORD) {
        ScalarStyle::DoubleQuoted
    } else if !scalar::is_plain_string(text) || matches(&LIKE_OCTAL) {
        ScalarStyle::SingleQuoted
    } else {
        ScalarStyle::Plain
    }
}

/// Returns true if a line ends before the last one: Psych asks for `/\n(?!\Z)/`.
fn has_inner_break(text: &str) -> bool {
    text.match_indices('\n')
        .any(|(at, _)| text.get(at.saturating_add(1)..).is_some_and(|rest| !matches!(rest, "" | "\n")))
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
    fn scalars_are_those_of_ruby() {
        for (text, written) in [
            ("a\n", "'a\n\n  '"),
            ("a\n\n", "\"a\\n\\n\""),
            ("a\nb", "|-\n  a\n  b"),
            (" a", "\" a\""),
            ("a ", "'a '"),
            ("a: b", "'a: b'"),
            ("- a", "\"- a\""),
            ("a\tb", "\"a\\tb\""),
            ("\"q\" b", "'\"q\" b'"),
            ("Y", "Y"),
            ("n", "\"n\""),
            ("<<", "!!str '<<'"),
            ("08", "'08'"),
            ("0o17", "0o17"),
            ("1:30", "'1:30'"),
            ("2001-02-03", "'2001-02-03'"),
            (":a", "\":a\""),
            ("é", "é"),
            ("\u{1F600}", "\"\\U0001F600\""),
        ] {
            assert_eq!(
                to_yaml(&text.into(), &Limits::DEFAULT).unwrap(),
                format!("--- {written}\n"),
                "{text:?}"
            );
        }
        let keyed: Value = [(Value::symbol("a"), Value::Undef)].into_iter().collect();
        assert_eq!(to_yaml(&keyed, &Limits::DEFAULT).unwrap(), "---\n:a:\n");
    }

    #[test]
    fn what_occurs_again_is_an_alias() {
        let (one, other) = (Value::from(vec![1.into()]), Value::from(vec![2.into()]));
        let same_content = Value::from(vec![1.into()]);
        let all = Value::from(vec![one.clone(), other.clone(), other, same_content, one]);
        let text = "---\n- &2\n  - 1\n- &1\n  - 2\n- *1\n- - 1\n- *2\n";
        assert_eq!(to_yaml_with_aliases(&all, &Limits::DEFAULT).unwrap(), text);
    }

    #[test]
    fn strings_are_written_as_people_write_them() {
        let texts = ["a b", "/etc/motd", "0644", "y", "it's: so", "a\nb\n"];
        let value = Value::from(texts.map(Value::from).to_vec());
        assert_eq!(
            to_yaml(&value, &Limits::DEFAULT).unwrap(),
            "---\n- a b\n- \"/etc/motd\"\n- '0644'\n- \"y\"\n- 'it''s: so'\n- |\n  a\n  b\n"
        );
    }
}
