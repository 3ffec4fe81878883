//! Texts: strings, symbols and regular expressions.

use ruby_prism::{
    InterpolatedStringNode, Location, Node as Prism, NodeList, RegularExpressionNode, StringNode, SymbolNode,
};

use super::{PrismConverter, start};
use crate::tree::{RubyNodeKind, TextPart};

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

impl PrismConverter<'_> {
    pub(super) fn integer(&self, location: &Location<'_>) -> Option<i64> {
        let written = self.slice(location).replace('_', "").to_ascii_lowercase();
        let (sign, digits) = written.strip_prefix('-').map_or((1, written.as_str()), |digits| (-1, digits));
        let number = match digits.as_bytes() {
            [b'0', b'x', ..] => i64::from_str_radix(digits.get(2..)?, 16),
            [b'0', b'b', ..] => i64::from_str_radix(digits.get(2..)?, 2),
            [b'0', b'o', ..] => i64::from_str_radix(digits.get(2..)?, 8),
            [b'0', b'd', ..] => digits.get(2..)?.parse(),
            [b'0', _, ..] => i64::from_str_radix(digits.get(1..)?, 8),
            _ => digits.parse(),
        };
        number.ok().map(|number| sign * number)
    }

    pub(super) fn string(&self, node: &StringNode<'_>) -> RubyNodeKind {
        RubyNodeKind::Text(vec![self.content(&node.content_loc(), node.unescaped())])
    }

    fn content(&self, location: &Location<'_>, unescaped: &[u8]) -> TextPart {
        TextPart::Text { raw: self.slice(location), value: text(unescaped), at: start(location) }
    }

    pub(super) fn interpolated_string(&mut self, node: &InterpolatedStringNode<'_>) -> RubyNodeKind {
        RubyNodeKind::Text(self.parts(&node.parts()))
    }

    pub(super) fn symbol(&self, node: &SymbolNode<'_>) -> RubyNodeKind {
        RubyNodeKind::Symbol(vec![self.content(&node.content_loc(), node.unescaped())])
    }

    pub(super) fn regexp(&self, node: &RegularExpressionNode<'_>) -> RubyNodeKind {
        let raw = self.slice(&node.content_loc());
        let parts = if raw.is_empty() {
            Vec::new()
        } else {
            vec![TextPart::Text { value: raw.clone(), raw, at: start(&node.content_loc()) }]
        };
        RubyNodeKind::Regexp(parts, self.slice(&node.closing_loc()))
    }

    /// Converts the parts of a text; strings side by side are one.
    pub(super) fn parts(&mut self, nodes: &NodeList<'_>) -> Vec<TextPart> {
        let mut found = Vec::new();
        for node in nodes {
            self.add_part(&node, &mut found);
        }
        found
    }

    fn add_part(&mut self, node: &Prism<'_>, found: &mut Vec<TextPart>) {
        if let Some(string) = node.as_string_node() {
            found.push(self.content(&string.content_loc(), string.unescaped()));
        } else if let Some(string) = node.as_interpolated_string_node() {
            let inner = self.parts(&string.parts());
            found.extend(inner);
        } else {
            let embedded = node.as_embedded_statements_node();
            let statements = match embedded.and_then(|embedded| embedded.statements()) {
                Some(statements) => self.list(&statements.body()),
                None => Vec::new(),
            };
            found.push(TextPart::Code { raw: self.slice(&node.location()), statements });
        }
    }
}
