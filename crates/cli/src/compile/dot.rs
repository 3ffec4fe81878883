//! Catalogs as graphs, for Graphviz.

use std::io::{self, Write};

use puppetfn_runtime::catalog::{Catalog, RELATIONSHIPS, Reference, Resource, flat};

/// Writes what contains what with grey lines, and what comes before what with arrows.
pub(super) fn write(catalog: &Catalog, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "digraph {} {{", quoted(catalog.node()))?;
    writeln!(out, "  node [shape=box];")?;
    for resource in own(catalog) {
        writeln!(out, "  {};", node(resource.reference()))?;
    }
    for (container, resource) in contained(catalog) {
        let (container, resource) = (node(container.reference()), node(resource.reference()));
        writeln!(out, "  {container} -> {resource} [color=grey, arrowhead=none];")?;
    }
    for (first, second, label) in relationships(catalog) {
        let (first, second) = (node(&first), node(&second));
        let label = if label == "notify" { " [label=notify]" } else { "" };
        writeln!(out, "  {first} -> {second}{label};")?;
    }
    writeln!(out, "}}")
}

/// Returns what comes before what, and whether it notifies it: `before` or `notify`.
pub(super) fn relationships(catalog: &Catalog) -> Vec<(Reference, Reference, &'static str)> {
    let mut found = Vec::new();
    for resource in own(catalog) {
        for name in RELATIONSHIPS {
            let Some(value) = resource.get(name) else { continue };
            for other in flat(value).iter().filter_map(Reference::of_value) {
                // Others may be named by an alias.
                let other = catalog.resource(&other).map_or(other, |other| other.reference().clone());
                let this = resource.reference().clone();
                found.push(match name {
                    "require" => (other, this, "before"),
                    "subscribe" => (other, this, "notify"),
                    "notify" => (this, other, "notify"),
                    _ => (this, other, "before"),
                });
            }
        }
    }
    found
}

/// Returns the resources of the node: those that are not virtual.
pub(super) fn own(catalog: &Catalog) -> impl Iterator<Item = &Resource> {
    catalog.resources().filter(|resource| !resource.is_virtual())
}

/// Returns what contains what of these.
pub(super) fn contained(catalog: &Catalog) -> impl Iterator<Item = (&Resource, &Resource)> {
    catalog.edges().filter(|(container, resource)| !container.is_virtual() && !resource.is_virtual())
}

fn node(reference: &Reference) -> String {
    quoted(&reference.to_string())
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n"))
}
