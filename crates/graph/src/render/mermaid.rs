//! Flowcharts of Mermaid, which GitHub and GitLab draw within Markdown.

use std::io::{self, Write};

use super::{left_out, visible};
use crate::graph::{EdgeKind, Graph, GraphMark, NodeId};
use crate::layout::shown;
use crate::tree::ContainmentTree;

/// The styles of the marks.
const CLASSES: &str = "  classDef highlighted stroke-width:3px;
  classDef added stroke:#1a7f37,stroke-width:2px;
  classDef removed stroke:#cf222e,stroke-width:2px,stroke-dasharray:4;
  classDef changed stroke:#bf8700,stroke-width:2px;
";

/// Writes the graph as a flowchart of Mermaid: containers are subgraphs, thick arrows notify.
///
/// # Errors
/// Fails if the writer does.
pub fn mermaid(graph: &Graph, out: &mut dyn Write) -> io::Result<()> {
    let tree = ContainmentTree::of(graph);
    writeln!(out, "flowchart TB")?;
    if let Some(left_out) = left_out(graph) {
        writeln!(out, "  %% {left_out}")?;
    }
    // Iterators over the rest of each open container: nesting takes no stack.
    let mut open: Vec<std::slice::Iter<usize>> = vec![tree.roots().iter()];
    while let Some(contents) = open.last_mut() {
        let Some(&index) = contents.next() else {
            open.pop();
            if !open.is_empty() {
                writeln!(out, "{}end", indent(open.len()))?;
            }
            continue;
        };
        let label = quoted(graph.label(NodeId(index)));
        let children = tree.children(index);
        let indent = indent(open.len());
        if children.is_empty() {
            writeln!(out, "{indent}n{index}[{label}]")?;
        } else {
            writeln!(out, "{indent}subgraph n{index}[{label}]")?;
            open.push(children.iter());
        }
    }
    for edge in graph.edges() {
        let (from, to) = (edge.from.0, edge.to.0);
        if tree.shows(edge) {
            continue;
        }
        // Mermaid cannot draw an arrow between a box and its contents.
        let (_, way, other_way) = tree.meet(from, to);
        if way.is_empty() || other_way.is_empty() {
            writeln!(out, "  %% {}", shown(&visible(&super::sentence(graph, edge))))?;
            continue;
        }
        let arrow = match edge.relation {
            EdgeKind::Contains => "-.-",
            EdgeKind::Before => "-->",
            EdgeKind::Notifies => "==>",
        };
        writeln!(out, "  n{from} {arrow} n{to}")?;
    }
    let mut is_marked = false;
    for (id, node) in graph.nodes() {
        let class = match node.mark {
            GraphMark::None => continue,
            GraphMark::Highlighted => "highlighted",
            GraphMark::Added => "added",
            GraphMark::Removed => "removed",
            GraphMark::Changed => "changed",
        };
        is_marked = true;
        writeln!(out, "  class n{} {class}", id.0)?;
    }
    if is_marked { write!(out, "{CLASSES}") } else { Ok(()) }
}

/// Deep nesting is not indented further.
fn indent(depth: usize) -> String {
    "  ".repeat(depth.min(20))
}

/// Returns a label quoted for Mermaid, with numeric entities after `#`. All characters with a meaning to Mermaid, or to
/// Markdown and HTML in labels, are written as entities.
fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in shown(&visible(text)).chars() {
        let is_plain =
            c.is_alphanumeric() || matches!(c, ' ' | '/' | '.' | ':' | '-' | '[' | ']' | '…' | '␣');
        if is_plain {
            quoted.push(c);
        } else {
            quoted.push_str(&format!("#{};", u32::from(c)));
        }
    }
    quoted.push('"');
    quoted
}
