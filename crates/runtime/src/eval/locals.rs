//! The names of variables that have slots, for functions that look variables up by name.

use super::code::Slot;

/// The functions and lambdas of a text with their variables, in the order in which they begin.
#[derive(Default, Debug)]
pub(super) struct Locals(Vec<LocalsLayer>);

/// A function or lambda, or the body of a class or defined type.
#[derive(Debug)]
struct LocalsLayer {
    start: u32,
    end: u32,
    /// The layer around it, of which a lambda sees the variables.
    outer: Option<usize>,
    slots: Vec<(Box<str>, Slot)>,
    is_body: bool,
}

impl Locals {
    /// Adds a function or lambda whose code begins at an offset. It has an end and variables when it
    /// is left.
    pub fn enter(&mut self, start: u32, outer: Option<usize>) -> usize {
        self.add(LocalsLayer { start, end: u32::MAX, outer, slots: Vec::new(), is_body: false })
    }

    /// Adds the body of a class or defined type, in the same way.
    pub fn enter_body(&mut self, start: u32) -> usize {
        self.add(LocalsLayer { start, end: u32::MAX, outer: None, slots: Vec::new(), is_body: true })
    }

    fn add(&mut self, layer: LocalsLayer) -> usize {
        self.0.push(layer);
        self.0.len().saturating_sub(1)
    }

    pub fn leave(&mut self, layer: usize, end: u32, slots: Vec<(Box<str>, Slot)>) {
        if let Some(layer) = self.0.get_mut(layer) {
            layer.end = end;
            layer.slots = slots;
        }
    }

    /// Returns the slots that a variable of this name may be in at an offset, the innermost first.
    pub fn in_sight<'l>(&'l self, name: &'l str, at: u32) -> impl Iterator<Item = Slot> + 'l {
        let layers = self.around(at);
        layers.filter_map(move |layer| {
            layer.slots.iter().find(|(known, _)| **known == *name).map(|(_, slot)| *slot)
        })
    }

    /// Returns the names of all variables that may have a value at an offset.
    pub fn names_in_sight(&self, at: u32) -> impl Iterator<Item = &str> {
        self.around(at).flat_map(|layer| layer.slots.iter().map(|(name, _)| &**name))
    }

    /// Returns true if a function or lambda is around an offset.
    pub fn is_inside(&self, at: u32) -> bool {
        self.around(at).any(|layer| !layer.is_body)
    }

    /// Returns the function, lambdas and bodies around an offset.
    fn around(&self, at: u32) -> impl Iterator<Item = &LocalsLayer> {
        let mut next = self.0.partition_point(|layer| layer.start <= at).checked_sub(1);
        std::iter::from_fn(move || {
            let layer = self.0.get(next?)?;
            next = layer.outer;
            Some(layer)
        })
        .filter(move |layer| at < layer.end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_are_those_of_the_code_around() {
        let mut locals = Locals::default();
        let function = locals.enter(10, None);
        let first = locals.enter(20, Some(function));
        locals.leave(first, 30, vec![("a".into(), 1)]);
        let second = locals.enter(40, Some(function));
        locals.leave(second, 50, vec![("a".into(), 2), ("b".into(), 3)]);
        locals.leave(function, 60, vec![("a".into(), 0)]);
        for (name, at, slots) in [
            ("a", 5, vec![]),
            ("a", 15, vec![0]),
            ("a", 25, vec![1, 0]),
            ("a", 35, vec![0]),
            ("a", 45, vec![2, 0]),
            ("b", 45, vec![3]),
            ("a", 55, vec![0]),
            ("a", 65, vec![]),
        ] {
            assert_eq!(locals.in_sight(name, at).collect::<Vec<_>>(), slots, "{name} at {at}");
        }
    }

    #[test]
    fn only_functions_and_lambdas_have_variables_of_their_own() {
        let mut locals = Locals::default();
        let class = locals.enter_body(10);
        let lambda = locals.enter(20, Some(class));
        locals.leave(lambda, 30, Vec::new());
        locals.leave(class, 40, Vec::new());
        assert_eq!([5, 15, 25, 35].map(|at| locals.is_inside(at)), [false, false, true, false]);
    }
}
