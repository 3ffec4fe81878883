//! Documentation as JSON, in the schema of Puppet Strings.

use serde_json::{Map, Value as Json, json};

use super::declared::{Api, DefinitionKind};
use super::definition::DataDefault;
use super::docstring::{TAGS_OF_SIGNATURES, docstring, with_tags};
use super::function::{DocumentedFunction, DocumentedSignature};
use super::tag::DocTag;
use super::{
    DataType, Documentation, DocumentedAlias, DocumentedDefinition, DocumentedProvider,
    DocumentedResourceType, DocumentedTask,
};

impl Documentation {
    /// Returns the documentation as a JSON object, with the keys of Puppet Strings.
    pub fn to_json(&self) -> Json {
        let definitions = |kind: DefinitionKind| {
            self.definitions_of(kind).into_iter().map(DocumentedDefinition::to_json).collect::<Vec<_>>()
        };
        json!({
            "puppet_classes": definitions(DefinitionKind::Class),
            "data_types": self.data_types.iter().map(DataType::to_json).collect::<Vec<_>>(),
            "data_type_aliases": self.type_aliases.iter().map(DocumentedAlias::to_json).collect::<Vec<_>>(),
            "defined_types": definitions(DefinitionKind::DefinedType),
            "resource_types": self.resource_types.iter().map(|t| t.to_json(&self.providers_of(t))).collect::<Vec<_>>(),
            "providers": self.providers.iter().map(DocumentedProvider::to_json).collect::<Vec<_>>(),
            "puppet_functions": self.functions.iter().map(DocumentedFunction::to_json).collect::<Vec<_>>(),
            "puppet_tasks": self.tasks.iter().map(DocumentedTask::to_json).collect::<Vec<_>>(),
            "puppet_plans": definitions(DefinitionKind::Plan),
        })
    }

    /// Returns the definitions of a kind.
    pub(super) fn definitions_of(&self, kind: DefinitionKind) -> Vec<&DocumentedDefinition> {
        self.definitions.iter().filter(|definition| definition.kind == kind).collect()
    }

    /// Returns the providers of a type.
    pub fn providers_of(&self, t: &DocumentedResourceType) -> Vec<&DocumentedProvider> {
        let name = &t.description.name;
        self.providers.iter().filter(|provider| provider.declared.type_name == *name).collect()
    }
}

impl DocumentedDefinition {
    fn to_json(&self) -> Json {
        let mut object = Map::new();
        let mut set = |key: &str, value: Json| object.insert(key.to_owned(), value);
        set("name", json!(self.name));
        set("file", json!(self.file));
        set("line", json!(self.line));
        if let Some(parent) = &self.parent {
            set("inherits", json!(parent));
        }
        set("docstring", docstring(&self.docstring, None));
        if !self.defaults.is_empty() {
            set("defaults", pairs(&self.defaults));
        }
        if !self.data.is_empty() {
            let value = |value: &DataDefault| json!({"parameter": value.parameter, "file": value.file, "value": value.value});
            set("data", self.data.iter().map(value).collect());
        }
        set("source", json!(self.source));
        Json::Object(object)
    }
}

impl DocumentedAlias {
    fn to_json(&self) -> Json {
        json!({
            "name": self.name,
            "file": self.file,
            "line": self.line,
            "docstring": docstring(&self.docstring, None),
            "alias_of": self.alias_of,
        })
    }
}

impl DocumentedFunction {
    fn to_json(&self) -> Json {
        let mut object = Map::new();
        let mut set = |key: &str, value: Json| object.insert(key.to_owned(), value);
        set("name", json!(self.name));
        if let Some(file) = &self.file {
            set("file", json!(file));
            set("line", json!(self.line));
        }
        set("type", json!(self.api.name()));
        let of_signature = |signature: &DocumentedSignature| {
            json!({
                "signature": signature.text,
                "docstring": docstring(&signature.docstring, Some(&TAGS_OF_SIGNATURES)),
            })
        };
        set("signatures", self.signatures.iter().map(of_signature).collect());
        set("docstring", self.docstring_json());
        if let [only] = self.signatures.as_slice()
            && !only.defaults.is_empty()
        {
            set("defaults", pairs(&only.defaults));
        }
        if let Some(source) = &self.source {
            set("source", json!(source));
        }
        Json::Object(object)
    }

    /// Returns the function's own docstring, with the docstrings of several signatures as tags.
    fn docstring_json(&self) -> Json {
        let tags = self.docstring.tags.iter().map(|tag| (tag.tag_name.as_str(), tag.to_json()));
        let overloads = match self.signatures.as_slice() {
            [_] => &[],
            several => several,
        };
        let overload = |signature: &DocumentedSignature| ("overload", signature.overload_json(&self.name));
        let tags = tags.chain(overloads.iter().map(overload)).collect();
        with_tags(&self.docstring.text, self.docstring.is_public(), tags)
    }
}

impl DocumentedSignature {
    fn overload_json(&self, name: &str) -> Json {
        let mut object = Map::new();
        object.insert("tag_name".to_owned(), json!("overload"));
        object.insert("signature".to_owned(), json!(self.text));
        object.insert("docstring".to_owned(), docstring(&self.docstring, None));
        if !self.defaults.is_empty() {
            object.insert("defaults".to_owned(), pairs(&self.defaults));
        }
        object.insert("name".to_owned(), json!(name));
        Json::Object(object)
    }
}

fn pairs(pairs: &[(String, String)]) -> Json {
    pairs.iter().map(|(name, value)| (name.clone(), json!(value))).collect::<Map<_, _>>().into()
}

impl DocTag {
    pub(super) fn to_json(&self) -> Json {
        let mut object = Map::new();
        let mut set = |key: &str, value: Json| object.insert(key.to_owned(), value);
        set("tag_name", json!(self.tag_name));
        if let Some(entry) = &self.entry {
            set("opt_name", json!(entry.name));
            set("opt_text", json!(entry.text));
            if let Some(types) = &entry.types {
                set("opt_types", json!(types));
            }
            set("parent", json!(self.name));
        }
        if let Some(text) = &self.text {
            set("text", json!(text));
        }
        if let Some(types) = &self.types {
            set("types", json!(types));
        }
        if let Some(name) = &self.name {
            set("name", json!(name));
        }
        Json::Object(object)
    }
}

impl Api {
    /// Returns the name for documents.
    pub fn name(self) -> &'static str {
        match self {
            Self::Ruby4x => "ruby4x",
            Self::Ruby3x => "ruby3x",
            Self::Puppet => "puppet",
            Self::BuiltIn => "builtin",
        }
    }
}
