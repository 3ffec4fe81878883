//! The parts of collections, tuples and objects.

use super::{Data, Value, misuse};
use crate::number::Number;
use crate::text::normalized;
use crate::types::Type;
use puppetfn_base::error::Error;

impl Value {
    /// Returns the elements with their keys: numbers from 0, keys of a map, names of attributes, or the elements of a
    /// set themselves. Maps, sets and objects are sorted.
    ///
    /// # Errors
    /// Fails if it has no elements, or is null, unknown or marked.
    pub fn elements(&self) -> Result<Vec<(Self, Self)>, Error> {
        let parts = self.values()?;
        Ok(match &self.data {
            Data::Map(entries) => entries.keys().map(Self::string).zip(parts).collect(),
            Data::Set(_) => parts.into_iter().map(|part| (part.clone(), part)).collect(),
            _ => parts.into_iter().enumerate().map(|(index, part)| (Self::number(index), part)).collect(),
        })
    }

    /// Returns the elements. Maps, sets and objects are sorted by key.
    ///
    /// # Errors
    /// Fails if it has no elements, or is null, unknown or marked.
    pub fn values(&self) -> Result<Vec<Self>, Error> {
        match self.data {
            Data::Sequence(_) | Data::Map(_) | Data::Set(_) => Ok(self.parts()),
            _ => Err(misuse(format!("a known collection is needed, not {}", self.state_and_type()))),
        }
    }

    /// Returns the entries of a map, or the attributes of an object, sorted.
    ///
    /// # Errors
    /// Fails if it is neither, or is null, unknown or marked.
    pub fn entries(&self) -> Result<Vec<(std::sync::Arc<str>, Self)>, Error> {
        let Data::Map(entries) = &self.data else {
            return Err(misuse(format!("a known map or object is needed, not {}", self.state_and_type())));
        };
        Ok(entries.keys().cloned().zip(self.parts()).collect())
    }

    /// Returns the elements, none where there are none.
    pub(super) fn parts(&self) -> Vec<Self> {
        match (&self.data, &self.t) {
            (Data::Sequence(elements), Type::List(t)) => {
                elements.iter().map(|data| Self::part(t, data)).collect()
            }
            (Data::Sequence(elements), Type::Tuple(types)) => {
                types.iter().zip(elements.iter()).map(|(t, data)| Self::part(t, data)).collect()
            }
            (Data::Map(entries), Type::Map(t)) => entries.values().map(|data| Self::part(t, data)).collect(),
            (Data::Map(entries), Type::Object(object)) => {
                let attributes = object.attributes().values();
                attributes.zip(entries.values()).map(|(t, data)| Self::part(t, data)).collect()
            }
            (Data::Set(set), Type::Set(t)) => set.elements().iter().map(|data| Self::part(t, data)).collect(),
            _ => Vec::new(),
        }
    }

    /// Returns the number of elements. A tuple or object has one even if the value is unknown.
    ///
    /// # Errors
    /// Fails if it has no elements, or is null, unknown or marked.
    pub fn element_count(&self) -> Result<usize, Error> {
        match (&self.data, &self.t) {
            (Data::Marked(_), _) => Err(misuse("a marked value has to be unmarked first")),
            (_, Type::Tuple(types)) => Ok(types.len()),
            (_, Type::Object(object)) => Ok(object.attributes().len()),
            (Data::Sequence(elements), _) => Ok(elements.len()),
            (Data::Map(entries), _) => Ok(entries.len()),
            (Data::Set(set), _) => Ok(set.elements().len()),
            _ => Err(misuse(format!("a known collection is needed, not {}", self.state_and_type()))),
        }
    }

    /// Returns how many elements there are, as a value. It is unknown where the collection is, and for a set
    /// with unknown elements, which may turn out to be equal.
    ///
    /// # Errors
    /// Fails if it has no elements, or is null.
    pub fn length(&self) -> Result<Self, Error> {
        let (value, marks) = self.unmark();
        let count = match (&value.data, &value.t) {
            (_, Type::Tuple(types)) => Some(types.len()),
            (Data::Unknown, _) => None,
            (Data::Set(set), _) => {
                let count = set.elements().len();
                (count == 1 || value.is_wholly_known()).then_some(count)
            }
            _ => Some(value.element_count()?),
        };
        Ok(count.map_or_else(|| Self::unknown(Type::Number), Self::number).with_marks(&marks))
    }

    /// Returns the element with this key.
    ///
    /// # Errors
    /// Fails if it has no elements, or none with this key.
    pub fn index(&self, key: &Self) -> Result<Self, Error> {
        let (value, mut marks) = self.unmark();
        let (key, key_marks) = key.unmark();
        marks.extend(key_marks);
        let missing = || misuse("there is no element with this key");
        let found = match &value.t {
            Type::Dynamic => Self::DYNAMIC,
            Type::List(t) | Type::Map(t)
                if key.t == Type::Dynamic || !key.is_known() || !value.is_known() =>
            {
                Self::unknown((**t).clone())
            }
            Type::Tuple(_) if key.t == Type::Dynamic || !key.is_known() => Self::DYNAMIC,
            Type::Tuple(types) if !value.is_known() => {
                let t = place(key.as_number()?).and_then(|index| types.get(index));
                Self::unknown(t.ok_or_else(missing)?.clone())
            }
            Type::List(_) | Type::Tuple(_) => {
                let parts = value.values()?;
                place(key.as_number()?).and_then(|index| parts.into_iter().nth(index)).ok_or_else(missing)?
            }
            Type::Map(t) => {
                let Data::Map(entries) = &value.data else { return Err(missing()) };
                Self::part(t, entries.get(key.as_string()?).ok_or_else(missing)?)
            }
            t => return Err(misuse(format!("a list, map or tuple is needed, not {}", t.friendly_name()))),
        };
        Ok(found.with_marks(&marks))
    }

    /// Returns true if there is an element with this key.
    ///
    /// # Errors
    /// Fails if it has no elements.
    pub fn has_index(&self, key: &Self) -> Result<Self, Error> {
        let (value, mut marks) = self.unmark();
        let (key, key_marks) = key.unmark();
        marks.extend(key_marks);
        let key_type = match &value.t {
            Type::Dynamic => Type::Dynamic,
            Type::List(_) | Type::Tuple(_) => Type::Number,
            Type::Map(_) => Type::String,
            t => return Err(misuse(format!("a list, map or tuple is needed, not {}", t.friendly_name()))),
        };
        let unknown_length = !matches!(value.t, Type::Tuple(_)) && !value.is_known();
        let found = if value.t == Type::Dynamic || key.t == Type::Dynamic {
            None
        } else if key.t != key_type {
            Some(false)
        } else if !key.is_known() || unknown_length {
            None
        } else if let Data::Map(entries) = &value.data {
            Some(entries.contains_key(key.as_string()?))
        } else {
            let count = value.element_count()?;
            Some(place(key.as_number()?).is_some_and(|index| index < count))
        };
        Ok(found.map_or_else(|| Self::unknown(Type::Bool), Self::bool).with_marks(&marks))
    }

    /// Returns the attribute of this name.
    ///
    /// # Errors
    /// Fails if it has none, or is null.
    pub fn attribute(&self, name: &str) -> Result<Self, Error> {
        let (value, marks) = self.unmark();
        let missing = || misuse(format!("there is no attribute {}", crate::text::quoted(name)));
        let name = normalized(name);
        let found = match (&value.t, &value.data) {
            (Type::Dynamic, _) => Self::DYNAMIC,
            (Type::Object(object), data) => {
                let t = object.attributes().get(&name).ok_or_else(missing)?;
                match data {
                    Data::Unknown => Self::unknown(t.clone()),
                    Data::Map(entries) => Self::part(t, entries.get(&name).ok_or_else(missing)?),
                    _ => return Err(missing()),
                }
            }
            _ => return Err(missing()),
        };
        Ok(found.with_marks(&marks))
    }

    /// Returns true if the set has this element.
    ///
    /// # Errors
    /// Fails if it is not a set.
    pub fn has_element(&self, element: &Self) -> Result<Self, Error> {
        let (value, mut marks) = self.unmark();
        let (element, element_marks) = element.unmark();
        marks.extend(element_marks);
        let Type::Set(t) = &value.t else {
            return Err(misuse(format!("a set is needed, not {}", value.t.friendly_name())));
        };
        let found = if !value.is_known() || !element.is_known() {
            None
        } else if let Data::Set(set) = &value.data {
            Some(**t == element.t && set.contains(t, &element.data)?)
        } else {
            return Err(misuse("a null set has no elements"));
        };
        Ok(found.map_or_else(|| Self::unknown(Type::Bool), Self::bool).with_marks(&marks))
    }

    fn state_and_type(&self) -> String {
        let state = match self.data {
            Data::Null => "a null ",
            Data::Unknown => "an unknown ",
            Data::Marked(_) => "a marked ",
            _ => "a ",
        };
        format!("{state}{}", self.t.friendly_name())
    }
}

/// Returns the place in a sequence that a number stands for.
fn place(number: &Number) -> Option<usize> {
    usize::try_from(number.to_i64()?).ok()
}
