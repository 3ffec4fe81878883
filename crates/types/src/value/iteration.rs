//! Lazy iterations over other values.
//!
//! See Puppet's `pops/types/iterable.rb`.

use std::hash::{Hash, Hasher};
use std::sync::atomic::{AtomicBool, Ordering};

use super::extent::Extent;
use super::tree::{TreeIterator, TreeOptions};
use super::{Elements, Value};
use crate::value::types::Type;
use puppetfn_base::error::Error;
use puppetfn_base::limits::Limits;

/// A lazy iteration over the elements of a value.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Iteration {
    source: Value,
    order: IterationOrder,
    element: Type,
    begun: BegunFlag,
}

/// Whether an iteration has begun before. It does not distinguish iterations.
#[derive(Default, Debug)]
struct BegunFlag(AtomicBool);

impl Clone for BegunFlag {
    fn clone(&self) -> Self {
        Self(AtomicBool::new(self.0.load(Ordering::Relaxed)))
    }
}

impl PartialEq for BegunFlag {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for BegunFlag {}

impl Hash for BegunFlag {
    fn hash<H: Hasher>(&self, _: &mut H) {}
}

/// Which elements come, and in which order.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
enum IterationOrder {
    /// All, from the last to the first.
    Reversed,
    /// The first, and then every element this many places further on.
    Every(usize),
    /// The values at any depth, with their paths.
    Tree(TreeOptions, Limits),
}

impl Iteration {
    /// Returns an iteration over a value from the last element to the first; `None` if the value is not iterable.
    ///
    /// # Errors
    /// Fails with [`puppetfn_base::error::ErrorKind::Limit`] if the value nests too deep.
    pub fn reversed(source: &Value, limits: &Limits) -> Result<Option<Self>, Error> {
        Self::new(source, IterationOrder::Reversed, limits)
    }

    /// Returns an iteration over the first element of a value, and then every `step`-th one; `None` if the value is not
    /// iterable.
    ///
    /// # Errors
    /// Fails with [`puppetfn_base::error::ErrorKind::Limit`] if the value nests too deep.
    pub fn every(source: &Value, step: usize, limits: &Limits) -> Result<Option<Self>, Error> {
        Self::new(source, IterationOrder::Every(step.max(1)), limits)
    }

    /// Returns all elements of an array or a hash, which are of this type.
    pub fn over(source: Value, element: Type) -> Self {
        Self { source, order: IterationOrder::Every(1), element, begun: BegunFlag::default() }
    }

    /// Returns an iteration over the values at any depth, as pairs of a path and a value.
    ///
    /// # Errors
    /// Fails if the tree cannot be traversed, see [`TreeIterator`].
    pub fn tree(source: &Value, options: TreeOptions, limits: &Limits) -> Result<Self, Error> {
        // The traversal is the same each time, so later iterations cannot fail.
        TreeIterator::new(source, &options, limits).try_for_each(|place| place.map(|_| ()))?;
        let order = IterationOrder::Tree(options, *limits);
        Ok(Self { source: source.clone(), order, element: Type::Any, begun: BegunFlag::default() })
    }

    fn new(source: &Value, order: IterationOrder, limits: &Limits) -> Result<Option<Self>, Error> {
        if source.elements().is_none() {
            return Ok(None);
        }
        let element = if let Value::Iterator(inner) = source {
            inner.element.clone()
        } else if let Value::Integer(count) = source {
            Type::integer(Some(0), Some(count.saturating_sub(1)))
        } else {
            source.inferred_set(limits)?.iterable_element().unwrap_or(Type::Any)
        };
        Ok(Some(Self { source: source.clone(), order, element, begun: BegunFlag::default() }))
    }

    /// Notes that the iteration begins. Returns true if it has begun before: Puppet's iterators are consumed.
    pub fn begin(&self) -> bool {
        self.begun.0.swap(true, Ordering::Relaxed)
    }

    /// Returns the extent of the iteration.
    pub(super) fn extent(&self) -> Extent {
        Extent::of(1, [&self.source])
    }

    /// Returns the type of the elements.
    pub fn element_type(&self) -> &Type {
        &self.element
    }

    /// Returns the type of the iteration. An iteration over a tree is not one of Puppet's iterators, though it can be used
    /// as one, so its type is the type of an object of Ruby's.
    pub(crate) fn own_type(&self) -> Type {
        match self.order {
            IterationOrder::Reversed | IterationOrder::Every(_) => {
                Type::Iterator(Some(self.element.clone().into()))
            }
            IterationOrder::Tree(..) => Type::ruby(self.ruby_class()),
        }
    }

    /// Returns the name of the class that Puppet has for it.
    pub(super) fn ruby_class(&self) -> &'static str {
        match &self.order {
            IterationOrder::Reversed | IterationOrder::Every(_) => "Puppet::Pops::Types::Iterator",
            IterationOrder::Tree(options, _) if options.breadth_first => {
                "Puppet::Pops::Types::Iterable::BreadthFirstTreeIterator"
            }
            IterationOrder::Tree(..) => "Puppet::Pops::Types::Iterable::DepthFirstTreeIterator",
        }
    }

    /// Returns the elements. Never `None`, as the source was checked on creation.
    pub fn elements(&self) -> Option<Elements<'_>> {
        match &self.order {
            IterationOrder::Reversed => self.source.elements_reversed(),
            IterationOrder::Every(step) => Some(Box::new(self.source.elements()?.step_by(*step))),
            IterationOrder::Tree(options, limits) => Some(Box::new(
                TreeIterator::new(&self.source, options, limits)
                    .map_while(Result::ok)
                    .map(|(path, value)| vec![path, value].into()),
            )),
        }
    }

    pub(super) fn elements_reversed(&self) -> Option<Elements<'_>> {
        match &self.order {
            IterationOrder::Reversed => self.source.elements(),
            IterationOrder::Tree(..) => {
                let elements: Vec<Value> = self.elements()?.collect();
                Some(Box::new(elements.into_iter().rev()))
            }
            IterationOrder::Every(step) => {
                let step = *step;
                // The last element that comes is this far from the end of the source.
                let behind = self.source.element_count()?.saturating_sub(1) % step;
                let mut reversed = self.source.elements_reversed()?;
                if behind > 0 {
                    reversed.nth(behind - 1);
                }
                Some(Box::new(reversed.step_by(step)))
            }
        }
    }

    /// Returns the number of elements.
    pub(super) fn element_count(&self) -> Option<usize> {
        Some(match &self.order {
            IterationOrder::Reversed => self.source.element_count()?,
            IterationOrder::Every(step) => self.source.element_count()?.div_ceil(*step),
            IterationOrder::Tree(..) => self.elements()?.count(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn elements(iteration: &Iteration) -> Vec<Value> {
        iteration.elements().unwrap().collect()
    }

    fn every(source: &Value, step: usize) -> Iteration {
        Iteration::every(source, step, &Limits::DEFAULT).unwrap().unwrap()
    }

    fn reversed(source: Iteration) -> Iteration {
        Iteration::reversed(&Value::Iterator(source.into()), &Limits::DEFAULT).unwrap().unwrap()
    }

    #[test]
    fn steps_are_the_same_from_both_ends() {
        for count in 0..7 {
            for step in 1..4 {
                let source = Value::from((0..count).map(Value::Integer).collect::<Vec<_>>());
                let mut expected = elements(&every(&source, step));
                assert_eq!(every(&source, step).element_count(), Some(expected.len()));
                expected.reverse();
                assert_eq!(elements(&reversed(every(&source, step))), expected, "{count} by {step}");
            }
        }
    }

    #[test]
    fn what_is_skipped_takes_no_time() {
        let numbers = Value::from(Type::integer(Some(0), Some(i64::MAX - 1)));
        let half = every(&numbers, 1 << 62);
        let expected: Vec<Value> = vec![0.into(), (1i64 << 62).into()];
        assert_eq!(elements(&half), expected);
        assert_eq!(elements(&reversed(half)), expected.into_iter().rev().collect::<Vec<_>>());
    }

    #[test]
    fn iterations_over_trees_have_the_type_of_an_object() {
        let tree = |breadth_first| {
            let options = TreeOptions {
                container: None,
                include_root: true,
                include_containers: true,
                include_values: true,
                include_refs: false,
                breadth_first,
            };
            Iteration::tree(&Value::from(vec![1.into()]), options, &Limits::DEFAULT).unwrap()
        };
        for (iteration, t) in [
            (every(&Value::from(vec![1.into()]), 1), "Iterator[Integer[1, 1]]"),
            (tree(false), "Runtime[ruby, 'Puppet::Pops::Types::Iterable::DepthFirstTreeIterator']"),
            (tree(true), "Runtime[ruby, 'Puppet::Pops::Types::Iterable::BreadthFirstTreeIterator']"),
        ] {
            assert_eq!(
                Value::Iterator(iteration.into()).inferred_set(&Limits::DEFAULT).unwrap().to_string(),
                t
            );
        }
    }
}
