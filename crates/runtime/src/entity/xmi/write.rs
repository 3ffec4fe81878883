//! Objects to XMI.

use std::collections::BTreeMap;

use crate::entity::ecore::{prefix, split, uri};
use crate::entity::text::to_text;
use crate::entity::xml::{XMI, XSI, XmlNode};
use puppetfn_base::error::{Error, ErrorKind};
use puppetfn_base::limits::Limits;
use puppetfn_types::types::{FeatureKind, FeatureModel, Type};
use puppetfn_types::value::{Object, ObjectPlaces, Value, elements};

/// Returns the XMI document of an object and the objects that it contains, without transient features.
///
/// # Errors
/// Fails if the type is not defined by its features, if the object refers to one that it does not contain, or if a value
/// cannot be written: a sensitive one, or a text with characters that XML does not allow.
pub fn write(object: &Object, limits: &Limits) -> Result<String, Error> {
    let label = object.definition().label();
    if object.instance().is_none() {
        let message = format!("{label} is not defined by its features: it has no model");
        return Err(Error::new(ErrorKind::Conversion, message));
    }
    let mut writing = Writing { places: ObjectPlaces::of(object), namespaces: BTreeMap::new(), limits };
    let (namespace, simple) = split(label);
    let name = writing.qualified(&namespace, simple);
    let content = writing.node(XmlNode::new(name), object)?;
    let mut root = content;
    root.prepend("xmi:version", "2.0");
    root.prepend("xmlns:xmi", XMI);
    root.prepend("xmlns:xsi", XSI);
    for (prefix, uri) in &writing.namespaces {
        root.prepend(format!("xmlns:{prefix}"), &**uri);
    }
    root.document()
}

struct Writing<'l> {
    places: ObjectPlaces,
    /// The URIs of the packages that are used, by their prefixes.
    namespaces: BTreeMap<String, String>,
    limits: &'l Limits,
}

impl Writing<'_> {
    /// Returns the name of a class with the prefix of its package.
    fn qualified(&mut self, namespace: &[&str], simple: &str) -> String {
        let prefix = prefix(namespace);
        let name = format!("{prefix}:{simple}");
        self.namespaces.insert(prefix, uri(namespace));
        name
    }

    fn node(&mut self, mut node: XmlNode, object: &Object) -> Result<XmlNode, Error> {
        for (feature, value) in object.kept_features().filter(|(feature, _)| !feature.is_transient) {
            match feature.kind {
                FeatureKind::Attribute => {
                    let value = if feature.get.is_some() { object.attribute(&feature.name)? } else { value };
                    attribute(&mut node, feature, &value, self.limits)?;
                }
                FeatureKind::Containment => {
                    for part in elements(&value) {
                        if let Value::Object(part) = part {
                            let child = self.part(feature, part)?;
                            node.children.push(child);
                        }
                    }
                }
                FeatureKind::Reference => {
                    let places =
                        elements(&value).iter().map(|other| self.places.of_reference(feature, object, other));
                    let places = places.collect::<Result<Vec<_>, _>>()?;
                    if !places.is_empty() {
                        node.attribute(&*feature.name, places.join(" "));
                    }
                }
            }
        }
        Ok(node)
    }

    fn part(&mut self, feature: &FeatureModel, part: &Object) -> Result<XmlNode, Error> {
        let mut child = XmlNode::new(&*feature.name);
        let is_expected = if let Type::Object(t) = &feature.t { *t == part.object_type() } else { false };
        if !is_expected {
            let (namespace, simple) = split(part.definition().label());
            child.attribute("xsi:type", self.qualified(&namespace, simple));
        }
        self.node(child, part)
    }
}

/// One value is an attribute, several are an element each.
fn attribute(
    node: &mut XmlNode,
    feature: &FeatureModel,
    value: &Value,
    limits: &Limits,
) -> Result<(), Error> {
    let name = &*feature.name;
    if matches!(value, Value::Undef) {
        node.children.push(XmlNode::new(name).with("xsi:nil", "true"));
    } else if feature.is_many() {
        for value in elements(value) {
            node.children.push(XmlNode::of_text(name, text(feature, value, limits)?));
        }
    } else {
        node.attribute(name, text(feature, value, limits)?);
    }
    Ok(())
}

fn text(feature: &FeatureModel, value: &Value, limits: &Limits) -> Result<String, Error> {
    let labeled = |error: Error| error.restated(format!("{}: {}", feature.label(), error.message()));
    to_text(&feature.t, value, limits).map_err(labeled)
}
