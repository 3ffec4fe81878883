//! What a resource type in Ruby says of itself, as it is read from its file without running it.

use puppetfn_base::error::{Error, ErrorKind};
use serde::{Deserialize, Serialize};

/// Returns true if a value goes without saying.
fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

/// A resource type that is written in Ruby.
#[derive(Clone, PartialEq, Eq, Debug, Default, Deserialize, Serialize)]
#[serde(default)]
pub struct TypeDescription {
    /// The name.
    pub name: String,
    /// The line of the declaration, counted from 1; of one of Puppet's own, none.
    #[serde(skip_serializing_if = "is_default")]
    pub line: u32,
    /// What it is for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub doc: Option<String>,
    /// Whether it may have other attributes than these.
    #[serde(rename = "open", skip_serializing_if = "is_default")]
    pub is_open: bool,
    /// Whether no two resources can be of the same thing.
    #[serde(rename = "isomorphic", skip_serializing_if = "is_default")]
    pub is_isomorphic: bool,
    /// Whether code takes titles apart.
    #[serde(rename = "patterns", skip_serializing_if = "is_default")]
    pub has_title_patterns: bool,
    /// The properties, parameters and checks, in order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub attributes: Vec<AttributeDescription>,
    /// What providers may be able to do.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub features: Vec<Feature>,
    /// The names of the providers that its own file declares.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub providers: Vec<String>,
}

/// A property, parameter or check of a resource type.
#[derive(Clone, PartialEq, Eq, Debug, Default, Deserialize, Serialize)]
#[serde(default)]
pub struct AttributeDescription {
    /// The name.
    pub name: String,
    /// What it is.
    pub kind: AttributeKind,
    /// What it is for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub doc: Option<String>,
    /// The values that it can have, as far as they are listed; regular expressions are between slashes.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub values: Vec<String>,
    /// Other names of values, and the values.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub aliases: Vec<(String, String)>,
    /// What it is where nothing is given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub default: Option<String>,
    /// The type of its values, where it is stated as one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub data_type: Option<String>,
    /// Whether it names resources.
    #[serde(rename = "namevar", skip_serializing_if = "is_default")]
    pub is_namevar: bool,
    /// Whether every resource must be given it.
    #[serde(rename = "required", skip_serializing_if = "is_default")]
    pub is_required: bool,
    /// What a provider must be able to do for the attribute to be managed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub features: Vec<String>,
    /// What its values must be.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub requirements: Vec<Requirement>,
}

/// What an attribute is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum AttributeKind {
    /// Something that is brought about.
    Property,
    /// Something else that is said of a resource.
    #[default]
    Parameter,
    /// A condition.
    Check,
}

/// What values of an attribute must be for a resource not to fail.
#[derive(Clone, PartialEq, Eq, Debug, Default, Deserialize, Serialize)]
#[serde(default)]
pub struct Requirement {
    /// A type.
    #[serde(rename = "type")]
    pub type_text: String,
    /// Whether values of the type are refused; otherwise all others are.
    #[serde(rename = "refused", skip_serializing_if = "is_default")]
    pub is_refused: bool,
    /// Whether it is about a number or a Boolean as a text.
    #[serde(skip_serializing_if = "is_default")]
    pub as_text: bool,
    /// Whether it is about each element of an Array.
    #[serde(rename = "each", skip_serializing_if = "is_default")]
    pub of_each: bool,
    /// What it fails with. `%{value}` stands for the value, `%{inspect}` for what Ruby shows of it, `%{class}` for its
    /// class, and `%{mismatch}` for how it does not match the type.
    pub message: String,
}

/// Something that providers may be able to do.
#[derive(Clone, PartialEq, Eq, Debug, Default, Deserialize, Serialize)]
#[serde(default)]
pub struct Feature {
    /// The name.
    pub name: String,
    /// What it is.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub doc: String,
}

impl AttributeDescription {
    /// Returns the values that it can have, with their other names.
    pub fn all_values(&self) -> Vec<String> {
        let mut values = self.values.clone();
        for (alias, _) in &self.aliases {
            if !values.contains(alias) {
                values.push(alias.clone());
            }
        }
        values
    }

    /// Returns the same parameter in the words of Puppet Strings, for a type of this name.
    pub fn provider_of(type_name: &str) -> Self {
        let doc = format!(
            "The specific backend to use for this `{type_name}` resource. You will seldom need to specify this --- \
             Puppet will usually discover the appropriate provider for your platform."
        );
        Self { doc: Some(doc), ..Self::provider() }
    }

    /// Returns the parameter that types have whose providers are in other files.
    pub fn provider() -> Self {
        let doc =
            "The specific backend to use for a resource: one is chosen for the node where none is named.";
        Self { name: "provider".to_owned(), doc: Some(doc.to_owned()), ..Self::default() }
    }
}

impl TypeDescription {
    /// Reads descriptions that are in JSON. What is not said is empty or false.
    ///
    /// # Errors
    /// [`ErrorKind::Internal`] when they are not: the reader of Ruby files writes them.
    pub fn list_of_json(text: &str) -> Result<Vec<Self>, Error> {
        serde_json::from_str(text).map_err(|error| Error::new(ErrorKind::Internal, error.to_string()))
    }

    /// Returns the attribute of a name; `name` is also that of the one that names resources.
    pub fn attribute(&self, name: &str) -> Option<&AttributeDescription> {
        let named = |name: &str| self.attributes.iter().find(|attribute| attribute.name == name);
        match named(name) {
            None if name == "name" => self.namevar(),
            found => found,
        }
    }

    /// Returns the attribute that names resources, if there is only one.
    pub fn namevar(&self) -> Option<&AttributeDescription> {
        let mut names = self.attributes.iter().filter(|attribute| attribute.is_namevar);
        match (names.next(), names.next()) {
            (Some(only), None) => Some(only),
            _ => None,
        }
    }
}
