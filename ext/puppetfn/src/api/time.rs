//! `Puppetfn::Timestamp` and `Puppetfn::Timespan`: points in time and lengths of time.

use magnus::{Error, Module, Object, RArray, Ruby, Value, function, method};
use puppetfn::error::{Error as CoreError, ErrorKind};
use puppetfn::value::time::Formats;
use puppetfn::value::{Timespan, Timestamp, Value as CoreValue};

use super::rich::{RichClasses, define_common, wrap};
use crate::ruby::convert::{to_object, to_value};
use crate::ruby::wrapped::RubyRich;

const NANOS_PER_SECOND: i128 = 1_000_000_000;

/// Returns the argument error for a time that cannot be parsed or formatted, as in Puppet.
fn argument_error(ruby: &Ruby, error: &CoreError) -> Error {
    Error::new(ruby.exception_arg_error(), error.to_string())
}

fn wrapped<T>(ruby: &Ruby, time: Result<T, CoreError>, kind: fn(T) -> CoreValue) -> Result<Value, Error> {
    wrap(ruby, kind(time.map_err(|error| argument_error(ruby, &error))?))
}

fn nanos(seconds: i64, nanos: i64) -> i128 {
    i128::from(seconds) * NANOS_PER_SECOND + i128::from(nanos)
}

/// @yard
/// @def at(seconds, nanoseconds)
/// @param seconds [Integer] since the start of 1970, in UTC
/// @param nanoseconds [Integer] to be added to the seconds
/// @return [Puppetfn::Timestamp]
/// @raise [ArgumentError] when that is out of range
fn timestamp_at(ruby: &Ruby, seconds: i64, more: i64) -> Result<Value, Error> {
    wrapped(ruby, Timestamp::from_nanos(nanos(seconds, more)), CoreValue::Timestamp)
}

/// @yard
/// @def of(seconds, nanoseconds)
/// @param seconds [Integer]
/// @param nanoseconds [Integer] to be added to the seconds
/// @return [Puppetfn::Timespan]
/// @raise [ArgumentError] when that is out of range
fn timespan_of(ruby: &Ruby, seconds: i64, more: i64) -> Result<Value, Error> {
    wrapped(ruby, Timespan::from_nanos(nanos(seconds, more)), CoreValue::Timespan)
}

/// Returns the formats of an argument: nil or `:default`, a string or strings.
fn read<T>(
    ruby: &Ruby,
    formats: Value,
    read: impl FnOnce(&Formats<'_>) -> Result<T, CoreError>,
) -> Result<T, Error> {
    let formats = to_value(ruby, formats)?;
    Formats::of(Some(&formats))
        .and_then(|formats| read(&formats))
        .map_err(|error| argument_error(ruby, &error))
}

/// @yard
/// @def read(text, formats, timezone)
/// @param text [String]
/// @param formats [String, Array<String>, nil]
/// @param timezone [String, nil]
/// @return [Puppet::Pops::Time::Timestamp] the one that the text states
/// @raise [ArgumentError] when it states none
/// @api private
fn timestamp_parse(
    ruby: &Ruby,
    text: String,
    formats: Value,
    timezone: Option<String>,
) -> Result<Value, Error> {
    let time = read(ruby, formats, |formats| Timestamp::parse(&text, formats, timezone.as_deref()))?;
    wrap(ruby, CoreValue::Timestamp(time))
}

/// @yard
/// @def read(text, formats)
/// @param text [String]
/// @param formats [String, Array<String>, nil]
/// @return [Puppet::Pops::Time::Timespan] the one that the text states
/// @raise [ArgumentError] when it states none
/// @api private
fn timespan_parse(ruby: &Ruby, text: String, formats: Value) -> Result<Value, Error> {
    let time = read(ruby, formats, |formats| Timespan::parse(&text, formats))?;
    wrap(ruby, CoreValue::Timespan(time))
}

/// @yard
/// @return [Integer] the nanoseconds: since the start of 1970, or of the timespan
fn nsecs(this: &RubyRich) -> i128 {
    if let CoreValue::Timestamp(time) = &this.0 {
        time.nanos()
    } else if let CoreValue::Timespan(time) = &this.0 {
        time.nanos()
    } else {
        0
    }
}

/// @yard
/// @def show(format, timezone)
/// @param format [String]
/// @param timezone [String, nil]
/// @return [String]
fn show(ruby: &Ruby, this: &RubyRich, format: String, timezone: Option<String>) -> Result<String, Error> {
    let text = if let CoreValue::Timestamp(time) = &this.0 {
        time.format(&format, timezone.as_deref())
    } else if let CoreValue::Timespan(time) = &this.0 {
        time.format(&format)
    } else {
        Err(CoreError::new(ErrorKind::Evaluation, "not a time"))
    };
    text.map_err(|error| argument_error(ruby, &error))
}

/// @yard
/// @return [Array<Array(String, Integer)>] the parts that are not zero, as pairs of a name and a number
fn fields(ruby: &Ruby, this: &RubyRich) -> Result<RArray, Error> {
    let fields = ruby.ary_new();
    if let CoreValue::Timespan(time) = &this.0 {
        for (name, value) in time.to_hash().iter() {
            fields.push((to_object(ruby, name)?, to_object(ruby, value)?))?;
        }
    }
    Ok(fields)
}

/// Defines the classes.
pub fn init(ruby: &Ruby, classes: &mut RichClasses) -> Result<(), Error> {
    let data = classes.define("TimeData", ruby.class_numeric())?;
    define_common(data)?;
    data.define_method("nsecs", method!(nsecs, 0))?;
    data.define_private_method("show", method!(show, 2))?;

    let timestamp = classes.define("Timestamp", data)?;
    timestamp.define_singleton_method("at", function!(timestamp_at, 2))?;
    timestamp.define_singleton_method("read", function!(timestamp_parse, 3))?;

    let timespan = classes.define("Timespan", data)?;
    timespan.define_singleton_method("of", function!(timespan_of, 2))?;
    timespan.define_singleton_method("read", function!(timespan_parse, 2))?;
    timespan.define_private_method("fields", method!(fields, 0))
}
