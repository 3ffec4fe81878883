//! Descriptions of resource types in Ruby, read from their files without running them.

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
    /// The documentation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub doc: Option<String>,
    /// Whether resources may have attributes that are not listed here.
    #[serde(rename = "open", skip_serializing_if = "is_default")]
    pub is_open: bool,
    /// Whether names of resources are unique: Puppet's `isomorphic?`.
    #[serde(rename = "isomorphic", skip_serializing_if = "is_default")]
    pub is_isomorphic: bool,
    /// Whether code takes titles apart.
    #[serde(rename = "patterns", skip_serializing_if = "is_default")]
    pub has_title_patterns: bool,
    /// The properties, parameters and checks, in order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub attributes: Vec<AttributeDescription>,
    /// The features that providers may have.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub features: Vec<ProviderFeature>,
    /// The names of the providers that its own file declares.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub providers: Vec<String>,
    /// The combinations of attributes that no resource can have.
    #[serde(rename = "combinations", skip_serializing_if = "Vec::is_empty")]
    pub refused_combinations: Vec<RefusedCombination>,
}

/// A combination of attributes that makes resources of a type fail.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize, Serialize)]
pub struct RefusedCombination {
    /// The condition that refused resources meet.
    pub condition: AttributeCondition,
    /// The error message.
    pub message: String,
}

/// A condition about the attributes of a resource.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum AttributeCondition {
    /// An attribute is given a value.
    Given(String),
    /// An attribute has a value that is neither nil nor false.
    Set(String),
    /// The value of an attribute is a word.
    Is(String, String),
    /// Another condition does not hold.
    Not(Box<AttributeCondition>),
    /// All of several conditions hold.
    All(Vec<AttributeCondition>),
    /// One of several conditions holds.
    Any(Vec<AttributeCondition>),
}

/// A property, parameter or check of a resource type.
#[derive(Clone, PartialEq, Eq, Debug, Default, Deserialize, Serialize)]
#[serde(default)]
pub struct AttributeDescription {
    /// The name.
    pub name: String,
    /// Property, parameter or check.
    pub kind: AttributeKind,
    /// The documentation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub doc: Option<String>,
    /// The values that it can have, as far as they are listed; regular expressions are between slashes.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub values: Vec<String>,
    /// Other names of values, and the values.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub aliases: Vec<(String, String)>,
    /// The default value, as a text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub default: Option<String>,
    /// Whether code computes the default value.
    #[serde(rename = "computed_default", skip_serializing_if = "is_default")]
    pub has_computed_default: bool,
    /// Whether it may have no value although it is given one: code may turn any value into nothing.
    #[serde(rename = "unset", skip_serializing_if = "is_default")]
    pub may_be_unset: bool,
    /// The type of its values, where it is stated as one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub data_type: Option<String>,
    /// Whether the attribute names resources.
    #[serde(rename = "namevar", skip_serializing_if = "is_default")]
    pub is_namevar: bool,
    /// Whether every resource must be given it.
    #[serde(rename = "required", skip_serializing_if = "is_default")]
    pub is_required: bool,
    /// The features that a provider needs to manage the attribute.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub features: Vec<String>,
    /// Conditions that values have to meet.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub requirements: Vec<Requirement>,
}

/// The kind of an attribute.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum AttributeKind {
    /// A state of the system that a provider brings about.
    Property,
    /// Information about a resource that is not a state of the system.
    #[default]
    Parameter,
    /// A condition for managing the resource, such as `onlyif`.
    Check,
}

/// A condition on the values of an attribute: a resource that does not meet it fails.
#[derive(Clone, PartialEq, Eq, Debug, Default, Deserialize, Serialize)]
#[serde(default)]
pub struct Requirement {
    /// A type.
    #[serde(rename = "type")]
    pub type_text: String,
    /// Whether values of the type are refused; otherwise all others are.
    #[serde(rename = "refused", skip_serializing_if = "is_default")]
    pub is_refused: bool,
    /// Whether the condition is about the number or Boolean that a text represents.
    #[serde(skip_serializing_if = "is_default")]
    pub as_text: bool,
    /// Whether the condition is about each element of an Array.
    #[serde(rename = "each", skip_serializing_if = "is_default")]
    pub of_each: bool,
    /// Further conditions, without messages of their own: a value that one of them accepts meets the requirement, too.
    #[serde(rename = "or", skip_serializing_if = "Vec::is_empty")]
    pub alternatives: Vec<Self>,
    /// The error message. `%{value}` stands for the value, `%{inspect}` for the result of Ruby's `inspect`, `%{class}` for
    /// the class of the value, and `%{mismatch}` for how it does not match the type.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub message: String,
}

impl Requirement {
    /// Returns the requirement that a value meets if it meets this one or the other.
    #[must_use]
    pub fn or(mut self, other: Self) -> Self {
        let is_joint = !self.is_refused && !other.is_refused && self.as_text == other.as_text;
        let Self { type_text, is_refused, as_text, alternatives, .. } = other;
        if is_joint && self.alternatives.is_empty() {
            self.type_text = format!("Variant[{}, {type_text}]", self.type_text);
        } else {
            self.alternatives.push(Self { type_text, is_refused, as_text, ..Self::default() });
        }
        self.alternatives.extend(alternatives);
        self
    }

    /// Returns all conditions, of which a value meets one at least.
    pub fn conditions(&self) -> impl Iterator<Item = &Self> {
        std::iter::once(self).chain(&self.alternatives)
    }
}

/// A feature that providers may have.
#[derive(Clone, PartialEq, Eq, Debug, Default, Deserialize, Serialize)]
#[serde(default)]
pub struct ProviderFeature {
    /// The name.
    pub name: String,
    /// The documentation.
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
    /// Reads descriptions from JSON. Absent members are empty or false.
    ///
    /// # Errors
    /// [`ErrorKind::Internal`] when they are not: the reader of Ruby files writes them.
    pub fn list_of_json(text: &str) -> Result<Vec<Self>, Error> {
        serde_json::from_str(text).map_err(|error| Error::new(ErrorKind::Internal, error.to_string()))
    }

    /// Returns the attribute of this name. `name` also finds the attribute that names resources.
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
