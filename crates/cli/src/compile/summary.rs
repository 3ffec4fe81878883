//! Catalogs in numbers.

use std::collections::BTreeMap;
use std::io::{self, Write};

use super::own;
use puppetfn_catalog::{Draft, RELATIONSHIPS, Reference, flat};
use puppetfn_compile::NodeCatalog;

pub(super) fn write(made: &NodeCatalog, out: &mut dyn Write) -> io::Result<()> {
    let NodeCatalog { draft: catalog, identity, options, .. } = made;
    let mut types: BTreeMap<&str, usize> = BTreeMap::new();
    for resource in own(catalog) {
        let count = types.entry(resource.type_name()).or_default();
        *count = count.saturating_add(1);
    }
    let mut types: Vec<(&str, usize)> = types.into_iter().collect();
    types.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    let width = types.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0);

    writeln!(out, "node           {}", catalog.node())?;
    writeln!(out, "environment    {}", identity.environment)?;
    writeln!(out, "version        {}", identity.version.interpolated(&options.limits).unwrap_or_default())?;
    writeln!(out, "resources      {}", own(catalog).count())?;
    for (name, count) in types {
        writeln!(out, "  {name:width$}  {count}")?;
    }
    writeln!(out, "classes        {}", catalog.classes().count())?;
    let contained =
        catalog.edges().filter(|(container, resource)| !container.is_virtual() && !resource.is_virtual());
    writeln!(out, "containments   {}", contained.count())?;
    writeln!(out, "relationships  {}", relationships(catalog))?;
    let exported = catalog.resources().filter(|resource| resource.is_exported()).count();
    let others =
        catalog.resources().filter(|resource| resource.is_virtual() && !resource.is_exported()).count();
    writeln!(out, "exported       {exported}")?;
    writeln!(out, "virtual        {others}")?;
    writeln!(out, "reading        {:.3} s", made.reading.as_secs_f64())?;
    writeln!(out, "compiling      {:.3} s", made.compiling.as_secs_f64())
}

/// Returns the number of relationships in the resources' parameters.
fn relationships(catalog: &Draft) -> usize {
    let said = own(catalog).flat_map(|resource| RELATIONSHIPS.iter().filter_map(|name| resource.get(name)));
    said.map(|value| flat(value).iter().filter_map(Reference::of_value).count()).sum()
}
