//! HTML pages.

use maud::{DOCTYPE, PreEscaped, html};

use super::svg::{STYLE as DRAWING_STYLE, foldable};
use super::visible;
use crate::graph::Graph;
use crate::layout::TooLarge;

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// Returns a page with the graph, which fits the window, can be moved, zoomed and searched, and whose containers fold. It
/// needs no other file, and shows the whole graph without its script.
///
/// # Errors
/// The same errors as [`svg`](super::svg).
pub fn html(graph: &Graph) -> Result<String, TooLarge> {
    let drawn = foldable(graph)?;
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
                style { (PreEscaped(DRAWING_STYLE)) (PreEscaped(STYLE)) }
            }
            body {
                header {
                    h1 { (title) }
                    span { (nodes) " nodes, " (edges) " edges" }
                    span class="before" { "comes before" }
                    span class="notifies" { "comes before, and notifies" }
                    form.tools role="toolbar" aria-label="View" hidden {
                        span role="search" {
                            input #find type="search" placeholder="Find" aria-label="Find a node" autocomplete="off" spellcheck="false";
                            button #previous type="button" aria-label="Previous match" title="Previous match (Shift+Enter)" { "↑" }
                            button #next type="button" aria-label="Next match" title="Next match (Enter)" { "↓" }
                            output #found for="find" {}
                        }
                        span {
                            button #out type="button" aria-label="Zoom out" title="Zoom out (-)" { "−" }
                            button #in type="button" aria-label="Zoom in" title="Zoom in (+)" { "+" }
                            button #fit type="button" title="Fit the window (0)" { "Fit" }
                        }
                        span {
                            button #fold type="button" title="Fold all classes and defined resources (f)" { "Fold all" }
                            button #unfold type="button" title="Unfold all (u)" { "Unfold all" }
                        }
                    }
                }
                main { (PreEscaped(drawn)) }
                script { (PreEscaped(SCRIPT)) }
            }
        }
    };
    Ok(page.into_string())
}
