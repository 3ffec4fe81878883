//! Merges the values that a key has in several places.
//!
//! See Puppet's `pops/merge_strategy.rb`.

use std::sync::{Arc, LazyLock};

use super::deep_merge::{DeepMerge, union};
use super::error::{found, no_such_key};
use super::explain::ExplainNode;
use super::invocation::Invocation;
use puppetfn_base::error::{Error, ErrorKind};
use puppetfn_base::limits::Limits;
use puppetfn_types::function::Deviation;
use puppetfn_types::types::Type;
use puppetfn_types::types::ops::assert_instance;
use puppetfn_types::types::parse::known;
use puppetfn_types::value::{Hash, Value};

/// A strategy with its options.
#[derive(Clone, Debug)]
pub(super) struct MergeStrategy {
    kind: MergeKind,
    options: Arc<Hash>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum MergeKind {
    Default,
    First,
    Unique,
    Hash,
    Deep,
    /// As `Deep`, with any options.
    UnconstrainedDeep,
    /// The same, and the values in their opposite order.
    ReverseDeep,
}

const KINDS: [MergeKind; 7] = [
    MergeKind::Default,
    MergeKind::First,
    MergeKind::Unique,
    MergeKind::Hash,
    MergeKind::Deep,
    MergeKind::UnconstrainedDeep,
    MergeKind::ReverseDeep,
];

impl MergeKind {
    fn name(self) -> &'static str {
        match self {
            Self::Default => "default",
            Self::First => "first",
            Self::Unique => "unique",
            Self::Hash => "hash",
            Self::Deep => "deep",
            Self::UnconstrainedDeep => "unconstrained_deep",
            Self::ReverseDeep => "reverse_deep",
        }
    }

    /// Returns the type of the options.
    fn options_type(self) -> Type {
        let text = match self {
            Self::UnconstrainedDeep | Self::ReverseDeep => "Hash[String[1], Any]".to_owned(),
            Self::Deep => {
                "Struct[{strategy => Optional[Pattern[deep]], knockout_prefix => Optional[String], \
                           merge_debug => Optional[Boolean], merge_hash_arrays => Optional[Boolean], \
                           sort_merged_arrays => Optional[Boolean]}]"
                    .to_owned()
            }
            Self::Default | Self::First | Self::Unique | Self::Hash => {
                format!("Struct[{{strategy => Optional[Pattern[/{}/]]}}]", self.name())
            }
        };
        known(&text)
    }

    /// Returns the type of the values that can be merged.
    fn value_type(self) -> &'static Type {
        static HASH: LazyLock<Type> = LazyLock::new(|| known("Hash[String, Data]"));
        static UNIQUE: LazyLock<Type> = LazyLock::new(|| known("Variant[Scalar, Array[Data]]"));
        match self {
            Self::Hash => &HASH,
            Self::Unique => &UNIQUE,
            Self::Default | Self::First | Self::Deep | Self::UnconstrainedDeep | Self::ReverseDeep => {
                &Type::Any
            }
        }
    }
}

impl MergeStrategy {
    /// Returns the strategy that data or a caller names.
    pub fn of(merge: Option<&Value>, limits: &Limits) -> Result<Self, Error> {
        let (name, options) = match merge {
            None | Some(Value::Undef | Value::Boolean(false)) => (MergeKind::Default.name().into(), None),
            Some(Value::Hash(hash)) => match hash.get_str("strategy") {
                None | Some(Value::Undef) => {
                    return Err(Error::new(
                        ErrorKind::ArgumentMismatch,
                        "The hash given as 'merge' must contain the name of a strategy in string form for the key \
                         'strategy'",
                    ));
                }
                Some(name) => (name.clone(), Some(hash).filter(|hash| hash.len() > 1)),
            },
            Some(name) => (name.clone(), None),
        };
        let kind = match &name {
            Value::String(name) => KINDS.into_iter().find(|kind| *kind.name() == **name),
            _ => None,
        };
        let Some(kind) = kind else {
            let message = format!("Unknown merge strategy: '{}'", name.interpolated(limits)?);
            return Err(Error::new(ErrorKind::ArgumentMismatch, message));
        };
        if let Some(options) = options {
            let subject = || "The merge options".to_owned();
            assert_instance(subject, &kind.options_type(), &Value::Hash(Arc::clone(options)), limits)?;
        }
        Ok(Self { kind, options: options.cloned().unwrap_or_default() })
    }

    /// Returns the strategy for the options of keys.
    pub fn hash() -> Self {
        Self { kind: MergeKind::Hash, options: Arc::default() }
    }

    /// Returns true for the strategy that merges hashes, but not the values in them.
    pub fn is_hash(&self) -> bool {
        self.kind == MergeKind::Hash
    }

    /// Returns how a function is told of the strategy that is used: none if it is not a particular one.
    pub fn explained(&self) -> ExplainNode {
        let options: Hash = self
            .options
            .iter()
            .filter(|(key, _)| !matches!(key, Value::String(key) if &**key == "strategy"))
            .map(|(key, value)| (key.clone(), value.clone()))
            .collect();
        ExplainNode::merge(self.kind.name(), (!options.is_empty()).then(|| options.into()))
    }

    /// Merges the values found in some places, in order of preference.
    pub fn lookup<T>(
        &self,
        places: &[T],
        invocation: &Invocation<'_>,
        mut find: impl FnMut(&T) -> Result<Value, Error>,
    ) -> Result<Value, Error> {
        if let MergeKind::Default | MergeKind::First = self.kind {
            for place in places {
                if let Some(value) = found(find(place))? {
                    return Ok(value);
                }
            }
            return Err(no_such_key());
        }
        match places {
            [] => Err(no_such_key()),
            [place] => Ok(self.single(find(place)?)),
            places => invocation.with(
                || self.explained(),
                || {
                    let mut merged = None;
                    for place in places {
                        if let Some(value) = found(find(place))? {
                            merged = Some(match merged {
                                None => self.first(value)?,
                                Some(before) => {
                                    self.refuse_lost_elements([&before, &value], invocation)?;
                                    self.merge(before, value, invocation.caller.limits())?
                                }
                            });
                        }
                    }
                    let merged = merged.ok_or_else(no_such_key)?;
                    invocation.explain(|explainer| explainer.result(invocation.shown(&merged)));
                    Ok(merged)
                },
            ),
        }
    }

    /// Returns a value that no other value is merged with.
    fn single(&self, value: Value) -> Value {
        match (self.kind, &value) {
            (MergeKind::Unique, Value::Array(items)) => union(items.iter().cloned()),
            _ => value,
        }
    }

    /// Returns the value that others are merged with.
    fn first(&self, value: Value) -> Result<Value, Error> {
        if self.kind == MergeKind::Unique { Ok(flat(value).into()) } else { Ok(value) }
    }

    /// Tells the host of arrays within arrays where a prefix takes elements out: Puppet's library changes arrays while it iterates over
    /// them, and can lose others.
    fn refuse_lost_elements(&self, values: [&Value; 2], invocation: &Invocation<'_>) -> Result<(), Error> {
        if self.options.get_str("knockout_prefix").is_none() || !values.into_iter().any(has_nested_array) {
            return Ok(());
        }
        let case = "a deep merge of arrays within arrays with a knockout prefix";
        invocation.caller.host().deviate(Deviation::from_all(case))
    }

    /// Merges two values, the first of which is preferred.
    pub fn merge(&self, first: Value, second: Value, limits: &Limits) -> Result<Value, Error> {
        let t = self.kind.value_type();
        assert_instance(|| "The first element of the merge".to_owned(), t, &first, limits)?;
        assert_instance(|| "The second element of the merge".to_owned(), t, &second, limits)?;
        match (self.kind, first, second) {
            (MergeKind::Hash, Value::Hash(first), Value::Hash(second)) => {
                let mut merged = Hash::clone(&second);
                for (key, value) in first.iter() {
                    merged.insert(key.clone(), value.clone());
                }
                Ok(merged.into())
            }
            (MergeKind::Unique, first, second) => Ok(union(flat(first).into_iter().chain(flat(second)))),
            (MergeKind::ReverseDeep, first, second) => {
                DeepMerge::new(&self.options)?.merge(second, first, limits)
            }
            (_, first, second) => DeepMerge::new(&self.options)?.merge(first, second, limits),
        }
    }
}

/// Returns true if an array has arrays as elements, in a value at any depth.
fn has_nested_array(value: &Value) -> bool {
    if let Value::Array(items) = value {
        items.iter().any(|item| matches!(item, Value::Array(_)) || has_nested_array(item))
    } else if let Value::Hash(hash) = value {
        hash.iter().any(|(_, value)| has_nested_array(value))
    } else {
        false
    }
}

/// Returns the elements of an array and of the arrays in it; for any other value, the value itself.
fn flat(value: Value) -> Vec<Value> {
    let mut flat = Vec::new();
    let mut left = vec![value];
    while let Some(value) = left.pop() {
        match value {
            Value::Array(items) => left.extend(items.iter().rev().cloned()),
            value => flat.push(value),
        }
    }
    flat
}
