//! The language of Graphviz.

use std::io::{self, Write};

use super::{left_out, visible};
use crate::graph::{EdgeKind, Graph, GraphMark};

/// Writes the graph in Graphviz's language: containment as grey lines, order as arrows.
///
/// # Errors
/// Fails if the writer does.
pub fn dot(graph: &Graph, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "digraph {} {{", quoted(graph.title()))?;
    if let Some(left_out) = left_out(graph) {
        writeln!(out, "  label={};", quoted(&left_out))?;
    }
    writeln!(out, "  node [shape=box];")?;
    for (_, node) in graph.nodes() {
        let style = match node.mark {
            GraphMark::None => String::new(),
            GraphMark::Highlighted => " [penwidth=2]".to_owned(),
            GraphMark::Added | GraphMark::Removed | GraphMark::Changed => {
                format!(" [color={}]", colour(node.mark))
            }
        };
        writeln!(out, "  {}{style};", quoted(&node.label))?;
    }
    let (containing, coming_before): (Vec<_>, Vec<_>) =
        graph.edges().iter().partition(|edge| edge.relation == EdgeKind::Contains);
    for edge in containing.into_iter().chain(coming_before) {
        let (from, to) = (quoted(graph.label(edge.from)), quoted(graph.label(edge.to)));
        let mut attributes = match edge.relation {
            EdgeKind::Contains => vec![format!("color={}", colour(edge.mark)), "arrowhead=none".to_owned()],
            EdgeKind::Before | EdgeKind::Notifies if edge.mark == GraphMark::None => Vec::new(),
            EdgeKind::Before | EdgeKind::Notifies => vec![format!("color={}", colour(edge.mark))],
        };
        if edge.relation == EdgeKind::Notifies {
            attributes.push("label=notify".to_owned());
        }
        let attributes =
            if attributes.is_empty() { String::new() } else { format!(" [{}]", attributes.join(", ")) };
        writeln!(out, "  {from} -> {to}{attributes};")?;
    }
    writeln!(out, "}}")
}

fn colour(mark: GraphMark) -> &'static str {
    match mark {
        GraphMark::None => "grey",
        GraphMark::Highlighted => "black",
        GraphMark::Added => "green",
        GraphMark::Removed => "red",
        GraphMark::Changed => "orange",
    }
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", visible(text).replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n"))
}
