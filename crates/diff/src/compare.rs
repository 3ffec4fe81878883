//! The comparison of two catalogs.

use std::collections::{BTreeMap, BTreeSet};

use puppetfn_catalog::{Catalog, DependencyCycle, Reference, Relationship};

use crate::compared::{CatalogPair, ComparedCatalog, ComparedResource};
use crate::detail::ValueDetail;
use crate::difference::{
    AttributeDifference, ChangeKind, ContainmentDifference, CycleDifference, Differences, OrderDifference,
    OrderKind, ResourceDifference, ValuePath,
};
use crate::ignore::{IgnoreCandidate, IgnoreSubject};
use crate::items::ArrayDetail;
use crate::options::DiffOptions;
use crate::redact::{ValueComparison, shown};
use crate::value::{DiffValue, is_rich};

/// Returns the differences between an old and a new catalog.
pub fn compare(old: &Catalog, new: &Catalog, options: &DiffOptions) -> Differences {
    let (old, new) = (ComparedCatalog::of(old), ComparedCatalog::of(new));
    let pair = PairComparison { catalogs: CatalogPair { old: &old, new: &new }, options };
    let references: BTreeSet<&Reference> = [&old, &new]
        .into_iter()
        .flat_map(ComparedCatalog::resources)
        .map(|resource| &resource.reference)
        .collect();
    let compared: Vec<&Reference> =
        references.into_iter().filter(|reference| pair.is_compared(reference)).collect();
    Differences {
        resources: compared.iter().filter_map(|reference| pair.resource(reference)).collect(),
        ordering: if options.ordering { pair.ordering() } else { Vec::new() },
        cycles: if options.ordering { pair.cycles() } else { Vec::new() },
        containment: if options.containment {
            compared.iter().filter_map(|reference| pair.containment(reference)).collect()
        } else {
            Vec::new()
        },
    }
}

/// Two catalogs and the options of their comparison.
struct PairComparison<'p> {
    catalogs: CatalogPair<'p>,
    options: &'p DiffOptions,
}

impl PairComparison<'_> {
    /// Returns true unless the options exclude a resource.
    fn is_compared(&self, reference: &Reference) -> bool {
        (self.options.classes || &**reference.type_name() != "Class") && !self.is_tagged(reference)
    }

    /// Returns true for a resource with a tag that marks it as ignored.
    fn is_tagged(&self, reference: &Reference) -> bool {
        let resource = self.catalogs.new.get(reference).or_else(|| self.catalogs.old.get(reference));
        let Some(resource) = resource else { return false };
        let type_name = resource.reference.type_name().to_lowercase();
        let word = type_name.replace(|c: char| !c.is_ascii_alphanumeric() && c != '_', "_");
        self.options.ignored_tags.iter().any(|tag| {
            resource.tags.contains(tag.as_str()) || resource.tags.contains(format!("{tag}__{word}").as_str())
        })
    }

    fn in_both(&self, reference: &Reference) -> bool {
        self.catalogs.old.get(reference).is_some() && self.catalogs.new.get(reference).is_some()
    }

    /// Returns the names under which rules find a resource.
    fn named<'r>(&'r self, reference: &'r Reference) -> IgnoreSubject<'r> {
        let resource = self.catalogs.new.get(reference).or_else(|| self.catalogs.old.get(reference));
        IgnoreSubject { reference, path: resource.and_then(ComparedResource::file) }
    }

    fn resource(&self, reference: &Reference) -> Option<ResourceDifference> {
        let (old, new) = (self.catalogs.old.get(reference), self.catalogs.new.get(reference));
        let change = ChangeKind::of(old, new);
        let mut attributes = match (old, new) {
            (Some(old), Some(new)) => self.attributes(old, new),
            (old, new) => all_attributes(old, new),
        };
        if change == ChangeKind::Changed {
            attributes.retain(|attribute| !self.is_ignored(reference, attribute));
        }
        let difference = ResourceDifference {
            change,
            reference: reference.clone(),
            old_place: old.and_then(|resource| resource.place.clone()),
            new_place: new.and_then(|resource| resource.place.clone()),
            attributes,
            shared: Vec::new(),
            varies: false,
        };
        let is_nothing = change == ChangeKind::Changed && difference.attributes.is_empty();
        let is_ignored = change != ChangeKind::Changed
            && (self.options.rules.ignore(&IgnoreCandidate::whole(self.named(reference), change))
                || self
                    .options
                    .filters
                    .iter()
                    .any(|filter| filter.drops_resource(&difference, &self.catalogs)));
        (!is_nothing && !is_ignored).then_some(difference)
    }

    fn is_ignored(&self, reference: &Reference, attribute: &AttributeDifference) -> bool {
        let (old, new) = (attribute.old.as_ref(), attribute.new.as_ref());
        self.options.rules.ignore(&IgnoreCandidate::part(self.named(reference), &attribute.path, old, new))
            || self.are_items_ignored(reference, attribute)
            || self
                .options
                .filters
                .iter()
                .any(|filter| filter.drops(reference, attribute, &self.catalogs, &self.options.limits))
    }

    /// Returns true if rules ignore every difference between the items of an array.
    fn are_items_ignored(&self, reference: &Reference, attribute: &AttributeDifference) -> bool {
        // Differences between secrets are not listed by item.
        let has_secrets = [&attribute.old, &attribute.new].into_iter().flatten().any(DiffValue::has_secrets);
        if self.options.rules.is_empty() || has_secrets {
            return false;
        }
        let ValueDetail::Items(ArrayDetail { items, is_reordered: false }) = attribute.detail(0) else {
            return false;
        };
        let keys = attribute.path.keys().count();
        items.iter().all(|item| {
            let path = ValuePath(attribute.path.0.iter().chain(&item.path.0).cloned().collect());
            let part =
                IgnoreCandidate::part(self.named(reference), &path, item.old.as_ref(), item.new.as_ref());
            self.options.rules.ignore(&part.within_array(keys))
        })
    }

    /// Returns the attributes that differ in a resource of both catalogs.
    fn attributes(&self, old: &ComparedResource, new: &ComparedResource) -> Vec<AttributeDifference> {
        let mut found = Vec::new();
        let exported = |resource: &ComparedResource| DiffValue::Boolean(resource.is_exported);
        let comparison = ValueComparison { data_types: self.options.data_types };
        collect(&root("exported"), Some(&exported(old)), Some(&exported(new)), comparison, &mut found);
        let parameters = root("parameters");
        let names: BTreeSet<_> = old.parameters.keys().chain(new.parameters.keys()).collect();
        for name in names {
            let (old, new) = (old.parameters.get(name), new.parameters.get(name));
            collect(&parameters.key(name), old, new, comparison, &mut found);
        }
        if self.options.tags {
            let tags = |resource: &ComparedResource| {
                resource.tags.iter().map(|tag| DiffValue::from(&**tag)).collect::<DiffValue>()
            };
            collect(&root("tags"), Some(&tags(old)), Some(&tags(new)), comparison, &mut found);
        }
        found
    }

    /// Returns the changed relationships between resources of both catalogs.
    fn ordering(&self) -> Vec<OrderDifference> {
        let (old, new) = (self.catalogs.old.relationships(), self.catalogs.new.relationships());
        let all: BTreeSet<_> = old.keys().chain(new.keys()).collect();
        let difference = |ends: &(Reference, Reference)| {
            let (old, new) = (old.get(ends), new.get(ends));
            let (old_order, new_order) = (old.map(order), new.map(order));
            let (first, then) = ends;
            let is_seen = [first, then].into_iter().all(|end| self.in_both(end) && !self.is_tagged(end));
            let is_shown = old_order != new_order && is_seen && !self.is_order_ignored(ends, old, new);
            is_shown.then(|| OrderDifference {
                first: first.clone(),
                then: then.clone(),
                old: old_order,
                new: new_order,
            })
        };
        all.into_iter().filter_map(difference).collect()
    }

    /// Returns the dependency cycles that came and went.
    fn cycles(&self) -> Vec<CycleDifference> {
        let (old, new) = (&self.catalogs.old.cycles, &self.catalogs.new.cycles);
        let alone = |these: &[DependencyCycle], others: &[DependencyCycle], change| {
            let is_common =
                |cycle: &&DependencyCycle| others.iter().any(|other| other.resources == cycle.resources);
            let found = these.iter().filter(|cycle| !is_common(cycle));
            found.map(|cycle| CycleDifference { change, cycle: cycle.clone() }).collect::<Vec<_>>()
        };
        let mut found = alone(new, old, ChangeKind::Added);
        found.extend(alone(old, new, ChangeKind::Removed));
        found
    }

    /// Returns true if all parameters that made the difference are ignored.
    fn is_order_ignored(
        &self,
        ends: &(Reference, Reference),
        old: Option<&Relationship>,
        new: Option<&Relationship>,
    ) -> bool {
        let declared = |relationship: Option<&Relationship>| {
            relationship.map(|relationship| relationship.declared.clone()).unwrap_or_default()
        };
        let (old, new) = (declared(old), declared(new));
        old.symmetric_difference(&new).all(|place @ (resource, parameter)| {
            let other = if *resource == ends.0 { &ends.1 } else { &ends.0 };
            let value = DiffValue::from(other);
            let path = root("parameters").key(parameter);
            let (old, new) = (old.contains(place).then_some(&value), new.contains(place).then_some(&value));
            self.options.rules.ignore(&IgnoreCandidate::part(self.named(resource), &path, old, new))
        })
    }

    /// Returns the change of the containers of a resource that both catalogs have. A container that was itself added or
    /// removed is a difference of its own and makes none here.
    fn containment(&self, reference: &Reference) -> Option<ContainmentDifference> {
        if !self.in_both(reference) {
            return None;
        }
        let old: BTreeSet<&Reference> = self.catalogs.old.containers(reference).collect();
        let new: BTreeSet<&Reference> = self.catalogs.new.containers(reference).collect();
        let is_own = old.symmetric_difference(&new).any(|container| self.in_both(container));
        let difference = ContainmentDifference {
            reference: reference.clone(),
            old: old.difference(&new).copied().cloned().collect(),
            new: new.difference(&old).copied().cloned().collect(),
        };
        let names = |found: &[Reference]| found.iter().map(DiffValue::from).collect::<DiffValue>();
        let (old, new) = (names(&difference.old), names(&difference.new));
        let path = root("container");
        let item = IgnoreCandidate::part(self.named(reference), &path, Some(&old), Some(&new));
        let is_ignored = || self.options.rules.ignore(&item);
        (is_own && !is_ignored()).then_some(difference)
    }
}

fn root(name: &str) -> ValuePath {
    ValuePath::default().key(name)
}

fn order(relationship: &Relationship) -> OrderKind {
    if relationship.notifies { OrderKind::Notify } else { OrderKind::Before }
}

/// Returns all parameters of a resource that only one catalog has.
fn all_attributes(
    old: Option<&ComparedResource>,
    new: Option<&ComparedResource>,
) -> Vec<AttributeDifference> {
    let Some(resource) = new.or(old) else { return Vec::new() };
    let related = resource.relationships.iter().map(|(name, others)| {
        let others: DiffValue = others.iter().map(DiffValue::from).collect();
        ((*name).into(), others)
    });
    let given = resource.parameters.iter().map(|(name, value)| (name.clone(), shown(value, None)));
    let all: BTreeMap<_, _> = given.chain(related).collect();
    let parameters = root("parameters");
    let difference = |(name, value): (std::sync::Arc<str>, DiffValue)| {
        let (old, new) = if new.is_some() { (None, Some(value)) } else { (Some(value), None) };
        AttributeDifference { path: parameters.key(&name), old, new }
    };
    all.into_iter().map(difference).collect()
}

/// Collects the differences between two values, descending into hashes. Arrays are compared as a whole.
fn collect(
    path: &ValuePath,
    old: Option<&DiffValue>,
    new: Option<&DiffValue>,
    comparison: ValueComparison,
    found: &mut Vec<AttributeDifference>,
) {
    match (old, new) {
        (Some(old), Some(new)) if comparison.same(old, new) => {}
        (Some(DiffValue::Hash(old)), Some(DiffValue::Hash(new))) if !is_rich(old) && !is_rich(new) => {
            let keys: BTreeSet<_> = old.keys().chain(new.keys()).collect();
            for key in keys {
                collect(&path.key(key), old.get(key), new.get(key), comparison, found);
            }
        }
        (old, new) => found.push(AttributeDifference {
            path: path.clone(),
            old: old.map(|value| shown(value, new)),
            new: new.map(|value| shown(value, old)),
        }),
    }
}
