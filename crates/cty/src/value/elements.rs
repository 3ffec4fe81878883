//! The parts of collections, tuples and objects.

use super::{CtyData, CtyValue, misuse};
use crate::number::CtyNumber;
use crate::text::normalized;
use crate::types::CtyType;
use puppetfn_base::error::Error;

impl CtyValue {
    /// Returns the elements with their keys: numbers from 0, keys of a map, names of attributes, or the elements of a
    /// set themselves. Maps, sets and objects are sorted.
    ///
    /// # Errors
    /// Fails if it has no elements, or is null, unknown or marked.
    pub fn elements(&self) -> Result<Vec<(Self, Self)>, Error> {
        let parts = self.values()?;
        Ok(match &self.data {
            CtyData::Map(entries) => entries.keys().map(Self::string).zip(parts).collect(),
            CtyData::Set(_) => parts.into_iter().map(|part| (part.clone(), part)).collect(),
            _ => parts.into_iter().enumerate().map(|(index, part)| (Self::number(index), part)).collect(),
        })
    }

    /// Returns the elements. Maps, sets and objects are sorted by key.
    ///
    /// # Errors
    /// Fails if it has no elements, or is null, unknown or marked.
    pub fn values(&self) -> Result<Vec<Self>, Error> {
        match self.data {
            CtyData::Sequence(_) | CtyData::Map(_) | CtyData::Set(_) => Ok(self.parts()),
            _ => Err(misuse(format!("a known collection is needed, not {}", self.state_and_type()))),
        }
    }

    /// Returns the entries of a map, or the attributes of an object, sorted.
    ///
    /// # Errors
    /// Fails if it is neither, or is null, unknown or marked.
    pub fn entries(&self) -> Result<Vec<(std::sync::Arc<str>, Self)>, Error> {
        let CtyData::Map(entries) = &self.data else {
            return Err(misuse(format!("a known map or object is needed, not {}", self.state_and_type())));
        };
        Ok(entries.keys().cloned().zip(self.parts()).collect())
    }

    /// Returns the elements, none where there are none.
    pub(super) fn parts(&self) -> Vec<Self> {
        match (&self.data, &self.t) {
            (CtyData::Sequence(elements), CtyType::List(t)) => {
                elements.iter().map(|data| Self::part(t, data)).collect()
            }
            (CtyData::Sequence(elements), CtyType::Tuple(types)) => {
                types.iter().zip(elements.iter()).map(|(t, data)| Self::part(t, data)).collect()
            }
            (CtyData::Map(entries), CtyType::Map(t)) => {
                entries.values().map(|data| Self::part(t, data)).collect()
            }
            (CtyData::Map(entries), CtyType::Object(object)) => {
                let attributes = object.attributes().values();
                attributes.zip(entries.values()).map(|(t, data)| Self::part(t, data)).collect()
            }
            (CtyData::Set(set), CtyType::Set(t)) => {
                set.elements().iter().map(|data| Self::part(t, data)).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Returns the number of elements. A tuple or object has one even if the value is unknown.
    ///
    /// # Errors
    /// Fails if it has no elements, or is null, unknown or marked.
    pub fn element_count(&self) -> Result<usize, Error> {
        match (&self.data, &self.t) {
            (CtyData::Marked(_), _) => Err(misuse("a marked value has to be unmarked first")),
            (_, CtyType::Tuple(types)) => Ok(types.len()),
            (_, CtyType::Object(object)) => Ok(object.attributes().len()),
            (CtyData::Sequence(elements), _) => Ok(elements.len()),
            (CtyData::Map(entries), _) => Ok(entries.len()),
            (CtyData::Set(set), _) => Ok(set.elements().len()),
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
            (_, CtyType::Tuple(types)) => Some(types.len()),
            (CtyData::Unknown, _) => None,
            (CtyData::Set(set), _) => {
                let count = set.elements().len();
                (count == 1 || value.is_wholly_known()).then_some(count)
            }
            _ => Some(value.element_count()?),
        };
        Ok(count.map_or_else(|| Self::unknown(CtyType::Number), Self::number).with_marks(&marks))
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
            CtyType::Dynamic => Self::DYNAMIC,
            CtyType::List(t) | CtyType::Map(t)
                if key.t == CtyType::Dynamic || !key.is_known() || !value.is_known() =>
            {
                Self::unknown((**t).clone())
            }
            CtyType::Tuple(_) if key.t == CtyType::Dynamic || !key.is_known() => Self::DYNAMIC,
            CtyType::Tuple(types) if !value.is_known() => {
                let t = place(key.as_number()?).and_then(|index| types.get(index));
                Self::unknown(t.ok_or_else(missing)?.clone())
            }
            CtyType::List(_) | CtyType::Tuple(_) => {
                let parts = value.values()?;
                place(key.as_number()?).and_then(|index| parts.into_iter().nth(index)).ok_or_else(missing)?
            }
            CtyType::Map(t) => {
                let CtyData::Map(entries) = &value.data else { return Err(missing()) };
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
            CtyType::Dynamic => CtyType::Dynamic,
            CtyType::List(_) | CtyType::Tuple(_) => CtyType::Number,
            CtyType::Map(_) => CtyType::String,
            t => return Err(misuse(format!("a list, map or tuple is needed, not {}", t.friendly_name()))),
        };
        let unknown_length = !matches!(value.t, CtyType::Tuple(_)) && !value.is_known();
        let found = if value.t == CtyType::Dynamic || key.t == CtyType::Dynamic {
            None
        } else if key.t != key_type {
            Some(false)
        } else if !key.is_known() || unknown_length {
            None
        } else if let CtyData::Map(entries) = &value.data {
            Some(entries.contains_key(key.as_string()?))
        } else {
            let count = value.element_count()?;
            Some(place(key.as_number()?).is_some_and(|index| index < count))
        };
        Ok(found.map_or_else(|| Self::unknown(CtyType::Bool), Self::bool).with_marks(&marks))
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
            (CtyType::Dynamic, _) => Self::DYNAMIC,
            (CtyType::Object(object), data) => {
                let t = object.attributes().get(&name).ok_or_else(missing)?;
                match data {
                    CtyData::Unknown => Self::unknown(t.clone()),
                    CtyData::Map(entries) => Self::part(t, entries.get(&name).ok_or_else(missing)?),
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
        let CtyType::Set(t) = &value.t else {
            return Err(misuse(format!("a set is needed, not {}", value.t.friendly_name())));
        };
        let found = if !value.is_known() || !element.is_known() {
            None
        } else if let CtyData::Set(set) = &value.data {
            Some(**t == element.t && set.contains(t, &element.data)?)
        } else {
            return Err(misuse("a null set has no elements"));
        };
        Ok(found.map_or_else(|| Self::unknown(CtyType::Bool), Self::bool).with_marks(&marks))
    }

    fn state_and_type(&self) -> String {
        let state = match self.data {
            CtyData::Null => "a null ",
            CtyData::Unknown => "an unknown ",
            CtyData::Marked(_) => "a marked ",
            _ => "a ",
        };
        format!("{state}{}", self.t.friendly_name())
    }
}

/// Returns the place in a sequence that a number stands for.
fn place(number: &CtyNumber) -> Option<usize> {
    usize::try_from(number.to_i64()?).ok()
}
