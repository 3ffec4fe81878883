//! Types to Ecore.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::{DEFAULT, ECORE, INVARIANT, MESSAGE, SOURCE, TYPE, VERSION, prefix, split, uri};
use crate::entity::language;
use crate::entity::outline::code;
use crate::entity::text::{AttributeForm, form};
use crate::entity::xml::{XMI, XSI, XmlNode};
use puppetfn_base::error::{Error, ErrorKind};
use puppetfn_base::limits::Limits;
use puppetfn_base::source::Span;
use puppetfn_types::convert::create::defined_by_features;
use puppetfn_types::types::{
    Definition, EnumType, FeatureKind, FeatureModel, FloatRange, IntegerRange, Model, ObjectType, StringType,
    Type,
};
use puppetfn_types::value::Value;

/// Options of an export.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ExportOptions {
    /// Whether the code of types is in annotations; otherwise the model is free of it.
    pub logic: bool,
    /// The limits of the values in it.
    pub limits: Limits,
}

/// Returns the Ecore document of types that are defined by their features, and of the types that they use.
///
/// # Errors
/// Fails if a type is not defined by its features, or if its code cannot be delimited.
pub fn export(types: &[Type], options: ExportOptions) -> Result<String, Error> {
    let mut exporter = Exporter { options, types: BTreeMap::new(), root: Vec::new() };
    for t in types {
        let definition = defined_by_features(t).ok_or_else(|| {
            Error::new(ErrorKind::Conversion, format!("{t} is not defined by its features: it has no model"))
        })?;
        exporter.add(definition);
    }
    let names: Vec<_> = exporter.types.keys().cloned().collect();
    exporter.root = common(&names);
    exporter.document()
}

/// Returns the first part of the namespace that all names have.
fn common(names: &[String]) -> Vec<String> {
    let mut first = names.iter().map(|name| split(name).0.first().copied());
    let Some(Some(root)) = first.next() else { return Vec::new() };
    if first.all(|other| other == Some(root)) { vec![root.to_owned()] } else { Vec::new() }
}

struct Exporter {
    options: ExportOptions,
    /// By their names.
    types: BTreeMap<String, Arc<Definition<ObjectType>>>,
    /// The namespace of the outermost package.
    root: Vec<String>,
}

/// A package in the making.
#[derive(Default)]
struct Package {
    classifiers: Vec<XmlNode>,
    packages: BTreeMap<String, Package>,
}

impl Exporter {
    /// Adds a type, its ancestors and the types that it refers to.
    fn add(&mut self, definition: Arc<Definition<ObjectType>>) {
        let mut left = vec![definition];
        while let Some(definition) = left.pop() {
            if self.types.insert(definition.label().to_owned(), Arc::clone(&definition)).is_some() {
                continue;
            }
            left.extend(definition.parent_object());
            let features = definition.model().into_iter().flat_map(|model| model.features.values());
            left.extend(features.filter_map(|feature| defined_by_features(&feature.t)));
        }
    }

    fn document(&self) -> Result<String, Error> {
        let mut root = Package::default();
        for (name, definition) in &self.types {
            let (namespace, simple) = split(name);
            let mut package = &mut root;
            for part in namespace.iter().skip(self.root.len()) {
                package = package.packages.entry((*part).to_owned()).or_default();
            }
            let Some(model) = definition.model() else { continue };
            let class = self.class(simple, definition, model, &mut package.classifiers)?;
            package.classifiers.push(class);
        }
        let namespace: Vec<&str> = self.root.iter().map(String::as_str).collect();
        let mut node = package_node("ecore:EPackage", root, &namespace);
        if self.options.logic {
            let version = [(VERSION, language::VERSION.to_string())];
            node.children.insert(0, annotation(&version));
        }
        node.document()
    }

    fn class(
        &self,
        simple: &str,
        t: &ObjectType,
        model: &Model,
        data_types: &mut Vec<XmlNode>,
    ) -> Result<XmlNode, Error> {
        let mut class = XmlNode::new("eClassifiers").with("xsi:type", "ecore:EClass").with("name", simple);
        if model.is_abstract {
            class.attribute("abstract", "true");
        }
        if let Some(parent) = t.parent_object() {
            class.attribute("eSuperTypes", self.reference(parent.label()));
        }
        for invariant in model.invariants.iter().filter(|_| self.options.logic) {
            let code = text(model, invariant.condition, t.label())?;
            let mut details = vec![(INVARIANT, code)];
            details.extend(invariant.message.as_ref().map(|message| (MESSAGE, message.to_string())));
            class.children.push(annotation(&details));
        }
        for feature in model.features.values().filter(|feature| &*feature.container == t.label()) {
            let node = self.feature(simple, feature, model, data_types)?;
            class.children.push(node);
        }
        Ok(class)
    }

    /// Returns where a class is within the document.
    fn reference(&self, name: &str) -> String {
        let (namespace, simple) = split(name);
        let inner: Vec<String> =
            namespace.iter().skip(self.root.len()).map(|part| part.to_lowercase()).collect();
        let path: String = inner.iter().map(|part| format!("{part}/")).collect();
        format!("#//{path}{simple}")
    }

    fn feature(
        &self,
        class: &str,
        feature: &FeatureModel,
        model: &Model,
        data_types: &mut Vec<XmlNode>,
    ) -> Result<XmlNode, Error> {
        let kind = if feature.is_reference() { "ecore:EReference" } else { "ecore:EAttribute" };
        let mut node =
            XmlNode::new("eStructuralFeatures").with("xsi:type", kind).with("name", &*feature.name);
        let mut details = Vec::new();
        let e_type = match (&feature.t, feature.is_reference()) {
            (Type::Object(t), true) => self.reference(t.name()),
            (t, _) => self.data_type(class, feature, t, data_types),
        };
        if feature.min > 0 {
            node.attribute("lowerBound", feature.min.to_string());
        }
        if feature.is_many() {
            node.attribute("upperBound", feature.max.map_or_else(|| "-1".to_owned(), |max| max.to_string()));
            if !feature.is_reference() {
                // Ecore's attributes have each value once, unless they say otherwise.
                node.attribute("unique", "false");
            }
        }
        node.attribute("eType", e_type);
        let is_derived = feature.derived.is_some();
        let flags = [
            ("changeable", !feature.is_settable, "false"),
            ("volatile", is_derived, "true"),
            ("transient", feature.is_transient, "true"),
            ("unsettable", feature.is_unsettable, "true"),
            ("derived", is_derived, "true"),
            ("containment", feature.kind == FeatureKind::Containment, "true"),
        ];
        for (name, _, value) in flags.into_iter().filter(|(_, is_set, _)| *is_set) {
            node.attribute(name, value);
        }
        if let Some(default) = &feature.default {
            match (form(&feature.t), default) {
                // Features with several values have no default in Ecore.
                (AttributeForm::Json, _) | (_, Value::Array(_)) => {
                    details.push((DEFAULT, default.to_literal()))
                }
                _ => node.attribute("defaultValueLiteral", default.interpolated(&self.options.limits)?),
            }
        }
        if self.options.logic {
            for (name, span) in code(feature) {
                details.push((name, text(model, span, &feature.label())?));
            }
        }
        if !details.is_empty() {
            node.children.push(annotation(&details));
        }
        Ok(node)
    }

    /// Returns the data type of an attribute: one of Ecore's, or one that is made for it.
    fn data_type(&self, class: &str, feature: &FeatureModel, t: &Type, made: &mut Vec<XmlNode>) -> String {
        if let Some(own) = own_data_type(t) {
            return format!("ecore:EDataType {ECORE}#//{own}");
        }
        let (namespace, _) = split(&feature.container);
        let full = |name: &str| namespace.iter().copied().chain([name]).collect::<Vec<_>>().join("::");
        let mut name = data_type_name(class, &feature.name);
        while self.types.contains_key(&full(&name)) || made.iter().any(|node| node.is_named(&name)) {
            name.push('_');
        }
        let plain = if let Type::Enum(names) = t { literals(names) } else { None };
        let node = match plain {
            Some(literals) => {
                let mut node =
                    XmlNode::new("eClassifiers").with("xsi:type", "ecore:EEnum").with("name", &*name);
                for (value, literal) in literals.iter().enumerate() {
                    let literal =
                        XmlNode::new("eLiterals").with("name", &**literal).with("value", value.to_string());
                    node.children.push(literal);
                }
                node
            }
            None => {
                let java = match form(t) {
                    AttributeForm::Number => number_class(t),
                    AttributeForm::Text | AttributeForm::Scalar | AttributeForm::Json => "java.lang.String",
                };
                let mut node = XmlNode::new("eClassifiers")
                    .with("xsi:type", "ecore:EDataType")
                    .with("name", &*name)
                    .with("instanceClassName", java);
                node.children.push(annotation(&[(TYPE, t.to_string())]));
                node
            }
        };
        made.push(node);
        self.reference(&full(&name))
    }
}

/// Returns the data type of Ecore's that has exactly the values of a type.
fn own_data_type(t: &Type) -> Option<&'static str> {
    match t {
        Type::String(string) if *string == StringType::ANY => Some("EString"),
        Type::Integer(range) if *range == IntegerRange::UNBOUNDED => Some("ELong"),
        Type::Float(range) if *range == FloatRange::UNBOUNDED => Some("EDouble"),
        Type::Boolean(None) => Some("EBoolean"),
        Type::Any => Some("EJavaObject"),
        _ => None,
    }
}

/// Returns the Java class of numbers of a type.
fn number_class(t: &Type) -> &'static str {
    if Type::INTEGER.assignable(t) {
        "java.lang.Long"
    } else if matches!(t, Type::Boolean(_)) {
        "java.lang.Boolean"
    } else {
        "java.lang.Double"
    }
}

/// Returns the names of an enum, if Ecore accepts them as names of literals.
fn literals(names: &EnumType) -> Option<Vec<Arc<str>>> {
    let is_name = |name: &str| {
        name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
            && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    };
    let values = names.values();
    (!names.case_insensitive() && values.iter().all(|name| is_name(name))).then(|| values.to_vec())
}

/// `UserColor`, of the class `User` and the attribute `color`.
fn data_type_name(class: &str, feature: &str) -> String {
    let mut name = class.to_owned();
    for part in feature.split('_') {
        let mut letters = part.chars();
        name.extend(letters.next().map(|first| first.to_ascii_uppercase()));
        name.push_str(letters.as_str());
    }
    name
}

fn package_node(element: &str, package: Package, namespace: &[&str]) -> XmlNode {
    let is_root = element != "eSubpackages";
    let mut node = XmlNode::new(element);
    if is_root {
        node.attribute("xmi:version", "2.0");
        node.attribute("xmlns:xmi", XMI);
        node.attribute("xmlns:xsi", XSI);
        node.attribute("xmlns:ecore", ECORE);
    }
    let name = namespace.last().map_or_else(|| prefix(&[]), |last| last.to_lowercase());
    let mut node = node.with("name", name).with("nsURI", uri(namespace)).with("nsPrefix", prefix(namespace));
    node.children = package.classifiers;
    for (name, inner) in package.packages {
        let mut namespace = namespace.to_vec();
        namespace.push(&name);
        node.children.push(package_node("eSubpackages", inner, &namespace));
    }
    node
}

fn annotation(details: &[(&str, String)]) -> XmlNode {
    let mut node = XmlNode::new("eAnnotations").with("source", SOURCE);
    for (key, value) in details {
        node.children.push(XmlNode::new("details").with("key", *key).with("value", &**value));
    }
    node
}

/// Returns the text of code.
fn text(model: &Model, span: Span, label: &str) -> Result<String, Error> {
    let text = span.text(model.source.text());
    // The text of a heredoc is on the lines after the code.
    if text.contains("@(") {
        let message = format!("The code of {label} has a heredoc in it, and cannot be in a model");
        return Err(Error::new(ErrorKind::Unrepresentable, message));
    }
    Ok(text.to_owned())
}
