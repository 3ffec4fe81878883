//! Iteration over values.
//!
//! See Puppet's `pops/types/iterable.rb`.

use std::ops::RangeInclusive;

use super::Value;
use crate::value::types::Type;

/// The elements of a value, one after the other.
pub type Elements<'v> = Box<dyn Iterator<Item = Value> + 'v>;

/// The same, also from the other end.
type BothEnds<'v> = Box<dyn DoubleEndedIterator<Item = Value> + 'v>;

impl Value {
    /// Returns the elements for an iteration over the value: of an array, the entries of a hash as pairs, the characters of
    /// a string, the numbers below an integer or within the range of an integer type, the texts of an enum; `None` if the
    /// value is not iterable.
    pub fn elements(&self) -> Option<Elements<'_>> {
        if let Self::Iterator(iteration) = self {
            return iteration.elements();
        }
        self.both_ends().map(|elements| elements as Elements<'_>)
    }

    /// Returns the same elements from the last to the first.
    pub(super) fn elements_reversed(&self) -> Option<Elements<'_>> {
        if let Self::Iterator(iteration) = self {
            return iteration.elements_reversed();
        }
        self.both_ends().map(|elements| Box::new(elements.rev()) as Elements<'_>)
    }

    /// Returns the number of elements; `None` if the value is not iterable. Only the characters of texts have to be
    /// counted.
    pub fn element_count(&self) -> Option<usize> {
        if let Self::Iterator(iteration) = self {
            return iteration.element_count();
        }
        let elements = self.both_ends()?;
        match elements.size_hint() {
            (least, Some(most)) if least == most => Some(least),
            _ => Some(elements.count()),
        }
    }

    /// Returns the elements of a value other than an iteration.
    fn both_ends(&self) -> Option<BothEnds<'_>> {
        match self {
            Self::Array(items) => Some(Box::new(items.iter().cloned())),
            Self::Hash(hash) => {
                Some(Box::new(hash.iter().map(|(key, value)| vec![key.clone(), value.clone()].into())))
            }
            Self::String(text) => Some(Box::new(text.chars().map(|c| Self::String(c.to_string().into())))),
            Self::Integer(end) if *end >= 0 => Some(Box::new(RangeNumbers(0..=end.saturating_sub(1)))),
            Self::Type(t) => elements_of_type(t),
            Self::Runtime(object) => object.iterated()?.both_ends(),
            Self::Undef
            | Self::Default
            | Self::Boolean(_)
            | Self::Integer(_)
            | Self::Float(_)
            | Self::Regexp(_)
            | Self::SemVer(_)
            | Self::SemVerRange(_)
            | Self::Binary(_)
            | Self::Uri(_)
            | Self::Timestamp(_)
            | Self::Timespan(_)
            | Self::Sensitive(_)
            | Self::Iterator(_)
            | Self::Callable(_)
            | Self::Object(_)
            | Self::Unknown(_) => None,
        }
    }
}

/// The numbers of a range, of which many can be skipped at once.
struct RangeNumbers(RangeInclusive<i64>);

impl Iterator for RangeNumbers {
    type Item = Value;

    fn next(&mut self) -> Option<Value> {
        self.0.next().map(Value::Integer)
    }

    fn nth(&mut self, n: usize) -> Option<Value> {
        self.0.nth(n).map(Value::Integer)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.0.size_hint()
    }
}

impl DoubleEndedIterator for RangeNumbers {
    fn next_back(&mut self) -> Option<Value> {
        self.0.next_back().map(Value::Integer)
    }

    fn nth_back(&mut self, n: usize) -> Option<Value> {
        self.0.nth_back(n).map(Value::Integer)
    }
}

fn elements_of_type<'v>(t: &Type) -> Option<BothEnds<'v>> {
    if let Type::Integer(range) = t {
        let (min, max) = (range.min?, range.max?);
        Some(Box::new(RangeNumbers(min..=max)))
    } else if let Type::Enum(names) = t {
        let names: Vec<Value> = names.values().iter().map(|name| Value::String(name.clone())).collect();
        Some(Box::new(names.into_iter()))
    } else if let Type::Alias(alias) = t {
        alias.resolved().and_then(|t| elements_of_type(&t))
    } else {
        None
    }
}
