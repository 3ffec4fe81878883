//! Formats by type, and which of them applies to a value.
//!
//! See Puppet's `pops/types/string_converter.rb`.

use std::sync::{Arc, LazyLock};

use super::directive::{ValueFormat, invalid};
use crate::types::ops::{infer, infer_set};
use crate::types::{Type, builtin};
use crate::value::{Hash, Value};
use puppetfn_base::error::Error;
use puppetfn_base::limits::Limits;

/// Formats by type. The first type that a value's type is assignable to determines the format.
#[derive(Clone, PartialEq, Default, Debug)]
pub(super) struct FormatMap(Vec<(Type, Arc<ValueFormat>)>);

impl FormatMap {
    /// Returns a map with one format for one type.
    pub(super) fn single(t: Type, format: Arc<ValueFormat>) -> Self {
        Self(vec![(t, format)])
    }

    /// Returns Puppet's default formats.
    pub(super) fn defaults() -> &'static Self {
        static DEFAULTS: LazyLock<FormatMap> = LazyLock::new(|| {
            let formats = [
                (builtin::object(), "%p"),
                (Type::FLOAT, "%f"),
                (Type::Numeric, "%d"),
                (ANY_ARRAY.clone(), "%a"),
                (ANY_HASH.clone(), "%h"),
                (Type::Binary, "%B"),
                (Type::Any, "%s"),
            ];
            let container = |t: &Type| matches!(t, Type::Array(_) | Type::Hash(_));
            let entry = |(t, text): (Type, &str)| {
                let mut format = ValueFormat::parse(text).ok()?;
                if container(&t) {
                    format.separator = Some(", ".into());
                    format.separator2 = Some(if text == "%h" { " => " } else { ", " }.into());
                    format.elements = Some(Arc::new(FormatMap::elements().clone()));
                }
                Some((t, Arc::new(format)))
            };
            FormatMap(formats.into_iter().filter_map(entry).collect())
        });
        &DEFAULTS
    }

    /// Returns the default formats of elements: as literals.
    pub(super) fn elements() -> &'static Self {
        static ELEMENTS: LazyLock<FormatMap> = LazyLock::new(|| {
            FormatMap(
                ValueFormat::parse("%p").map(|format| (Type::Any, Arc::new(format))).into_iter().collect(),
            )
        });
        &ELEMENTS
    }

    /// Returns the format of a value.
    ///
    /// # Errors
    /// [`puppetfn_base::error::ErrorKind::Limit`] when the value or a type is nested too deep to be compared.
    pub(super) fn find(&self, value: &Value, limits: &Limits) -> Result<Arc<ValueFormat>, Error> {
        let kind = collection_kind(value);
        let mut inferred = None;
        for (key, format) in &self.0 {
            let t = match kind {
                // The type of all that is in a collection is not inferred anew at each level of it.
                Some(kind) if is_told_by_kind(key) => kind,
                _ => match &mut inferred {
                    Some(t) => t,
                    none => none.insert(infer_set(value, limits)?),
                },
            };
            if key.try_assignable(t, limits)? {
                return Ok(Arc::clone(format));
            }
        }
        ValueFormat::parse("%s").map(Arc::new)
    }

    /// Parses a map of formats: types, with a format or, for containers, its parts.
    ///
    /// # Errors
    /// Fails with [`puppetfn_base::error::ErrorKind::Conversion`] if one of them is malformed.
    pub(super) fn read(formats: &Hash, limits: &Limits) -> Result<Self, Error> {
        let entry = |(key, format): (&Value, &Value)| {
            let Value::Type(t) = key else {
                return Err(invalid(format!(
                    "top level keys in the format hash must be data types, got instance of '{}'",
                    kind(key, limits)
                )));
            };
            let format = if let Value::Hash(parts) = format {
                container_format(parts, limits)?
            } else {
                ValueFormat::parse(&format.ruby_to_s(limits)?)?
            };
            Ok((Type::clone(t), Arc::new(format)))
        };
        formats.iter().map(entry).collect::<Result<_, _>>().map(Self)
    }

    /// Merges two maps. A format in `higher` wins over one for the same type, and over all formats for narrower types.
    pub(super) fn merge(&self, higher: &Self) -> Result<Self, Error> {
        let overridden = |t: &Type| higher.0.iter().any(|(wider, _)| wider != t && wider.assignable(t));
        let mut merged: Vec<_> = self.0.iter().filter(|(t, _)| !overridden(t)).cloned().collect();
        for (t, format) in &higher.0 {
            match merged.iter_mut().find(|(known, _)| known == t) {
                Some((_, lower)) => *lower = Arc::new(lower.merge(format)?),
                None => merged.push((t.clone(), Arc::clone(format))),
            }
        }
        Ok(Self(sort(merged)))
    }
}

static ANY_ARRAY: LazyLock<Type> = LazyLock::new(|| Type::array(Type::Any, None));
static ANY_HASH: LazyLock<Type> = LazyLock::new(|| Type::hash(Type::Any, Type::Any, None));

/// Returns the type of all collections that are of the kind of this one.
fn collection_kind(value: &Value) -> Option<&'static Type> {
    if let Value::Array(_) = value {
        Some(&ANY_ARRAY)
    } else if let Value::Hash(_) = value {
        Some(&ANY_HASH)
    } else {
        None
    }
}

/// Returns true if a type accepts either all collections of a kind or none, regardless of their content.
fn is_told_by_kind(t: &Type) -> bool {
    use Type::{
        Any, Binary, Boolean, Enum, Float, Integer, Numeric, Object, Pattern, Regexp, Scalar, String, Undef,
    };
    matches!(
        t,
        Any | Undef
            | Scalar
            | Numeric
            | Integer(_)
            | Float(_)
            | Boolean(_)
            | String(_)
            | Enum(_)
            | Pattern(_)
            | Regexp(_)
            | Binary
            | Object(_)
    ) || *t == *ANY_ARRAY
        || *t == *ANY_HASH
}

/// Returns the format of a container of its parts.
fn container_format(parts: &Hash, limits: &Limits) -> Result<ValueFormat, Error> {
    const PARTS: [&str; 4] = ["separator", "separator2", "format", "string_formats"];
    let known = |key: &Value| matches!(key, Value::String(name) if PARTS.contains(&&**name));
    if !parts.iter().all(|(key, _)| known(key)) {
        let names = PARTS.map(|name| format!("'{name}'")).join(", ");
        let shown = Value::Hash(Arc::new(parts.clone())).ruby_to_s(limits)?;
        return Err(invalid(format!("only {names} are allowed in a container format, got {shown}")));
    }
    let text = |name| parts.get_str(name).map(|part| part.ruby_to_s(limits)).transpose();
    let mut format = ValueFormat::parse(&text("format")?.unwrap_or_default())?;
    format.separator = text("separator")?.map(Arc::from);
    format.separator2 = text("separator2")?.map(Arc::from);
    format.elements = match parts.get_str("string_formats") {
        None | Some(Value::Undef) => None,
        Some(Value::Hash(formats)) => Some(Arc::new(FormatMap::read(formats, limits)?)),
        Some(other) => {
            return Err(invalid(format!(
                "expected a hash with type to format mappings, got instance of '{}'",
                kind(other, limits)
            )));
        }
    };
    Ok(format)
}

/// Returns the name of a value's type.
pub(super) fn kind(value: &Value, limits: &Limits) -> String {
    infer(value, limits).map_or_else(|_| "Any".to_owned(), |t| t.simple_name().to_owned())
}

/// Sorts formats, narrower types first.
///
/// Assignability orders types only partially, so the total order need not be consistent and the result depends on the
/// algorithm. It has to be Puppet's: a merge sort that prefers the first half.
fn sort(mut formats: Vec<(Type, Arc<ValueFormat>)>) -> Vec<(Type, Arc<ValueFormat>)> {
    if formats.len() < 2 {
        return formats;
    }
    let second = sort(formats.split_off(formats.len() / 2));
    let mut second = second.into_iter().peekable();
    let mut sorted = Vec::new();
    for entry in sort(formats) {
        while let Some(other) = second.next_if(|other| comes_before(&other.0, &entry.0)) {
            sorted.push(other);
        }
        sorted.push(entry);
    }
    sorted.extend(second);
    sorted
}

/// Returns true if a type has to come before another one.
fn comes_before(a: &Type, b: &Type) -> bool {
    if a == b {
        return false;
    }
    match (b.assignable(a), a.assignable(b)) {
        (true, false) => true,
        (false, true) => false,
        (true, true) | (false, false) => match (rank(a), rank(b)) {
            (Some(a), Some(b)) => a < b,
            (None, _) | (_, None) => a.to_string() < b.to_string(),
        },
    }
}

/// Returns the order of kinds of types where it matters.
fn rank(t: &Type) -> Option<u8> {
    if let Type::Struct(_) = t {
        Some(1)
    } else if let Type::Hash(_) = t {
        Some(2)
    } else if let Type::Tuple(_) = t {
        Some(3)
    } else if let Type::Array(_) = t {
        Some(4)
    } else if let Type::Pattern(_) = t {
        Some(10)
    } else if let Type::Enum(_) = t {
        Some(11)
    } else if let Type::String(_) = t {
        Some(12)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::parse::{NoAliases, parse};

    fn map(formats: &[(&str, &str)]) -> FormatMap {
        let entry = |(t, format): &(&str, &str)| {
            let t = parse(t, &NoAliases, &Limits::DEFAULT).unwrap();
            (t, Arc::new(ValueFormat::parse(format).unwrap()))
        };
        FormatMap(formats.iter().map(entry).collect())
    }

    fn shown(map: &FormatMap) -> Vec<String> {
        map.0.iter().map(|(t, format)| format!("{t} {}", format.text)).collect()
    }

    #[test]
    fn a_wider_type_of_the_higher_formats_overrides() {
        let merged = FormatMap::defaults().merge(&map(&[("Scalar", "%p")])).unwrap();
        assert_eq!(shown(&merged), ["Binary %B", "Hash %h", "Array %a", "Object %p", "Scalar %p", "Any %s"]);
    }

    #[test]
    fn narrower_types_come_first() {
        let merged = FormatMap::defaults()
            .merge(&map(&[("Integer", "%x"), ("Hash[String, Any]", "%<h"), ("Integer[1, 2]", "%o")]))
            .unwrap();
        let position = |text: &str| shown(&merged).iter().position(|entry| entry == text).unwrap();
        assert!(position("Integer[1, 2] %o") < position("Integer %x"));
        assert!(position("Integer %x") < position("Numeric %d"));
        assert!(position("Hash[String, Any] %<h") < position("Hash %h"));
        assert_eq!(position("Any %s"), 9);
    }
}
