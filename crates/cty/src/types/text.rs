//! Types as text: the JSON in which cty serializes them.
//!
//! See go-cty's `cty/type.go` and `cty/json.go`.

use std::fmt;

use serde_json::Value as Json;

use super::{CtyType, bytes_type};
use crate::text::json_string;
use puppetfn_base::error::{Error, ErrorKind};

impl CtyType {
    /// Returns the type of its JSON: `"string"`, `["list","string"]`, `["object",{"name":"string"}]` with a third
    /// element that lists optional attributes, where there are some.
    ///
    /// # Errors
    /// Fails with [`ErrorKind::Conversion`] if the text is not a type.
    pub fn parse(text: &str) -> Result<Self, Error> {
        let json = serde_json::from_str(text)
            .map_err(|error| Error::new(ErrorKind::Conversion, format!("the type is no JSON: {error}")))?;
        from_json(&json)
    }
}

fn from_json(json: &Json) -> Result<CtyType, Error> {
    if let Json::String(name) = json {
        return named(name);
    }
    let parts = json.as_array().map(Vec::as_slice).unwrap_or_default();
    match parts {
        [Json::String(kind), of] => match (kind.as_str(), of) {
            ("list", of) => from_json(of).map(CtyType::list),
            ("set", of) => from_json(of).map(CtyType::set),
            ("map", of) => from_json(of).map(CtyType::map),
            ("tuple", Json::Array(elements)) => {
                Ok(CtyType::tuple(elements.iter().map(from_json).collect::<Result<Vec<_>, _>>()?))
            }
            ("object", Json::Object(attributes)) => object(attributes, &[]),
            _ => Err(no_type(json)),
        },
        [Json::String(kind), Json::Object(attributes), Json::Array(optional)] if kind == "object" => {
            object(attributes, optional)
        }
        _ => Err(no_type(json)),
    }
}

fn named(name: &str) -> Result<CtyType, Error> {
    match name {
        "dynamic" => Ok(CtyType::Dynamic),
        "bool" => Ok(CtyType::Bool),
        "number" => Ok(CtyType::Number),
        "string" => Ok(CtyType::String),
        "bytes" => Ok(bytes_type()),
        _ => Err(no_type(&Json::from(name))),
    }
}

fn object(attributes: &serde_json::Map<String, Json>, optional: &[Json]) -> Result<CtyType, Error> {
    let types = attributes.iter().map(|(name, t)| Ok((name, from_json(t)?)));
    let types = types.collect::<Result<Vec<_>, Error>>()?;
    let name = |name: &Json| name.as_str().map(str::to_owned).ok_or_else(|| no_type(name));
    let optional = optional.iter().map(name).collect::<Result<Vec<_>, _>>()?;
    Ok(CtyType::object_with_optional(types, optional))
}

#[cold]
fn no_type(json: &Json) -> Error {
    let message = format!(
        "{json} is no type of cty's: there are \"string\", \"number\", \"bool\", \"dynamic\", \"bytes\", \
         [\"list\", TYPE], [\"set\", TYPE], [\"map\", TYPE], [\"tuple\", [TYPE, ...]] and \
         [\"object\", {{NAME: TYPE, ...}}]"
    );
    Error::new(ErrorKind::Conversion, message)
}

impl fmt::Display for CtyType {
    /// As JSON, in the form in which cty serializes types: `["list","string"]`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts =
            |f: &mut fmt::Formatter<'_>, kind: &str, element: &Self| write!(f, "[\"{kind}\",{element}]");
        match self {
            Self::Dynamic => f.write_str("\"dynamic\""),
            Self::Bool => f.write_str("\"bool\""),
            Self::Number => f.write_str("\"number\""),
            Self::String => f.write_str("\"string\""),
            Self::List(element) => parts(f, "list", element),
            Self::Set(element) => parts(f, "set", element),
            Self::Map(element) => parts(f, "map", element),
            Self::Tuple(elements) => {
                f.write_str("[\"tuple\",[")?;
                for (index, element) in elements.iter().enumerate() {
                    write!(f, "{}{element}", if index == 0 { "" } else { "," })?;
                }
                f.write_str("]]")
            }
            Self::Object(object) => {
                f.write_str("[\"object\",{")?;
                for (index, (name, t)) in object.attributes.iter().enumerate() {
                    let name = json_string(name);
                    write!(f, "{}{name}:{t}", if index == 0 { "" } else { "," })?;
                }
                f.write_str("}")?;
                if !object.optional.is_empty() {
                    let names: Vec<String> = object.optional.iter().map(|name| json_string(name)).collect();
                    write!(f, ",[{}]", names.join(","))?;
                }
                f.write_str("]")
            }
            Self::Capsule(capsule) => f.write_str(&json_string(&capsule.0)),
        }
    }
}

impl fmt::Debug for CtyType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
