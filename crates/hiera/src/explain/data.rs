//! An explanation as data, with Ruby's Symbols for keys and for the explainer's own terms.
//!
//! See `to_hash` of the classes in Puppet's `pops/lookup/explainer.rb`.

use super::{ExplainNode, ExplainStep, Explainer, StepOutcome};
use puppetfn_types::value::{Hash, Value};

/// Entries of a hash, in Puppet's order.
struct SymbolEntries(Vec<(Value, Value)>);

impl SymbolEntries {
    fn of(branches: &[&ExplainNode]) -> Self {
        let mut entries = Self(Vec::new());
        if !branches.is_empty() {
            let branches: Vec<Value> = branches.iter().map(|node| node.data()).collect();
            entries.add("branches", branches);
        }
        entries
    }

    fn add(&mut self, key: &str, value: impl Into<Value>) {
        self.0.push((Value::symbol(key), value.into()));
    }

    fn finish(self) -> Value {
        self.0.into_iter().collect::<Hash>().into()
    }
}

impl Explainer {
    /// Returns the explanation as data. Texts outside of all steps are not in it, as in Puppet.
    pub fn data(&self) -> Value {
        let nodes: Vec<&ExplainNode> = self.done.iter().chain(&self.open).collect();
        match nodes.as_slice() {
            [only] => only.data(),
            nodes => SymbolEntries::of(nodes).finish(),
        }
    }
}

impl ExplainNode {
    fn data(&self) -> Value {
        match (&self.step, self.branches.as_slice()) {
            (ExplainStep::Merge { .. }, [only]) => only.data(),
            (ExplainStep::MergeSource(source), _) => {
                let mut entries = SymbolEntries::of(&[]);
                entries.add("type", Value::symbol("merge_source"));
                entries.add("merge_source", source.as_str());
                entries.finish()
            }
            (step, branches) => {
                let mut entries = SymbolEntries::of(&branches.iter().collect::<Vec<_>>());
                self.add_outcome(&mut entries);
                if !self.texts.is_empty() {
                    let texts: Vec<Value> = self.texts.iter().map(|text| text.as_str().into()).collect();
                    entries.add("texts", texts);
                }
                step.add_to(&mut entries);
                entries.finish()
            }
        }
    }

    /// Adds the key, the value and the event.
    fn add_outcome(&self, entries: &mut SymbolEntries) {
        let key = match (&self.outcome, &self.step) {
            (StepOutcome::Found { key, .. } | StepOutcome::NotFound(key), _) => Some(key),
            (_, ExplainStep::Top(key) | ExplainStep::InvalidKey(key)) => Some(key),
            _ => None,
        };
        if let Some(key) = key {
            entries.add("key", key.as_str());
        }
        if let StepOutcome::Found { value, .. } | StepOutcome::Result(value) = &self.outcome {
            entries.add("value", value.clone());
        }
        let event = match &self.outcome {
            StepOutcome::Open => return,
            StepOutcome::Found { place: " in overrides", .. } => "found_in_overrides",
            StepOutcome::Found { place: " in defaults", .. } => "found_in_defaults",
            StepOutcome::Found { .. } => "found",
            StepOutcome::Result(_) => "result",
            StepOutcome::NotFound(_) => "not_found",
            StepOutcome::LocationNotFound => "location_not_found",
            StepOutcome::ModuleNotFound => "module_not_found",
            StepOutcome::NoModuleProvider => "module_provider_not_found",
        };
        entries.add("event", Value::symbol(event));
    }
}

impl ExplainStep {
    /// Adds the type and the fields of the step.
    fn add_to(&self, entries: &mut SymbolEntries) {
        let name = match self {
            Self::Top(_) => "root",
            Self::InvalidKey(_) => "invalid_key",
            Self::MergeSource(_) => "merge_source",
            Self::Module(_) => "module",
            Self::Interpolation(_) => "interpolate",
            Self::Merge { .. } => "merge",
            Self::DataProvider { .. } => "data_provider",
            Self::Location { kind: "Path", .. } => "path",
            Self::Location { .. } => "uri",
            Self::SubLookup(_) => "sub_key",
            Self::Segment => "segment",
            Self::Scope(_) => "scope",
        };
        entries.add("type", Value::symbol(name));
        match self {
            Self::Interpolation(expression) => entries.add("expression", expression.as_str()),
            Self::Merge { strategy, options } => {
                entries.add("merge", Value::symbol(*strategy));
                if let Some(options) = options {
                    entries.add("options", options.clone());
                }
            }
            Self::DataProvider { name, config, module } => {
                entries.add("name", name.as_str());
                if let Some(config) = config {
                    entries.add("configuration_path", config.as_str());
                }
                if let Some(module) = module {
                    entries.add("module", module.as_str());
                }
            }
            Self::Location { location, original, .. } => {
                entries.add(&format!("original_{name}"), original.as_str());
                entries.add(name, location.as_str());
            }
            Self::Scope(name) => entries.add("name", name.as_str()),
            Self::Top(_)
            | Self::InvalidKey(_)
            | Self::MergeSource(_)
            | Self::Module(_)
            | Self::SubLookup(_)
            | Self::Segment => {}
        }
    }
}
