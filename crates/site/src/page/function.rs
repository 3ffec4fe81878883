//! Functions.

use std::collections::HashMap;

use maud::{Markup, html};
use puppetfn_doc::{Api, Docstring, DocumentedFunction, DocumentedSignature};

use super::super::code;
use super::super::markdown;
use super::super::names::PageLinks;
use super::parts::{ShownParameter, description, examples, further, parameters};

pub(super) fn function(function: &DocumentedFunction, links: &PageLinks<'_>) -> Markup {
    let DocumentedFunction { docstring, signatures, .. } = function;
    html! {
        @match signatures.as_slice() {
            [only] => {
                (signature_text(only, links))
                (description(docstring, links))
                (examples(docstring, links))
                (details(only, "parameter", links))
            },
            several => {
                (description(docstring, links))
                (examples(docstring, links))
                @for (number, signature) in (1..).zip(several) {
                    section.signature {
                        (signature_text(signature, links))
                        (description(&signature.docstring, links))
                        (details(signature, &format!("parameter-{number}"), links))
                        (examples(&signature.docstring, links))
                        (further(&signature.docstring, links))
                    }
                }
            },
        }
        (further(docstring, links))
    }
}

fn signature_text(signature: &DocumentedSignature, links: &PageLinks<'_>) -> Markup {
    html! { div.signature-text { (code::block(&code::puppet(&code::folded(&signature.text), links))) } }
}

fn details(signature: &DocumentedSignature, prefix: &str, links: &PageLinks<'_>) -> Markup {
    let DocumentedSignature { docstring, defaults, .. } = signature;
    html! {
        (parameters("Parameters", prefix, &parameters_of(docstring, defaults), docstring, links))
        @if docstring.tag("return").is_some() {
            h2 { "Returns" }
            (result(docstring, links))
        }
        @for (tag_name, title) in [("yield", "Yields"), ("yieldparam", "Gives the block"), ("yieldreturn", "The block returns")] {
            @for tag in docstring.tagged(tag_name) {
                p { (title) ": " @if let Some(types) = &tag.types { code { (code::puppet(&types.join(", "), links)) } " " }
                    @if let Some(name) = &tag.name { code { (name) } " " }
                    (markdown::inline(tag.text.as_deref().unwrap_or_default(), links)) }
            }
        }
    }
}

/// Returns the documentation of the parameters.
pub(super) fn parameters_of<'a>(
    docstring: &'a Docstring,
    defaults: &'a [(String, String)],
) -> Vec<ShownParameter<'a>> {
    let defaults: HashMap<&str, &str> =
        defaults.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    let params = docstring.tags.iter().filter(|tag| tag.tag_name == "param");
    params
        .map(|tag| {
            let default = tag.name.as_deref().and_then(|name| defaults.get(name));
            ShownParameter::of(tag, default.copied())
        })
        .collect()
}

/// Returns the documentation of the return value.
pub(super) fn result(docstring: &Docstring, links: &PageLinks<'_>) -> Markup {
    html! {
        @for tag in docstring.tagged("return") {
            div.returns {
                @if let Some(types) = tag.types.as_ref().filter(|types| !types.is_empty()) {
                    p.type { code { (code::puppet(&types.join(", "), links)) } }
                }
                div.text { (markdown::comment(tag.text.as_deref().unwrap_or_default(), links)) }
            }
        }
    }
}

/// Returns the API of a function that a file defines.
pub(super) fn api(api: Api) -> Option<&'static str> {
    match api {
        Api::Ruby4x => Some("Ruby"),
        Api::Ruby3x => Some("Ruby, 3.x API"),
        Api::Puppet => Some("Puppet language"),
        Api::BuiltIn => None,
    }
}
