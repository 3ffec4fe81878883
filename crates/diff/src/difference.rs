//! The differences between two catalogs.

use std::fmt;
use std::iter::Sum;
use std::sync::Arc;

use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};

use crate::value::DiffValue;
use puppetfn_catalog::Reference;
use puppetfn_catalog::{DependencyCycle, FileLine};

/// All differences between two catalogs, sorted.
#[derive(Clone, Default, PartialEq, Eq, Debug, Serialize)]
pub struct Differences {
    /// The resources that differ.
    pub resources: Vec<ResourceDifference>,
    /// Changed relationships between resources that both catalogs have.
    pub ordering: Vec<OrderDifference>,
    /// Changed containers of resources that both catalogs have.
    pub containment: Vec<ContainmentDifference>,
    /// Dependency cycles that only one of the catalogs has.
    pub cycles: Vec<CycleDifference>,
}

/// A resource that differs.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize)]
pub struct ResourceDifference {
    /// The kind of the change.
    pub change: ChangeKind,
    /// The type and title.
    pub reference: Reference,
    /// The declaration's location in the old catalog.
    pub old_place: Option<FileLine>,
    /// The declaration's location in the new catalog.
    pub new_place: Option<FileLine>,
    /// The attributes that differ; all parameters, if the resource was added or removed.
    pub attributes: Vec<AttributeDifference>,
    /// All resources with this change, if a group has several of the same declaration: this one is an example.
    pub shared: Vec<SharedChange>,
    /// Whether other resources or nodes have this change with other values of their own, such as names and addresses.
    pub varies: bool,
}

/// A resource with the same change as others of the same declaration, in a defined type or a loop.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
pub struct SharedChange {
    /// The type and title.
    pub reference: Reference,
    /// The nodes, sorted; empty if all nodes of the group have it.
    pub nodes: Vec<String>,
}

/// The kind of a change.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ChangeKind {
    /// Only the new catalog has it.
    Added,
    /// Only the old catalog has it.
    Removed,
    /// Both catalogs have it, with differences.
    Changed,
}

/// An attribute of a resource that differs, or an entry of a hash in it.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize)]
pub struct AttributeDifference {
    /// The path within the resource: `parameters` and a parameter's name, and then keys of hashes; `tags` or
    /// `exported`.
    pub path: ValuePath,
    /// The value in the old catalog, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub old: Option<DiffValue>,
    /// The value in the new catalog, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub new: Option<DiffValue>,
}

/// A path into a structure of hashes and arrays.
#[derive(Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
pub struct ValuePath(pub Vec<PathSegment>);

/// A step of a path.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
#[serde(untagged)]
pub enum PathSegment {
    /// Into a hash.
    Key(Arc<str>),
    /// Into an array, from 0.
    Index(usize),
    /// Into an array, to the hash with this entry.
    Element {
        /// The key, such as `name`.
        key: Arc<str>,
        /// The value.
        value: Arc<str>,
    },
}

/// The relationship between a resource and a later one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum OrderKind {
    /// A dependency, from `before` or `require`.
    Before,
    /// A dependency with notification of changes, from `notify` or `subscribe`.
    Notify,
}

/// Two resources whose order differs.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize)]
pub struct OrderDifference {
    /// The resource that comes first.
    pub first: Reference,
    /// The dependent resource.
    pub then: Reference,
    /// The old order, if there was one.
    pub old: Option<OrderKind>,
    /// The new order, if there is one.
    pub new: Option<OrderKind>,
}

/// A resource in another container than before.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize)]
pub struct ContainmentDifference {
    /// The resource.
    pub reference: Reference,
    /// The containers that it has left.
    pub old: Vec<Reference>,
    /// The containers that are new.
    pub new: Vec<Reference>,
}

/// A dependency cycle that only one of the catalogs has.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct CycleDifference {
    /// Whether it is new or gone.
    pub change: ChangeKind,
    /// The cycle, with the origins of its edges.
    pub cycle: DependencyCycle,
}

/// As JSON, with the edges as sentences.
impl Serialize for CycleDifference {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let edges: Vec<String> = self.cycle.edges.iter().map(ToString::to_string).collect();
        let mut members = serializer.serialize_struct("CycleDifference", 3)?;
        members.serialize_field("change", &self.change)?;
        members.serialize_field("resources", &self.cycle.resources)?;
        members.serialize_field("edges", &edges)?;
        members.end()
    }
}

/// The number of differences of each kind.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug, Serialize)]
pub struct Counts {
    /// Resources that only the new catalog has.
    pub added: usize,
    /// Resources that only the old catalog has.
    pub removed: usize,
    /// Resources that differ.
    pub changed: usize,
    /// Pairs of resources whose order differs.
    pub ordering: usize,
    /// Resources whose container changed.
    pub containment: usize,
    /// Dependency cycles that came or went.
    pub cycles: usize,
}

impl Differences {
    /// Returns true if the comparison found no differences.
    pub fn is_empty(&self) -> bool {
        self.resources.is_empty()
            && self.ordering.is_empty()
            && self.containment.is_empty()
            && self.cycles.is_empty()
    }

    /// Returns the number of differences of each kind.
    pub fn counts(&self) -> Counts {
        let of = |change| {
            let resources = self.resources.iter().filter(|resource| resource.change == change);
            resources.fold(0usize, |sum, resource| sum.saturating_add(resource.shared.len().max(1)))
        };
        Counts {
            added: of(ChangeKind::Added),
            removed: of(ChangeKind::Removed),
            changed: of(ChangeKind::Changed),
            ordering: self.ordering.len(),
            containment: self.containment.len(),
            cycles: self.cycles.len(),
        }
    }
}

impl Sum for Counts {
    fn sum<I: Iterator<Item = Self>>(all: I) -> Self {
        all.fold(Self::default(), |sum, counts| Self {
            added: sum.added.saturating_add(counts.added),
            removed: sum.removed.saturating_add(counts.removed),
            changed: sum.changed.saturating_add(counts.changed),
            ordering: sum.ordering.saturating_add(counts.ordering),
            containment: sum.containment.saturating_add(counts.containment),
            cycles: sum.cycles.saturating_add(counts.cycles),
        })
    }
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts = [
            (self.added, "added"),
            (self.removed, "removed"),
            (self.changed, "changed"),
            (self.ordering, "reordered"),
            (self.containment, "moved"),
            (self.cycles, if self.cycles == 1 { "dependency cycle" } else { "dependency cycles" }),
        ];
        let mut separator = "";
        for (count, what) in parts.into_iter().filter(|(count, _)| *count > 0) {
            write!(f, "{separator}{count} {what}")?;
            separator = ", ";
        }
        if separator.is_empty() { f.write_str("no differences") } else { Ok(()) }
    }
}

impl ChangeKind {
    /// Returns the sign in front of a difference.
    pub fn sign(self) -> char {
        match self {
            Self::Added => '+',
            Self::Removed => '-',
            Self::Changed => '~',
        }
    }

    /// Returns the kind of change between an old and a new value.
    pub(crate) fn of<T>(old: Option<&T>, new: Option<&T>) -> Self {
        match (old, new) {
            (None, _) => Self::Added,
            (_, None) => Self::Removed,
            _ => Self::Changed,
        }
    }
}

impl ResourceDifference {
    /// Returns the declaration's new location, or its old one.
    pub fn place(&self) -> Option<&FileLine> {
        self.new_place.as_ref().or(self.old_place.as_ref())
    }
}

impl AttributeDifference {
    /// Returns the kind of the change.
    pub fn change(&self) -> ChangeKind {
        ChangeKind::of(self.old.as_ref(), self.new.as_ref())
    }
}

impl OrderDifference {
    /// Returns the kind of the change of order.
    pub fn change(&self) -> ChangeKind {
        ChangeKind::of(self.old.as_ref(), self.new.as_ref())
    }
}

impl ValuePath {
    /// Returns the path one step further.
    #[must_use]
    pub(crate) fn join(&self, segment: PathSegment) -> Self {
        Self(self.0.iter().cloned().chain([segment]).collect())
    }

    /// Returns the path of a key in a hash.
    #[must_use]
    pub(crate) fn key(&self, key: &str) -> Self {
        self.join(PathSegment::Key(key.into()))
    }

    /// Returns the keys in it, without the indexes of arrays.
    pub(crate) fn keys(&self) -> impl Iterator<Item = &str> {
        self.0
            .iter()
            .filter_map(|segment| if let PathSegment::Key(key) = segment { Some(&**key) } else { None })
    }

    /// Returns the path for people: the first key `parameters` is left out.
    pub fn shown(&self) -> String {
        match self.0.as_slice() {
            [PathSegment::Key(first), rest @ ..] if &**first == "parameters" && !rest.is_empty() => {
                Self(rest.to_vec()).to_string()
            }
            _ => self.to_string(),
        }
    }
}

impl fmt::Display for ValuePath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, segment) in self.0.iter().enumerate() {
            let separator = if index == 0 { "" } else { "." };
            match segment {
                PathSegment::Index(index) => write!(f, "[{index}]")?,
                PathSegment::Element { key, value } => write!(f, "[{key}: {}]", DiffValue::from(&**value))?,
                PathSegment::Key(key) if is_word(key) => write!(f, "{separator}{key}")?,
                PathSegment::Key(key) => write!(f, "{separator}{}", DiffValue::from(&**key))?,
            }
        }
        Ok(())
    }
}

/// Returns true for keys that are clear without quotes.
fn is_word(key: &str) -> bool {
    !key.is_empty() && key.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | ':' | '/'))
}
