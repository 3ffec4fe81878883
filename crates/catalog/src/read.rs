//! Reading of arbitrary JSON, with errors that name the place and the expected form.

use std::io::Read;

use puppetfn_types::types::Reference;
use serde::Deserialize;
use serde_json::{Map, Value as Json};

use crate::error::ReadError;

/// Catalogs that are larger are refused: 256 MiB.
const LARGEST: u64 = 1 << 28;

/// Maximum depth of a catalog. Values nest 200 levels deep unless `puppetfn compile` is told otherwise. Reading a text
/// that nests a thousand levels deep would overflow the stack of a thread that was built without optimizations.
pub(crate) const DEEPEST: u32 = 500;

/// Returns the reference to a resource of a catalog, however its names are written. The class of the top level is called `main` there.
pub fn reference(type_name: &str, title: &str) -> Reference {
    let is_main = type_name.eq_ignore_ascii_case("class") && title.eq_ignore_ascii_case("main");
    Reference::new(type_name, if is_main { "" } else { title })
}

/// Parses a reference `Type[title]` as catalogs have it; `None` for any other text.
pub fn parse_reference(text: &str) -> Option<Reference> {
    let (type_name, rest) = text.split_once('[')?;
    let title = rest.strip_suffix(']')?;
    let is_name =
        !type_name.is_empty() && type_name.chars().all(|c| c.is_alphanumeric() || c == ':' || c == '_');
    is_name.then(|| reference(type_name, title))
}

/// Returns all that a reader has.
pub(crate) fn text(reader: impl Read) -> Result<String, ReadError> {
    let mut bytes = Vec::new();
    let read = reader.take(LARGEST.saturating_add(1)).read_to_end(&mut bytes);
    read.map_err(|error| ReadError::new("", format!("it cannot be read: {error}")))?;
    if bytes.len() as u64 > LARGEST {
        return Err(ReadError::new("", format!("expected a catalog of at most {LARGEST} bytes, got more")));
    }
    String::from_utf8(bytes).map_err(|error| {
        let place = format!("byte {}", error.utf8_error().valid_up_to().saturating_add(1));
        ReadError::new(place, "expected UTF-8, got other bytes")
    })
}

/// Parses a JSON document. Messages that `puppet catalog compile` logs in front of it are skipped.
pub(crate) fn json(text: &str) -> Result<Json, ReadError> {
    let logged = if text.trim_start().starts_with('{') { None } else { text.find("\n{") };
    let start = logged.map_or(0, |found| found.saturating_add(1));
    let text = text.get(start..).unwrap_or_default();
    check_nesting(text)?;
    let mut reader = serde_json::Deserializer::from_str(text);
    // Values of catalogs may nest deeper than the limit of serde_json.
    reader.disable_recursion_limit();
    let read = Json::deserialize(&mut reader).and_then(|json| reader.end().map(|()| json));
    read.map_err(|error| {
        let place = format!("line {}, column {}", error.line(), error.column());
        let message = error.to_string();
        let message = message.split(" at line ").next().unwrap_or_default();
        ReadError::new(place, format!("expected the JSON of a catalog: {message}"))
    })
}

/// Refuses a text that nests too deep.
fn check_nesting(text: &str) -> Result<(), ReadError> {
    let (mut depth, mut line) = (0usize, 1usize);
    let mut in_string = false;
    let mut bytes = text.bytes();
    while let Some(byte) = bytes.next() {
        match byte {
            b'\n' => line = line.saturating_add(1),
            b'"' => in_string = !in_string,
            b'\\' if in_string => _ = bytes.next(),
            b'[' | b'{' if !in_string => depth = depth.saturating_add(1),
            b']' | b'}' if !in_string => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth > DEEPEST as usize {
            let message = format!("expected values that nest at most {DEEPEST} levels deep, got more");
            return Err(ReadError::new(format!("line {line}"), message));
        }
    }
    Ok(())
}

/// Refuses a value that nests too deep and was not parsed by [`json`].
pub(crate) fn check_depth(json: &Json) -> Result<(), ReadError> {
    let mut rest = vec![(json, 0usize)];
    while let Some((json, depth)) = rest.pop() {
        if depth > DEEPEST as usize {
            return Err(ReadError::new(
                "",
                format!("expected values that nest at most {DEEPEST} levels deep, got more"),
            ));
        }
        let deeper = depth.saturating_add(1);
        if let Some(items) = json.as_array() {
            rest.extend(items.iter().map(|item| (item, deeper)));
        } else if let Some(members) = json.as_object() {
            rest.extend(members.values().map(|member| (member, deeper)));
        }
    }
    Ok(())
}

/// The members of an object, by name.
pub(crate) struct JsonMembers(Map<String, Json>);

impl JsonMembers {
    /// Returns the members of a value that has to be an object.
    pub(crate) fn of(json: Json) -> Result<Self, ReadError> {
        if let Json::Object(members) = json { Ok(Self(members)) } else { Err(unexpected("an object", &json)) }
    }

    /// Takes a member; `null` is the same as none.
    pub(crate) fn take(&mut self, name: &str) -> Option<Json> {
        self.0.remove(name).filter(|json| !json.is_null())
    }

    /// Takes a member that is a string. Titles may be numbers.
    pub(crate) fn string(&mut self, name: &str) -> Result<Option<String>, ReadError> {
        match self.take(name) {
            None => Ok(None),
            Some(Json::String(text)) => Ok(Some(text)),
            Some(Json::Number(number)) => Ok(Some(number.to_string())),
            Some(other) => Err(unexpected("a string", &other).within(name)),
        }
    }

    /// Takes a member that is a string and has to be there.
    pub(crate) fn required(&mut self, name: &str) -> Result<String, ReadError> {
        let missing = || ReadError::new(name, "expected a string, and there is none");
        self.string(name)?.ok_or_else(missing)
    }

    /// Takes a member that is a whole number, if it is one.
    pub(crate) fn number(&mut self, name: &str) -> Option<u64> {
        self.take(name)?.as_u64()
    }

    /// Takes a member that is an array. `PuppetDB` has it as `data` of an object.
    pub(crate) fn array(&mut self, name: &str) -> Result<Option<Vec<Json>>, ReadError> {
        let found = match self.take(name) {
            Some(Json::Object(mut inner)) if inner.contains_key("data") => inner.remove("data"),
            found => found,
        };
        match found {
            None => Ok(None),
            Some(Json::Array(items)) => Ok(Some(items)),
            Some(other) => Err(unexpected("an array", &other).within(name)),
        }
    }

    /// Takes a member that is an array of strings.
    pub(crate) fn strings(&mut self, name: &str) -> Result<Vec<String>, ReadError> {
        let items = self.array(name)?.unwrap_or_default().into_iter().enumerate();
        let text = |(index, item): (usize, Json)| match item.as_str() {
            Some(text) => Ok(text.to_owned()),
            None => Err(unexpected("a string", &item).within(&format!("{name}[{index}]"))),
        };
        items.map(text).collect()
    }

    /// Takes a member that is an object.
    pub(crate) fn object(&mut self, name: &str) -> Result<Option<Map<String, Json>>, ReadError> {
        let found = self.take(name).map(Self::of).transpose();
        Ok(found.map_err(|error| error.within(name))?.map(|members| members.0))
    }

    /// Returns true if there is a member of the name.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.0.contains_key(name)
    }
}

/// Returns the error for a value of another kind than the expected one.
pub(crate) fn unexpected(expected: &str, got: &Json) -> ReadError {
    let got = match got {
        Json::Null => "null",
        Json::Bool(_) => "a boolean",
        Json::Number(_) => "a number",
        Json::String(_) => "a string",
        Json::Array(_) => "an array",
        Json::Object(_) => "an object",
    };
    ReadError::new("", format!("expected {expected}, got {got}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_in_capitals() {
        for (text, expected) in [
            ("file[/a]", "File[/a]"),
            ("class[::ntp::server]", "Class[Ntp::Server]"),
            ("Class[Main]", "Class[main]"),
            ("my::type[a[b]]", "My::Type[a[b]]"),
        ] {
            assert_eq!(parse_reference(text).unwrap().to_string(), expected);
        }
        for text in ["", "File", "[a]", "File[a", "a text [with] brackets]"] {
            assert_eq!(parse_reference(text), None, "{text}");
        }
    }
}
