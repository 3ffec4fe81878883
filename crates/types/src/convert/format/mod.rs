//! Values as text, according to formats: `String.new(value, formats)`.
//!
//! A format is like one of `sprintf`, with letters and flags of its own for each kind of value. A map assigns formats to
//! types, and the format of a container may assign formats to its elements. Unassigned types have Puppet's default formats,
//! in [`map`]. The type of a value selects its format.
//!
//! See Puppet's `pops/types/string_converter.rb`.

mod collection;
mod directive;
mod indentation;
mod map;
mod scalar;

use std::sync::Arc;

use collection::FormatContext;
use directive::{ValueFormat, invalid};
use indentation::Indentation;
use map::FormatMap;
use scalar::object;

use crate::types::Type;
use crate::types::ops::infer_set;
use crate::value::Value;
use puppetfn_base::error::Error;
use puppetfn_base::limits::{Limits, VisitState, Work};

/// Formats a value. The formats are `default`, one format, or a hash of formats by type.
///
/// # Errors
/// Fails with [`puppetfn_base::error::ErrorKind::Conversion`] if a format is malformed or does not suit the value, and with
/// [`puppetfn_base::error::ErrorKind::Limit`] if the value nests too deep or the text is too long.
pub fn format(value: &Value, formats: &Value, limits: &Limits) -> Result<String, Error> {
    let given = if let Value::Default = formats {
        None
    } else if let Value::String(text) = formats {
        Some(single(value, text, limits)?)
    } else if let Value::Hash(formats) = formats {
        Some(FormatMap::read(formats, limits)?)
    } else {
        return Err(invalid(format!(
            "string conversion expects a Default value or a Hash of type to format mappings, got a '{}'",
            map::kind(formats, limits)
        )));
    };
    let merged = given.map(|given| FormatMap::defaults().merge(&given)).transpose()?;
    let work = Work::new(limits);
    let place = FormatContext {
        formats: merged.as_ref().unwrap_or_else(|| FormatMap::defaults()),
        indentation: Indentation::OUTERMOST,
        visit: VisitState::new(&work),
    };
    StringConversion { limits, work: &work }.convert(value, place)
}

/// Returns one format for values of exactly this type. The format of an array or a hash applies to all arrays or all
/// hashes.
fn single(value: &Value, text: &str, limits: &Limits) -> Result<FormatMap, Error> {
    let t = if let Value::Array(_) = value {
        Type::array(Type::Any, None)
    } else if let Value::Hash(_) = value {
        Type::hash(Type::Any, Type::Any, None)
    } else {
        infer_set(value, limits)?
    };
    Ok(FormatMap::single(t, Arc::new(ValueFormat::parse(text)?)))
}

/// One conversion.
struct StringConversion<'l> {
    limits: &'l Limits,
    work: &'l Work,
}

impl StringConversion<'_> {
    fn convert(&self, value: &Value, place: FormatContext<'_, '_>) -> Result<String, Error> {
        let place = FormatContext { visit: place.visit.deeper()?, ..place };
        let format = &place.formats.find(value, self.limits)?;
        let text = match value {
            Value::Undef => self.undef(format),
            Value::Default => self.default(format),
            Value::Boolean(truth) => self.boolean(format, *truth),
            Value::Integer(number) => self.integer(format, *number),
            Value::Float(number) => self.float(format, *number),
            Value::String(text) => self.string(format, text),
            Value::Regexp(regex) => self.regexp(format, regex),
            Value::Iterator(iteration) => return self.iteration(iteration, place),
            Value::Array(items) => self.array(format, items, place),
            Value::Hash(hash) => self.hash(format, hash, place),
            Value::Type(t) => self.type_value(format, t.ruby_to_s()),
            Value::Object(_) => object(format, value, place.indentation, self.limits),
            Value::Runtime(object) if object.type_of_objects().is_some() => {
                self.type_value(format, object.to_s()?.into_owned())
            }
            Value::Runtime(_) => self.runtime(format, value),
            Value::Binary(binary) => self.binary(format, binary),
            Value::Uri(uri) => self.uri(format, uri),
            Value::SemVer(_)
            | Value::SemVerRange(_)
            | Value::Timestamp(_)
            | Value::Timespan(_)
            | Value::Sensitive(_)
            | Value::Callable(_)
            | Value::Unknown(_) => self.sprintf(&format.text, value),
        }?;
        // A part that is used often makes the text long in few steps.
        self.work.spend_many(u64::try_from(text.len() / 64).unwrap_or(u64::MAX))?;
        Ok(text)
    }
}

#[cfg(test)]
mod tests;
