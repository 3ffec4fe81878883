//! Nodes of a document: values, with the properties that their containing collection depends on.

use std::sync::Arc;

use super::NotYaml;
use crate::types::Type;
use crate::value::{Hash, Value};

/// The syntactic form of a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum NodeForm {
    Scalar,
    Sequence,
    /// A mapping, or an alias.
    Mapping,
}

/// A part of a document.
#[derive(Clone, Debug)]
pub(super) struct YamlNode {
    pub value: Value,
    form: NodeForm,
    /// The name, if it is a symbol.
    symbol: Option<Arc<str>>,
    /// Whether it is tagged as a string.
    is_tagged_string: bool,
}

impl YamlNode {
    pub const UNDEF: Self =
        Self { value: Value::Undef, form: NodeForm::Scalar, symbol: None, is_tagged_string: false };

    pub fn scalar(value: impl Into<Value>) -> Self {
        Self { value: value.into(), ..Self::UNDEF }
    }

    pub fn tagged_string(text: &str) -> Self {
        Self { is_tagged_string: true, ..Self::scalar(text) }
    }

    pub fn symbol(name: &str) -> Self {
        // To Puppet this one is undef.
        let value = if name == "undef" { Value::Undef } else { Value::unknown(Type::ruby("Symbol")) };
        Self { symbol: Some(name.into()), ..Self::scalar(value) }
    }

    /// Returns the node as an alias of it: Psych treats aliases as mappings, and drops the tag.
    pub fn alias(self) -> Self {
        Self { form: NodeForm::Mapping, is_tagged_string: false, ..self }
    }

    fn into_key(self) -> Value {
        self.symbol.map_or(self.value, Value::String)
    }
}

/// The tag of a node.
#[derive(Clone, Copy, Debug)]
pub(super) struct YamlTag<'t>(pub &'t str);

impl<'t> YamlTag<'t> {
    /// Returns true if it is one of YAML's own types.
    pub fn is(self, name: &str) -> bool {
        self.0.strip_prefix("tag:yaml.org,2002:").or_else(|| self.0.strip_prefix('!')) == Some(name)
    }

    /// Returns the rest of a local tag after a prefix and an optional colon.
    pub fn after(self, prefix: &str) -> Option<&'t str> {
        let rest = self.0.strip_prefix('!')?.strip_prefix(prefix)?;
        Some(rest.strip_prefix(':').unwrap_or(rest))
    }

    /// Returns the class that follows after this beginning of a local tag and a colon.
    pub fn class_after(self, prefix: &str) -> Option<&'t str> {
        self.0.strip_prefix('!')?.strip_prefix(prefix)?.strip_prefix(':')
    }
}

/// A sequence or mapping in the making.
pub(super) struct Collection {
    anchor: Option<String>,
    tag: Option<String>,
    content: CollectionContent,
}

enum CollectionContent {
    Sequence(Vec<YamlNode>),
    Mapping(Hash, Option<YamlNode>),
}

impl Collection {
    pub fn sequence(anchor: Option<String>, tag: Option<String>) -> Self {
        Self { anchor, tag, content: CollectionContent::Sequence(Vec::new()) }
    }

    pub fn mapping(anchor: Option<String>, tag: Option<String>) -> Self {
        Self { anchor, tag, content: CollectionContent::Mapping(Hash::default(), None) }
    }

    /// Adds an element, a key or a value.
    pub fn push(&mut self, node: YamlNode) {
        match &mut self.content {
            CollectionContent::Sequence(items) => items.push(node),
            CollectionContent::Mapping(hash, key) => match key.take() {
                None => *key = Some(node),
                Some(key) => add_entry(hash, key, node),
            },
        }
    }

    /// Returns the anchor and the node of a complete collection.
    pub fn close(self) -> (Option<String>, Result<YamlNode, NotYaml>) {
        let Self { anchor, tag, content } = self;
        let tag = tag.as_deref().map(YamlTag);
        let node = match content {
            CollectionContent::Sequence(items) => sequence(items, tag),
            CollectionContent::Mapping(hash, _) => mapping(hash, tag),
        };
        (anchor, node)
    }
}

/// Adds an entry to a hash, or, for a merge key, the entries of other hashes.
fn add_entry(hash: &mut Hash, key: YamlNode, node: YamlNode) {
    let merges = matches!(&key.value, Value::String(text) if &**text == "<<") && !key.is_tagged_string;
    let merged = match (&node.value, node.form) {
        (Value::Hash(other), NodeForm::Mapping) if merges => Some(Hash::clone(other)),
        (Value::Array(items), NodeForm::Sequence) if merges => merged(items),
        _ => None,
    };
    match merged {
        Some(entries) => entries.iter().for_each(|(key, value)| {
            hash.insert(key.clone(), value.clone());
        }),
        None => {
            hash.insert(key.into_key(), node.value);
        }
    }
}

/// Returns the entries of several hashes; earlier hashes take precedence.
fn merged(items: &[Value]) -> Option<Hash> {
    let mut all = Hash::default();
    for item in items.iter().rev() {
        let Value::Hash(hash) = item else { return None };
        hash.iter().for_each(|(key, value)| {
            all.insert(key.clone(), value.clone());
        });
    }
    Some(all)
}

fn sequence(items: Vec<YamlNode>, tag: Option<YamlTag<'_>>) -> Result<YamlNode, NotYaml> {
    let class = tag.and_then(|tag| tag.class_after("seq").or_else(|| tag.class_after("ruby/array")));
    if let Some(class) = class.filter(|class| !class.is_empty()) {
        return Err(NotYaml::Class(class.to_owned()));
    }
    if tag.is_some_and(|tag| tag.is("omap")) {
        let mut hash = Hash::default();
        for item in items {
            let Value::Hash(pair) = item.value else {
                return Err(NotYaml::Value(
                    "an ordered mapping has an element that is no mapping".to_owned(),
                ));
            };
            pair.iter().for_each(|(key, value)| {
                hash.insert(key.clone(), value.clone());
            });
        }
        return Ok(YamlNode { form: NodeForm::Sequence, ..YamlNode::scalar(Value::Hash(Arc::new(hash))) });
    }
    let items: Vec<Value> = items.into_iter().map(|node| node.value).collect();
    Ok(YamlNode { form: NodeForm::Sequence, ..YamlNode::scalar(items) })
}

fn mapping(hash: Hash, tag: Option<YamlTag<'_>>) -> Result<YamlNode, NotYaml> {
    match tag.and_then(class_of_mapping) {
        Some(class) => Err(NotYaml::Class(class.to_owned())),
        None => Ok(YamlNode { form: NodeForm::Mapping, ..YamlNode::scalar(Value::Hash(Arc::new(hash))) }),
    }
}

/// Returns the class of the object that a mapping represents.
fn class_of_mapping(tag: YamlTag<'_>) -> Option<&str> {
    const WITHOUT_NAME: [(&str, &str); 6] = [
        ("ruby/object", "Object"),
        ("ruby/struct", "Struct"),
        ("ruby/exception", "Exception"),
        ("ruby/range", "Range"),
        ("ruby/string", "String"),
        ("str", "String"),
    ];
    if tag.is("set") {
        return Some("Psych::Set");
    }
    if tag.is("omap") {
        return Some("Psych::Omap");
    }
    let named = ["ruby/hash-with-ivars", "map", "ruby/hash", "ruby/marshalable", "ruby/array"];
    if let Some(class) = named.into_iter().find_map(|prefix| tag.class_after(prefix)) {
        return Some(class).filter(|class| !class.is_empty());
    }
    let (class, other) =
        WITHOUT_NAME.into_iter().find_map(|(prefix, other)| Some((tag.after(prefix)?, other)))?;
    match class {
        "Hash" => None,
        "" => Some(other),
        class => Some(class),
    }
}
