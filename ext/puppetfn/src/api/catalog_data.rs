//! Catalogs as Ruby gets them: hashes and arrays.

use std::sync::Arc;

use magnus::{Error, RHash, Ruby};
use puppetfn::catalog::{Catalog, Reference, Resource};
use puppetfn::value::Value as CoreValue;

use crate::ruby::convert::to_object;

/// A catalog as a hash, with the keys of Puppet's own.
pub fn to_hash(ruby: &Ruby, catalog: &Catalog) -> Result<RHash, Error> {
    let hash = ruby.hash_new();
    hash.aset("tags", ruby.ary_from_iter(catalog.tags().iter().map(|tag| ruby.str_new(tag))))?;
    hash.aset("name", catalog.node())?;
    let resources = ruby.ary_new();
    catalog.resources().try_for_each(|resource| resources.push(resource_hash(ruby, resource)?))?;
    hash.aset("resources", resources)?;
    let edges = ruby.ary_new();
    for (container, resource) in catalog.edges() {
        let edge = ruby.hash_new();
        edge.aset("source", container.reference().to_string())?;
        edge.aset("target", resource.reference().to_string())?;
        edges.push(edge)?;
    }
    hash.aset("edges", edges)?;
    hash.aset("classes", ruby.ary_from_iter(catalog.classes().map(|name| ruby.str_new(name))))?;
    Ok(hash)
}

/// A resource, with `virtual`, which Puppet leaves out.
fn resource_hash(ruby: &Ruby, resource: &Resource) -> Result<RHash, Error> {
    let hash = ruby.hash_new();
    hash.aset("type", resource.type_name())?;
    hash.aset("title", resource.title())?;
    hash.aset("tags", ruby.ary_from_iter(resource.tags().iter().map(|tag| ruby.str_new(tag))))?;
    if let Some(place) = resource.place() {
        // Code that is from no file has an empty name.
        hash.aset("file", place.file.as_deref().unwrap_or_default())?;
        hash.aset("line", place.line)?;
    }
    hash.aset("exported", resource.is_exported())?;
    hash.aset("virtual", resource.is_virtual())?;
    hash.aset("kind", resource.kind_name())?;
    let parameters = ruby.hash_new();
    for (name, value) in resource.telling_parameters() {
        parameters.aset(name, to_object(ruby, &with_texts_of_references(value))?)?;
    }
    hash.aset("parameters", parameters)?;
    let sensitive = resource.sensitive_parameters().map(|name| ruby.str_new(name));
    hash.aset("sensitive_parameters", ruby.ary_from_iter(sensitive))?;
    Ok(hash)
}

/// What catalogs have in place of references to resources: their text, `File[/etc/motd]`.
#[allow(clippy::wildcard_enum_match_arm, reason = "only collections have references within")]
fn with_texts_of_references(value: &CoreValue) -> CoreValue {
    match value {
        CoreValue::Type(t) => match Reference::of_type(t) {
            Some(reference) => CoreValue::from(reference.to_string()),
            None => value.clone(),
        },
        CoreValue::Array(items) => {
            CoreValue::from(items.iter().map(with_texts_of_references).collect::<Vec<_>>())
        }
        CoreValue::Hash(entries) => {
            let entry = |(key, value): (&CoreValue, &CoreValue)| {
                (with_texts_of_references(key), with_texts_of_references(value))
            };
            CoreValue::Hash(Arc::new(entries.iter().map(entry).collect()))
        }
        _ => value.clone(),
    }
}
