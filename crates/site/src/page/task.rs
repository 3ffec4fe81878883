//! Tasks.

use maud::{Markup, html};
use puppetfn_doc::DocumentedTask;

use super::super::names::PageLinks;
use super::parts::{ShownParameter, description, parameters};

pub(super) fn task(task: &DocumentedTask, links: &PageLinks<'_>) -> Markup {
    let shown: Vec<ShownParameter<'_>> = task
        .parameters
        .iter()
        .map(|parameter| ShownParameter {
            name: &parameter.name,
            types: parameter.type_text.clone(),
            text: &parameter.text,
            ..ShownParameter::default()
        })
        .collect();
    let input = task.input_method.as_str();
    html! {
        (description(&task.docstring, links))
        dl.facts {
            div { dt { "Can be run without changing anything" } dd { @if task.supports_noop.as_bool() == Some(true) { "yes" } @else { "no" } } }
            @if let Some(input) = input { div { dt { "Takes parameters from" } dd { code { (input) } } } }
        }
        (parameters("Parameters", "parameter", &shown, &task.docstring, links))
    }
}
