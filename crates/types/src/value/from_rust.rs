//! Values from values of Rust's own types. [`crate::convert::rust`] is the way back.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use super::{
    Array, Binary, Hash, Regex, SemVer, SemVerRange, Timespan, Timestamp, Uri, Value, integer_out_of_range,
};
use puppetfn_base::error::Error;

impl Value {
    /// Returns an Array of these elements.
    ///
    /// ```
    /// use puppetfn::value::Value;
    ///
    /// assert_eq!(Value::array(1..=3).to_string(), "[1, 2, 3]");
    /// assert_eq!(Value::array(["a", "b"]).to_string(), "[a, b]");
    /// ```
    pub fn array<T: Into<Self>>(elements: impl IntoIterator<Item = T>) -> Self {
        Self::Array(elements.into_iter().map(Into::into).collect())
    }

    /// Returns a Hash of these entries, in their order; a later entry replaces an earlier one with the same key.
    ///
    /// ```
    /// use puppetfn::value::Value;
    ///
    /// assert_eq!(Value::hash([("a", 1), ("b", 2)]).to_string(), "{a => 1, b => 2}");
    /// ```
    pub fn hash<K: Into<Self>, V: Into<Self>>(entries: impl IntoIterator<Item = (K, V)>) -> Self {
        Self::Hash(Arc::new(hash_of(entries)))
    }

    /// Returns a Sensitive, which hides the value.
    ///
    /// ```
    /// use puppetfn::value::Value;
    ///
    /// assert_eq!(Value::sensitive("secret").to_string(), "Sensitive [value redacted]");
    /// ```
    pub fn sensitive(value: impl Into<Self>) -> Self {
        Self::Sensitive(Arc::new(value.into()))
    }
}

fn hash_of<K: Into<Value>, V: Into<Value>>(entries: impl IntoIterator<Item = (K, V)>) -> Hash {
    entries.into_iter().map(|(key, value)| (key.into(), value.into())).collect()
}

/// Undef.
impl From<()> for Value {
    fn from((): ()) -> Self {
        Self::Undef
    }
}

/// Undef for `None`.
impl<T: Into<Value>> From<Option<T>> for Value {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Undef, Into::into)
    }
}

impl From<char> for Value {
    fn from(character: char) -> Self {
        Self::from(character.encode_utf8(&mut [0; 4]) as &str)
    }
}

impl From<&String> for Value {
    fn from(text: &String) -> Self {
        Self::from(text.as_str())
    }
}

impl From<Arc<str>> for Value {
    fn from(text: Arc<str>) -> Self {
        Self::String(text)
    }
}

impl From<Cow<'_, str>> for Value {
    fn from(text: Cow<'_, str>) -> Self {
        Self::String(text.into())
    }
}

macro_rules! from_numbers {
    ($($kind:ident: $($number:ty)*;)*) => { $($(
        impl From<$number> for Value {
            fn from(number: $number) -> Self {
                Self::$kind(number.into())
            }
        }
    )*)* };
}

from_numbers! {
    Integer: i8 i16 i32 u8 u16 u32;
    Float: f32;
}

macro_rules! try_from_numbers {
    ($($number:ty)*) => { $(
        /// Fails for a number that does not fit into an Integer, which has 64 bits.
        impl TryFrom<$number> for Value {
            type Error = Error;

            fn try_from(number: $number) -> Result<Self, Error> {
                i64::try_from(number).map(Self::Integer).map_err(|_| integer_out_of_range(number))
            }
        }
    )* };
}

try_from_numbers!(u64 u128 usize i128 isize);

impl<T: Into<Value>, const N: usize> From<[T; N]> for Value {
    fn from(elements: [T; N]) -> Self {
        Self::array(elements)
    }
}

impl<T: Clone + Into<Value>> From<&[T]> for Value {
    fn from(elements: &[T]) -> Self {
        Self::array(elements.iter().cloned())
    }
}

impl From<Array> for Value {
    fn from(array: Array) -> Self {
        Self::Array(array)
    }
}

impl<K: Into<Value>, V: Into<Value>, const N: usize> From<[(K, V); N]> for Hash {
    fn from(entries: [(K, V); N]) -> Self {
        hash_of(entries)
    }
}

macro_rules! from_maps {
    ($($map:ident $(<$hasher:ident>)?)*) => { $(
        impl<K: Into<Value>, V: Into<Value> $(, $hasher)?> From<$map<K, V $(, $hasher)?>> for Hash {
            fn from(map: $map<K, V $(, $hasher)?>) -> Self {
                hash_of(map)
            }
        }

        impl<K: Into<Value>, V: Into<Value> $(, $hasher)?> From<$map<K, V $(, $hasher)?>> for Value {
            fn from(map: $map<K, V $(, $hasher)?>) -> Self {
                Self::hash(map)
            }
        }
    )* };
}

from_maps!(BTreeMap HashMap<S>);

macro_rules! from_contents {
    ($($content:ident)*) => { $(
        impl From<$content> for Value {
            fn from(content: $content) -> Self {
                Self::$content(content.into())
            }
        }
    )* };
}

from_contents!(Binary Timespan Timestamp SemVer SemVerRange Uri);

impl From<Regex> for Value {
    fn from(regex: Regex) -> Self {
        Self::Regexp(regex)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_rust_become_puppets() {
        let map = BTreeMap::from([("a", Some(1u8)), ("b", None)]);
        let hash = Value::hash([("a", Value::Integer(1)), ("b", Value::Undef)]);
        assert_eq!(Value::from(map.clone()), hash);
        assert_eq!(Value::from(map.into_iter().collect::<HashMap<_, _>>()), hash);
        assert_eq!(Value::from(Hash::from([("a", 1)])), Value::hash([("a", 1)]));
        assert_eq!(Value::from([1.5f32, 2.0]), Value::array([1.5, 2.0]));
        assert_eq!(Value::from(["x"].as_slice()), Value::array([Cow::Borrowed("x")]));
        assert_eq!(Value::from('ü'), Value::from(&"ü".to_owned()));
        assert_eq!(Value::from(()), Value::Undef);
        assert_eq!(Value::from(SemVer::parse("1.2.3").unwrap()).to_string(), "1.2.3");
    }

    #[test]
    fn integers_that_do_not_fit_are_refused() {
        assert_eq!(Value::try_from(7usize).unwrap(), Value::Integer(7));
        let error = Value::try_from(u64::MAX).unwrap_err();
        assert_eq!(
            error.message(),
            "The number 18446744073709551615 does not fit into an Integer, which has 64 bits"
        );
    }
}
