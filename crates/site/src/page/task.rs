//! Tasks.

use maud::{Markup, html};
use puppetfn_doc::Task;

use super::super::names::Links;
use super::parts::{Shown, description, parameters};

pub(super) fn task(task: &Task, links: &Links<'_>) -> Markup {
    let shown: Vec<Shown<'_>> = task
        .parameters
        .iter()
        .map(|parameter| Shown {
            name: &parameter.name,
            types: parameter.type_text.clone(),
            text: &parameter.text,
            ..Shown::default()
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
