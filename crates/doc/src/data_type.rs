//! Documentation of data types in Ruby: their declared interfaces and the comments on them.

use serde_json::{Map, Value as Json, json};

use super::declared::DeclaredDataType;
use super::docstring::{Docstring, ReadingMode, TAGS_OF_SIGNATURES, docstring};
use super::tag::DocTag;
use puppetfn_base::limits::Limits;
use puppetfn_syntax::ast::{Expr, ExprKind, KeyedEntry, UnaryOp};
use puppetfn_syntax::parse;
use puppetfn_types::types::Type;
use puppetfn_types::types::parse::{NoAliases, parse as parse_type};

/// The documentation of a data type in Ruby.
#[derive(Clone, PartialEq, Debug)]
pub struct DataType {
    /// The name.
    pub name: String,
    /// The file that defines it.
    pub file: String,
    /// The line of the definition, counted from 1.
    pub line: u32,
    /// The docstring. Each attribute has a tag.
    pub docstring: Docstring,
    /// The defaults of attributes, by name.
    pub defaults: Vec<(String, Json)>,
    /// Its functions.
    pub functions: Vec<DataTypeFunction>,
}

/// A function of a data type.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DataTypeFunction {
    /// The name.
    pub name: String,
    /// The signature as text: `Target.resolve(facts)`.
    pub signature: String,
    /// The docstring. Each parameter and the result have a tag.
    pub docstring: Docstring,
}

/// An attribute in an interface.
struct InterfaceAttribute {
    name: String,
    types: Option<Vec<String>>,
    default: Option<Json>,
}

/// A function in an interface.
struct FunctionType {
    name: String,
    parameters: Vec<String>,
    result: String,
}

impl DataType {
    /// Documents a declaration.
    pub fn of(declared: DeclaredDataType, file: String, reading: ReadingMode) -> Self {
        let DeclaredDataType { name, line, comment, interface } = declared;
        let interface = interface.map_or(Json::Null, |text| literal_of(&format!("{{ {text} }}")));
        let mut docstring = Docstring::read(&comment.text, reading);
        let attributes = attributes(&interface);
        describe_attributes(&mut docstring, &attributes);
        let defaults = attributes
            .into_iter()
            .filter_map(|InterfaceAttribute { name, default, .. }| default.map(|default| (name, default)));
        let functions =
            functions(&name, Docstring::methods(&comment.text, reading), &function_types(&interface));
        Self { defaults: defaults.collect(), name, file, line, docstring, functions }
    }

    /// Returns the JSON of Puppet Strings' schema.
    pub(super) fn to_json(&self) -> Json {
        let mut object = Map::new();
        object.insert("name".to_owned(), json!(self.name));
        object.insert("file".to_owned(), json!(self.file));
        object.insert("line".to_owned(), json!(self.line));
        object.insert("docstring".to_owned(), docstring(&self.docstring, Some(&TAGS_OF_SIGNATURES)));
        if !self.defaults.is_empty() {
            object.insert("defaults".to_owned(), self.defaults.iter().cloned().collect::<Map<_, _>>().into());
        }
        let function = |function: &DataTypeFunction| {
            json!({
                "name": function.name,
                "signature": function.signature,
                "docstring": docstring(&function.docstring, Some(&TAGS_OF_SIGNATURES)),
            })
        };
        object.insert("functions".to_owned(), self.functions.iter().map(function).collect());
        Json::Object(object)
    }
}

/// Limits the parameter tags to the attributes and completes them: each attribute has one, with its type.
fn describe_attributes(docstring: &mut Docstring, attributes: &[InterfaceAttribute]) {
    let attribute =
        |name: Option<&str>| attributes.iter().find(|attribute| Some(attribute.name.as_str()) == name);
    docstring.tags.retain(|tag| tag.tag_name != "param" || attribute(tag.name.as_deref()).is_some());
    let documented: Vec<_> = docstring.tagged("param").filter_map(|tag| tag.name.clone()).collect();
    for one in attributes.iter().filter(|one| !documented.contains(&one.name)) {
        docstring.tags.push(DocTag::empty("param", Some(one.name.clone()), Vec::new()));
    }
    for tag in docstring.tags.iter_mut().filter(|tag| tag.tag_name == "param") {
        let types = attribute(tag.name.as_deref()).and_then(|one| one.types.clone());
        tag.types = Some(types.filter(|types| !types.is_empty()).unwrap_or_else(|| vec!["Any".to_owned()]));
    }
}

fn attributes(interface: &Json) -> Vec<InterfaceAttribute> {
    let attributes = interface.get("attributes").and_then(Json::as_object);
    let attribute = |(name, of): (&String, &Json)| {
        let (types, default) = match (of.as_str(), of.as_object()) {
            (Some(t), _) => (Some(vec![t.to_owned()]), None),
            (None, Some(of)) => {
                (of.get("type").and_then(types), of.get("value").filter(|value| !value.is_null()).cloned())
            }
            (None, None) => (None, None),
        };
        InterfaceAttribute { name: name.clone(), types, default }
    };
    attributes.into_iter().flatten().map(attribute).collect()
}

fn types(of: &Json) -> Option<Vec<String>> {
    let several = of.as_array().map(|types| types.iter().map(shown).collect());
    several.or_else(|| (!of.is_null()).then(|| vec![shown(of)]))
}

/// Returns a value in Ruby's notation.
pub(super) fn shown(value: &Json) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

fn function_types(interface: &Json) -> Vec<FunctionType> {
    let functions = interface.get("functions").and_then(Json::as_object);
    let function = |(name, of): (&String, &Json)| {
        let callable = of.as_str().and_then(|text| parse_type(text, &NoAliases, &Limits::FURTHEST).ok());
        let (parameters, result) = match &callable {
            Some(Type::Callable(callable)) => (
                callable.params.iter().flat_map(|params| params.types.iter().map(Type::to_string)).collect(),
                callable.returns.as_ref().map(Type::to_string).unwrap_or_default(),
            ),
            _ => (Vec::new(), String::new()),
        };
        FunctionType { name: name.clone(), parameters, result }
    };
    functions.into_iter().flatten().map(function).collect()
}

/// Returns the functions of an interface, documented ones first.
fn functions(
    type_name: &str,
    documented: Vec<(String, Docstring)>,
    declared: &[FunctionType],
) -> Vec<DataTypeFunction> {
    let of_name = |name: &str| declared.iter().find(|function| function.name == name);
    let mut found: Vec<(&FunctionType, Docstring)> = Vec::new();
    for (signature, docstring) in documented {
        let name = signature.split(['(', ' ', '\t', ';']).next().unwrap_or_default();
        found.extend(of_name(name.trim_start_matches("self.")).map(|function| (function, docstring)));
    }
    for function in declared {
        if !found.iter().any(|(known, _)| known.name == function.name) {
            found.push((function, Docstring::default()));
        }
    }
    found
        .into_iter()
        .map(|(function, docstring)| DataTypeFunction::of(type_name, function, docstring))
        .collect()
}

impl DataTypeFunction {
    fn of(type_name: &str, declared: &FunctionType, mut docstring: Docstring) -> Self {
        let mut count = 0usize;
        docstring.tags.retain(|tag| {
            count = count.saturating_add(usize::from(tag.tag_name == "param"));
            tag.tag_name != "param" || count <= declared.parameters.len()
        });
        let known = docstring.tagged("param").count();
        for number in known.saturating_add(1)..=declared.parameters.len() {
            docstring.tags.push(DocTag::empty("param", Some(format!("param{number}")), Vec::new()));
        }
        let params = docstring.tags.iter_mut().filter(|tag| tag.tag_name == "param");
        for (tag, t) in params.zip(&declared.parameters) {
            tag.types = Some(vec![t.clone()]);
        }
        let result = vec![declared.result.clone()];
        match docstring.tags.iter_mut().find(|tag| tag.tag_name == "return") {
            Some(tag) => tag.types = Some(result),
            None => docstring.tags.push(DocTag::empty("return", None, result)),
        }
        let names: Vec<_> = docstring.tagged("param").filter_map(|tag| tag.name.as_deref()).collect();
        let parameters = if names.is_empty() { String::new() } else { format!("({})", names.join(", ")) };
        let signature = format!("{type_name}.{}{parameters}", declared.name);
        Self { name: declared.name.clone(), signature, docstring }
    }
}

/// Returns the value of a literal of the Puppet language; types in it become texts.
fn literal_of(text: &str) -> Json {
    let Ok(program) = parse(text, &Limits::FURTHEST) else { return Json::Null };
    program.statements.first().map_or(Json::Null, |expr| literal(expr, text))
}

#[expect(clippy::wildcard_enum_match_arm, reason = "all others are no literals")]
fn literal(expr: &Expr<'_>, text: &str) -> Json {
    match &expr.kind {
        ExprKind::Boolean(value) => json!(value),
        ExprKind::Integer(value) => json!(value),
        ExprKind::Float(value) => json!(value),
        ExprKind::String(value) | ExprKind::Regexp(value) => json!(value),
        ExprKind::Name(name) => json!(name),
        ExprKind::Default => json!("default"),
        ExprKind::Access(_) | ExprKind::Reference(_) => json!(expr.span.text(text)),
        ExprKind::Unary(UnaryOp::Minus, inner) => {
            let number = literal(inner, text).as_number().map(|number| format!("-{number}"));
            number.and_then(|number| number.parse().ok()).map_or(Json::Null, Json::Number)
        }
        ExprKind::Array(items) => items.iter().map(|item| literal(item, text)).collect(),
        ExprKind::Hash(entries) => {
            let entry = |KeyedEntry { key, value, .. }: &KeyedEntry<'_>| {
                (shown(&literal(key, text)), literal(value, text))
            };
            entries.iter().map(entry).collect::<Map<_, _>>().into()
        }
        _ => Json::Null,
    }
}
