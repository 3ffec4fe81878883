//! Degenerate and huge graphs: they are drawn in bounded time, or refused with a clear message.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic)]

use std::time::{Duration, Instant};

use puppetfn_graph::{
    Edge, EdgeKind, Graph, GraphMark, GraphNode, MOST_NODES, NodeId, NodeKind, Reach, render,
};
use quick_xml::Reader;
use quick_xml::events::Event;

const RELATIONS: [EdgeKind; 3] = [EdgeKind::Contains, EdgeKind::Before, EdgeKind::Notifies];

/// A reproducible random number generator.
struct RandomNumbers(u64);

impl RandomNumbers {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % end
    }
}

fn resources(count: usize) -> (Graph, Vec<NodeId>) {
    let mut graph = Graph::new("web1");
    let ids = (0..count)
        .map(|at| graph.add_node(GraphNode::new(format!("File[/{at}]"), NodeKind::Resource)))
        .collect();
    (graph, ids)
}

/// Returns the picture, which is XML.
fn drawn(graph: &Graph) -> String {
    let started = Instant::now();
    let svg = render::svg(graph).unwrap();
    assert!(started.elapsed() < Duration::from_secs(20), "{:?}", started.elapsed());
    let mut reader = Reader::from_str(&svg);
    while reader.read_event().unwrap() != Event::Eof {}
    assert!(!svg.contains(|c: char| c.is_control() && c != '\n'));
    assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
    svg
}

fn texts(graph: &Graph) -> [String; 2] {
    let (mut dot, mut mermaid) = (Vec::new(), Vec::new());
    render::dot(graph, &mut dot).unwrap();
    render::mermaid(graph, &mut mermaid).unwrap();
    [dot, mermaid].map(|text| String::from_utf8(text).unwrap())
}

#[test]
fn any_graph_is_drawn() {
    let mut numbers = RandomNumbers(1);
    for _ in 0..300 {
        let (mut graph, ids) = resources(1 + numbers.below(30));
        for _ in 0..numbers.below(80) {
            let (from, to) = (ids[numbers.below(ids.len())], ids[numbers.below(ids.len())]);
            graph.connect(from, to, RELATIONS[numbers.below(3)]);
        }
        assert_eq!(drawn(&graph), drawn(&graph.clone()));
        texts(&graph);
        graph.cycles();
        let part = graph.neighbourhood(&ids[..1], Reach { steps: numbers.below(4), most: numbers.below(20) });
        drawn(&part);
    }
}

#[test]
fn nothing_is_drawn_over_something_else() {
    let mut numbers = RandomNumbers(7);
    for _ in 0..100 {
        let (mut graph, ids) = resources(25);
        for at in 1..25 {
            if numbers.below(3) > 0 {
                graph.connect(ids[numbers.below(at)], ids[at], EdgeKind::Contains);
            }
        }
        for _ in 0..20 {
            graph.connect(ids[numbers.below(25)], ids[numbers.below(25)], EdgeKind::Before);
        }
        let svg = drawn(&graph);
        let number = |text: &str, name: &str| -> f64 {
            let rest = text.split(&format!(" {name}=\"")).nth(1).unwrap();
            rest.split('"').next().unwrap().parse().unwrap()
        };
        let boxes: Vec<[f64; 4]> = svg
            .split("<rect")
            .skip(1)
            .map(|text| {
                let [x, y, width, height] = ["x", "y", "width", "height"].map(|name| number(text, name));
                [x, y, x + width, y + height]
            })
            .collect();
        assert_eq!(boxes.len(), 25);
        for (at, one) in boxes.iter().enumerate() {
            for other in &boxes[..at] {
                let is_apart =
                    one[2] < other[0] || other[2] < one[0] || one[3] < other[1] || other[3] < one[1];
                let is_in =
                    |a: &[f64; 4], b: &[f64; 4]| a[0] > b[0] && a[1] > b[1] && a[2] < b[2] && a[3] < b[3];
                assert!(is_apart || is_in(one, other) || is_in(other, one), "{one:?} {other:?}\n{svg}");
            }
        }
    }
}

#[test]
fn names_are_nothing_but_names() {
    let names = [
        "Notify[<script>alert(1)</script>]".to_owned(),
        "Exec[\"a\" & 'b' \\ `c`]".to_owned(),
        "Exec[a\nb\u{0}\u{1b}[31m]".to_owned(),
        "end\nclick n0 \"javascript:alert(1)\"".to_owned(),
        "]]>--><!--#quot;%%{init}%%".to_owned(),
        "文件 \u{202e}𝒳\u{ffff}".to_owned(),
        "x".repeat(1_000_000),
        String::new(),
    ];
    let mut graph = Graph::new("<script>");
    let ids: Vec<NodeId> = names
        .iter()
        .map(|name| {
            let mut node = GraphNode::new(name.clone(), NodeKind::Class);
            node.note = Some(name.clone());
            graph.add_node(node)
        })
        .collect();
    for pair in ids.windows(2) {
        let note = Some(names[0].clone());
        graph.add_edge(Edge {
            from: pair[0],
            to: pair[1],
            relation: EdgeKind::Before,
            mark: GraphMark::Added,
            note,
        });
    }
    assert!(!drawn(&graph).contains("<script>"));
    assert!(!render::html(&graph).unwrap().contains("<script>alert"));
    let [dot, mermaid] = texts(&graph);
    assert!(mermaid.lines().all(|line| line.len() < 1_000 && !line.contains("click n0 \"")), "{mermaid}");
    assert_eq!(dot.lines().filter(|line| line.contains("\" -> \"")).count(), 7, "a name is on one line");
}

#[test]
fn large_graphs_are_drawn_or_refused() {
    let (mut graph, ids) = resources(MOST_NODES);
    let mut numbers = RandomNumbers(3);
    for at in 1..ids.len() {
        graph.connect(ids[numbers.below(at.min(60))], ids[at], EdgeKind::Contains);
        graph.connect(ids[numbers.below(at)], ids[at], EdgeKind::Before);
    }
    drawn(&graph);

    let (mut graph, ids) = resources(MOST_NODES);
    ids.windows(2).for_each(|pair| graph.connect(pair[0], pair[1], EdgeKind::Contains));
    graph.connect(ids[ids.len() - 1], ids[0], EdgeKind::Before);
    drawn(&graph);

    let (mut graph, ids) = resources(MOST_NODES);
    ids.windows(2).for_each(|pair| graph.connect(pair[0], pair[1], EdgeKind::Before));
    for at in (0..700).rev() {
        graph.connect(ids[at], ids[ids.len() - 1 - at], EdgeKind::Notifies);
    }
    if let Err(error) = render::svg(&graph) {
        assert!(error.to_string().contains("too large to be drawn"), "{error}");
    }

    let (mut graph, ids) = resources(10_000);
    ids.windows(2).for_each(|pair| graph.connect(pair[0], pair[1], EdgeKind::Contains));
    let error = render::svg(&graph).unwrap_err().to_string();
    assert!(error.contains("a graph of 10000 nodes and 9999 edges is too large"), "{error}");
    texts(&graph);
    assert!(graph.cycles().is_empty());
    let part = graph.neighbourhood(&ids[..1], Reach { steps: 10_000, most: 100 });
    assert_eq!((part.nodes().len(), part.left_out()), (100, 9_900));
}
