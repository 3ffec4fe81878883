//! Explains a lookup, in Puppet's words.
//!
//! See Puppet's `pops/lookup/explainer.rb`.

mod data;

use std::fmt::Write;

use puppetfn_base::error::Error;
use puppetfn_base::limits::{Depth, Limits};
use puppetfn_types::value::Value;

/// Collects the steps of a lookup with their results, as a tree.
#[derive(Default, Debug)]
pub(super) struct Explainer {
    /// The steps that have begun, each within the one before.
    open: Vec<ExplainNode>,
    done: Vec<ExplainNode>,
    texts: Vec<String>,
    /// Whether only the options of the key are of interest.
    pub only_options: bool,
}

/// A step.
#[derive(Debug)]
pub(super) struct ExplainNode {
    step: ExplainStep,
    branches: Vec<ExplainNode>,
    texts: Vec<String>,
    outcome: StepOutcome,
}

#[derive(Debug)]
enum ExplainStep {
    Top(String),
    InvalidKey(String),
    MergeSource(String),
    Module(String),
    Interpolation(String),
    Merge { strategy: &'static str, options: Option<Value> },
    DataProvider { name: String, config: Option<String>, module: Option<String> },
    Location { kind: &'static str, location: String, original: String },
    SubLookup(String),
    Segment,
    Scope(String),
}

#[derive(Debug)]
enum StepOutcome {
    Open,
    Found { key: String, value: Value, place: &'static str },
    Result(Value),
    NotFound(String),
    LocationNotFound,
    ModuleNotFound,
    NoModuleProvider,
}

impl ExplainNode {
    fn new(step: ExplainStep) -> Self {
        Self { step, branches: Vec::new(), texts: Vec::new(), outcome: StepOutcome::Open }
    }

    pub fn top(key: &str) -> Self {
        Self::new(ExplainStep::Top(key.to_owned()))
    }

    pub fn invalid_key(key: &str) -> Self {
        Self::new(ExplainStep::InvalidKey(key.to_owned()))
    }

    pub fn interpolation(text: &str) -> Self {
        Self::new(ExplainStep::Interpolation(text.to_owned()))
    }

    pub fn merge(strategy: &'static str, options: Option<Value>) -> Self {
        Self::new(ExplainStep::Merge { strategy, options })
    }

    pub fn data_provider(name: String) -> Self {
        Self::new(ExplainStep::DataProvider { name, config: None, module: None })
    }

    pub fn location(kind: &'static str, location: String, original: String) -> Self {
        Self::new(ExplainStep::Location { kind, location, original })
    }

    pub fn sub_lookup(segments: &[Value], limits: &Limits) -> Self {
        let segments: Vec<String> =
            segments.iter().map(|part| part.interpolated(limits).unwrap_or_default()).collect();
        Self::new(ExplainStep::SubLookup(segments.join(".")))
    }

    pub fn segment(_: &Value) -> Self {
        Self::new(ExplainStep::Segment)
    }

    pub fn scope(name: impl Into<String>) -> Self {
        Self::new(ExplainStep::Scope(name.into()))
    }
}

impl Explainer {
    /// Creates an explainer of lookups, or only of the options of their keys.
    pub fn new(only_options: bool) -> Self {
        Self { only_options, ..Self::default() }
    }

    /// Begins a step.
    pub fn push(&mut self, node: ExplainNode) {
        self.open.push(node);
    }

    /// Ends the step that was begun last.
    pub fn pop(&mut self) {
        if let Some(node) = self.open.pop() {
            self.branches().push(node);
        }
    }

    fn branches(&mut self) -> &mut Vec<ExplainNode> {
        match self.open.last_mut() {
            Some(node) => &mut node.branches,
            None => &mut self.done,
        }
    }

    fn outcome(&mut self, outcome: StepOutcome) {
        if let Some(node) = self.open.last_mut() {
            node.outcome = outcome;
        }
    }

    pub fn found(&mut self, key: String, value: Value, place: &'static str) {
        self.outcome(StepOutcome::Found { key, value, place });
    }

    pub fn not_found(&mut self, key: String) {
        self.outcome(StepOutcome::NotFound(key));
    }

    pub fn location_not_found(&mut self) {
        self.outcome(StepOutcome::LocationNotFound);
    }

    pub fn result(&mut self, value: Value) {
        self.outcome(StepOutcome::Result(value));
    }

    pub fn module_not_found(&mut self, name: &str) {
        let node = ExplainNode {
            outcome: StepOutcome::ModuleNotFound,
            ..ExplainNode::new(ExplainStep::Module(name.to_owned()))
        };
        self.branches().push(node);
    }

    pub fn no_module_provider(&mut self, name: &str) {
        let node = ExplainNode {
            outcome: StepOutcome::NoModuleProvider,
            ..ExplainNode::new(ExplainStep::Module(name.to_owned()))
        };
        self.branches().push(node);
    }

    pub fn merge_source(&mut self, source: &str) {
        self.branches().push(ExplainNode::new(ExplainStep::MergeSource(source.to_owned())));
    }

    pub fn text(&mut self, text: String) {
        match self.open.last_mut() {
            Some(node) => node.texts.push(text),
            None => self.texts.push(text),
        }
    }

    /// Sets the name of the current data provider, now that its configuration has been read.
    pub fn name_provider(&mut self, name: String, config: Option<String>, module: Option<String>) {
        if let Some(ExplainNode { step, .. }) = self.open.last_mut() {
            *step = ExplainStep::DataProvider { name, config, module };
        }
    }

    /// Returns the whole text.
    ///
    /// # Errors
    /// [`puppetfn_base::error::ErrorKind::Limit`] when a value nests too deep to be shown.
    pub fn explain(&self, limits: &Limits) -> Result<String, Error> {
        let mut text = ExplainText { text: String::new(), limits };
        self.done.iter().chain(&self.open).try_for_each(|node| text.node(node, ""))?;
        text.lines("", &self.texts);
        Ok(text.text)
    }
}

struct ExplainText<'l> {
    text: String,
    limits: &'l Limits,
}

impl ExplainText<'_> {
    fn line(&mut self, indent: &str, line: impl std::fmt::Display) {
        // Nothing fails that is written to a string.
        let _ = writeln!(self.text, "{indent}{line}");
    }

    fn lines(&mut self, indent: &str, lines: &[String]) {
        lines.iter().for_each(|line| self.line(indent, line));
    }

    fn node(&mut self, node: &ExplainNode, indent: &str) -> Result<(), Error> {
        let inner = format!("{indent}  ");
        let branches =
            |text: &mut Self| node.branches.iter().try_for_each(|branch| text.node(branch, &inner));
        match &node.step {
            ExplainStep::Top(key) => {
                self.line(indent, format_args!("Searching for \"{key}\""));
                branches(self)
            }
            ExplainStep::InvalidKey(key) => {
                self.line(indent, format_args!("Invalid key \"{key}\""));
                Ok(())
            }
            ExplainStep::MergeSource(source) => {
                self.line(indent, format_args!("Using merge options from \"{source}\" hash"));
                Ok(())
            }
            ExplainStep::Module(name) => {
                match node.outcome {
                    StepOutcome::ModuleNotFound => {
                        self.line(indent, format_args!("Module \"{name}\" not found"))
                    }
                    _ => self
                        .line(indent, format_args!("Module data provider for module \"{name}\" not found")),
                }
                Ok(())
            }
            ExplainStep::Interpolation(expression) => {
                self.line(indent, format_args!("Interpolation on \"{expression}\""));
                branches(self)
            }
            ExplainStep::Merge { strategy, options } => self.merge(node, strategy, options.as_ref(), indent),
            ExplainStep::DataProvider { name, config, .. } => {
                self.line(indent, name);
                if let Some(config) = config {
                    self.line(&inner, format_args!("Using configuration \"{config}\""));
                }
                branches(self)?;
                self.outcome(node, &inner)
            }
            ExplainStep::Location { kind, location, original } => {
                self.line(indent, format_args!("{kind} \"{location}\""));
                self.line(&inner, format_args!("Original {}: \"{original}\"", kind.to_lowercase()));
                branches(self)?;
                if let StepOutcome::LocationNotFound = node.outcome {
                    self.line(&inner, format_args!("{kind} not found"));
                }
                self.outcome(node, &inner)
            }
            ExplainStep::SubLookup(key) => {
                self.line(indent, format_args!("Sub key: \"{key}\""));
                branches(self)?;
                self.outcome(node, &inner)
            }
            ExplainStep::Segment => self.outcome(node, indent),
            ExplainStep::Scope(name) => {
                self.line(indent, name);
                branches(self)?;
                self.outcome(node, &inner)
            }
        }
    }

    /// Writes a merge. A merge of a single value is left out.
    fn merge(
        &mut self,
        node: &ExplainNode,
        strategy: &str,
        options: Option<&Value>,
        indent: &str,
    ) -> Result<(), Error> {
        let inner = format!("{indent}  ");
        match node.branches.as_slice() {
            [] => return Ok(()),
            [only] => return self.node(only, indent),
            _ => self.line(indent, format_args!("Merge strategy {strategy}")),
        }
        if let Some(options) = options {
            self.value_line(&inner, "Options: ", options, "")?;
        }
        node.branches.iter().try_for_each(|branch| self.node(branch, &inner))?;
        if let StepOutcome::Result(value) = &node.outcome {
            self.value_line(&inner, "Merged result: ", value, "")?;
        }
        Ok(())
    }

    fn outcome(&mut self, node: &ExplainNode, indent: &str) -> Result<(), Error> {
        match &node.outcome {
            StepOutcome::NotFound(key) => self.line(indent, format_args!("No such key: \"{key}\"")),
            StepOutcome::Found { key, value, place } => {
                self.value_line(indent, &format!("Found key: \"{key}\" value: "), value, place)?;
            }
            _ => {}
        }
        self.lines(indent, &node.texts);
        Ok(())
    }

    fn value_line(&mut self, indent: &str, before: &str, value: &Value, after: &str) -> Result<(), Error> {
        self.text.push_str(indent);
        self.text.push_str(before);
        self.value(indent, value, Depth::nesting(self.limits))?;
        self.text.push_str(after);
        self.text.push('\n');
        Ok(())
    }

    fn value(&mut self, indent: &str, value: &Value, depth: Depth) -> Result<(), Error> {
        let (depth, inner) = (depth.deeper()?, format!("{indent}  "));
        match value {
            Value::Hash(hash) => self.list(['{', '}'], indent, &mut hash.iter(), |text, (key, value)| {
                text.value(&inner, key, depth)?;
                text.text.push_str(" => ");
                text.value(&inner, value, depth)
            }),
            Value::Array(items) => {
                self.list(['[', ']'], indent, &mut items.iter(), |text, item| text.value(&inner, item, depth))
            }
            scalar => {
                self.text.push_str(&scalar.ruby_inspect(self.limits)?);
                Ok(())
            }
        }
    }

    fn list<T>(
        &mut self,
        [open, close]: [char; 2],
        indent: &str,
        items: &mut dyn Iterator<Item = T>,
        mut write: impl FnMut(&mut Self, T) -> Result<(), Error>,
    ) -> Result<(), Error> {
        self.text.push(open);
        let mut is_empty = true;
        for item in items {
            self.text.push_str(if is_empty { "\n" } else { ",\n" });
            self.text.push_str(indent);
            self.text.push_str("  ");
            write(self, item)?;
            is_empty = false;
        }
        if !is_empty {
            self.text.push('\n');
            self.text.push_str(indent);
        }
        self.text.push(close);
        Ok(())
    }
}
