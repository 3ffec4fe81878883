//! Providers of resource types.

use puppetfn_doc::DeclaredProvider;

use super::evaluation::Evaluation;
use super::value::StaticValue;
use crate::tree::{HashPair, RubyCall, RubyNode};

/// A provider.
pub struct RubyProvider(DeclaredProvider);

impl RubyProvider {
    /// Makes one of a type.
    pub fn new(type_name: &str, name: &str, line: u32) -> Self {
        let (type_name, name) = (type_name.to_owned(), name.to_owned());
        Self(DeclaredProvider { type_name, name, line, ..DeclaredProvider::default() })
    }

    /// Describes its purpose, if nothing else does.
    pub fn document(&mut self, text: Option<String>) {
        self.0.doc = self.0.doc.take().or(text);
    }

    /// Returns the declaration.
    pub fn declared(self) -> DeclaredProvider {
        self.0
    }
}

impl Evaluation {
    /// Evaluates a call in the block of a provider.
    pub fn receive_in_provider(
        &mut self,
        index: usize,
        call: &RubyCall,
        arguments: &[StaticValue],
    ) -> StaticValue {
        let first = call.args.first().map(|node| self.pairs(node)).unwrap_or_default();
        let each: Vec<_> =
            call.args.iter().map(|node| self.pairs(node)).filter(|pairs| !pairs.is_empty()).collect();
        let shown: Vec<String> = call.args.iter().map(|node| self.shown(node)).collect();
        let Some(provider) = self.providers.get_mut(index) else { return StaticValue::Unknown };
        match &*call.name {
            "desc" | "doc=" => provider.document(Evaluation::documentation(call, arguments)),
            "confine" => provider.0.confines.extend(first),
            "defaultfor" => provider.0.defaults.extend(each),
            "commands" => provider.0.commands.extend(first),
            "has_feature" | "has_features" => provider.0.features.extend(shown),
            _ => {}
        }
        StaticValue::Unknown
    }

    /// Returns the pairs of a Hash, as they are shown.
    fn pairs(&self, node: &RubyNode) -> Vec<(String, String)> {
        let pair = |pair: &HashPair| match pair {
            HashPair::Entry(key, value) => Some((self.shown(key), self.shown(value.as_ref().unwrap_or(key)))),
            HashPair::Splat(_) => None,
        };
        node.pairs().iter().filter_map(pair).collect()
    }

    fn shown(&self, node: &RubyNode) -> String {
        node.literal().unwrap_or_else(|| self.source.text(node).to_owned())
    }
}
