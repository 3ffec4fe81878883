//! Values as they are shown within the text of a type.
//!
//! See Puppet's `pops/types/type_formatter.rb`.

use std::fmt;

use super::format::Printer;
use super::infer;
use crate::types::Type;
use crate::value::{Hash, Object, QuotedString, Value, float_to_s};
use puppetfn_base::limits::Limits;

/// Number of blanks per level of indentation.
const INDENT: usize = 2;

/// Maximum length of an array's text that is printed on one line.
const LINE: usize = 100;

impl Value {
    /// Returns the text that it has within the text of a type.
    pub fn to_literal(&self) -> String {
        let mut text = String::new();
        // Writing to a string does not fail.
        let _ = Printer::new(&mut text).value(self);
        text
    }

    /// Returns the literal with each entry of a hash on a line of its own, indented by `level` levels.
    pub fn to_indented_literal(&self, level: usize) -> String {
        let mut text = String::new();
        // Writing to a string does not fail.
        let _ = Printer { indent: Some(level), ..Printer::new(&mut text) }.value(self);
        text
    }
}

impl Printer<'_> {
    pub(super) fn value(&mut self, value: &Value) -> fmt::Result {
        let Some(left) = self.left.checked_sub(1) else { return self.out.write_str("...") };
        self.left = left;
        self.value_within(value)?;
        self.left = left + 1;
        Ok(())
    }

    fn value_within(&mut self, value: &Value) -> fmt::Result {
        match value {
            Value::Undef => self.out.write_str("undef"),
            Value::Default => self.out.write_str("default"),
            Value::Boolean(truth) => write!(self.out, "{truth}"),
            Value::Integer(number) => write!(self.out, "{number}"),
            Value::Float(number) => self.out.write_str(&float_to_s(*number)),
            Value::String(text) => write!(self.out, "{}", QuotedString(text)),
            Value::Regexp(regex) => write!(self.out, "{regex}"),
            Value::SemVer(version) => write!(self.out, "'{version}'"),
            Value::SemVerRange(range) => write!(self.out, "'{range}'"),
            Value::Timestamp(time) => write!(self.out, "'{time}'"),
            Value::Timespan(time) => write!(self.out, "'{time}'"),
            Value::Array(items) => self.array(items),
            Value::Hash(hash) => self.hash(hash),
            Value::Type(t) => self.print(t),
            Value::Uri(uri) => write!(self.out, "URI({})", QuotedString(&uri.to_string())),
            Value::Object(object) => self.object_value(object),
            Value::Binary(_)
            | Value::Sensitive(_)
            | Value::Iterator(_)
            | Value::Callable(_)
            | Value::Runtime(_)
            | Value::Unknown(_) => {
                self.out.write_str("Instance of ")?;
                self.print(&infer(value, &Limits::FURTHEST).unwrap_or(Type::Any))
            }
        }
    }

    fn array(&mut self, items: &[Value]) -> fmt::Result {
        let on_lines = self.indent.filter(|indent| !is_short(items, *indent));
        self.out.write_char('[')?;
        self.indent = on_lines.map(|indent| indent + 1).or(self.indent);
        for (index, item) in items.iter().enumerate() {
            match on_lines {
                Some(_) => {
                    self.out.write_str(if index > 0 { "," } else { "" })?;
                    self.new_line()?;
                }
                None => self.out.write_str(if index > 0 { ", " } else { "" })?,
            }
            self.value(item)?;
        }
        if on_lines.is_some() {
            self.indent = on_lines;
            self.new_line()?;
        }
        self.out.write_char(']')
    }

    pub(super) fn hash(&mut self, hash: &Hash) -> fmt::Result {
        self.entries(hash.iter(), |printer, (key, value)| {
            printer.value(key)?;
            printer.out.write_str(" => ")?;
            printer.value(value)
        })
    }

    /// Prints `{entries}`, with each entry on a line of its own if indenting.
    pub(super) fn entries<T>(
        &mut self,
        entries: impl IntoIterator<Item = T>,
        mut print: impl FnMut(&mut Self, T) -> fmt::Result,
    ) -> fmt::Result {
        let indent = self.indent;
        self.out.write_char('{')?;
        self.indent = indent.map(|indent| indent + 1);
        for (index, entry) in entries.into_iter().enumerate() {
            let separator = match (index, indent) {
                (0, _) => "",
                (_, Some(_)) => ",",
                (_, None) => ", ",
            };
            self.out.write_str(separator)?;
            self.new_line()?;
            print(self, entry)?;
        }
        self.indent = indent;
        self.new_line()?;
        self.out.write_char('}')
    }

    /// Begins a new line if indenting.
    fn new_line(&mut self) -> fmt::Result {
        match self.indent {
            Some(indent) => write!(self.out, "\n{:width$}", "", width = indent.saturating_mul(INDENT)),
            None => Ok(()),
        }
    }

    /// Prints `Type({attributes})`, from which an equal object can be created.
    fn object_value(&mut self, object: &Object) -> fmt::Result {
        let definition = object.definition();
        let name = if definition.is_parameterized() { definition.simple_name() } else { definition.label() };
        self.out.write_str(name)?;
        self.out.write_char('(')?;
        self.hash(&object.init_hash())?;
        self.out.write_char(')')
    }
}

/// Returns true if an array is printed on one line: if it has only a few simple values.
fn is_short(items: &[Value], indent: usize) -> bool {
    const LONG: usize = 1_000;
    let length = |item: &Value| {
        if let Value::String(text) = item {
            text.chars().count() + 2
        } else if let Value::Array(items) = item {
            if items.is_empty() { 2 } else { LONG }
        } else if let Value::Hash(hash) = item {
            if hash.is_empty() { 2 } else { LONG }
        } else if matches!(
            item,
            Value::Undef | Value::Default | Value::Boolean(_) | Value::Integer(_) | Value::Float(_)
        ) {
            item.to_literal().len()
        } else {
            LONG
        }
    };
    let lengths = items.iter().map(length).fold(0, usize::saturating_add);
    items.is_empty() || LINE.saturating_sub(indent.saturating_mul(INDENT)) > lengths
}
