//! Classes, defined types, plans and data types.

use maud::{Markup, html};
use puppetfn_doc::{DataType, DocumentedAlias, DocumentedDefinition};

use super::super::code;
use super::super::names::{NameUse, PageLinks};
use super::function::{parameters_of, result};
use super::parts::{ShownParameter, description, examples, further, parameters};

pub(super) fn definition(definition: &DocumentedDefinition, links: &PageLinks<'_>) -> Markup {
    let DocumentedDefinition { docstring, defaults, parent, .. } = definition;
    let mut shown = parameters_of(docstring, defaults);
    for parameter in &mut shown {
        parameter.data = definition.data_of(parameter.name).collect();
    }
    html! {
        @if let Some(parent) = parent {
            p { "Inherits "
                @match links.to(parent, NameUse::Class) {
                    Some(href) => a href=(href) { code { (parent) } },
                    None => code { (parent) },
                }
            }
        }
        (description(docstring, links))
        (examples(docstring, links))
        (parameters("Parameters", "parameter", &shown, docstring, links))
        @if docstring.tag("return").is_some() { h2 { "Returns" } (result(docstring, links)) }
        (further(docstring, links))
    }
}

pub(super) fn type_alias(alias: &DocumentedAlias, links: &PageLinks<'_>) -> Markup {
    let DocumentedAlias { docstring, alias_of, .. } = alias;
    let shown: Vec<ShownParameter<'_>> =
        docstring.tagged("param").map(|tag| ShownParameter::of(tag, None)).collect();
    html! {
        (description(docstring, links))
        h2 { "Definition" }
        (code::block(&code::puppet(alias_of, links)))
        (examples(docstring, links))
        (parameters("Parameters", "parameter", &shown, docstring, links))
        (further(docstring, links))
    }
}

pub(super) fn data_type(data_type: &DataType, links: &PageLinks<'_>) -> Markup {
    let DataType { docstring, defaults, functions, .. } = data_type;
    let defaults: Vec<(String, String)> = defaults
        .iter()
        .map(|(name, value)| (name.clone(), value.as_str().map_or_else(|| value.to_string(), str::to_owned)))
        .collect();
    let shown = parameters_of(docstring, &defaults);
    html! {
        (description(docstring, links))
        (examples(docstring, links))
        (parameters("Attributes", "attribute", &shown, docstring, links))
        @if !functions.is_empty() { h2 { "Functions" } }
        @for function in functions {
            section.signature {
                h3 { code { (function.name) } }
                (code::block(&code::puppet(&function.signature, links)))
                (description(&function.docstring, links))
                (parameters("Parameters", &format!("{}-parameter", function.name), &parameters_of(&function.docstring, &[]), &function.docstring, links))
                h4 { "Returns" }
                (result(&function.docstring, links))
                (examples(&function.docstring, links))
            }
        }
        (further(docstring, links))
    }
}
