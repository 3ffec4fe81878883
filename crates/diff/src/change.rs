//! Changes: single differences, and when two nodes have the same one.

use std::collections::{BTreeSet, HashMap};
use std::hash::{Hash, Hasher};

use puppetfn_catalog::{FileLine, Reference};
use sha2::{Digest, Sha256};

use crate::detail::ValueDetail;
use crate::difference::{
    AttributeDifference, ChangeKind, ContainmentDifference, CycleDifference, Differences, OrderDifference,
    OrderKind, PathSegment, ResourceDifference, ValuePath,
};
use crate::own_values::{NodeValues, candidates};
use crate::value::DiffValue;

/// The maximum number of words in the cache of digests. Further changes are not cached.
const MOST_WORDS: usize = 1_000_000;

/// A digest that equal changes share.
pub(crate) type ChangeDigest = [u8; 32];

/// A single difference between two catalogs.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Change {
    /// A resource that differs.
    Resource(ResourceDifference),
    /// Two resources in another order.
    Order(OrderDifference),
    /// A resource in another container.
    Containment(ContainmentDifference),
    /// A dependency cycle that came or went.
    Cycle(CycleDifference, Reference),
}

/// The digests of a change.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct ChangeDigests {
    /// The same for changes that differ in values of their nodes alone. Source locations do not count.
    pub change: ChangeDigest,
    /// The same for changes of resources of one declaration, which differ in their titles, too.
    pub declaration: Option<ChangeDigest>,
    /// The same for changes with the same values, whatever the title is.
    pub values: ChangeDigest,
    /// The same for changes with the same values and title.
    pub exact: ChangeDigest,
}

impl Change {
    /// Returns the changes of a node.
    pub fn all(differences: Differences) -> impl Iterator<Item = Self> {
        let Differences { resources, ordering, containment, cycles } = differences;
        let cycles = cycles.into_iter().filter_map(|found| {
            let first = found.cycle.resources.first()?.clone();
            Some(Self::Cycle(found, first))
        });
        let resources = resources.into_iter().map(Self::Resource);
        resources
            .chain(ordering.into_iter().map(Self::Order))
            .chain(containment.into_iter().map(Self::Containment))
            .chain(cycles)
    }

    /// Returns the resource that differs.
    pub fn reference(&self) -> &Reference {
        match self {
            Self::Resource(resource) => &resource.reference,
            Self::Order(order) => &order.then,
            Self::Containment(containment) => &containment.reference,
            Self::Cycle(_, first) => first,
        }
    }

    /// Returns the digests of the change of a node. Of texts and arrays, only the lines and elements that differ count. Sensitive
    /// values do not count: they look the same in a report, and a digest of a password could be used to guess it.
    fn digests(&self, node: &NodeValues) -> ChangeDigests {
        self.write(node, None)
    }

    /// Returns the digests for nodes none of whose values are among some words, and these words.
    fn common_digests(&self) -> CommonDigests {
        let mut words = BTreeSet::new();
        let digests = self.write(&NodeValues::default(), Some(&mut words));
        CommonDigests { digests, words }
    }

    fn write(&self, node: &NodeValues, words: Option<&mut BTreeSet<Box<str>>>) -> ChangeDigests {
        let mut writer = ChangeWriter {
            node,
            words,
            names: Vec::new(),
            change: Sha256::new(),
            declaration: Sha256::new(),
            values: Sha256::new(),
        };
        let is_declared = match self {
            Self::Resource(resource) => writer.resource(resource),
            Self::Order(order) => writer.order(order),
            Self::Containment(containment) => writer.containment(containment),
            Self::Cycle(found, _) => writer.cycle(found),
        };
        let ChangeWriter { change, declaration, values, .. } = writer;
        let mut exact = values.clone();
        write(&mut exact, self.reference().title());
        ChangeDigests {
            change: change.finalize().into(),
            declaration: is_declared.then(|| declaration.finalize().into()),
            values: values.finalize().into(),
            exact: exact.finalize().into(),
        }
    }
}

/// The digests of a change for most nodes.
struct CommonDigests {
    digests: ChangeDigests,
    /// The parts of its texts that a node may have as values.
    words: BTreeSet<Box<str>>,
}

/// The digests of changes that many nodes have: lines and elements that differ are found once for nodes that have no value among
/// the words of a change.
#[derive(Default)]
pub(crate) struct DigestCache {
    /// The digests by hashes of changes, which take less memory than the changes.
    known: HashMap<[u8; 32], CommonDigests>,
    words: usize,
}

impl DigestCache {
    /// Returns the digests of the change of a node.
    pub fn digests(&mut self, change: &Change, node: &NodeValues) -> ChangeDigests {
        let mut hasher = ShaHasher::default();
        change.hash(&mut hasher);
        let hash = hasher.0.finalize().into();
        if let Some(common) = self.known.get(&hash) {
            return common.of(change, node);
        }
        let common = change.common_digests();
        let digests = common.of(change, node);
        if self.words < MOST_WORDS {
            self.words = self.words.saturating_add(common.words.len());
            self.known.insert(hash, common);
        }
        digests
    }
}

impl CommonDigests {
    fn of(&self, change: &Change, node: &NodeValues) -> ChangeDigests {
        if node.has_any(&self.words) { change.digests(node) } else { self.digests }
    }
}

/// Hashes to a digest without collisions.
#[derive(Default)]
struct ShaHasher(Sha256);

impl Hasher for ShaHasher {
    fn write(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    /// Returns the beginning of the digest.
    fn finish(&self) -> u64 {
        self.0.clone().finalize().iter().take(8).fold(0, |sum, byte| sum << 8 | u64::from(*byte))
    }
}

/// Writes a change into all of its digests.
struct ChangeWriter<'c> {
    node: &'c NodeValues,
    /// The names of the resource.
    names: Vec<&'c str>,
    /// Gets the parts of texts that a node may have as values.
    words: Option<&'c mut BTreeSet<Box<str>>>,
    change: Sha256,
    declaration: Sha256,
    values: Sha256,
}

impl<'c> ChangeWriter<'c> {
    /// Returns true if the declaration can have other resources with the same change.
    fn resource(&mut self, resource: &'c ResourceDifference) -> bool {
        self.word("resource");
        self.kind(resource.change);
        self.word(resource.reference.type_name());
        let title: &str = resource.reference.title();
        write(&mut self.change, &self.node.masked(title, &[]));
        self.add_words(title);
        self.names = [Some(title), title.rsplit(['/', ' ']).next()].into_iter().flatten().collect();
        let places: Vec<&FileLine> =
            [&resource.old_place, &resource.new_place].into_iter().flatten().collect();
        for FileLine { file, line } in &places {
            write(&mut self.declaration, file);
            write(&mut self.declaration, &line.unwrap_or_default().to_string());
        }
        resource.attributes.iter().for_each(|attribute| self.attribute(attribute));
        // Additions and removals are about the titles.
        resource.change == ChangeKind::Changed && places.len() == 2
    }

    fn attribute(&mut self, attribute: &AttributeDifference) {
        self.path(&attribute.path);
        self.kind(attribute.change());
        match attribute.detail(0) {
            ValueDetail::Text(hunks) => {
                for line in hunks.iter().flat_map(|hunk| &hunk.lines) {
                    self.word(if line.change == Some(ChangeKind::Added) { "+" } else { "-" });
                    self.text(line.text);
                    self.word(if line.has_end { "end" } else { "" });
                }
            }
            ValueDetail::Items(detail) => {
                for item in &detail.items {
                    match item.is_element() {
                        true => self.word("element"),
                        false => self.path(&item.path),
                    }
                    self.values(item.old.as_ref(), item.new.as_ref());
                }
                self.word(if detail.is_reordered { "reordered" } else { "" });
            }
            ValueDetail::Whole => self.values(attribute.old.as_ref(), attribute.new.as_ref()),
        }
    }

    fn order(&mut self, order: &OrderDifference) -> bool {
        self.word("order");
        self.reference(&order.first);
        self.reference(&order.then);
        for kind in [order.old, order.new] {
            self.word(match kind {
                None => "none",
                Some(OrderKind::Before) => "before",
                Some(OrderKind::Notify) => "notify",
            });
        }
        false
    }

    fn containment(&mut self, containment: &ContainmentDifference) -> bool {
        self.word("containment");
        self.reference(&containment.reference);
        for containers in [&containment.old, &containment.new] {
            self.word("containers");
            containers.iter().for_each(|container| self.reference(container));
        }
        false
    }

    fn cycle(&mut self, CycleDifference { change, cycle }: &CycleDifference) -> bool {
        self.word("cycle");
        self.kind(*change);
        for edge in &cycle.edges {
            self.reference(&edge.first);
            self.reference(&edge.second);
            self.word(edge.reason.verb());
        }
        false
    }

    fn values(&mut self, old: Option<&DiffValue>, new: Option<&DiffValue>) {
        for value in [old, new] {
            match value {
                Some(value) => self.value(value),
                None => self.word("no value"),
            }
        }
    }

    fn value(&mut self, value: &DiffValue) {
        match value {
            DiffValue::Undef => self.word("undef"),
            DiffValue::Boolean(value) => self.word(if *value { "true" } else { "false" }),
            DiffValue::Integer(text) | DiffValue::Float(text) => {
                self.word("number");
                self.text(text);
            }
            DiffValue::String(text) => {
                self.word("string");
                text.lines().for_each(|line| self.text(line));
                self.word("end");
            }
            DiffValue::Array(items) => {
                self.word("array");
                items.iter().for_each(|item| self.value(item));
                self.word("end");
            }
            DiffValue::Hash(entries) => {
                self.word("hash");
                for (key, value) in entries.iter() {
                    self.text(key);
                    self.value(value);
                }
                self.word("end");
            }
            DiffValue::Sensitive(_) => self.word("sensitive"),
        }
    }

    fn path(&mut self, path: &ValuePath) {
        for segment in &path.0 {
            match segment {
                PathSegment::Key(key) => self.text(key),
                PathSegment::Index(_) => self.word("index"),
                PathSegment::Element { key, value } => {
                    self.word(key);
                    self.text(value);
                }
            }
        }
        self.word("end");
    }

    fn reference(&mut self, reference: &Reference) {
        self.word(reference.type_name());
        self.text(reference.title());
    }

    fn kind(&mut self, kind: ChangeKind) {
        self.word(&kind.sign().to_string());
    }

    /// Writes a text that may contain values of the node and names of the resource.
    fn text(&mut self, text: &str) {
        self.add_words(text);
        write(&mut self.change, &self.node.masked(text, &[]));
        write(&mut self.declaration, &self.node.masked(text, &self.names));
        write(&mut self.values, text);
    }

    fn add_words(&mut self, text: &str) {
        if let Some(words) = &mut self.words {
            words.extend(candidates(text).map(Box::from));
        }
    }

    fn word(&mut self, text: &str) {
        [&mut self.change, &mut self.declaration, &mut self.values]
            .into_iter()
            .for_each(|digest| write(digest, text));
    }
}

/// Writes a text after its length, so that no two sequences of texts are the same bytes.
fn write(digest: &mut Sha256, text: &str) {
    digest.update(text.len().to_le_bytes());
    digest.update(text);
}
