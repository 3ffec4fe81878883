//! Formats of a [`Graph`].

mod dot;
mod html;
mod mermaid;
mod svg;

pub use dot::dot;
pub use html::html;
pub use mermaid::mermaid;
pub use svg::{STYLE, figure, svg};

use crate::graph::{Edge, EdgeKind, Graph, GraphMark};

/// Replaces characters that XML and terminals do not allow, that change the direction of text, or that have no width.
fn visible(text: &str) -> String {
    let is_harmful = |c: char| match c {
        '\n' => false,
        '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{fffe}' | '\u{ffff}' => true,
        '\u{61c}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{feff}' => true,
        _ => c.is_control(),
    };
    text.chars().map(|c| if is_harmful(c) { '\u{fffd}' } else { c }).collect()
}

/// Returns a remark on the omitted nodes.
fn left_out(graph: &Graph) -> Option<String> {
    match graph.left_out() {
        0 => None,
        1 => Some("1 node that is as near is left out".to_owned()),
        count => Some(format!("{count} nodes that are as near are left out")),
    }
}

/// Describes an edge in a sentence.
fn sentence(graph: &Graph, edge: &Edge) -> String {
    let verb = match edge.relation {
        EdgeKind::Contains => "contains",
        EdgeKind::Before => "comes before",
        EdgeKind::Notifies => "comes before, and notifies,",
    };
    let note = edge.note.as_ref().map(|note| format!("\n{note}")).unwrap_or_default();
    format!("{} {verb} {}{}{note}", graph.label(edge.from), graph.label(edge.to), said(edge.mark))
}

/// Describes a mark, in brackets.
fn said(mark: GraphMark) -> &'static str {
    match mark {
        GraphMark::None | GraphMark::Highlighted => "",
        GraphMark::Added => " (added)",
        GraphMark::Removed => " (removed)",
        GraphMark::Changed => " (changed)",
    }
}
