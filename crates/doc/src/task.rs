//! Documentation of tasks, from their JSON files.

use serde_json::{Map, Value as Json, json};

use super::docstring::{Docstring, ReadingMode};
use puppetfn_base::error::{Error, ErrorKind};

/// The documentation of a task.
#[derive(Clone, PartialEq, Debug)]
pub struct DocumentedTask {
    /// The name of the file without its extension.
    pub name: String,
    /// The JSON file.
    pub file: String,
    /// The docstring.
    pub docstring: Docstring,
    /// Its parameters, in order.
    pub parameters: Vec<TaskParameter>,
    /// Whether it supports `noop`, as in the file.
    pub supports_noop: Json,
    /// The input method, as in the file.
    pub input_method: Json,
    /// The text of the file.
    pub source: String,
}

/// A parameter of a task.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct TaskParameter {
    /// The name.
    pub name: String,
    /// The description.
    pub text: String,
    /// The type, if it is stated.
    pub type_text: Option<String>,
}

impl DocumentedTask {
    /// Reads the description of a task; `None` if it is empty.
    ///
    /// # Errors
    /// Fails if the text is not a JSON object.
    pub fn read(file: &str, text: &str, reading: ReadingMode) -> Result<Option<Self>, Error> {
        let unreadable = |problem: &str| {
            Error::new(ErrorKind::Load, format!("{file}: not the metadata of a task: {problem}"))
        };
        let json: Json = serde_json::from_str(text).map_err(|error| unreadable(&error.to_string()))?;
        let Json::Object(description) = json else {
            return Err(unreadable("expected an object"));
        };
        if description.is_empty() {
            return Ok(None);
        }
        let text_of =
            |object: &Map<String, Json>, key: &str| object.get(key).and_then(Json::as_str).map(str::to_owned);
        let parameter = |(name, of): (&String, &Json)| {
            let of = of.as_object()?;
            let text = text_of(of, "description").unwrap_or_default();
            Some(TaskParameter { name: name.clone(), text, type_text: text_of(of, "type") })
        };
        let parameters = description.get("parameters").and_then(Json::as_object);
        let noop = description.get("supports_noop").filter(|noop| !noop.is_null());
        Ok(Some(Self {
            name: name_of(file),
            file: file.to_owned(),
            docstring: Docstring::read(&text_of(&description, "description").unwrap_or_default(), reading),
            parameters: parameters.into_iter().flatten().filter_map(parameter).collect(),
            supports_noop: noop.cloned().unwrap_or(Json::Bool(false)),
            input_method: description.get("input_method").cloned().unwrap_or_default(),
            source: text.to_owned(),
        }))
    }

    /// Returns the JSON of Puppet Strings' schema.
    pub(super) fn to_json(&self) -> Json {
        let tag = |parameter: &TaskParameter| {
            let TaskParameter { name, text, type_text } = parameter;
            json!({"name": name, "tag_name": "param", "text": text, "types": [type_text]})
        };
        json!({
            "name": self.name,
            "file": self.file,
            "line": 0,
            "docstring": {
                "text": self.docstring.text,
                "tags": self.parameters.iter().map(tag).collect::<Vec<_>>(),
            },
            "source": self.source,
            "supports_noop": self.supports_noop,
            "input_method": self.input_method,
        })
    }
}

fn name_of(file: &str) -> String {
    let name = file.rsplit(['/', '\\']).next().unwrap_or(file);
    name.replace(".json", "")
}
