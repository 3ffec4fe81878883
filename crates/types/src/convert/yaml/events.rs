//! Builds nodes from the events of the parser.

use std::collections::HashMap;
use std::mem::take;

use libyaml_safer::{Encoding, Event, EventData, Parser};

use super::NotYaml;
use super::node::{Collection, YamlNode, YamlTag};
use super::readable::ReadableText;
use super::scalar;
use crate::value::Value;
use puppetfn_base::error::Error;
use puppetfn_base::limits::{Depth, Limits};

/// Reads the first document.
pub(super) fn read(text: &str, limits: &Limits) -> Result<Result<Value, NotYaml>, Error> {
    let text = ReadableText::new(text);
    let mut input = text.as_bytes();
    let mut parser = Parser::new();
    parser.set_encoding(Encoding::Utf8);
    parser.set_input(&mut input);
    let mut document = YamlDocument::new(limits);
    loop {
        match parser.parse() {
            Ok(Event { mut data, end_mark, .. }) => {
                if let EventData::Scalar { value, .. } = &mut data {
                    *value = text.scalar(take(value), end_mark);
                }
                if document.take(data)? {
                    return Ok(document.value());
                }
            }
            Err(error) => return Ok(Err(NotYaml::of(&error, &text))),
        }
    }
}

/// A document of which a part is read.
struct YamlDocument<'l> {
    limits: &'l Limits,
    /// The open collections, outermost first.
    open: Vec<Collection>,
    anchors: HashMap<String, YamlNode>,
    /// Total number of elements that aliases have repeated.
    repeated: usize,
    root: Option<YamlNode>,
    /// The first node without a value. Parsing goes on all the same: syntax errors take precedence.
    problem: Option<NotYaml>,
}

impl<'l> YamlDocument<'l> {
    fn new(limits: &'l Limits) -> Self {
        Self { limits, open: Vec::new(), anchors: HashMap::new(), repeated: 0, root: None, problem: None }
    }

    /// Takes an event. Returns true if it was the last.
    fn take(&mut self, event: EventData) -> Result<bool, Error> {
        match event {
            EventData::StreamEnd | EventData::DocumentEnd { .. } => return Ok(true),
            EventData::StreamStart { .. } | EventData::DocumentStart { .. } => {}
            EventData::Alias { anchor } => {
                let node = self.anchors.get(&anchor).cloned().map(YamlNode::alias);
                if let Some(node) = &node {
                    self.repeat(&node.value)?;
                }
                let node =
                    self.or_problem(node.ok_or_else(|| NotYaml::Value(format!("Unknown alias: {anchor}"))));
                self.add(node);
            }
            EventData::Scalar { anchor, tag, value, quoted_implicit, .. } => {
                let tag = tag.as_deref().map(YamlTag);
                let node = scalar::resolve(&value, tag, quoted_implicit);
                let node = self.or_problem(node);
                self.finish(anchor, node);
            }
            EventData::SequenceStart { anchor, tag, .. } => self.begin(Collection::sequence(anchor, tag))?,
            EventData::MappingStart { anchor, tag, .. } => self.begin(Collection::mapping(anchor, tag))?,
            EventData::SequenceEnd | EventData::MappingEnd => {
                if let Some(collection) = self.open.pop() {
                    let (anchor, node) = collection.close();
                    let node = self.or_problem(node);
                    self.finish(anchor, node);
                }
            }
        }
        Ok(false)
    }

    fn begin(&mut self, collection: Collection) -> Result<(), Error> {
        if self.open.len() >= self.limits.nesting as usize {
            return Err(Depth::nesting_exceeded(self.limits));
        }
        self.open.push(collection);
        Ok(())
    }

    /// Counts the elements of an aliased value. A few aliases, each with several others in it, could otherwise expand
    /// exponentially.
    fn repeat(&mut self, value: &Value) -> Result<(), Error> {
        let extent = value.extent();
        if self.open.len().saturating_add(extent.depth.into()) > self.limits.nesting as usize {
            return Err(Depth::nesting_exceeded(self.limits));
        }
        self.repeated = self.repeated.saturating_add(extent.elements as usize);
        self.limits.check_elements(self.repeated)
    }

    /// Adds a complete node, which may have an anchor.
    fn finish(&mut self, anchor: Option<String>, node: YamlNode) {
        if let Some(anchor) = anchor {
            self.anchors.insert(anchor, node.clone());
        }
        self.add(node);
    }

    fn add(&mut self, node: YamlNode) {
        match self.open.last_mut() {
            Some(collection) => collection.push(node),
            None => self.root = Some(node),
        }
    }

    fn or_problem(&mut self, node: Result<YamlNode, NotYaml>) -> YamlNode {
        node.unwrap_or_else(|problem| {
            self.problem.get_or_insert(problem);
            YamlNode::UNDEF
        })
    }

    fn value(self) -> Result<Value, NotYaml> {
        match self.problem {
            Some(problem) => Err(problem),
            None => Ok(self.root.map_or(Value::Undef, |root| root.value)),
        }
    }
}
