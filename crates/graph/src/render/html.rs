//! HTML pages.

use maud::{DOCTYPE, PreEscaped, html};

use super::{svg, visible};
use crate::graph::Graph;
use crate::layout::TooLarge;

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// Returns a page with the graph, which can be moved and zoomed. It needs no other file.
///
/// # Errors
/// The same errors as [`svg`](super::svg).
pub fn html(graph: &Graph) -> Result<String, TooLarge> {
    let drawn = svg(graph)?;
    let title = visible(graph.title());
    let (nodes, edges) = (graph.nodes().len(), graph.edges().len());
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { (title) }
                style { (PreEscaped(STYLE)) }
            }
            body {
                header {
                    h1 { (title) }
                    span { (nodes) " nodes, " (edges) " edges" }
                    span class="before" { "comes before" }
                    span class="notifies" { "comes before, and notifies" }
                    input id="find" type="search" placeholder="find" aria-label="Find a node";
                }
                main { (PreEscaped(drawn)) }
                script { (PreEscaped(SCRIPT)) }
            }
        }
    };
    Ok(page.into_string())
}
