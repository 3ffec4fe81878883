//! Resource types that are made with `Puppet::ResourceApi.register_type`.

use puppetfn_catalog::{AttributeDescription, AttributeKind, Requirement, TypeDescription};

use super::value::StaticValue;
use crate::source::unindented;

/// Returns the description of the defined type; `None` if its name is unknown.
pub fn described(definition: &StaticValue, line: u32) -> Option<TypeDescription> {
    let name = definition.get("name")?.text()?.to_owned();
    let text = |key: &str| definition.get(key).and_then(StaticValue::text).map(unindented);
    let attributes = attributes(definition);
    Some(TypeDescription {
        name,
        line,
        doc: text("desc").or_else(|| text("docs")).filter(|doc| !doc.is_empty()),
        is_open: attributes.is_none(),
        is_isomorphic: true,
        has_title_patterns: definition.get("title_patterns").is_some(),
        attributes: attributes.unwrap_or_default(),
        features: Vec::new(),
        providers: Vec::new(),
        refused_combinations: Vec::new(),
    })
}

/// Returns the attributes; none if not all of them are known.
fn attributes(definition: &StaticValue) -> Option<Vec<AttributeDescription>> {
    let Some(StaticValue::Hash(entries)) = definition.get("attributes") else { return None };
    let is_canonical = is_canonical(definition);
    let attribute = |(name, options): &(StaticValue, StaticValue)| match (name, options) {
        (StaticValue::Symbol(name), StaticValue::Hash(_)) => Some(attribute(name, options, is_canonical)),
        _ => None,
    };
    entries.iter().map(attribute).collect()
}

/// Returns true if the provider canonicalizes values, or may do so.
fn is_canonical(definition: &StaticValue) -> bool {
    match definition.get("features") {
        None | Some(StaticValue::Nil) => false,
        Some(StaticValue::Array(features)) => {
            features.iter().any(|feature| feature.is_unknown() || feature.text() == Some("canonicalize"))
        }
        Some(_) => true,
    }
}

fn attribute(name: &str, options: &StaticValue, is_canonical: bool) -> AttributeDescription {
    let given = |key: &str| options.get(key).filter(|value| !matches!(value, StaticValue::Nil));
    let behaviour = given("behaviour").or_else(|| given("behavior"));
    let is = |name: &str| behaviour.is_some_and(|behaviour| behaviour.is_symbol(name));
    let data_type = given("type").and_then(StaticValue::text);
    let is_parameter = is("parameter") || is("namevar");
    let is_optional = data_type.is_none_or(|text| text.trim().starts_with("Optional"));
    AttributeDescription {
        name: name.to_owned(),
        kind: if is_parameter { AttributeKind::Parameter } else { AttributeKind::Property },
        doc: given("desc").and_then(StaticValue::text).map(unindented).filter(|doc| !doc.is_empty()),
        default: given("default").and_then(StaticValue::to_s),
        data_type: data_type.map(str::to_owned),
        is_namevar: is("namevar"),
        // A resource fails without it, whatever else it has.
        is_required: is("parameter") && options.get("default").is_none() && !is_canonical && !is_optional,
        requirements: requirement(name, behaviour, data_type.filter(|_| !is_canonical)).into_iter().collect(),
        ..AttributeDescription::default()
    }
}

fn requirement(name: &str, behaviour: Option<&StaticValue>, data_type: Option<&str>) -> Option<Requirement> {
    let data_type = data_type.filter(|_| !behaviour.is_some_and(StaticValue::is_unknown))?;
    if behaviour.is_some_and(|behaviour| behaviour.is_symbol("read_only")) {
        let message = format!("Attempting to set `{name}` read_only attribute value to `%{{value}}`");
        return Some(Requirement {
            type_text: "Any".to_owned(),
            is_refused: true,
            message,
            ..Requirement::default()
        });
    }
    let message = "%{mismatch}".to_owned();
    let type_text = data_type.to_owned();
    Some(Requirement { type_text, as_text: name == "ensure", message, ..Requirement::default() })
}
