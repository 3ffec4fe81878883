//! `Puppetfn::Graph`: catalogs as graphs.

use magnus::{Error, Module, Object, RArray, RModule, Ruby, function};
use puppetfn::catalog::{Catalog, DependencyCycle, GraphView, ShownEdges};
use puppetfn_cli::graph::{GraphFormat, draw};
use puppetfn_graph::Reach;

use crate::ruby::error::guarded;

fn wrong(ruby: &Ruby, problem: impl std::fmt::Display) -> Error {
    Error::new(ruby.exception_arg_error(), problem.to_string())
}

fn catalog(ruby: &Ruby, json: &str) -> Result<Catalog, Error> {
    Catalog::of_json(json).map_err(|problem| wrong(ruby, problem))
}

/// @yard
/// @def drawn(json, format, kind, around, depth, most)
/// @api private
/// @param json [String] a catalog
/// @param format [String] dot, mermaid, svg or html
/// @param kind [String] all, containment or dependencies
/// @param around [Array<String>] resources
/// @param depth [Integer]
/// @param most [Integer]
/// @return [String]
fn drawn(
    ruby: &Ruby,
    json: String,
    format: String,
    kind: String,
    around: Vec<String>,
    depth: usize,
    most: usize,
) -> Result<String, Error> {
    guarded(ruby, || {
        let format = match &*format {
            "dot" => GraphFormat::Dot,
            "mermaid" => GraphFormat::Mermaid,
            "svg" => GraphFormat::Svg,
            "html" => GraphFormat::Html,
            other => {
                return Err(wrong(ruby, format!("format: expected dot, mermaid, svg or html, got {other}")));
            }
        };
        let shown = match &*kind {
            "all" => ShownEdges::All,
            "containment" => ShownEdges::Containment,
            "dependencies" => ShownEdges::Dependencies,
            other => {
                let message = format!("kind: expected all, containment or dependencies, got {other}");
                return Err(wrong(ruby, message));
            }
        };
        let view = GraphView { shown, around, reach: Reach { steps: depth, most } };
        let graph = view.of(&catalog(ruby, &json)?.graph()).map_err(|problem| wrong(ruby, problem))?;
        draw(&graph, format).map_err(|problem| wrong(ruby, problem))
    })
}

/// @yard
/// @def found_cycles(json)
/// @api private
/// @param json [String] a catalog
/// @return [Array<Array<String>>]
fn found_cycles(ruby: &Ruby, json: String) -> Result<RArray, Error> {
    guarded(ruby, || {
        let cycles = catalog(ruby, &json)?.cycles();
        let names = |cycle: &DependencyCycle| cycle.resources.iter().map(ToString::to_string).collect();
        Ok(lists(ruby, cycles.iter().map(names)))
    })
}

/// @yard
/// @def found_cycle_edges(json)
/// @api private
/// @param json [String] a catalog
/// @return [Array<Array<String>>]
fn found_cycle_edges(ruby: &Ruby, json: String) -> Result<RArray, Error> {
    guarded(ruby, || Ok(edges(ruby, &catalog(ruby, &json)?.cycles())))
}

/// Returns the edges of each cycle, in sentences.
pub fn edges(ruby: &Ruby, cycles: &[DependencyCycle]) -> RArray {
    let sentences = |cycle: &DependencyCycle| cycle.edges.iter().map(ToString::to_string).collect();
    lists(ruby, cycles.iter().map(sentences))
}

fn lists(ruby: &Ruby, lists: impl Iterator<Item = Vec<String>>) -> RArray {
    ruby.ary_from_iter(lists.map(|list| ruby.ary_from_iter(list)))
}

/// Defines the module.
pub fn init(puppetfn: RModule) -> Result<(), Error> {
    let graph = puppetfn.define_module("Graph")?;
    graph.define_singleton_method("drawn", function!(drawn, 6))?;
    graph.define_singleton_method("found_cycles", function!(found_cycles, 1))?;
    graph.define_singleton_method("found_cycle_edges", function!(found_cycle_edges, 1))
}
