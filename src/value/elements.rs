//! What comes from iterating over a value.

use super::Value;
use crate::types::Type;

/// The elements of a value, one after the other.
pub type Elements<'v> = Box<dyn Iterator<Item = Value> + 'v>;

/// The same, also from the other end.
type BothEnds<'v> = Box<dyn DoubleEndedIterator<Item = Value> + 'v>;

impl Value {
    /// The elements that come from iterating over the value: those of an array, the entries of a
    /// hash as pairs, the characters of a string, the numbers below an integer or within the range
    /// of an integer type, the texts of an enum; none when it cannot be iterated over.
    pub fn elements(&self) -> Option<Elements<'_>> {
        if let Self::Iterator(iteration) = self {
            return iteration.elements();
        }
        self.both_ends().map(|elements| elements as Elements<'_>)
    }

    /// The same from the last to the first.
    pub(super) fn elements_reversed(&self) -> Option<Elements<'_>> {
        if let Self::Iterator(iteration) = self {
            return iteration.elements_reversed();
        }
        self.both_ends().map(|elements| Box::new(elements.rev()) as Elements<'_>)
    }

    /// The elements of what is no iteration itself.
    fn both_ends(&self) -> Option<BothEnds<'_>> {
        match self {
            Self::Array(items) => Some(Box::new(items.iter().cloned())),
            Self::Hash(hash) => {
                Some(Box::new(hash.iter().map(|(key, value)| vec![key.clone(), value.clone()].into())))
            }
            Self::String(text) => Some(Box::new(text.chars().map(|c| Self::String(c.to_string().into())))),
            Self::Integer(end) if *end >= 0 => Some(Box::new((0..*end).map(Self::Integer))),
            Self::Type(t) => elements_of_type(t),
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
            | Self::Runtime(_)
            | Self::Unknown(_) => None,
        }
    }
}

fn elements_of_type<'v>(t: &Type) -> Option<BothEnds<'v>> {
    if let Type::Integer(range) = t {
        let (min, max) = (range.min?, range.max?);
        Some(Box::new((min..=max).map(Value::Integer)))
    } else if let Type::Enum(names) = t {
        let names: Vec<Value> = names.values().iter().map(|name| Value::String(name.clone())).collect();
        Some(Box::new(names.into_iter()))
    } else if let Type::Alias(alias) = t {
        alias.resolved().and_then(|t| elements_of_type(&t))
    } else {
        None
    }
}
