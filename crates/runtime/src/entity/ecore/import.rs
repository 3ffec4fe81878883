//! Ecore to types.

use std::collections::BTreeMap;

use super::{DEFAULT, ECORE, INVARIANT, MESSAGE, SOURCE, TYPE, URI, VERSION};
use crate::entity::language;
use crate::entity::outline::{FeatureOutline, InvariantOutline, TypeOutline};
use crate::entity::xml::XmlElement;
use puppetfn_base::error::{Error, ErrorKind, SourceLocation};
use puppetfn_base::limits::Limits;
use puppetfn_types::types::parse::only_type;
use puppetfn_types::value::QuotedString;

/// The definitions in an Ecore document.
#[derive(Clone, PartialEq, Debug)]
pub struct Imported {
    /// The definitions of its classes, sorted by name.
    pub types: Vec<TypeOutline>,
    /// Notes about parts of the model that the definitions cannot express.
    pub notes: Vec<String>,
}

/// Returns the types of an Ecore document.
///
/// ```
/// use puppetfn::entity::ecore::import;
/// use puppetfn::limits::Limits;
///
/// let model = r#"<ecore:EPackage xmlns:ecore="http://www.eclipse.org/emf/2002/Ecore"
///     xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" name="library" nsURI="http://library">
///   <eClassifiers xsi:type="ecore:EClass" name="Book">
///     <eStructuralFeatures xsi:type="ecore:EAttribute" name="title" lowerBound="1"
///       eType="ecore:EDataType http://www.eclipse.org/emf/2002/Ecore#//EString"/>
///   </eClassifiers>
/// </ecore:EPackage>"#;
/// let imported = import(model, &Limits::DEFAULT)?;
/// assert_eq!(
///     imported.types[0].to_string(),
///     "type Library::Book {\n  attr title, String { min => 1 }\n}"
/// );
/// # Ok::<(), puppetfn::error::Error>(())
/// ```
///
/// # Errors
/// Fails if the text is not Ecore, or has features that types cannot have, such as several superclasses of a class.
pub fn import(text: &str, limits: &Limits) -> Result<Imported, Error> {
    let root = XmlElement::parse(text, limits)?;
    let mut importer = Importer { text, classifiers: BTreeMap::new(), notes: Vec::new() };
    if root.name.namespace.as_deref() != Some(ECORE) || root.name.local != "EPackage" {
        let message = format!("expected an ecore:EPackage, got '{}'", root.name.local);
        return Err(importer.wrong(&root, message));
    }
    importer.check_version(&root)?;
    importer.collect(&root, "/", &[])?;
    let classes: Vec<_> =
        importer.classifiers.values().filter(|known| known.kind == ClassifierKind::Class).cloned().collect();
    let types = classes.iter().map(|class| importer.class(class)).collect::<Result<Vec<_>, _>>();
    let mut types = types?;
    types.sort_by(|a, b| a.name.cmp(&b.name));
    for outline in &types {
        // Annotations contain Puppet code, which might close its own braces: the text has to be a single type.
        let text = outline.to_string();
        let program = puppetfn_syntax::parse(&text, limits).map_err(|error| error.in_file("the model"))?;
        only_type(&program, &outline.name, "the model")?;
    }
    Ok(Imported { types, notes: importer.notes })
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum ClassifierKind {
    Class,
    Enum,
    DataType,
}

/// A class or a data type of the document.
#[derive(Clone)]
struct Classifier<'e> {
    kind: ClassifierKind,
    /// The name of the type that a class is.
    name: String,
    element: &'e XmlElement,
}

struct Importer<'t, 'e> {
    text: &'t str,
    /// By their places in the document, `//shop/User`.
    classifiers: BTreeMap<String, Classifier<'e>>,
    notes: Vec<String>,
}

impl<'e> Importer<'_, 'e> {
    #[cold]
    fn wrong(&self, element: &XmlElement, message: impl Into<String>) -> Error {
        let message = format!("The Ecore model cannot be imported: {}", message.into());
        Error::new(ErrorKind::Load, message).at(SourceLocation::of(self.text, element.at))
    }

    /// Refuses code of a language that this library does not know yet.
    fn check_version(&self, root: &XmlElement) -> Result<(), Error> {
        let Some(version) = details(root).find_map(|(key, value)| (key == VERSION).then_some(value)) else {
            return Ok(());
        };
        match version.parse::<u32>() {
            Ok(version) if version <= language::VERSION => Ok(()),
            Ok(_) | Err(_) => {
                let known = language::VERSION;
                Err(self.wrong(root, format!("its code is of version {version}, {known} is known")))
            }
        }
    }

    fn collect(&mut self, package: &'e XmlElement, path: &str, outer: &[String]) -> Result<(), Error> {
        let namespace = self.namespace(package, outer)?;
        for element in package.children("eClassifiers") {
            let kind = match element.type_name.as_ref().map(|name| name.local.as_str()) {
                Some("EClass") => ClassifierKind::Class,
                Some("EEnum") => ClassifierKind::Enum,
                Some("EDataType") => ClassifierKind::DataType,
                other => {
                    let message = format!("a classifier of the kind '{}'", other.unwrap_or_default());
                    return Err(self.wrong(element, message));
                }
            };
            let own = self.named(element)?;
            let place = format!("{path}/{own}");
            let segments: Vec<&str> = namespace.iter().map(String::as_str).chain([own]).collect();
            let name = match kind {
                ClassifierKind::Class => self.type_name(element, &segments.join("::"))?,
                ClassifierKind::Enum | ClassifierKind::DataType => own.to_owned(),
            };
            self.classifiers.insert(place, Classifier { kind, name, element });
        }
        for inner in package.children("eSubpackages") {
            let name = self.named(inner)?;
            self.collect(inner, &format!("{path}/{name}"), &namespace)?;
        }
        Ok(())
    }

    /// Returns the parts of the names of a package's types: as its URI says, if that is one of ours.
    fn namespace(&self, package: &XmlElement, outer: &[String]) -> Result<Vec<String>, Error> {
        if let Some(own) = package.attribute("nsURI").and_then(|uri| uri.strip_prefix(URI)) {
            return Ok(own.split('/').filter(|part| !part.is_empty()).map(str::to_owned).collect());
        }
        let name = self.type_name(package, self.named(package)?)?;
        Ok(outer.iter().cloned().chain([name]).collect())
    }

    fn named<'n>(&self, element: &'n XmlElement) -> Result<&'n str, Error> {
        element
            .attribute("name")
            .ok_or_else(|| self.wrong(element, format!("an element '{}' without a name", element.name.local)))
    }

    /// Returns a name with the capital letters that names of types have.
    fn type_name(&self, element: &XmlElement, name: &str) -> Result<String, Error> {
        let capitalized = name.split("::").map(capitalized).collect::<Vec<_>>().join("::");
        let is_name = |part: &str| {
            part.starts_with(|c: char| c.is_ascii_uppercase())
                && part.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        };
        if capitalized.split("::").all(is_name) {
            return Ok(capitalized);
        }
        Err(self.wrong(element, format!("'{name}' is no name for a type")))
    }

    fn class(&mut self, class: &Classifier<'e>) -> Result<TypeOutline, Error> {
        let element = class.element;
        let parents: Vec<&str> =
            element.attribute("eSuperTypes").unwrap_or_default().split_whitespace().collect();
        let parent = match parents.as_slice() {
            [] => None,
            [parent] => Some(self.referenced(element, parent)?.name.clone()),
            several => {
                let message = format!(
                    "{} inherits from {} classes, a type inherits from one at most",
                    class.name,
                    several.len()
                );
                return Err(self.wrong(element, message));
            }
        };
        if element.children("eOperations").next().is_some() {
            self.notes.push(format!("{} has operations, which types do not have", class.name));
        }
        let flag = |name| element.attribute(name) == Some("true");
        let features = element.children("eStructuralFeatures").map(|feature| self.feature(class, feature));
        let features = features.collect::<Result<_, _>>()?;
        Ok(TypeOutline {
            name: class.name.clone(),
            parent,
            is_abstract: flag("abstract") || flag("interface"),
            features,
            invariants: invariants(element),
        })
    }

    /// Returns the classifier of this document at a place.
    fn referenced(&self, element: &XmlElement, reference: &str) -> Result<&Classifier<'e>, Error> {
        let found = reference.strip_prefix('#').and_then(|place| self.classifiers.get(place));
        found.ok_or_else(|| {
            self.wrong(element, format!("'{reference}' is no classifier of the same document"))
        })
    }

    fn feature(&mut self, class: &Classifier<'_>, element: &XmlElement) -> Result<FeatureOutline, Error> {
        let name = self.named(element)?.to_owned();
        let label = format!("{}[{name}]", class.name);
        let is_name = name.starts_with(|c: char| c.is_ascii_lowercase() || c == '_')
            && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        if !is_name {
            let message =
                format!("{label}: '{name}' is no name for a feature, which begins with a small letter");
            return Err(self.wrong(element, message));
        }
        let is_reference = match element.type_name.as_ref().map(|name| name.local.as_str()) {
            Some("EReference") => true,
            Some("EAttribute") => false,
            other => {
                let message = format!("{label} is of the kind '{}'", other.unwrap_or_default());
                return Err(self.wrong(element, message));
            }
        };
        let t = self.feature_type(&label, element, is_reference)?;
        if element.attribute("eOpposite").is_some() {
            self.notes.push(format!("{label} has an opposite, which references of types do not have"));
        }
        let settings = self.settings(&label, element, is_reference)?;
        Ok(FeatureOutline { name, is_reference, t, settings })
    }

    fn feature_type(
        &mut self,
        label: &str,
        element: &XmlElement,
        is_reference: bool,
    ) -> Result<Option<String>, Error> {
        // The kind of the type may be before its place.
        let reference = element.attribute("eType").and_then(|t| t.split_whitespace().last());
        let Some(reference) = reference else {
            if is_reference || element.children("eGenericType").next().is_some() {
                return Err(self.wrong(element, format!("{label} has no type, or a generic one")));
            }
            return Ok(None);
        };
        if let Some(own) = reference.strip_prefix(ECORE).and_then(|place| place.strip_prefix("#//")) {
            return match own_type(own) {
                Some(t) if !is_reference => Ok(t.map(str::to_owned)),
                Some(_) | None => Err(self.wrong(element, format!("{label} is of the type '{own}'"))),
            };
        }
        let known = self.referenced(element, reference)?.clone();
        match (known.kind, is_reference) {
            (ClassifierKind::Class, true) => Ok(Some(known.name)),
            (ClassifierKind::Enum, false) => Ok(Some(enumeration(known.element))),
            (ClassifierKind::DataType, false) => {
                let stated = details(known.element).find_map(|(key, value)| (key == TYPE).then_some(value));
                if let Some(stated) = stated {
                    return Ok(Some(stated.to_owned()));
                }
                let class = known.element.attribute("instanceClassName").unwrap_or_default();
                Ok(Some(java_type(class).map_or_else(
                    || {
                        self.notes.push(format!("{label} is of the data type {}: a String", known.name));
                        "String".to_owned()
                    },
                    str::to_owned,
                )))
            }
            (ClassifierKind::Class, false) | (ClassifierKind::Enum | ClassifierKind::DataType, true) => {
                let kind =
                    if is_reference { "a reference to a data type" } else { "an attribute of a class" };
                Err(self.wrong(element, format!("{label} is {kind}")))
            }
        }
    }

    fn settings(
        &mut self,
        label: &str,
        element: &XmlElement,
        is_reference: bool,
    ) -> Result<Vec<(&'static str, String)>, Error> {
        let mut settings = Vec::new();
        let mut add = |name, text: Option<String>| settings.extend(text.map(|text| (name, text)));
        let min: u64 = self.number(label, element, "lowerBound", 0)?.unwrap_or(0);
        let max = self.number(label, element, "upperBound", 1)?;
        add("min", (min > 0).then(|| min.to_string()));
        let own_max = if min > 1 { None } else { Some(1) };
        add("max", (max != own_max).then(|| max.map_or_else(|| "unbound".to_owned(), |max| max.to_string())));
        let code: Vec<_> = details(element).collect();
        let stated =
            |name: &str| code.iter().find_map(|(key, value)| (*key == name).then(|| (*value).to_owned()));
        let flag = |name| element.attribute(name) == Some("true");
        let is_derived = stated("derived").is_some();
        if flag("derived") && !is_derived {
            self.notes.push(format!("{label} is derived, but nothing says how"));
        }
        add("unsettable", flag("unsettable").then(|| "true".to_owned()));
        let is_transient = flag("transient") || flag("derived");
        add("transient", (is_transient && !is_derived).then(|| "true".to_owned()));
        let is_settable = element.attribute("changeable") != Some("false");
        let by_default = !is_derived || stated("set").is_some();
        add("setable", (is_settable != by_default).then(|| is_settable.to_string()));
        add("containment", (is_reference && !flag("containment")).then(|| "false".to_owned()));
        let literal = element.attribute("defaultValueLiteral").map(|text| QuotedString(text).to_string());
        add("default", literal.filter(|_| !is_reference).or_else(|| stated(DEFAULT)));
        for name in ["check", "validate", "derived", "set", "get"] {
            add(name, stated(name));
        }
        Ok(settings)
    }

    /// Returns a bound; `None` if there is no bound.
    fn number(
        &self,
        label: &str,
        element: &XmlElement,
        name: &str,
        default: u64,
    ) -> Result<Option<u64>, Error> {
        match element.attribute(name) {
            None => Ok(Some(default)),
            Some("-1" | "-2") => Ok(None),
            Some(text) => text
                .parse()
                .map(Some)
                .map_err(|_| self.wrong(element, format!("{label} has '{text}' as its {name}"))),
        }
    }
}

fn capitalized(name: &str) -> String {
    let mut letters = name.chars();
    let first = letters.next().map(|first| first.to_ascii_uppercase());
    first.into_iter().chain(letters).collect()
}

/// Returns the keys and values of our own annotations.
fn details(element: &XmlElement) -> impl Iterator<Item = (&str, &str)> {
    let own = element.children("eAnnotations").filter(|own| own.attribute("source") == Some(SOURCE));
    own.flat_map(entries)
}

fn entries(annotation: &XmlElement) -> impl Iterator<Item = (&str, &str)> {
    annotation
        .children("details")
        .filter_map(|entry| Some((entry.attribute("key")?, entry.attribute("value")?)))
}

fn invariants(class: &XmlElement) -> Vec<InvariantOutline> {
    let own = class.children("eAnnotations").filter(|own| own.attribute("source") == Some(SOURCE));
    let invariant = |annotation| {
        let stated =
            |name: &str| entries(annotation).find_map(|(key, value)| (key == name).then(|| value.to_owned()));
        Some(InvariantOutline { message: stated(MESSAGE), condition: stated(INVARIANT)? })
    };
    own.filter_map(invariant).collect()
}

/// Returns the type for one of Ecore's own data types; `Some(None)` if it allows any value.
fn own_type(name: &str) -> Option<Option<&'static str>> {
    let t = match name {
        "EString" | "EChar" | "ECharacterObject" => "String",
        "EInt" | "EIntegerObject" | "ELong" | "ELongObject" | "EShort" | "EShortObject" | "EByte"
        | "EByteObject" | "EBigInteger" => "Integer",
        "EFloat" | "EFloatObject" | "EDouble" | "EDoubleObject" | "EBigDecimal" => "Float",
        "EBoolean" | "EBooleanObject" => "Boolean",
        "EDate" => "Timestamp",
        "EJavaObject" => return Some(None),
        _ => return None,
    };
    Some(Some(t))
}

/// Returns the type of the values of a Java class.
fn java_type(class: &str) -> Option<&'static str> {
    Some(match class.trim_start_matches("java.lang.") {
        "String" | "char" | "Character" => "String",
        "int"
        | "Integer"
        | "long"
        | "Long"
        | "short"
        | "Short"
        | "byte"
        | "Byte"
        | "java.math.BigInteger" => "Integer",
        "float" | "Float" | "double" | "Double" | "java.math.BigDecimal" => "Float",
        "boolean" | "Boolean" => "Boolean",
        "Object" => "Any",
        _ => return None,
    })
}

/// `enum['a', 'b']`.
fn enumeration(element: &XmlElement) -> String {
    let literal = |literal: &XmlElement| {
        let text = literal.attribute("literal").or_else(|| literal.attribute("name"));
        QuotedString(text.unwrap_or_default()).to_string()
    };
    let literals: Vec<_> = element.children("eLiterals").map(literal).collect();
    format!("enum[{}]", literals.join(", "))
}
