//! `Puppetfn::Digraph`: which objects come before which.

use std::cell::{OnceCell, RefCell};
use std::collections::HashMap;

use indexmap::IndexMap;
use magnus::gc::Marker;
use magnus::rb_sys::AsRawValue;
use magnus::value::Opaque;
use magnus::{
    DataTypeFunctions, Error, Module, Object, RArray, RModule, Ruby, TryConvert, TypedData, Value, function,
    method,
};
use petgraph::algo::kosaraju_scc;
use petgraph::graph::DiGraph;

use crate::ruby::classes::define_class;
use crate::ruby::error::guarded;

/// A directed graph of Ruby's objects, distinguished by identity. An edge has a list of labels, because two objects may be
/// related in several ways.
#[derive(Default, TypedData)]
#[magnus(class = "Puppetfn::Digraph", free_immediately, mark)]
struct Digraph {
    graph: RefCell<DigraphState>,
}

impl DataTypeFunctions for Digraph {
    // Marked this way, objects are not moved: their address is their identity.
    fn mark(&self, marker: &Marker) {
        for vertex in self.graph.borrow().vertices.iter().flatten() {
            marker.mark(vertex.object);
            vertex.following.values().for_each(|labels| marker.mark(*labels));
        }
    }
}

/// The place of a vertex in the order in which the vertices were added.
type VertexIndex = usize;

#[derive(Default)]
struct DigraphState {
    places: HashMap<u64, VertexIndex>,
    /// Nothing where a vertex was taken away.
    vertices: Vec<Option<Vertex>>,
    /// The vertices right before each one, once they were asked for.
    preceding: OnceCell<Vec<Vec<VertexIndex>>>,
}

struct Vertex {
    object: Opaque<Value>,
    /// The labels of the edges to other vertices.
    following: IndexMap<VertexIndex, Opaque<RArray>>,
}

impl DigraphState {
    fn place(&self, object: Value) -> Option<VertexIndex> {
        self.places.get(&identity(object)).copied()
    }

    fn add(&mut self, object: Value) -> VertexIndex {
        self.preceding.take();
        let next = self.vertices.len();
        let place = *self.places.entry(identity(object)).or_insert(next);
        if place == next {
            self.vertices.push(Some(Vertex { object: object.into(), following: IndexMap::new() }));
        }
        place
    }

    fn following(&self, place: VertexIndex) -> impl Iterator<Item = VertexIndex> {
        self.vertices.get(place).into_iter().flatten().flat_map(|vertex| vertex.following.keys().copied())
    }

    fn is_edge(&self, source: VertexIndex, target: VertexIndex) -> bool {
        matches!(self.vertices.get(source), Some(Some(vertex)) if vertex.following.contains_key(&target))
    }

    /// Returns the places of all vertices.
    fn places(&self) -> impl Iterator<Item = VertexIndex> {
        (0..).zip(&self.vertices).filter(|(_, vertex)| vertex.is_some()).map(|(place, _)| place)
    }

    fn edges(&self) -> impl Iterator<Item = (VertexIndex, VertexIndex)> {
        self.places().flat_map(|source| self.following(source).map(move |target| (source, target)))
    }

    fn object(&self, ruby: &Ruby, place: VertexIndex) -> Option<Value> {
        self.vertices.get(place)?.as_ref().map(|vertex| ruby.get_inner(vertex.object))
    }

    fn objects(&self, ruby: &Ruby, places: impl IntoIterator<Item = VertexIndex>) -> RArray {
        ruby.ary_from_iter(places.into_iter().filter_map(|place| self.object(ruby, place)))
    }

    fn preceding(&self, place: VertexIndex) -> &[VertexIndex] {
        let preceding = self.preceding.get_or_init(|| {
            let mut preceding = vec![Vec::new(); self.vertices.len()];
            for (source, target) in self.edges() {
                if let Some(sources) = preceding.get_mut(target) {
                    sources.push(source);
                }
            }
            preceding
        });
        preceding.get(place).map_or(&[], Vec::as_slice)
    }

    fn labels(&self, source: VertexIndex, target: VertexIndex) -> Option<Opaque<RArray>> {
        self.vertices.get(source)?.as_ref()?.following.get(&target).copied()
    }

    fn set_labels(&mut self, source: VertexIndex, target: VertexIndex, labels: RArray) {
        self.preceding.take();
        if let Some(Some(vertex)) = self.vertices.get_mut(source) {
            vertex.following.insert(target, labels.into());
        }
    }

    fn disconnect(&mut self, source: VertexIndex, target: VertexIndex) -> Option<Opaque<RArray>> {
        self.preceding.take();
        self.vertices.get_mut(source)?.as_mut()?.following.shift_remove(&target)
    }

    fn remove(&mut self, object: Value) {
        self.preceding.take();
        if let Some(vertex) =
            self.places.remove(&identity(object)).and_then(|place| self.vertices.get_mut(place))
        {
            *vertex = None;
        }
    }
}

/// Returns the identity of an object that is not moved.
fn identity(object: Value) -> u64 {
    object.as_raw()
}

impl Digraph {
    /// Returns the places of two vertices, which are added if they are not there.
    fn places(&self, source: Value, target: Value) -> (VertexIndex, VertexIndex) {
        let mut graph = self.graph.borrow_mut();
        (graph.add(source), graph.add(target))
    }

    /// Ruby may collect garbage when it joins two lists, and reads the graph then.
    fn add_labels(&self, ruby: &Ruby, source: VertexIndex, target: VertexIndex, labels: RArray) {
        let known = self.graph.borrow().labels(source, target);
        let labels = known.map_or(labels, |known| ruby.get_inner(known).plus(labels));
        self.graph.borrow_mut().set_labels(source, target, labels);
    }

    /// @yard
    /// @return [Puppetfn::Digraph] without vertices
    fn new() -> Self {
        Self::default()
    }

    /// @yard
    /// @def add(vertex)
    /// @param vertex [Object] counts once
    fn add(ruby: &Ruby, this: &Self, vertex: Value) {
        let _ = ruby;
        this.graph.borrow_mut().add(vertex);
    }

    /// @yard
    /// @def connect(source, target, labels)
    /// @param source [Object]
    /// @param target [Object]
    /// @param labels [Array<Object>] more labels of the edge between the two
    fn connect(ruby: &Ruby, this: &Self, source: Value, target: Value, labels: RArray) {
        let (source, target) = this.places(source, target);
        this.add_labels(ruby, source, target, labels);
    }

    /// @yard
    /// @def relate(source, target, labels)
    /// Connects two vertices, unless an edge in either direction does.
    /// @param source [Object]
    /// @param target [Object]
    /// @param labels [Array<Object>]
    fn relate(ruby: &Ruby, this: &Self, source: Value, target: Value, labels: RArray) {
        let _ = ruby;
        let (source, target) = this.places(source, target);
        let mut graph = this.graph.borrow_mut();
        if !graph.is_edge(source, target) && !graph.is_edge(target, source) {
            graph.set_labels(source, target, labels);
        }
    }

    /// @yard
    /// @def redirect(ends)
    /// Replaces vertices by two each: edges into a vertex lead to its first one, edges out of it come from its last one.
    /// @param ends [Array<Array(Object, Object, Object)>] each vertex with its first and last one
    fn redirect(ruby: &Ruby, this: &Self, ends: RArray) -> Result<(), Error> {
        guarded(ruby, || {
            let mut ends_of = HashMap::new();
            for entry in ends {
                let [vertex, first, last] = <[Value; 3]>::try_convert(entry)?;
                let ((first, last), (vertex, _)) = (this.places(first, last), this.places(vertex, vertex));
                ends_of.insert(vertex, (first, last));
            }
            let is_moved = |edge: &(VertexIndex, VertexIndex)| {
                ends_of.contains_key(&edge.0) || ends_of.contains_key(&edge.1)
            };
            let moved: Vec<(VertexIndex, VertexIndex)> =
                this.graph.borrow().edges().filter(is_moved).collect();
            for (source, target) in moved {
                let Some(labels) = this.graph.borrow_mut().disconnect(source, target) else { continue };
                let source = ends_of.get(&source).map_or(source, |(_, last)| *last);
                let target = ends_of.get(&target).map_or(target, |(first, _)| *first);
                this.add_labels(ruby, source, target, ruby.get_inner(labels));
            }
            Ok(())
        })
    }

    /// @yard
    /// @def delete(vertex)
    /// @param vertex [Object] one that no edge leads to
    fn delete(ruby: &Ruby, this: &Self, vertex: Value) {
        let _ = ruby;
        this.graph.borrow_mut().remove(vertex);
    }

    /// @yard
    /// @return [Array<Object>] in the order in which they were added
    fn vertices(ruby: &Ruby, this: &Self) -> RArray {
        let graph = this.graph.borrow();
        graph.objects(ruby, graph.places())
    }

    /// @yard
    /// @return [Array<Array(Object, Object, Array<Object>)>] source, target and labels of each
    fn edges(ruby: &Ruby, this: &Self) -> Result<RArray, Error> {
        guarded(ruby, || {
            let graph = this.graph.borrow();
            let found = ruby.ary_new();
            for vertex in graph.vertices.iter().flatten() {
                for (target, labels) in &vertex.following {
                    let edge = ruby.ary_new_capa(3);
                    edge.push(ruby.get_inner(vertex.object))?;
                    edge.push(graph.object(ruby, *target))?;
                    edge.push(ruby.get_inner(*labels))?;
                    found.push(edge)?;
                }
            }
            Ok(found)
        })
    }

    /// @yard
    /// @def vertex?(vertex)
    /// @param vertex [Object]
    /// @return [Boolean]
    fn is_vertex(ruby: &Ruby, this: &Self, vertex: Value) -> bool {
        let _ = ruby;
        this.graph.borrow().place(vertex).is_some()
    }

    /// @yard
    /// @def edge?(source, target)
    /// @param source [Object]
    /// @param target [Object]
    /// @return [Boolean]
    fn is_edge(ruby: &Ruby, this: &Self, source: Value, target: Value) -> bool {
        let _ = ruby;
        let graph = this.graph.borrow();
        match (graph.place(source), graph.place(target)) {
            (Some(source), Some(target)) => graph.is_edge(source, target),
            _ => false,
        }
    }

    /// @yard
    /// @def successors(vertex)
    /// @param vertex [Object]
    /// @return [Array<Object>] the direct successors
    fn successors(ruby: &Ruby, this: &Self, vertex: Value) -> RArray {
        let graph = this.graph.borrow();
        graph.objects(ruby, graph.place(vertex).into_iter().flat_map(|place| graph.following(place)))
    }

    /// @yard
    /// @def predecessors(vertex)
    /// @param vertex [Object]
    /// @return [Array<Object>] the direct predecessors
    fn predecessors(ruby: &Ruby, this: &Self, vertex: Value) -> RArray {
        let graph = this.graph.borrow();
        graph.objects(ruby, graph.place(vertex).into_iter().flat_map(|place| graph.preceding(place)).copied())
    }

    /// @yard
    /// @def descendants(vertex)
    /// @param vertex [Object]
    /// @return [Array<Object>] all that come after it
    fn descendants(ruby: &Ruby, this: &Self, vertex: Value) -> RArray {
        let graph = this.graph.borrow();
        let following = |place| graph.following(place).collect();
        graph.objects(ruby, reach(graph.place(vertex), following))
    }

    /// @yard
    /// @def ancestors(vertex)
    /// @param vertex [Object]
    /// @return [Array<Object>] all that come before it
    fn ancestors(ruby: &Ruby, this: &Self, vertex: Value) -> RArray {
        let graph = this.graph.borrow();
        graph.objects(ruby, reach(graph.place(vertex), |place| graph.preceding(place).to_vec()))
    }

    /// @yard
    /// @return [Array<Array<Object>>] the strongly connected groups of vertices: in each, every vertex comes before all others
    fn cycles(ruby: &Ruby, this: &Self) -> Result<RArray, Error> {
        guarded(ruby, || {
            let graph = this.graph.borrow();
            let mut whole: DiGraph<(), (), usize> = DiGraph::default();
            graph.vertices.iter().for_each(|_| _ = whole.add_node(()));
            whole.extend_with_edges(graph.edges());
            let found = ruby.ary_new();
            for group in kosaraju_scc(&whole) {
                let [first, ..] = group[..] else { continue };
                if group.len() > 1 || graph.is_edge(first.index(), first.index()) {
                    found.push(graph.objects(ruby, group.into_iter().map(|vertex| vertex.index())))?;
                }
            }
            Ok(found)
        })
    }
}

/// Returns the vertices that are reachable from a vertex in one or more steps, each once.
fn reach(start: Option<VertexIndex>, steps: impl Fn(VertexIndex) -> Vec<VertexIndex>) -> Vec<VertexIndex> {
    let mut waiting = start.map(&steps).unwrap_or_default();
    let mut found = indexmap::IndexSet::new();
    while let Some(place) = waiting.pop() {
        if found.insert(place) {
            waiting.extend(steps(place));
        }
    }
    found.into_iter().collect()
}

/// Defines the class.
pub fn init(ruby: &Ruby, puppetfn: RModule) -> Result<(), Error> {
    let class = define_class::<Digraph>(ruby, puppetfn, "Digraph", ruby.class_object())?;
    class.define_singleton_method("new", function!(Digraph::new, 0))?;
    class.define_method("add", method!(Digraph::add, 1))?;
    class.define_method("connect", method!(Digraph::connect, 3))?;
    class.define_method("relate", method!(Digraph::relate, 3))?;
    class.define_method("redirect", method!(Digraph::redirect, 1))?;
    class.define_method("delete", method!(Digraph::delete, 1))?;
    class.define_method("vertices", method!(Digraph::vertices, 0))?;
    class.define_method("edges", method!(Digraph::edges, 0))?;
    class.define_method("vertex?", method!(Digraph::is_vertex, 1))?;
    class.define_method("edge?", method!(Digraph::is_edge, 2))?;
    class.define_method("successors", method!(Digraph::successors, 1))?;
    class.define_method("predecessors", method!(Digraph::predecessors, 1))?;
    class.define_method("descendants", method!(Digraph::descendants, 1))?;
    class.define_method("ancestors", method!(Digraph::ancestors, 1))?;
    class.define_method("cycles", method!(Digraph::cycles, 0))
}
