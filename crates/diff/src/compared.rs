//! Catalogs prepared for a comparison.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use puppetfn_catalog::{
    Catalog, CatalogResource, DependencyCycle, FileLine, Reference, Relations, Relationship, relationships,
};

use crate::value::DiffValue;

/// A catalog with its resources sorted, and relationships apart from other parameters.
#[derive(Debug)]
pub(crate) struct ComparedCatalog {
    resources: BTreeMap<Reference, ComparedResource>,
    relations: Relations,
    /// The dependency cycles.
    pub cycles: Vec<DependencyCycle>,
}

/// A resource.
#[derive(Debug)]
pub(crate) struct ComparedResource {
    /// Its type and title.
    pub reference: Reference,
    /// Its parameters by name, without relationships.
    pub parameters: BTreeMap<Arc<str>, DiffValue>,
    /// The resources in its parameters `before`, `notify`, `require` and `subscribe`.
    pub relationships: BTreeMap<&'static str, BTreeSet<Reference>>,
    /// Its tags.
    pub tags: BTreeSet<Arc<str>>,
    /// Whether it is exported.
    pub is_exported: bool,
    /// The place of the declaration, for reports. It is not compared: a moved line is no difference.
    pub place: Option<FileLine>,
}

impl ComparedCatalog {
    pub fn of(catalog: &Catalog) -> Self {
        let resources = catalog.resources().iter().map(ComparedResource::of);
        let relations = Relations::of(catalog);
        Self {
            resources: resources.map(|resource| (resource.reference.clone(), resource)).collect(),
            cycles: catalog.cycles_of(&relations),
            relations,
        }
    }

    /// Returns the resources, sorted by type and title.
    pub fn resources(&self) -> impl Iterator<Item = &ComparedResource> {
        self.resources.values()
    }

    /// Returns the resource of a type and title.
    pub fn get(&self, reference: &Reference) -> Option<&ComparedResource> {
        self.resources.get(reference)
    }

    /// Returns the containers of a resource: usually one class, node or resource of a defined type.
    pub fn containers(&self, reference: &Reference) -> impl Iterator<Item = &Reference> {
        self.relations.containers(reference)
    }

    /// Returns the relationships by their ends, of which the first comes before the second.
    pub fn relationships(&self) -> &BTreeMap<(Reference, Reference), Relationship> {
        self.relations.relationships()
    }
}

impl ComparedResource {
    fn of(resource: &CatalogResource) -> Self {
        let relationships = relationships(resource);
        let mut parameters = BTreeMap::new();
        for (name, value) in &resource.parameters {
            let value = DiffValue::of_data(value);
            if resource.sensitive.contains(name) {
                parameters.insert(Arc::clone(name), DiffValue::sensitive(value));
            } else if !relationships.contains_key(&**name) {
                parameters.insert(Arc::clone(name), value);
            }
        }
        Self {
            reference: resource.reference.clone(),
            parameters,
            relationships,
            tags: resource.tags.iter().cloned().collect(),
            is_exported: resource.is_exported,
            place: resource.place(),
        }
    }

    /// Returns the parameter `path` of a file.
    pub fn file(&self) -> Option<&str> {
        let path = self.parameters.get("path").filter(|_| &**self.reference.type_name() == "File");
        path.and_then(DiffValue::as_str)
    }
}

/// The two catalogs of a comparison.
#[derive(Clone, Copy)]
pub(crate) struct CatalogPair<'p> {
    pub old: &'p ComparedCatalog,
    pub new: &'p ComparedCatalog,
}
