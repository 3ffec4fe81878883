//! Relations between resources of a catalog: containment and order.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::sync::Arc;

use puppetfn_types::types::Reference;
use puppetfn_types::value::Value;

use crate::read::{parse_reference, reference};
use crate::{Catalog, CatalogResource, RELATIONSHIPS};

/// The containment and the order of a catalog's resources.
#[derive(Clone, Debug, Default)]
pub struct Relations {
    containers: BTreeMap<Reference, BTreeSet<Reference>>,
    relationships: BTreeMap<(Reference, Reference), Relationship>,
}

/// The order of two resources, with its declarations: any of four parameters may declare it, to the same effect.
#[derive(Clone, Default, Debug)]
pub struct Relationship {
    /// Whether the other one is also notified of changes.
    pub notifies: bool,
    /// The resources whose parameters say it, and the parameters.
    pub declared: BTreeSet<(Reference, &'static str)>,
}

impl Relations {
    /// Finds the relations of a catalog's resources.
    pub fn of(catalog: &Catalog) -> Self {
        let mut relations = Self::default();
        for (container, resource) in catalog.edges() {
            relations.containers.entry(resource.clone()).or_default().insert(container.clone());
        }
        let resources = catalog.resources();
        let aliases: BTreeMap<Reference, &Reference> = resources
            .iter()
            .flat_map(|resource| aliases(resource).into_iter().map(|alias| (alias, &resource.reference)))
            .collect();
        let references: HashSet<&Reference> = resources.iter().map(|resource| &resource.reference).collect();
        for resource in resources {
            for (parameter, others) in relationships(resource) {
                for other in others {
                    let aliased = match references.contains(&other) {
                        true => None,
                        false => aliases.get(&plain(&other)).map(|known| (*known).clone()),
                    };
                    relations.relate(&resource.reference, parameter, aliased.unwrap_or(other));
                }
            }
        }
        relations
    }

    fn relate(&mut self, this: &Reference, parameter: &'static str, other: Reference) {
        let is_first = matches!(parameter, "before" | "notify");
        let ends = if is_first { (this.clone(), other) } else { (other, this.clone()) };
        let relationship = self.relationships.entry(ends).or_default();
        relationship.notifies |= matches!(parameter, "notify" | "subscribe");
        relationship.declared.insert((this.clone(), parameter));
    }

    /// Returns the containers of a resource: usually one class, node or resource of a defined type.
    pub fn containers(&self, reference: &Reference) -> impl Iterator<Item = &Reference> {
        self.containers.get(reference).into_iter().flatten()
    }

    /// Returns the relationships by their ends, of which the first comes before the second.
    pub fn relationships(&self) -> &BTreeMap<(Reference, Reference), Relationship> {
        &self.relationships
    }
}

/// Returns the references in each of the parameters `before`, `notify`, `require` and `subscribe`. A parameter with another value is left
/// out, and so is a sensitive one.
pub fn relationships(resource: &CatalogResource) -> BTreeMap<&'static str, BTreeSet<Reference>> {
    let named = |name: &'static str| {
        let is_sensitive = resource.sensitive.iter().any(|sensitive| **sensitive == *name);
        let value = resource.parameters.get(name).filter(|_| !is_sensitive)?;
        Some((name, references(value)?))
    };
    RELATIONSHIPS.into_iter().filter_map(named).collect()
}

/// Returns the names by which relationships may refer to a resource: its aliases, and its name where that is not its title.
fn aliases(resource: &CatalogResource) -> BTreeSet<Reference> {
    let type_name = resource.reference.type_name();
    let text = |name: &str| resource.parameters.get(name).map(items).unwrap_or_default();
    let named = text(if &**type_name == "File" { "path" } else { "name" });
    let own = [Value::String(Arc::clone(resource.reference.title()))];
    let names = text("alias").iter().chain(named.iter().take(1)).chain(&own);
    let names = names.filter_map(|name| if let Value::String(name) = name { Some(name) } else { None });
    names.map(|title| plain(&reference(type_name, title))).collect()
}

/// Files are the same with and without a slash at the end.
fn plain(reference: &Reference) -> Reference {
    let title = reference.title().trim_end_matches('/');
    if &**reference.type_name() == "File" && !title.is_empty() {
        Reference::new(reference.type_name(), title)
    } else {
        reference.clone()
    }
}

/// Returns the references in the value of a relationship, if there is nothing else in it.
fn references(value: &Value) -> Option<BTreeSet<Reference>> {
    let one = |item: &Value| match item {
        Value::String(text) => parse_reference(text),
        Value::Hash(hash) => {
            // As PuppetDB has it.
            let text = |name: &str| match hash.get_str(name) {
                Some(Value::String(text)) => Some(Arc::clone(text)),
                _ => None,
            };
            Some(reference(&text("type")?, &text("title")?))
        }
        _ => None,
    };
    items(value).iter().map(one).collect()
}

/// Returns the items of an array, or the value alone; nothing for `undef`.
fn items(value: &Value) -> &[Value] {
    match value {
        Value::Undef => &[],
        Value::Array(items) => items,
        other => std::slice::from_ref(other),
    }
}
