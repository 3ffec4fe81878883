//! Values and serde's data model. Both directions go through the JSON document of a value, so that every format has the same data.

use serde::de::{DeserializeOwned, Deserializer, Error as _};
use serde::ser::{Error as _, SerializeMap, Serializer};
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use super::json::{from_json, to_json};
use crate::value::Value;
use puppetfn_base::error::{Error, ErrorKind};
use puppetfn_base::limits::Limits;

impl Value {
    /// Returns the value of whatever can be serialized: structures and maps become Hashes, sequences Arrays.
    ///
    /// ```
    /// use puppetfn::value::Value;
    /// use serde::Serialize;
    ///
    /// #[derive(Serialize)]
    /// struct Listener { port: u16, tls: bool }
    ///
    /// let listeners = Value::from_serialize(&[Listener { port: 443, tls: true }])?;
    /// assert_eq!(listeners.to_string(), "[{port => 443, tls => true}]");
    /// # Ok::<(), puppetfn::error::Error>(())
    /// ```
    ///
    /// # Errors
    /// Fails with [`ErrorKind::Unrepresentable`] for data that JSON does not have, such as a map whose keys are sequences.
    pub fn from_serialize<T: Serialize + ?Sized>(data: &T) -> Result<Self, Error> {
        let document = serde_json::to_value(data).map_err(unrepresentable)?;
        from_json(&document, &Limits::FURTHEST)
    }

    /// Returns the value as data of Rust's types.
    ///
    /// ```
    /// use puppetfn::value::Value;
    /// use serde::Deserialize;
    ///
    /// #[derive(Deserialize)]
    /// struct Listener { port: u16, name: Option<String> }
    ///
    /// let listener: Listener = Value::hash([("port", 443)]).deserialize()?;
    /// assert_eq!((listener.port, listener.name), (443, None));
    ///
    /// let error = Value::hash([("port", "https")]).deserialize::<Listener>().map(|_| ()).unwrap_err();
    /// assert_eq!(error.message(), "invalid type: string \"https\", expected u16");
    /// # Ok::<(), puppetfn::error::Error>(())
    /// ```
    ///
    /// # Errors
    /// Fails with [`ErrorKind::Unrepresentable`] if the data has another form, or the value contains a Sensitive, which must be
    /// unwrapped before.
    pub fn deserialize<T: DeserializeOwned>(&self) -> Result<T, Error> {
        // It limits the depth of the value, too.
        let document = to_json(self, &Limits::FURTHEST)?;
        if self.contains_sensitive() {
            return Err(unrepresentable("the value contains a Sensitive, which must be unwrapped before"));
        }
        serde_json::from_value(document).map_err(unrepresentable)
    }

    fn contains_sensitive(&self) -> bool {
        if let Self::Array(items) = self {
            items.iter().any(Self::contains_sensitive)
        } else if let Self::Hash(hash) = self {
            hash.iter().any(|(_, value)| value.contains_sensitive())
        } else {
            matches!(self, Self::Sensitive(_))
        }
    }
}

fn unrepresentable(problem: impl ToString) -> Error {
    Error::new(ErrorKind::Unrepresentable, problem.to_string())
}

/// The data of the JSON document that [`to_json`] returns. A Sensitive is redacted, and values that JSON does not have are texts.
impl Serialize for Value {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let document = to_json(self, &Limits::FURTHEST).map_err(S::Error::custom)?;
        Data(&document).serialize(serializer)
    }
}

/// A JSON document whose numbers are numbers in every format. serde_json's own serialization keeps their digits, in a form
/// that only serde_json reads.
struct Data<'d>(&'d Json);

impl Serialize for Data<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Json::Number(number) => {
                if let Some(number) = number.as_i64() {
                    serializer.serialize_i64(number)
                } else if let Some(number) = number.as_i128() {
                    serializer.serialize_i128(number)
                } else if let Some(number) = number.as_f64().filter(|_| number.is_f64()) {
                    serializer.serialize_f64(number)
                } else {
                    number.serialize(serializer)
                }
            }
            Json::Array(items) => serializer.collect_seq(items.iter().map(Data)),
            Json::Object(members) => {
                let mut map = serializer.serialize_map(Some(members.len()))?;
                for (name, member) in members {
                    map.serialize_entry(name, &Data(member))?;
                }
                map.end()
            }
            Json::Null | Json::Bool(_) | Json::String(_) => self.0.serialize(serializer),
        }
    }
}

/// Numbers with a fraction or an exponent are Floats, all others Integers.
impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        from_json(&Json::deserialize(deserializer)?, &Limits::FURTHEST).map_err(D::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::types::Type;

    #[test]
    fn values_are_serialized_as_data() {
        let value = Value::hash([
            ("number", Value::from(1.5)),
            ("large", Value::from(i64::MAX)),
            ("type", Type::INTEGER.into()),
            ("password", Value::sensitive("secret")),
            ("none", Value::Undef),
            ("default", Value::array([Value::Default])),
        ]);
        let text = r#"{"number":1.5,"large":9223372036854775807,"type":"Integer","password":"Sensitive [value redacted]","none":null,"default":["default"]}"#;
        assert_eq!(serde_json::to_string(&value).unwrap(), text);
    }

    #[test]
    fn values_are_deserialized_from_any_format() {
        let value: Value = serde_json::from_str(r#"{"a": [1, 2.0, "x", null, true]}"#).unwrap();
        assert_eq!(value.to_string(), "{a => [1, 2.0, x, , true]}");
        assert_eq!(value.deserialize::<BTreeMap<String, (i64, f64, String, (), bool)>>().unwrap().len(), 1);
    }

    #[test]
    fn integers_of_any_size_stay_the_same() {
        let text = "[123456789012345678901234567890,1e2,18446744073709551615]";
        let value: Value = serde_json::from_str(text).unwrap();
        assert_eq!(
            serde_json::to_string(&value).unwrap(),
            "[123456789012345678901234567890,100.0,18446744073709551615]"
        );
    }

    #[test]
    fn a_sensitive_value_is_no_data() {
        let error = Value::array([Value::sensitive("secret")]).deserialize::<Vec<String>>().unwrap_err();
        assert_eq!(error.message(), "the value contains a Sensitive, which must be unwrapped before");
    }
}
