//! Documentation of resource types and providers.

use serde_json::{Map, Value as Json, json};

use super::declared::DeclaredProvider;
use super::docstring::{Docstring, ReadingMode, docstring};
use puppetfn_catalog::{AttributeDescription, AttributeKind, TypeDescription};

/// The documentation of a resource type.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DocumentedResourceType {
    /// The description in its declaration.
    pub description: TypeDescription,
    /// The file that defines it; `None` for a built-in type.
    pub file: Option<String>,
    /// The docstring.
    pub docstring: Docstring,
}

/// The documentation of a provider.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DocumentedProvider {
    /// The declaration.
    pub declared: DeclaredProvider,
    /// The file that defines it.
    pub file: String,
    /// The docstring.
    pub docstring: Docstring,
}

impl DocumentedResourceType {
    /// Documents a type.
    pub fn of(description: TypeDescription, file: Option<String>, reading: ReadingMode) -> Self {
        let docstring = Docstring::read(description.doc.as_deref().unwrap_or_default(), reading);
        Self { description, file, docstring }
    }

    /// Returns the attributes of a kind, by name.
    pub fn attributes(&self, kind: AttributeKind) -> Vec<&AttributeDescription> {
        let attributes = self.description.attributes.iter();
        let mut attributes: Vec<_> = attributes.filter(|attribute| attribute.kind == kind).collect();
        attributes.sort_by(|a, b| a.name.cmp(&b.name));
        attributes
    }

    /// Returns the JSON of Puppet Strings' schema, with these providers.
    pub(super) fn to_json(&self, providers: &[&DocumentedProvider]) -> Json {
        let chosen = AttributeDescription::provider_of(&self.description.name);

        let mut object = Map::new();
        object.insert("name".to_owned(), json!(self.description.name));
        if let Some(file) = &self.file {
            object.insert("file".to_owned(), json!(file));
            object.insert("line".to_owned(), json!(self.description.line));
        }
        object.insert("docstring".to_owned(), docstring(&self.docstring, None));
        for (key, kind) in [
            ("properties", AttributeKind::Property),
            ("parameters", AttributeKind::Parameter),
            ("checks", AttributeKind::Check),
        ] {
            let mut attributes = self.attributes(kind);
            // Any resource can choose its provider.
            let is_named = attributes.iter().any(|attribute| attribute.name == chosen.name);
            if kind == AttributeKind::Parameter && !providers.is_empty() && !is_named {
                attributes.push(&chosen);
                attributes.sort_by(|a, b| a.name.cmp(&b.name));
            }
            insert_list(&mut object, key, attributes.into_iter().map(attribute));
        }
        let mut features: Vec<_> = self.description.features.iter().collect();
        features.sort_by(|a, b| a.name.cmp(&b.name));
        let feature = |name: &str, doc: &str| match doc {
            "" => json!({"name": name}),
            doc => json!({"name": name, "description": doc.replace('\n', " ")}),
        };
        insert_list(&mut object, "features", features.into_iter().map(|one| feature(&one.name, &one.doc)));
        insert_list(&mut object, "providers", providers.iter().map(|provider| provider.to_json()));
        Json::Object(object)
    }
}

impl DocumentedProvider {
    /// Documents a declaration.
    pub fn of(declared: DeclaredProvider, file: String, reading: ReadingMode) -> Self {
        let docstring = Docstring::read(declared.doc.as_deref().unwrap_or_default(), reading);
        Self { declared, file, docstring }
    }

    /// Returns the JSON of Puppet Strings' schema.
    pub(super) fn to_json(&self) -> Json {
        let DeclaredProvider { type_name, name, line, confines, defaults, commands, features, .. } =
            &self.declared;
        let mut object = Map::new();
        object.insert("name".to_owned(), json!(name));
        object.insert("type_name".to_owned(), json!(type_name));
        object.insert("file".to_owned(), json!(self.file));
        object.insert("line".to_owned(), json!(line));
        object.insert("docstring".to_owned(), docstring(&self.docstring, None));
        insert_pairs(&mut object, "confines", confines);
        insert_list(&mut object, "features", features.iter().map(|feature| json!(feature)));
        insert_list(&mut object, "defaults", defaults.iter().map(|constraints| json!(constraints)));
        insert_pairs(&mut object, "commands", commands);
        Json::Object(object)
    }
}

fn attribute(attribute: &AttributeDescription) -> Json {
    let mut object = Map::new();
    object.insert("name".to_owned(), json!(attribute.name));
    let mut set = |key: &str, value: Option<Json>| {
        value.into_iter().for_each(|value| _ = object.insert(key.to_owned(), value));
    };
    set("description", attribute.doc.as_ref().filter(|doc| !doc.is_empty()).map(|doc| json!(doc)));
    let values = attribute.all_values();
    set("values", Some(values).filter(|values| !values.is_empty()).map(|values| json!(values)));
    set("data_type", attribute.data_type.as_ref().map(|data_type| json!(data_type)));
    let aliases: Map<String, Json> =
        attribute.aliases.iter().map(|(alias, value)| (alias.clone(), json!(value))).collect();
    set("aliases", Some(aliases).filter(|aliases| !aliases.is_empty()).map(Json::Object));
    set("isnamevar", attribute.is_namevar.then_some(Json::Bool(true)));
    let features = Some(attribute.features.join(", ")).filter(|features| !features.is_empty());
    set("required_features", features.map(Json::String));
    set("default", attribute.default.as_ref().map(|default| json!(default)));
    Json::Object(object)
}

fn insert_list(object: &mut Map<String, Json>, key: &str, items: impl Iterator<Item = Json>) {
    let items: Vec<Json> = items.collect();
    if !items.is_empty() {
        object.insert(key.to_owned(), Json::Array(items));
    }
}

fn insert_pairs(object: &mut Map<String, Json>, key: &str, pairs: &[(String, String)]) {
    if !pairs.is_empty() {
        let pairs: Map<String, Json> =
            pairs.iter().map(|(name, value)| (name.clone(), json!(value))).collect();
        object.insert(key.to_owned(), Json::Object(pairs));
    }
}
