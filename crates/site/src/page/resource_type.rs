//! Resource types and providers.

use maud::{Markup, html};
use puppetfn_catalog::{AttributeDescription, AttributeKind};
use puppetfn_doc::{DocumentedProvider, DocumentedResourceType};

use super::super::markdown;
use super::super::names::PageLinks;
use super::parts::{ShownParameter, description, examples, further, parameters};

pub(super) fn resource_type(
    t: &DocumentedResourceType,
    providers: &[&DocumentedProvider],
    links: &PageLinks<'_>,
) -> Markup {
    let docstring = &t.docstring;
    let chosen = AttributeDescription::provider_of(&t.description.name);
    let of_kind = |kind: AttributeKind| {
        let mut attributes = t.attributes(kind);
        let is_named = attributes.iter().any(|attribute| attribute.name == chosen.name);
        if kind == AttributeKind::Parameter && !providers.is_empty() && !is_named {
            attributes.push(&chosen);
            attributes.sort_by(|a, b| a.name.cmp(&b.name));
        }
        attributes.into_iter().map(shown).collect::<Vec<_>>()
    };
    let features = &t.description.features;
    html! {
        (description(docstring, links))
        (examples(docstring, links))
        (parameters("Properties", "property", &of_kind(AttributeKind::Property), docstring, links))
        (parameters("Parameters", "parameter", &of_kind(AttributeKind::Parameter), docstring, links))
        (parameters("Checks", "check", &of_kind(AttributeKind::Check), docstring, links))
        @if !features.is_empty() {
            h2 { "Features" }
            dl.options {
                @for feature in features { dt { code { (feature.name) } } dd { (markdown::inline(&feature.doc, links)) } }
            }
        }
        (further(docstring, links))
        (self::providers(providers, links))
    }
}

fn shown(attribute: &AttributeDescription) -> ShownParameter<'_> {
    let AttributeDescription { name, doc, aliases, default, data_type, features, .. } = attribute;
    let mut badges = Vec::new();
    if attribute.is_namevar {
        badges.push("names resources");
    }
    if attribute.is_required {
        badges.push("required");
    }
    let aliases = aliases.iter().map(|(alias, value)| format!("{alias} (for {value})"));
    let mut values = vec![
        ("Values", attribute.values.clone()),
        ("Aliases", aliases.collect()),
        ("Requires features", features.clone()),
    ];
    values.retain(|(_, all)| !all.is_empty());
    ShownParameter {
        name,
        types: data_type.clone(),
        text: doc.as_deref().unwrap_or_default(),
        badges,
        values,
        default: default.as_deref(),
        data: Vec::new(),
    }
}

/// Returns the providers of a type.
pub(super) fn providers(providers: &[&DocumentedProvider], links: &PageLinks<'_>) -> Markup {
    let pairs = |pairs: &[(String, String)]| {
        pairs.iter().map(|(key, value)| format!("{key}: {value}")).collect::<Vec<_>>()
    };
    html! {
        @if !providers.is_empty() { h2 #providers { "Providers" } }
        @for provider in providers {
            @let declared = &provider.declared;
            @let defaults: Vec<String> = declared.defaults.iter().map(|all| pairs(all).join(", ")).collect();
            section.parameter {
                h3 { code { (declared.name) } }
                (description(&provider.docstring, links))
                @for (title, all) in [
                    ("Confined to", pairs(&declared.confines)),
                    ("Default for", defaults),
                    ("Commands", pairs(&declared.commands)),
                    ("Features", declared.features.clone()),
                ] {
                    @if !all.is_empty() {
                        p.values { (title) ": " @for (index, value) in all.iter().enumerate() { @if index > 0 { ", " } code { (value) } } }
                    }
                }
            }
        }
    }
}
