//! Puppet Notation as text.
//!
//! See Puppet's `pops/pn.rb`.

use super::NotationNode;

/// A buffer with the current indentation.
pub(super) struct PnWriter {
    text: String,
    /// The depth, if lines are broken.
    indent: Option<usize>,
}

impl PnWriter {
    pub fn new(pretty: bool) -> Self {
        Self { text: String::new(), indent: pretty.then_some(0) }
    }

    pub fn into_text(self) -> String {
        self.text
    }

    /// Writes items with spaces or line breaks between.
    fn items<T>(&mut self, items: &[T], write: impl Fn(&T, &mut Self)) {
        self.indent = self.indent.map(|depth| depth + 1);
        for (index, item) in items.iter().enumerate() {
            self.separate(index);
            write(item, self);
        }
        self.indent = self.indent.map(|depth| depth - 1);
    }

    fn separate(&mut self, index: usize) {
        match self.indent {
            Some(depth) => {
                self.text.push('\n');
                self.text.extend(std::iter::repeat_n("  ", depth));
            }
            None if index > 0 => self.text.push(' '),
            None => {}
        }
    }

    fn quoted(&mut self, text: &str) {
        self.text.push('"');
        for c in text.chars() {
            match c {
                '\t' => self.text.push_str("\\t"),
                '\n' => self.text.push_str("\\n"),
                '\r' => self.text.push_str("\\r"),
                '"' => self.text.push_str("\\\""),
                '\\' => self.text.push_str("\\\\"),
                c if c < ' ' => self.text.push_str(&format!("\\o{:03o}", u32::from(c))),
                c => self.text.push(c),
            }
        }
        self.text.push('"');
    }
}

impl NotationNode<'_> {
    pub(super) fn write(&self, out: &mut PnWriter) {
        match self {
            Self::Nil => out.text.push_str("nil"),
            Self::Atom(text) => out.text.push_str(text),
            Self::Text(text) => out.quoted(text),
            Self::Call(name, elements) => {
                out.text.push('(');
                out.text.push_str(name);
                if out.indent.is_none() && !elements.is_empty() {
                    out.text.push(' ');
                }
                out.items(elements, Self::write);
                out.text.push(')');
            }
            Self::List(elements) => {
                out.text.push('[');
                out.items(elements, Self::write);
                out.text.push(']');
            }
            Self::Map(entries) => {
                out.text.push('{');
                out.items(entries, |(key, value), out| {
                    out.text.push(':');
                    out.text.push_str(key);
                    out.text.push(' ');
                    value.write(out);
                });
                out.text.push('}');
            }
        }
    }
}
