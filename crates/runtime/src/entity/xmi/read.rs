//! XMI to the data of objects.

use std::sync::Arc;

use crate::entity::ecore::URI;
use crate::entity::text::from_text;
use crate::entity::xml::{Name, XMI, XSI, XmlElement};
use puppetfn_base::error::{Error, ErrorKind, SourceLocation};
use puppetfn_base::limits::Limits;
use puppetfn_types::convert::create::defined_by_features;
use puppetfn_types::types::parse::{TypeLookup, named};
use puppetfn_types::types::{FeatureKind, FeatureModel, Model, ObjectType};
use puppetfn_types::value::{Hash, TYPE_KEY, Value};

/// Returns the data of the object in an XMI document, which its type can be made of; it names the type if that is
/// another one than the expected.
///
/// # Errors
/// Fails if it is not XMI with one object, or names types that do not exist.
pub fn read(
    text: &str,
    expected: &ObjectType,
    lookup: &dyn TypeLookup,
    limits: &Limits,
) -> Result<Hash, Error> {
    let root = XmlElement::parse(text, limits)?;
    let reading = XmiReader { text, lookup, limits };
    if root.name.namespace.as_deref() == Some(XMI) {
        return Err(reading.wrong(&root, "a document with several objects"));
    }
    let name = reading.type_named(&root, &root.name, expected)?;
    reading.typed(&root, &name, expected)
}

struct XmiReader<'r> {
    text: &'r str,
    lookup: &'r dyn TypeLookup,
    limits: &'r Limits,
}

impl XmiReader<'_> {
    #[cold]
    fn wrong(&self, element: &XmlElement, message: impl std::fmt::Display) -> Error {
        let message = format!("The XMI cannot be read: {message}");
        Error::new(ErrorKind::Load, message).at(SourceLocation::of(self.text, element.at))
    }

    /// Returns the name of the type for a class of a package. A class of another model is in the namespace of the
    /// expected type.
    fn type_named(&self, element: &XmlElement, class: &Name, expected: &ObjectType) -> Result<String, Error> {
        let namespace = match class.namespace.as_deref().and_then(|uri| uri.strip_prefix(URI)) {
            Some(own) => own.split('/').filter(|part| !part.is_empty()).collect::<Vec<_>>().join("::"),
            None => expected.label().rsplit_once("::").map_or("", |(namespace, _)| namespace).to_owned(),
        };
        let local = &class.local;
        let is_name = !local.is_empty() && local.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        if !is_name {
            return Err(self.wrong(element, format_args!("'{local}' is no name for a type")));
        }
        Ok(if namespace.is_empty() { local.clone() } else { format!("{namespace}::{local}") })
    }

    /// Returns the data of an object of the named type, with that name if it is not the expected one.
    fn typed(&self, element: &XmlElement, name: &str, expected: &ObjectType) -> Result<Hash, Error> {
        if name.eq_ignore_ascii_case(expected.label()) {
            return match expected.model() {
                Some(model) => self.data(element, model, Hash::default()),
                None => Err(self.wrong(element, format_args!("{name} is not defined by its features"))),
            };
        }
        let found = defined_by_features(&named(name, self.lookup)?);
        let Some((t, model)) = found.as_ref().and_then(|t| Some((t, t.model()?))) else {
            return Err(self.wrong(element, format_args!("there is no object type '{name}'")));
        };
        let mut data = Hash::default();
        data.insert(TYPE_KEY.into(), t.label().into());
        self.data(element, model, data)
    }

    /// Adds the features. Unknown ones keep their names, and are refused when the object is created.
    fn data(&self, element: &XmlElement, model: &Model, mut data: Hash) -> Result<Hash, Error> {
        for (name, value) in element.attributes.iter().filter(|(name, _)| name.namespace.is_none()) {
            let value = match model.feature(&name.local) {
                None => value.as_str().into(),
                Some((_, feature)) => attribute(feature, value, self.limits),
            };
            data.insert(name.local.as_str().into(), value);
        }
        for child in &element.children {
            let name = child.name.local.as_str();
            let (value, is_many) = match model.feature(name) {
                None => (child.text.as_str().into(), false),
                Some((_, feature)) => (self.part(child, feature)?, feature.is_many()),
            };
            if !is_many || matches!(value, Value::Undef) {
                data.insert(name.into(), value);
                continue;
            }
            let Value::Array(before) = data.get_str(name).cloned().unwrap_or_else(|| Vec::new().into())
            else {
                continue;
            };
            let all: Vec<Value> = before.iter().cloned().chain([value]).collect();
            data.insert(name.into(), all.into());
        }
        Ok(data)
    }

    fn part(&self, child: &XmlElement, feature: &Arc<FeatureModel>) -> Result<Value, Error> {
        if child.qualified(XSI, "nil") == Some("true") {
            return Ok(Value::Undef);
        }
        match feature.kind {
            FeatureKind::Attribute => Ok(from_text(&feature.t, &child.text, self.limits)),
            FeatureKind::Reference => Ok(child.attribute("href").unwrap_or_default().into()),
            FeatureKind::Containment => {
                let Some(expected) = defined_by_features(&feature.t) else {
                    return Err(self.wrong(child, format_args!("{} has no object type", feature.label())));
                };
                let name = match &child.type_name {
                    Some(class) => self.type_named(child, class, &expected)?,
                    None => expected.label().to_owned(),
                };
                self.typed(child, &name, &expected).map(|data| Value::Hash(data.into()))
            }
        }
    }
}

/// Returns the value of a feature from an XML attribute, in which spaces separate several values.
fn attribute(feature: &FeatureModel, text: &str, limits: &Limits) -> Value {
    let value = |text: &str| match feature.kind {
        FeatureKind::Reference | FeatureKind::Containment => text.into(),
        FeatureKind::Attribute => from_text(&feature.t, text, limits),
    };
    if feature.is_many() {
        text.split_whitespace().map(value).collect::<Vec<_>>().into()
    } else {
        value(text)
    }
}
