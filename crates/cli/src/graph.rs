//! `puppetfn graph`: catalogs as graphs, also for programs that have a command line of their own.
#![allow(clippy::disallowed_methods, reason = "the user names these files")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Write};
use std::path::Path;

use puppetfn_base::error::{Error, ErrorKind};
use puppetfn_catalog::{Catalog, GraphView, ShownEdges};
use puppetfn_compile::FactSource;
use puppetfn_graph::{Edge, EdgeKind, Graph, GraphMark, NodeId, Reach, TooLarge, render};

pub use super::args::graph::GraphFormat;
use super::args::graph::{GraphArgs, GraphKind};
use super::{Automatic, CommandFailure, CommandHost, FAILED, OK, compile, complain};

/// The number of a cycle's members that are named.
const NAMED: usize = 10;

pub(super) fn run(
    arguments: &GraphArgs,
    host: &mut dyn CommandHost,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Result<i32, CommandFailure> {
    let given = &arguments.given;
    let facts = FactSource::of_file(given.settings.facts.as_deref());
    let (catalog, automatic) = match (&arguments.catalog, &arguments.node) {
        (Some(path), _) => (read_file(path)?, Vec::new()),
        (None, Some(node)) => {
            match compile::catalog(&given.configuration(), &facts, node, true, host, err)? {
                Some(made) => {
                    let mut log = Vec::new();
                    let catalog = made.finish(&mut log);
                    compile::report(&log, err);
                    (catalog?, made.automatic)
                }
                None => return Ok(FAILED),
            }
        }
        (None, None) => {
            return Err(CommandFailure::Usage("expected the name of a node, or --catalog".to_owned()));
        }
    };
    let mut graph = catalog.graph();
    relate(&mut graph, &automatic);
    let mut code = OK;
    if arguments.cycles {
        let cycles = graph.cycles();
        if cycles.is_empty() {
            complain(err, "no cycles");
            return Ok(OK);
        }
        cycles.iter().for_each(|cycle| complain(err, &said(&graph, cycle)));
        let members: BTreeSet<NodeId> = cycles.into_iter().flatten().collect();
        graph = graph.part(|id| members.contains(&id), |_| true);
        code = FAILED;
    }
    let graph = arguments
        .view()
        .of(&graph)
        .map_err(|problem| CommandFailure::Usage(format!("--around: {problem}")))?;
    write(&graph, arguments, out)?;
    Ok(code)
}

fn read_file(path: &Path) -> Result<Catalog, CommandFailure> {
    let name = path.display().to_string();
    let file =
        File::open(path).map_err(|error| CommandFailure::Usage(format!("--catalog: {name}: {error}")))?;
    Catalog::of_reader(BufReader::new(file))
        .map_err(|error| CommandFailure::Usage(format!("--catalog: {}", error.in_file(&name))))
}

/// Adds the relationships that types establish by themselves.
fn relate(graph: &mut Graph, automatic: &[Automatic]) {
    let ids: BTreeMap<String, NodeId> = graph.nodes().map(|(id, node)| (node.label.clone(), id)).collect();
    for found in automatic {
        let [from, to] = [&found.first, &found.second].map(|end| ids.get(&end.to_string()).copied());
        if let (Some(from), Some(to)) = (from, to) {
            let relation = if found.notifies() { EdgeKind::Notifies } else { EdgeKind::Before };
            let note = Some(format!("{} of {}", found.kind, found.said_by()));
            graph.add_edge(Edge { from, to, relation, mark: GraphMark::None, note });
        }
    }
}

impl GraphArgs {
    fn view(&self) -> GraphView {
        GraphView {
            shown: match self.kind {
                GraphKind::All => ShownEdges::All,
                GraphKind::Containment => ShownEdges::Containment,
                GraphKind::Dependencies => ShownEdges::Dependencies,
            },
            around: self.around.clone(),
            reach: Reach { steps: self.depth, most: self.most },
        }
    }
}

/// Returns the members of a cycle, in a sentence.
fn said(graph: &Graph, cycle: &[NodeId]) -> String {
    let label = |id: &NodeId| graph.node(*id).map(|node| node.label.clone());
    let members: Vec<String> = cycle.iter().take(NAMED).filter_map(label).collect();
    let more = match cycle.len().saturating_sub(NAMED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    format!("Found a dependency cycle of {} resources: {}{more}", cycle.len(), members.join(", "))
}

/// Returns the groups of resources that come before themselves, by their names.
pub fn cycles(graph: &Graph) -> Vec<Vec<String>> {
    let label = |id: &NodeId| graph.node(*id).map(|node| node.label.clone());
    graph.cycles().iter().map(|cycle| cycle.iter().filter_map(label).collect()).collect()
}

/// Draws a graph.
///
/// # Errors
/// Fails if the graph is too large for a picture. The message names the options that help.
pub fn draw(graph: &Graph, format: GraphFormat) -> Result<String, String> {
    let too_large = |error: TooLarge| {
        format!("{error}; --around and --depth draw a part of it, --format dot and mermaid have no limit")
    };
    let text = |write: fn(&Graph, &mut dyn Write) -> io::Result<()>| {
        let mut text = Vec::new();
        write(graph, &mut text).map_err(|error| error.to_string())?;
        Ok(String::from_utf8_lossy(&text).into_owned())
    };
    match format {
        GraphFormat::Dot => text(render::dot),
        GraphFormat::Mermaid => text(render::mermaid),
        GraphFormat::Svg => render::svg(graph).map(|drawn| drawn + "\n").map_err(too_large),
        GraphFormat::Html => render::html(graph).map(|drawn| drawn + "\n").map_err(too_large),
    }
}

/// Writes the graph to standard output or to a file.
fn write(graph: &Graph, arguments: &GraphArgs, out: &mut dyn Write) -> Result<(), CommandFailure> {
    let drawn = draw(graph, arguments.format)
        .map_err(|message| CommandFailure::Function(Error::new(ErrorKind::Limit, message)))?;
    let Some(path) = &arguments.out else {
        return Ok(out.write_all(drawn.as_bytes())?);
    };
    let unwritable = |error: io::Error| CommandFailure::Usage(format!("--out: {}: {error}", path.display()));
    let mut file = BufWriter::new(File::create(path).map_err(unwritable)?);
    file.write_all(drawn.as_bytes()).and_then(|()| file.flush()).map_err(unwritable)
}
