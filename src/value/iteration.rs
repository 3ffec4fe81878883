//! Lazy iterations over other values.

use super::{Elements, Value};
use crate::error::Error;
use crate::limits::Limits;
use crate::types::Type;
use crate::types::ops::infer;

/// An iteration over the elements of a value that takes place when it is asked for them.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Iteration {
    source: Value,
    order: Order,
    element: Type,
}

/// Which elements come, and in which order.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Order {
    /// All, from the last to the first.
    Reversed,
    /// The first, and then each so many elements further on.
    Every(usize),
}

impl Iteration {
    /// The elements of a value from the last to the first; none if it cannot be iterated over.
    ///
    /// # Errors
    /// [`crate::error::ErrorKind::Limit`] when the value nests too deep.
    pub fn reversed(source: &Value, limits: &Limits) -> Result<Option<Self>, Error> {
        Self::new(source, Order::Reversed, limits)
    }

    /// The first element of a value, and then each `step` elements further on; none if it cannot be
    /// iterated over.
    ///
    /// # Errors
    /// [`crate::error::ErrorKind::Limit`] when the value nests too deep.
    pub fn every(source: &Value, step: usize, limits: &Limits) -> Result<Option<Self>, Error> {
        Self::new(source, Order::Every(step.max(1)), limits)
    }

    fn new(source: &Value, order: Order, limits: &Limits) -> Result<Option<Self>, Error> {
        if source.elements().is_none() {
            return Ok(None);
        }
        let element = if let Value::Iterator(inner) = source {
            inner.element.clone()
        } else {
            infer(source, limits)?.iterable_element().unwrap_or(Type::Any)
        };
        Ok(Some(Self { source: source.clone(), order, element }))
    }

    /// The type of the elements.
    pub fn element_type(&self) -> &Type {
        &self.element
    }

    /// The elements. There is something to iterate over, as it was made so.
    pub(crate) fn elements(&self) -> Option<Elements<'_>> {
        match self.order {
            Order::Reversed => self.source.elements_reversed(),
            Order::Every(step) => Some(Box::new(self.source.elements()?.step_by(step))),
        }
    }

    pub(super) fn elements_reversed(&self) -> Option<Elements<'_>> {
        match self.order {
            Order::Reversed => self.source.elements(),
            Order::Every(_) => {
                let elements: Vec<Value> = self.elements()?.collect();
                Some(Box::new(elements.into_iter().rev()))
            }
        }
    }
}
