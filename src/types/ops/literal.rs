//! Values within the text of a type, as in `Init[String, '%x']`.

use std::fmt::{self, Display};

use super::format::Printer;
use super::infer;
use crate::limits::Limits;
use crate::value::{Hash, Quoted, Value, float_to_s};

impl Value {
    /// The text that it has within the text of a type.
    pub fn to_literal(&self) -> String {
        let mut text = String::new();
        // Writing to a string does not fail.
        let _ = Printer::new(&mut text).value(self);
        text
    }
}

impl Printer<'_> {
    /// Prints a value as a literal, which is `Instance of` its type where there is no literal.
    pub(super) fn value(&mut self, value: &Value) -> fmt::Result {
        match value {
            Value::Undef => self.text("undef"),
            Value::Default => self.text("default"),
            Value::Boolean(truth) => self.text(truth),
            Value::Integer(number) => self.text(number),
            Value::Float(number) => self.text(float_to_s(*number)),
            Value::String(text) => self.text(Quoted(text)),
            Value::Regexp(regex) => self.text(regex),
            Value::Timestamp(time) => self.text(Quoted(&time.to_string())),
            Value::Timespan(span) => self.text(Quoted(&span.to_string())),
            Value::SemVer(version) => self.text(Quoted(&version.to_string())),
            Value::SemVerRange(range) => self.text(Quoted(&range.to_string())),
            Value::Array(items) => {
                self.text("[")?;
                for (index, item) in items.iter().enumerate() {
                    self.text(if index > 0 { ", " } else { "" })?;
                    self.value(item)?;
                }
                self.text("]")
            }
            Value::Hash(hash) => self.hash(hash),
            Value::Type(t) => self.print(t),
            Value::Uri(uri) => write!(self.out, "URI({})", Quoted(&uri.to_string())),
            Value::Binary(_)
            | Value::Sensitive(_)
            | Value::Callable(_)
            | Value::Runtime(_)
            | Value::Unknown(_) => {
                self.text("Instance of ")?;
                match infer(value, &Limits::DEFAULT) {
                    Ok(t) => self.print(&t),
                    Err(_) => Err(fmt::Error),
                }
            }
        }
    }

    pub(super) fn hash(&mut self, hash: &Hash) -> fmt::Result {
        self.text("{")?;
        for (index, (key, value)) in hash.iter().enumerate() {
            self.text(if index > 0 { ", " } else { "" })?;
            self.value(key)?;
            self.text(" => ")?;
            self.value(value)?;
        }
        self.text("}")
    }

    fn text(&mut self, text: impl Display) -> fmt::Result {
        write!(self.out, "{text}")
    }
}
