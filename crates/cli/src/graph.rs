//! `puppetfn graph`: catalogs as graphs, also for programs that have a command line of their own.
#![allow(clippy::disallowed_methods, reason = "the user names these files")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Write};
use std::path::Path;

use puppetfn_base::error::{Error, ErrorKind};
use puppetfn_catalog::{Catalog, DependencyCycle, GraphView, ShownEdges};
use puppetfn_graph::{Edge, EdgeKind, Graph, GraphMark, GraphNode, NodeId, Reach, TooLarge, render};

pub use super::args::graph::GraphFormat;
use super::args::graph::{GraphArgs, GraphKind};
use super::{Automatic, CommandFailure, CommandHost, FAILED, OK, compile, complain};

pub(super) fn run(
    arguments: &GraphArgs,
    host: &mut dyn CommandHost,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Result<i32, CommandFailure> {
    let given = &arguments.given;
    let (catalog, automatic, cycles) = match (&arguments.catalog, &arguments.node) {
        (Some(path), _) => {
            let catalog = read_file(path)?;
            let cycles = if arguments.cycles { catalog.cycles() } else { Vec::new() };
            let texts = cycles.iter().map(ToString::to_string).collect();
            (catalog, Vec::new(), FoundCycles { cycles, texts })
        }
        (None, Some(node)) => {
            let configuration = given.configuration()?;
            let facts = given.settings.facts(&configuration, node);
            match compile::catalog(&configuration, &facts, node, true, host, err)? {
                Some(made) => {
                    let mut log = Vec::new();
                    let catalog = made.finish(&mut log);
                    compile::report(&log, err);
                    let cycles = if arguments.cycles { made.cycles() } else { Vec::new() };
                    let texts = made.options.cycle_texts(&cycles);
                    (catalog?, made.automatic, FoundCycles { cycles, texts })
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
        let FoundCycles { cycles, texts } = cycles;
        if cycles.is_empty() {
            complain(err, "no cycles");
            return Ok(OK);
        }
        texts.iter().for_each(|text| complain(err, text));
        let names: BTreeSet<String> =
            cycles.iter().flat_map(|cycle| &cycle.resources).map(ToString::to_string).collect();
        let is_named = |(_, node): &(NodeId, &GraphNode)| names.contains(&node.label);
        let members: BTreeSet<NodeId> = graph.nodes().filter(is_named).map(|(id, _)| id).collect();
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

/// The dependency cycles of a catalog, and their texts.
struct FoundCycles {
    cycles: Vec<DependencyCycle>,
    texts: Vec<String>,
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
