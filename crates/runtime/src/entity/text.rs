//! Values of attributes as text, for formats that have little else.

use puppetfn_base::error::{Error, ErrorKind};
use puppetfn_base::limits::Limits;
use puppetfn_types::convert::create::{create, defined_by_features};
use puppetfn_types::convert::json;
use puppetfn_types::function::NoHost;
use puppetfn_types::subject::Verdict;
use puppetfn_types::types::ops::instance;
use puppetfn_types::types::parse::{TypeLookup, named};
use puppetfn_types::types::{ObjectType, Type};
use puppetfn_types::value::{Hash, TYPE_KEY, Value};

/// The notation of a type's values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum AttributeForm {
    /// They are text.
    Text,
    /// They are made of their text.
    Number,
    /// The same; JSON has text for them, too.
    Scalar,
    /// As JSON.
    Json,
}

/// Maximum depth of named types that are followed.
const DEEPEST: u32 = 20;

pub(super) fn form(t: &Type) -> AttributeForm {
    form_of(t, DEEPEST)
}

fn form_of(t: &Type, depth: u32) -> AttributeForm {
    let Some(depth) = depth.checked_sub(1) else { return AttributeForm::Json };
    match t {
        Type::String(_) | Type::Enum(_) | Type::Pattern(_) => AttributeForm::Text,
        Type::Integer(_) | Type::Float(_) | Type::Numeric | Type::Boolean(_) => AttributeForm::Number,
        Type::SemVer(_)
        | Type::SemVerRange
        | Type::Timestamp(_)
        | Type::Timespan(_)
        | Type::Uri(_)
        | Type::Regexp(_)
        | Type::Binary => AttributeForm::Scalar,
        Type::Optional(Some(t)) | Type::NotUndef(Some(t)) => form_of(t, depth),
        Type::Alias(alias) => alias.with_target(|t| t.map_or(AttributeForm::Json, |t| form_of(t, depth))),
        Type::Variant(types) if types.iter().all(|t| form_of(t, depth) == AttributeForm::Text) => {
            AttributeForm::Text
        }
        _ => AttributeForm::Json,
    }
}

/// Returns the text of a value of a type.
pub(super) fn to_text(t: &Type, value: &Value, limits: &Limits) -> Result<String, Error> {
    refuse_sensitive(value)?;
    match (form(t), value) {
        (AttributeForm::Json, value) => Ok(json::to_json(value, limits)?.to_string()),
        (_, Value::Regexp(regex)) => Ok(regex.source().to_owned()),
        (_, value) => value.interpolated(limits),
    }
}

fn refuse_sensitive(value: &Value) -> Result<(), Error> {
    if let Value::Array(items) = value {
        items.iter().try_for_each(refuse_sensitive)
    } else if let Value::Hash(hash) = value {
        hash.iter().try_for_each(|(_, value)| refuse_sensitive(value))
    } else if matches!(value, Value::Sensitive(_)) {
        Err(Error::new(ErrorKind::Unrepresentable, "a sensitive value is not written to files"))
    } else {
        Ok(())
    }
}

/// Returns the value of a type that a text represents; the text itself if it represents none.
pub(super) fn from_text(t: &Type, text: &str, limits: &Limits) -> Value {
    match form(t) {
        AttributeForm::Text => text.into(),
        AttributeForm::Number | AttributeForm::Scalar => made_of(t, text),
        AttributeForm::Json => match json::parse(text, limits) {
            Ok(Ok(value)) => value,
            Ok(Err(_)) | Err(_) => text.into(),
        },
    }
}

fn made_of(t: &Type, text: &str) -> Value {
    create(t, &[text.into()], &NoHost).unwrap_or_else(|_| text.into())
}

/// Returns the data of an object, with values of the types that its features state in place of the texts that JSON has.
pub(crate) fn of_json(t: &ObjectType, data: &Hash, lookup: &dyn TypeLookup, limits: &Limits) -> Hash {
    let feature =
        |(name, value): (&Value, &Value)| (name.clone(), of_json_feature(t, name, value, lookup, limits));
    data.iter().map(feature).collect()
}

fn of_json_feature(
    t: &ObjectType,
    name: &Value,
    value: &Value,
    lookup: &dyn TypeLookup,
    limits: &Limits,
) -> Value {
    let feature =
        if let (Value::String(name), Some(model)) = (name, t.model()) { model.feature(name) } else { None };
    let Some((_, feature)) = feature else { return value.clone() };
    if let Value::Array(items) = value
        && feature.is_many()
    {
        return items
            .iter()
            .map(|item| of_json_value(&feature.t, item, lookup, limits))
            .collect::<Vec<_>>()
            .into();
    }
    of_json_value(&feature.t, value, lookup, limits)
}

fn of_json_value(t: &Type, value: &Value, lookup: &dyn TypeLookup, limits: &Limits) -> Value {
    if let (Value::Hash(data), Type::Object(_)) = (value, t) {
        let own = if let Some(Value::String(name)) = data.get_str(TYPE_KEY) {
            named(name, lookup).ok()
        } else {
            None
        };
        let definition = defined_by_features(own.as_ref().unwrap_or(t));
        return definition
            .map_or_else(|| value.clone(), |t| Value::Hash(of_json(&t, data, lookup, limits).into()));
    }
    if let Value::String(text) = value
        && form(t) == AttributeForm::Scalar
        && matches!(instance(t, value, limits), Ok(Verdict::No))
    {
        return made_of(t, text);
    }
    value.clone()
}
